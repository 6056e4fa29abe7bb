//! Workbenches in threads, for hosts that have threads: one for each player, one for the adviser, one for the analyst.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{SendError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use engine::clock::Moment;
use engine::{Player, Stop, guarded};
use othello::{Color, Rules};

use crate::opponent::Seating;
use crate::order::{Order, OrderNumber, Reply};
use crate::studied_board::StudiedBoard;
use crate::workbench::{BoardWorkbench, Resources};

/// Grace period for the end of a thread, after which it is abandoned.
const GRACE: Duration = Duration::from_secs(1);

/// Interval at which a thread is checked for its end.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Time that an external program has to report that it cannot be started. One that takes longer to start is seated
/// meanwhile.
const START: Duration = Duration::from_millis(500);

type Listener<B> = Arc<dyn Fn(OrderNumber, Reply<B>) + Send + Sync>;

/// Workbenches in threads. When it is dropped, all orders end.
pub struct PlayerThreads<B: StudiedBoard> {
    seats: [Option<Lane<B>>; 2],
    adviser: Option<Lane<B>>,
    analyst: Option<Lane<B>>,
    resources: Resources,
    listener: Listener<B>,
}

impl<B: StudiedBoard> fmt::Debug for PlayerThreads<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlayerThreads").field("resources", &self.resources).finish_non_exhaustive()
    }
}

impl<B: StudiedBoard> PlayerThreads<B> {
    /// Threads with these players. Others are made with these resources; the listener receives all replies.
    pub fn new(
        players: [Option<Box<dyn Player<B>>>; 2],
        resources: Resources,
        listener: impl Fn(OrderNumber, Reply<B>) + Send + Sync + 'static,
    ) -> Self {
        let mut threads =
            Self { seats: [None, None], adviser: None, analyst: None, resources, listener: Arc::new(listener) };
        for (color, player) in [Color::Black, Color::White].into_iter().zip(players) {
            threads.seats[color as usize] = player.map(|player| {
                let name = player.name().to_owned();
                let mut workbench = BoardWorkbench::new(threads.resources.clone());
                workbench.players[color as usize] = Some(player);
                threads.lane(name, workbench)
            });
        }
        threads
    }

    /// Starts an order, and returns its reply if that is already there.
    pub fn start(&mut self, number: OrderNumber, order: Order<B>) -> Option<Reply<B>> {
        let lane = match &order {
            Order::Seat { color, seating, .. } => {
                let (color, seating) = (*color, seating.clone());
                return Some(self.seat(number, color, &seating, order));
            }
            Order::Unseat { color } => {
                if let Some(lane) = self.seats[*color as usize].take() {
                    lane.leave();
                }
                return None;
            }
            Order::Swap | Order::NewGame => {
                self.seats.iter_mut().flatten().for_each(|lane| lane.send(number, order.clone()));
                if order == Order::Swap {
                    self.seats.swap(0, 1);
                }
                return None;
            }
            Order::Think { color, .. } | Order::Ponder { color, .. } | Order::Learn { color, .. } => {
                match &mut self.seats[*color as usize] {
                    Some(lane) => lane,
                    None => return Some(Reply::Failed { reason: "no player has this color".to_owned() }),
                }
            }
            Order::Advise { .. } => {
                let lane = self.adviser.take().unwrap_or_else(|| self.new_lane("the adviser"));
                self.adviser.insert(lane)
            }
            Order::Analyze { .. }
            | Order::Judge { .. }
            | Order::Solve { .. }
            | Order::Book { .. }
            | Order::Explain { .. } => {
                let lane = self.analyst.take().unwrap_or_else(|| self.new_lane("the analysis"));
                self.analyst.insert(lane)
            }
        };
        lane.send(number, order);
        None
    }

    /// Ends an order soon; its last reply still comes.
    pub fn stop(&mut self, number: OrderNumber) {
        let lanes = self.seats.iter().chain([&self.adviser, &self.analyst]).flatten();
        lanes.filter(|lane| lane.question.0 == number).for_each(|lane| lane.question.1.0.set());
    }

    /// Ends the threads, and waits for them no longer than the grace period.
    pub fn leave(self) {
        let lanes: Vec<_> = self.seats.into_iter().chain([self.adviser, self.analyst]).flatten().collect();
        lanes.iter().for_each(Lane::stop);
        lanes.into_iter().for_each(Lane::leave);
    }

