//! The view of a session, made from its state.

use std::cmp::Reverse;

use engine::{Estimate, Outcome, Progress};
use evaluation::{Value, winning};
use othello::{BoardShape, Color, Position, Rules, Square, SquareSet, squares, symmetric_moves};
use players::{PlayableBoard, time_span};
use records::{opening_names, transcript};
use report::diagram;
use report::words::{names, printable};

use crate::catalogue::Sides;
use crate::event::{NewGame, Step};
use crate::live_game::LiveGame;
use crate::opponent::Opponent;
use crate::reviewing::Review;
use crate::session::Session;
use crate::view::{
    Abilities, BoardView, Hint, MessageView, MoveView, PlyView, ResultView, SeatView, SetUpView, Thought, View,
};

impl<B: PlayableBoard> Session<B> {
    /// The content of a window, at the time of the last event.
    pub fn view(&self) -> View {
        let live = &self.live;
        let game = &live.game;
        let position = game.position();
        let is_thinking = self.is_thinking() || self.is_resting();
        let is_waiting = self.is_waiting && self.engine_to_move().is_some();
        View {
            game: self.game_number,
            revision: self.revision,
            board: BoardView::of(&position),
            turn: position.turn,
            legal_moves: if live.is_over() {
                Vec::new()
            } else {
                squares(position.board.moves()).map(|square| move_view(&position, square)).collect()
            },
            last_move: last_move(live),
            passed: game.plies().last().filter(|ply| ply.square.is_none()).map(|ply| ply.color),
            move_count: game.move_count(),
            empties: position.board.empties().count(),
            situation: match live.out_of_time() {
                Some(color) => format!("{color} is out of time"),
                None => diagram::situation(&position),
            },
            opening: opening_names::of_game(game).map(|opening| opening.name.to_owned()),
            result: live.is_over().then(|| result_view(live)),
            seats: [Color::Black, Color::White].map(|color| self.seat_view(color)),
            control: live.control,
            is_reviewing: self.review.is_some(),
            moves: plies(live),
            played: game.plies().len(),
            variations: live.variations().into_iter().map(|square| B::GEOMETRY.square_name(square)).collect(),
            shows_hints: self.shows_hints,
            hints: if self.shows_hints { hints::<B>(&self.advice, &position.board) } else { Vec::new() },
            is_advising: self.is_advising(),
            hint_settings: self.hint_settings,
            pace: self.pace.as_secs_f64(),
            analysis: self.analysis.as_ref().map(|analysis| analysis.view(game)),
            thought: self.thought.as_ref().map(|thought| {
                let origin = thought.progress.origin();
                let Progress { depth, selectivity, value, line, nodes, time, .. } = &thought.progress;
                Thought {
                    who: thought.who.clone(),
                    color: thought.color,
                    is_done: thought.is_done,
                    value: *value,
                    origin,
                    line: names::<B>(line),
                    depth: *depth,
                    selectivity: *selectivity,
                    nodes: *nodes,
                    seconds: time.as_secs_f64(),
                }
            }),
            is_thinking,
            is_waiting,
            message: self.message.clone().map(|message| MessageView { sentence: message.to_string(), message }),
            said: self.said,
            question: self.question.clone(),
            can: Abilities {
                play: !live.is_over() && (self.is_persons_turn() || is_waiting),
                take_back: live.reached_by(Step::TakeBack).is_some(),
                play_again: live.reached_by(Step::PlayAgain).is_some(),
                back: live.reached_by(Step::Back).is_some(),
                forward: live.reached_by(Step::Forward).is_some(),
                variation: live.reached_by(Step::Variation).is_some(),
                go_on: is_waiting,
                interrupt: is_thinking,
                analyze: !game.line().is_empty(),
            },
            unsaved: self.unsaved_moves(),
            set_up: self.set_up.as_ref().map(|set_up| {
                let position = set_up.position();
                SetUpView {
                    board: BoardView::of(&position),
                    turn: position.turn,
                    situation: diagram::situation(&position),
                    text: position.to_string(),
                }
            }),
            new_game: NewGame {
                sides: Sides::of([Color::Black, Color::White].map(|color| live.is_person(color))),
                clock: live.control.map_or(String::new(), |clock| time_span::clock_text(&clock)),
                board: BoardShape::of::<B>(),
            },
        }
    }

    fn seat_view(&self, color: Color) -> SeatView {
        let live = &self.live;
        let opponent = live.opponent(color);
        SeatView {
            color,
            name: opponent.map_or_else(|| live.player_name(color), |opponent| opponent.name.clone()),
            title: live.player_name(color),
            recorded: live.source.as_ref().filter(|_| self.review == Some(Review::Loaded)).map(|record| {
                let name = if color == Color::Black { &record.black } else { &record.white };
                printable(name).into_owned()
            }),
            control: live.control_of(color),
            player: opponent.map(|opponent| opponent.notation.text().to_owned()),
            level: opponent.and_then(|Opponent { level, .. }| *level),
            discs: live.game.position().discs(color).count() as usize,
            seconds: live.clock_shown(color, self.now).as_secs_f64(),
            runs: color == live.turn() && live.is_running(),
        }
    }

    /// The moves that would be lost, with the position where they began unless it is the start.
    fn unsaved_moves(&self) -> Option<String> {
        let game = &self.live.game;
        let moves = transcript::format(game);
        match game.start() {
            _ if !self.live.is_unsaved => None,
            start if start == Position::start() => Some(moves),
            start => Some(format!("{moves} from {start}")),
        }
    }
}

