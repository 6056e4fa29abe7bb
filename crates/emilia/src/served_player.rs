//! A player behind a protocol: any that can be named, and Emilia with several moves at a time.

use anyhow::Result;
use engine::{Choice, Emilia, Limits, Observer, Options, Player, PlayerError, Progress, Stop};
use evaluation::{EvaluatedBoard, Evaluation};
use othello::Game;
use search::{Question, Report};

use crate::player_notation::{Engine, PlayerNotation};
use crate::registry::{self, PlayableBoard, PlayerOptions};
use crate::search_options::SearchOptions;
use crate::weights_choice::with_evaluation;

/// The player that a protocol serves.
pub struct ServedPlayer<B: EvaluatedBoard> {
    name: String,
    notation: Option<PlayerNotation>,
    player: Served<B>,
}

enum Served<B: EvaluatedBoard> {
    /// It can look at several moves.
    Emilia(Box<dyn Student<B>>),
    /// It has nothing to say but its choice.
    Other(Box<dyn Player<B>>),
}

/// A player that can report on several moves of a position: Emilia with whatever evaluation.
trait Student<B: EvaluatedBoard>: Player<B> {
    fn study(
        &mut self,
        board: &B,
        question: &Question,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Report, PlayerError>;
}

impl<B: EvaluatedBoard, E: Evaluation<B, Features: Sync>> Student<B> for Emilia<B, E> {
    fn study(
        &mut self,
        board: &B,
        question: &Question,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Report, PlayerError> {
        Emilia::study(self, board, question, limits, observer, stop)
    }
}

/// What Emilia is called when it speaks of itself.
const EMILIA: &str = "Emilia";

impl<B: PlayableBoard + EvaluatedBoard> ServedPlayer<B> {
    /// The player that a notation names, or Emilia.
    pub fn new(notation: Option<&PlayerNotation>, options: &PlayerOptions) -> Result<Self> {
        registry::refuse_own_clock(notation)?;
        let weights = notation.and_then(|notation| notation.weights.clone()).unwrap_or_default();
        let is_emilia = notation.is_none_or(|notation| notation.engine.is_emilia());
        let (name, player) = match notation {
            Some(notation) if !is_emilia => {
                let player = registry::named_player(notation, options)?;
                (player.name().to_owned(), Served::Other(player))
            }
            _ => {
                registry::refuse_settings(notation)?;
                let SearchOptions { threads, hash } = options.search;
                let options = Options {
                    table_megabytes: notation.and_then(|notation| notation.hash).unwrap_or(hash) as usize,
                    threads: usize::from(notation.and_then(|notation| notation.threads).unwrap_or(threads)),
                    usual_level: options.usual_level,
                    seed: notation.and_then(|notation| notation.seed).unwrap_or(options.seed),
                };
                let emilia: Box<dyn Student<B>> = with_evaluation!(weights.evaluation::<B>()?, evaluation => {
                    Box::new(Emilia::with_evaluation(evaluation, &options)?)
                });
                (EMILIA.to_owned(), Served::Emilia(emilia))
            }
        };
        let name = notation.and_then(|notation| notation.name.clone()).unwrap_or(name);
        Ok(Self { name, notation: notation.cloned(), player })
    }

    /// What the player is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether its levels are those of Emilia, or may be, as those of a program of which nothing is known.
    pub fn has_levels(&self) -> bool {
        self.notation.as_ref().is_none_or(|notation| notation.is_external() || notation.engine.is_emilia())
    }

    /// How many of its points are about a disc.
    pub fn points_per_disc(&self) -> f64 {
        match &self.player {
            Served::Emilia(emilia) => emilia.points_per_disc(),
            Served::Other(player) => player.points_per_disc(),
        }
    }

    /// Whether the player knows boards of this side as well.
    pub fn plays_on(&self, side: u8) -> bool {
        let engine = self.notation.as_ref().map(|notation| &notation.engine);
        side == B::GEOMETRY.side
            || match engine {
                Some(Engine::External { .. }) => false,
                Some(Engine::House(name)) => registry::plays_on(name, side),
                None => registry::plays_on(Engine::EMILIA, side),
            }
    }

    /// Forgets the game played before.
    pub fn new_game(&mut self) -> Result<(), PlayerError> {
        match &mut self.player {
            Served::Emilia(emilia) => emilia.new_game(),
            Served::Other(player) => player.new_game(),
        }
    }

    /// Chooses a move. Limits of the player's own go before those of the host; its times are obeyed in any case.
    pub fn choose(
        &mut self,
        game: &Game<B>,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Choice, PlayerError> {
        let limits = self.limits(limits);
        match &mut self.player {
            Served::Emilia(emilia) => emilia.choose(game, &limits, observer, stop),
            Served::Other(player) => player.choose(game, &limits, observer, stop),
        }
    }

    /// Reports on the best moves of a position, so many of them if the player can, else on its choice.
    /// The result is about the best of them.
    pub fn best_moves(
        &mut self,
        game: &Game<B>,
        count: usize,
        limits: &Limits,
        observer: &mut dyn Observer,
        stop: &Stop,
    ) -> Result<Progress, PlayerError> {
        let limits = self.limits(limits);
        match &mut self.player {
            Served::Emilia(emilia) => {
                let board = game.position().board;
                let question = Question { lines: count.max(1), ..Question::default() };
                let mut best: Option<Progress> = None;
                // Of several lines of an iteration the best comes first.
                let mut watch = |progress: &Progress| {
                    let iteration = |progress: &Progress| (progress.depth, progress.selectivity);
                    if best.as_ref().is_none_or(|best| iteration(best) != iteration(progress)) {
                        best = Some(progress.clone());
                    }
                    observer.report(progress);
                };
                let report = emilia.study(&board, &question, &limits, &mut watch, stop)?;
                let best = best.ok_or(PlayerError::GameOver)?;
                Ok(Progress { nodes: report.nodes, time: report.elapsed, ..best })
            }
            Served::Other(player) => {
                let mut reported = false;
                let mut watch = |progress: &Progress| {
                    reported = true;
                    observer.report(progress);
                };
                let choice = player.choose(game, &limits, &mut watch, stop)?;
                let progress = progress_of(choice);
                if !reported {
                    observer.report(&progress);
                }
                Ok(progress)
            }
        }
    }

    fn limits(&self, limits: &Limits) -> Limits {
        match &self.notation {
            Some(notation) => notation.limits_of_host(limits),
            None => *limits,
        }
    }
}

fn progress_of(choice: Choice) -> Progress {
    let Choice { value, line, depth, nodes, time, .. } = choice;
    Progress { depth, selectivity: 100, value, line, nodes, time }
}
