//! A session with an NBoard host.

use std::io::{self, Write};

use engine::{DiscScale, Estimate, Limits, Observer, Player, PlayerError, Progress, Stop};
use othello::{Board, Game, Rules};
use records::ggf;
use report::words;

use super::clock::Clocks;
use super::lines::{self, HostCommand};
use crate::serving::host_game::HostGame;
use crate::serving::inbox::{Inbox, Interrupt};
use crate::serving::{HOW_TO_LEARN, ProgressWriter, Served, ServingError};

type Result<T> = std::result::Result<T, ServingError>;

/// The level if the host has set neither depth nor time.
const DEFAULT_LEVEL: u32 = 14;

/// The lowest level that plays as well as it can: below it, Emilia makes mistakes on purpose.
const FIRST_SERIOUS_LEVEL: u32 = 5;

/// A session: the game and the settings of the host, and the player that answers.
#[derive(Debug)]
pub struct Session<W> {
    inbox: Inbox,
    out: W,
    served: Served,
    game: HostGame<Board>,
    clocks: Option<Clocks>,
    depth: Option<u32>,
    scale: DiscScale,
}

impl<W: Write> Session<W> {
    /// A session with a host.
    pub fn new(inbox: Inbox, out: W, served: Served) -> Self {
        let scale = DiscScale { points_per_disc: served.player.points_per_disc() };
        let game = HostGame::new(Game::default(), false);
        Self { inbox, out, served, game, clocks: None, depth: None, scale }
    }

    /// Carries out commands until the host leaves.
    pub fn run(&mut self) -> Result<()> {
        while let Some(line) = self.inbox.next() {
            // A command that is not understood is to be ignored.
            let command = if line.is_cut { HostCommand::Unknown } else { lines::parse(&line.text) };
            if command == HostCommand::Quit {
                break;
            }
            self.carry_out(&command)?;
        }
        Ok(())
    }

    fn carry_out(&mut self, command: &HostCommand<'_>) -> Result<()> {
        match *command {
            HostCommand::Begin => self.introduce()?,
            HostCommand::SetDepth(depth) => {
                self.depth = Some(depth);
                // As in NTest, this clears the hash table.
                self.trust(|player| player.new_game())?;
                self.introduce()?;
            }
            HostCommand::SetGame(text) => self.set_game(text)?,
            HostCommand::Move(square, time) => {
                // If the pass before a move is left out, the move is the other side's.
                let (turn, done) = match square {
                    Some(square) => (self.game.game().position().turn, self.game.play(None, square)),
                    None => (self.game.turn(), self.game.pass(None)),
                };
                match (done, &mut self.clocks) {
                    (Ok(()), Some(clocks)) => clocks.spend(turn, time),
                    (Ok(()), None) => {}
                    (Err(wrong), _) => self.say(&format!("status {wrong}"))?,
                }
            }
            HostCommand::Hint(count) => self.hint(count)?,
            HostCommand::Go => self.go()?,
            HostCommand::Ping(number) => self.say(&format!("pong {number}"))?,
            HostCommand::Learn => self.learn()?,
            HostCommand::Analyze => self.analyze()?,
            HostCommand::Quit | HostCommand::Nothing | HostCommand::Unknown => {}
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.out, "{}", words::printable(line))?;
        self.out.flush()
    }

    fn introduce(&mut self) -> io::Result<()> {
        let name = &self.served.name;
        let name = self.depth.map_or(name.clone(), |depth| format!("{name} {depth}"));
        self.say(&format!("set myname {name}"))
    }

    fn set_game(&mut self, text: &str) -> Result<()> {
        if !text.starts_with('(') {
            return Ok(self.say("status The game cannot be read: expected (;GM[Othello]…;)")?);
        }
        match ggf::parse::<Board>(text) {
            Ok(record) => {
                let is_new = record.game.move_count() == 0;
                self.clocks = Clocks::after(&record);
                self.game = HostGame::new(record.game, lines::ends_with_pass(text));
                if is_new {
                    self.trust(|player| player.new_game())?;
                }
            }
            Err(problem) => self.say(&format!("status The game cannot be read: {problem}"))?,
        }
        Ok(())
    }

    /// The limits of a search without the clock.
    fn limits(&self) -> Limits {
        match self.depth {
            // The depth is that of the midgame, and the end is searched further, as at a level.
            Some(depth) if depth >= FIRST_SERIOUS_LEVEL => Limits::of_level(depth),
            Some(depth) => Limits::of_depth(depth.max(1)),
            // Other players have a default depth of their own, and would take a level as a depth.
            None if self.served.has_levels => Limits::of_level(DEFAULT_LEVEL),
            None => Limits::default(),
        }
    }

    /// Learns the game, if the player does; the host waits for the word `learned`.
    fn learn(&mut self) -> Result<()> {
        let game = self.game.game().clone();
        let search = self.inbox.search(Interrupt::HostGone);
        let learned = self.served.player.learn(&game, &search.stop);
        drop(search);
        let sentence = match learned {
            Ok(Some(sentence)) => sentence,
            Ok(None) => format!("{} does not learn: {HOW_TO_LEARN}", self.served.name),
            Err(error) => error.to_string(),
        };
        self.say(&format!("status {sentence}"))?;
        Ok(self.say("learned")?)
    }

