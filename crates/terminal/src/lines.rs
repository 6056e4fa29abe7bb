//! A game in the terminal, line by line: a person against an engine, or two engines.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use engine::analysis::Perspective;
use engine::clock::Moment;
use engine::{Choice, Level, Origin, Progress};
use othello::{Color, Game};
use players::time_span::clock_face;
use report::diagram::{self, Diagram};
use report::look::Look;
use session::{
    AnalysisView, Catalogue, Confirmation, Effect, Event, Hint, Message, PlayerThreads, Reply, SeatView, Session, Step,
    StudiedBoard, View, without_limits,
};

use crate::files::numbered;
use crate::full_screen::drawing::analysis::sentence;
use crate::live_line::{LiveLine, thought};
use crate::wrapping;
use crate::{EffectResult, Setup, carry_out};
use report::words;

/// No command is longer; more is not kept in memory.
const MAX_LINE: u64 = 4096;

/// The rules and the commands.
const HELP: &str = include_str!("lines_help.txt");

/// As many moves of a thought as a line has room for.
const LIVE_MOVES: usize = 10;

/// As many moves of a line as are read out.
const HINT_MOVES: usize = 8;

/// Time after which the progress of a search is shown.
const LIVE_AFTER: Duration = Duration::from_millis(300);

/// A game under way, with its players.
pub struct LineGame<B: StudiedBoard> {
    session: Session<B>,
    view: View,
    threads: PlayerThreads<B>,
    answers: Receiver<EffectResult<B>>,
    start: Moment,
    look: Look,
    /// The pause of two engines between moves.
    pace: Duration,
    catalogue: Catalogue,
    /// The width of the terminal, if there is one: lines are broken between words.
    columns: Option<usize>,
}

impl<B: StudiedBoard> LineGame<B> {
    /// A game to be played from its current position.
    pub fn new(setup: Setup<B>) -> Self {
        let (tell, answers) = channel();
        let (look, pace) = (setup.look, setup.pace);
        // No ticks come here, so that the pauses are made between the moves.
        let setup = Setup { pace: Duration::ZERO, ..setup };
        // A failed send means that the game has ended.
        let (session, threads) = setup.furnish(move |answer| drop(tell.send(answer)));
        let (view, start, catalogue) = (session.view(), Moment::now(), Catalogue::of::<B>(session.registry()));
        let mut game = Self { view, session, threads, answers, start, look, pace, catalogue, columns: None };
        game.handle(Event::Tick);
        game
    }

    /// The same for a terminal with this number of columns.
    #[must_use]
    pub fn fitted(self, columns: Option<usize>) -> Self {
        Self { columns, ..self }
    }

    fn print(&self, text: &str, out: &mut impl Write) -> Result<()> {
        Ok(writeln!(out, "{}", wrapping::wrapped(text, self.columns, 0))?)
    }

    /// The game with its current position.
    pub fn game(&self) -> &Game<B> {
        self.session.game()
    }

