//! A game in the terminal, line by line: a person against an engine, or two engines.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use engine::Choice;
use engine::clock::Moment;
use othello::{Color, Game};
use players::registry::PlayableBoard;
use players::time_span::clock_face;
use report::diagram::{self, Diagram};
use report::look::Look;
use session::{Event, Message, Order, Outcome, Room, Session, Step, View};

use crate::output;
use crate::output::live_line::{LiveLine, thought};
use crate::terminal::{Setup, carry_out};

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

/// A game under way, with its players.
pub struct LineGame<B: PlayableBoard> {
    session: Session<B>,
    /// What the session shows.
    view: View,
    room: Room<B>,
    outcomes: Receiver<Outcome<B>>,
    start: Moment,
    look: Look,
}

/// What a person can say.
#[derive(PartialEq, Debug)]
enum Command {
    Event(Event),
    Board,
    Help,
    Quit,
    Nothing,
    Unknown(String),
}

impl<B: PlayableBoard> LineGame<B> {
    /// A game to be played from its current position.
    pub fn new(setup: Setup<B>) -> Self {
        let (tell, outcomes) = channel();
        let look = setup.look;
        // When the game is gone, nobody needs to know any more.
        let (session, room) = setup.furnish(move |outcome| drop(tell.send(outcome)));
        let mut game = Self { view: session.view(), session, room, outcomes, start: Moment::now(), look };
        game.handle(Event::Tick);
        game
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game<B> {
        self.session.game()
    }

    /// Plays until the person leaves, the input ends, or two engines have finished.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        self.greet(out)?;
        self.show(out)?;
        loop {
            if !self.is_over() && !self.is_person(self.view.turn) {
                let mover = self.view.turn;
                let choice = self.let_engine_move()?;
                let square = self.look.bold(&B::GEOMETRY.square_name(choice.square));
                writeln!(out, "{} plays {square}.", self.player_name(mover))?;
                self.say(out)?;
                self.show(out)?;
            } else if self.is_over() && !self.has_person() || !self.obey_person(input, out)? {
                return Ok(());
            }
        }
    }

    /// Lets the engine whose turn it is choose and play a move.
    pub fn let_engine_move(&mut self) -> Result<Choice> {
        if self.view.is_waiting {
            self.handle(Event::Continue);
        }
        let mut live = LiveLine::new();
        let name = self.player_name(self.view.turn).to_owned();
        let count = self.view.move_count;
        loop {
            let outcome = self.outcomes.recv().context("the players are gone")?;
            let choice = match &outcome {
                Outcome::Thought(_, progress) if progress.time > PATIENCE => {
                    live.show(&format!("{name} thinks: {}", thought::<B>(progress)));
                    None
                }
                Outcome::Chosen(_, Ok(choice)) => Some(choice.clone()),
                _ => None,
            };
            self.take(outcome);
            self.refuse_failure()?;
            if let Some(choice) = choice.filter(|_| self.view.move_count > count) {
                return Ok(choice);
            }
        }
    }

    /// Whether nothing more can be played.
    pub fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// How the game ended: by the discs, or by the clock.
    pub fn verdict(&self) -> String {
        self.view.result.as_ref().map(|result| result.verdict.clone()).unwrap_or_default()
    }

    /// What the player of a colour is called.
    pub fn player_name(&self, color: Color) -> &str {
        &self.view.seats[color as usize].name
    }

    /// Ends the threads of the players.
    pub fn leave(self) {
        self.room.leave();
    }

    fn is_person(&self, color: Color) -> bool {
        self.view.seats[color as usize].is_person()
    }

    fn has_person(&self) -> bool {
        self.is_person(Color::Black) || self.is_person(Color::White)
    }

    /// Lets something happen, and carries out what the session orders.
    fn handle(&mut self, event: Event) {
        let orders = self.session.handle(event, self.start.elapsed());
        self.obey(orders);
    }

    /// Tells the session what came of an order.
    fn take(&mut self, outcome: Outcome<B>) {
        let orders = self.session.take(outcome, self.start.elapsed());
        self.obey(orders);
    }

    fn obey(&mut self, orders: Vec<Order<B>>) {
        for order in orders {
            // There is no command for another board.
            if let Ok(Some(outcome)) = carry_out(order, &mut self.room) {
                self.take(outcome);
            }
        }
        self.view = self.session.view();
    }

    /// An engine that fails ends the game.
    fn refuse_failure(&self) -> Result<()> {
        match self.view.message.as_ref().map(|said| &said.message) {
            Some(Message::Failed { reason, .. }) => bail!("{reason}"),
            _ => Ok(()),
        }
    }

    fn greet(&self, out: &mut impl Write) -> Result<()> {
        let [black, white] = [Color::Black, Color::White].map(|color| {
            let disc = diagram::disc_in_text(color, self.look);
            format!("{disc} {color} is {}", self.look.bold(self.player_name(color)))
        });
        writeln!(out, "{black}, {white}.")?;
        if self.has_person() {
            let example = self.view.legal_moves.first().map_or("f5", |legal| &legal.square);
            writeln!(
                out,
                "Trap opposing discs between two of yours and they turn over; more discs win.\n\
                 Type a marked square, such as {example}, to play there, or help, undo, quit."
            )?;
        }
        Ok(())
    }

