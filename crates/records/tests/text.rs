//! Games in texts of any layout: random games printed in many shapes are read back, and as many as there are.

use std::fmt::Write as _;

use othello::{Board, Color, CutBoard, Game, Position, Rules, SmallBoard, Square, squares};
use proptest::collection::vec;
use proptest::prelude::*;
use records::{Format, GameRecord, link, text, transcript};

/// Reads a text: games and errors in their order.
fn read(text: &str) -> Vec<Result<GameRecord, String>> {
    let results = records::read(text.as_bytes(), "FILE", Format::detect(text.as_bytes()));
    results.map(|result| result.map_err(|error| error.to_string())).collect()
}

/// The moves of the games of a text without errors.
fn moves(text: &str) -> Vec<String> {
    let game = |result: Result<GameRecord, String>| transcript::format(&result.expect(text).game);
    read(text).into_iter().map(game).collect()
}

const GAME: &str = "f5d6c3d3c4f4c5b3c2e3d2c6b4b5f2e2f3c1e1d1c7f1b6c8a5a4a3d7e6g1a6g5h5g6g4h6";

#[test]
fn a_mistyped_line_of_moves_is_an_error_and_not_a_title() {
    for line in include_str!("data/mistyped_lines.txt").lines() {
        let results = read(&format!("f5d6c3d3c4f4f6\n{line}\nf5d6c3d3c4f4f6f3\n"));
        let kinds: Vec<_> = results.iter().map(Result::is_ok).collect();
        assert_eq!(kinds, [true, false, true], "{line}: {results:?}");
        assert!(results[1].as_ref().is_err_and(|problem| problem.starts_with("FILE, line 2: ")), "{line}: {results:?}");
    }
}

#[test]
fn titles_of_many_kinds_are_skipped() {
    for title in include_str!("data/titles.txt").lines() {
        let text = format!("{title}\nf5d6c3d3c4\n{title}\n\nf5f6e6f4\n{title}\n");
        assert_eq!(moves(&text), ["f5d6c3d3c4", "f5f6e6f4"], "{title}");
    }
}

