//! Whole games at the screen: keys go in, effects are carried out immediately, and the picture is read.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::{Choice, GameClock, Level, Limits, Progress, Stop};
use othello::random::Random;
use othello::{Board, CutBoard, Game, Position, Rules, SmallBoard, Square, SquareSet};
use players::{PlayerOptions, Registry, SearchOptions};
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use records::transcript;
use report::look::Look;
use session::{
    BoardWorkbench, Catalogue, Effect, Event, FileResult, HintSettings, Opponent, Order, OrderNumber, Reply, Resources,
    Seating, Session, Start, StudiedBoard,
};

use crate::files;
use crate::full_screen::drawing::layout::{Layout, needed};
use crate::full_screen::drawing::{cells, drawn};
use crate::full_screen::opponent_choice::{OTHER_COLOR, OpponentChoice};
use crate::full_screen::prompt::FormResult;
use crate::full_screen::screen::{Form, Screen, ScreenRequest};
use crate::full_screen::terminal::Input;
use crate::{EffectResult, file_answer};

mod dialogs;

/// A look without color, with discs.
pub(super) const PLAIN_DISCS: Look = Look { color: false, true_color: false, unicode: true };

/// A session and its window, whose orders are carried out as they come. The engine plays the first legal move, or keeps
/// thinking.
pub(super) struct TestGame<B: StudiedBoard> {
    pub session: Session<B>,
    pub screen: Screen,
    pub now: Duration,
    /// Whether the engine answers only on demand.
    pub is_slow: bool,
    /// The question that the engine is thinking about.
    pub asked: Option<(OrderNumber, Game<B>, Limits)>,
    /// Every other effect.
    pub effects: Vec<Effect<B>>,
    /// Every request that is not for the session.
    pub requests: Vec<ScreenRequest>,
    pub advice_level: u32,
}

pub(super) fn registry() -> Arc<Registry> {
    Arc::clone(classics::registry())
}

/// Keys besides letters; dialogs name them as Rust does.
fn keys() -> Vec<KeyCode> {
    use KeyCode::*;
    let editing = [Enter, Esc, Tab, BackTab, Backspace, Delete, Insert];
    let others = [Left, Right, Up, Down, Home, End, PageUp, PageDown, F(1), F(5)];
    editing.into_iter().chain(others).collect()
}

fn options() -> PlayerOptions {
    let search = SearchOptions { hash: 1, ..SearchOptions::default() };
    PlayerOptions { seed: 1, search, ..PlayerOptions::default() }
}

pub(super) fn seating(text: &str) -> Seating {
    Seating::new(text.parse().expect("a player"), None)
}

pub(super) fn opponent(text: &str, level: Option<u32>) -> Option<Opponent> {
    let Seating { notation, .. } = seating(text);
    Some(Opponent::new(notation, text.to_owned(), level.map(Level::clamped), false))
}

impl<B: StudiedBoard> TestGame<B> {
    /// The person has Black against an engine.
    pub(super) fn new() -> Self {
        Self::with(Game::default(), [None, opponent("random", None)], None)
    }

    pub(super) fn with(game: Game<B>, seats: [Option<Opponent>; 2], control: Option<GameClock>) -> Self {
        let spare = seating("random");
        let (hints, pace) = (HintSettings::default(), Duration::ZERO);
        let (registry, date, resumed) = (registry(), None, None);
        let catalogue = Catalogue::of::<B>(&registry);
        let ponders = false;
        let start = Start { registry, game, seats, control, ponders, spare, seed: 0, date, hints, pace, resumed };
        let session = Session::new(start);
        let screen = Screen::new(B::GEOMETRY, catalogue, session.view(), (80, 24));
        let mut test = Self {
            session,
            screen,
            now: Duration::ZERO,
            is_slow: false,
            asked: None,
            effects: Vec::new(),
            requests: Vec::new(),
            advice_level: 1,
        };
        test.tick();
        test
    }

    /// Handles input from the terminal, and carries out the orders that follow.
    pub(super) fn happen(&mut self, input: Input) {
        match self.screen.handle(input) {
            None => {}
            Some(ScreenRequest::Event(event)) => self.handle(event),
            Some(ScreenRequest::Complete(text)) => self.screen.completed(files::beginning_with(&text)),
            Some(request) => self.requests.push(request),
        }
        self.tick();
    }