    fn show(&self, out: &mut impl Write) -> Result<()> {
        let position = self.game().position();
        let names = [Color::Black, Color::White].map(|color| {
            let seat = &self.view.seats[color as usize];
            let clock = clock_face(Duration::try_from_secs_f64(seat.seconds).unwrap_or_default());
            if self.view.control.is_some() { format!("{} ({clock})", seat.name) } else { seat.name.clone() }
        });
        let mut notes = diagram::notes_on(&position, [&names[0], &names[1]], self.look);
        let last_move = self.game().moves().last().copied();
        if let Some(square) = last_move {
            notes.truncate(B::GEOMETRY.side as usize - 1);
            notes.push(self.look.dim(&format!("Move {}: {}", self.view.move_count, B::GEOMETRY.square_name(square))));
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

    /// Says what the session has to say, unless the board does.
    fn say(&self, out: &mut impl Write) -> Result<()> {
        let Some(said) = &self.view.message else { return Ok(()) };
        match &said.message {
            Message::Passed { color, is_person } => {
                let who = if *is_person { "You have" } else { "The computer has" };
                writeln!(out, "{who} no move and must pass ({color}).")?;
            }
            Message::GameIsOver => writeln!(out, "The game is over. Type new for another one.")?,
            Message::Loaded { .. } | Message::Swapped => {}
            // It may quote a file.
            _ => writeln!(out, "{}", output::printable(&said.sentence))?,
        }
        Ok(())
    }

    /// Asks for an order and carries it out; false if the person leaves.
    fn obey_person(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool> {
        let prompt = if self.is_over() { "> ".to_owned() } else { format!("Your move ({}): ", self.view.turn) };
        write!(out, "{}", self.look.bold(&prompt))?;
        out.flush()?;
        // An engine that ponders thinks meanwhile.
        let Some(line) = read_line(input)? else {
            writeln!(out, "\nGoodbye.")?;
            out.flush()?;
            return Ok(false);
        };
        while let Ok(outcome) = self.outcomes.try_recv() {
            self.take(outcome);
            self.refuse_failure()?;
        }
        match command::<B>(&line) {
            Command::Nothing => {}
            Command::Help => writeln!(out, "{HELP}")?,
            Command::Board => self.show(out)?,
            Command::Quit => {
                writeln!(out, "Goodbye.")?;
                out.flush()?;
                return Ok(false);
            }
            Command::Event(event) => {
                let before = self.view.revision;
                let is_new = event == Event::Restart;
                self.handle(event);
                self.say(out)?;
                if is_new {
                    self.greet(out)?;
                }
                if self.view.revision != before {
                    self.show(out)?;
                }
            }
            Command::Unknown(reason) => writeln!(out, "{reason}. Type help to see what you can say.")?,
        }
        Ok(true)
    }
}

/// What a line says.
fn command<B: PlayableBoard>(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (rest, path) = (rest.trim(), PathBuf::from(rest.trim()));
    let word = word.to_ascii_lowercase();
    Command::Event(match word.as_str() {
        "" => return Command::Nothing,
        "save" | "load" if rest.is_empty() => {
            return Command::Unknown(format!("{word} needs a file name, such as {word} game.txt"));
        }
        "save" => Event::Save { path, overwrite: true },
        "load" => Event::Load { path, number: 1 },
        _ if !rest.is_empty() => return Command::Unknown(format!("{:?} is no move and no command", shortened(line))),
        "undo" | "u" => Event::Go { step: Step::TakeBack },
        "redo" | "r" => Event::Go { step: Step::PlayAgain },
        "swap" => Event::Swap,
        "new" | "n" => Event::Restart,
        "board" | "b" => return Command::Board,
        "help" | "h" | "?" => return Command::Help,
        "quit" | "q" | "exit" | "bye" => return Command::Quit,
        _ if B::GEOMETRY.parse_square(&word).is_ok() => Event::Play { square: word },
        _ => return Command::Unknown(format!("{:?} is no move and no command", shortened(line))),
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(30).collect()
}

/// The next line of input, or nothing at its end. Bytes that are no text become question marks.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use engine::{Chosen, GameClock, Limits, Observer, Player, PlayerError, Stop};
    use othello::{Board, Position, Rules, Square, SquareSet};
    use session::Seating;

    use super::*;

    /// Plays the first legal move in reading order.
    struct Reader;

    impl<B: Rules> Player<B> for Reader {
        fn name(&self) -> &str {
            "reader"
        }

        fn choose(&mut self, game: &Game<B>, _: &Limits, _: &mut dyn Observer, _: &Stop) -> Chosen {
            game.position().board.moves().first().map(Choice::of).ok_or(PlayerError::GameOver)
        }
    }

    fn table(game: Game, person: Color, control: Option<GameClock>) -> LineGame<Board> {
        let spare = Seating::new("reader".parse().expect("a player"), None);
        let reader: Box<dyn Player<Board>> = Box::new(Reader);
        let mut engines = [None, Some((spare.clone(), reader))];
        if person == Color::White {
            engines.swap(0, 1);
        }
        let options = players::registry::PlayerOptions::default();
        LineGame::new(Setup { game, engines, spare, control, ponders: false, options, look: Look::PLAIN })
    }

    /// What the terminal shows for these lines typed, and the moves played at the end.
    fn session(mut table: LineGame<Board>, typed: &[u8]) -> (String, String) {
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
