//! Carries out orders: players, an adviser, an analyst and a solver, one order at a time in the calling thread.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use engine::analysis::{Analyst, JudgedMove, judge_each_move};
use engine::clock::Moment;
use engine::explanation::{Explanation, Part};
use engine::solution::Inquiry;
use engine::{Limits, Options, Player, Progress, Silent, Stop};
use othello::{BoardShape, Color, Game, Position, Rules, Square, SquareSet, with_board};
use players::analysts::AnalystChoice;
use players::{PlayerOptions, Registry, SearchOptions, SharedResources};
use report::words::sentence;
use search::HashTable;
use serde::Deserialize;

use crate::book_page::{self, OpeningBook};
use crate::opponent::Seating;
use crate::order::{Order, Reply};
use crate::studied_board::{Adviser, StudiedBoard};
use crate::study::{Explained, ExplainedPart};

/// Maximum hash table size of an adviser of its own, in MB.
const MAX_HINT_TABLE: u32 = 64;

/// Resources of a workbench.
#[derive(Clone, Debug)]
pub struct Resources {
    /// The players.
    pub registry: Arc<Registry>,
    /// Options of its players, among them the largest hash table of its own. Seeds come with the orders.
    pub options: PlayerOptions,
    /// A hash table shared with others, for the players and the adviser of the 8x8 board.
    pub table: Option<Arc<HashTable>>,
    /// The opening book, in place of the shipped one.
    pub book: Option<OpeningBook>,
}

impl Resources {
    /// Players with default options, and nothing shared.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self { registry, options: PlayerOptions::default(), table: None, book: None }
    }

    fn shared(&self) -> SharedResources<'_> {
        SharedResources { table: self.table.as_ref(), book: self.book.as_ref() }
    }

    fn advice(&self) -> SearchOptions {
        let SearchOptions { threads, hash } = self.options.search;
        SearchOptions { threads, hash: hash.min(MAX_HINT_TABLE) }
    }
}

/// A workbench for one board.
pub struct BoardWorkbench<B: StudiedBoard> {
    resources: Resources,
    pub(crate) players: [Option<Box<dyn Player<B>>>; 2],
    /// The player that values all moves, from the first time on.
    adviser: Option<Box<dyn Player<B>>>,
    /// The Emilia that values some moves, from the first time on.
    part_adviser: Option<Adviser<B>>,
    analyst: Option<(AnalystChoice, Box<dyn Analyst<B>>)>,
}

impl<B: StudiedBoard> fmt::Debug for BoardWorkbench<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardWorkbench").field("resources", &self.resources).finish_non_exhaustive()
    }
}

impl<B: StudiedBoard> BoardWorkbench<B> {
    /// A workbench without players.
    pub fn new(resources: Resources) -> Self {
        Self { resources, players: [None, None], adviser: None, part_adviser: None, analyst: None }
    }

    /// Carries out an order and passes all replies to `tell`; the last one ends the order. It ends soon after the flag
    /// is set.
    pub fn carry_out(&mut self, order: Order<B>, stop: &Stop, tell: &mut dyn FnMut(Reply<B>)) {
        let last = self.result(order, stop, tell);
        tell(last.unwrap_or_else(|error| Reply::Failed { reason: sentence(error.as_ref()) }));
    }

    fn result(&mut self, order: Order<B>, stop: &Stop, tell: &mut dyn FnMut(Reply<B>)) -> Result<Reply<B>> {
        let mut thought = |progress: &Progress| tell(Reply::Thought { progress: progress.clone().into() });
        match order {
            Order::Seat { color, seating, seed } => return self.seat(color, &seating, seed),
            Order::Unseat { color } => self.players[color as usize] = None,
            Order::Swap => self.players.swap(0, 1),
            Order::NewGame => self.players.iter_mut().flatten().try_for_each(|player| player.new_game())?,
            Order::Think { color, game, limits } => {
                let choice = self.player(color)?.choose(&game.game()?, &limits, &mut thought, stop)?;
                return Ok(Reply::Chosen { choice: choice.into() });
            }
            Order::Ponder { color, game, limits } => {
                // The answer is of no use, and a player that fails now fails again when it matters.
                drop(self.player(color)?.choose(&game.game()?, &limits, &mut Silent, stop));
            }
            Order::Learn { color, game } => {
                return Ok(Reply::Learned { what: self.player(color)?.learn(&game.game()?, stop)? });
            }
            Order::Advise { game, level, moves } => {
                self.advise(&game.game()?, &moves.squares, level, &mut thought, stop)?;
            }
            Order::Analyze { game, from, choice } => {
                let report = |judged: JudgedMove<B>| tell(Reply::Judged { judged: Box::new(judged.into()) });
                judge_each_move(self.analyst(&choice)?, &game.game()?, from..usize::MAX, stop, report)?;
            }
            Order::Judge { game, square, choice } => {
                let judged = self.judge(&game.game()?, square.square, &choice, stop)?;
                tell(Reply::Judged { judged: Box::new(judged.into()) });
            }
            Order::Solve { position, outcome_only, all_moves } => {
                let start = Moment::now();
                let mut report = |progress: &str, nodes| {
                    let (progress, seconds) = (progress.to_owned(), start.elapsed().as_secs_f64());
                    tell(Reply::Solving { progress, nodes, seconds });
                };
                let inquiry = Inquiry { outcome_only, all_moves, verify: false };
                let no_solver = || format!("there is no solver for the {} board", B::GEOMETRY.name);
                let solve = B::STUDIES.with_context(no_solver)?.solve;
                let (answers, nodes) = solve(&position, &inquiry, &self.resources, stop, &mut report)?;
                return Ok(Reply::Solved { answers, nodes, seconds: start.elapsed().as_secs_f64() });
            }
            Order::Book { position } => {
                let book = self.resources.book.as_ref().context("there is no opening book")?;
                return Ok(Reply::Book { page: Box::new(book_page::page(book, &position)?) });
            }
            Order::Explain { position, players } => {
                let explained = |(color, player): (Color, String)| {
                    let entry = self.resources.registry.entry::<B>(&player).ok()?;
                    let explanation = entry.explain?(&position.board);
                    Some(explained_by(color, player, &position, explanation))
                };
                return Ok(Reply::Explained { explanations: players.into_iter().filter_map(explained).collect() });
            }
        }
        Ok(Reply::Done)
    }

