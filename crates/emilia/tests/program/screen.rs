//! `emilia play` on the whole screen, in a real terminal.

use std::process::Command;

use crate::run::{Folder, count, text};
use crate::tmux::{Tmux, flat};

/// The number behind a word on the screen.
fn number_after(screen: &str, word: &str) -> Option<u32> {
    let flat = flat(screen);
    let rest = &flat[flat.find(word)? + word.len()..];
    rest.trim_start().split(|symbol: char| !symbol.is_ascii_digit()).next()?.parse().ok()
}

/// The legal move that the screen gives as an example.
fn example(screen: &str) -> Option<String> {
    let flat = flat(screen);
    let rest = flat.split("type a square such as ").nth(1)?;
    Some(rest.split(',').next()?.to_owned())
}

fn is_over(screen: &str) -> bool {
    flat(screen).contains("n for a new game")
}

/// Plays to the end, by names of squares and by Enter in turn.
fn play_to_the_end(tmux: &Tmux) {
    let mut played = 0;
    for turn in 0.. {
        let screen = tmux.wait_until("a turn, or the end", |screen| {
            is_over(screen) || example(screen).is_some() && number_after(screen, "board, move") >= Some(played)
        });
        if is_over(&screen) {
            return;
        }
        played = number_after(&screen, "board, move").expect("the title says it") + 1;
        match example(&screen).filter(|_| turn % 2 == 0) {
            Some(square) => tmux.type_text(&square),
            // The first Enter after a typed square is taken for its end.
            None => tmux.press(&["Enter", "Enter"]),
        }
    }
}

#[test]
fn the_clock_waits_for_the_first_key() {
    let Some(tmux) = Tmux::start() else { return };
    for options in ["--black", "--white"] {
        tmux.start_program("NO_COLOR=1", &format!("play --engine random --seed 1 --hash 1 --time 5m {options}"));
        let screen = tmux.wait("Your clock starts with the first key.");
        // However long the machine has taken until now, none of it was the person's time.
        let person = screen.lines().find(|line| line.contains("  you ")).expect("a seat");
        assert!(person.trim_end().ends_with("5:00"), "{options}: {screen}");
        tmux.press(&["Left"]);
        tmux.wait_until("a clock that runs", |screen| {
            screen.lines().any(|line| line.contains("  you ") && !line.trim_end().ends_with("5:00"))
        });
        tmux.press(&["C-c"]);
        tmux.wait_until("the shell", |screen| !screen.contains("u undo"));
    }
}

#[test]
fn a_whole_game_is_played_saved_loaded_taken_back_and_set_up_in_a_terminal() {
    let Some(tmux) = Tmux::start() else { return };
    let folder = Folder::new("screen_game");
    tmux.start_program("NO_COLOR=1", "play --engine random --seed 3 --hash 1");
    let screen = tmux.wait("Your move (Black)");
    assert!(screen.contains('●') && screen.contains('○') && screen.contains("Emilia   8x8 board, move 0"), "{screen}");

    tmux.press(&["?"]);
    tmux.wait("undo: take your move back");
    tmux.press(&["Escape"]);
    tmux.wait("u undo");

    play_to_the_end(&tmux);
    let screen = tmux.screen();
    assert!(screen.contains(" wins ") || screen.contains("drawn"), "{screen}");

    // What is saved is a whole game whose result the rules confirm.
    let path = folder.path("game.sgf");
    tmux.type_text("s");
    tmux.wait("Save the game as");
    tmux.type_text(&path);
    tmux.press(&["Enter"]);
    tmux.wait("Saved as");
    let shown = folder.row("show game.sgf");
    assert_eq!(shown["over"], true);
    let count = count(&shown["move_number"]);
    assert_eq!(number_after(&tmux.screen(), "board, move").map(u64::from), Some(count));

    tmux.type_text("u");
    let screen = tmux.wait("Your move (Black)");
    let before = number_after(&screen, "board, move").map(u64::from).expect("the title says it");
    assert!(before < count, "{screen}");
    tmux.press(&["Home"]);
    tmux.wait("board, move 0");
    tmux.type_text("v");
    tmux.wait_until("values on the board", |screen| screen.matches('*').count() == 4);
    tmux.type_text("v");
    tmux.press(&["End"]);
    tmux.wait(&format!("board, move {count}"));

    // A position that is set up by keys: White is wiped out by the next move.
    tmux.type_text("p");
    tmux.wait("put a black disc there");
    tmux.type_text("c");
    tmux.wait("Black 0");
    tmux.press(&["-N", "8", "Left"]);
    tmux.press(&["-N", "8", "Up"]);
    tmux.type_text("-wb");
    let board = format!("-OX{} X", "-".repeat(61));
    tmux.type_text("t");
    let screen = tmux.wait("Black 1");
    if !flat(&screen).contains(&board) {
        tmux.type_text("t");
        tmux.wait(&board);
    }
    tmux.press(&["Enter"]);
    tmux.wait("The position is set up.");
    tmux.type_text("a1");
    tmux.wait("Black wins 64-0; the 61 empty squares count for the winner.");

    tmux.type_text("l");
    tmux.wait("Load a game from");
    tmux.press(&["C-u"]);
    tmux.type_text(&path);
    tmux.press(&["Enter"]);
    tmux.wait(&format!("board, move {count}"));
    tmux.wait("you against random");

    tmux.type_text("q");
    tmux.is_restored(0);
}