    fn handle(&mut self, event: Event) {
        let effects = self.session.handle(event, self.now);
        self.carry_out(effects);
    }

    pub(super) fn tick(&mut self) {
        self.handle(Event::Tick);
    }

    /// Passes a reply to an order to the session.
    pub(super) fn take(&mut self, number: OrderNumber, reply: Reply<B>) {
        self.take_answer(EffectResult::Reply(number, reply));
    }

    /// Passes the result of an effect to the session.
    pub(super) fn take_answer(&mut self, answer: EffectResult<B>) {
        let effects = answer.apply(&mut self.session, self.now);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect<B>>) {
        self.screen.show(self.session.view());
        let mut answers: VecDeque<_> = effects.into_iter().flat_map(|effect| self.answers(effect)).collect();
        while let Some(answer) = answers.pop_front() {
            let effects = answer.apply(&mut self.session, self.now);
            self.screen.show(self.session.view());
            answers.extend(effects.into_iter().flat_map(|effect| self.answers(effect)));
        }
    }

    fn answers(&mut self, effect: Effect<B>) -> Vec<EffectResult<B>> {
        match effect {
            Effect::Start { number, order: Order::Think { game, limits, .. } } => {
                self.asked = Some((number, game.game().expect("legal moves"), limits));
                if self.is_slow { Vec::new() } else { self.choice().into_iter().collect() }
            }
            Effect::Start { number, order: Order::Advise { game, .. } } => {
                let mut replies = Vec::new();
                let mut observer =
                    |progress: &Progress| replies.push(Reply::Thought { progress: progress.clone().into() });
                let mut adviser = registry()
                    .strongest_player_with::<B>(&options(), players::SharedResources::default())
                    .expect("an adviser");
                let (game, limits) = (game.game().expect("legal moves"), Limits::of_level(self.advice_level));
                adviser.value_moves(&game, usize::MAX, &limits, &mut observer, &Stop::new()).expect("advice");
                replies.push(Reply::Done);
                replies.into_iter().map(|reply| EffectResult::Reply(number, reply)).collect()
            }
            Effect::Start { number, order: order @ Order::Seat { .. } } => {
                let resources = Resources { options: options(), ..Resources::new(registry()) };
                let mut replies = Vec::new();
                BoardWorkbench::new(resources).carry_out(order, &Stop::new(), &mut |reply| {
                    replies.push(EffectResult::Reply(number, reply));
                });
                replies
            }
            Effect::Save { .. } | Effect::WriteReport { .. } | Effect::Load { .. } => {
                file_answer(effect).into_iter().collect()
            }
            effect => {
                self.effects.push(effect);
                Vec::new()
            }
        }
    }

    /// The engine's answer to the last question.
    fn choice(&mut self) -> Option<EffectResult<B>> {
        let (number, game, _) = self.asked.take()?;
        let square = game.position().board.moves().first()?;
        Some(EffectResult::Reply(number, Reply::Chosen { choice: Choice::of(square).into() }))
    }

    pub(super) fn press(&mut self, key: KeyCode) {
        self.happen(Input::Key(key.into()));
    }

    /// Types letters; a line break is Enter, and the control characters of Escape and Ctrl-U are these.
    pub(super) fn type_keys(&mut self, keys: &str) {
        for letter in keys.chars() {
            self.happen(Input::Key(match letter {
                '\n' => KeyCode::Enter.into(),
                '\u{1b}' => KeyCode::Esc.into(),
                '\u{15}' => KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL),
                letter => KeyCode::Char(letter).into(),
            }));
        }
    }

    pub(super) fn picture(&self) -> String {
        drawn(&self.screen, PLAIN_DISCS)
    }

    #[track_caller]
    fn shows(&self, words: &str) {
        let picture = self.picture();
        assert!(has_words(&picture, words), "{words:?} is not in\n{picture}");
    }

    fn moves(&self) -> String {
        report::words::names::<B>(&self.session.game().moves())
    }
}

/// Whether a picture has these words, which may be broken between lines, and between a box and its border.
pub(super) fn has_words(picture: &str, words: &str) -> bool {
    let flat = picture.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
    picture.contains(words) || flat.contains(words)
}

