//! GGF: the Generic Game Format of GGS and NBoard.

use crate::properties::{Token, Tokens, parse_number, write_number, write_property, write_text, write_value};
use crate::replay::Replay;
use crate::time_control::{parse_seconds, seconds_text};
use crate::{Annotation, Date, Ending, GameRecord, RecordProblem, brief};
use othello::{Color, Position, Rules, Score};

/// Reads a game, `(;GM[Othello]…;)`.
///
/// ```
/// use othello::Board;
/// use records::ggf;
///
/// let text = "(;GM[Othello]PB[Logistello]PW[Murakami]BO[8 -------- -------- -------- ---O*--- \
///             ---*O--- -------- -------- -------- *]B[E6//1.5]W[F6/-0.5/2];)";
/// let record = ggf::parse::<Board>(text)?;
/// assert_eq!(record.black, "Logistello");
/// assert_eq!(record.game.moves().len(), 2);
/// assert_eq!(record.annotations[1].evaluation, Some(-0.5));
/// # Ok::<(), records::RecordProblem>(())
/// ```
pub fn parse<B: Rules>(text: &str) -> Result<GameRecord<B>, RecordProblem> {
    let mut tokens = Tokens::new(text);
    let mut start = Position::start();
    let mut moves = Vec::new();
    let mut record = GameRecord::default();
    let mut clocks = [None; 2];
    while let Some(token) = tokens.next()? {
        // Parentheses and semicolons carry no meaning: a GGF game has no variations.
        let Token::Property(name, values) = token else { continue };
        let Some(value) = values.into_iter().next() else { continue };
        match name.as_str() {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(RecordProblem::malformed(format!("the game {:?}", brief(&value)), "GM[Othello]"));
            }
            "B" => moves.push((Color::Black, value)),
            "W" => moves.push((Color::White, value)),
            "BO" => start = parse_board(&value)?,
            "PB" => record.black = value,
            "PW" => record.white = value,
            "RB" => record.black_rating = parse_rating(&value),
            "RW" => record.white_rating = parse_rating(&value),
            "EV" => record.event = value,
            "PC" => record.place = value,
            "C" => record.comment = value,
            "DT" => record.date = parse_date(&value),
            "RE" => (record.result, record.ending) = parse_result::<B>(&value),
            "TI" => record.time_control = value.parse().ok(),
            "TB" => clocks[0] = value.parse().ok(),
            "TW" => clocks[1] = value.parse().ok(),
            _ => {}
        }
    }
    if record.time_control.is_none() && clocks[0] == clocks[1] {
        record.time_control = clocks[0];
    }

    let mut replay = Replay::new(start);
    for (color, text) in moves {
        let mut parts = text.split('/');
        let ply = replay.play_name(Some(color), parts.next().unwrap_or_default().trim(), "")?;
        let annotation = Annotation {
            evaluation: parts.next().and_then(parse_number),
            time: parts.next().and_then(|time| parse_seconds(time.trim())),
            comment: String::new(),
        };
        if let Some(ply) = ply {
            record.annotate(ply, annotation);
        }
    }
    record.game = replay.finish();
    Ok(record)
}

/// Reads `8 --------…--- *`: the columns, the squares, the side to move.
fn parse_board<B: Rules>(text: &str) -> Result<Position<B>, RecordProblem> {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (side, board) = text.split_at(digits);
    if side.parse() != Ok(B::GEOMETRY.side) {
        let found = if side.is_empty() { "a board without its size" } else { "a board of another size" };
        return Err(RecordProblem::malformed(found, format!("BO[{} …]", B::GEOMETRY.side)));
    }
    Ok(board.parse()?)
}

/// Reads a rating; GGS may add its uncertainty after `@`.
fn parse_rating(text: &str) -> Option<f64> {
    parse_number(text.split('@').next()?)
}

/// Reads a date, or seconds since 1970 as in the oldest games.
fn parse_date(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.len() > 4 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Date::of_unix_time(text.parse().ok()?);
    }
    text.parse().ok()
}

/// Reads `+18.000` or `-64.00:r`; a score that is impossible on the board counts as unknown.
fn parse_result<B: Rules>(text: &str) -> (Option<Score>, Option<Ending>) {
    let (score, flag) = text.split_once(':').unwrap_or((text, ""));
    let area = f64::from(B::GEOMETRY.area());
    let score = parse_number(score).filter(|score| score.fract() == 0.0 && score.abs() <= area);
    let ending = match flag.trim() {
        "r" => Some(Ending::Resignation),
        "t" => Some(Ending::Timeout),
        "s" => Some(Ending::Agreement),
        _ => None,
    };
    (score.map(|score| Score::new(score as i8)), ending)
}

/// Writes a game on one line, unless its texts contain line breaks.
///
/// GGF has no properties for the event and for comments; they are written as `EV` and `C` as in SGF, which other
/// programs ignore. Branches, comments on single moves, theoretical scores and the scores of a problem are left out.
pub fn format<B: Rules>(record: &GameRecord<B>) -> String {
    let mut out = String::from("(;GM[Othello]");
    write_property(&mut out, "PC", &record.place);
    write_text(&mut out, "EV", &record.event);
    if let Some(date) = record.date {
        write_value(&mut out, "DT", date.to_string().replace('-', "."));
    }
    write_property(&mut out, "PB", &record.black);
    write_property(&mut out, "PW", &record.white);
    write_number(&mut out, "RB", record.black_rating);
    write_number(&mut out, "RW", record.white_rating);
    let score = record.result.map_or("?".to_owned(), |score| format!("{score}.000"));
    let flag = match record.ending {
        Some(Ending::Resignation) => ":r",
        Some(Ending::Timeout) => ":t",
        Some(Ending::Agreement) => ":s",
        None => "",
    };
    write_value(&mut out, "RE", format_args!("{score}{flag}"));
    if let Some(time_control) = record.time_control {
        write_value(&mut out, "TI", time_control);
    }
    write_value(&mut out, "TY", B::GEOMETRY.side);
    let board = record.game.start().to_string().replace('X', "*");
    write_value(&mut out, "BO", format_args!("{} {board}", B::GEOMETRY.side));
    write_text(&mut out, "C", &record.comment);

    let mut game = record.game.clone();
    game.forward();
    for (index, ply) in game.plies().into_iter().enumerate() {
        let mut text = ply.square.map_or("PA".to_owned(), |square| B::GEOMETRY.square_name(square).to_uppercase());
        if let Some(annotation) = record.annotation(index) {
            let evaluation = annotation.evaluation.filter(|evaluation| evaluation.is_finite());
            if evaluation.is_some() || annotation.time.is_some() {
                text.push('/');
                text.extend(evaluation.map(|evaluation| evaluation.to_string()));
            }
            text.extend(annotation.time.map(|time| format!("/{}", seconds_text(time))));
        }
        write_value(&mut out, if ply.color == Color::Black { "B" } else { "W" }, text);
    }
    out.push_str(";)");
    out
}
