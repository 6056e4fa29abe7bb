//! A page's session on one board: requests and replies go in, messages and jobs come out.

mod beginning;
mod divided_analysis;
mod panels;
mod showing;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use othello::{BoardShape, SquareSet, squares, with_board};
use players::{PlayableBoard, Registry};
use session::catalogue::{self, Catalogue, ListedPlayer};
use session::{Effect, Event, FileResult, FoundGame, Order, OrderNumber, Reply, Session, Start, StudiedBoard};

pub(crate) use self::beginning::{Beginning, MAX_RECORD};

use self::beginning::check_player;
use self::divided_analysis::DividedAnalysis;
use self::panels::Panels;
use self::showing::{LastView, VIEW_PAUSE};
use crate::host::{HostOptions, Lane, Output};
use crate::message::{PlayerChoice, Request};
use crate::turn::Turn;

const MOVE_LIMIT: Duration = Duration::from_secs(120);
/// Time limit of hints, and of the judgement of one move.
const STUDY_LIMIT: Duration = Duration::from_secs(180);
/// Time limit of solving, and of an analysis that cannot be divided.
const LONG_LIMIT: Duration = Duration::from_secs(1800);
/// Time limit of everything else.
const SHORT_LIMIT: Duration = Duration::from_secs(30);

/// Maximum time until the next tick: any timer of an executor can wait as long.
const MAX_WAIT: Duration = Duration::from_secs(60 * 60);

pub(crate) trait Client: Any + Send + fmt::Debug {
    fn board(&self) -> BoardShape;

    /// Orders the first players, and shows the game.
    fn begin(&mut self, turn: &mut Turn);

    /// Ends all jobs: another client takes over.
    fn leave(&mut self, turn: &mut Turn);

    fn handle(&mut self, request: Request, turn: &mut Turn);

    fn reply(&mut self, job: u64, reply: &str, turn: &mut Turn);

    fn cut(&mut self, job: u64, turn: &mut Turn);

    fn tick(&mut self, turn: &mut Turn);

    /// The time of the next tick, for the clocks and for views that were delayed.
    fn next_tick(&self) -> Option<Duration>;
}

/// A client on a board. If its beginning is refused, the page receives the reason, and the default replaces it.
pub(crate) fn client(
    registry: &Arc<Registry>,
    shape: BoardShape,
    beginning: &Beginning,
    options: HostOptions,
    turn: &mut Turn,
) -> Box<dyn Client> {
    with_board!(shape, B => Box::new(BoardClient::<B>::new(registry, beginning, options, turn)))
}

#[derive(Clone, PartialEq, Debug)]
enum Purpose {
    /// An order of the session, or a part of one.
    Session(OrderNumber),
    /// The judgement of the move with this index in a divided analysis.
    Move { number: OrderNumber, index: usize },
    /// The judgement of a move that was tried.
    Try { square: String, revision: u64 },
    /// The solving of a position.
    Solve,
    /// Explanations of the position of this revision.
    Explain(u64),
    /// The opening book at the position of this revision.
    Book(u64),
}

