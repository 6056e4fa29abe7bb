//! Games and positions that are saved, loaded and pasted.

use session::FileResult;

use super::*;

#[test]
fn boards_and_games_are_pasted() {
    let mut sitting = eight();
    sitting.type_keys("pp");
    sitting.happen(Input::Paste("f5d6c3".to_owned()));
    sitting.type_keys("\n");
    assert_eq!(sitting.moves(), "f5d6c3");
    sitting.shows("is waiting");
    sitting.happen(Input::Paste("nonsense".to_owned()));
    sitting.type_keys("\n");
    sitting.shows("not a board, a transcript or an opening");
    sitting.press(KeyCode::Esc);
    sitting.press(KeyCode::Esc);
    let board = format!("-OX{} X", "-".repeat(61));
    sitting.type_keys("p");
    sitting.happen(Input::Paste(board.clone()));
    sitting.type_keys("\n");
    assert_eq!(sitting.session.game().position().to_string(), board);
}

#[test]
fn saving_and_loading_have_texts_of_their_own() {
    let folder = folder("texts");
    std::fs::write(folder.join("games.txt"), "f5d6\nf5d6c3\n").expect("a file");
    let (loaded, saved) = (folder.join("games.txt#2"), folder.join("mine.sgf"));
    let typed = |sitting: &Sitting<Board>| match &sitting.screen.form {
        Form::Prompt(prompt) => prompt.line.text(),
        form => panic!("no prompt, but {form:?}"),
    };
    let mut sitting = eight();
    sitting.type_keys(&format!("l{}\n", loaded.display()));
    assert_eq!(sitting.moves(), "f5d6c3");
    sitting.type_keys("s");
    assert_eq!(typed(&sitting), "");
    sitting.shows("Save the game as");
    sitting.type_keys("\n");
    sitting.shows("no name given; expected a name to save the game as, such as game.sgf");
    sitting.press(KeyCode::Esc);
    sitting.shows("Nothing was saved.");
    sitting.type_keys(&format!("s{}\nl", saved.display()));
    assert_eq!(typed(&sitting), loaded.display().to_string());
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    sitting.type_keys("\n");
    sitting.shows("no name given; expected the name of a file with games");
    sitting.press(KeyCode::Esc);
    sitting.shows("Nothing was loaded.");
    sitting.type_keys("s");
    assert_eq!(typed(&sitting), saved.display().to_string());
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn an_opening_is_loaded_and_pasted_by_its_name_and_a_file_of_that_name_comes_first() {
    for keys in ["ltiger\n", "lf5d6c3d3c4\n", "pptiger\n"] {
        let mut sitting = eight();
        sitting.type_keys(keys);
        assert_eq!(sitting.moves(), "f5d6c3d3c4", "{keys}");
        sitting.shows("5 moves.");
        sitting.shows("Moves: Tiger");
    }
    let mut sitting = eight();
    sitting.type_keys("ltigr\n");
    sitting.shows("cannot read tigr");
    sitting.press(KeyCode::Esc);
    sitting.type_keys("ltiger#2\n");
    sitting.shows("cannot read");
    let mut small = Sitting::<SmallBoard<6>>::new();
    small.type_keys("ltiger\n");
    small.shows("cannot read tiger");
    let folder = folder("opening");
    std::fs::write(folder.join("tiger"), "f5f6\n").expect("a file");
    let FileResult::Loaded(found) = files::load::<Board>(&folder.join("tiger"), 1) else { panic!("a game") };
    assert_eq!(found.record.game.line().len(), 2);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("emilia-screen-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn games_are_saved_and_loaded_in_every_format() {
    let folder = folder("formats");
    let mut sitting = eight();
    sitting.type_keys("f5");
    sitting.press(KeyCode::Enter);
    let (moves, position) = (sitting.moves(), sitting.session.game().position());
    sitting.type_keys("<");
    for name in ["game.txt", "game.ggf", "game.sgf", "game.wtb", "game.obf"] {
        let path = folder.join(name);
        let path = path.to_str().expect("a path");
        assert!(!sitting.screen.view.is_thinking);
        let is_position = name.ends_with("obf");
        if is_position {
            sitting.press(KeyCode::End);
        }
        sitting.type_keys("s");
        sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
        sitting.type_keys(&format!("{path}\n"));
        sitting.shows("Saved as");
        let mut other = eight();
        other.type_keys("l");
        other.happen(Input::Paste(path.to_owned()));
        other.type_keys("\n");
        assert_eq!(other.session.game().position(), position, "{name}");
        assert_eq!(other.moves(), if is_position { "" } else { &moves }, "{name}");
        // A file that is there is written over only if the person says so.
        sitting.type_keys("s\n");
        sitting.shows("already exist");
        sitting.type_keys("n");
        sitting.shows("Nothing was written.");
        sitting.type_keys("s\ny");
        sitting.shows("Saved as");
    }
    for (name, words) in [("game.doc", "cannot tell the format"), ("no/game.txt", "cannot write")] {
        sitting.type_keys("s");
        sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
        sitting.type_keys(&format!("{}\n", folder.join(name).display()));
        sitting.shows(words);
        sitting.press(KeyCode::Esc);
    }
    sitting.type_keys("l");
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    sitting.type_keys(&format!("{}/game.g", folder.display()));
    sitting.press(KeyCode::Tab);
    sitting.type_keys("\n");
    assert_eq!(sitting.moves(), moves, "the name was completed");
    sitting.type_keys("l#7\n");
    sitting.shows("has one game; expected game 1");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_files_that_go_with_a_thor_file_are_told_and_asked_for() {
    let folder = folder("thor");
    let players = folder.join("g.jou");
    std::fs::write(&players, "mine").expect("a file");
    let mut sitting = eight();
    sitting.type_keys("f5");
    sitting.type_keys(&format!("s{}\n", folder.join("g.wtb").display()));
    sitting.shows("g.jou already exists. Overwrite it?");
    sitting.type_keys("n");
    assert_eq!(std::fs::read(&players).expect("it is there"), b"mine");
    assert!(!folder.join("g.wtb").exists());
    sitting.type_keys("s\ny");
    sitting.shows("g.wtb, with the players and events in g.jou and g.trn.");
    sitting.type_keys("s\n");
    sitting.shows("g.wtb and g.jou and g.trn already exist. Overwrite them?");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn of_a_file_of_several_games_it_is_said_which_was_loaded_and_how_to_load_the_next() {
    let folder = folder("several");
    std::fs::write(folder.join("games.txt"), "f5d6\nf5d6c3\nf5f6\n").expect("a file");
    std::fs::write(folder.join("one.txt"), "f5d6\n").expect("a file");
    let load = |name: &str| {
        let mut sitting = eight();
        sitting.type_keys(&format!("l{}\n", folder.join(name).display()));
        sitting
    };
    load("games.txt").shows("games.txt: 2 moves. Game 1 of 3; games.txt#2 loads the next.");
    load("games.txt#2").shows("games.txt: 3 moves. Game 2 of 3; games.txt#3 loads the next.");
    load("games.txt#3").shows("games.txt: 2 moves. Game 3 of 3.");
    let one = load("one.txt");
    one.shows("one.txt: 2 moves.");
    assert!(!one.picture().contains("Game 1"), "{}", one.picture());
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn a_position_that_is_saved_is_no_saved_game() {
    let folder = folder("position");
    let mut sitting = eight();
    sitting.type_keys("f5");
    sitting.type_keys(&format!("s{}\n", folder.join("game.obf").display()));
    sitting.shows("only the position, without the moves.");
    sitting.type_keys("q");
    sitting.shows("The game has not been saved. Quit anyway?");
    sitting.type_keys("ns");
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    sitting.type_keys(&format!("{}\nq", folder.join("game.sgf").display()));
    assert_eq!(sitting.wishes, [Wish::Leave]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn whoever_sets_up_or_pastes_is_told_that_the_game_is_not_saved() {
    let mut sitting = eight();
    sitting.type_keys("p");
    assert!(!sitting.picture().contains("not saved"), "{}", sitting.picture());
    sitting.press(KeyCode::Esc);
    sitting.type_keys("f5p");
    sitting.shows("This game has not been saved.");
    sitting.press(KeyCode::Esc);
    sitting.happen(Input::Paste("f5".to_owned()));
    sitting.shows("The moves of this game have not been saved.");
}

#[test]
fn what_is_pasted_is_no_longer_than_what_could_be_typed_and_breaks_no_line() {
    let mut sitting = eight();
    sitting.happen(Input::Paste(format!("f5\n\u{1b}[2J{}", "d6".repeat(9000))));
    let Form::Prompt(prompt) = &sitting.screen.form else { panic!("it is asked for") };
    let text = prompt.line.text();
    assert_eq!(text.chars().count(), 4096);
    assert!(!text.contains(|symbol: char| symbol.is_control() && symbol != '\n'));
    assert!(!prompt.line.parts().0.contains(char::is_control));
    // A board of several lines is still one.
    sitting.press(KeyCode::Esc);
    let rows = [["--------"; 3].as_slice(), &["---OX---", "---XO---"], &["--------"; 3]].concat();
    sitting.happen(Input::Paste(format!("{}\nX", rows.join("\n"))));
    sitting.type_keys("\n\n");
    assert_eq!(sitting.session.game().position(), Position::start());
    sitting.shows("The position is set up.");
}

#[test]
fn a_game_of_several_lines_is_pasted_and_what_cannot_be_read_stays_to_be_corrected() {
    let mut sitting = eight();
    // The title is a line of its own only as long as the lines are kept; terminals send them so.
    sitting.happen(Input::Paste("[Black \"Rose\"]\r[White \"Tamenori\"]\r\r1. f5 d6\r2. c3 d3\r40-24\r".to_owned()));
    sitting.type_keys("\n");
    assert_eq!(sitting.moves(), "f5d6c3d3");
    sitting.shows("Rose");
    sitting.happen(Input::Paste("A game\nf5 d6\nc3 e4\n".to_owned()));
    sitting.type_keys("\n");
    sitting.shows("move 4 is illegal");
    let Form::Prompt(prompt) = &sitting.screen.form else { panic!("it is asked for again") };
    assert_eq!(prompt.line.text(), "A game\nf5 d6\nc3 e4");
    sitting.press(KeyCode::Backspace);
    sitting.type_keys("3\n");
    assert_eq!(sitting.moves(), "f5d6c3d3", "e3 is no move, and the game before is still there");
    sitting.press(KeyCode::Backspace);
    sitting.press(KeyCode::Backspace);
    sitting.type_keys("d3\n");
    assert_eq!(sitting.moves(), "f5d6c3d3");
    assert!(!sitting.picture().contains("Rose"), "{}", sitting.picture());

    // The name of a file that cannot be read stays, too.
    let folder = folder("unreadable");
    let path = folder.join("broken.txt");
    std::fs::write(&path, "f5 d6\nc3 e4\n").expect("a file");
    sitting.type_keys("l");
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    sitting.type_keys(&format!("{}\n", path.display()));
    sitting.shows("move 4 is illegal");
    let Form::Prompt(prompt) = &sitting.screen.form else { panic!("it is asked for again") };
    assert_eq!(prompt.line.text(), path.display().to_string());
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_question_about_a_file_is_seen_however_long_its_path_is() {
    let mut sitting = eight();
    let path = PathBuf::from(format!("/games/{}/final.sgf", "far/".repeat(99)));
    for size in [(80, 24), (66, 16)] {
        sitting.happen(Input::Resize(size.0, size.1));
        let result = FileResult::Exists { there: vec![path.clone()], is_report: false };
        sitting.take_answer(EffectResult::File(path.clone(), result));
        sitting.shows("/final.sgf already exists. Overwrite it?");
        sitting.shows("/games/far/");
    }
}
