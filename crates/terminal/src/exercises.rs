//! Exercises in the terminal, line by line: puzzles, and the mistakes of a game. The same are on the page.

use std::io::{BufRead, Write};

use anyhow::Result;
use engine::analysis::{Analyst, Judgement, Loss, Rating};
use engine::{Estimate, Outcome, PlayerError, Stop};
use othello::{Game, Position, Rules, Square};
use report::diagram::{self, Diagram};
use report::look::Look;
use report::words::{counted, names};
use session::exercises::Exercise;

use crate::lines::{read_line, shortened};
use crate::live_line::LiveLine;
use crate::wrapping;

const HELP: &str = "\
  g1        try the move g1; legal moves are marked on the board
  answer    show the solution
  next      leave the exercise and go on
  board     show the board again
  quit      end";

/// A position with a question.
#[derive(Clone, Debug)]
pub struct ExerciseItem<B: Rules> {
    /// The game up to the position of the question.
    pub game: Game<B>,
    /// Text about the position and the question.
    pub question: String,
    /// The judgement of the move that was played in a game; none in a puzzle.
    pub mistake: Option<Judgement>,
}

impl<B: Rules> ExerciseItem<B> {
    /// A puzzle.
    pub fn puzzle(position: Position<B>, title: &str) -> Self {
        let question = format!("{title}. One move wins for {}; find it.", position.turn);
        Self { game: Game::from_position(position), question, mistake: None }
    }

    /// A mistake in a game: the position before the move with this number, and its judgement.
    pub fn mistake(game: Game<B>, number: usize, judgement: Judgement, title: &str) -> Self {
        let (color, played) = (game.position().turn, B::GEOMETRY.square_name(judgement.played.square));
        let loss = judgement.loss().map_or(String::new(), |loss| format!(" and lost {}", loss_text(loss)));
        let question = format!("{title}: with move {number}, {color} played {played}{loss}. Find a better move.");
        Self { game, question, mistake: Some(judgement) }
    }

    fn kind(&self) -> Exercise {
        if self.mistake.is_some() { Exercise::Mistake } else { Exercise::Puzzle }
    }
}

/// A series of exercises for a person at a terminal.
pub struct Exercises<'a, B: Rules> {
    /// The exercises, in order.
    pub items: Vec<ExerciseItem<B>>,
    /// Analyst that judges the tries.
    pub analyst: &'a mut dyn Analyst<B>,
    /// Colors and characters that the terminal can show.
    pub look: Look,
    /// The width of the terminal, if there is one.
    pub columns: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    SolvedFirst,
    SolvedLater,
    Unsolved,
    /// The person leaves, or the input has ended.
    Left,
}

