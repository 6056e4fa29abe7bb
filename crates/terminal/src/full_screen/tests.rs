//! Whole sittings at the screen: keys go in, effects are carried out immediately, and the picture is read.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use engine::{Choice, GameClock, Level, Limits, Progress, Stop};
use othello::{Board, BoardShape, Color, CutBoard, Game, Position, Rules, SmallBoard, Square, SquareSet};
use players::{PlayerOptions, Registry, SearchOptions};
use proptest::prelude::*;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use report::look::Look;
use session::{
    BoardWorkbench, Catalogue, Effect, Event, HintSettings, Opponent, Order, OrderNumber, Reply, Resources, Seating,
    Session, Start, StudiedBoard,
};

use crate::files;
use crate::full_screen::drawing::drawn;
use crate::full_screen::screen::{Form, Screen, Wish};
use crate::full_screen::terminal::Input;
use crate::{EffectResult, file_answer};

mod saving;
mod studying;

/// A look without color, with discs.
pub(super) const PLAIN_DISCS: Look = Look { color: false, true_color: false, unicode: true };

/// A session and its window, whose orders are carried out as they come. The engine plays the first legal move, or keeps
/// thinking.
pub(super) struct Sitting<B: StudiedBoard> {
    pub session: Session<B>,
    pub screen: Screen,
    pub now: Duration,
    /// Whether the engine answers only on demand.
    pub is_slow: bool,
    /// The question that the engine is thinking about.
    pub asked: Option<(OrderNumber, Game<B>, Limits)>,
    /// Every other effect.
    pub effects: Vec<Effect<B>>,
    /// Every wish that is not for the session.
    pub wishes: Vec<Wish>,
    /// The level of advice.
    pub advice_level: u32,
}

/// All players.
pub(super) fn registry() -> Arc<Registry> {
    Arc::clone(classics::registry())
}

/// Players that need little memory.
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

impl<B: StudiedBoard> Sitting<B> {
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
        let mut sitting = Self {
            session,
            screen,
            now: Duration::ZERO,
            is_slow: false,
            asked: None,
            effects: Vec::new(),
            wishes: Vec::new(),
            advice_level: 1,
        };
        sitting.tick();
        sitting
    }

    /// Lets something come from the terminal, and carries out what is ordered.
    pub(super) fn happen(&mut self, input: Input) {
        for wish in self.screen.handle(input) {
            match wish {
                Wish::Event(event) => self.handle(event),
                Wish::Complete(text) => self.screen.completed(files::beginning_with(&text)),
                wish => self.wishes.push(wish),
            }
        }
        self.tick();
    }

    fn handle(&mut self, event: Event) {
        let effects = self.session.handle(event, self.now);
        self.carry_out(effects);
    }

    /// Lets time pass.
    pub(super) fn tick(&mut self) {
        self.handle(Event::Tick);
    }

    /// Passes a reply to an order to the session.
    pub(super) fn take(&mut self, number: OrderNumber, reply: Reply<B>) {
        self.take_answer(EffectResult::Reply(number, reply));
    }

    /// Passes the result of an effect to the session.
    pub(super) fn take_answer(&mut self, answer: EffectResult<B>) {
        let effects = answer.tell(&mut self.session, self.now);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect<B>>) {
        self.screen.show(self.session.view());
        let mut answers: VecDeque<_> = effects.into_iter().flat_map(|effect| self.answers(effect)).collect();
        while let Some(answer) = answers.pop_front() {
            let effects = answer.tell(&mut self.session, self.now);
            self.screen.show(self.session.view());
            answers.extend(effects.into_iter().flat_map(|effect| self.answers(effect)));
        }
    }

    fn answers(&mut self, effect: Effect<B>) -> Vec<EffectResult<B>> {
        match effect {
            Effect::Start { number, order: Order::Think { game, limits, .. } } => {
                let game = game.game().expect("legal moves");
                let answer = game
                    .position()
                    .board
                    .moves()
                    .first()
                    .filter(|_| !self.is_slow)
                    .map(|square| EffectResult::Reply(number, Reply::Chosen { choice: Choice::of(square).into() }));
                self.asked = Some((number, game, limits)).filter(|_| self.is_slow);
                answer.into_iter().collect()
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
        self.happen(Input::Key(KeyEvent::new(key, KeyModifiers::NONE)));
    }

    pub(super) fn type_keys(&mut self, keys: &str) {
        for letter in keys.chars() {
            self.press(if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) });
        }
    }

    pub(super) fn picture(&self) -> String {
        drawn(&self.screen, PLAIN_DISCS)
    }

    #[track_caller]
    pub(super) fn shows(&self, words: &str) {
        let picture = self.picture();
        // Words may be broken between lines, and between a box and its border.
        let flat = picture.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(picture.contains(words) || flat.contains(words), "{words:?} is not in\n{picture}");
    }

    fn moves(&self) -> String {
        report::words::names::<B>(&self.session.game().moves())
    }
}

