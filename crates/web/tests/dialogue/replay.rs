//! The content of a view by the slow rules: the game of its link, read and played by code that the host does not use.

use othello::reference::{Place, ReferenceBoard};
use web::message::Shown;

/// A link, read: the board at the start, the moves of the line, and how many of them are played.
struct Linked {
    start: ReferenceBoard,
    line: Vec<Place>,
    played: usize,
}

fn place(name: &str) -> Option<Place> {
    let (column, row) = name.split_at_checked(1)?;
    let column = column.bytes().next()?.checked_sub(b'a')?;
    Some((usize::from(column), row.parse::<usize>().ok()?.checked_sub(1)?))
}

fn name((column, row): Place) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

fn read(link: &str) -> Option<Linked> {
    let parts: Vec<_> = link.split('~').collect();
    let (moves, before) = parts.split_last()?;
    let mut start = ReferenceBoard::start(before.first().unwrap_or(&"8x8"))?;
    if let Some(position) = before.get(1) {
        let (squares, turn) = position.split_once('_')?;
        let places: Vec<_> = start.places().collect();
        if places.len() != squares.len() {
            return None;
        }
        for (place, disc) in places.into_iter().zip(squares.bytes()) {
            start.put(place, disc);
        }
        if turn.as_bytes() != [start.turn()] {
            start = start.pass();
        }
    }
    let (moves, played) = match moves.split_once('@') {
        Some((moves, played)) => (moves, Some(played.parse().ok()?)),
        None => (*moves, None),
    };
    // Variations are in parentheses; the rest is the line.
    let mut line = Vec::new();
    let mut depth = 0;
    let mut rest = moves;
    while let Some(symbol) = rest.chars().next() {
        let length = match symbol {
            '(' | ')' => 1,
            _ => 1 + rest[1..].bytes().take_while(u8::is_ascii_digit).count(),
        };
        let (part, after) = rest.split_at(length);
        match symbol {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 => line.push(place(part)?),
            _ => {}
        }
        rest = after;
    }
    let played = played.unwrap_or(line.len());
    Some(Linked { start, line, played })
}

/// A side that cannot move passes.
fn passed(board: ReferenceBoard) -> ReferenceBoard {
    if board.must_pass() { board.pass() } else { board }
}

fn rows(board: &ReferenceBoard) -> Vec<String> {
    let cell = |row| move |column| char::from(board.at((column, row)));
    (0..board.side()).map(|row| (0..board.side()).map(cell(row)).collect()).collect()
}

pub(super) fn check(shown: &Shown) -> Result<(), String> {
    let view = &shown.view;
    let Linked { start, line, played } = read(&shown.link).ok_or_else(|| format!("no link: {}", shown.link))?;
    let mut board = passed(start);
    let mut listed = view.moves.iter().filter_map(|ply| ply.square.clone());
    for (index, &place) in line.iter().enumerate() {
        if index < played {
            board = passed(board.play(place).ok_or_else(|| format!("{} is not legal", name(place)))?);
        }
        if listed.next() != Some(name(place)) {
            return Err(format!("move {} of the list is not that of the link", index + 1));
        }
    }
    if listed.next().is_some() {
        return Err("the list has more moves than the link".to_owned());
    }
    let expected = |what: &str, is_there: bool| if is_there { Ok(()) } else { Err(format!("wrong {what}")) };
    expected("board", view.board.rows == rows(&board))?;
    expected("number of moves", (view.move_count, shown.state.played) == (played, played))?;
    expected("number of empty squares", view.empties as usize == board.count(b'-'))?;
    let discs = [b'X', b'O'].map(|disc| board.count(disc));
    expected("number of discs", [0, 1].map(|seat: usize| view.seats[seat].discs) == discs)?;
    let is_timed_out = view.result.as_ref().is_some_and(|result| result.out_of_time.is_some());
    if board.is_over() {
        let score = if board.turn() == b'X' { board.final_score() } else { -board.final_score() };
        let found = view.result.as_ref().map(|result| result.score.discs());
        expected("legal moves at the end", view.legal_moves.is_empty())?;
        expected("score", found == Some(score))?;
    } else if !is_timed_out {
        expected("turn", view.turn.disc() == char::from(board.turn()))?;
        expected("result", view.result.is_none())?;
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names
        };
        let named = |places: Vec<Place>| sorted(places.into_iter().map(name).collect());
        let mut moves: Vec<_> =
            board.moves().into_iter().map(|place| (name(place), named(board.flips(place)))).collect();
        let shown = view.legal_moves.iter();
        let mut found: Vec<_> = shown.map(|legal| (legal.square.clone(), sorted(legal.flips.clone()))).collect();
        moves.sort();
        found.sort();
        let agree = moves == found;
        expected("legal moves", agree)?;
    }
    for hint in &view.hints {
        let is_legal = view.legal_moves.iter().any(|legal| legal.square == hint.square);
        expected("hint", is_legal)?;
    }
    Ok(())
}
