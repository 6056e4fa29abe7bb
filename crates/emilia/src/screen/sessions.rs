//! Whole sessions at the screen, for tests: keys go in, orders are carried out at once, and the picture is read.

use std::path::PathBuf;
use std::time::Duration;

use engine::{Choice, GameClock, Limits, Progress, Stop};
use othello::{Board, Color, CutBoard, Game, Position, Rules, SmallBoard, Square, SquareSet};
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::board_shape::BoardShape;
use crate::look::Look;
use crate::registry::{self, PlayableBoard, PlayerOptions};
use crate::screen::drawing::drawn;
use crate::screen::event::{Event, Order, Seating, Task};
use crate::screen::files;
use crate::screen::state::{Screen, View};
use crate::screen::table::{Opponent, Seat, Table};
use players::SearchOptions;

mod saving;

/// A look without colour, with discs.
pub const PLAIN_DISCS: Look = Look { color: false, true_color: false, unicode: true };

/// A screen whose orders are carried out as they come. The engine plays the first legal move, or keeps thinking.
pub struct Session<B: PlayableBoard> {
    pub screen: Screen<B>,
    pub now: Duration,
    /// Whether the engine answers only when it is told to.
    pub is_slow: bool,
    /// What the engine is thinking about.
    pub asked: Option<(Task, Box<Game<B>>, Limits)>,
    /// Every other order.
    pub orders: Vec<Order<B>>,
    /// How far advice looks.
    pub advice_level: u32,
}

/// Players that need little memory.
fn options() -> PlayerOptions {
    let search = SearchOptions { hash: 1, ..SearchOptions::default() };
    PlayerOptions { seed: 1, search, usual_level: None }
}

pub fn seating(text: &str) -> Seating {
    Seating::new(text.parse().expect("a player"), None)
}

pub fn opponent(text: &str, level: Option<u32>) -> Seat {
    let Seating { notation, .. } = seating(text);
    Seat::Engine(Opponent::new(notation, text.to_owned(), level, false))
}

impl<B: PlayableBoard> Session<B> {
    /// The person has Black against an engine.
    pub fn new(shape: BoardShape) -> Self {
        Self::with(Game::default(), [Seat::Person, opponent("random", None)], None, shape)
    }

    pub fn with(game: Game<B>, seats: [Seat; 2], control: Option<GameClock>, shape: BoardShape) -> Self {
        Self::at(Table::new(game, seats, control), shape, false)
    }

    fn at(table: Table<B>, shape: BoardShape, ponders: bool) -> Self {
        let screen = Screen::new(table, shape, ponders, seating("random"), (80, 24));
        let mut session =
            Self { screen, now: Duration::ZERO, is_slow: false, asked: None, orders: Vec::new(), advice_level: 1 };
        session.happen(Event::Tick);
        session
    }

    /// Lets something happen and carries out what is ordered.
    pub fn happen(&mut self, event: Event<B>) {
        let mut events = std::collections::VecDeque::from([event]);
        while let Some(event) = events.pop_front() {
            for order in self.screen.handle(event, self.now) {
                events.extend(self.obey(order));
            }
        }
    }

    fn obey(&mut self, order: Order<B>) -> Vec<Event<B>> {
        match order {
            Order::Think(task, _, game, limits) => {
                self.asked = Some((task, game, limits));
                if self.is_slow { Vec::new() } else { self.answer().into_iter().collect() }
            }
            Order::Advise(task, game) => {
                let mut reports = Vec::new();
                let mut observer = |progress: &Progress| reports.push(Event::Thought(task, progress.clone()));
                let mut adviser = registry::player::<B>(None, &options()).expect("an adviser");
                let limits = Limits::of_level(self.advice_level);
                adviser.value_moves(&game, usize::MAX, &limits, &mut observer, &Stop::new()).expect("advice");
                reports.push(Event::Advised(task, Ok(())));
                reports
            }
            Order::Seat(color, seating) => {
                let outcome = registry::limited_player::<B>(&seating.notation, &options())
                    .map(|player| player.name().to_owned())
                    .map_err(|error| report::words::sentence(&error));
                vec![Event::Seated(color, seating, outcome)]
            }
            Order::Save { path, record, overwrite } => vec![files::save(path, &record, overwrite)],
            Order::Load(path, number) => vec![files::load(path, number)],
            Order::Complete(text) => vec![Event::Completed(files::beginning_with(&text))],
            order => {
                self.orders.push(order);
                Vec::new()
            }
        }
    }

