//! The pictures of the screen in `docs/screens`, README.md and docs/screen.md: drawn here, and compared with the screens of the program.
//!
//! `EMILIA_WRITE_SCREENS=1 cargo test -p terminal screens` draws them again.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use engine::analysis::judge_moves;
use engine::{Emilia, Limits, Options, Player, Progress, Stop};
use othello::{Board, Game};
use players::analysts::AnalystChoice;
use ratatui::crossterm::event::KeyCode;
use records::transcript;
use report::look::Look;
use session::{Effect, Order, Reply};

use crate::{EffectResult, files};

use crate::full_screen::book::tests::{Walk, likely_lines};
use crate::full_screen::drawing::cells;
use crate::full_screen::pictures;
use crate::full_screen::tests::{TestGame, opponent, registry};

/// When this is set, the pictures are written instead of compared.
const WRITE: &str = "EMILIA_WRITE_SCREENS";

/// The opening of the pictures, with the person to move for Black.
const OPENING: &str = "f5d6c3d3c4f4f6f3e6e7d7g6";

/// A game in its twelfth move against Emilia, which has thought about the last one, with hints on the board.
fn game() -> TestGame<Board> {
    let game = transcript::parse::<Board>(OPENING).expect("an opening");
    let mut before = Game::from_moves(game.start(), game.moves().into_iter().take(10)).expect("legal moves");
    let mut test = TestGame::with(before.clone(), [None, opponent("emilia", Some(8))], None);
    test.advice_level = 8;
    test.is_slow = true;
    test.now = Duration::from_secs(48);
    test.type_keys(&OPENING[20..22]);
    before.play(OPENING[20..22].parse().expect("a square")).expect("legal");
    test.now = Duration::from_secs(50);
    let (number, _, limits) = test.asked.clone().expect("it is Emilia's turn");
    let mut emilia =
        Emilia::<Board>::new(&Options { table_megabytes: 1, ..Options::default() }).expect("a small table");
    let mut reports = Vec::new();
    let mut observer = |progress: &Progress| reports.push(progress.clone());
    let limits = Limits { clock: None, ..limits };
    let mut choice = emilia.choose(&before, &limits, &mut observer, &Stop::new()).expect("a move");
    // The only thing that differs from day to day.
    choice.time = Duration::from_millis(100);
    if let Some(progress) = reports.pop() {
        let progress = Progress { time: choice.time, ..progress };
        test.take(number, Reply::Thought { progress: progress.into() });
    }
    test.take(number, Reply::Chosen { choice: choice.into() });
    test.now = Duration::from_secs(53);
    test
}

fn with_keys(keys: &[KeyCode]) -> TestGame<Board> {
    let mut test = game();
    for &key in keys {
        test.press(key);
    }
    test
}

/// The game with the values of all moves on the board.
fn with_hints() -> TestGame<Board> {
    let hints = [&[KeyCode::Char('v')][..], &[KeyCode::Char('/'); 8], &[KeyCode::Esc]].concat();
    with_keys(&hints)
}

/// The analysis of a loaded game at one of its mistakes.
fn analysis() -> TestGame<Board> {
    let mut test = TestGame::new();
    let path = workspace().join("data/games/iago-paper.ggf");
    let result = files::load(&path, 1);
    test.take_answer(EffectResult::File(path, result));
    test.press(KeyCode::Char('x'));
    let order = test.effects.iter().find_map(|effect| match effect {
        Effect::Start { number, order: Order::Analyze { game, .. } } => Some((*number, game.game().expect("legal"))),
        _ => None,
    });
    let (number, game) = order.expect("an analysis was ordered");
    // Enough for a picture.
    let choice = AnalystChoice { notation: None, limits: Limits::of_level(6), exact_from: Some(12), hash: 1 };
    let mut analyst = choice.analyst::<Board>(&registry()).expect("an analyst");
    let moves = 0..game.line().len();
    for judged in judge_moves(&mut *analyst, &game, moves, &Stop::new()).expect("every move is judged") {
        test.take(number, Reply::Judged { judged: Box::new(judged.into()) });
    }
    test.take(number, Reply::Done);
    for _ in 0..3 {
        test.press(KeyCode::Up);
    }
    test
}