    /// Makes a player, and puts it on its seat unless it fails.
    fn seat(&mut self, number: OrderNumber, color: Color, seating: &Seating, order: Order<B>) -> Reply<B> {
        let mut workbench = BoardWorkbench::new(self.resources.clone());
        let mut reply = Reply::Done;
        workbench.carry_out(order, &Stop::new(), &mut |said| reply = said);
        let Reply::Seated { name } = &reply else { return reply };
        let mut lane = self.lane(name.clone(), workbench);
        if seating.notation.is_external() {
            let (begun, has_begun) = channel();
            let listener = Arc::clone(&self.listener);
            lane.send_with(number, Order::NewGame, move |reply| {
                // A later reply goes to the listener.
                if let Err(SendError(reply)) = begun.send(reply) {
                    listener(number, reply);
                }
            });
            if let Ok(failure @ Reply::Failed { .. }) = has_begun.recv_timeout(START) {
                return failure;
            }
        }
        if let Some(before) = self.seats[color as usize].replace(lane) {
            before.leave();
        }
        reply
    }

    fn new_lane(&self, name: &str) -> Lane<B> {
        self.lane(name.to_owned(), BoardWorkbench::new(self.resources.clone()))
    }

    fn lane(&self, name: String, mut workbench: BoardWorkbench<B>) -> Lane<B> {
        let (orders, inbox) = channel::<LaneOrder<B>>();
        let thread = thread::spawn(move || {
            while let Ok(LaneOrder { order, stop, mut tell }) = inbox.recv() {
                let carried_out = guarded(&name, || {
                    workbench.carry_out(order, &stop, &mut tell);
                    Ok(())
                });
                if let Err(panic) = carried_out {
                    tell(Reply::Failed { reason: panic.to_string() });
                }
            }
        });
        let [question, learning] = [(); 2].map(|()| StopOnDrop(Stop::new()));
        Lane { orders, question: (0, question), learning, thread, listener: Arc::clone(&self.listener) }
    }
}

struct Lane<B: Rules> {
    orders: Sender<LaneOrder<B>>,
    /// The last order to think, which the next one ends, with its number.
    question: (OrderNumber, StopOnDrop),
    /// Ends learning, which goes on while there are questions, when the lane ends.
    learning: StopOnDrop,
    thread: JoinHandle<()>,
    listener: Listener<B>,
}

struct LaneOrder<B: Rules> {
    order: Order<B>,
    stop: Stop,
    tell: Box<dyn FnMut(Reply<B>) + Send>,
}

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

impl<B: Rules> Lane<B> {
    fn send(&mut self, number: OrderNumber, order: Order<B>) {
        let listener = Arc::clone(&self.listener);
        self.send_with(number, order, move |reply| listener(number, reply));
    }

    fn send_with(&mut self, number: OrderNumber, order: Order<B>, tell: impl FnMut(Reply<B>) + Send + 'static) {
        let stop = match order {
            Order::Learn { .. } => self.learning.0.clone(),
            Order::Swap | Order::NewGame => Stop::new(),
            _ => {
                let stop = Stop::new();
                self.question = (number, StopOnDrop(stop.clone()));
                stop
            }
        };
        // A thread that has ended has reported why.
        let _ = self.orders.send(LaneOrder { order, stop, tell: Box::new(tell) });
    }

    fn stop(&self) {
        self.question.1.0.set();
        self.learning.0.set();
    }

