//! `emilia study`: the mistakes of a game as exercises in the terminal.

use clap::ValueEnum;
use engine::analysis::{GameAnalysis, JudgedMove};
use engine::json;
use players::analysts::AnalystChoice;
use players::opening_book::OpeningBook;
use session::exercises::mistakes;
use terminal::exercises::{ExerciseItem, Exercises};

use crate::arguments::open_book;
use crate::commands::judging::judge;
use crate::defaults;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia study game.sgf                  the mistakes of both sides, the worst
                                         first
  emilia study game.sgf --side black     those of one side
  emilia study games.ggf --game 6        one game from a file
  emilia study f5d6c3d3c4f4e3            a game given by its moves
  emilia study game.sgf --level 18       a deeper search
  emilia study game.sgf --json           the mistakes, without questions

The game is analyzed as by emilia analyze. Then each mistake is asked again: a try is right if no move is better. Type \
answer for the solution, next to go on, quit to end. Moves are read line by line from standard input, which need not be \
a terminal; when it ends, so do the questions. The page (emilia serve) asks the same on its Study tab.";

/// Find better moves for the mistakes of a game.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Study {
    /// A game such as f5d6c3, a file of games in any format, or the name of an opening
    #[arg(value_name = "GAME|FILE|NAME", allow_hyphen_values = true, value_parser = PositionWord)]
    what: String,

    /// Game number N in the file [default: 1]
    #[arg(long, value_name = "N", value_parser = number(1..=usize::MAX))]
    game: Option<usize>,

    /// The side whose mistakes are asked
    #[arg(long, value_name = "SIDE", value_enum, default_value_t = Side::Both)]
    side: Side,

    /// Search level, 0 to 60 [default: 14]
    #[arg(long, value_name = "N")]
    level: Option<Level>,

    /// The board: 8, 6, 4 or cs221
    #[arg(long, value_parser = any_board(), default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// Number of threads, each of which analyzes other positions [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=256))]
    threads: Option<u16>,

    /// Hash table size in MB (for each search)
    #[arg(long, value_name = "MB", default_value_t = 32, value_parser = number(1..=u32::MAX))]
    hash: u32,

    /// Print JSON, one object per mistake, and ask nothing
    #[arg(long)]
    json: bool,
}

/// The side whose mistakes are asked.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// Black's mistakes
    Black,
    /// White's mistakes
    White,
    /// The mistakes of both sides
    Both,
}

impl Side {
    fn has(self, color: Color) -> bool {
        match self {
            Self::Black => color == Color::Black,
            Self::White => color == Color::White,
            Self::Both => true,
        }
    }
}

impl Study {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>(environment.registry, environment.look))
    }

    fn run_on<B: PlayableBoard>(&self, registry: &Arc<Registry>, look: Look) -> Result<()> {
        let subject = Subject::new(&self.what, self.game);
        let reads_input = subject.is_standard_input() && !self.json;
        ensure_usage!(
            !reads_input,
            "the game cannot be standard input, from which the moves are read; expected a file"
        );
        let game = subject.record::<B>()?.game;
        ensure_usage!(!game.line().is_empty(), "no moves to study; expected a game, such as f5d6c3, or a file");
        let limits = Limits { level: self.level, ..Limits::default() };
        let choice = AnalystChoice { notation: None, limits, exact_from: None, hash: self.hash }
            .with_default_level::<B>(registry, defaults::level());
        let book = open_book(None, self.board)?;
        let threads = self.threads.unwrap_or_else(one_thread_per_core);
        let analysis = GameAnalysis::new(analyzed(registry, &game, &choice, book.clone(), threads)?);
        let is_asked = |index: &usize| self.side.has(analysis.moves[*index].position.turn);
        let asked: Vec<usize> = mistakes(&analysis).into_iter().filter(is_asked).collect();
        let mut out = output::stdout();
        if self.json {
            for &index in &asked {
                output::json_line(&mut out, &json::JudgedMove::from(analysis.moves[index].clone()))?;
            }
            return Ok(out.flush()?);
        }
        if asked.is_empty() {
            writeln!(out, "There are no mistakes to learn from.")?;
            return Ok(out.flush()?);
        }
        let items = asked.iter().enumerate().map(|(place, &index)| {
            let JudgedMove { number, judgement, .. } = analysis.moves[index].clone();
            let title = format!("Mistake {} of {}", place + 1, asked.len());
            Ok(ExerciseItem::mistake(before(&game, index)?, number, judgement, &title))
        });
        let items = items.collect::<Result<_>>()?;
        let mut analyst = choice.analyst_with_book::<B>(registry, book.as_ref())?;
        let columns = wrapping::columns(&io::stdout());
        let intro = format!("Analyzed with {}.", choice.description::<B>(registry));
        writeln!(out, "{}", wrapping::wrapped(&intro, columns, 0))?;
        Exercises { items, analyst: analyst.as_mut(), look, columns }.run(&mut io::stdin().lock(), &mut out)
    }
}

/// The game up to the move with this index.
fn before<B: PlayableBoard>(game: &Game<B>, index: usize) -> Result<Game<B>> {
    let moves = game.line().into_iter().take(index);
    Game::from_moves(game.start(), moves).map_err(|(_, error)| error).context("the game cannot be replayed")
}

fn analyzed<B: PlayableBoard>(
    registry: &Arc<Registry>,
    game: &Game<B>,
    choice: &AnalystChoice,
    book: Option<OpeningBook>,
    threads: u16,
) -> Result<Vec<JudgedMove<B>>> {
    let length = game.line().len();
    // An analyst that keeps earlier moves needs the whole game.
    let step = if choice.is_independent::<B>(registry) { 1 } else { length.max(1) };
    let portions: Vec<_> = (0..length).step_by(step).map(|first| (game, first..first + step)).collect();
    let mut live = LiveLine::on_stderr();
    let mut moves = Vec::new();
    judge((registry, choice, book), &portions, threads.into(), &Stop::new(), |_, mut found| {
        moves.append(&mut found);
        live.show(&format!("Analyzing: {} of {length} moves", moves.len()));
        ControlFlow::Continue(())
    })?;
    Ok(moves)
}
