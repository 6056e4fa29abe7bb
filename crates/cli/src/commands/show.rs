//! `emilia show`: a board to look at.

use othello::{Score, SquareSet, squares};
use records::GameHead;
use report::diagram::{self, Diagram};
use report::svg;

use crate::arguments::position_of;
use crate::prelude::*;

const MOVES_A_LINE: usize = 20;

const EXAMPLES: &str = "\
Examples:
  emilia show f5d6c3d3c4                        a game: the position after its
                                                last move
  emilia show f5d6c3d3c4 --move 2               the position after its second
                                                move
  emilia show tiger                             an opening by its name
  emilia show game.sgf                          a game from a file of any format
  emilia show WTH_1980.wtb --game 7 --move 30   a position of the seventh game
                                                of a database
  emilia show ---------------------------OX------XO--------------------------- X
                                                a board: X black, O white, -
                                                empty; the side to move
  emilia show f5d6c3 --svg board.svg            also as an SVG picture
  emilia show --board 6 b3b2                    another board";

/// Show a position: a board, a game, or a game from a file.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    #[command(flatten)]
    subject: Subject,

    /// Also write an SVG picture to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// The board: 8, 6, 4 or cs221 (10x10 without the two middle squares of each side)
    #[arg(long, value_parser = any_board(), hide_possible_values = true, default_value = "8", value_name = "BOARD")]
    board: BoardShape,

    /// Print JSON: one object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Shown<B: Rules> {
    #[serde(flatten)]
    head: GameHead,
    /// Name of the board.
    board: &'static str,
    /// The position.
    position: Position<B>,
    /// Side to move.
    turn: Color,
    /// Number of black discs.
    black_discs: u32,
    /// Number of white discs.
    white_discs: u32,
    /// Legal moves.
    legal_moves: Vec<SquareName<B>>,
    /// Whether the game is over.
    over: bool,
    /// Black's score, if the game is over.
    score: Option<Score>,
    /// Number of moves played.
    move_number: usize,
    /// Moves that led to the position.
    moves: MoveSequence<B>,
    /// The name of the opening, if it has one.
    opening: Option<&'static str>,
}

impl Show {
    pub(crate) fn run(&self, environment: &Environment<'_>) -> Result<()> {
        with_board!(self.board, B => self.run_on::<B>(environment.look))
    }

    fn run_on<B: RecordedBoard>(&self, look: Look) -> Result<()> {
        self.check_output()?;
        let record = self.subject.record::<B>()?;
        let line = record.game.line();
        let position = position_of(&record.game);
        let last_move = record.game.moves().last().copied();

        if let Some(path) = &self.svg {
            let picture = svg::picture(&position, last_move, &diagram::situation(&position));
            whole_file::replace(path, picture.as_bytes())?;
        }
        output::print(self.json, &shown(&record, &position), |out| {
            if let Some(title) = title(&record) {
                writeln!(out, "{}", look.bold(&output::printable(&title)))?;
            }
            let players = [&record.black, &record.white].map(|name| output::printable(name));
            let notes = diagram::notes_on(&position, [&players[0], &players[1]], look);
            out.write_all(Diagram { position: &position, last_move, notes }.draw(look).as_bytes())?;
            write_moves::<B>(&line, record.game.move_count(), look, out)?;
            if let Some(opening) = opening_names::of_game(&record.game) {
                writeln!(out, "Opening: {}", opening.name)?;
            }
            let scores = record.scores.iter().map(|scored| {
                let name = scored.square.map_or("pass".to_owned(), |square| B::GEOMETRY.square_name(square));
                format!("{name} {}", scored.score)
            });
            let scores: Vec<_> = scores.collect();
            if !scores.is_empty() {
                writeln!(out, "Scores: {}", scores.join(", "))?;
            }
            Ok(())
        })
    }

    /// Refuses, before anything is shown, to write the picture over another kind of file.
    fn check_output(&self) -> Result<()> {
        let Some(path) = &self.svg else { return Ok(()) };
        FileRoles::new().reads_all(self.subject.file()).writes("--svg", path).check()?;
        Ok(whole_file::check_replaceable(path, b"<svg ", "SVG picture")?)
    }
}

/// The players, the event, the date and the result, if the record has any of them.
fn title<B: Rules>(record: &GameRecord<B>) -> Option<String> {
    let named = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let mut parts = Vec::new();
    if !record.black.is_empty() || !record.white.is_empty() {
        parts.push(format!("{} - {}", named(&record.black), named(&record.white)));
    }
    parts.extend([&record.event, &record.place].into_iter().filter(|text| !text.is_empty()).cloned());
    parts.extend(record.date.map(|date| date.to_string()));
    if let Some(score) = record.result {
        let area = B::GEOMETRY.area() as i32;
        parts.push(format!("{}-{}", (area + score.discs()) / 2, (area - score.discs()) / 2));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The moves of the line, those after the shown position fainter.
fn write_moves<B: Rules>(line: &[Square], shown: usize, look: Look, out: &mut impl Write) -> Result<()> {
    for (index, chunk) in line.chunks(MOVES_A_LINE).enumerate() {
        let first = index * MOVES_A_LINE;
        let names = chunk.iter().enumerate().map(|(offset, &square)| {
            let name = B::GEOMETRY.square_name(square);
            match first + offset + 1 {
                number if number == shown => look.bold(&name),
                number if number > shown => look.dim(&name),
                _ => name,
            }
        });
        let names: Vec<_> = names.collect();
        writeln!(out, "{}{}", look.dim(&format!("{:>3}. ", first + 1)), names.join(" "))?;
    }
    Ok(())
}

fn shown<B: Rules>(record: &GameRecord<B>, position: &Position<B>) -> Shown<B> {
    Shown {
        head: record.into(),
        board: B::GEOMETRY.name,
        position: *position,
        turn: position.turn,
        black_discs: position.discs(Color::Black).count(),
        white_discs: position.discs(Color::White).count(),
        legal_moves: squares(position.board.moves()).map(SquareName::from).collect(),
        over: position.board.is_over(),
        score: position.board.is_over().then(|| position.black_score()),
        move_number: record.game.move_count(),
        moves: record.game.moves().to_vec().into(),
        opening: opening_names::of_game(&record.game).map(|opening| opening.name),
    }
}