    /// The engine's answer to what it was asked.
    fn answer(&mut self) -> Option<Event<B>> {
        let (task, game, _) = self.asked.take()?;
        let square = game.position().board.moves().first()?;
        Some(Event::Chosen(task, Ok(Choice::of(square))))
    }

    pub fn press(&mut self, key: KeyCode) {
        self.happen(Event::Key(KeyEvent::new(key, KeyModifiers::NONE)));
    }

    pub fn type_keys(&mut self, keys: &str) {
        for letter in keys.chars() {
            self.press(if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) });
        }
    }

    pub fn picture(&self) -> String {
        drawn(&self.screen, PLAIN_DISCS)
    }

    #[track_caller]
    pub fn shows(&self, words: &str) {
        let picture = self.picture();
        // Words may be broken between lines, and between a box and its border.
        let flat = picture.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(picture.contains(words) || flat.contains(words), "{words:?} is not in\n{picture}");
    }

    fn moves(&self) -> String {
        self.screen.table.game().moves().iter().map(|&square| B::GEOMETRY.square_name(square)).collect()
    }
}

fn eight() -> Session<Board> {
    Session::new(BoardShape::Eight)
}

/// Plays to the end by Enter on the squares that the cursor goes to.
fn plays_to_the_end<B: PlayableBoard>(shape: BoardShape) {
    let mut session = Session::<B>::new(shape);
    for _ in 0..B::GEOMETRY.area() {
        if session.screen.table.is_over() {
            break;
        }
        assert!(session.screen.is_persons_turn());
        session.press(KeyCode::Enter);
    }
    let game = session.screen.table.game().clone();
    assert!(game.is_over());
    // The same moves by the rules alone.
    let again = Game::from_moves(Position::<B>::start(), game.moves()).expect("legal moves");
    assert_eq!(again.score(), game.score());
    session.shows(if game.score() == Some(othello::Score::DRAW) { "The game is drawn" } else { " wins " });
    session.shows("n begins a new game");
}

#[test]
fn a_whole_game_is_played_by_keys_on_every_board() {
    plays_to_the_end::<Board>(BoardShape::Eight);
    plays_to_the_end::<SmallBoard<6>>(BoardShape::Six);
    plays_to_the_end::<SmallBoard<4>>(BoardShape::Four);
    plays_to_the_end::<CutBoard>(BoardShape::Cut);
}

#[test]
fn a_typed_square_is_played_and_answered_and_an_illegal_one_explained() {
    let mut session = eight();
    session.type_keys("f");
    session.shows("Move: f_");
    session.type_keys("5");
    assert_eq!(session.moves(), "f5f4");
    session.type_keys("a1");
    session.shows("Black cannot play a1: no disc would be flipped; expected one of");
    session.type_keys("h9");
    session.shows("\"h9\" is not a square");
    assert_eq!(session.moves(), "f5f4");
    // On ten columns a1 may still become a10.
    let mut session = Session::<CutBoard>::new(BoardShape::Cut);
    session.type_keys("a1");
    session.shows("Move: a1_ (Enter plays it)");
    session.type_keys("0");
    session.shows("Black cannot play a10: no disc would be flipped");
}