impl Purpose {
    fn number(&self) -> Option<OrderNumber> {
        match self {
            Purpose::Session(number) | Purpose::Move { number, .. } => Some(*number),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct BoardClient<B: StudiedBoard> {
    session: Session<B>,
    options: HostOptions,
    jobs: BTreeMap<u64, (Purpose, Lane)>,
    analysis: Option<DividedAnalysis<B>>,
    panels: Panels,
    last_view: Option<LastView>,
    is_dirty: bool,
}

pub(crate) fn players<B: PlayableBoard>(registry: &Registry) -> Vec<PlayerChoice> {
    let catalogue = Catalogue::of::<B>(registry);
    let choice = |listed: &ListedPlayer| {
        let levels = catalogue.levels(&listed.name, false, None);
        PlayerChoice {
            listed: listed.clone(),
            levels: catalogue.listed_levels(&listed.name, false, None),
            levels_with_clock: catalogue.listed_levels(&listed.name, true, None),
            default_level: catalogue::level_to_begin_with(&levels, &listed.name, None),
        }
    };
    catalogue.players.iter().map(choice).collect()
}

impl<B: StudiedBoard> Client for BoardClient<B> {
    fn board(&self) -> BoardShape {
        BoardShape::of::<B>()
    }

    fn begin(&mut self, turn: &mut Turn) {
        let effects = self.session.order_players();
        self.carry_out(effects, turn);
        self.event(Event::Tick, turn);
    }

    fn leave(&mut self, turn: &mut Turn) {
        self.drop_jobs(|_| true, turn);
    }

    fn handle(&mut self, request: Request, turn: &mut Turn) {
        match request {
            Request::Event { event } => self.event(event, turn),
            Request::Save { format } => self.save(format, turn),
            Request::Solve { outcome_only, all_moves } => self.solve(outcome_only, all_moves, turn),
            Request::StopSolving => self.stop(|purpose| *purpose == Purpose::Solve, turn),
            Request::Try { square } => self.try_move(square, turn),
            Request::Book => self.look_up(turn),
            Request::Preview { line } => self.preview(line, turn),
            // The host handles these.
            Request::Hello { .. }
            | Request::Open { .. }
            | Request::Puzzle { .. }
            | Request::Players { .. }
            | Request::Farm => {}
        }
    }

    fn reply(&mut self, job: u64, reply: &str, turn: &mut Turn) {
        let Some((purpose, _)) = self.jobs.get(&job).cloned() else { return };
        let Ok(reply) = serde_json::from_str::<Reply<B>>(reply) else {
            // A job whose replies cannot be read need not go on.
            turn.outputs.push(Output::Stop { job });
            return self.cut(job, turn);
        };
        if reply.is_last() {
            self.jobs.remove(&job);
        }
        let is_move = matches!(reply, Reply::Chosen { .. });
        match purpose {
            Purpose::Session(number) => self.take(number, reply, turn),
            Purpose::Move { number, index } => self.take_judged(number, index, reply, turn),
            purpose => self.take_for_panel(purpose, reply, turn),
        }
        self.is_dirty = true;
        self.settle(turn);
        if is_move {
            self.show(turn);
        } else {
            self.show_soon(turn);
        }
    }

    fn cut(&mut self, job: u64, turn: &mut Turn) {
        let Some((purpose, _)) = self.jobs.remove(&job) else { return };
        let stopped = Reply::Failed { reason: "it was stopped".to_owned() };
        match purpose {
            // Hints end with the last of their jobs.
            Purpose::Session(number) if self.has_jobs(number) => {}
            Purpose::Session(number) => {
                let effects = self.session.cut(number, turn.now);
                self.carry_out(effects, turn);
            }
            Purpose::Move { number, index } => self.take_judged(number, index, stopped, turn),
            purpose => self.take_for_panel(purpose, stopped, turn),
        }
        self.settle(turn);
        self.show(turn);
    }

    fn tick(&mut self, turn: &mut Turn) {
        let effects = self.session.handle(Event::Tick, turn.now);
        self.carry_out(effects, turn);
        self.settle(turn);
        if self.is_dirty || self.has_news() {
            self.show(turn);
        }
    }

    fn next_tick(&self) -> Option<Duration> {
        let last = self.last_view.as_ref()?;
        let flush = self.is_dirty.then(|| last.time + VIEW_PAUSE);
        let live = self.session.view();
        let has_engines = live.seats.iter().all(|seat| !seat.is_person());
        // Counted from the last tick: nothing new may have been shown since.
        let pause = (live.is_thinking && has_engines && last.view.pace > 0.0).then(|| self.session.now() + VIEW_PAUSE);
        let clock = live.seats.iter().find(|seat| seat.runs && seat.control.is_some()).map(|seat| {
            // A clock with more time is looked at before it can have run out.
            self.session.now() + self.session.clock_shown(seat.color).min(MAX_WAIT) + Duration::from_millis(1)
        });
        [flush, pause, clock].into_iter().flatten().min()
    }
}

impl<B: StudiedBoard> BoardClient<B> {
    fn new(registry: &Arc<Registry>, beginning: &Beginning, options: HostOptions, turn: &mut Turn) -> Self {
        let start = beginning::start(registry, beginning, &options).unwrap_or_else(|reason| {
            turn.refuse(reason);
            // The game that was played before is not lost because of a link that cannot be read.
            let kept = match beginning {
                Beginning::Linked(_, Some(state)) => beginning::of_state(registry, state, &options).ok(),
                _ => None,
            };
            kept.unwrap_or_else(|| beginning::of_new_game(registry))
        });
        let (seed, date) = (options.seed.wrapping_add(turn.next_job), options.date);
        let start = Start { seed, date, ..beginning::with_levels(start) };
        Self {
            session: Session::new(start),
            options,
            jobs: BTreeMap::new(),
            analysis: None,
            panels: Panels::default(),
            last_view: None,
            is_dirty: true,
        }
    }

    fn event(&mut self, event: Event, turn: &mut Turn) {
        let effects = self.session.handle(event, turn.now);
        self.carry_out(effects, turn);
        self.settle(turn);
        self.show(turn);
    }

    pub(crate) fn load(&mut self, name: &str, found: FoundGame<B>, turn: &mut Turn) {
        self.take_file(name, FileResult::Loaded(found), turn);
        self.settle(turn);
        self.show(turn);
    }

    fn take_file(&mut self, name: &str, result: FileResult<B>, turn: &mut Turn) {
        let effects = self.session.take_file(Path::new(name), result, turn.now);
        self.carry_out(effects, turn);
    }

    /// Passes a reply to the session, and carries out what follows. An order with several jobs is done with the last of
    /// them, and fails with the first that fails.
    fn take(&mut self, number: OrderNumber, reply: Reply<B>, turn: &mut Turn) {
        match reply {
            Reply::Done if self.has_jobs(number) => return,
            Reply::Failed { .. } => self.drop_jobs(|purpose| purpose.number() == Some(number), turn),
            _ => {}
        }
        let effects = self.session.take(number, reply, turn.now);
        self.carry_out(effects, turn);
    }

    fn carry_out(&mut self, effects: Vec<Effect<B>>, turn: &mut Turn) {
        for effect in effects {
            match effect {
                Effect::Start { number, order } => self.start_order(number, order, turn),
                Effect::Stop { number } => self.stop_order(number, turn),
                Effect::ChangeBoard(other) => turn.other_board = Some(other),
                // The host does not pass on events that name files.
                Effect::Save { .. } | Effect::WriteReport { .. } | Effect::Load { .. } => {}
            }
        }
    }

    fn start_order(&mut self, number: OrderNumber, order: Order<B>, turn: &mut Turn) {
        match order {
            Order::Seat { ref seating, .. } => match check_player(&seating.notation, &self.options) {
                Ok(()) => self.start(order, Purpose::Session(number), turn),
                Err(refusal) => self.take(number, Reply::Failed { reason: refusal.to_string() }, turn),
            },
            // Only the adviser of all moves has the values of the book.
            Order::Advise { game, level, .. }
                if self.options.splits_hints && !self.has_book() && B::EMILIA.is_some() =>
            {
                let board = game.game().map_or(B::start(), |game| game.position().board);
                let moves: Vec<_> = squares(board.moves()).collect();
                let parts = self.options.study_lanes.clamp(1, board.moves().count().max(1) as usize);
                for part in 0..parts {
                    let own = moves.iter().copied().skip(part).step_by(parts).collect::<Vec<_>>();
                    let own = if parts == 1 { Vec::new() } else { own };
                    let order = Order::Advise { game: game.clone(), level, moves: own.into() };
                    self.start(order, Purpose::Session(number), turn);
                }
            }
            Order::Analyze { game, from, choice } if choice.is_independent::<B>(self.session.registry()) => {
                self.divide_analysis(DividedAnalysis::new(number, game, choice, from), turn);
            }
            order => self.start(order, Purpose::Session(number), turn),
        }
    }

    /// Ends an order of the session. A player still has its move; nothing else is of use.
    fn stop_order(&mut self, number: OrderNumber, turn: &mut Turn) {
        let is_part = |purpose: &Purpose| purpose.number() == Some(number);
        if self.jobs.values().any(|(purpose, lane)| is_part(purpose) && *lane == Lane::Game) {
            return self.stop(is_part, turn);
        }
        self.drop_jobs(is_part, turn);
        self.analysis = self.analysis.take().filter(|analysis| analysis.number != number);
        self.take(number, Reply::Done, turn);
    }

    fn start(&mut self, order: Order<B>, purpose: Purpose, turn: &mut Turn) {
        let (lane, time_limit) = match &order {
            Order::Seat { .. }
            | Order::Unseat { .. }
            | Order::Swap
            | Order::NewGame
            | Order::Ponder { .. }
            | Order::Learn { .. } => (Lane::Game, SHORT_LIMIT),
            Order::Think { .. } => (Lane::Game, MOVE_LIMIT),
            Order::Advise { .. } | Order::Judge { .. } => (Lane::Study, STUDY_LIMIT),
            Order::Analyze { .. } | Order::Solve { .. } => (Lane::Study, LONG_LIMIT),
            Order::Explain { .. } | Order::Book { .. } => (Lane::Study, SHORT_LIMIT),
        };
        let Ok(order) = order.text() else { return };
        let job = turn.next_job;
        turn.next_job += 1;
        self.jobs.insert(job, (purpose, lane));
        turn.outputs.push(Output::Start { job, lane, order, time_limit });
    }

    fn has_jobs(&self, number: OrderNumber) -> bool {
        self.jobs.values().any(|(purpose, _)| purpose.number() == Some(number))
    }

    /// Ends jobs soon; their last replies still count.
    fn stop(&self, is_meant: impl Fn(&Purpose) -> bool, turn: &mut Turn) {
        for (&job, _) in self.jobs.iter().filter(|(_, (purpose, _))| is_meant(purpose)) {
            turn.outputs.push(Output::Stop { job });
        }
    }

    /// Ends jobs whose replies no longer count.
    fn drop_jobs(&mut self, is_meant: impl Fn(&Purpose) -> bool, turn: &mut Turn) {
        self.stop(&is_meant, turn);
        self.jobs.retain(|_, (purpose, _)| !is_meant(purpose));
    }
}