impl BoardView {
    /// The board of a position.
    pub fn of<B: Rules>(position: &Position<B>) -> Self {
        let side = B::GEOMETRY.side;
        let symbol = |column, row| match B::GEOMETRY.square_at(column, row) {
            Some(square) => position.disc_at(square).map_or('-', Color::disc),
            None => ' ',
        };
        let rows = (0..side).map(|row| (0..side).map(|column| symbol(column, row)).collect()).collect();
        Self { shape: BoardShape::of::<B>(), rows }
    }
}

fn move_view<B: Rules>(position: &Position<B>, square: Square) -> MoveView {
    let name = |square| B::GEOMETRY.square_name(square);
    MoveView { square: name(square), flips: squares(position.board.flips(square)).map(name).collect() }
}

fn last_move<B: Rules>(live: &LiveGame<B>) -> Option<MoveView> {
    let mut game = live.game.clone();
    let square = game.undo()?;
    Some(move_view(&game.position(), square))
}

fn result_view<B: Rules>(live: &LiveGame<B>) -> ResultView {
    let score = live.game.position().black_score();
    let winner = match (live.out_of_time(), score.discs().signum()) {
        (Some(loser), _) => Some(!loser),
        (None, 1) => Some(Color::Black),
        (None, 0) => None,
        (None, _) => Some(Color::White),
    };
    ResultView { verdict: live.verdict(), winner, score, out_of_time: live.out_of_time() }
}

fn plies<B: Rules>(live: &LiveGame<B>) -> Vec<PlyView> {
    let mut line = live.game.clone();
    line.forward();
    let mut walker = line.clone();
    walker.rewind();
    let view = |(ply, line): (othello::Ply, Option<Vec<Square>>)| {
        let variations = if ply.square.is_some() { walker.branches() } else { Vec::new() };
        if ply.square.is_some() {
            walker.redo();
        }
        let note = line.and_then(|line| live.note(&line));
        PlyView {
            color: ply.color,
            square: ply.square.map(|square| B::GEOMETRY.square_name(square)),
            variations: variations.into_iter().map(|square| B::GEOMETRY.square_name(square)).collect(),
            seconds: note.and_then(|note| note.time).map(|time| time.as_secs_f64()),
            expected: note.and_then(|note| note.evaluation),
        }
    };
    line.plies().into_iter().zip(live.lines()).map(view).collect()
}

/// The known values of the moves, the best first. Symmetric moves share the best founded of their values.
fn hints<B: PlayableBoard>(advice: &[Progress], board: &B) -> Vec<Hint> {
    let empties = board.empties().count();
    let groups: Vec<(Progress, Vec<Square>)> = advice
        .iter()
        .filter_map(|own| {
            let square = *own.line.first()?;
            let symmetric = symmetric_moves(board, square);
            let is_in_group = |other: &&Progress| other.line.first().is_some_and(|first| symmetric.contains(first));
            let group = advice.iter().filter(is_in_group).chain([own]);
            // Of those that are founded equally well, the first one counts for all.
            let shared = group.max_by_key(|member| (member.foundation(), Reverse(&member.line)))?;
            Some((Progress { line: own.line.clone(), ..shared.clone() }, symmetric))
        })
        .collect();
    let worths = groups.iter().filter_map(|(progress, _)| progress.value).map(worth);
    let best = worths.max();
    let mut sorted: Vec<_> = groups.iter().collect();
    // Those of which nothing is known yet come last.
    sorted.sort_by_key(|(progress, _)| {
        let order = progress.value.map_or(i64::MAX, |value| -i64::from(worth(value)));
        (order, progress.line.first().copied())
    });
    let hint = |(progress, symmetric): &(Progress, Vec<Square>)| {
        Some(Hint {
            square: B::GEOMETRY.square_name(*progress.line.first()?),
            symmetric_moves: symmetric.iter().map(|&square| B::GEOMETRY.square_name(square)).collect(),
            value: progress.value,
            origin: progress.origin(),
            win_probability: progress.value.and_then(|value| win_probability::<B>(value, empties, progress.depth)),
            is_best: progress.value.is_some_and(|value| best == Some(worth(value))),
            line: names::<B>(&progress.line),
            depth: progress.depth,
            selectivity: progress.selectivity,
        })
    };
    sorted.into_iter().filter_map(hint).collect()
}

/// The chance to win that belongs to a value of a search: a fact if the value is, else fitted to games.
fn win_probability<B: PlayableBoard>(value: Estimate, empties: u32, depth: u32) -> Option<f64> {
    match value {
        Estimate::Solved(score) => Some(winning::of_score(score)),
        Estimate::Discs { hundredths } if B::EMILIA.is_some_and(|emilia| emilia.has_chances) => {
            let value = Value::from_discs(hundredths as f32 / 100.0);
            Some(winning::probability(value, empties.saturating_sub(depth)))
        }
        Estimate::Chance { thousandths } => Some(f64::from(thousandths) / 1000.0),
        Estimate::Discs { .. } | Estimate::Points(_) | Estimate::Proven(_) => None,
    }
}

/// A value as a number that can be compared with others of one position, in hundredths of a disc or in points.
fn worth(value: Estimate) -> i32 {
    match value {
        Estimate::Solved(score) => score.discs() * 100,
        Estimate::Discs { hundredths } => hundredths,
        // No chance is better than a victory that is proven.
        Estimate::Chance { thousandths } => (thousandths - 500) * 12,
        Estimate::Points(points) => points,
        Estimate::Proven(Outcome::Win) => 6_400,
        Estimate::Proven(Outcome::Draw) => 0,
        Estimate::Proven(Outcome::Loss) => -6_400,
    }
}