fn eight() -> Sitting<Board> {
    Sitting::new()
}

/// Plays to the end by Enter on the squares that the cursor goes to.
fn plays_to_the_end<B: StudiedBoard>() {
    let mut sitting = Sitting::<B>::new();
    for _ in 0..B::GEOMETRY.area() {
        if sitting.session.is_over() {
            break;
        }
        assert!(sitting.screen.view.can.play);
        sitting.press(KeyCode::Enter);
    }
    let game = sitting.session.game().clone();
    assert!(game.is_over());
    // The same moves by the rules alone.
    let again = Game::from_moves(Position::<B>::start(), game.moves()).expect("legal moves");
    assert_eq!(again.score(), game.score());
    sitting.shows(if game.score() == Some(othello::Score::DRAW) { "The game is drawn" } else { " wins " });
    sitting.shows("n for a new game");
}

#[test]
fn a_whole_game_is_played_by_keys_on_every_board() {
    othello::on_every_board!(plays_to_the_end);
}

#[test]
fn a_typed_square_is_played_and_answered_and_an_illegal_one_explained() {
    let mut sitting = eight();
    sitting.type_keys("f");
    sitting.shows("Move: f_ (type the row; Esc clears it)");
    sitting.type_keys("5");
    assert_eq!(sitting.moves(), "f5f4");
    sitting.type_keys("a1");
    sitting.shows("a1 flips nothing; legal moves:");
    sitting.type_keys("h9");
    sitting.shows("\"h9\" is not a square");
    assert_eq!(sitting.moves(), "f5f4");
    // On ten columns a1 may still become a10.
    let mut sitting = Sitting::<CutBoard>::new();
    sitting.type_keys("a1");
    sitting.shows("Move: a1_ (Enter plays it; Esc clears it)");
    sitting.type_keys("0");
    sitting.shows("a10 flips nothing; legal moves:");
}

#[test]
fn an_enter_after_a_typed_square_plays_nothing_else() {
    let mut sitting = eight();
    sitting.type_keys("f5\n");
    assert_eq!(sitting.moves(), "f5f4");
    sitting.shows("press it again to play at the cursor");
    sitting.screen.cursor = sitting.screen.geometry.parse_square("e3").expect("a square");
    sitting.type_keys("\n");
    assert!(sitting.moves().starts_with("f5f4e3"), "{}", sitting.moves());
}

#[test]
fn a_key_without_an_effect_names_the_help() {
    let mut sitting = eight();
    for (key, name) in [(KeyCode::Char('k'), "'k'"), (KeyCode::F(5), "F5"), (KeyCode::Insert, "Insert")] {
        sitting.press(key);
        sitting.shows(&format!("{name} does nothing here; ? lists the keys."));
    }
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('k'), KeyModifiers::CONTROL)));
    sitting.shows("Ctrl-K does nothing here; ? lists the keys.");
    // Half a square is given up for it.
    sitting.type_keys("fk");
    sitting.shows("'k' does nothing here; ? lists the keys.");
    sitting.type_keys("5");
    assert_eq!(sitting.moves(), "");
    sitting.type_keys("f5pk");
    sitting.shows("'k' does nothing here; the keys are beside the board, ? lists all.");
    sitting.type_keys("?");
    sitting.shows("undo: take your move back");
    // Any key closes the help; the position is still being set up.
    sitting.type_keys("k");
    assert!(matches!(sitting.screen.form, Form::SetUp) && sitting.screen.view.set_up.is_some());
    sitting.press(KeyCode::Esc);
    sitting.type_keys("xk");
    sitting.shows("'k' does nothing here; ? lists the keys.");
    assert!(matches!(sitting.screen.form, Form::Analysis));
}