#[test]
fn where_there_is_one_row_for_messages_they_are_whole() {
    let mut session = Session::<CutBoard>::new(BoardShape::Cut);
    session.shows("type a square such as");
    session.shows("or use the arrows and Enter.");
    session.shows("? help");
    // A longer one takes the row of the keys for once.
    session.advice_level = 2;
    session.type_keys("v");
    session.shows("The values of the moves are shown on the board. Your move (Black)");
    session.shows("or use the arrows and Enter.");
    session.press(KeyCode::Left);
    session.shows("? help");
}

#[test]
fn a_click_on_a_square_plays_there() {
    let mut session = eight();
    let layout = crate::screen::drawing::layout::Layout::new(Board::GEOMETRY, (80, 24)).expect("it fits");
    let area = layout.square("f5".parse().expect("a square"));
    let mouse = |column, row| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    session.happen(Event::Mouse(mouse(0, 0)));
    session.happen(Event::Mouse(mouse(area.x + 1, area.y + 1)));
    assert_eq!(session.moves(), "f5f4");
}

#[test]
fn turns_are_taken_back_and_played_again_and_engines_wait_where_one_looks_around() {
    let mut session = eight();
    session.type_keys("f5");
    session.press(KeyCode::Enter);
    let all = session.moves();
    assert_eq!(all.len(), 8);
    session.type_keys("u");
    assert_eq!(session.moves(), all[..4]);
    session.type_keys("r");
    assert_eq!(session.moves(), all);
    session.type_keys("<");
    assert_eq!(session.moves(), all[..6]);
    session.shows("random (White) waits: Space lets it play.");
    session.press(KeyCode::Home);
    session.press(KeyCode::End);
    assert_eq!(session.moves(), all);
    session.type_keys("<");
    session.type_keys(" ");
    assert_eq!(session.moves(), all);
    // Another move in place of the last but one opens a branch.
    session.type_keys("uu");
    session.type_keys("e6<");
    session.shows("2 tried at the last");
    session.press(KeyCode::Tab);
    assert_eq!(session.moves(), "f5");
    session.type_keys("<u");
    session.shows("There is no move");
}

#[test]
fn an_engine_that_thinks_can_be_made_to_wait_and_to_move_and_late_answers_count_for_nothing() {
    let mut session = eight();
    session.is_slow = true;
    session.type_keys("f5");
    session.shows("random (White) is thinking: m makes it move");
    session.type_keys("d3");
    session.shows("It is not your turn");
    session.type_keys("m");
    assert_eq!(session.orders, [Order::Stop]);
    let (task, ..) = session.asked.clone().expect("a question");
    session.type_keys(" ");
    assert_eq!(session.orders, [Order::Stop, Order::Stop]);
    let square: Square = "d6".parse().expect("a square");
    session.happen(Event::Chosen(task, Ok(Choice::of(square))));
    assert_eq!(session.moves(), "f5", "the answer came after it was told to wait");
    session.type_keys(" ");
    let (task, ..) = session.asked.clone().expect("asked again");
    let progress = Progress { depth: 9, selectivity: 100, line: vec![square], nodes: 12_345, ..Progress::default() };
    session.happen(Event::Thought(task, progress));
    session.shows("random thinks");
    session.shows("12,345 nodes");
    session.happen(Event::Chosen(task, Ok(Choice::of(square))));
    assert_eq!(session.moves(), "f5d6");
    session.shows("random played d6");
}

#[test]
fn a_window_may_change_its_size_while_an_engine_thinks() {
    let mut session = eight();
    session.is_slow = true;
    session.type_keys("f5");
    let before = session.moves();
    session.happen(Event::Resize(40, 10));
    session.shows("The window has 40 columns and 10 rows; the game needs 66 and 16. Make it larger.");
    session.happen(Event::Resize(120, 50));
    session.shows("is thinking");
    assert_eq!(session.picture().lines().count(), 50);
    assert_eq!(session.moves(), before);
    assert!(session.orders.is_empty(), "nobody was disturbed");
    let event = session.answer().expect("an answer");
    session.happen(event);
    session.shows("Your move (Black)");
}

