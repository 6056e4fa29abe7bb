//! Options that select the positions that enter a book next.

use book::planning::{Plan, PlanRule};
use clap::ValueEnum;
use evaluation::Value;
use players::time_span;

use super::discs;
use crate::prelude::*;

/// Rule that decides which position is added next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(crate) enum PlanOrder {
    /// All moves within an error of best play, those that give away least first
    #[default]
    Error,
    /// The moves whose absence can be expected to cost most: those that are played most often
    ExpectedLoss,
}

/// The options of a plan.
#[derive(Args, Default, PartialEq)]
pub(crate) struct PlanOptions {
    /// Which positions are added first: `error` or `expected-loss` [default: error]
    #[arg(long, value_name = "ORDER")]
    by: Option<PlanOrder>,

    /// For --by error: the most discs that a single move may give away [default: 2]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    error: Option<Value>,

    /// For --by error: the most discs that a value may differ from that of the first position [default: 4]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    total_error: Option<Value>,

    /// For --by error: only one side in each line gives something away, as in Edax's `book deviate`
    #[arg(long)]
    one_side: bool,

    /// For --by expected-loss: a move that is worse by this many discs is played 2.7 times less often [default: 1]
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    temperature: Option<Value>,

    /// The position, where lines begin: a board with the side to move, a game such as f5d6c3, the name of an opening
    /// such as tiger, or a file [default: the start]
    #[arg(long, value_name = "BOARD|GAME|FILE|NAME", allow_hyphen_values = true, value_parser = PositionWord)]
    position: Option<String>,

    /// Number of empty squares: no moves are followed from positions with fewer [default: 30]
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=60))]
    empties: Option<u8>,

    /// Stop when the book has N positions
    #[arg(long, value_name = "N", value_parser = number(1..=u64::MAX))]
    pub(super) positions: Option<u64>,

    /// Stop after this time, such as 8h
    #[arg(long, value_name = "TIME", value_parser = time_span::parse_span)]
    pub(super) duration: Option<Duration>,
}

impl PlanOptions {
    pub(crate) fn is_given(&self) -> bool {
        *self != Self::default()
    }

    pub(crate) fn plan(&self) -> Result<Plan> {
        let root = self.root()?;
        let empties = self.empties.unwrap_or(30);
        let discs = |given: Option<Value>, default: f32| given.unwrap_or(Value::from_discs(default));
        if self.by.unwrap_or_default() == PlanOrder::Error {
            ensure_usage!(self.temperature.is_none(), "--temperature needs --by expected-loss");
            let (relative, absolute) = (discs(self.error, 2.0), discs(self.total_error, 4.0));
            let rule = PlanRule::Deviation { relative, absolute, one_side: self.one_side };
            return Ok(Plan { root, empties, rule });
        }
        if self.error.is_some() || self.total_error.is_some() || self.one_side {
            bail_usage!("--error, --total-error and --one-side need --by error");
        }
        if self.positions.is_none() && self.duration.is_none() {
            bail_usage!("--by expected-loss has no end of its own; expected --positions N or --duration TIME");
        }
        let rule = PlanRule::Popularity { temperature: discs(self.temperature, 1.0) };
        Ok(Plan { root, empties, rule })
    }

    fn root(&self) -> Result<Board> {
        let Some(text) = &self.position else { return Ok(Board::start()) };
        let board = Subject::new(text, None).position::<Board>()?.board;
        ensure_usage!(board.can_move(), "the game is over after {text:?}");
        Ok(board)
    }
}