#[test]
fn the_window_may_change_while_an_engine_thinks_and_ctrl_c_gives_the_terminal_back() {
    let Some(tmux) = Tmux::start() else { return };
    // A search at this level takes years.
    tmux.start_program("", "play --white --engine emilia@book=off --level 60 --hash 16");
    tmux.wait("(Black) is thinking");
    tmux.resize(40, 10);
    tmux.wait("40×10 is too small: the game needs at least 66×16; or use `--lines`.");
    tmux.resize(110, 40);
    tmux.wait_until("the board again", |screen| screen.contains('●') && flat(screen).contains("emilia 60 is thinking"));
    tmux.resize(80, 24);
    tmux.wait("m makes it move now");
    tmux.type_text(" ");
    tmux.wait("emilia 60 (Black) is waiting: Space lets it play.");
    tmux.type_text(" ");
    tmux.wait("is thinking");
    tmux.type_text("m");
    tmux.wait("Your move (White)");
    tmux.press(&["C-c"]);
    tmux.is_restored(0);
}

#[test]
fn ctrl_z_gives_the_terminal_to_the_shell_until_the_game_is_called_back() {
    let Some(tmux) = Tmux::start() else { return };
    tmux.start_program("", "play --engine random --seed 1 --hash 1");
    tmux.wait("Your move (Black)");
    tmux.type_text("f5");
    tmux.wait("board, move 2");
    tmux.press(&["C-z"]);
    // What the shell says of a program that SIGTSTP stopped.
    tmux.wait("code 148.");
    tmux.type_text("fg");
    tmux.press(&["Enter"]);
    tmux.wait("board, move 2");
    tmux.type_text("u");
    tmux.wait("board, move 0");
    tmux.press(&["C-c"]);
    tmux.is_restored(148);
}

/// Starts the program so that its number is known: the shell leaves its own behind and becomes the program.
fn start_to_be_killed(tmux: &Tmux, folder: &Folder, arguments: &str) {
    let (file, program) = (folder.path("process"), env!("CARGO_BIN_EXE_emilia"));
    tmux.type_text(&format!("clear; sh -c 'echo $$ > {file}; exec {program} {arguments}'; echo \"code $?.\""));
    tmux.press(&["Enter"]);
}

fn kill(folder: &Folder) {
    let process = folder.read("process");
    let status = Command::new("kill").args(["-TERM", process.trim()]).status().expect("kill runs");
    assert!(status.success());
}