/// The time passes as for the loop of the program, whose watch stands while the screen awaits the person.
fn wait(sitting: &mut Sitting<Board>, seconds: u64) {
    for _ in 0..seconds {
        if !sitting.screen.awaits_person() {
            sitting.now += Duration::from_secs(1);
        }
        sitting.tick();
    }
}

#[test]
fn the_clock_of_a_person_starts_with_the_first_key() {
    let minute = Some(GameClock::new(Duration::from_secs(60)));
    for seats in [[None, opponent("random", None)], [opponent("random", None), None]] {
        let mut sitting = Sitting::<Board>::with(Game::default(), seats, minute);
        sitting.shows("Your clock starts with the first key.");
        wait(&mut sitting, 50);
        // A window of another size and a moved mouse do not mean that the person plays.
        sitting.happen(Input::Resize(100, 30));
        let moved = MouseEvent { kind: MouseEventKind::Moved, column: 1, row: 1, modifiers: KeyModifiers::NONE };
        sitting.happen(Input::Mouse(moved));
        wait(&mut sitting, 50);
        let person = sitting.screen.view.turn;
        assert_eq!(sitting.screen.seat(person).seconds, 60.0);
        sitting.press(KeyCode::Left);
        assert!(!sitting.picture().contains("Your clock starts"), "{}", sitting.picture());
        wait(&mut sitting, 20);
        assert_eq!(sitting.screen.seat(person).seconds, 40.0);
        wait(&mut sitting, 50);
        sitting.shows(&format!("{person} is out of time"));
    }
    // Two engines do not wait for a key.
    let mut sitting =
        Sitting::<Board>::with(Game::default(), [opponent("random", None), opponent("random", None)], minute);
    assert!(!sitting.screen.awaits_person());
    wait(&mut sitting, 1);
    assert!(!sitting.moves().is_empty());
}

#[test]
fn clocks_stand_below_each_other_whatever_the_names() {
    for name in ["Ann", "村上健", "為則英司為則英司為則英司為則英司", "Z\u{30c}ofie"] {
        let Some(engine) = opponent("random", None) else { panic!("an engine") };
        let engine = Some(Opponent::new(engine.notation, name.to_owned(), None, false));
        let minute = Some(GameClock::new(Duration::from_secs(60)));
        let sitting = Sitting::<Board>::with(Game::default(), [None, engine], minute);
        let cells = crate::full_screen::drawing::cells(&sitting.screen, PLAIN_DISCS);
        let row = |y| (0..80).map(|x| cells[(x, y)].symbol()).collect::<Vec<_>>();
        let (black, white) = (row(1), row(2));
        let end = |row: &[&str]| row.iter().rposition(|symbol| *symbol != " ").expect("a clock");
        assert_eq!(end(&black), end(&white), "{name}: {white:?}");
        let clock: String = white[end(&white) - 3..=end(&white)].concat();
        assert!(clock.ends_with(&black[end(&black) - 3..=end(&black)].concat()), "{name}: {white:?}");
    }
}

#[test]
fn where_there_is_one_row_for_messages_they_are_whole() {
    let mut sitting = Sitting::<CutBoard>::new();
    sitting.shows("type a square such as");
    sitting.shows("or use the arrows and Enter.");
    sitting.shows("? help");
    // A longer one takes the row of the keys for once.
    sitting.advice_level = 2;
    sitting.type_keys("v");
    sitting.shows("Move values are shown on the board. Your move (Black)");
    sitting.shows("or use the arrows and Enter.");
    sitting.press(KeyCode::Left);
    sitting.shows("? help");
}

#[test]
fn a_click_on_a_square_plays_there() {
    let mut sitting = eight();
    let layout = crate::full_screen::drawing::layout::Layout::new(Board::GEOMETRY, (80, 24)).expect("it fits");
    let area = layout.square("f5".parse().expect("a square"));
    let mouse = |column, row| MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    sitting.happen(Input::Mouse(mouse(0, 0)));
    sitting.happen(Input::Mouse(mouse(area.x + 1, area.y + 1)));
    assert_eq!(sitting.moves(), "f5f4");
}

