//! A session with a GTP host.

use std::io::{self, Write};
use std::path::Path;

use engine::clock::Moment;
use engine::{Level, Limits, Progress};
use othello::{Game, Position, Rules, Score, Square, grouped_moves, squares, symmetric_moves};
use records::files::RecordedBoard;
use report::diagram::{self, Diagram};
use report::look::Look;
use report::words;

use super::command::{self, Command, Failure, SYNTAX};
use super::rules;
use super::timing::{self, Timing};
use crate::serving::host_game::HostGame;
use crate::serving::inbox::{HostLine, Inbox, Interrupt};
use crate::serving::{HOW_TO_LEARN, ProgressWriter, Served, ServingError, with_passes};

/// The commands, in the order of the protocol's document; then those of Quarry, and our own. Those of GoGui are in [`rules`].
const COMMANDS: &str = "protocol_version name version known_command list_commands quit boardsize clear_board komi play \
                        genmove undo time_settings time_left final_score loadsgf reg_genmove showboard list_games set_game \
                        emilia-level emilia-depth emilia-setup_board emilia-analyze emilia-learn";

/// Another spelling of `emilia-analyze`.
const BRITISH_ANALYZE: &str = "emilia-analyse";

/// A session on one board: the game and the settings of the host, and the player that answers.
#[derive(Debug)]
pub struct Session<'a, B: Rules, W> {
    inbox: &'a Inbox,
    out: &'a mut W,
    served: Served<B>,
    game: HostGame<B>,
    is_learned: bool,
    /// The limits if there is no clock.
    default_limits: Limits,
    settings: Settings,
}

/// The settings of a host, which are kept when the board changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settings {
    timing: Option<Timing>,
    /// Limits that the host has set besides the clock.
    asked: Limits,
}

/// Reason for the end of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The host has left.
    Quit,
    /// The host has requested a board of this size; its settings are kept. The command has been answered.
    OtherBoard(u8, Settings),
}

fn all_commands() -> impl Iterator<Item = &'static str> {
    COMMANDS.split(' ').chain(rules::COMMANDS.split(' '))
}

/// Response to a command: a text, or a failure.
type Response = Result<String, Failure>;

const DONE: Response = Ok(String::new());

impl<'a, B: RecordedBoard, W: Write> Session<'a, B, W> {
    /// A session with a host, with the settings of an earlier session.
    pub fn new(
        inbox: &'a Inbox,
        out: &'a mut W,
        served: Served<B>,
        default_limits: Limits,
        settings: Settings,
    ) -> Self {
        let game = HostGame::new(Game::default(), false);
        Self { inbox, out, served, game, is_learned: false, default_limits, settings }
    }

    /// Carries out commands until the host leaves or requests another board.
    pub fn run(&mut self) -> Result<Ending, ServingError> {
        while let Some(HostLine { text, is_cut }) = self.inbox.next() {
            let Some(command) = command::parse(&text) else { continue };
            let id = command.id;
            if is_cut {
                self.reply(id, &Err("the line is longer than any command".into()))?;
                continue;
            }
            match command.name.as_str() {
                "quit" => {
                    let learned = self.learn_finished_game();
                    self.reply(id, &learned.and(DONE))?;
                    return Ok(Ending::Quit);
                }
                "boardsize" => match self.board_size(&command) {
                    Ok(side) if side != B::GEOMETRY.side => {
                        self.reply(id, &DONE)?;
                        return Ok(Ending::OtherBoard(side, self.settings));
                    }
                    size => self.reply(id, &size.and(DONE))?,
                },
                "emilia-analyze" | BRITISH_ANALYZE => self.analyze(&command)?,
                _ => {
                    let response = self.respond(&command);
                    self.reply(id, &response)?;
                }
            }
        }
        Ok(Ending::Quit)
    }