    /// Plays until the person leaves, the input ends, or two engines have finished.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        self.greet(out)?;
        self.show(out)?;
        loop {
            if !self.is_over() && !self.is_person(self.view.turn) && !self.is_looked_at() {
                let mover = self.view.turn;
                if !self.has_person() && self.view.move_count > 0 {
                    thread::sleep(self.pace);
                }
                let choice = self.let_engine_move()?;
                let square = self.look.bold(&B::GEOMETRY.square_name(choice.square));
                writeln!(out, "{} plays {square}.", self.player_name(mover))?;
                self.say(out)?;
                self.show(out)?;
            } else if self.is_over() && !self.has_person() || !self.ask_person(input, out)? {
                return Ok(());
            }
        }
    }

    /// Lets the engine whose turn it is choose and play a move.
    pub fn let_engine_move(&mut self) -> Result<Choice> {
        if self.view.is_waiting {
            self.handle(Event::Continue);
        }
        let mut live = LiveLine::on_stderr();
        let name = self.player_name(self.view.turn).to_owned();
        let count = self.view.move_count;
        loop {
            let answer = self.answers.recv().context("the players are gone")?;
            let choice = match &answer {
                EffectResult::Reply(_, Reply::Thought { progress }) if progress.searched.time > LIVE_AFTER => {
                    let mut progress = Progress::from(progress.clone());
                    // No move is cut at the end of the line.
                    progress.line.truncate(LIVE_MOVES);
                    live.show(&format!("{name} is thinking: {}", thought::<B>(&progress)));
                    None
                }
                EffectResult::Reply(_, Reply::Chosen { choice }) => Some(Choice::from(choice.clone())),
                _ => None,
            };
            self.take(answer);
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

    /// Describes the end of the game: by the discs, or by the clock.
    pub fn verdict(&self) -> String {
        self.view.result.as_ref().map(|result| result.verdict.clone()).unwrap_or_default()
    }

    /// The name of the player of a color.
    pub fn player_name(&self, color: Color) -> &str {
        &self.view.seats[color as usize].name
    }

    /// Waits until the engines have learned the game that is over, if they learn, and returns their message.
    pub fn finish_learning(&mut self) -> Result<Option<String>> {
        if !self.session.is_learning() {
            return Ok(None);
        }
        let mut live = LiveLine::on_stderr();
        live.show("the game enters the opening book");
        while self.session.is_learning() {
            let answer = self.answers.recv().context("the players are gone")?;
            self.take(answer);
        }
        live.clear();
        match self.message() {
            Some(Message::LearningFailed { reason }) => bail!("the game could not be learned: {reason}"),
            message => Ok(message.map(ToString::to_string)),
        }
    }

    /// Ends the threads of the players.
    pub fn leave(self) {
        self.threads.leave();
    }

    fn is_person(&self, color: Color) -> bool {
        self.view.seats[color as usize].is_person()
    }

    /// Whether a game is being reviewed at a paused engine, with a person who can let it go on.
    fn is_looked_at(&self) -> bool {
        self.view.is_reviewing && self.view.is_waiting && self.has_person()
    }

    fn has_person(&self) -> bool {
        self.is_person(Color::Black) || self.is_person(Color::White)
    }

    fn message(&self) -> Option<&Message> {
        self.view.message.as_ref().map(|said| &said.message)
    }

    /// Passes an event to the session, and carries out its effects.
    fn handle(&mut self, event: Event) {
        let effects = self.session.handle(event, self.start.elapsed());
        self.carry_out(effects);
    }

    /// Passes the result of an effect to the session.
    fn take(&mut self, answer: EffectResult<B>) {
        let effects = answer.apply(&mut self.session, self.start.elapsed());
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<Effect<B>>) {
        for effect in effects {
            // There is no command for another board.
            if let Ok(Some(answer)) = carry_out(effect, &mut self.threads) {
                self.take(answer);
            }
        }
        self.view = self.session.view();
    }

    /// An engine that fails ends the game.
    fn refuse_failure(&self) -> Result<()> {
        match self.message() {
            Some(Message::Failed { reason, .. }) => bail!("{reason}"),
            _ => Ok(()),
        }
    }

    fn greet(&self, out: &mut impl Write) -> Result<()> {
        let [black, white] = [Color::Black, Color::White].map(|color| {
            let disc = diagram::disc_in_text(color, self.look);
            format!("{disc} {color}: {}", self.look.bold(&self.view.seats[color as usize].title))
        });
        writeln!(out, "{black}, {white}.")?;
        if self.has_person() {
            let example = self.view.legal_moves.first().map_or("f5", |legal| &legal.square);
            writeln!(
                out,
                "Trap opposing discs between two of yours and they become yours; the side with more discs wins.\n\
                 Type a marked square, such as {example}, to play there, or hint, undo, help, quit."
            )?;
        }
        Ok(())
    }

    fn show(&self, out: &mut impl Write) -> Result<()> {
        let position = self.game().position();
        let names = [Color::Black, Color::White].map(|color| {
            let seat = &self.view.seats[color as usize];
            let clock = clock_face(Duration::try_from_secs_f64(seat.seconds).unwrap_or_default());
            match &seat.recorded {
                Some(name) => name.clone(),
                None if seat.control.is_some() => format!("{} ({clock})", seat.title),
                None => seat.title.clone(),
            }
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
                let next =
                    "Type analyze to see the mistakes, new for another game, undo to try again, save FILE, or quit.";
                writeln!(out, "{next}")?;
            }
        }
        out.flush()?;
        Ok(())
    }

    /// Prints the message of the session, unless the board shows it.
    fn say(&self, out: &mut impl Write) -> Result<()> {
        let Some(said) = &self.view.message else { return Ok(()) };
        match &said.message {
            Message::GameIsOver => writeln!(out, "The game is over. Type new for another one.")?,
            Message::Swapped => {}
            // It may quote a file.
            _ => self.print(&words::printable(&said.sentence), out)?,
        }
        Ok(())
    }

    /// Asks for a command and carries it out; false if the person leaves.
    fn ask_person(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<bool> {
        let turn = self.view.turn;
        let prompt = match self.view.is_waiting {
            _ if self.is_over() => "> ".to_owned(),
            true => format!("{} ({turn}) is waiting; type go to let it play: ", self.player_name(turn)),
            false => format!("Your move ({turn}): "),
        };
        write!(out, "{}", self.look.bold(&prompt))?;
        out.flush()?;
        // An engine that ponders thinks meanwhile.
        let Some(line) = read_line(input)? else {
            writeln!(out, "\nGoodbye.")?;
            out.flush()?;
            return Ok(false);
        };
        while let Ok(answer) = self.answers.try_recv() {
            self.take(answer);
            self.refuse_failure()?;
        }
        let is_leaving = matches!(line.trim().to_ascii_lowercase().as_str(), "quit" | "q" | "exit" | "bye");
        if is_leaving {
            writeln!(out, "Goodbye.")?;
            out.flush()?;
        } else {
            self.carry_out_command(line.trim(), out)?;
        }
        Ok(!is_leaving)
    }

    fn carry_out_command(&mut self, line: &str, out: &mut impl Write) -> Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        let path = || PathBuf::from(rest);
        let event = match (word.as_str(), rest) {
            ("", _) => return Ok(()),
            ("save" | "load", "") => {
                return self.refuse(&format!("{word} needs a file name, such as {word} game.ggf"), out);
            }
            ("report", "") => return self.refuse("report needs a file name, such as report game.html", out),
            ("opponent", "") => {
                return self.refuse("opponent needs a name, such as opponent random; opponents lists them", out);
            }
            ("save", _) => Event::Save { path: path(), overwrite: false },
            ("load", _) => {
                let (path, number) = numbered(rest);
                Event::Load { path: PathBuf::from(path), number }
            }
            ("report", _) => Event::WriteReport { path: path(), overwrite: false },
            ("opponent", player) => return self.seat(player.to_owned(), None, out),
            ("level", number) => match number.parse() {
                Ok(level) => return self.set_level(level, out),
                Err(_) => {
                    let expected = "expected 0 to 60; below 5 also half levels such as 2.5";
                    return self.refuse(&format!("unknown level {:?}; {expected}", shortened(number)), out);
                }
            },
            ("hint" | "hints", "") => return self.hint(None, out),
            ("hint" | "hints", number) => match number.parse() {
                Ok(level) => return self.hint(Some(level), out),
                Err(_) => {
                    return self.refuse(&format!("not a level: {:?}; expected 1 to 60", shortened(number)), out);
                }
            },
            ("undo" | "u", "") => Event::Go { step: Step::TakeBack },
            ("redo" | "r", "") => Event::Go { step: Step::PlayAgain },
            ("back", "") => Event::Go { step: Step::Back },
            ("forward", "") => Event::Go { step: Step::Forward },
            ("go", "") => Event::Continue,
            ("swap", "") => Event::Swap,
            ("new" | "n", "") => Event::Restart,
            ("yes" | "y", "") => match self.view.question.clone() {
                Some(Confirmation::Overwrite { path, is_report: true, .. }) => {
                    Event::WriteReport { path, overwrite: true }
                }
                Some(Confirmation::Overwrite { path, .. }) => Event::Save { path, overwrite: true },
                None => return Ok(writeln!(out, "There is no question to answer.")?),
            },
            ("board" | "b", "") => return self.show(out),
            ("moves", "") => return self.print(&self.moves(), out),
            ("opponents", "") => {
                for listed in &self.catalogue.players {
                    self.print(&format!("{}: {}", listed.name, listed.description), out)?;
                }
                return Ok(());
            }
            ("analyze" | "analyse", "") => return self.analyze(out),
            ("help" | "h" | "?", "") => return Ok(write!(out, "{HELP}")?),
            (square, "") if B::GEOMETRY.parse_square(square).is_ok() => Event::Play { square: word },
            _ => return self.refuse(&format!("not a move or a command: {:?}", shortened(line)), out),
        };
        self.happen(event, out)
    }

    fn refuse(&self, reason: &str, out: &mut impl Write) -> Result<()> {
        self.print(&format!("{reason}. Type help for a list of commands."), out)
    }

    /// Passes an event to the session, and prints the result.
    fn happen(&mut self, event: Event, out: &mut impl Write) -> Result<()> {
        let before = self.view.revision;
        let is_new = event == Event::Restart;
        self.handle(event);
        self.say(out)?;
        if let Some(Confirmation::Overwrite { there, .. }) = &self.view.question {
            let names: Vec<_> = there.iter().map(|path| path.display().to_string()).collect();
            let (exist, them) = if names.len() == 1 { ("already exists", "it") } else { ("already exist", "them") };
            let names = names.join(" and ");
            self.print(&format!("{} {exist}. Type yes to overwrite {them}.", words::printable(&names)), out)?;
        }
        if is_new {
            self.greet(out)?;
        }
        if self.view.revision != before {
            self.show(out)?;
        }
        Ok(())
    }

    /// Takes results of effects until a condition holds, and shows the view after each.
    fn wait_until(&mut self, is_done: impl Fn(&View) -> bool, mut see: impl FnMut(&View)) -> Result<()> {
        while !is_done(&self.view) {
            let answer = self.answers.recv().context("the players are gone")?;
            self.take(answer);
            see(&self.view);
        }
        Ok(())
    }

    fn moves(&self) -> String {
        let names = self.view.moves[..self.view.played.min(self.view.moves.len())].iter();
        let names: Vec<_> = names.map(|ply| ply.square.as_deref().unwrap_or("pass")).collect();
        if names.is_empty() { "No moves yet.".to_owned() } else { names.join(" ") }
    }

    /// Values the moves, and lists the best of them.
    fn hint(&mut self, level: Option<u32>, out: &mut impl Write) -> Result<()> {
        if self.is_over() {
            writeln!(out, "The game is over.")?;
            return Ok(());
        }
        if level.is_some() {
            self.handle(Event::SetHints { level, lines: None });
            if let Some(Message::Refused { .. }) = self.message() {
                return self.say(out);
            }
        }
        self.handle(Event::ShowHints { shown: true });
        let mut live = LiveLine::on_stderr();
        let is_searched = |hint: &&Hint| hint.origin != Some(Origin::Book);
        let depth = |view: &View| view.hints.iter().filter(is_searched).map(|hint| hint.depth).max().unwrap_or(0);
        self.wait_until(|view| !view.is_advising, |view| live.show(&format!("Searching, depth {}", depth(view))))?;
        live.clear();
        if let Some(Message::NoHints { .. }) = self.message() {
            return self.say(out);
        }
        let hints: Vec<&Hint> = self.view.listed_hints().collect();
        let (listed, others) = hints.split_at(hints.len().min(self.view.hint_settings.lines));
        let value = |hint: &Hint| hint.value.map_or(String::new(), |value| value.to_string());
        for hint in listed {
            let line = moves_of(&hint.line, HINT_MOVES);
            let mark = if hint.is_best { ", best" } else { "" };
            let basis = match hint.origin {
                Some(Origin::Book) => "from the book".to_owned(),
                Some(Origin::Exact) => "exact".to_owned(),
                Some(Origin::Search) | None => format!("at {}@{}%", hint.depth, hint.selectivity),
            };
            self.print(&format!("{}: {} {basis}{mark}; expected {line}", named(hint), value(hint)), out)?;
        }
        if !others.is_empty() {
            let others: Vec<_> = others.iter().map(|hint| format!("{} {}", named(hint), value(hint))).collect();
            self.print(&format!("Others: {}", others.join(", ")), out)?;
        }
        self.handle(Event::ShowHints { shown: false });
        Ok(())
    }

    /// The engine that plays, whose turn it is or not.
    fn opponent(&self) -> Option<&SeatView> {
        self.view.seats.iter().find(|seat| !seat.is_person())
    }

    /// Lets another player take the seat of the engine, or of the other side if no engine plays.
    fn seat(&mut self, player: String, level: Option<Level>, out: &mut impl Write) -> Result<()> {
        let color = self.opponent().map_or(!self.view.turn, |seat| seat.color);
        self.handle(Event::Seat { color, player, level });
        self.say(out)
    }

    fn set_level(&mut self, level: Level, out: &mut impl Write) -> Result<()> {
        match self.opponent().and_then(|seat| seat.player.clone()) {
            Some(player) => self.seat(without_limits(&player), Some(level), out),
            None => Ok(writeln!(out, "No engine is playing; type opponent NAME to choose one.")?),
        }
    }

    fn analyze(&mut self, out: &mut impl Write) -> Result<()> {
        self.handle(Event::Analyze { level: None });
        if self.view.analysis.is_none() {
            return self.say(out);
        }
        let mut live = LiveLine::on_stderr();
        let is_done = |view: &View| view.analysis.as_ref().is_none_or(|analysis| !analysis.is_running);
        self.wait_until(is_done, |view| {
            if let Some(AnalysisView { moves, move_count, .. }) = &view.analysis {
                live.show(&format!("Analyzing: {} of {}", moves.len(), words::counted(*move_count as u64, "move")));
            }
        })?;
        live.clear();
        if let Some(Message::AnalysisFailed { .. }) = self.message() {
            return self.say(out);
        }
        let Some(analysis) = self.view.analysis.clone() else { return Ok(()) };
        self.print(&format!("Analyzed with {}.", analysis.analyst), out)?;
        for judged in analysis.mistakes() {
            let line = moves_of(&judged.line, HINT_MOVES);
            self.print(&format!("{} Expected {line}.", sentence(judged, Perspective::default())), out)?;
        }
        for side in analysis.sides {
            let (marks, best) = (side.marks, side.best_moves);
            let count = |count: usize, noun| words::counted(count as u64, noun);
            let moves = count(side.moves, "move");
            let (mistakes, blunders) = (count(marks.mistakes, "mistake"), count(marks.blunders, "blunder"));
            let noun = if marks.inaccuracies == 1 { "inaccuracy" } else { "inaccuracies" };
            let inaccuracies = format!("{} {noun}", marks.inaccuracies);
            writeln!(out, "{}: {best} of {moves} best, {inaccuracies}, {mistakes}, {blunders}.", side.color)?;
        }
        if let Some(verdict) = &analysis.verdict {
            writeln!(out, "{verdict}")?;
        }
        writeln!(out, "Type report FILE to write the whole analysis as an HTML page.")?;
        Ok(())
    }
}

/// The move of a hint, with those that are the same by symmetry.
fn named(hint: &Hint) -> String {
    let Hint { square, symmetric_moves, .. } = hint;
    if symmetric_moves.is_empty() { square.clone() } else { format!("{square} ({})", symmetric_moves.join(" ")) }
}

/// The first moves of a transcript with spaces between them.
fn moves_of(line: &str, most: usize) -> String {
    wrapping::moves(line).into_iter().take(most).collect::<Vec<_>>().join(" ")
}

pub(crate) fn shortened(text: &str) -> String {
    text.chars().take(30).collect()
}

/// The next line of input, or nothing at its end. Bytes that are no text become question marks.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.take(MAX_LINE).read_until(b'\n', &mut line)?;
    Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()))
}

