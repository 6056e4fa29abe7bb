//! Panels beside the board: solving, tried moves, the opening book, explanations, previews, saving.

use anyhow::{Context, Result, ensure};
use engine::Limits;
use engine::analysis::Judgement;
use othello::{BoardShape, Game, Position, Square, SquareSet};
use players::analysts::AnalystChoice;
use records::Format;
use report::{diagram, svg};
use session::exercises::Exercise;
use session::{BoardView, Effect, Event, FileResult, Order, PlayedGame, Reply, StudiedBoard};

use super::{BoardClient, Purpose};
use crate::files::{self, saved_name};
use crate::message::{Explained, FileContent, Response, SaveFormat, Solving};
use crate::turn::Turn;

/// Hash table size of a judgement, in MB, as `emilia analyze` has it.
const ANALYSIS_HASH: u32 = 32;

/// Maximum number of moves of a previewed line.
const MAX_PREVIEW: usize = 120;

#[derive(Debug, Default)]
pub(super) struct Panels {
    pub(super) solving: Option<(u64, Solving)>,
    pub(super) explanations: Vec<Explained>,
    /// The game and revision that were explained, or are being explained.
    explained: Option<(u64, u64)>,
}

impl<B: StudiedBoard> BoardClient<B> {
    pub(super) fn save(&mut self, format: SaveFormat, turn: &mut Turn) {
        match self.saved(format, turn) {
            Ok(files) => turn.send(&Response::Files { files }),
            Err(reason) => turn.refuse(reason),
        }
        self.show(turn);
    }

    fn saved(&mut self, format: SaveFormat, turn: &mut Turn) -> Result<Vec<FileContent>> {
        let name = saved_name(format);
        match format {
            SaveFormat::Svg => {
                let game = self.session.game();
                let (position, last_move) = (game.position(), game.moves().last().copied());
                let picture = svg::picture(&position, last_move, &diagram::situation(&position));
                Ok(vec![FileContent::of_text(name, picture)])
            }
            SaveFormat::Html => {
                let effects = self.session.handle(Event::WriteReport { path: name.into(), overwrite: true }, turn.now);
                let page = effects.into_iter().find_map(|effect| match effect {
                    Effect::WriteReport { html, .. } => Some(vec![FileContent::of_text(name, html)]),
                    _ => None,
                });
                page.context("the game has not been analyzed")
            }
            _ => {
                let format = Format::from_path(name).unwrap_or(Format::Transcript);
                let files = files::written(&self.session.record(), format, name)?;
                self.take_file(name, FileResult::Saved, turn);
                Ok(files)
            }
        }
    }

    pub(super) fn solve(&mut self, outcome_only: bool, all_moves: bool, turn: &mut Turn) {
        self.end_solving(turn);
        if B::EMILIA.is_none() {
            return turn.refuse(format!("there is no solver for the {} board", B::GEOMETRY.name));
        }
        let solving = Solving { is_running: true, outcome_only, ..Solving::default() };
        self.panels.solving = Some((self.session.view().revision, solving));
        let position = self.session.game().position();
        self.start(Order::Solve { position, outcome_only, all_moves }, Purpose::Solve, turn);
        self.show(turn);
    }

    fn end_solving(&mut self, turn: &mut Turn) {
        self.drop_jobs(|purpose| *purpose == Purpose::Solve, turn);
        self.panels.solving = None;
    }

    pub(super) fn try_move(&mut self, name: String, turn: &mut Turn) {
        let square = match self.legal_move(&name) {
            Ok(square) => square.into(),
            Err(reason) => return turn.refuse(reason),
        };
        let choice = AnalystChoice { notation: None, limits: Limits::default(), exact_from: None, hash: ANALYSIS_HASH };
        let order = Order::Judge { game: PlayedGame::of(self.session.game()), square, choice: Box::new(choice) };
        let revision = self.session.view().revision;
        self.stop(|purpose| matches!(purpose, Purpose::Try { .. }), turn);
        self.start(order, Purpose::Try { square: name, revision }, turn);
    }

    fn legal_move(&self, name: &str) -> Result<Square> {
        let square = B::GEOMETRY.parse_square(name)?;
        ensure!(self.session.game().position().board.moves().has(square), "the move {name} is not legal");
        Ok(square)
    }

    pub(super) fn look_up(&mut self, turn: &mut Turn) {
        if !self.has_book() {
            return turn.refuse("there is no opening book here");
        }
        let revision = self.session.view().revision;
        if self.jobs.values().any(|(purpose, _)| *purpose == Purpose::Book(revision)) {
            return;
        }
        // Answers about other positions are of no more use.
        self.drop_jobs(|purpose| matches!(purpose, Purpose::Book(_)), turn);
        let position = self.session.game().position();
        self.start(Order::Book { position }, Purpose::Book(revision), turn);
    }