impl<B: Rules> Exercises<'_, B> {
    /// Asks until all exercises are done, the person leaves or the input ends.
    pub fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<()> {
        let items = std::mem::take(&mut self.items);
        self.print("Type a marked square, or answer, next, board, quit.", out)?;
        let (mut at_first, mut later) = (0, 0);
        for item in &items {
            match self.ask(item, input, out)? {
                Ending::SolvedFirst => at_first += 1,
                Ending::SolvedLater => later += 1,
                Ending::Unsolved => {}
                Ending::Left => break,
            }
        }
        let later = if later > 0 { format!(", {later} after other tries") } else { String::new() };
        let count = counted(items.len() as u64, "exercise");
        self.print(&format!("{at_first} of {count} solved at the first try{later}."), out)?;
        out.flush()?;
        Ok(())
    }

    fn ask(&mut self, item: &ExerciseItem<B>, input: &mut impl BufRead, out: &mut impl Write) -> Result<Ending> {
        writeln!(out)?;
        self.print(&item.question, out)?;
        self.show(item, out)?;
        let mut has_failed = false;
        loop {
            write!(out, "{}", self.look.bold(&format!("Your move ({}): ", item.game.position().turn)))?;
            out.flush()?;
            let Some(line) = read_line(input)? else {
                writeln!(out)?;
                return Ok(Ending::Left);
            };
            let word = line.trim().to_ascii_lowercase();
            match word.as_str() {
                "" => {}
                "quit" | "q" | "exit" | "bye" => return Ok(Ending::Left),
                "next" | "n" | "skip" => return Ok(Ending::Unsolved),
                "board" | "b" => self.show(item, out)?,
                "help" | "h" | "?" => writeln!(out, "{HELP}")?,
                "answer" | "a" => {
                    self.answer(item, out)?;
                    return Ok(Ending::Unsolved);
                }
                _ => match self.tried(item, &word) {
                    Err(sentence) => self.print(&sentence, out)?,
                    Ok(square) => {
                        let judgement = self.judge(item, square)?;
                        let is_solved = item.kind().is_solved_by(&judgement);
                        self.print(&verdict::<B>(item.kind(), &judgement, is_solved), out)?;
                        if is_solved {
                            return Ok(if has_failed { Ending::SolvedLater } else { Ending::SolvedFirst });
                        }
                        has_failed = true;
                    }
                },
            }
        }
    }

    /// The square of a legal move, or a sentence.
    fn tried(&self, item: &ExerciseItem<B>, word: &str) -> Result<Square, String> {
        let square = B::GEOMETRY.parse_square(word).map_err(|_| {
            format!("not a move or a command: {:?}. Type help for a list of commands.", shortened(word))
        })?;
        item.game.clone().play(square).map_err(|error| format!("{error}."))?;
        Ok(square)
    }

    fn judge(&mut self, item: &ExerciseItem<B>, square: Square) -> Result<Judgement, PlayerError> {
        let mut live = LiveLine::on_stderr();
        live.show(&format!("Searching {}", B::GEOMETRY.square_name(square)));
        self.analyst.judge(&item.game, square, &Stop::new())
    }

    fn answer(&mut self, item: &ExerciseItem<B>, out: &mut impl Write) -> Result<()> {
        let best = match &item.mistake {
            Some(judgement) => judgement.best.clone(),
            None => {
                // The judgement of any move has the best one.
                let any = othello::squares(item.game.position().board.moves()).next();
                match any.map(|square| self.judge(item, square)).transpose()? {
                    Some(judgement) => judgement.best,
                    None => return Ok(()),
                }
            }
        };
        let worth = worth(best.value);
        self.print(&format!("{} {worth}{}", B::GEOMETRY.square_name(best.square), line_of::<B>(&best)), out)
    }

    fn show(&self, item: &ExerciseItem<B>, out: &mut impl Write) -> Result<()> {
        let position = item.game.position();
        let last_move = item.game.moves().last().copied();
        let notes = diagram::notes_on(&position, ["", ""], self.look);
        writeln!(out)?;
        out.write_all(Diagram { position: &position, last_move, notes }.draw(self.look).as_bytes())?;
        Ok(writeln!(out)?)
    }

    fn print(&self, text: &str, out: &mut impl Write) -> Result<()> {
        Ok(writeln!(out, "{}", wrapping::wrapped(text, self.columns, 0))?)
    }
}

/// Sentence about a try: whether it is right, and why.
fn verdict<B: Rules>(kind: Exercise, judgement: &Judgement, is_solved: bool) -> String {
    let played = &judgement.played;
    let name = B::GEOMETRY.square_name(played.square);
    let (worth, line) = (worth(played.value), line_of::<B>(played));
    if is_solved {
        return format!("Right: {name} {worth}{line}");
    }
    match judgement.loss().filter(|_| kind == Exercise::Mistake) {
        Some(loss) => format!("Wrong: {name} {worth}, {} less than the best move{line}", loss_text(loss)),
        None => format!("Wrong: {name} {worth}{line}"),
    }
}

/// The result of a move as a verb: `wins by 6`.
fn worth(value: Option<Estimate>) -> String {
    match value {
        Some(Estimate::Solved(score)) => match Outcome::from(score) {
            Outcome::Win => format!("wins by {}", score.discs()),
            Outcome::Draw => "draws".to_owned(),
            Outcome::Loss => format!("loses by {}", -score.discs()),
        },
        Some(Estimate::Proven(Outcome::Win)) => "wins".to_owned(),
        Some(Estimate::Proven(Outcome::Draw)) => "draws".to_owned(),
        Some(Estimate::Proven(Outcome::Loss)) => "loses".to_owned(),
        Some(value) => format!("is worth {value}"),
        None => "has no value".to_owned(),
    }
}

fn loss_text(loss: Loss) -> String {
    match loss {
        Loss::Discs { hundredths: 100 } => "1 disc".to_owned(),
        Loss::Discs { .. } => format!("{loss} discs"),
        Loss::Chance { .. } => format!("{loss} of the chance to win"),
        Loss::Points(_) => format!("{loss} points"),
    }
}