    fn reply(&mut self, id: Option<u32>, response: &Response) -> io::Result<()> {
        let (sign, text) = match response {
            Ok(text) => ('=', text.as_str()),
            Err(Failure(text)) => ('?', text.as_str()),
        };
        let id = id.map_or(String::new(), |id| id.to_string());
        // An empty line would end the answer too early, and names may contain control characters.
        let mut lines = text.lines().filter(|line| !line.trim().is_empty()).map(words::printable);
        let first = lines.next().unwrap_or_default();
        writeln!(self.out, "{}", format!("{sign}{id} {first}").trim_end())?;
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        writeln!(self.out)?;
        self.out.flush()
    }

    fn respond(&mut self, command: &Command) -> Response {
        match command.name.as_str() {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok(self.served.name.clone()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => {
                let [name] = command.exactly()?;
                Ok((all_commands().any(|known| known == name) || name == BRITISH_ANALYZE).to_string())
            }
            "list_commands" => Ok(all_commands().collect::<Vec<_>>().join("\n")),
            "clear_board" => self.begin(Game::default()),
            "komi" => {
                let [komi] = command.exactly()?;
                // Othello has none.
                komi.parse::<f64>().map_err(|_| SYNTAX.into()).and(DONE)
            }
            "play" => self.play(command),
            "genmove" => self.generate(command, true),
            "reg_genmove" => self.generate(command, false),
            "undo" => {
                command.exactly::<0>()?;
                if self.game.undo() { DONE } else { Err("cannot undo".into()) }
            }
            "time_settings" => self.time_settings(command),
            "time_left" => self.time_left(command),
            "final_score" => self.final_score(),
            "loadsgf" => self.load(command),
            "showboard" => Ok(self.drawing()),
            "list_games" => Ok(rules::GAME.to_owned()),
            "set_game" => {
                let [game] = command.exactly()?;
                let is_known = game.eq_ignore_ascii_case(rules::GAME);
                if is_known { DONE } else { Err(format!("unknown game; expected {}", rules::GAME).into()) }
            }
            name if rules::COMMANDS.split(' ').any(|known| known == name) => {
                command.exactly::<0>()?;
                rules::answer(name, &self.game)
            }
            "emilia-level" => {
                let [level] = command.exactly()?;
                let level: Level = level.parse().map_err(|_| SYNTAX)?;
                self.settings.asked = Limits { level: Some(level), depth: None, ..self.settings.asked };
                DONE
            }
            "emilia-depth" => {
                let [depth] = command.exactly()?;
                let depth = depth.parse().ok().filter(|depth| (1..=60).contains(depth)).ok_or(SYNTAX)?;
                self.settings.asked = Limits { depth: Some(depth), level: None, ..self.settings.asked };
                DONE
            }
            "emilia-setup_board" => {
                let position: Position<B> = command.arguments.join(" ").parse().map_err(|_| SYNTAX)?;
                self.begin(Game::from_position(position))
            }
            "emilia-learn" => {
                command.exactly::<0>()?;
                let learned = self.learn()?;
                learned.ok_or_else(|| format!("{} does not learn: {HOW_TO_LEARN}", self.served.name).into())
            }
            _ => Err("unknown command".into()),
        }
    }

    fn learn(&mut self) -> Result<Option<String>, Failure> {
        self.is_learned = true;
        let search = self.inbox.search(Interrupt::HostGone);
        Ok(self.served.player.learn(self.game.game(), &search.stop)?)
    }

    /// Learns the game if it is over and was not learned yet: a host has no command for it.
    fn learn_finished_game(&mut self) -> Result<(), Failure> {
        if self.is_learned || !self.game.game().is_over() || self.game.game().move_count() == 0 {
            return Ok(());
        }
        self.learn().map(drop)
    }

    fn begin(&mut self, game: Game<B>) -> Response {
        let learned = self.learn_finished_game();
        self.game = HostGame::new(game, false);
        self.is_learned = false;
        learned?;
        self.served.player.new_game()?;
        DONE
    }

    fn board_size(&mut self, command: &Command) -> Result<u8, Failure> {
        let [size] = command.exactly()?;
        let size = size.parse::<u64>().map_err(|_| SYNTAX)?;
        let size =
            u8::try_from(size).ok().filter(|size| self.served.sides.contains(size)).ok_or("unacceptable size")?;
        self.begin(Game::default())?;
        Ok(size)
    }

    fn play(&mut self, command: &Command) -> Response {
        let [color, square] = command.exactly()?;
        let color = command::color(color)?;
        let done = if command::is_pass(square) {
            self.game.pass(Some(color))
        } else {
            let square = B::GEOMETRY.parse_square(square).map_err(|_| SYNTAX)?;
            self.game.play(Some(color), square)
        };
        // The protocol prescribes these words.
        done.map_err(|_| "illegal move".into()).and(DONE)
    }

    fn generate(&mut self, command: &Command, plays: bool) -> Response {
        let [color] = command.exactly()?;
        let color = command::color(color)?;
        let game = self.game.game();
        if game.is_over() || self.game.pass_due() == Some(color) {
            if plays {
                self.game.pass(Some(color))?;
            }
            return Ok("PASS".to_owned());
        }
        let turn = game.position().turn;
        if color != turn {
            return Err(format!("it is {turn}'s turn").into());
        }
        let start = Moment::now();
        let limits = self.limits(self.settings.timing.filter(|_| plays).map(|timing| timing.limits(color)));
        // The next command has to wait until this one is answered.
        let search = self.inbox.search(Interrupt::HostGone);
        let choice = self.served.player.choose(game, &limits, &mut engine::Silent, &search.stop)?;
        let name = B::GEOMETRY.square_name(choice.square).to_uppercase();
        if plays {
            self.game.play(Some(color), choice.square)?;
            if let Some(timing) = &mut self.settings.timing {
                timing.spend(color, start.elapsed());
            }
        }
        Ok(name)
    }

    /// The limits of a search with this time: those that the host has set, or the time alone, or the default.
    fn limits(&self, time: Option<Limits>) -> Limits {
        let asks = self.settings.asked != Limits::default();
        match time {
            Some(time) => Limits { level: self.settings.asked.level, depth: self.settings.asked.depth, ..time },
            None if asks => self.settings.asked,
            None => self.default_limits,
        }
    }

    fn time_settings(&mut self, command: &Command) -> Response {
        let [main, period, moves] = command.exactly()?;
        let [main, period] = [main, period].map(|text| timing::seconds(text).ok_or(SYNTAX));
        let moves = moves.parse().map_err(|_| SYNTAX)?;
        self.settings.timing = Timing::new(main?, period?, moves);
        DONE
    }

    fn time_left(&mut self, command: &Command) -> Response {
        let [color, left, moves] = command.exactly()?;
        let color = command::color(color)?;
        let left = timing::seconds(left).ok_or(SYNTAX)?;
        let moves = moves.parse().map_err(|_| SYNTAX)?;
        // A host may show a clock without having set one.
        if let Some(timing) = self.settings.timing.as_mut() {
            timing.set(color, left, moves);
        } else if let Some(mut timing) = Timing::new(left, std::time::Duration::ZERO, 0) {
            timing.set(color, left, moves);
            self.settings.timing = Some(timing);
        }
        DONE
    }

    fn final_score(&self) -> Response {
        let score = self.game.game().score().ok_or("cannot score")?;
        Ok(match score.discs() {
            0 => "0".to_owned(),
            discs if score > Score::DRAW => format!("B+{discs}"),
            discs => format!("W+{}", -discs),
        })
    }

    fn load(&mut self, command: &Command) -> Response {
        let (path, number) = match command.arguments.as_slice() {
            [path] => (path, None),
            [path, number] => (path, Some(number.parse::<usize>().map_err(|_| SYNTAX)?)),
            _ => return Err(SYNTAX.into()),
        };
        let record = B::read_game(Path::new(path), 1).map_err(|_| "cannot load file")?;
        let mut game = record.game;
        game.forward();
        // The position before the move with this number.
        if let Some(number) = number {
            while game.move_count() >= number.max(1) {
                game.undo();
            }
        }
        self.begin(game)
    }

    fn drawing(&self) -> String {
        let game = self.game.game();
        let position = game.position();
        let notes = diagram::notes_on(&position, ["", ""], Look::PLAIN);
        let drawing = Diagram { position: &position, last_move: None, notes }.draw(Look::PLAIN);
        // The first line stands behind the sign of the answer.
        format!("{}\n{drawing}", words::counted(game.move_count() as u64, "move"))
    }

    /// Writes the values of the best moves, line by line, until the next command.
    fn analyze(&mut self, command: &Command) -> io::Result<()> {
        let id = command.id;
        let mut count = 1;
        for argument in &command.arguments {
            match (argument.parse::<u16>(), command::color(argument)) {
                (Ok(number), _) if number > 0 => count = usize::from(number),
                // Hosts with the analysis of Go programs name the side to move.
                (_, Ok(color)) if color == self.game.turn() => {}
                _ => return self.reply(id, &Err(SYNTAX.into())),
            }
        }
        let game = self.game.game().clone();
        if game.is_over() {
            return self.reply(id, &Err("the game is over".into()));
        }
        writeln!(self.out, "={}", id.map_or(String::new(), |id| id.to_string()))?;
        self.out.flush()?;
        let search = self.inbox.search(Interrupt::NextLineOrEnd);
        let mut writer = ProgressWriter::new(self.out, &search.stop);
        let position = game.position();
        let mut groups: Vec<(Square, Vec<Square>)> = Vec::new();
        let mut observer = |progress: &Progress| {
            // One line for symmetric moves: that of the one that was named first.
            let Some(&square) = progress.line.first() else { return };
            if groups.iter().any(|(_, others)| others.contains(&square)) {
                return;
            }
            let known = groups.iter().position(|(first, _)| *first == square);
            let index = known.unwrap_or_else(|| {
                groups.push((square, symmetric_moves(&position.board, square)));
                groups.len() - 1
            });
            writer.say(&info::<B>(progress, &groups[index].1, &position));
        };
        let groups_of_all = grouped_moves(&position.board, squares(position.board.moves()));
        let symmetric: usize = groups_of_all.iter().map(|(_, others)| others.len()).sum();
        // This many moves contain as many groups as were requested. The best move alone is one group.
        let count = if count == 1 { 1 } else { count + symmetric };
        let found = self.served.player.value_moves(&game, count, &self.settings.asked, &mut observer, &search.stop);
        if let Err(error) = found {
            writer.say(&format!("error {error}"));
        }
        writer.finish()?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

/// `info move F5 value +1.20 depth 12@73% nodes 35805 time 0.25 origin search pv F5 D6 C3`, with `symmetric_moves D3,C4`
/// before `pv` if there are any.
fn info<B: Rules>(progress: &Progress, symmetric: &[Square], position: &Position<B>) -> String {
    let origin = progress.origin().map_or(String::new(), |origin| format!(" origin {origin}"));
    let Progress { depth, selectivity, value, line, nodes, time, .. } = progress;
    let name = |square: &Square| B::GEOMETRY.square_name(*square).to_uppercase();
    let first = line.first().map_or(String::new(), &name);
    let value = value.map_or("unknown".to_owned(), |value| value.to_string().replace(' ', "_"));
    let plies = with_passes(line, *position);
    let moves: Vec<_> = plies.iter().map(|ply| ply.as_ref().map_or("PASS".to_owned(), name)).collect();
    let (moves, seconds) = (moves.join(" "), time.as_secs_f64());
    let symmetric = symmetric.iter().map(name).collect::<Vec<_>>().join(",");
    let symmetric = if symmetric.is_empty() { symmetric } else { format!(" symmetric_moves {symmetric}") };
    let searched = format!("depth {depth}@{selectivity}% nodes {nodes} time {seconds:.3}");
    format!("info move {first} value {value} {searched}{origin}{symmetric} pv {moves}")
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use engine::RandomPlayer;
    use engine::{Choice, Chosen, Observer, Player, PlayerError, Stop};
    use othello::{Board, SmallBoard, SquareSet};
    use proptest::prelude::*;

    use super::*;

    fn output_of(input: &[u8]) -> String {
        let player = Box::new(RandomPlayer::new(1));
        let served: Served<Board> = Served { name: "random".to_owned(), player, has_levels: false, sides: vec![8] };
        let mut out = Vec::new();
        let inbox = Inbox::of(io::Cursor::new(input.to_vec()));
        Session::new(&inbox, &mut out, served, Limits::of_level(1), Settings::default()).run().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn line() -> impl Strategy<Value = String> {
        let name = prop::sample::select(
            all_commands().filter(|name| !["quit", "boardsize"].contains(name)).collect::<Vec<_>>(),
        );
        prop_oneof![
            (name, "[bw]?( [a-h][1-8]| pass)?( [0-9.-]{1,4}){0,3}").prop_map(|(name, rest)| format!("{name} {rest}")),
            "play [bw] ([a-h][1-8]|pass)",
            "genmove [bw]",
            "[0-9]{1,12} [a-z_]{0,10}",
            "[!-~ ]{0,40}",
        ]
    }

    /// A player that records the limits of its requests.
    struct Recorder(Arc<Mutex<Vec<Limits>>>);

    impl<B: Rules> Player<B> for Recorder {
        fn name(&self) -> &str {
            "recorder"
        }

        fn choose(&mut self, game: &Game<B>, limits: &Limits, _observer: &mut dyn Observer, _stop: &Stop) -> Chosen {
            self.0.lock().unwrap().push(*limits);
            game.position().board.moves().first().map(Choice::of).ok_or(PlayerError::GameOver)
        }
    }

    /// End of a session with these commands, and the limits that its player received.
    fn asked<B: RecordedBoard>(commands: &str, settings: Settings) -> (Ending, Vec<Limits>) {
        let limits = Arc::new(Mutex::new(Vec::new()));
        let player = Box::new(Recorder(limits.clone()));
        let served = Served::<B> { name: "recorder".to_owned(), player, has_levels: false, sides: vec![8, 6] };
        let (inbox, mut out) = (Inbox::of(io::Cursor::new(commands.as_bytes().to_vec())), Vec::new());
        let ending = Session::new(&inbox, &mut out, served, Limits::of_level(1), settings).run().unwrap();
        let limits = limits.lock().unwrap().clone();
        (ending, limits)
    }

    #[test]
    fn depth_and_clock_hold_on_a_board_of_another_size() {
        let commands = "emilia-depth 3\ntime_settings 60 0 0\ngenmove b\nboardsize 6\n";
        let (ending, before) = asked::<Board>(commands, Settings::default());
        let Ending::OtherBoard(6, settings) = ending else { panic!("{ending:?}") };
        let (_, after) = asked::<SmallBoard<6>>("genmove b\n", settings);
        for limits in [&before, &after].map(|limits| limits[0]) {
            assert_eq!((limits.depth, limits.level), (Some(3), None));
            assert!(limits.clock.is_some_and(|clock| clock.remaining.as_secs() >= 59), "{limits:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_command_has_one_answer(lines in prop::collection::vec(line(), 0..30)) {
            let lines: Vec<_> = lines.into_iter().filter(|line| !line.contains("quit") && !line.contains("boardsize")).collect();
            let said = output_of(lines.join("\n").as_bytes());
            let answers = said.split_terminator("\n\n").collect::<Vec<_>>();
            prop_assert!(answers.iter().all(|answer| answer.starts_with(['=', '?'])), "{said}");
            prop_assert_eq!(answers.len(), lines.iter().filter_map(|line| command::parse(line)).count());
        }

        #[test]
        fn no_bytes_end_a_session_badly(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            output_of(&bytes);
        }
    }
}
