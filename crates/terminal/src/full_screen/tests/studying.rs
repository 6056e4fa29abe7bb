//! Analyzing, hints, watching engines, the wheel, the footer, large discs.

use engine::Estimate;
use engine::analysis::{JudgedMove, Judgement, Rating};
use records::transcript;

use super::*;
use crate::full_screen::drawing::layout::Layout;

fn mouse(kind: MouseEventKind, column: u16, row: u16) -> Input {
    Input::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
}

/// Clicks on the first of these words in the last row.
fn click_footer<B: StudiedBoard>(sitting: &mut Sitting<B>, words: &str) {
    let picture = sitting.picture();
    let footer = picture.lines().last().expect("a line");
    let at = footer.find(words).unwrap_or_else(|| panic!("{words:?} is not in {footer:?}"));
    let column = footer[..at].chars().count() as u16;
    let row = sitting.screen.size.1 - 1;
    sitting.happen(mouse(MouseEventKind::Down(MouseButton::Left), column, row));
}

/// The number of the order to analyze the game.
fn order_to_analyze(sitting: &Sitting<Board>) -> Option<OrderNumber> {
    sitting.effects.iter().find_map(|effect| match effect {
        Effect::Start { number, order: Order::Analyze { .. } } => Some(*number),
        _ => None,
    })
}

/// Two people after some moves, whose analysis was asked for.
fn analyzed() -> Sitting<Board> {
    let game = transcript::parse::<Board>("f5f6e6f4g5").expect("a game");
    let mut sitting = Sitting::with(game.clone(), [None, None], None);
    sitting.type_keys("x");
    let order = order_to_analyze(&sitting).expect("it is analyzed");
    sitting.shows("Analysis, 0 of 5 moves");
    let mut before = Game::<Board>::new();
    for (number, (square, loss)) in game.moves().into_iter().zip([0, 250, 0, 1_200, 0]).enumerate() {
        let other = othello::squares(before.position().board.moves()).find(|&other| other != square);
        let rating = |square, hundredths| Rating::new(square, Some(Estimate::Discs { hundredths }), vec![square]);
        let best = rating(if loss == 0 { square } else { other.expect("a choice") }, 100);
        let judgement = Judgement::new(best, rating(square, 100 - loss));
        let judged = JudgedMove { number: number + 1, position: before.position(), judgement };
        sitting.take(order, Reply::Judged { judged: Box::new(judged.into()) });
        before.play(square).expect("legal");
    }
    sitting.take(order, Reply::Done);
    sitting
}

#[test]
fn the_values_of_an_analysis_are_for_black_or_for_the_mover() {
    let mut sitting = analyzed();
    sitting.shows("Analysis, values for Black");
    sitting.press(KeyCode::Up);
    for _ in 0..2 {
        sitting.shows("White played f4 ?? (+11.00 for Black), losing 12 discs;");
        sitting.shows("is better (-1.00).");
        assert!(sitting.picture().contains("-1.0*"));
        sitting.type_keys("v");
        sitting.shows("Analysis, values for the mover");
        sitting.shows("White played f4 ?? (-11.00 for White), losing 12 discs;");
        sitting.shows("is better (+1.00).");
        assert!(sitting.picture().contains("+1.0*"));
        click_footer(&mut sitting, "v side");
    }
    // A move of Black has the same value for both.
    sitting.press(KeyCode::Left);
    for whose in ["Black", "the mover"] {
        sitting.shows(&format!("Analysis, values for {whose}"));
        sitting.shows("Black played e6, the best move (+1.00 for Black).");
        sitting.type_keys("v");
    }
}

#[test]
fn the_analysis_has_a_graph_and_mistakes_that_the_arrows_jump_to() {
    let mut sitting = analyzed();
    sitting.shows("The analysis is complete: 2 mistakes.");
    sitting.shows("Mistakes");
    sitting.shows("2 White f6?! -2.5");
    sitting.shows("4 White f4?? -12");
    sitting.shows("White 1?! 0? 1??");
    // The mistakes below the graph, a column a move.
    let picture = sitting.picture();
    assert!(picture.lines().any(|line| line.ends_with("  i b")), "{picture}");
    sitting.shows("i inaccuracy m mistake b blunder");
    assert!(picture.contains("+16") && picture.contains("-16"), "{picture}");
    sitting.press(KeyCode::Up);
    assert_eq!(sitting.moves(), "f5f6e6", "before the last mistake");
    sitting.shows("▸  4 White f4??");
    sitting.shows("Move 4: White played f4 ?? (+11.00 for Black), losing 12 discs;");
    sitting.shows("better: ");
    // Both moves have their values on the board.
    let picture = sitting.picture();
    assert!(picture.contains("-1.0*") && picture.contains("+11"), "{picture}");
    sitting.press(KeyCode::Up);
    assert_eq!(sitting.moves(), "f5");
    sitting.press(KeyCode::Up);
    assert_eq!(sitting.moves(), "f5", "there is none before");
    sitting.press(KeyCode::Down);
    assert_eq!(sitting.moves(), "f5f6e6");
    sitting.press(KeyCode::Left);
    assert_eq!(sitting.moves(), "f5f6");
    sitting.shows("Move 3: Black played e6, the best move");
    // Back in the game the position stays, and so does what is said of it.
    sitting.press(KeyCode::Down);
    sitting.press(KeyCode::Esc);
    assert!(matches!(sitting.screen.form, Form::Game));
    assert_eq!(sitting.moves(), "f5f6e6");
    sitting.shows("losing 12 discs");
    sitting.shows("Your move (White)");
}

