//! `emilia openings`: finds balanced openings.

use arena::openings::{self, Opening, OpeningError};

use crate::arguments::OpeningOptions;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia openings --count 20   twenty openings of eight moves
  emilia openings --plies 12 --balance 0.5 --judge-depth 14 > openings.txt
  emilia openings --board cs221 --plies 6   random openings
  emilia match emilia@level=5 emilia@level=6 --openings openings.txt";

/// Find balanced openings: distinct positions that the search judges to be even.
///
/// They are chosen at random, and no two are equal up to symmetry. The same seed gives the same openings; a larger --count
/// only adds more. On boards other than 8x8, openings are judged only if --balance is given.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Openings {
    /// Number to make
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number(1..=u32::MAX))]
    count: u32,

    /// The board: 8, 6, 4 or cs221
    #[arg(long, value_name = "BOARD", default_value = "8", hide_possible_values = true, value_parser = any_board())]
    board: BoardShape,

    #[command(flatten)]
    options: OpeningOptions,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    seed: u64,

    /// Print JSON: one object per line, with the value for the side to move
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Row<B: Rules> {
    /// Moves of the opening.
    moves: MoveSequence<B>,
    /// Side to move after them.
    turn: Color,
    /// Value of the position; `null` for random openings that were not judged.
    value: Option<Estimate>,
}

impl Openings {
    pub(crate) fn run(&self, _: &Environment<'_>) -> Result<()> {
        with_board!(self.board, B => self.find::<B>())
    }

    fn find<B: PlayableBoard>(&self) -> Result<()> {
        let stop = interrupt::flag()?;
        let mut out = output::stdout();
        let mut written = Ok(());
        let (mut live, mut number, count) = (LiveLine::on_stderr(), 0, self.count as usize);
        let searching = |found: usize| {
            if found < count { format!("searching for opening {} of {count}", found + 1) } else { String::new() }
        };
        live.show(&searching(number));
        let found = openings::find_by_emilia::<B>(&self.options.recipe::<B>(self.seed), count, &stop, |opening| {
            // The output may go to the same terminal.
            live.clear();
            if written.is_ok() {
                written = self.print(opening, &mut out);
                // If the reader of the openings is gone, no more need to be found.
                if written.is_err() {
                    stop.set();
                }
            }
            number += 1;
            live.show(&searching(number));
        });
        live.clear();
        // That nothing can be written is why the search for openings was ended, not an interruption.
        written?;
        match found {
            Err(OpeningError::Interrupted(_)) => Err(Interrupted.into()),
            found => Ok(found.map(drop)?),
        }
    }

    fn print<B: Rules>(&self, opening: &Opening<B>, out: &mut impl Write) -> Result<()> {
        let row = Row::<B> {
            moves: opening.game.line().into(),
            turn: opening.game.position().turn,
            value: opening.value.map(|hundredths| Estimate::Discs { hundredths }),
        };
        output::row(out, self.json, &row, || row.moves.to_string())
    }
}
