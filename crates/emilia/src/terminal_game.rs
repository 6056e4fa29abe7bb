//! A game in the terminal, line by line: a person against an engine, or two engines.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use engine::clock::Moment;
use engine::{Choice, GameClock, Limits, Player, Pondering, Progress, Stop};
use othello::records::GameRecord;
use othello::{Color, Game, Rules, Square};

use crate::diagram::{self, Diagram};
use crate::game_file::{self, RecordedBoard};
use crate::live_line::{LiveLine, thought};
use crate::look::Look;
use crate::output;
use crate::taking_back;
use crate::time_span::clock_face;

/// No command is longer; more is not kept in memory.
const LONGEST_LINE: u64 = 4096;

const HELP: &str = "\
Each side starts with two discs. Place a disc so that it traps opposing discs
in a straight line, in any direction, between it and another of yours: all
discs so trapped become yours. Who cannot move passes. When nobody can move,
more discs win.

  f5           play on f5; the squares where you may play are marked
  undo         take back your last move
  redo         play it again
  board        show the board again
  swap         change sides
  new          start a new game
  save FILE    save the game; the extension says how: .txt, .ggf, .sgf, .obf or .wtb
  load FILE    go on with a saved game
  quit         leave";

/// Who waits longer wants to see what the engine thinks.
const PATIENCE: Duration = Duration::from_millis(300);

/// Who plays one of the colours.
pub enum Seat<B: Rules> {
    /// The person at the terminal.
    Person,
    /// An engine.
    Engine(Box<dyn Player<B>>),
}

/// A game under way, with its players.
pub struct TerminalGame<B: Rules> {
    game: Game<B>,
    /// Black's and White's player.
    seats: [Seat<B>; 2],
    /// What each engine may use for a move, apart from the clock.
    limits: Limits,
    /// The clock that each side starts with.
    time: Option<GameClock>,
    clocks: Option<[GameClock; 2]>,
    /// The side whose time ran out.
    out_of_time: Option<Color>,
    /// Whether the engine thinks while the person does.
    ponders: bool,
    look: Look,
}

