//! `emilia play`: a game in the terminal.

use std::env;
use std::io::IsTerminal;
use std::time::{SystemTime, UNIX_EPOCH};

use engine::{GameClock, Player, json};
use othello::Score;
use players::PlayerOptions;
use players::notation::PlayerNotation;
use players::time_span;
use session::{HintSettings, OtherBoard, OwnLimits, Seating, StudiedBoard};
use terminal::{FullScreen, Left, LineGame, Setup};

use crate::arguments::SearchArguments;
use crate::defaults;
use crate::prelude::*;

const EXAMPLES: &str = "\
Examples:
  emilia play                                 play Black against Emilia at
                                              level 1
  emilia play --level 10                      a stronger Emilia: levels from 0
                                              (beginners) to 60
  emilia play --level 8 --time 5m             five minutes each; Emilia never
                                              searches deeper than level 8
  emilia play --time 5m+3s --ponder           five minutes each plus three
                                              seconds per move; Emilia thinks
                                              on your time too
  emilia play --white --engine random         another opponent, which plays
                                              Black and moves first
  emilia play --engine NAME --historical      a program of a paper, with the
                                              computing power of its time
  emilia play --board 6                       a small board, for a quick game
  emilia play --position tiger                from an opening
  emilia play --engine random --against emilia --seed 1
                                              watch two engines
  emilia engines                              list the opponents

From level 5 on, and with --time, Emilia plays its first moves from the opening book that ships with it; \
--engine emilia@book=off switches it off.

The game fills the screen; ? lists the keys. Without a terminal, or with --lines, the game is played line by \
line; type help there for the commands.";

/// Play a game in the terminal, or let two engines play.
#[derive(Args, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Play {
    /// The player, your opponent: see `emilia engines`; with settings as in emilia@level=10,hash=64 [default: emilia,
    /// or the strongest player available for that board]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<PlayerNotation>,

    /// Let this engine play in your place
    #[arg(long, value_name = "PLAYER")]
    against: Option<PlayerNotation>,

    /// Search level, 0 to 60, of the engines; below 5 also half levels such as 2.5; for players without levels, the
    /// search depth. With --time it is an upper limit [default: 1; with --time, as strong as the clock allows]
    #[arg(long, value_name = "N")]
    level: Option<Level>,

    /// Time per player for the whole game: 5m, or 5m+3s with an increment of three seconds per move
    #[arg(long, value_name = "TIME", value_parser = time_span::parse_clock)]
    time: Option<GameClock>,

    /// Limit classic programs to their original computing budget
    #[arg(long)]
    historical: bool,

    /// You play Black and move first (the default)
    #[arg(long, conflicts_with = "white")]
    black: bool,

    /// You play White
    #[arg(long)]
    white: bool,

    /// The board: 8, 6, 4 or cs221 (10x10 without the two middle squares of each side)
    #[arg(long, value_parser = any_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// The position, where the game begins: a board with the side to move, a game such as f5d6c3, the name of an opening
    /// such as tiger, or a file
    #[arg(long, alias = "from", value_name = "BOARD|GAME|FILE|NAME", allow_hyphen_values = true, value_parser = PositionWord)]
    position: Option<String>,

    /// Random seed, for repeatable games (those of Emilia with --threads 1)
    #[arg(long, value_name = "N", value_parser = any_number)]
    seed: Option<u64>,

    /// Let the engine think on your time
    #[arg(long, conflicts_with = "against")]
    ponder: bool,

    #[command(flatten)]
    search: SearchArguments,

    /// Level of the hints, 1 to 60 [default: 16]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=60))]
    hint_level: Option<u32>,

    /// Number of best moves that the hints list with their lines of play, 1 to 9 [default: 3]
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=9))]
    hint_lines: Option<u8>,

    /// Pause between the moves of two engines, 0 to 60 seconds [default: 1 on the full screen, 0 with --lines]
    #[arg(long, value_name = "SECONDS", value_parser = pace)]
    pace: Option<f64>,

    /// Play line by line instead of on the full screen
    #[arg(long)]
    lines: bool,

    /// Print JSON: one object per move and one for the result
    #[arg(long, requires = "against")]
    json: bool,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Move<'a, B: StudiedBoard> {
    /// Number of the move, from 1.
    number: usize,
    /// Side that moved.
    color: Color,
    /// Name of the player.
    player: &'a str,
    #[serde(flatten)]
    choice: json::Choice<B>,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct GameResult<B: StudiedBoard> {
    /// Black's final score.
    score: Score,
    /// Moves of the game.
    moves: MoveSequence<B>,
    /// The result as a sentence.
    verdict: String,
}