fn screens() -> [(&'static str, String); 6] {
    [
        ("game", with_hints().picture()),
        ("analysis", analysis().picture()),
        ("opponent", with_keys(&[KeyCode::Char('o'), KeyCode::Right]).picture()),
        ("set-up", with_keys(&[KeyCode::Char('p')]).picture()),
        ("help", with_keys(&[KeyCode::Char('?')]).picture()),
        ("book", Walk::new(&likely_lines(150), "f5").picture()),
    ]
}

/// The picture of README.md: the game with hints, in color.
const PICTURE: &str = "docs/screen.svg";

fn picture() -> String {
    let look = Look { color: true, true_color: true, unicode: true };
    let cells = cells(&with_hints().screen, look);
    pictures::svg(&cells, "emilia play: a game against level 8 in the terminal, with hints")
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages that show screens, if they exist.
const PAGES: [&str; 2] = ["README.md", "docs/screen.md"];

fn mark(name: &str) -> String {
    format!("<!-- screen: {name} -->\n```text\n")
}

/// The text with the block after each mark `<!-- screen: NAME -->` replaced by its screen.
fn with_screens(text: &str, screens: &[(&str, String)]) -> String {
    let mut text = text.to_owned();
    for (name, picture) in screens {
        let mark = mark(name);
        let Some(start) = text.find(&mark).map(|start| start + mark.len()) else { continue };
        let end = start + text[start..].find("```").expect("the block ends");
        text.replace_range(start..end, picture);
    }
    text
}

#[test]
fn the_screens_of_the_documentation_are_those_that_the_program_draws() {
    let screens = screens();
    let folder = workspace().join("docs/screens");
    let pages: Vec<_> = PAGES
        .into_iter()
        .map(|page| workspace().join(page))
        .filter_map(|page| fs::read_to_string(&page).ok().map(|text| (page, text)))
        .collect();
    for (name, _) in &screens {
        let is_shown = pages.iter().any(|(_, text)| text.contains(&mark(name)));
        assert!(is_shown, "none of {} has a mark for the screen {name}", PAGES.join(", "));
    }
    if env::var_os(WRITE).is_some() {
        fs::create_dir_all(&folder).expect("the folder can be made");
        for (name, picture) in &screens {
            fs::write(folder.join(format!("{name}.txt")), picture).expect("the picture can be written");
        }
        fs::write(workspace().join(PICTURE), picture()).expect("the picture can be written");
        for (page, text) in pages {
            fs::write(&page, with_screens(&text, &screens)).expect("the page can be written");
        }
        return;
    }
    for (name, picture) in &screens {
        let kept = fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap_or_default();
        assert_eq!(
            kept, *picture,
            "docs/screens/{name}.txt is outdated; {WRITE}=1 cargo test -p terminal screens updates it"
        );
    }
    let kept = fs::read_to_string(workspace().join(PICTURE)).unwrap_or_default();
    assert!(kept == picture(), "{PICTURE} is outdated; {WRITE}=1 cargo test -p terminal screens updates it");
    for (page, text) in pages {
        let page = page.display();
        assert_eq!(
            text,
            with_screens(&text, &screens),
            "{page} is outdated; {WRITE}=1 cargo test -p terminal screens updates it"
        );
    }
}

#[test]
fn a_screen_is_replaced_wherever_its_mark_is_and_nothing_else_changes() {
    let screens = [("game", "new\n".to_owned()), ("help", "more\n".to_owned())];
    let page = format!("Text\n{}old\n```\nmore text\n", mark("help"));
    assert_eq!(with_screens(&page, &screens), format!("Text\n{}more\n```\nmore text\n", mark("help")));
    assert_eq!(with_screens("no screen", &screens), "no screen");
}