    fn go(&mut self) -> Result<()> {
        if self.game.pass_due().is_some() || self.game.game().is_over() {
            // Nothing can be decided.
            return Ok(self.say("=== PA//0.00")?);
        }
        self.say(&format!("status {} is thinking", self.served.name))?;
        let clock = self.clocks.map(|clocks| clocks.of(self.game.game().position().turn));
        let mut limits = Limits { clock, ..self.limits() };
        if self.depth.is_none() && clock.is_some() {
            limits.level = None;
        }
        let choice = self.search(|player, game, observer, stop| player.choose(game, &limits, observer, stop))?;
        self.say(&lines::node_statistics(choice.nodes, choice.time))?;
        Ok(self.say(&lines::answer(&choice, self.scale))?)
    }

    fn hint(&mut self, count: usize) -> Result<()> {
        if self.game.game().is_over() {
            return Ok(self.say("status The game is over")?);
        }
        self.say("status Analyzing")?;
        // A pass is the only move: its value is that of the best answer.
        let count = if self.game.pass_due().is_some() { 1 } else { count };
        let limits = self.limits();
        let best =
            self.search(|player, game, observer, stop| player.value_moves(game, count, &limits, observer, stop))?;
        if let Some(best) = best.first() {
            self.say(&lines::node_statistics(best.nodes, best.time))?;
        }
        Ok(self.say("status")?)
    }

    /// Searches until the next line, and writes the progress.
    fn search<T>(
        &mut self,
        search: impl FnOnce(&mut dyn Player, &Game, &mut dyn Observer, &Stop) -> std::result::Result<T, PlayerError>,
    ) -> Result<T> {
        let (game, passes) = (self.game.game().clone(), self.game.pass_due().is_some());
        let (position, scale) = (game.position(), self.scale);
        let current = self.inbox.search(Interrupt::NextLine);
        let mut writer = ProgressWriter::new(&mut self.out, &current.stop);
        let mut observer = |progress: &Progress| writer.say(&lines::search(progress, &position, passes, scale));
        let found = search(&mut *self.served.player, &game, &mut observer, &current.stop);
        writer.finish()?;
        self.trust(|_| found)
    }

    /// Values every position of the game, the last one first: its hash table helps with those before.
    fn analyze(&mut self) -> Result<()> {
        self.say("status Analyzing the game")?;
        let limits = self.limits();
        let search = self.inbox.search(Interrupt::NextLine);
        let mut game = self.game.game().clone();
        let mut turns = game.plies().len();
        loop {
            let position = game.position();
            let value = if position.board.is_over() {
                Some(Estimate::Solved(position.board.final_score()))
            } else {
                let best = self.served.player.value_moves(&game, 1, &limits, &mut engine::Silent, &search.stop);
                self.trust(|_| best)?.first().and_then(|best| best.value)
            };
            // The result of an interrupted search is not reported.
            if search.stop.is_set() {
                break;
            }
            if let Some(value) = value {
                self.say(&lines::analysis(turns, value, self.scale))?;
                if game.plies().last().is_some_and(|ply| ply.square.is_none()) {
                    turns = turns.saturating_sub(1);
                    self.say(&lines::analysis(turns, -value, self.scale))?;
                }
            }
            if game.undo().is_none() {
                break;
            }
            turns = game.plies().len();
        }
        Ok(self.say("status")?)
    }

    /// The answer of the player; if the player has failed, the host is informed before the session ends.
    fn trust<T>(&mut self, ask: impl FnOnce(&mut dyn Player) -> std::result::Result<T, PlayerError>) -> Result<T> {
        match ask(&mut *self.served.player) {
            Ok(answer) => Ok(answer),
            Err(error) => {
                self.say(&format!("status {error}"))?;
                Err(error.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::RandomPlayer;
    use proptest::prelude::*;

    use super::*;

    fn output_of(input: &[u8]) -> String {
        let player = Box::new(RandomPlayer::new(1));
        let served = Served { name: "random".to_owned(), player, has_levels: false, sides: vec![8] };
        let mut out = Vec::new();
        Session::new(Inbox::of(io::Cursor::new(input.to_vec())), &mut out, served).run().unwrap();
        String::from_utf8(out).unwrap()
    }

    fn line() -> impl Strategy<Value = String> {
        let board = "---------------------------O*------*O---------------------------";
        prop_oneof![
            Just("go".to_owned()),
            Just("analyze".to_owned()),
            Just("nboard 2".to_owned()),
            "hint [0-9]{0,3}",
            "(move )?[A-Ha-h][1-8](/[0-9.-]{0,5}/[0-9.-]{0,5})?",
            "move PA",
            "set depth [0-9]{0,3}",
            "(B\\[[A-H][1-8]//[0-9]\\])?"
                .prop_map(move |moves| { format!("set game (;GM[Othello]TI[01:00]BO[8 {board} *]{moves};)") }),
            "set game [X(;)O\\[\\]*-]{0,70}",
            "\\PC{0,40}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn every_ping_is_answered_after_any_lines(lines in prop::collection::vec(line(), 0..30)) {
            let said = output_of(format!("{}\nping 987654\n", lines.join("\n")).as_bytes());
            let quits = lines.iter().any(|line| line.trim() == "quit");
            prop_assert!(quits || said.ends_with("pong 987654\n"), "{said}");
        }

        #[test]
        fn no_bytes_end_a_session_badly(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            output_of(&bytes);
        }
    }
}