#[test]
fn the_report_of_an_analysis_is_written_and_a_foreign_file_is_not_overwritten() {
    let folder = std::env::temp_dir().join(format!("emilia-report-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("game.html");
    let mut sitting = analyzed();
    let write = |sitting: &mut Sitting<Board>| {
        sitting.type_keys("r");
        sitting.shows("Write the report to");
        sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
        sitting.type_keys(&format!("{}\n", path.display()));
    };
    write(&mut sitting);
    sitting.shows("The report was written to");
    let html = std::fs::read_to_string(&path).expect("it is there");
    assert!(html.contains("<svg") && html.contains("f4"), "{html}");
    write(&mut sitting);
    sitting.shows("game.html already exists. Overwrite it?");
    sitting.type_keys("n");
    sitting.shows("Nothing was written.");
    assert!(matches!(sitting.screen.form, Form::Analysis));
    write(&mut sitting);
    sitting.type_keys("y");
    sitting.shows("The report was written to");
    std::fs::write(&path, "mine").expect("a file");
    write(&mut sitting);
    assert!(matches!(sitting.screen.form, Form::Prompt(_)), "it can be typed again");
    assert_eq!(std::fs::read(&path).expect("it is there"), b"mine");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_end_of_a_game_offers_its_analysis() {
    let board = format!("-OX{} X", "-".repeat(61));
    let game = Game::<Board>::from_position(board.parse().expect("a board"));
    let mut sitting = Sitting::with(game, [None, opponent("random", None)], None);
    sitting.type_keys("x");
    sitting.shows("There are no moves to analyze.");
    sitting.type_keys("a1");
    sitting.shows("Press a to analyze, n for a new game");
    sitting.type_keys("a");
    let number = order_to_analyze(&sitting).expect("it is analyzed");
    sitting.shows("Analysis, 0 of 1 move");
    click_footer(&mut sitting, "Space stop");
    assert_eq!(sitting.effects.last(), Some(&Effect::Stop { number }));
}

#[test]
fn the_wheel_goes_through_the_game_and_through_lists() {
    let game = transcript::parse::<Board>("f5f6e6f4g5").expect("a game");
    let mut sitting = Sitting::with(game, [None, None], None);
    sitting.happen(mouse(MouseEventKind::ScrollUp, 10, 10));
    sitting.happen(mouse(MouseEventKind::ScrollUp, 10, 10));
    assert_eq!(sitting.moves(), "f5f6e6");
    sitting.happen(mouse(MouseEventKind::ScrollDown, 10, 10));
    assert_eq!(sitting.moves(), "f5f6e6f4");
    sitting.type_keys("o");
    let before = sitting.picture();
    sitting.happen(mouse(MouseEventKind::ScrollDown, 10, 10));
    assert_ne!(sitting.picture(), before, "another player is chosen");
    assert_eq!(sitting.moves(), "f5f6e6f4");
}

#[test]
fn every_key_of_the_footer_can_be_clicked() {
    for size in [(80, 24), (66, 16), (140, 50)] {
        let mut sitting = eight();
        sitting.happen(Input::Resize(size.0, size.1));
        click_footer(&mut sitting, "? help");
        assert!(matches!(sitting.screen.form, Form::Help(_)), "{size:?}");
        sitting.press(KeyCode::Esc);
        click_footer(&mut sitting, "n new");
        assert!(matches!(sitting.screen.form, Form::NewGame(_)));
        sitting.press(KeyCode::Esc);
        click_footer(&mut sitting, "hints");
        assert!(sitting.screen.view.shows_hints, "the word belongs to its key");
        sitting.type_keys("p");
        click_footer(&mut sitting, "Esc back");
        assert!(matches!(sitting.screen.form, Form::Game));
        click_footer(&mut sitting, "q quit");
        assert_eq!(sitting.wishes, [Wish::Leave]);
        // Below a box there is nothing to be clicked.
        sitting.type_keys("n");
        sitting.happen(mouse(MouseEventKind::Down(MouseButton::Left), 3, size.1 - 1));
        assert!(matches!(sitting.screen.form, Form::NewGame(_)));
    }
}

#[test]
fn the_level_and_the_number_of_hints_are_chosen_by_keys() {
    let mut sitting = eight();
    sitting.type_keys("v");
    // The four first moves are the same by symmetry.
    sitting.shows("  d3 (c4 f5 e6)");
    sitting.type_keys("f51");
    sitting.shows("Hints: level 16, 1 line listed.");
    let lines = |sitting: &Sitting<Board>| {
        let picture = sitting.picture();
        let rows = picture.lines().skip_while(|row| !row.contains("Hints ")).skip(1);
        let panel = rows.map(|row| row.chars().skip(43).collect::<String>());
        panel.take_while(|row| !row.contains("Moves")).filter(|row| row.trim_start().starts_with(['+', '-'])).count()
    };
    assert_eq!(lines(&sitting), 1, "{}", sitting.picture());
    sitting.type_keys("4");
    assert_eq!(lines(&sitting), 4, "{}", sitting.picture());
    sitting.type_keys("**/");
    sitting.shows("Hints: level 17, 4 lines listed.");
    assert_eq!(sitting.screen.view.hint_settings, HintSettings { level: 17, lines: 4 });
    // A digit behind a letter is still a square.
    sitting.type_keys("e3");
    assert!(sitting.moves().starts_with("f5f4e3"), "{}", sitting.moves());
}

#[test]
fn the_pace_of_two_engines_is_changed_by_a_key_and_space_pauses_them() {
    let seats = [opponent("random", None), opponent("random", None)];
    let mut sitting = Sitting::<Board>::with(Game::new(), seats, None);
    assert!(sitting.session.is_over(), "they play without a pause");
    sitting.type_keys("tt");
    sitting.shows("Pause between engine moves: 1 s.");
    sitting.type_keys("n\n");
    assert_eq!(sitting.screen.view.move_count, 1);
    sitting.shows("is thinking");
    sitting.now = Duration::from_secs(2);
    sitting.tick();
    assert_eq!(sitting.screen.view.move_count, 2);
    sitting.type_keys(" ");
    sitting.now = Duration::from_secs(9);
    sitting.tick();
    assert_eq!(sitting.screen.view.move_count, 2);
    sitting.shows("is waiting: Space lets it play.");
    sitting.type_keys("ttt");
    sitting.shows("Pause between engine moves: none.");
}

#[test]
fn in_a_large_window_discs_are_large_and_squares_are_clicked_anywhere() {
    let mut sitting = eight();
    sitting.happen(Input::Resize(100, 30));
    let picture = sitting.picture();
    assert_eq!(picture.matches("▄███▄").count(), 2, "two black discs\n{picture}");
    assert_eq!(picture.matches("▄█▀█▄").count(), 2, "two white ones\n{picture}");
    let plain = drawn(&sitting.screen, Look::PLAIN);
    assert_eq!((plain.matches("XXXXX").count(), plain.matches("OOOOO").count()), (2, 2), "{plain}");
    let layout = Layout::new(Board::GEOMETRY, (100, 30)).expect("it fits");
    let area = layout.square("f5".parse().expect("a square"));
    sitting.happen(mouse(MouseEventKind::Down(MouseButton::Left), area.right() - 1, area.bottom() - 1));
    assert_eq!(sitting.moves(), "f5f4");
    // The last move is marked beside its disc.
    let picture = sitting.picture();
    assert!(picture.contains("(█   █)"), "{picture}");
}

#[test]
fn while_a_loaded_game_is_looked_at_the_panel_has_the_names_and_times_of_its_record() {
    let folder = std::env::temp_dir().join(format!("emilia-names-{}-loaded", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("game.ggf");
    let board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    let text = format!("(;GM[Othello]PB[Rose]PW[Tamenori]TI[05:00]BO[{board}]B[F5//2.5]W[D6/-1.25/7];)");
    std::fs::write(&path, text).expect("a file");
    let control = Some(GameClock::new(Duration::from_secs(10)));
    let mut sitting = Sitting::<Board>::with(Game::new(), [None, opponent("random", None)], control);
    sitting.type_keys(&format!("l{}\n", path.display()));
    sitting.now = Duration::from_secs(1000);
    sitting.tick();
    sitting.shows("8x8 board, move 2 of 2, clocks stopped");
    sitting.shows("Black  3  Rose");
    sitting.shows("White  3  Tamenori");
    sitting.shows("d6: -1.25 for White, 7.0 s");
    assert!(!sitting.picture().contains("run out of time"), "{}", sitting.picture());
    sitting.type_keys("c4");
    sitting.shows("you");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn lines_of_moves_are_never_cut_in_the_middle_of_a_move() {
    let mut sitting = eight();
    sitting.is_slow = true;
    sitting.type_keys("f5");
    let (number, ..) = sitting.asked.clone().expect("a question");
    let line: Vec<Square> = "d6c3d3c4f4f6f3e6e7d7g6e2c5"
        .as_bytes()
        .chunks(2)
        .map(|name| std::str::from_utf8(name).expect("text").parse().expect("a square"))
        .collect();
    let progress = Progress { depth: 9, selectivity: 73, line: line.clone(), ..Progress::default() };
    sitting.take(number, Reply::Thought { progress: progress.into() });
    for width in 66..110 {
        sitting.happen(Input::Resize(width, 24));
        let picture = sitting.picture();
        let shown = picture.lines().find_map(|row| Some(row[row.find("  d6 c3")?..].to_owned())).expect("the line");
        let all: Vec<_> = line.iter().map(Square::to_string).collect();
        let shown: Vec<_> = shown.split_whitespace().collect();
        assert_eq!(shown, all[..shown.len()], "{width} columns");
    }
}