/// Plays to the end by Enter on the squares that the cursor goes to.
fn plays_to_the_end<B: StudiedBoard>() {
    let mut test = TestGame::<B>::new();
    for _ in 0..B::GEOMETRY.area() {
        if test.session.is_over() {
            break;
        }
        assert!(test.screen.view.can.play);
        test.press(KeyCode::Enter);
    }
    let game = test.session.game().clone();
    assert!(game.is_over());
    // The same moves by the rules alone.
    let again = Game::from_moves(Position::<B>::start(), game.moves()).expect("legal moves");
    assert_eq!(again.score(), game.score());
    test.shows(if game.score() == Some(othello::Score::DRAW) { "The game is drawn" } else { " wins " });
    test.shows("n for a new game");
}

#[test]
fn a_whole_game_is_played_by_keys_on_every_board() {
    othello::on_every_board!(plays_to_the_end);
}

#[test]
fn clocks_stand_below_each_other_whatever_the_names() {
    for name in ["Ann", "村上健", "為則英司為則英司為則英司為則英司", "Z\u{30c}ofie"] {
        let Some(engine) = opponent("random", None) else { panic!("an engine") };
        let engine = Some(Opponent::new(engine.notation, name.to_owned(), None, false));
        let minute = Some(GameClock::new(Duration::from_secs(60)));
        let test = TestGame::<Board>::with(Game::default(), [None, engine], minute);
        let cells = cells(&test.screen, PLAIN_DISCS);
        let row = |y| (0..80).map(|x| cells[(x, y)].symbol()).collect::<Vec<_>>();
        let (black, white) = (row(1), row(2));
        let end = |row: &[&str]| row.iter().rposition(|symbol| *symbol != " ").expect("a clock");
        assert_eq!(end(&black), end(&white), "{name}: {white:?}");
        let clock: String = white[end(&white) - 3..=end(&white)].concat();
        assert!(clock.ends_with(&black[end(&black) - 3..=end(&black)].concat()), "{name}: {white:?}");
    }
}

#[test]
fn moves_are_numbered_without_passes() {
    let seats = [opponent("minimum-disc", None), opponent("maximum-disc", None)];
    let test = (0..).find_map(|seed| {
        let (mut game, mut random) = (Game::<Board>::new(), Random::new(seed));
        while !game.is_over() {
            let moves: Vec<_> = othello::squares(game.position().board.moves()).collect();
            game.play(moves[random.below(moves.len())]).expect("legal");
        }
        let has_early_pass = game.plies()[..40].iter().any(|ply| ply.square.is_none());
        has_early_pass.then(|| TestGame::<Board>::with(game, seats.clone(), None))
    });
    let test = test.expect("some game has a pass");
    let game = test.session.game();
    let picture = test.picture();
    let mut numbered = 0;
    for row in picture.lines().skip_while(|line| !line.contains("Moves")).skip(1) {
        let row: String = row.chars().skip(44).collect();
        let mut words = row.split_whitespace().map(|word| word.trim_matches(['[', ']']));
        let Some(number) = words.next().and_then(|word| word.parse::<usize>().ok()) else { break };
        let first = words.find(|word| *word != "--").expect("a move");
        assert_eq!(game.moves()[number - 1].to_string(), first, "{picture}");
        numbered += 1;
    }
    assert!(numbered > 3, "{picture}");
}

#[test]
fn the_help_is_whole_in_every_window_and_scrolls_no_farther_than_its_end() {
    let words = [
        "Place a disc",
        "winner.",
        "new game: side, clock, board",
        "load a game or an opening",
        "[ ] is the cursor and ( ) the last move.",
        "* marks",
        "16@73%",
        "?? 10+.",
    ];
    for (width, height) in [(80, 24), (79, 24), (66, 16), (120, 50)] {
        let mut test = TestGame::<Board>::new();
        test.happen(Input::Resize(width, height));
        test.type_keys("?");
        let mut seen = test.picture();
        let mut last = test.picture();
        let scrolls = last.contains("arrows scroll   any other key: back to the game");
        assert!(scrolls || last.contains("any key: back to the game"), "{last}");
        for _ in 0..if scrolls { 60 } else { 0 } {
            test.press(KeyCode::Down);
            last = test.picture();
            seen += &last;
        }
        for words in words {
            assert!(seen.contains(words), "{words:?} is not in the help of {width} columns:\n{seen}");
        }
        if scrolls {
            for key in [KeyCode::Right, KeyCode::Left, KeyCode::End] {
                test.press(key);
                assert_eq!(test.picture(), last, "{key:?} does not go back");
            }
            test.press(KeyCode::Up);
            assert_ne!(test.picture(), last, "one line up is seen at once");
            test.press(KeyCode::Esc);
        } else {
            test.press(KeyCode::Down);
        }
        assert!(matches!(test.screen.form, Form::Game));
    }
}