#[test]
fn an_engine_that_fails_is_told_of_and_may_try_again() {
    let mut session = eight();
    session.is_slow = true;
    session.type_keys("f5");
    let (task, ..) = session.asked.clone().expect("a question");
    session.happen(Event::Chosen(task, Err("random failed: it is tired".to_owned())));
    session.shows("random failed: it is tired. Space tries again, o chooses another opponent.");
    session.is_slow = false;
    session.type_keys(" ");
    assert_eq!(session.moves(), "f5f4");
    // A move that the rules do not allow is a failure too.
    session.is_slow = true;
    session.press(KeyCode::Enter);
    let (task, ..) = session.asked.clone().expect("a question");
    session.happen(Event::Chosen(task, Ok(Choice::of(Square::new(0)))));
    session.shows("random failed: White cannot play a1");
}

#[test]
fn a_forced_pass_is_said() {
    let position: Position = format!("-OXXXXO-{} X", "-".repeat(56)).parse().expect("a board");
    let seats = [Seat::Person, opponent("random", None)];
    let mut session = Session::with(Game::from_position(position), seats, None, BoardShape::Eight);
    session.type_keys("h1");
    session.shows("The engine has no move and must pass (White): Black again.");
    session.type_keys("a1");
    session.shows("Black wins 64-0; the 56 empty squares count for the winner.");
}

#[test]
fn moves_are_numbered_without_passes() {
    let seats = [opponent("minimum-disc", None), opponent("maximum-disc", None)];
    let session = (0..).find_map(|seed| {
        let mut game = Game::<Board>::new();
        let mut state: u64 = seed;
        while !game.is_over() {
            let moves: Vec<_> = othello::squares(game.position().board.moves()).collect();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            game.play(moves[(state >> 33) as usize % moves.len()]).expect("legal");
        }
        let has_early_pass = game.plies()[..40].iter().any(|ply| ply.square.is_none());
        let session = Session::<Board>::with(game, seats.clone(), None, BoardShape::Eight);
        has_early_pass.then_some(session)
    });
    let session = session.expect("some game has a pass");
    let game = session.screen.table.game();
    let picture = session.picture();
    let rows: Vec<_> = picture.lines().skip_while(|line| !line.contains("Moves")).skip(1).collect();
    let panel = |line: &str| line.chars().skip(44).collect::<String>();
    let mut numbered = 0;
    for row in rows {
        let row = panel(row);
        let mut words = row.split_whitespace().map(|word| word.trim_matches(['[', ']']));
        let Some(number) = words.next().and_then(|word| word.parse::<usize>().ok()) else { break };
        let first = words.find(|word| *word != "--").expect("a move");
        assert_eq!(game.moves()[number - 1].to_string(), first, "{picture}");
        numbered += 1;
    }
    assert!(numbered > 3, "{picture}");
}

#[test]
fn hints_are_the_values_of_the_adviser_and_the_best_is_marked() {
    let mut session = eight();
    session.type_keys("v");
    session.shows("The values of the moves are shown on the board.");
    assert_eq!(session.screen.advice.len(), 4);
    // All four first moves are the same up to symmetry, so all are best.
    assert_eq!(session.picture().matches('*').count(), 4, "{}", session.picture());
    session.type_keys("f5");
    assert_eq!(session.screen.advice.len(), session.screen.table.game().position().board.moves().count_ones() as usize);
    session.type_keys("v");
    assert!(!session.picture().contains('*'), "{}", session.picture());
    // The 92-square board has no Emilia, but hints.
    let mut session = Session::<CutBoard>::new(BoardShape::Cut);
    session.advice_level = 2;
    session.type_keys("v");
    assert_eq!(session.screen.advice.len(), 4);
}