#[test]
fn a_diagram_of_move_numbers_with_a_slip_is_one_error() {
    let game = game(&[3; 60]);
    let good = numbered_rows(&game, "-", 'X', 'O', " ").join("\n");
    let size = game.move_count();
    assert!(size > 40, "{size}");
    for (from, to, problem) in [
        (" 20 ", " 21 ", "found the number 21 on d1; expected 20: each number once"),
        (" 20 ", " 0 ", "found 48 squares in 6 rows of move numbers; expected 64 in 8"),
        (" 20 ", " - ", "found the number 21 on d1; expected 20: each number once"),
        (" 20 ", " ", "found 48 squares in 6 rows of move numbers; expected 64 in 8"),
        (" O ", " 61 ", "move 61 is illegal: the game is over"),
        (" X ", " 7 ", "found the number 7 on e4; expected 8: each number once"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let results = read(&format!("f5d6\n\n{text}\n\nf5f6\n"));
        let kinds: Vec<_> = results.iter().map(Result::is_ok).collect();
        assert_eq!(kinds, [true, false, true], "{text}: {results:?}");
        assert!(results[1].as_ref().is_err_and(|error| error.contains(problem)), "{text}: {results:?}");
    }
    // A row without one of its squares, with the names of the rows.
    let named: String = (1..).zip(good.lines()).map(|(number, row)| format!("{number} {row}\n")).collect();
    let results = read(&named.replacen(" 20 ", " ", 1));
    assert!(matches!(&results[..], [Err(problem)] if problem.contains("found 63 squares in 8 rows")), "{results:?}");
}

#[test]
fn a_board_is_a_start_or_a_picture_or_a_record_of_its_own() {
    let game = transcript::parse::<Board>(GAME).expect("a game");
    let position = Game::from_moves(Position::start(), game.moves().into_iter().take(20)).expect("legal").position();
    let board = position.to_string();
    let rows: Vec<_> = (0..8).map(|row| board[8 * row..8 * row + 8].to_owned()).collect();
    let after: String = game.moves()[20..].iter().map(|square| square.to_string()).collect();
    let expected = Game::from_moves(position, game.moves().into_iter().skip(20)).expect("legal");
    for text in [
        format!("{board} {after}"),
        format!("{board}\n{after}"),
        format!("{board};\n21. {after}"),
        format!("{}\n{}\n{after}", rows.join("\n"), &board[65..]),
        format!("{} {}\n{after}", rows.join("\n"), &board[65..]),
        format!("{}\n{after}", rows.join("\n")),
        format!("[FEN \"{board}\"]\n\n{after}"),
    ] {
        let games: Vec<_> = read(&text).into_iter().map(|result| result.expect(&text).game).collect();
        assert_eq!(games, std::slice::from_ref(&expected), "{text}");
    }
    // Boards are records, each with its moves or without; a game from the standard start is another.
    let text = format!("{board}\n{board} {after}\n{board}\n\n{GAME}\n{}\n{}\n", rows.join("\n"), &board[65..]);
    let counts: Vec<_> = read(&text).into_iter().map(|result| result.expect(&text).game.move_count()).collect();
    assert_eq!(counts, [0, 16, 0, 36, 0], "{text}");
    let problem = read(&format!("{board} {after}a1a1")).remove(0).expect_err("a1 twice");
    assert!(problem.contains("is illegal"), "{problem}");
    let problem = read(&format!("{}\n\nf5d6", rows.join("\n"))).remove(0).expect_err("no side to move");
    assert!(problem.contains("no side to move"), "{problem}");
    // A picture of a position without a game.
    let picture =
        "   a b c d\n 1 . . . .    X Black  2 <\n 2 . O X +    O White  2\n 3 . X O .\n 4 . . . .    Black to move\n";
    assert_eq!(text::only::<SmallBoard<4>>(picture).expect("a position").game.start(), Position::start());
}

#[test]
fn addresses_of_games_are_games_with_their_variations() {
    let mut game = transcript::parse::<Board>("f5d6c3d3").expect("a game");
    game.undo();
    game.undo();
    game.play("c5".parse().expect("a square")).expect("legal");
    let link = link::format(&game);
    assert!(link.contains('('), "{link}");
    let escaped = link.replace('(', "%28").replace(')', "%29");
    for text in [
        format!("https://example.org/emilia/#{link}"),
        format!("Look: http://127.0.0.1:8080/#{link} !"),
        format!("file:///tmp/page/index.html#{escaped}"),
        link.clone(),
    ] {
        let records = read(&text);
        assert_eq!(records.len(), 1, "{text}");
        assert_eq!(records[0].as_ref().expect(&text).game, game, "{text}");
    }
    let small = text::only::<SmallBoard<6>>("https://example.org/#6x6~b3b2").expect("a game");
    assert_eq!(transcript::format(&small.game), "b3b2");
}

#[test]
fn the_only_game_of_a_text_is_read_on_every_board() {
    fn check<B: Rules>() {
        let mut game = Game::<B>::default();
        for _ in 0..6 {
            game.play(squares(game.position().board.moves()).next().expect("a move")).expect("legal");
        }
        let names: Vec<_> = game.moves().into_iter().map(|square| B::GEOMETRY.square_name(square)).collect();
        let lines = format!("Title\n\n{}\n{}\n", names[..3].join(" "), names[3..].join(" "));
        assert_eq!(text::only::<B>(&lines).expect(&lines).game, game);
        let diagram = numbered_rows(&game, "-", 'X', 'O', " ").join("\n");
        assert_eq!(text::only::<B>(&diagram).expect(&diagram).game, game);
    }
    check::<Board>();
    check::<SmallBoard<6>>();
    check::<SmallBoard<4>>();
    check::<CutBoard>();
    let problem = |text: &str| text::only::<Board>(text).expect_err(text).to_string();
    assert_eq!(problem("f5d6\nf5f6"), "found several games; expected one game");
    assert_eq!(problem(""), "found no game; expected moves such as f5d6c3");
    // Each is a game, but here there is one.
    assert_eq!(text::only::<Board>("f5f6\nc4c3").expect("a game").game.move_count(), 4);
}

#[test]
fn a_line_of_very_many_objects_or_tags_is_read_in_a_moment() {
    // Each is an error or a game; neither nests.
    assert_eq!(read(&format!("{}x", "{}".repeat(100_000))).len(), 100_000);
    assert_eq!(read(&"[Black \"a\"]".repeat(50_000)).len(), 50_000);
    assert_eq!(read(&"{\n".repeat(100_000)).len(), 1);
    assert_eq!(read(&"f5,".repeat(300_000)).len(), 1);
}

/// A game of as many moves as there are choices, or fewer if it ends before.
fn game(choices: &[u16]) -> Game {
    let mut game = Game::new();
    for &choice in choices {
        let moves: Vec<_> = squares(game.position().board.moves()).collect();
        if moves.is_empty() {
            break;
        }
        game.play(moves[usize::from(choice) % moves.len()]).expect("a legal move");
    }
    game
}

/// The moves and passes of a game, as they are written.
fn plies(game: &Game) -> Vec<String> {
    game.plies().into_iter().map(|ply| ply.square.map_or("--".to_owned(), |square| square.to_string())).collect()
}

fn lines_of(words: &[String], length: usize) -> String {
    words.chunks(length).map(|line| line.join(" ") + "\n").collect()
}

/// Moves in numbered pairs, passes included.
fn pairs(game: &Game) -> Vec<String> {
    let plies = plies(game);
    plies.chunks(2).enumerate().map(|(index, pair)| format!("{}. {}", index + 1, pair.join(" "))).collect()
}

fn columns(words: &[String], count: usize) -> String {
    let height = words.len().div_ceil(count);
    let row = |row: usize| {
        let cells: Vec<_> = words.iter().skip(row).step_by(height).map(|word| format!("{word:<14}")).collect();
        cells.concat().trim_end().to_owned() + "\n"
    };
    (0..height).map(row).collect()
}

/// A game in many shapes: the name of each, the text, and whether an empty line has to follow.
fn shapes(game: &Game) -> Vec<(String, String, bool)> {
    let compact = transcript::format(game);
    let names: Vec<_> = game.moves().iter().map(Square::to_string).collect();
    let numbered: Vec<_> = names.iter().enumerate().map(|(index, name)| format!("{}. {name}", index + 1)).collect();
    let pairs = pairs(game);
    let shown: String = names
        .chunks(20)
        .enumerate()
        .map(|(index, names)| format!("{:>3}. {}\n", 20 * index + 1, names.join(" ")))
        .collect();
    let pgn = format!(
        "[Event \"?\"]\n[Black \"a\"]\n[White \"b\"]\n[Result \"?\"]\n\n{}*\n",
        lines_of(&pairs.join(" ").split(' ').map(str::to_owned).collect::<Vec<_>>(), 25)
    );
    let json_moves: Vec<_> = plies(game)
        .iter()
        .map(|name| format!("{{\"m\":\"{}\",\"t\":0}}", if name == "--" { "-" } else { name }))
        .collect();
    let json = format!(
        "{{\"id\":\"x\",\"players\":[{{\"id\":\"a\",\"name\":\"a\"}},{{\"id\":\"b\",\"name\":\"b\"}}],\
         \"position\":{{\"moves\":[{}]}},\"finished\":true}}",
        json_moves.join(",")
    );
    let mut shapes = vec![
        ("one line".to_owned(), format!("{compact}\n"), false),
        ("capitals".to_owned(), format!("{}\n", names.join(" ").to_uppercase()), false),
        ("with result".to_owned(), format!("{compact} 1-0\n"), false),
        ("numbers".to_owned(), lines_of(&numbered, 1), true),
        ("numbers in lines".to_owned(), lines_of(&numbered, 7), true),
        ("pairs".to_owned(), lines_of(&pairs, 1), true),
        ("pairs in lines".to_owned(), lines_of(&pairs, 6), true),
        ("shown".to_owned(), format!("Title of 1986\n{shown}Opening: Tiger\n"), true),
        ("tags".to_owned(), pgn.clone(), true),
        ("tags and no empty line".to_owned(), pgn, false),
        ("JSON".to_owned(), format!("{json}\n"), false),
        ("JSON in lines".to_owned(), json.replace(',', ",\n  ") + "\n", false),
        ("address".to_owned(), format!("https://example.org/#{}\n", link::format(game)), false),
        ("board".to_owned(), format!("{}\n{}", Position::<Board>::start(), lines_of(&names, 9)), true),
    ];
    if names.len() > 12 {
        for length in 1..=12 {
            let lines = lines_of(&names, length);
            // Of a few moves, a second line may be a game by itself.
            if lines.lines().nth(1).is_some_and(|line| transcript::parse::<Board>(line).is_err()) {
                shapes.push((format!("{length} a line"), lines, true));
            }
        }
        for count in 2..=4 {
            shapes.push((format!("{count} columns of moves"), columns(&numbered, count), true));
            shapes.push((format!("{count} columns of pairs"), columns(&pairs, count), true));
        }
    }
    shapes
}

/// The rows of a board with the number of each move on its square.
fn numbered_rows<B: Rules>(game: &Game<B>, empty: &str, black: char, white: char, separator: &str) -> Vec<String> {
    let moves = game.moves();
    let cell = |square: Square| match game.start().disc_at(square) {
        Some(Color::Black) => black.to_string(),
        Some(Color::White) => white.to_string(),
        None => {
            let index = moves.iter().position(|&played| played == square);
            index.map_or(empty.to_owned(), |index| (index + 1).to_string())
        }
    };
    let row = |row: u8| {
        let squares = (0..B::GEOMETRY.side).filter_map(|column| B::GEOMETRY.square_at(column, row));
        squares.map(|square| format!("{:>2}", cell(square))).collect::<Vec<_>>().join(separator)
    };
    (0..B::GEOMETRY.side).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_game_is_read_back_from_any_shape(choices in vec(any::<u16>(), 1..70)) {
        let game = game(&choices);
        for (name, text, _) in shapes(&game) {
            for text in [text.clone(), format!("\n\n{}\n\n", text.replace('\n', "\r\n")), format!("A title\n{text}")] {
                let games: Vec<_> = read(&text).into_iter().map(|result| result.map(|record| record.game)).collect();
                prop_assert_eq!(&games, &[Ok(game.clone())], "{}: {}", name, text);
            }
        }
    }

    #[test]
    fn as_many_games_are_read_as_there_are(parts in vec((vec(any::<u16>(), 1..70), any::<usize>()), 1..8)) {
        let mut text = String::new();
        let mut games = Vec::new();
        for (choices, shape) in parts {
            let game = game(&choices);
            let shapes = shapes(&game);
            let (name, shape, needs_gap) = &shapes[shape % shapes.len()];
            // Short lines may by chance also continue the game before.
            if name.ends_with(" a line") {
                text.push('\n');
            }
            text += shape;
            if *needs_gap {
                text.push('\n');
            }
            games.push(Ok(game));
        }
        let found: Vec<_> = read(&text).into_iter().map(|result| result.map(|record| record.game)).collect();
        prop_assert_eq!(found, games, "{}", text);
    }

    #[test]
    fn games_of_a_line_each_are_never_joined(parts in vec(vec(any::<u16>(), 1..12), 1..20), has_gaps in any::<bool>()) {
        let games: Vec<_> = parts.iter().map(|choices| game(choices)).collect();
        let mut text = String::new();
        for game in &games {
            let _ = writeln!(text, "{}{}", transcript::format(game), if has_gaps { "\n" } else { "" });
        }
        let found: Vec<_> = read(&text).into_iter().map(|result| result.map(|record| record.game)).collect();
        prop_assert_eq!(found, games.into_iter().map(Ok).collect::<Vec<_>>(), "{}", text);
    }

    #[test]
    fn one_wrong_character_never_loses_a_game_of_a_list(
        parts in vec(vec(any::<u16>(), 20..60), 3..6),
        at in any::<prop::sample::Index>(),
        wrong in r#"[a-zA-Z0-9 .,;:()\[\]{}"'@*/?!~<>=+_\\|&\u{e9}\u{68cb}-]"#,
        kind in 0..3,
    ) {
        let lines: Vec<_> = parts.iter().map(|choices| transcript::format(&game(choices))).collect();
        let index = at.index(lines.len());
        let place = at.index(lines[index].len() + usize::from(kind == 1));
        let (before, after) = lines[index].split_at(place);
        let changed = match kind {
            0 => format!("{before}{wrong}{}", &after[1..]),
            1 => format!("{before}{wrong}{after}"),
            _ => format!("{before}{}", &after[1..]),
        };
        let mut texts = lines.clone();
        texts[index] = changed;
        let text = texts.join("\n");
        let found = read(&text);
        prop_assert_eq!(found.len(), lines.len(), "{}: {:?}", text, found);
        for (number, (line, result)) in lines.iter().zip(&found).enumerate() {
            match result {
                Ok(record) if number != index => prop_assert_eq!(&transcript::format(&record.game), line, "{}", text),
                Ok(_) => {}
                Err(problem) => {
                    let place = format!("FILE, line {}: ", number + 1);
                    prop_assert!(number == index && problem.starts_with(&place), "{}: {}", text, problem);
                }
            }
        }
    }

    #[test]
    fn a_diagram_of_move_numbers_is_read_back(choices in vec(any::<u16>(), 1..70)) {
        let game = game(&choices);
        for (empty, black, white, separator) in
            [("-", 'X', 'O', " "), ("--", '*', 'O', "  "), (".", '●', '○', "\t"), ("()", 'B', 'W', " | ")]
        {
            let rows = numbered_rows(&game, empty, black, white, separator);
            let plain = rows.join("\n");
            let named: Vec<_> = rows.iter().enumerate().map(|(index, row)| format!("{} {row}\n", index + 1)).collect();
            let named = named.concat();
            for diagram in [plain, named.clone(), format!("   a b c d e f g h\n{named}   a b c d e f g h")] {
                let text = format!("Paris Open 1999\n\n{diagram}\nRose - Tanaka\n40-24\n{diagram}\n\nf5d6\n");
                let games: Vec<_> = read(&text).into_iter().map(|result| result.map(|record| record.game)).collect();
                let short = transcript::parse("f5d6").expect("a game");
                prop_assert_eq!(games, [Ok(game.clone()), Ok(game.clone()), Ok(short)], "{}", text);
            }
        }
    }

    #[test]
    fn a_board_with_moves_is_read_back(choices in vec(any::<u16>(), 2..70), at in any::<usize>(), length in 1..20usize) {
        let whole = game(&choices);
        let all = whole.moves();
        let at = at % all.len();
        let start = Game::from_moves(Position::start(), all[..at].iter().copied()).expect("legal").position();
        let expected = Game::from_moves(start, all[at..].iter().copied()).expect("legal");
        let names: Vec<_> = all[at..].iter().map(Square::to_string).collect();
        let board = start.to_string();
        let rows: Vec<_> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
        let side = if start.turn == Color::Black { "X" } else { "O" };
        for text in [
            format!("{board} {}\n", names.join(" ")),
            format!("{board}\n{}", lines_of(&names, length)),
            format!("{}\n{side}\n{}", rows.join("\n"), lines_of(&names, length)),
        ] {
            let games: Vec<_> = read(&text).into_iter().map(|result| result.map(|record| record.game)).collect();
            prop_assert_eq!(&games, &[Ok(expected.clone())], "{}", text);
        }
    }

    #[test]
    fn any_text_is_games_or_errors(text in r#"[a-h1-8 \n.\-XO{}\[\]"\(\)#@~:/\u{e9}x9]{0,200}"#) {
        let count = read(&text).len();
        prop_assert!(count <= text.len() + 1);
        let _ = text::only::<CutBoard>(&text);
    }
}