impl Play {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        let look = environment.look;
        if self.lines || self.json || !can_show_screen() {
            return with_board!(self.board, B => self.run_in_lines::<B>(environment.registry, look));
        }
        // Before the terminal is taken, so that errors in the options are printed normally.
        let mut game = with_board!(self.board, B => prepared(self.setup::<B>(environment.registry, look, PACE)?));
        let mut full_screen = FullScreen::take(look, "`emilia play --lines` plays line by line")?;
        interrupt::call(full_screen.terminator());
        loop {
            match game(&mut full_screen)? {
                Left::Quit => return Ok(()),
                Left::Terminated(unsaved) => {
                    drop(full_screen);
                    if let Some(moves) = unsaved {
                        // If the terminal is gone, this fails, which does not matter.
                        let _ = writeln!(io::stdout(), "The game was not saved. Its moves: {moves}");
                    }
                    return Err(Interrupted.into());
                }
                Left::ForBoard(other) => {
                    game = with_board!(other.shape, B => prepared(self.setup_on_other::<B>(environment.registry, &other, look)?));
                }
            }
        }
    }

    fn options(&self) -> PlayerOptions {
        let seed = self.seed.unwrap_or_else(seed_of_the_moment);
        let is_limited = self.level.is_some() || self.time.is_some();
        let default_level = if is_limited { None } else { PlayerOptions::friendly_level() };
        let search = self.search.options();
        PlayerOptions { seed, search, default_level, default_book: true, ..PlayerOptions::default() }
    }

    /// The game to go on with, with the moves that led to its position.
    fn start<B: StudiedBoard>(&self) -> Result<Game<B>> {
        let Some(what) = &self.position else { return Ok(Game::default()) };
        let subject = Subject::new(what, None);
        ensure_usage!(
            !subject.is_standard_input(),
            "--position cannot be standard input, from which the moves are read; expected a file"
        );
        Ok(subject.record::<B>()?.game)
    }

    /// The opponent, and the engine that plays in place of the person, if any.
    fn players<B: StudiedBoard>(&self, registry: &Registry) -> Result<(PlayerNotation, Option<PlayerNotation>)> {
        if let Some(notation) = self.engine.as_ref().filter(|notation| self.ponder && notation.is_external()) {
            bail_usage!("--ponder is not possible with an external program: {:?}", notation.text());
        }
        let (mut own, mut against) = (self.engine.clone(), self.against.clone());
        if self.historical {
            let mut named: Vec<_> = own.iter_mut().chain(&mut against).collect();
            registry.make_historical::<B>(&mut named)?;
        }
        Ok((own.map_or_else(|| strongest::<B>(registry), Ok)?, against))
    }

    /// A player at the requested level. Otherwise, and without another limit, Emilia plays at the level that the
    /// person has chosen as a default.
    fn seating(&self, notation: PlayerNotation) -> Seating {
        let is_free = self.time.is_none()
            && notation.engine.is_emilia()
            && OwnLimits::of(&notation) == OwnLimits::None
            && notation.limits(&Limits::default()).clock.is_none();
        Seating::new(notation, self.level.or_else(|| defaults::level().filter(|_| is_free)))
    }

    /// A player with its seat. An external program is started, so that a missing one is an error before the game. The
    /// second engine has another seed, so that two of one kind do not mirror each other.
    fn seated<B: StudiedBoard>(
        registry: &Registry,
        seating: Seating,
        options: &PlayerOptions,
        is_second: bool,
    ) -> Result<(Seating, Box<dyn Player<B>>)> {
        let options = PlayerOptions { seed: options.seed.wrapping_add(is_second.into()), ..*options };
        let mut player = registry.limited_player::<B>(&seating.without_clock(), &options)?;
        if seating.notation.is_external() {
            player.new_game()?;
        }
        Ok((seating, player))
    }

    fn hints(&self) -> HintSettings {
        let HintSettings { level, lines } = HintSettings::default();
        HintSettings { level: self.hint_level.unwrap_or(level), lines: self.hint_lines.map_or(lines, usize::from) }
    }

    fn run_in_lines<B: StudiedBoard>(&self, registry: &Arc<Registry>, look: Look) -> Result<()> {
        let mut game = LineGame::new(self.setup::<B>(registry, look, 0.0)?).fitted(wrapping::columns(&io::stdout()));
        let mut out = output::stdout();
        let outcome =
            if self.json { print_moves(&mut game, &mut out) } else { game.run(&mut io::stdin().lock(), &mut out) };
        let outcome = outcome.and_then(|()| {
            if let Some(learned) = game.finish_learning()?.filter(|_| !self.json) {
                writeln!(out, "{learned}")?;
                out.flush()?;
            }
            Ok(())
        });
        game.leave();
        outcome
    }

    fn setup<B: StudiedBoard>(&self, registry: &Arc<Registry>, look: Look, default_pace: f64) -> Result<Setup<B>> {
        let game = self.start::<B>()?;
        let options = self.options();
        let (own, against) = self.players::<B>(registry)?;
        let spare = self.seating(own);
        let engine = Some(Self::seated(registry, spare.clone(), &options, false)?);
        let other = against.map(|notation| Self::seated(registry, self.seating(notation), &options, true));
        let other = other.transpose()?;
        Ok(Setup {
            registry: Arc::clone(registry),
            game,
            engines: if self.white { [engine, other] } else { [other, engine] },
            spare,
            control: self.time,
            ponders: self.ponder,
            options,
            look,
            hints: self.hints(),
            pace: Duration::from_secs_f64(self.pace.unwrap_or(default_pace)),
        })
    }

    /// A game on another board, as it was asked for on the screen: against the strongest player available for it.
    fn setup_on_other<B: StudiedBoard>(
        &self,
        registry: &Arc<Registry>,
        other: &OtherBoard,
        look: Look,
    ) -> Result<Setup<B>> {
        let options = self.options();
        let spare = Seating::new(strongest::<B>(registry)?, None);
        let engine = |is_engine: bool, is_second| {
            is_engine.then(|| Self::seated::<B>(registry, spare.clone(), &options, is_second)).transpose()
        };
        let [black, white] = other.sides.persons().map(|is_person| !is_person);
        let engines = [engine(black, false)?, engine(white, true)?];
        Ok(Setup {
            registry: Arc::clone(registry),
            game: Game::default(),
            engines,
            spare,
            control: other.control,
            ponders: self.ponder,
            options,
            look,
            hints: other.hints,
            pace: Duration::try_from_secs_f64(other.pace).unwrap_or_default(),
        })
    }
}