#[test]
fn turns_are_taken_back_and_played_again_and_engines_wait_where_one_looks_around() {
    let mut sitting = eight();
    sitting.type_keys("f5\n\n");
    let all = sitting.moves();
    assert_eq!(all.len(), 8);
    sitting.type_keys("u");
    assert_eq!(sitting.moves(), all[..4]);
    sitting.type_keys("r");
    assert_eq!(sitting.moves(), all);
    sitting.type_keys("<");
    assert_eq!(sitting.moves(), all[..6]);
    sitting.shows("random (White) is waiting: Space lets it play.");
    sitting.press(KeyCode::Home);
    sitting.press(KeyCode::End);
    assert_eq!(sitting.moves(), all);
    sitting.type_keys("<");
    sitting.type_keys(" ");
    assert_eq!(sitting.moves(), all);
    // Another move in place of the last but one opens a branch.
    sitting.type_keys("uu");
    sitting.type_keys("e6<");
    sitting.shows("2 variations here: Tab");
    sitting.press(KeyCode::Tab);
    assert_eq!(sitting.moves(), "f5");
    sitting.type_keys("<u");
    sitting.shows("You have no move to take back.");
}

#[test]
fn an_engine_that_thinks_can_be_made_to_wait_and_to_move_and_late_answers_count_for_nothing() {
    let mut sitting = eight();
    sitting.is_slow = true;
    sitting.type_keys("f5");
    sitting.shows("random (White) is thinking: m makes it move now");
    sitting.type_keys("d3");
    sitting.shows("It is not your turn");
    sitting.type_keys("m");
    let (number, ..) = sitting.asked.clone().expect("a question");
    let stop = || Effect::Stop { number };
    assert_eq!(sitting.effects, [stop()]);
    sitting.type_keys(" ");
    assert_eq!(sitting.effects, [stop(), stop()]);
    let square: Square = "d6".parse().expect("a square");
    sitting.take(number, Reply::Chosen { choice: Choice::of(square).into() });
    assert_eq!(sitting.moves(), "f5", "the answer came after it was told to wait");
    sitting.type_keys(" ");
    let (number, ..) = sitting.asked.clone().expect("asked again");
    let progress = Progress { depth: 9, selectivity: 100, line: vec![square], nodes: 12_345, ..Progress::default() };
    sitting.take(number, Reply::Thought { progress: progress.into() });
    sitting.shows("random is thinking");
    sitting.shows("12,345 nodes");
    sitting.take(number, Reply::Chosen { choice: Choice::of(square).into() });
    assert_eq!(sitting.moves(), "f5d6");
    sitting.shows("random played d6");
}

#[test]
fn a_window_may_change_its_size_while_an_engine_thinks() {
    let mut sitting = eight();
    sitting.is_slow = true;
    sitting.type_keys("f5");
    let before = sitting.moves();
    sitting.happen(Input::Resize(40, 10));
    sitting.shows("40×10 is too small: the game needs at least 66×16; or use `--lines`.");
    sitting.happen(Input::Resize(120, 50));
    sitting.shows("is thinking");
    assert_eq!(sitting.picture().lines().count(), 50);
    assert_eq!(sitting.moves(), before);
    assert!(sitting.effects.is_empty(), "nobody was disturbed");
    let answer = sitting.choice().expect("an answer");
    sitting.take_answer(answer);
    sitting.shows("Your move (Black)");
}

