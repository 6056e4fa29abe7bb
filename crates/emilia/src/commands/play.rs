//! `emilia play`: a game in the terminal.

use std::io::{self, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::Args;
use engine::{GameClock, Limits};
use othello::{Game, Position};
use serde::Serialize;

use crate::board_shape::{BoardShape, with_board};
use crate::diagram;
use crate::look::{ColorChoice, Look};
use crate::output;
use crate::player_notation::PlayerNotation;
use crate::registry::{self, PlayableBoard, PlayerOptions};
use crate::search_options::SearchOptions;
use crate::terminal_game::{Seat, TerminalGame};
use crate::time_span;
use crate::usage_error::UsageError;

const EXAMPLES: &str = "\
Examples:
  emilia play                                 you begin with Black; Emilia is in
                                              a friendly mood
  emilia play --level 10                      Emilia in earnest: levels from 0
                                              (beginners) to 60
  emilia play --time 5m+3s --ponder           five minutes each, three seconds
                                              added at every move; Emilia thinks
                                              in your time too
  emilia play --white --engine maximum-disc   another engine, which begins
  emilia play --engine iago --historical      the program of 1980, as fast as it
                                              was then
  emilia play --board 6                       a small board, for a quick game
  emilia play --engine minimum-disc --against maximum-disc --seed 1
                                              watch two engines
  emilia engines                              who can be played against

During the game, type help.";

/// Play a game in the terminal, or let two engines play.
#[derive(Args, Default)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    /// Who plays against you, see `emilia engines`; with options as in emilia@level=10,hash=64
    /// [default: emilia, or the strongest of the board]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<PlayerNotation>,

    /// Let this engine play in your place
    #[arg(long, value_name = "PLAYER")]
    against: Option<PlayerNotation>,

    /// How strong the engines play; for the simple ones, how many moves they look ahead [default: friendly]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=60), conflicts_with = "time")]
    level: Option<u32>,

    /// Time for the whole game, the same for both: 5m, or 5m+3s with time added at every move
    #[arg(long, value_name = "TIME", value_parser = time_span::parse_clock)]
    time: Option<GameClock>,

    /// Programs of the literature think with the budget of their time, as their papers describe
    #[arg(long)]
    historical: bool,

    /// You play the black discs and begin (this is so unless you say --white)
    #[arg(long, conflicts_with = "white")]
    black: bool,

    /// You play the white discs
    #[arg(long)]
    white: bool,

    /// The board: 8, 6, 4 or cs221 (10x10 without the middle of each side)
    #[arg(long, value_enum, default_value_t)]
    board: BoardShape,

    /// The position to start from, as `emilia show --json` prints it
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    from: Option<String>,

    /// Make the engines' choices by chance the same every time
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// The engine thinks while you do
    #[arg(long, conflicts_with = "against")]
    ponder: bool,

    #[command(flatten)]
    search: SearchOptions,

    /// Print one JSON object a move and one for the result
    #[arg(long, requires = "against")]
    json: bool,
}

#[derive(Serialize)]
struct Move<'a> {
    number: usize,
    color: &'static str,
    player: &'a str,
    square: String,
    value: Option<String>,
    depth: u32,
    nodes: u64,
    seconds: f64,
}

#[derive(Serialize)]
struct GameResult {
    score: i32,
    moves: String,
    verdict: String,
}

impl Play {
    /// Runs the command.
    pub fn run(&self, color: ColorChoice) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>(color))
    }

    fn run_on<B: PlayableBoard>(&self, color: ColorChoice) -> Result<()> {
        let start = match &self.from {
            Some(text) => text.parse::<Position<B>>().map_err(UsageError::new)?,
            None => Position::start(),
        };
        let seed = self.seed.unwrap_or_else(seed_of_the_moment);
        let is_limited = self.level.is_some() || self.time.is_some();
        let usual_level = if is_limited { None } else { PlayerOptions::friendly_level() };
        let options = PlayerOptions { seed, search: self.search, usual_level };
        if let Some(notation) = self.engine.as_ref().filter(|notation| self.ponder && notation.is_external()) {
            let sentence = format!("{:?} is a program of its own and cannot think in your time", notation.text());
            return Err(UsageError::new(format!("{sentence}; expected no --ponder")).into());
        }
        let (mut own, mut against) = (self.engine.clone(), self.against.clone());
        if self.historical {
            let mut named: Vec<_> = own.iter_mut().chain(&mut against).collect();
            registry::make_historical::<B>(&mut named)?;
        }
        let engine = Seat::Engine(match &own {
            Some(notation) => registry::limited_player::<B>(notation, &options)?,
            None => registry::player::<B>(None, &options)?,
        });
        let other = match &against {
            // Another seed, so that two engines of one kind do not mirror each other.
            Some(notation) => {
                let options = PlayerOptions { seed: seed.wrapping_add(1), ..options };
                Seat::Engine(registry::limited_player::<B>(notation, &options)?)
            }
            None => Seat::Person,
        };
        let seats = if self.white { [engine, other] } else { [other, engine] };
        let limits = Limits { level: self.level, ..Limits::default() };
        let look = Look::of(&io::stdout(), color);
        let mut game = TerminalGame::new(Game::from_position(start), seats, limits, self.time, look);
        game.set_pondering(self.ponder);
        let mut out = output::stdout();
        if self.json { print_moves(&mut game, &mut out) } else { game.run(&mut io::stdin().lock(), &mut out) }
    }
}

fn print_moves<B: PlayableBoard>(game: &mut TerminalGame<B>, out: &mut impl Write) -> Result<()> {
    while !game.is_over() {
        let turn = game.game().position().turn;
        let choice = game.let_engine_move()?;
        let row = Move {
            number: game.game().move_count(),
            color: diagram::lower_case(turn),
            player: game.player_name(turn),
            square: B::GEOMETRY.square_name(choice.square),
            value: choice.value.map(|value| value.to_string()),
            depth: choice.depth,
            nodes: choice.nodes,
            seconds: choice.time.as_secs_f64(),
        };
        output::json_line(out, &row)?;
        out.flush()?;
    }
    let moves = game.game().moves().iter().map(|&square| B::GEOMETRY.square_name(square)).collect();
    let score = game.game().position().black_score().discs();
    output::json_line(out, &GameResult { score, moves, verdict: game.verdict() })?;
    out.flush()?;
    Ok(())
}

/// A seed that nobody chose.
fn seed_of_the_moment() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}