/// The end of a sentence: the moves that are expected from a move on.
fn line_of<B: Rules>(rating: &Rating) -> String {
    if rating.line.len() < 2 { ".".to_owned() } else { format!("; expected {}.", names::<B>(&rating.line)) }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Score};
    use search::negamax;

    use super::*;

    /// Judges by plain negamax.
    struct Slow;

    impl Analyst<Board> for Slow {
        fn new_game(&mut self) -> Result<(), PlayerError> {
            Ok(())
        }

        fn judge(&mut self, game: &Game, played: Square, _: &Stop) -> Result<Judgement, PlayerError> {
            let scores = negamax::move_scores(&game.position().board);
            let rating = |square, score: Score| Rating::new(square, Some(Estimate::Solved(score)), vec![square]);
            let best = scores.iter().max_by_key(|(_, score)| *score).expect("a move");
            let own = scores.iter().find(|(square, _)| *square == played).expect("a legal move");
            Ok(Judgement::new(rating(best.0, best.1), rating(own.0, own.1)))
        }
    }

    const FIRST: &str = "--OOOO-O-OOOOOOXOOOXOXXXOOOOOXXXOXOOXOOXOXOXOOXXOOXOOO-XOOOOOOO- X";
    const SECOND: &str = "XOXXXXX-XOOOOO--XOXOXOO-XXXXOXOOXXOXXOXXXOOXOXXXXOOOOOOOXOOOO--O X";

    fn output(items: Vec<ExerciseItem<Board>>, input: &str) -> String {
        let mut out = Vec::new();
        let mut exercises = Exercises { items, analyst: &mut Slow, look: Look::PLAIN, columns: None };
        exercises.run(&mut input.as_bytes(), &mut out).expect("memory");
        String::from_utf8(out).expect("text")
    }

    fn puzzles(input: &str) -> String {
        let puzzle = |text: &str| ExerciseItem::puzzle(text.parse().expect("a position"), "A puzzle");
        output([FIRST, SECOND].map(puzzle).to_vec(), input)
    }

    #[test]
    fn tries_are_right_or_wrong_and_counted() {
        let said = puzzles("a1\nG1\nh3\n");
        for words in [
            "A puzzle. One move wins for Black; find it.\n",
            "Wrong: a1 draws.\n",
            "Right: g1 wins by 6.\n",
            "Right: h3 wins by 2.\n",
        ] {
            assert!(said.contains(words), "{words} is not in {said}");
        }
        assert!(said.ends_with("1 of 2 exercises solved at the first try, 1 after other tries.\n"), "{said}");
    }

    #[test]
    fn commands_are_carried_out_and_a_wrong_word_costs_nothing() {
        let said = puzzles("d4\nz9\nhelp\nanswer\nh3\n");
        assert!(said.contains("d4 is") || said.contains("d4 flips nothing"), "{said}");
        assert!(said.contains("not a move or a command: \"z9\". Type help"), "{said}");
        assert!(said.contains("  answer    show the solution\n"), "{said}");
        assert!(said.contains("\nYour move (Black): g1 wins by 6.\n"), "{said}");
        assert!(said.ends_with("1 of 2 exercises solved at the first try.\n"), "{said}");
        assert!(puzzles("").ends_with("\nYour move (Black): \n0 of 2 exercises solved at the first try.\n"));
        assert!(puzzles("next\nquit\n").ends_with("0 of 2 exercises solved at the first try.\n"));
    }

    #[test]
    fn a_mistake_is_corrected_by_the_best_move_alone() {
        let game: Game = Game::from_position(SECOND.parse().expect("a position"));
        let judged = Slow.judge(&game, "g8".parse().expect("a square"), &Stop::new()).expect("a judgement");
        let item = ExerciseItem::mistake(game, 55, judged, "Mistake 1 of 1");
        let said = output(vec![item], "f8\nh3\n");
        let asked = "Mistake 1 of 1: with move 55, Black played g8 and lost 8 discs. Find a better move.\n";
        assert!(said.contains(asked), "{said}");
        assert!(said.contains("Wrong: f8 draws, 2 discs less than the best move.\n"), "{said}");
        assert!(said.contains("Right: h3 wins by 2.\n"), "{said}");
    }
}
