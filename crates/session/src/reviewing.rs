//! Other positions than the last one of the game, and the analysis of its moves.

use engine::Limits;
use othello::{IllegalMoveError, Square};
use players::PlayableBoard;
use players::analysts::AnalystChoice;

use crate::analysis::Analysis;
use crate::event::Step;
use crate::live_game::LiveGame;
use crate::message::{InputKind, Message};
use crate::order::{Order, OrderNumber, PlayedGame};
use crate::session::Session;

/// The hash table of an analysis, in MB: as `emilia analyze` has it.
const ANALYSIS_HASH: u32 = 32;

/// A game that is looked at and not played: its clocks are stopped.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Review {
    /// One that was loaded.
    Loaded,
    /// One that is being played: the moves of its last position, and whether an engine waited there.
    Played { moves: Vec<Square>, waited: bool },
}

impl<B: PlayableBoard> Session<B> {
    /// Makes a move on the square of this name, or refuses it; returns whether it was made.
    pub(crate) fn make_move(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut LiveGame<B>, Square) -> Result<(), IllegalMoveError>,
    ) -> bool {
        let square = B::GEOMETRY.parse_square(name).map_err(|error| error.to_string());
        let made = square.and_then(|square| make(&mut self.live, square).map_err(|error| error.to_string()));
        made.map_err(|reason| self.refuse(InputKind::Move, name, reason)).is_ok()
    }

    /// Goes to another position of the game. Engines wait there, unless the person took a turn back.
    pub(crate) fn go(&mut self, step: Step) {
        let missing = match step {
            Step::TakeBack if self.is_persons_turn() => Message::NothingToTakeBack { own: true },
            Step::TakeBack | Step::Back | Step::ToStart => Message::NothingToTakeBack { own: false },
            Step::PlayAgain | Step::Forward | Step::ToEnd => Message::NothingToPlayAgain,
            Step::Variation => Message::NoVariation,
        };
        let last = self.last_position();
        if !self.live.go(step, self.now) {
            self.say(missing);
        } else if matches!(step, Step::TakeBack | Step::PlayAgain) && self.live.has_person() {
            // Taking back a turn is playing, not reviewing.
            self.leave_position();
        } else {
            self.look_around(last);
        }
    }

    /// Shows the position after a move of either side. Engines wait there.
    pub(crate) fn step_in(&mut self, name: &str) {
        let (last, now) = (self.last_position(), self.now);
        if self.live.is_over() {
            self.say(Message::GameIsOver);
        } else if self.make_move(name, |live, square| live.step_in(square, now)) {
            self.look_around(last);
            self.announce_pass();
        }
    }

    /// Shows the position after this number of moves of a line.
    pub(crate) fn go_along(&mut self, line: &[Square], count: usize) {
        let (count, last) = (count.min(line.len()), self.last_position());
        if self.live.game.moves() != line[..count] && self.live.go_along(line, count, self.now) {
            self.look_around(last);
        }
    }

    pub(crate) fn show_move(&mut self, number: usize) {
        match &self.analysis {
            Some(analysis) => self.go_along(&analysis.line.clone(), number.saturating_sub(1)),
            None => self.say(Message::NoAnalysis),
        }
    }

    fn last_position(&self) -> Review {
        Review::Played { moves: self.live.game.moves(), waited: self.is_waiting }
    }

    fn leave_position(&mut self) {
        self.changed();
        self.thought = None;
        self.is_waiting = self.engine_to_move().is_some();
    }

    /// Records that another position is shown than the last one of the game. Back at the last position the game goes
    /// on as before.
    fn look_around(&mut self, before: Review) {
        self.leave_position();
        match self.review.take().unwrap_or(before) {
            Review::Played { moves, waited } if moves == self.live.game.moves() => self.is_waiting &= waited,
            review => self.review = Some(review),
        }
    }

    /// Starts or resumes the analysis of the whole line of the game. Engines wait meanwhile.
    pub(crate) fn analyze(&mut self, level: Option<u32>) {
        let game = self.live.game.clone();
        if game.line().is_empty() {
            return self.say(Message::NothingToAnalyze);
        }
        if !self.live.is_over() {
            let last = self.last_position();
            self.review.get_or_insert(last);
            self.is_waiting = self.engine_to_move().is_some();
        }
        let limits = level.map_or(Limits::default(), Limits::of_level);
        let choice = AnalystChoice { notation: None, limits, exact_from: None, hash: ANALYSIS_HASH };
        let analyst = choice.description::<B>(&self.registry);
        // Without a level, the analysis that was begun is resumed.
        let is_same =
            |analysis: &&Analysis<B>| analysis.is_of(&game) && (level.is_none() || analysis.analyst == analyst);
        let from = match self.analysis.as_ref().filter(is_same) {
            Some(analysis) if analysis.is_running || analysis.is_complete() => return,
            Some(analysis) => analysis.judged(),
            None => 0,
        };
        self.stop_analysis();
        let number = self.order(Order::Analyze { game: PlayedGame::whole(&game), from, choice: Box::new(choice) });
        match self.analysis.as_mut().filter(|_| from > 0) {
            Some(analysis) => (analysis.number, analysis.is_running) = (number, true),
            None => self.analysis = Some(Analysis::new(number, &game, analyst.clone())),
        }
        self.say(Message::Analyzing { analyst });
    }

    pub(crate) fn stop_analysis(&mut self) {
        let stop = self.analysis.as_ref().and_then(Analysis::stop);
        self.effects.extend(stop);
    }

    /// Ends the analysis of this order, if there is one, because of an error or not.
    pub(crate) fn end_analysis(&mut self, number: OrderNumber, failure: Option<String>) {
        let Some(analysis) = self.analysis.as_mut().filter(|analysis| analysis.number == number) else { return };
        analysis.is_running = false;
        let (judged, moves, mistakes) = (analysis.judged(), analysis.line.len(), analysis.mistakes());
        self.say(match failure {
            None => Message::Analyzed { judged, moves, mistakes },
            Some(reason) => Message::AnalysisFailed { reason },
        });
    }
}