#[test]
fn a_position_is_set_up_by_keys_and_played() {
    let mut session = eight();
    session.type_keys("pc");
    session.press(KeyCode::Home);
    for _ in 0..10 {
        session.press(KeyCode::Left);
        session.press(KeyCode::Up);
    }
    session.type_keys("-wbt");
    session.shows("setting up a position");
    session.shows("White 1");
    session.type_keys("t\n");
    assert_eq!(session.screen.table.game().position().to_string(), format!("-OX{} X", "-".repeat(61)));
    session.type_keys("a1");
    session.shows("Black wins 64-0");
    // What is left by Esc changes nothing.
    session.type_keys("pc");
    session.press(KeyCode::Esc);
    session.shows("Nothing was changed.");
    session.shows("Black wins 64-0");
}

#[test]
fn an_opponent_and_a_level_are_chosen_and_a_wrong_one_is_refused() {
    let mut session = eight();
    session.type_keys("o");
    session.shows("Who plays White");
    session.press(KeyCode::Home);
    session.press(KeyCode::Down);
    session.shows("judges by patterns");
    session.type_keys("12");
    session.shows("12@73%, exact from 20");
    session.type_keys("\n");
    session.shows("White is emilia 12 from now on.");
    session.is_slow = true;
    session.type_keys("f5");
    assert_eq!(session.asked.as_ref().map(|(_, _, limits)| limits.level), Some(Some(12)));
    session.type_keys("+");
    session.shows("emilia plays at level 13: 13@73%");
    assert_eq!(session.asked.as_ref().map(|(_, _, limits)| limits.level), Some(Some(13)), "asked again");
    session.type_keys("o@hash=0\n");
    session.shows("hash cannot be");
    session.happen(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    session.type_keys("deep-thought\n");
    session.shows("no engine \"deep-thought\" plays on the 8x8 board");
    session.press(KeyCode::Esc);
    session.type_keys("oc");
    session.shows("Who plays Black");
    session.press(KeyCode::End);
    session.type_keys("\n");
    session.shows("Black is random from now on.");
}

#[test]
fn a_new_game_begins_with_other_sides_clock_or_board() {
    let mut session = eight();
    session.type_keys("f5n");
    session.shows("The moves of the present game are not saved.");
    session.press(KeyCode::Right);
    session.press(KeyCode::Down);
    session.type_keys("5m\n");
    assert_eq!(session.moves(), "d3", "the engine begins");
    assert!(session.screen.table.is_person(Color::White));
    session.shows("5:00");
    session.type_keys("n");
    session.press(KeyCode::Down);
    session.press(KeyCode::Down);
    session.press(KeyCode::Right);
    session.type_keys("\n");
    assert!(matches!(session.orders.last(), Some(Order::ChangeBoard(other)) if other.shape == BoardShape::Six));
}

/// An engine that plays by the clock.
fn by_clock(text: &str) -> Seat {
    let Seating { notation, .. } = seating(text);
    Seat::Engine(Opponent::new(notation, text.to_owned(), None, true))
}

#[test]
fn an_engine_that_played_by_the_clock_does_not_think_forever_when_there_is_none_any_more() {
    let control = Some(GameClock::new(Duration::from_secs(300)));
    let seats = [by_clock("emilia"), Seat::Person];
    let mut session = Session::<Board>::with(Game::new(), seats, control, BoardShape::Eight);
    session.is_slow = true;
    session.type_keys("n");
    session.press(KeyCode::Down);
    session.happen(Event::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    session.type_keys("\n");
    let (_, game, limits) = session.asked.clone().expect("Emilia begins");
    assert_eq!((game.move_count(), limits), (0, Limits::of_level(1)));
    session.shows("emilia 1");
}

#[test]
fn who_plays_by_the_clock_is_not_made_weaker_by_a_level_and_others_keep_to_theirs() {
    let control = Some(GameClock::new(Duration::from_secs(300)));
    let level = |session: &Session<Board>| session.screen.table.opponent(Color::White).expect("an engine").level;
    let mut session =
        Session::<Board>::with(Game::new(), [Seat::Person, by_clock("emilia")], control, BoardShape::Eight);
    session.type_keys("+");
    session.shows("emilia plays as long as the clock allows; o chooses a level.");
    assert_eq!(level(&session), None);
    for (text, before, key, words, after) in [
        ("random", None, "+", "random has no levels", None),
        ("iago", None, "+", "iago plays as it is used to; o chooses a level.", None),
        ("iago", Some(20), "+", "iago plays at level 20: looks 20 moves ahead.", Some(20)),
        ("iago", Some(1), "-", "iago plays at level 1: looks 1 move ahead.", Some(1)),
        ("iago", Some(3), "-", "iago plays at level 2: looks 2 moves ahead.", Some(2)),
        ("iago", Some(40), "+", "iago plays at level 40", Some(40)),
        ("emilia", Some(60), "+", "emilia plays at level 60", Some(60)),
        ("emilia", Some(0), "-", "emilia plays at level 0", Some(0)),
        ("emilia@depth=3", None, "+", "says itself how long it thinks", None),
    ] {
        let seats = [Seat::Person, opponent(text, before)];
        let mut session = Session::<Board>::with(Game::new(), seats, None, BoardShape::Eight);
        session.type_keys(key);
        session.shows(words);
        assert_eq!(level(&session), after, "{text} {before:?} {key}");
    }
}

#[test]
fn an_engine_that_thinks_in_the_persons_time_does_so_in_earnest() {
    for (seat, control, limits) in [
        (opponent("emilia", Some(20)), None, Limits::of_level(20)),
        (by_clock("emilia"), Some(GameClock::new(Duration::from_secs(300))), Limits::of_depth(64)),
        (opponent("iago", None), None, Limits::default()),
    ] {
        let table = Table::<Board>::new(Game::new(), [Seat::Person, seat], control);
        let session = Session::at(table, BoardShape::Eight, true);
        let ponders =
            |order: &Order<Board>| matches!(order, Order::Ponder(_, Color::White, _, told) if *told == limits);
        assert!(matches!(session.orders.as_slice(), [order] if ponders(order)), "{:?}", session.orders);
    }
}

#[test]
fn an_engine_that_is_unfit_on_the_persons_turn_offers_no_key_that_would_play() {
    let mut session = eight();
    session.happen(Event::Unfit("random failed: it is tired".to_owned()));
    session.shows("random failed: it is tired. o chooses another opponent.");
    session.is_slow = true;
    session.type_keys("f5");
    session.happen(Event::Unfit("random failed: it is tired".to_owned()));
    session.shows("random failed: it is tired. Space tries again, o chooses another opponent.");
}

#[test]
fn the_help_is_whole_in_every_window_and_scrolls_no_farther_than_its_end() {
    let words = ["Place a disc", "count for the winner.", "new game: side, clock, board", "load, from any format"];
    for (width, height) in [(80, 24), (79, 24), (66, 16), (120, 50)] {
        let mut session = eight();
        session.happen(Event::Resize(width, height));
        session.type_keys("?");
        let mut seen = session.picture();
        let mut last = session.picture();
        let scrolls = last.contains("arrows scroll; any other key goes back to the game");
        assert!(scrolls || last.contains("any key goes back to the game"), "{last}");
        for _ in 0..if scrolls { 60 } else { 0 } {
            session.press(KeyCode::Down);
            last = session.picture();
            seen += &last;
        }
        for words in words {
            assert!(seen.contains(words), "{words:?} is not in the help of {width} columns:\n{seen}");
        }
        if scrolls {
            for key in [KeyCode::Right, KeyCode::Left, KeyCode::End] {
                session.press(key);
                assert_eq!(session.picture(), last, "{key:?} does not go back");
            }
            session.press(KeyCode::Up);
            assert_ne!(session.picture(), last, "one line up is seen at once");
            session.press(KeyCode::Esc);
        } else {
            session.press(KeyCode::Down);
        }
        assert!(matches!(session.screen.view, View::Game));
    }
}

/// A session in the smallest window of its board, with a game that is not saved.
fn in_smallest_window<B: PlayableBoard>(shape: BoardShape, seat: Seat) -> Session<B> {
    let mut session = Session::<B>::with(Game::default(), [Seat::Person, seat], None, shape);
    let (width, height) = crate::screen::drawing::layout::needed(&B::GEOMETRY);
    session.happen(Event::Resize(width, height));
    session.press(KeyCode::Enter);
    session
}

#[test]
fn in_the_smallest_window_every_key_is_seen_whole() {
    fn check<B: PlayableBoard>(shape: BoardShape, player: &str) {
        let session = |keys: &str| {
            let mut session = in_smallest_window::<B>(shape, opponent(player, None));
            session.type_keys(keys);
            session
        };
        let game = session("");
        for words in [" u undo", " v hints", " n new", " o player", " s save", " l load", " ? help", " q quit"] {
            game.shows(words);
        }
        let set_up = session("p");
        set_up.shows("The present game is not saved.");
        for words in [
            " arrows  go to a square",
            " b or x  put a black disc",
            " w or o  put a white disc",
            "      -  empty it",
            "  Space  or click: the next",
            "      t  other side to move",
            " c clear  s start  p paste",
            "Enter play from here",
            "Esc back, nothing changes",
        ] {
            let picture = set_up.picture();
            let is_whole = |line: &str| line.ends_with(words) || line.contains(&format!("{words}  "));
            assert!(picture.lines().any(is_whole), "{words:?} is not in\n{picture}");
        }
        session("o").shows(" arrows Tab  c colour  @ settings  Enter takes  Esc back ");
        session("o@").shows(" Tab to the lists   Enter takes   Esc back ");
    }
    check::<Board>(BoardShape::Eight, "emilia");
    check::<SmallBoard<6>>(BoardShape::Six, "emilia");
    check::<SmallBoard<4>>(BoardShape::Four, "random");
    check::<CutBoard>(BoardShape::Cut, "random");
    let mut session = in_smallest_window::<Board>(BoardShape::Eight, opponent("emilia", None));
    session.shows(" p setup");
    session.shows("Black to move, 58 empty");
    session.type_keys("o");
    session.shows("Level: depth, exact from, time a move");
}

#[test]
fn the_side_that_is_out_of_time_is_named_though_the_other_is_to_move() {
    let control = Some(GameClock::new(Duration::from_secs(10)));
    let seats = [Seat::Person, opponent("random", None)];
    let mut session = Session::<Board>::with(Game::new(), seats, control, BoardShape::Eight);
    // The move comes too late, and before anybody has looked at the clock.
    session.now = Duration::from_secs(11);
    session.press(KeyCode::Enter);
    assert_eq!(session.screen.table.turn(), Color::White);
    assert_eq!(session.screen.situation(), "Black is out of time");
}

#[test]
fn moves_that_would_be_lost_are_known_to_the_end() {
    let mut session = eight();
    assert_eq!(session.screen.unsaved_moves(), None);
    session.type_keys("f5");
    session.type_keys("<");
    assert_eq!(session.screen.unsaved_moves().as_deref(), Some("f5f4"));
    let board = format!("-OX{} X", "-".repeat(61));
    let game = Game::<Board>::from_position(board.parse().expect("a board"));
    let mut session = Session::with(game, [Seat::Person, opponent("random", None)], None, BoardShape::Eight);
    session.type_keys("a1");
    assert_eq!(session.screen.unsaved_moves(), Some(format!("a1 from {board}")));
}

#[test]
fn who_runs_out_of_time_loses_and_clocks_stand_while_a_position_is_set_up() {
    let control = Some(GameClock::new(Duration::from_secs(10)));
    let seats = [Seat::Person, opponent("random", None)];
    let mut session = Session::<Board>::with(Game::new(), seats, control, BoardShape::Eight);
    session.type_keys("p");
    session.now = Duration::from_secs(100);
    session.press(KeyCode::Esc);
    session.shows("10.0 s");
    session.now = Duration::from_secs(105);
    session.happen(Event::Tick);
    session.shows("5.0 s");
    session.now = Duration::from_secs(111);
    session.happen(Event::Tick);
    session.shows("Black has run out of time: White wins.");
    session.type_keys("d3");
    session.shows("The game is over");
}

#[test]
fn leaving_asks_only_when_something_would_be_lost() {
    let mut session = eight();
    session.type_keys("q");
    assert_eq!(session.orders, [Order::Leave]);
    session.type_keys("f5q");
    session.shows("The game is not saved. Leave all the same?");
    session.type_keys("n");
    assert_eq!(session.orders.len(), 1);
    session.type_keys("qy");
    assert_eq!(session.orders.len(), 2);
    session.happen(Event::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert_eq!(session.orders.len(), 3, "Ctrl-C leaves at once");
    session.happen(Event::Terminate);
    assert_eq!(session.orders.last(), Some(&Order::Terminate));
}

#[test]
fn two_engines_are_watched_and_made_to_wait() {
    let seats = [opponent("random", None), opponent("minimum-disc", None)];
    let mut session = Session::<Board>::with(Game::new(), seats, None, BoardShape::Eight);
    assert!(session.screen.table.is_over(), "they play by themselves");
    session.type_keys("u");
    session.shows("waits: Space lets it play.");
    session.press(KeyCode::Home);
    assert_eq!(session.moves(), "");
    session.type_keys(" ");
    assert!(session.screen.table.is_over());
}

#[test]
fn without_unicode_the_screen_is_plain_ascii() {
    let mut session = eight();
    for keys in ["v", "?", "xo", "\u{1b}p", "\u{1b}n", "\u{1b}s"] {
        for letter in keys.chars() {
            session.press(if letter == '\u{1b}' { KeyCode::Esc } else { KeyCode::Char(letter) });
        }
        let picture = drawn(&session.screen, Look::PLAIN);
        assert!(picture.is_ascii(), "{keys}\n{picture}");
    }
}

/// Any key that a person may press, those that do something more often.
fn any_key() -> impl Strategy<Value = KeyEvent> {
    let letters = prop::sample::select("abcdefgh12345678urvmwnopslq?<>+-= @:,.#xytzXYé".chars().collect::<Vec<_>>());
    let others = prop::sample::select(vec![
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Backspace,
        KeyCode::Delete,
        KeyCode::Left,
        KeyCode::Right,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Home,
        KeyCode::End,
        KeyCode::PageUp,
        KeyCode::PageDown,
        KeyCode::F(1),
    ]);
    let code = prop_oneof![3 => letters.prop_map(KeyCode::Char), 2 => others];
    (code, prop::bool::weighted(0.05)).prop_map(|(code, control)| {
        KeyEvent::new(code, if control { KeyModifiers::CONTROL } else { KeyModifiers::NONE })
    })
}

fn survives<B: PlayableBoard>(shape: BoardShape, keys: &[KeyEvent], sizes: &[(u16, u16)]) {
    let mut session = Session::<B>::new(shape);
    for (index, &key) in keys.iter().enumerate() {
        // Nothing is written by chance.
        if matches!(&session.screen.view, View::Prompt(..)) && key.code == KeyCode::Enter {
            continue;
        }
        session.happen(Event::Key(key));
        if index % 8 == 0 {
            let (width, height) = sizes[index / 8 % sizes.len()];
            session.happen(Event::Resize(width, height));
            session.picture();
        }
    }
    let game = session.screen.table.game();
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
        survives::<Board>(BoardShape::Eight, &keys, &sizes);
        survives::<SmallBoard<4>>(BoardShape::Four, &keys, &sizes);
        survives::<CutBoard>(BoardShape::Cut, &keys, &sizes);
    }
}