    /// Ends the thread, and waits for it no longer than the grace period.
    fn leave(self) {
        self.stop();
        let Self { orders, thread, .. } = self;
        drop(orders);
        let start = Moment::now();
        while !thread.is_finished() && start.elapsed() < GRACE {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use engine::Limits;
    use othello::{Board, Game, SmallBoard};
    use players::analysts::AnalystChoice;
    use players::{PlayerOptions, Registry, SearchOptions};

    use super::*;
    use crate::order::PlayedGame;

    fn seat<B: StudiedBoard>(text: &str) -> Order<B> {
        let seating = Seating::new(text.parse().expect("a player"), None);
        Order::Seat { color: Color::White, seating, seed: 1 }
    }

    fn think<B: StudiedBoard>(color: Color) -> Order<B> {
        Order::Think { color, game: PlayedGame::of(&Game::default()), limits: Limits::default() }
    }

    fn threads<B: StudiedBoard>() -> (PlayerThreads<B>, Receiver<(OrderNumber, Reply<B>)>) {
        let search = SearchOptions { hash: 1, ..SearchOptions::default() };
        let options = PlayerOptions { search, ..PlayerOptions::default() };
        let (replies, inbox) = channel();
        let listener = move |number, reply| drop(replies.send((number, reply)));
        let resources = Resources { options, ..Resources::new(Arc::new(Registry::core())) };
        (PlayerThreads::new([None, None], resources, listener), inbox)
    }

    #[test]
    fn players_are_seated_choose_moves_and_change_seats() {
        let (mut threads, replies) = threads::<Board>();
        assert_eq!(threads.start(1, seat("random")), Some(Reply::Seated { name: "random".to_owned() }));
        assert!(threads.start(2, Order::NewGame).is_none());
        let no_player = Some(Reply::Failed { reason: "no player has this color".to_owned() });
        assert_eq!(threads.start(3, think(Color::Black)), no_player);
        threads.start(4, Order::Swap);
        assert!(threads.start(5, think(Color::Black)).is_none());
        let answer = replies.iter().find(|(_, reply)| matches!(reply, Reply::Chosen { .. } | Reply::Failed { .. }));
        assert!(matches!(answer, Some((5, Reply::Chosen { .. }))), "{answer:?}");
        threads.start(6, Order::Unseat { color: Color::Black });
        assert_eq!(threads.start(7, think(Color::Black)), no_player);
        threads.leave();
    }

    #[test]
    fn every_move_is_valued_and_a_player_that_cannot_be_made_is_refused_in_words() {
        let (mut threads, replies) = threads::<SmallBoard<4>>();
        let game = PlayedGame::of(&Game::default());
        assert!(threads.start(7, Order::Advise { game, level: 16, moves: Vec::new().into() }).is_none());
        let mut valued = std::collections::BTreeSet::new();
        for (number, reply) in replies {
            assert_eq!(number, 7);
            match reply {
                Reply::Thought { progress } => {
                    let progress = engine::Progress::from(progress);
                    valued.insert(progress.line.first().copied());
                }
                reply => {
                    assert_eq!(reply, Reply::Done);
                    break;
                }
            }
        }
        assert_eq!(valued.len(), 4, "all moves of the start");
        let refused = threads.start(8, seat("nobody"));
        assert!(matches!(&refused, Some(Reply::Failed { reason }) if reason.contains("nobody")), "{refused:?}");
    }

    #[test]
    fn a_program_that_cannot_be_started_is_refused_when_it_is_chosen() {
        let (mut threads, _replies) = threads::<Board>();
        threads.start(1, seat("random"));
        for text in ["gtp:/no/such/program -x", "nboard:/no/such/program"] {
            let refused = threads.start(2, seat(text));
            let Some(Reply::Failed { reason }) = refused else { panic!("{text}: {refused:?}") };
            assert!(reason.contains("/no/such/program"), "{reason}");
        }
        // The player that was there before remains.
        assert!(threads.start(3, think(Color::White)).is_none());
        threads.leave();
    }

    #[test]
    fn a_player_with_a_clock_of_its_own_is_seated() {
        let (mut threads, _replies) = threads::<Board>();
        let seated = threads.start(1, seat("emilia@level=8,time=1m"));
        assert!(matches!(seated, Some(Reply::Seated { .. })), "{seated:?}");
    }

    #[test]
    fn a_game_is_judged_move_by_move_and_the_analysis_can_be_stopped() {
        let (mut threads, replies) = threads::<SmallBoard<4>>();
        let mut game = Game::<SmallBoard<4>>::default();
        while let Some(square) = othello::squares(game.position().board.moves()).next() {
            game.play(square).expect("legal");
        }
        let limits = Limits::of_level(2);
        let choice = Box::new(AnalystChoice { notation: None, limits, exact_from: None, hash: 1 });
        let analyze = |from| Order::Analyze { game: PlayedGame::whole(&game), from, choice: choice.clone() };
        threads.start(3, analyze(2));
        let mut numbers = Vec::new();
        for reply in &replies {
            match reply {
                (3, Reply::Judged { judged }) => numbers.push(judged.number),
                reply => {
                    assert_eq!(reply, (3, Reply::Done));
                    break;
                }
            }
        }
        assert_eq!(numbers, (3..=game.line().len()).collect::<Vec<_>>());
        // One that is stopped is done, too.
        threads.start(4, analyze(0));
        threads.stop(4);
        assert!(replies.iter().any(|reply| reply == (4, Reply::Done)));
    }
}