/// What a person can say.
#[derive(PartialEq, Eq, Debug)]
enum Order<'a> {
    Play(Square),
    Undo,
    Redo,
    Board,
    Swap,
    New,
    Save(&'a str),
    Load(&'a str),
    Help,
    Quit,
    Nothing,
    Unknown(String),
}

/// Whether the game goes on after an order.
enum Next {
    /// With the same position: ask again.
    Ask,
    /// With another position.
    Go,
    /// Not at all.
    Leave,
}

impl<B: RecordedBoard> TerminalGame<B> {
    /// A game to be played from its current position.
    pub fn new(game: Game<B>, seats: [Seat<B>; 2], limits: Limits, time: Option<GameClock>, look: Look) -> Self {
        Self {
            game,
            seats,
            limits,
            time,
            clocks: time.map(|clock| [clock; 2]),
            out_of_time: None,
            ponders: false,
            look,
        }
    }

    /// Lets the engine think while the person does, or not.
    pub fn set_pondering(&mut self, ponders: bool) {
        self.ponders = ponders;
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game<B> {
        &self.game
    }

    /// Plays until the person leaves, the input ends, or two engines have finished.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        self.greet(out)?;
        self.show(out)?;
        loop {
            let over = self.is_over();
            match self.seat() {
                Seat::Engine(_) if !over => {
                    let choice = self.let_engine_move()?;
                    self.announce(&choice, out)?;
                    self.show(out)?;
                }
                _ if over && !self.has_person() => return Ok(()),
                _ => match self.obey_person(input, out)? {
                    Next::Ask => {}
                    Next::Go => self.show(out)?,
                    Next::Leave => return Ok(()),
                },
            }
        }
    }

    /// Lets the engine whose turn it is choose and play a move.
    pub fn let_engine_move(&mut self) -> Result<Choice> {
        let turn = self.game.position().turn;
        let limits = Limits { clock: self.clocks.map(|clocks| clocks[turn as usize]), ..self.limits };
        let Seat::Engine(player) = &mut self.seats[turn as usize] else {
            anyhow::bail!("it is the person's turn");
        };
        let start = Moment::now();
        let mut live = LiveLine::new();
        let name = player.name().to_owned();
        let mut observer = |progress: &Progress| {
            if progress.time > PATIENCE {
                live.show(&format!("{name} thinks: {}", thought::<B>(progress)));
            }
        };
        let choice = player.choose(&self.game, &limits, &mut observer, &Stop::new())?;
        live.clear();
        self.game.play(choice.square).with_context(|| format!("{name} played an illegal move"))?;
        self.spend(turn, start.elapsed());
        Ok(choice)
    }

    /// Whether nothing more can be played.
    pub fn is_over(&self) -> bool {
        self.game.is_over() || self.out_of_time.is_some()
    }

    /// How the game ended: by the discs, or by the clock.
    pub fn verdict(&self) -> String {
        diagram::verdict(&self.game.position(), self.out_of_time)
    }

    fn seat(&self) -> &Seat<B> {
        &self.seats[self.game.position().turn as usize]
    }

    fn is_person(&self, color: Color) -> bool {
        persons(&self.seats)(color)
    }

    fn has_person(&self) -> bool {
        self.is_person(Color::Black) || self.is_person(Color::White)
    }

    /// What the player of a colour is called.
    pub fn player_name(&self, color: Color) -> &str {
        match &self.seats[color as usize] {
            Seat::Person => "you",
            Seat::Engine(player) => player.name(),
        }
    }

    /// Takes the time of a move off the clock of the side that made it.
    fn spend(&mut self, color: Color, time: Duration) {
        if let Some(clocks) = &mut self.clocks
            && !clocks[color as usize].spend(time)
        {
            self.out_of_time = Some(color);
        }
    }

    fn greet(&self, out: &mut impl Write) -> Result<()> {
        let [black, white] = [Color::Black, Color::White].map(|color| {
            let disc = diagram::disc_in_text(color, self.look);
            format!("{disc} {color} is {}", self.look.bold(self.player_name(color)))
        });
        writeln!(out, "{black}, {white}.")?;
        if self.has_person() {
            let example = othello::squares(self.game.position().board.moves()).next();
            let example = example.map_or("f5".to_owned(), |square| B::GEOMETRY.square_name(square));
            writeln!(
                out,
                "Trap opposing discs between two of yours and they turn over; more discs win.\n\
                 Type a marked square, such as {example}, to play there, or help, undo, quit."
            )?;
        }
        Ok(())
    }

    fn show(&self, out: &mut impl Write) -> Result<()> {
        let position = self.game.position();
        let names = [Color::Black, Color::White].map(|color| {
            let name = self.player_name(color);
            match self.clocks {
                Some(clocks) => format!("{name} ({})", clock_face(clocks[color as usize].remaining)),
                None => name.to_owned(),
            }
        });
        let mut notes = diagram::notes_on(&position, [&names[0], &names[1]], self.look);
        let last_move = self.game.moves().last().copied();
        if let Some(square) = last_move {
            notes.truncate(B::GEOMETRY.side as usize - 1);
            notes.push(self.look.dim(&format!("Move {}: {}", self.game.move_count(), B::GEOMETRY.square_name(square))));
        }
        writeln!(out)?;
        out.write_all(Diagram { position: &position, last_move, notes }.draw(self.look).as_bytes())?;
        writeln!(out)?;
        if self.is_over() {
            writeln!(out, "{}", self.look.bold(&self.verdict()))?;
            if self.has_person() {
                writeln!(out, "Type new for another game, undo to try again, save FILE, or quit.")?;
            }
        }
        out.flush()?;
        Ok(())
    }

    fn announce(&self, choice: &Choice, out: &mut impl Write) -> Result<()> {
        let plies = self.game.plies();
        let Some(played) = plies.iter().rev().find(|ply| ply.square.is_some()) else {
            return Ok(());
        };
        let name = self.player_name(played.color);
        writeln!(out, "{name} plays {}.", self.look.bold(&B::GEOMETRY.square_name(choice.square)))?;
        self.announce_pass(out)
    }

    /// Says so if the other side had to pass after the last move.
    fn announce_pass(&self, out: &mut impl Write) -> Result<()> {
        if let Some(passed) = self.game.plies().last().filter(|ply| ply.square.is_none()) {
            let subject = if self.is_person(passed.color) { "You have" } else { "The computer has" };
            writeln!(out, "{subject} no move and must pass ({}).", passed.color)?;
        }
        Ok(())
    }

    /// Asks for an order and carries it out.
    fn obey_person(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<Next> {
        let turn = self.game.position().turn;
        let prompt = if self.is_over() { "> ".to_owned() } else { format!("Your move ({turn}): ") };
        write!(out, "{}", self.look.bold(&prompt))?;
        out.flush()?;
        let start = Moment::now();
        let Some(line) = self.read_line_pondering(input)? else {
            writeln!(out, "\nGoodbye.")?;
            out.flush()?;
            return Ok(Next::Leave);
        };
        let next = match self.order(&line) {
            Order::Nothing => Next::Ask,
            Order::Help => {
                writeln!(out, "{HELP}")?;
                Next::Ask
            }
            Order::Board => Next::Go,
            Order::Quit => {
                writeln!(out, "Goodbye.")?;
                out.flush()?;
                Next::Leave
            }
            Order::Play(_) if self.is_over() => {
                writeln!(out, "The game is over. Type new for another one.")?;
                Next::Ask
            }
            Order::Play(square) => match self.game.play(square) {
                Ok(()) => {
                    self.spend(turn, start.elapsed());
                    self.announce_pass(out)?;
                    Next::Go
                }
                Err(error) => {
                    writeln!(out, "{error}.")?;
                    Next::Ask
                }
            },
            Order::Undo => {
                let changed = taking_back::take_back(&mut self.game, persons(&self.seats));
                self.step(out, changed, "There is no move of yours to take back.")?
            }
            Order::Redo => {
                let changed = taking_back::play_again(&mut self.game, persons(&self.seats));
                self.step(out, changed, "There is no move to play again.")?
            }
            Order::Swap => {
                self.seats.swap(0, 1);
                Next::Go
            }
            Order::New => {
                self.restart(Game::from_position(self.game.start()))?;
                self.greet(out)?;
                Next::Go
            }
            Order::Save(path) => {
                match game_file::write_game(Path::new(path), &self.record()) {
                    Ok(()) => writeln!(out, "Saved as {path}.")?,
                    Err(error) => complain(out, &error.into())?,
                }
                Next::Ask
            }
            Order::Load(path) => match B::read_game(Path::new(path), 1) {
                Ok(record) => {
                    self.restart(record.game)?;
                    self.game.forward();
                    Next::Go
                }
                Err(error) => {
                    complain(out, &error.into())?;
                    Next::Ask
                }
            },
            Order::Unknown(reason) => {
                writeln!(out, "{reason}. Type help to see what you can say.")?;
                Next::Ask
            }
        };
        Ok(next)
    }

    /// The game with what is known about it.
    fn record(&self) -> GameRecord<B> {
        game_file::record_of_play(&self.game, [Color::Black, Color::White].map(|color| self.player_name(color)))
    }

    /// Waits for a line; an engine that ponders thinks meanwhile about the move the person will make.
    fn read_line_pondering(&mut self, input: &mut impl BufRead) -> io::Result<Option<String>> {
        let other = !self.game.position().turn as usize;
        if !self.ponders || self.is_over() {
            return read_line(input);
        }
        match std::mem::replace(&mut self.seats[other], Seat::Person) {
            Seat::Person => read_line(input),
            Seat::Engine(player) => {
                let pondering = Pondering::start(player, self.game.clone());
                let line = read_line(input);
                self.seats[other] = Seat::Engine(pondering.end());
                line
            }
        }
    }

    /// What follows a step in the game that was made, or could not be.
    fn step(&mut self, out: &mut impl Write, changed: bool, otherwise: &str) -> Result<Next> {
        if changed {
            self.out_of_time = None;
            return Ok(Next::Go);
        }
        writeln!(out, "{otherwise}")?;
        Ok(Next::Ask)
    }

    /// Puts another game on the table.
    fn restart(&mut self, game: Game<B>) -> Result<()> {
        self.game = game;
        self.clocks = self.time.map(|clock| [clock; 2]);
        self.out_of_time = None;
        for seat in &mut self.seats {
            if let Seat::Engine(player) = seat {
                player.new_game()?;
            }
        }
        Ok(())
    }

    fn order<'a>(&self, line: &'a str) -> Order<'a> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_lowercase().as_str() {
            "" => Order::Nothing,
            "save" if rest.is_empty() => Order::Unknown("save needs a file name, such as save game.txt".to_owned()),
            "load" if rest.is_empty() => Order::Unknown("load needs a file name, such as load game.txt".to_owned()),
            "save" => Order::Save(rest),
            "load" => Order::Load(rest),
            _ if !rest.is_empty() => Order::Unknown(format!("{:?} is no move and no command", shortened(line))),
            "undo" | "u" => Order::Undo,
            "redo" | "r" => Order::Redo,
            "board" | "b" => Order::Board,
            "swap" => Order::Swap,
            "new" | "n" => Order::New,
            "help" | "h" | "?" => Order::Help,
            "quit" | "q" | "exit" | "bye" => Order::Quit,
            _ => match B::GEOMETRY.parse_square(word) {
                Ok(square) => Order::Play(square),
                Err(_) => Order::Unknown(format!("{:?} is no move and no command", shortened(word))),
            },
        }
    }
}