#[test]
fn moves_are_numbered_without_passes() {
    let seats = [opponent("minimum-disc", None), opponent("maximum-disc", None)];
    let sitting = (0..).find_map(|seed| {
        let mut game = Game::<Board>::new();
        let mut state: u64 = seed;
        while !game.is_over() {
            let moves: Vec<_> = othello::squares(game.position().board.moves()).collect();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            game.play(moves[(state >> 33) as usize % moves.len()]).expect("legal");
        }
        let has_early_pass = game.plies()[..40].iter().any(|ply| ply.square.is_none());
        let sitting = Sitting::<Board>::with(game, seats.clone(), None);
        has_early_pass.then_some(sitting)
    });
    let sitting = sitting.expect("some game has a pass");
    let game = sitting.session.game();
    let picture = sitting.picture();
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
    let mut sitting = eight();
    sitting.type_keys("v");
    sitting.shows("Move values are shown on the board.");
    assert_eq!(sitting.screen.view.hints.len(), 4);
    // All four first moves are the same up to symmetry, so all are best.
    assert_eq!(sitting.picture().matches('*').count(), 4, "{}", sitting.picture());
    sitting.type_keys("f5");
    assert_eq!(sitting.screen.view.hints.len(), sitting.session.game().position().board.moves().count_ones() as usize);
    sitting.type_keys("v");
    assert!(!sitting.picture().contains('*'), "{}", sitting.picture());
    // The 92-square board has no Emilia, but hints.
    let mut sitting = Sitting::<CutBoard>::new();
    sitting.advice_level = 2;
    sitting.type_keys("v");
    assert_eq!(sitting.screen.view.hints.len(), 4);
}

#[test]
fn a_position_is_set_up_by_keys_and_played() {
    let mut sitting = eight();
    sitting.type_keys("pc");
    sitting.press(KeyCode::Home);
    for _ in 0..10 {
        sitting.press(KeyCode::Left);
        sitting.press(KeyCode::Up);
    }
    sitting.type_keys("-wbt");
    sitting.shows("setting up a position");
    sitting.shows("White 1");
    sitting.type_keys("t\n");
    assert_eq!(sitting.session.game().position().to_string(), format!("-OX{} X", "-".repeat(61)));
    sitting.type_keys("a1");
    sitting.shows("Black wins 64-0");
    // What is left by Esc changes nothing.
    sitting.type_keys("pc");
    sitting.press(KeyCode::Esc);
    sitting.shows("Nothing was changed.");
    sitting.shows("Black wins 64-0");
}

#[test]
fn an_opponent_and_a_level_are_chosen_and_a_wrong_one_is_refused() {
    let mut sitting = eight();
    sitting.type_keys("o");
    sitting.shows("Who plays White");
    sitting.press(KeyCode::Home);
    sitting.press(KeyCode::Down);
    sitting.shows("evaluates patterns");
    sitting.type_keys("12");
    sitting.shows("12@73%, solves from 20");
    sitting.type_keys("\n");
    sitting.shows("emilia 12 now plays White.");
    sitting.is_slow = true;
    sitting.type_keys("f5");
    assert_eq!(sitting.asked.as_ref().map(|(_, _, limits)| limits.level), Some(Level::new(12).ok()));
    sitting.type_keys("+");
    sitting.shows("emilia plays at level 13: 13@73%");
    assert_eq!(sitting.asked.as_ref().map(|(_, _, limits)| limits.level), Some(Level::new(13).ok()), "asked again");
    sitting.type_keys("o@hash=0\n");
    sitting.shows("hash cannot be");
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL)));
    sitting.type_keys("deep-thought\n");
    sitting.shows("no engine \"deep-thought\" plays on the 8x8 board");
    sitting.press(KeyCode::Esc);
    sitting.type_keys("oc");
    sitting.shows("Who plays Black");
    sitting.press(KeyCode::End);
    sitting.type_keys("\n");
    sitting.shows("random now plays Black.");
}

#[test]
fn a_new_game_begins_with_other_sides_clock_or_board() {
    let mut sitting = eight();
    sitting.type_keys("f5n");
    sitting.shows("The moves of this game have not been saved.");
    sitting.press(KeyCode::Right);
    sitting.press(KeyCode::Down);
    sitting.type_keys("5m\n");
    assert_eq!(sitting.moves(), "d3", "the engine begins");
    assert!(sitting.screen.seat(Color::White).is_person());
    sitting.shows("5:00");
    sitting.type_keys("n");
    sitting.press(KeyCode::Down);
    sitting.press(KeyCode::Down);
    sitting.press(KeyCode::Right);
    sitting.type_keys("\n");
    assert!(matches!(sitting.effects.last(), Some(Effect::ChangeBoard(other)) if other.shape == BoardShape::Six));
}