/// Default pause between the moves of two engines on the screen, in seconds.
const PACE: f64 = 1.0;

fn pace(text: &str) -> Result<f64, String> {
    let pace: Option<f64> = text.parse().ok();
    let pace = pace.filter(|pace| (0.0..=60.0).contains(pace));
    pace.ok_or_else(|| format!("not a number of seconds: {text:?}; expected 0 to 60"))
}

/// The strongest player available for a board.
fn strongest<B: StudiedBoard>(registry: &Registry) -> Result<PlayerNotation> {
    Ok(registry.strongest::<B>().name.parse().map_err(UsageError::new)?)
}

/// Whether a person can see a screen and type: both ends are a terminal, and one that can be drawn on.
pub(super) fn can_show_screen() -> bool {
    let is_dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

/// A game of any board that waits for the terminal.
type Prepared = Box<dyn FnOnce(&mut FullScreen) -> Result<Left>>;

fn prepared<B: StudiedBoard>(setup: Setup<B>) -> Prepared {
    Box::new(|full_screen| terminal::play(full_screen, setup))
}

fn print_moves<B: StudiedBoard>(game: &mut LineGame<B>, out: &mut impl Write) -> Result<()> {
    while !game.is_over() {
        let turn = game.game().position().turn;
        let choice = game.let_engine_move()?;
        let (number, player) = (game.game().move_count(), game.player_name(turn));
        let choice = json::Choice::<B>::from(choice);
        output::json_row(out, &Move { number, color: turn, player, choice })?;
    }
    let (score, moves) = (game.game().position().black_score(), MoveSequence::<B>::from(game.game().moves().to_vec()));
    output::json_row(out, &GameResult { score, moves, verdict: game.verdict() })
}

fn seed_of_the_moment() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use engine::{Silent, Stop};
    use othello::{Rules, SmallBoard, SquareSet};
    use session::Sides;

    use super::*;

    #[test]
    fn two_engines_on_another_board_do_not_mirror_each_other() {
        let search = SearchArguments { hash: 1, ..SearchArguments::default() };
        let play = Play { seed: Some(1), search, ..Play::default() };
        let (hints, pace) = (HintSettings::default(), 0.0);
        let other = OtherBoard { shape: BoardShape::Six, control: None, sides: Sides::Neither, hints, pace };
        let setup = play
            .setup_on_other::<SmallBoard<6>>(&Arc::new(Registry::core()), &other, Look::PLAIN)
            .expect("two engines");
        let [mut black, mut white] = setup.engines.map(|engine| engine.expect("an engine").1);
        let mut game = Game::<SmallBoard<6>>::default();
        let mut choices = [Vec::new(), Vec::new()];
        for _ in 0..12 {
            for (player, choices) in [&mut black, &mut white].into_iter().zip(&mut choices) {
                let choice = player.choose(&game, &Limits::of_level(1), &mut Silent, &Stop::new()).expect("a move");
                choices.push(choice.square);
            }
            game.play(game.position().board.moves().first().expect("a move")).expect("a legal move");
        }
        let [black, white] = choices;
        assert_ne!(black, white);
    }
}