#[test]
fn games_are_saved_and_loaded_in_every_format() {
    let folder = folder_of("formats");
    let mut test = TestGame::<Board>::new();
    test.type_keys("f5\n\n");
    let (moves, position) = (test.moves(), test.session.game().position());
    test.type_keys("<");
    for name in ["game.txt", "game.ggf", "game.sgf", "game.wtb", "game.obf"] {
        let path = folder.join(name).display().to_string();
        assert!(!test.screen.view.is_thinking);
        let is_position = name.ends_with("obf");
        if is_position {
            test.press(KeyCode::End);
        }
        test.type_keys(&format!("s\u{15}{path}\n"));
        test.shows("Saved as");
        let mut other = TestGame::<Board>::new();
        other.type_keys("l");
        other.happen(Input::Paste(path));
        other.type_keys("\n");
        assert_eq!(other.session.game().position(), position, "{name}");
        assert_eq!(other.moves(), if is_position { "" } else { &moves }, "{name}");
        // An existing file is overwritten only if the person agrees.
        test.type_keys("s\n");
        test.shows("already exist");
        test.type_keys("n");
        test.shows("Nothing was written.");
        test.type_keys("s\ny");
        test.shows("Saved as");
    }
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

/// A folder of this test alone.
fn folder_of(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("emilia-screen-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn a_file_of_the_name_of_an_opening_comes_before_the_opening() {
    let folder = folder_of("opening");
    std::fs::write(folder.join("tiger"), "f5f6\n").expect("a file");
    let FileResult::Loaded(found) = files::load::<Board>(&folder.join("tiger"), 1) else { panic!("a game") };
    assert_eq!(found.record.game.line().len(), 2);
    std::fs::remove_dir_all(folder).expect("the folder can be removed");
}

#[test]
fn a_pasted_text_is_no_longer_than_a_typed_one_and_breaks_no_line() {
    let mut test = TestGame::<Board>::new();
    test.happen(Input::Paste(format!("f5\n\u{1b}[2J{}", "d6".repeat(9000))));
    let Form::Prompt(prompt) = &test.screen.form else { panic!("the prompt is open") };
    let text = prompt.line.text();
    assert_eq!(text.chars().count(), 4096);
    assert!(!text.contains(|symbol: char| symbol.is_control() && symbol != '\n'));
    assert!(!prompt.line.parts().0.contains(char::is_control));
}

#[test]
fn the_question_about_a_file_is_seen_however_long_its_path_is() {
    let mut test = TestGame::<Board>::new();
    let path = PathBuf::from(format!("/games/{}/final.sgf", "far/".repeat(99)));
    for (width, height) in [(80, 24), (66, 16)] {
        test.happen(Input::Resize(width, height));
        let result = FileResult::Exists { there: vec![path.clone()], is_report: false };
        test.take_answer(EffectResult::File(path.clone(), result));
        test.shows("/final.sgf already exists. Overwrite it?");
        test.shows("/games/far/");
    }
}

#[test]
fn lines_of_moves_are_never_cut_in_the_middle_of_a_move() {
    let mut test = TestGame::<Board>::new();
    test.is_slow = true;
    test.type_keys("f5");
    let (number, ..) = test.asked.clone().expect("a question");
    let game = transcript::parse::<Board>("f5d6c3d3c4f4f6f3e6e7d7g6e2c5").expect("legal moves");
    let line = game.moves()[1..].to_vec();
    let progress = Progress { depth: 9, selectivity: 73, line: line.clone(), ..Progress::default() };
    test.take(number, Reply::Thought { progress: progress.into() });
    for width in 66..110 {
        test.happen(Input::Resize(width, 24));
        let picture = test.picture();
        let shown = picture.lines().find_map(|row| Some(row[row.find("  d6 c3")?..].to_owned())).expect("the line");
        let all: Vec<_> = line.iter().map(Square::to_string).collect();
        let shown: Vec<_> = shown.split_whitespace().collect();
        assert_eq!(shown, all[..shown.len()], "{width} columns");
    }
}

fn choice<B: StudiedBoard>(test: &TestGame<B>) -> &OpponentChoice {
    let Form::Opponent(choice) = &test.screen.form else { panic!("the choice of an opponent is open") };
    choice
}

/// The player, with its level, that Enter would choose.
fn chosen<B: StudiedBoard>(test: &TestGame<B>) -> String {
    match choice(test).clone().key(KeyCode::Enter.into()) {
        FormResult::Done(Event::Seat { player, level, .. }) => {
            let Seating { notation, level } = Seating::parse(&player, level).expect("a player");
            format!("{} {}", notation.text(), or_none(level))
        }
        FormResult::Done(Event::SeatPerson { .. }) => "person".to_owned(),
        other => panic!("{other:?}"),
    }
}

fn or_none(value: Option<impl ToString>) -> String {
    value.map_or("none".to_owned(), |value| value.to_string())
}

#[test]
fn every_player_of_the_board_can_be_chosen_by_arrows() {
    let mut test = TestGame::<CutBoard>::with(Game::default(), [None, None], None);
    test.type_keys("o");
    assert_eq!(chosen(&test), "person");
    for entry in registry().entries::<CutBoard>() {
        test.press(KeyCode::Down);
        assert_eq!(chosen(&test), format!("{} none", entry.name));
    }
    test.press(KeyCode::Home);
    assert_eq!(chosen(&test), "person");
}

#[test]
fn the_levels_stay_while_a_setting_is_half_typed() {
    let seats = [None, opponent("emilia", Some(12))];
    let mut test = TestGame::<Board>::with(Game::default(), seats, None);
    test.type_keys("o");
    let levels = choice(&test).levels.clone();
    for symbol in "@level=".chars() {
        test.type_keys(&symbol.to_string());
        let choice = choice(&test);
        assert!(choice.is_emilia() && choice.levels == levels, "{choice:?}");
        assert_eq!(choice.chosen_level(), Level::new(12).ok());
    }
}

#[test]
fn no_name_of_a_player_begins_with_the_key_of_the_other_color() {
    let registry = registry();
    let names = registry.entries::<Board>().iter().map(|entry| entry.name);
    let names: Vec<_> = names.chain(registry.entries::<CutBoard>().iter().map(|entry| entry.name)).collect();
    assert!(names.iter().all(|name| !name.starts_with(OTHER_COLOR)), "{names:?}");
}

/// Any key that a person may press, those that do something more often.
fn any_key() -> impl Strategy<Value = KeyEvent> {
    let letters = prop::sample::select("abcdefgh12345678urvmwnopslq?<>+-=*/ @:,.#xytzXYé".chars().collect::<Vec<_>>());
    let others = prop::sample::select(keys());
    let code = prop_oneof![3 => letters.prop_map(KeyCode::Char), 2 => others];
    (code, prop::bool::weighted(0.05)).prop_map(|(code, control)| {
        KeyEvent::new(code, if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE })
    })
}

fn survives<B: StudiedBoard>(keys: &[KeyEvent], sizes: &[(u16, u16)]) {
    let mut test = TestGame::<B>::new();
    for (index, &key) in keys.iter().enumerate() {
        // Nothing is written by chance.
        if matches!(&test.screen.form, Form::Prompt(_)) && key.code == KeyCode::Enter {
            continue;
        }
        test.happen(Input::Key(key));
        if index % 8 == 0 {
            let (width, height) = sizes[index / 8 % sizes.len()];
            test.happen(Input::Resize(width, height));
            test.picture();
        }
    }
    let game = test.session.game();
    let again = Game::from_moves(game.start(), game.moves()).expect("only legal moves were played");
    assert_eq!(again.position(), game.position());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_keys_in_no_window_break_the_screen_or_the_rules(
        keys in prop::collection::vec(any_key(), 1..150),
        sizes in prop::collection::vec((1u16..140, 1u16..50), 1..8),
    ) {
        survives::<Board>(&keys, &sizes);
        survives::<SmallBoard<4>>(&keys, &sizes);
        survives::<CutBoard>(&keys, &sizes);
    }
}