#[test]
fn messages_about_levels_name_the_key_that_chooses_another_opponent() {
    for (text, words) in [
        ("random", "random has no levels; o chooses another opponent."),
        ("iago", "iago plays without a level (its own default); o chooses a level."),
        (
            "emilia@depth=3",
            "emilia@depth=3 has limits of its own, so its level cannot be changed; o chooses another opponent.",
        ),
    ] {
        let mut sitting = Sitting::<Board>::with(Game::new(), [None, opponent(text, None)], None);
        sitting.type_keys("+");
        sitting.shows(words);
    }
}

#[test]
fn an_engine_that_is_unfit_on_the_persons_turn_offers_no_key_that_would_play() {
    let mut sitting = eight();
    sitting.handle(Event::Restart);
    let Some(&Effect::Start { number, order: Order::NewGame }) = sitting.effects.last() else { panic!("a new game") };
    let unfit = || Reply::Failed { reason: "random failed: it is tired".to_owned() };
    sitting.take(number, unfit());
    sitting.shows("random failed: it is tired. o chooses another opponent.");
    sitting.is_slow = true;
    sitting.type_keys("f5");
    sitting.take(number, unfit());
    sitting.shows("random failed: it is tired. Space tries again, o chooses another opponent.");
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
        let mut sitting = eight();
        sitting.happen(Input::Resize(width, height));
        sitting.type_keys("?");
        let mut seen = sitting.picture();
        let mut last = sitting.picture();
        let scrolls = last.contains("arrows scroll   any other key: back to the game");
        assert!(scrolls || last.contains("any key: back to the game"), "{last}");
        for _ in 0..if scrolls { 60 } else { 0 } {
            sitting.press(KeyCode::Down);
            last = sitting.picture();
            seen += &last;
        }
        for words in words {
            assert!(seen.contains(words), "{words:?} is not in the help of {width} columns:\n{seen}");
        }
        if scrolls {
            for key in [KeyCode::Right, KeyCode::Left, KeyCode::End] {
                sitting.press(key);
                assert_eq!(sitting.picture(), last, "{key:?} does not go back");
            }
            sitting.press(KeyCode::Up);
            assert_ne!(sitting.picture(), last, "one line up is seen at once");
            sitting.press(KeyCode::Esc);
        } else {
            sitting.press(KeyCode::Down);
        }
        assert!(matches!(sitting.screen.form, Form::Game));
    }
}

/// A sitting in the smallest window of its board, with a game that is not saved.
fn in_smallest_window<B: StudiedBoard>(seat: Option<Opponent>) -> Sitting<B> {
    let mut sitting = Sitting::<B>::with(Game::default(), [None, seat], None);
    let (width, height) = crate::full_screen::drawing::layout::needed(&B::GEOMETRY);
    sitting.happen(Input::Resize(width, height));
    sitting.press(KeyCode::Enter);
    sitting
}

#[test]
fn in_the_smallest_window_every_key_is_seen_whole() {
    fn check<B: StudiedBoard>(player: &str) {
        let sitting = |keys: &str| {
            let mut sitting = in_smallest_window::<B>(opponent(player, None));
            sitting.type_keys(keys);
            sitting
        };
        let game = sitting("");
        for words in [" u undo", " v hints", " n new", " o player", " s save", " l load", " ? help", " q quit"] {
            game.shows(words);
        }
        let set_up = sitting("p");
        set_up.shows("This game has not been saved.");
        for words in [
            " arrows  go to a square",
            " b or x  put a black disc",
            " w or o  put a white disc",
            "      -  empty it",
            "  Space  or click: change it",
            "      t  change side to move",
            " c clear  s start  p paste",
            "Enter play from here",
            "Esc back without changes",
        ] {
            let picture = set_up.picture();
            let is_whole = |line: &str| line.ends_with(words) || line.contains(&format!("{words}  "));
            assert!(picture.lines().any(is_whole), "{words:?} is not in\n{picture}");
        }
        sitting("o").shows(" arrows Tab  c color  @ settings  Enter chooses  Esc back ");
        sitting("o@").shows(" Tab to the lists   Enter chooses   Esc back ");
    }
    check::<Board>("emilia");
    check::<SmallBoard<6>>("emilia");
    check::<SmallBoard<4>>("random");
    check::<CutBoard>("random");
    let mut sitting = in_smallest_window::<Board>(opponent("emilia", None));
    sitting.shows(" p setup");
    sitting.shows("Black to move, 58 empty");
    sitting.type_keys("o");
    sitting.shows("Level: depth, solves from, time");
}