#[test]
fn a_signal_leaves_the_moves_of_a_game_that_was_not_saved() {
    let Some(tmux) = Tmux::start() else { return };
    let folder = Folder::new("screen_signal_unsaved");
    start_to_be_killed(&tmux, &folder, "play --engine minimum-disc --seed 1 --hash 1");
    tmux.wait("Your move (Black)");
    tmux.type_text("f5");
    tmux.wait("board, move 2");
    tmux.wait("Your move (Black)");
    kill(&folder);
    tmux.wait("The game was not saved. Its moves: f5");
    tmux.is_restored(143);
}

#[test]
fn a_signal_ends_the_game_and_gives_the_terminal_back() {
    let Some(tmux) = Tmux::start() else { return };
    let folder = Folder::new("screen_signal");
    start_to_be_killed(&tmux, &folder, "play --white --engine emilia@book=off --level 60 --hash 16");
    tmux.wait("is thinking");
    kill(&folder);
    tmux.wait("interrupted");
    assert!(!tmux.screen().contains("not saved"), "{}", tmux.screen());
    tmux.is_restored(143);
}

#[test]
fn a_program_that_cannot_be_started_is_refused_when_it_is_chosen_and_another_opponent_is_chosen() {
    let Some(tmux) = Tmux::start() else { return };
    // At the start: before the terminal is taken.
    tmux.start_program("", "play --engine gtp:/no/such/program --hash 1");
    tmux.wait("/no/such/program");
    tmux.is_restored(1);
    tmux.start_program("", "play --engine random --seed 1 --hash 1");
    tmux.wait("Your move (Black)");
    tmux.type_text("o");
    tmux.wait("Who plays White");
    tmux.press(&["Tab", "Tab"]);
    tmux.press(&["C-u"]);
    tmux.type_text("gtp:/no/such/program");
    tmux.press(&["Enter"]);
    tmux.wait_until("a message in the form", |screen| {
        flat(screen).contains("Who plays White") && flat(screen).contains("cannot be started")
    });
    tmux.press(&["C-u"]);
    tmux.type_text("minimum-disc@seed=1");
    tmux.press(&["Enter"]);
    tmux.wait("minimum-disc now plays White.");
    tmux.type_text("f5");
    tmux.wait("minimum-disc played");
    // Another board, and its own players.
    tmux.type_text("n");
    tmux.wait("The moves of this game have not been saved.");
    tmux.press(&["Up"]);
    tmux.press(&["Down", "Down", "Left"]);
    tmux.wait("[cs221]");
    tmux.press(&["Enter"]);
    tmux.wait("Emilia cs221 board, move 0");
    tmux.type_text("q");
    tmux.is_restored(0);
}

#[test]
fn a_game_of_two_engines_is_watched_at_a_pace_analyzed_and_its_report_written() {
    let Some(tmux) = Tmux::start() else { return };
    let folder = Folder::new("screen_analysis");
    let players = "--engine random --against minimum-disc --board 4 --seed 3 --hash 1";
    tmux.start_program("NO_COLOR=1", &format!("play {players} --pace 60"));
    // The first move comes, and then nothing for a minute.
    tmux.wait("board, move 1");
    tmux.type_text("m");
    tmux.wait("board, move 2");
    tmux.type_text("ttt");
    tmux.wait("Press a to analyze, n for a new game");
    tmux.type_text("a");
    tmux.wait("The analysis is complete");
    tmux.type_text("r");
    tmux.wait("Write the report to");
    tmux.press(&["C-u"]);
    tmux.type_text(&folder.path("game.html"));
    tmux.press(&["Enter"]);
    tmux.wait("The report was written to");
    assert!(folder.read("game.html").contains("<svg"));
    tmux.press(&["Escape"]);
    tmux.wait("x analyze");
    tmux.press(&["C-c"]);
    tmux.is_restored(0);
}