    pub(super) fn has_book(&self) -> bool {
        self.options.has_book && BoardShape::of::<B>() == BoardShape::Eight
    }

    pub(super) fn preview(&self, line: String, turn: &mut Turn) {
        match self.positions(&line) {
            Ok(positions) => turn.send(&Response::Preview {
                line,
                boards: positions.iter().map(|position| BoardView::of(position).rows).collect(),
                turns: positions.iter().map(|position| position.turn).collect(),
            }),
            Err(reason) => turn.refuse(reason),
        }
    }

    fn positions(&self, line: &str) -> Result<Vec<Position<B>>> {
        let moves = line.parse::<othello::json::MoveSequence<B>>()?.squares;
        ensure!(moves.len() <= MAX_PREVIEW, "the line is too long");
        let mut game = Game::from_position(self.session.game().position());
        let mut positions = vec![game.position()];
        for square in moves {
            game.play(square)?;
            positions.push(game.position());
        }
        Ok(positions)
    }

    pub(super) fn take_for_panel(&mut self, purpose: Purpose, reply: Reply<B>, turn: &mut Turn) {
        let solving = self.panels.solving.as_mut().map(|(_, solving)| solving);
        match (purpose, reply) {
            (Purpose::Try { square, revision }, Reply::Judged { judged }) => {
                let judgement = serde_json::to_value(&judged.judgement).ok();
                let found = Judgement::from(judged.judgement);
                let [is_win, is_best] =
                    [Exercise::Puzzle, Exercise::Mistake].map(|exercise| exercise.is_solved_by(&found));
                turn.send(&Response::Tried { square, revision, judgement, is_win, is_best, failure: None });
            }
            (Purpose::Try { square, revision }, Reply::Failed { reason }) => {
                let (is_win, is_best, failure) = (false, false, Some(reason));
                turn.send(&Response::Tried { square, revision, judgement: None, is_win, is_best, failure });
            }
            (Purpose::Solve, Reply::Solving { progress, nodes, seconds }) => {
                if let Some(solving) = solving {
                    (solving.progress, solving.nodes, solving.seconds) = (Some(progress), nodes, seconds);
                }
            }
            (Purpose::Solve, Reply::Solved { answers, nodes, seconds }) => {
                if let Some(solving) = solving {
                    solving.is_running = false;
                    solving.nodes = solving.nodes.max(nodes);
                    (solving.answers, solving.seconds) = (answers, seconds);
                }
            }
            (Purpose::Solve, Reply::Failed { reason }) => {
                if let Some(solving) = solving {
                    (solving.is_running, solving.failure) = (false, Some(reason));
                }
            }
            (Purpose::Explain(revision), Reply::Explained { explanations })
                if self.panels.explained.is_some_and(|(_, wanted)| wanted == revision) =>
            {
                self.panels.explanations = explanations;
            }
            (Purpose::Book(revision), Reply::Book { page }) => {
                turn.send(&Response::Book { revision, page: Some(page), failure: None });
            }
            (Purpose::Book(revision), Reply::Failed { reason }) => {
                turn.send(&Response::Book { revision, page: None, failure: Some(reason) });
            }
            _ => {}
        }
    }

    /// Orders explanations of a new position, and removes results about another one.
    pub(super) fn settle(&mut self, turn: &mut Turn) {
        let view = self.session.view();
        if self.panels.solving.as_ref().is_some_and(|(revision, _)| *revision != view.revision) {
            self.end_solving(turn);
        }
        let now = Some((view.game, view.revision));
        if self.panels.explained == now {
            return;
        }
        self.panels.explained = now;
        let explains = |name: &str| self.session.registry().entry::<B>(name).is_ok_and(|entry| entry.explain.is_some());
        let named = view.seats.iter().filter_map(|seat| {
            let name = seat.player.as_deref()?.split('@').next()?.to_owned();
            explains(&name).then_some((seat.color, name))
        });
        let players: Vec<_> = named.collect();
        // The explanation of the last position is shown until that of this one is there.
        self.panels.explanations.retain(|explained| players.contains(&(explained.color, explained.player.clone())));
        if !players.is_empty() {
            let position = self.session.game().position();
            self.stop(|purpose| matches!(purpose, Purpose::Explain(_)), turn);
            self.start(Order::Explain { position, players }, Purpose::Explain(view.revision), turn);
        }
    }
}