#[cfg(test)]
mod tests {
    use engine::{Chosen, GameClock, Limits, Observer, Player, PlayerError, Stop};
    use othello::{Board, Position, Rules, Square, SquareSet};
    use session::{HintSettings, Seating};

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
        let options = players::PlayerOptions::default();
        let (hints, pace, look) = (HintSettings { level: 2, lines: 3 }, Duration::ZERO, Look::PLAIN);
        let registry = std::sync::Arc::clone(classics::registry());
        LineGame::new(Setup { registry, game, engines, spare, control, ponders: false, options, look, hints, pace })
    }

    /// The output of the terminal for these typed lines, and the moves played at the end.
    fn session(mut table: LineGame<Board>, typed: &[u8]) -> (String, String) {
        let mut out = Vec::new();
        table.run(&mut &typed[..], &mut out).expect("the session ends well");
        let moves = table.game().moves().iter().map(Square::to_string).collect();
        (String::from_utf8(out).expect("the screen is text"), moves)
    }

    fn as_black(typed: &str) -> (String, String) {
        session(table(Game::new(), Color::Black, None), typed.as_bytes())
    }

    /// Each dialog of `lines.txt` has lines to be typed, after `> `, the moves at the end, and words that are shown.
    #[test]
    fn every_dialog_goes_as_it_is_written() {
        for dialog in include_str!("lines.txt").replace("\\s", " ").split("== ").skip(1) {
            let typed: String =
                dialog.lines().filter_map(|line| line.strip_prefix("> ")).flat_map(|line| [line, "\n"]).collect();
            let person = if dialog.lines().any(|line| line == "white") { Color::White } else { Color::Black };
            let (screen, moves) = session(table(Game::new(), person, None), typed.as_bytes());
            for line in dialog.lines().skip(1).filter(|line| !line.is_empty()) {
                let (word, text) = line.split_once(' ').unwrap_or((line, ""));
                let is_expected = match word {
                    ">" | "white" | "#" => true,
                    "moves" => moves == text,
                    "shows" => screen.contains(&text.replace("\\n", "\n")),
                    "count" => {
                        let (count, text) = text.split_once(' ').expect("a number");
                        screen.matches(text).count().to_string() == count
                    }
                    _ => panic!("unknown word: {line:?}"),
                };
                assert!(is_expected, "{line:?}: {moves}\n{screen}");
            }
            assert!(screen.ends_with("Goodbye.\n"), "{dialog}");
        }
    }

    #[test]
    fn what_was_undone_is_redone_and_a_new_game_begins_with_another_move() {
        assert_eq!(as_black("f5\nc3\nu\nu\nr\nr\n").1, as_black("f5\nc3\n").1);
        assert_eq!(as_black("f5\nnew\ne6\n").1[..2], *"e6");
    }

    #[test]
    fn long_lines_and_control_characters_change_nothing() {
        for typed in ["\u{1b}[A\n".to_owned(), "x".repeat(10_000) + "\n"] {
            let (screen, moves) = as_black(&typed);
            assert_eq!(moves, "", "{typed:?}");
            assert!(screen.ends_with("Goodbye.\n"), "{typed:?}");
        }
        assert_eq!(session(table(Game::new(), Color::Black, None), b"\xff\xfe\n\0\nf5\n").1, "f5f4");
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
        assert!(screen.contains("White has no legal move and passes; Black moves again."), "{screen}");
        assert!(screen.contains("Black wins 64-0; the 56 empty squares count for the winner."), "{screen}");
        assert!(screen.contains("Type analyze to see the mistakes, new for another game"), "{screen}");
    }

    #[test]
    fn on_a_terminal_lines_are_broken_between_words() {
        let game = table(Game::new(), Color::Black, None).fitted(Some(40));
        let (screen, _) = session(game, b"this is not a move and not a command either\n");
        assert!(screen.contains("not a move or a command: \"this is not a\nmove and not a"), "{screen}");
    }

    #[test]
    fn the_help_fits_80_columns() {
        assert!(HELP.lines().all(|line| line.len() < 80));
    }

    #[test]
    fn who_runs_out_of_time_loses() {
        let clock = GameClock::new(Duration::ZERO);
        let (screen, _) = session(table(Game::new(), Color::Black, Some(clock)), b"f5\nc3\n");
        assert!(screen.contains("Black has run out of time: White wins."), "{screen}");
        assert!(screen.contains("The game is over."), "{screen}");
    }
}