#[test]
fn the_wheel_and_clicks_on_the_footer_work_in_a_terminal() {
    let Some(tmux) = Tmux::start() else { return };
    tmux.start_program("NO_COLOR=1", "play --engine random --seed 1 --hash 1");
    tmux.wait("Your move (Black)");
    tmux.type_text("f5");
    tmux.wait("board, move 2");
    tmux.wait("Your move (Black)");
    // As terminals report the mouse: button, column, row, from 1.
    let mouse = |button: u8, column: usize, row: u8| tmux.type_text(&format!("\u{1b}[<{button};{column};{row}M"));
    mouse(64, 10, 10);
    tmux.wait("move 1 of 2, clocks stopped");
    mouse(65, 10, 10);
    let screen = tmux.wait_until("the last position", |screen| !flat(screen).contains("clocks stopped"));
    let footer = screen.lines().nth(23).expect("24 rows");
    let column = footer.find("? help").expect("the key of the help") + 1;
    mouse(0, column, 24);
    tmux.wait("undo: take your move back");
    // Large squares and discs in a large window, without a word of the text being broken.
    tmux.press(&["Escape"]);
    tmux.resize(120, 42);
    tmux.wait_until("large discs", |screen| screen.contains("▄██▄"));
    tmux.press(&["C-c"]);
    tmux.is_restored(0);
}

#[test]
fn a_terminal_that_cannot_be_drawn_on_gets_lines_and_so_does_a_person_on_request() {
    let Some(tmux) = Tmux::start() else { return };
    for (environment, arguments) in [("TERM=dumb", "play --seed 1"), ("", "play --seed 1 --lines")] {
        tmux.start_program(environment, arguments);
        tmux.wait("Your move (Black):");
        tmux.type_text("quit");
        tmux.press(&["Enter"]);
        tmux.wait("Goodbye.");
        tmux.is_restored(0);
    }
}

#[test]
fn openings_show_their_progress_on_a_terminal() {
    let Some(tmux) = Tmux::start() else { return };
    tmux.start_program("", "openings --plies 12 --count 100000 > /dev/null");
    tmux.wait("of 100000");
    tmux.press(&["C-c"]);
}

#[test]
fn records_that_are_converted_to_a_terminal_cannot_control_it() {
    let Some(tmux) = Tmux::start() else { return };
    let folder = Folder::new("convert_terminal");
    let record = "(;GM[Othello]PB[A\u{1b}[2J\u{7}B\u{202e}C]PW[White]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)";
    let path = folder.write("game.ggf", record);
    tmux.start_program("", &format!("convert {path} - --to ggf"));
    let screen = tmux.wait("code 0.");
    // The sequence in the name of the player clears the screen of a terminal that gets it.
    assert!(flat(&screen).contains("(;GM[Othello]") && flat(&screen).contains("PW[White]"), "{screen}");
    assert!(!screen.contains('\u{202e}'), "{screen}");
}

#[test]
fn a_book_is_walked_through_in_a_terminal() {
    let folder = Folder::new("screen_book");
    let path = folder.path("my.book");
    folder.well("book build my.book --by expected-loss --positions 40 --depth 4");
    let shown = folder.row("book show my.book f5");
    let best = text(&shown["moves"][0]["move"]);
    folder.is_misused("book explore my.book", "needs a terminal; `emilia book show`");

    let Some(tmux) = Tmux::start() else { return };
    tmux.start_program("NO_COLOR=1", &format!("book explore {path}"));
    tmux.wait("my.book, 40 positions");
    tmux.wait("Black to move, 60 empty");
    tmux.press(&["Enter"]);
    let screen = tmux.wait("White to move, 59 empty");
    assert!(flat(&screen).contains(&format!("▸ {best} ")), "{best}\n{screen}");
    tmux.press(&["Right"]);
    tmux.wait(&format!("f5{best}"));
    tmux.press(&["BSpace"]);
    tmux.wait("White to move, 59 empty");
    tmux.resize(50, 10);
    tmux.wait("the book needs at least 64×18");
    tmux.resize(130, 45);
    tmux.wait("values for White");
    tmux.press(&["Home"]);
    tmux.wait("values for Black");
    tmux.type_text("?");
    tmux.wait("step out: take the last move back");
    tmux.type_text("qq");
    tmux.is_restored(0);

    tmux.start_program("", &format!("book explore {path} f5{best}"));
    // Not the moves, which are in the command as well.
    tmux.wait("Black to move, 58 empty");
    tmux.press(&["C-c"]);
    tmux.is_restored(0);
}