#[test]
fn moves_that_would_be_lost_are_known_to_the_end() {
    let mut sitting = eight();
    assert_eq!(sitting.screen.view.unsaved, None);
    sitting.type_keys("f5");
    sitting.type_keys("<");
    assert_eq!(sitting.screen.view.unsaved.as_deref(), Some("f5f4"));
    let board = format!("-OX{} X", "-".repeat(61));
    let game = Game::<Board>::from_position(board.parse().expect("a board"));
    let mut sitting = Sitting::with(game, [None, opponent("random", None)], None);
    sitting.type_keys("a1");
    assert_eq!(sitting.screen.view.unsaved, Some(format!("a1 from {board}")));
}

#[test]
fn who_runs_out_of_time_loses_and_clocks_stand_while_a_position_is_set_up() {
    let control = Some(GameClock::new(Duration::from_secs(10)));
    let seats = [None, opponent("random", None)];
    let mut sitting = Sitting::<Board>::with(Game::new(), seats, control);
    sitting.type_keys("p");
    sitting.now = Duration::from_secs(100);
    sitting.press(KeyCode::Esc);
    sitting.shows("10.0 s");
    sitting.now = Duration::from_secs(105);
    sitting.tick();
    sitting.shows("5.0 s");
    sitting.now = Duration::from_secs(111);
    sitting.tick();
    sitting.shows("Black has run out of time: White wins.");
    sitting.type_keys("d3");
    sitting.shows("The game is over");
}

#[test]
fn leaving_asks_only_when_something_would_be_lost() {
    let mut sitting = eight();
    sitting.type_keys("q");
    assert_eq!(sitting.wishes, [Wish::Leave]);
    sitting.type_keys("f5q");
    sitting.shows("The game has not been saved. Quit anyway?");
    sitting.type_keys("n");
    assert_eq!(sitting.wishes.len(), 1);
    sitting.type_keys("qy");
    assert_eq!(sitting.wishes.len(), 2);
    sitting.happen(Input::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)));
    assert_eq!(sitting.wishes.len(), 3, "Ctrl-C quits without asking");
    sitting.happen(Input::Terminate);
    assert_eq!(sitting.wishes.last(), Some(&Wish::Terminate));
}

#[test]
fn without_unicode_the_screen_is_plain_ascii() {
    let mut sitting = eight();
    for keys in ["v", "?", "xo", "\u{1b}p", "\u{1b}n", "\u{1b}s"] {
        for letter in keys.chars() {
            sitting.press(if letter == '\u{1b}' { KeyCode::Esc } else { KeyCode::Char(letter) });
        }
        let picture = drawn(&sitting.screen, Look::PLAIN);
        assert!(picture.is_ascii(), "{keys}\n{picture}");
    }
    sitting.happen(Input::Resize(40, 10));
    let picture = drawn(&sitting.screen, Look::PLAIN);
    assert!(picture.is_ascii() && picture.contains("least 66x16; or use `--lines`"), "{picture}");
}

/// Any key that a person may press, those that do something more often.
fn any_key() -> impl Strategy<Value = KeyEvent> {
    let letters = prop::sample::select("abcdefgh12345678urvmwnopslq?<>+-=*/ @:,.#xytzXYé".chars().collect::<Vec<_>>());
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

fn survives<B: StudiedBoard>(keys: &[KeyEvent], sizes: &[(u16, u16)]) {
    let mut sitting = Sitting::<B>::new();
    for (index, &key) in keys.iter().enumerate() {
        // Nothing is written by chance.
        if matches!(&sitting.screen.form, Form::Prompt(_)) && key.code == KeyCode::Enter {
            continue;
        }
        sitting.happen(Input::Key(key));
        if index % 8 == 0 {
            let (width, height) = sizes[index / 8 % sizes.len()];
            sitting.happen(Input::Resize(width, height));
            sitting.picture();
        }
    }
    let game = sitting.session.game();
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