/// Which of the colours a person plays.
fn persons<B: Rules>(seats: &[Seat<B>; 2]) -> impl Fn(Color) -> bool {
    |color| matches!(seats[color as usize], Seat::Person)
}

fn shortened(text: &str) -> String {
    text.chars().take(30).collect()
}

/// Says what is wrong with a file, in words that may quote it.
fn complain(out: &mut impl Write, error: &anyhow::Error) -> io::Result<()> {
    writeln!(out, "{}.", output::printable(&output::sentence_of(error)))
}

/// The next line of input, or nothing at its end. Bytes that are no text become question marks.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use engine::{Observer, PlayerError};
    use othello::{Board, Position, SquareSet};

    use super::*;

    /// Plays the first legal move in reading order.
    struct Reader;

    impl<B: Rules> Player<B> for Reader {
        fn name(&self) -> &str {
            "reader"
        }

        fn choose(
            &mut self,
            game: &Game<B>,
            _limits: &Limits,
            _observer: &mut dyn Observer,
            _stop: &Stop,
        ) -> Result<Choice, PlayerError> {
            game.position().board.moves().first().map(Choice::of).ok_or(PlayerError::GameOver)
        }
    }

    fn table(game: Game, person: Color, time: Option<GameClock>) -> TerminalGame<Board> {
        let mut seats = [Seat::Person, Seat::Engine(Box::new(Reader))];
        if person == Color::White {
            seats.swap(0, 1);
        }
        TerminalGame::new(game, seats, Limits::default(), time, Look::PLAIN)
    }

    /// What the terminal shows for these lines typed, and the moves played at the end.
    fn session(mut table: TerminalGame<Board>, typed: &[u8]) -> (String, String) {
        let mut out = Vec::new();
        table.run(&mut &typed[..], &mut out).expect("the session ends well");
        let moves = table.game().moves().iter().map(Square::to_string).collect();
        (String::from_utf8(out).expect("the screen is text"), moves)
    }

    fn as_black(typed: &str) -> (String, String) {
        session(table(Game::new(), Color::Black, None), typed.as_bytes())
    }

    #[test]
    fn a_move_is_answered_and_the_end_of_input_ends_the_session() {
        let (screen, moves) = as_black("f5\n");
        assert_eq!(moves, "f5f4");
        assert!(screen.contains("reader plays f4."), "{screen}");
        assert!(screen.ends_with("Goodbye.\n"), "{screen}");
    }

    #[test]
    fn undo_goes_back_to_the_persons_last_move_and_redo_forward_again() {
        assert_eq!(as_black("f5\nc3\nundo\n").1, "f5f4");
        assert_eq!(as_black("f5\nc3\nundo\nundo\n").1, "");
        assert_eq!(as_black("f5\nc3\nu\nu\nr\nr\n").1, as_black("f5\nc3\n").1);
        assert!(as_black("undo\n").0.contains("There is no move of yours to take back."));
        assert!(as_black("f5\nredo\n").0.contains("There is no move to play again."));
    }

    #[test]
    fn white_cannot_take_back_the_engines_first_move() {
        let (screen, moves) = session(table(Game::new(), Color::White, None), b"undo\n");
        assert_eq!(moves, "d3");
        assert!(screen.contains("There is no move of yours to take back."));
    }

    #[test]
    fn nonsense_is_answered_with_a_hint_and_changes_nothing() {
        let long = "x".repeat(10_000) + "\n";
        for typed in ["a1\n", "z9\n", "f5 now\n", "\n", "save\n", "load \n", "\u{1b}[A\n", long.as_str()] {
            let (screen, moves) = as_black(typed);
            assert_eq!(moves, "", "{typed:?}");
            assert!(screen.ends_with("Goodbye.\n"), "{typed:?}");
        }
        assert!(as_black("a1\n").0.contains("Black cannot play a1: no disc would be flipped"));
        assert!(as_black("z9\n").0.contains("\"z9\" is no move and no command. Type help"));
        assert_eq!(session(table(Game::new(), Color::Black, None), b"\xff\xfe\n\0\nf5\n").1, "f5f4");
    }

    #[test]
    fn swapping_sides_lets_the_engine_play_on_for_black() {
        let (screen, moves) = as_black("swap\n");
        assert_eq!(moves, "d3");
        assert!(screen.contains("Your move (White)"), "{screen}");
    }

    #[test]
    fn a_new_game_begins_from_the_start() {
        assert_eq!(as_black("f5\nnew\n").1, "");
        assert_eq!(as_black("f5\nnew\ne6\n").1[..2], *"e6");
    }

    #[test]
    fn a_forced_pass_is_announced_and_the_result_counts_empty_squares() {
        // White cannot move after h1; then Black takes the last white disc.
        let position: Position = "
            -OXXXXO-
            --------
            --------
            --------
            --------
            --------
            --------
            -------- X"
            .parse()
            .expect("the drawing is a board");
        let (screen, moves) = session(table(Game::from_position(position), Color::Black, None), b"h1\na1\n");
        assert_eq!(moves, "h1a1");
        assert!(screen.contains("The computer has no move and must pass (White)."), "{screen}");
        assert!(screen.contains("Black wins 64-0; the 56 empty squares count for the winner."), "{screen}");
        assert!(screen.contains("Type new for another game"), "{screen}");
    }

    #[test]
    fn who_runs_out_of_time_loses() {
        let clock = GameClock::new(Duration::ZERO);
        let (screen, _) = session(table(Game::new(), Color::Black, Some(clock)), b"f5\nc3\n");
        assert!(screen.contains("Black has run out of time: White wins."), "{screen}");
        assert!(screen.contains("The game is over."), "{screen}");
    }
}