    fn seat(&mut self, color: Color, seating: &Seating, seed: u64) -> Result<Reply<B>> {
        let options = PlayerOptions { seed, ..self.resources.options };
        let player = self.resources.registry.limited_player_with::<B>(
            &seating.without_clock(),
            &options,
            self.resources.shared(),
        )?;
        let name = player.name().to_owned();
        self.players[color as usize] = Some(player);
        Ok(Reply::Seated { name })
    }

    fn player(&mut self, color: Color) -> Result<&mut Box<dyn Player<B>>> {
        self.players[color as usize].as_mut().context("no player has this color")
    }

    fn advise(
        &mut self,
        game: &Game<B>,
        moves: &[Square],
        level: u32,
        observer: &mut dyn FnMut(&Progress),
        stop: &Stop,
    ) -> Result<()> {
        let (limits, search) = (Limits::of_level(level), self.resources.advice());
        let mut observer = |progress: &Progress| observer(progress);
        if moves.is_empty() {
            let adviser = match self.adviser.take() {
                Some(adviser) => adviser,
                None => {
                    let options = PlayerOptions { search, ..self.resources.options };
                    self.resources.registry.strongest_player_with::<B>(&options, self.resources.shared())?
                }
            };
            self.adviser.insert(adviser).value_moves(game, usize::MAX, &limits, &mut observer, stop)?;
        } else {
            let adviser = match self.part_adviser.take() {
                Some(adviser) => adviser,
                None => {
                    let no_emilia = || format!("Emilia does not play on the {} board", B::GEOMETRY.name);
                    let make = B::STUDIES.with_context(no_emilia)?.adviser;
                    let (table_megabytes, threads) = (search.hash as usize, usize::from(search.threads));
                    make(&Options { table_megabytes, threads, default_level: None, seed: 0 })?
                }
            };
            self.part_adviser.insert(adviser)(game, moves, &limits, &mut observer, stop)?;
        }
        Ok(())
    }

    /// The analyst of a choice, with the opening book if there is one for the board.
    fn analyst(&mut self, choice: &AnalystChoice) -> Result<&mut dyn Analyst<B>> {
        let analyst = match self.analyst.take() {
            Some((known, analyst)) if known == *choice => analyst,
            _ => book_page::analyst(choice, &self.resources)?,
        };
        Ok(&mut *self.analyst.insert((choice.clone(), analyst)).1)
    }

    /// Judges a move without regard to those before it.
    fn judge(&mut self, game: &Game<B>, square: Square, choice: &AnalystChoice, stop: &Stop) -> Result<JudgedMove<B>> {
        let position = game.position();
        let is_legal = position.board.moves().has(square);
        ensure!(is_legal, "{} is not a legal move", B::GEOMETRY.square_name(square));
        let analyst = self.analyst(choice)?;
        analyst.new_game()?;
        let judgement = analyst.judge(game, square, stop)?;
        Ok(JudgedMove { number: game.move_count() + 1, position, judgement })
    }
}

fn explained_by<B: Rules>(color: Color, player: String, position: &Position<B>, found: Explanation) -> Explained {
    let Explanation { parts, value, unit, win_probability } = found;
    let part = |Part { name, value, weight, is_detail }| ExplainedPart { name, value, weight, is_detail };
    let parts = parts.into_iter().map(part).collect();
    Explained { color, player, turn: position.turn, value, unit: unit.to_owned(), win_probability, parts }
}

/// A workbench for all boards, whose orders and replies are texts. It keeps the players of one board.
#[derive(Debug)]
pub struct Workbench {
    resources: Resources,
    of_board: Option<Box<dyn Any + Send>>,
}

impl Workbench {
    /// A workbench without players.
    pub fn new(resources: Resources) -> Self {
        Self { resources, of_board: None }
    }

    /// Carries out an [order as text](Order::text) and passes the JSON of all replies to `tell`; the last one ends the
    /// order. It ends soon after the flag is set.
    pub fn run(&mut self, order: &str, stop: &Stop, tell: &mut dyn FnMut(String)) {
        let mut text = serde_json::Deserializer::from_str(order);
        let mut run = || -> serde_json::Result<()> {
            with_board!(BoardShape::deserialize(&mut text)?, B => {
                let order = Order::<B>::deserialize(&mut text)?;
                let known = self.of_board.take().and_then(|known| known.downcast::<BoardWorkbench<B>>().ok());
                let mut workbench = known.unwrap_or_else(|| Box::new(BoardWorkbench::new(self.resources.clone())));
                workbench.carry_out(order, stop, &mut |reply| tell(json(&reply)));
                self.of_board = Some(workbench);
            });
            Ok(())
        };
        if let Err(error) = run() {
            tell(json::<othello::Board>(&Reply::Failed { reason: format!("the order cannot be read: {error}") }));
        }
    }
}

fn json<B: Rules>(reply: &Reply<B>) -> String {
    // All keys are texts and all numbers finite.
    serde_json::to_string(reply).unwrap_or_default()
}
