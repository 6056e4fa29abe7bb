//! The books of the programs, and the searches behind them.

use book::{Book, Effort, Leaf, LeafQuestion};
use engine::{Choice, Estimate, Limits, Player, Progress, Silent, Stop};
use evaluation::Value;
use othello::{Board, Game, Rules};
use search::Selectivity;

use players::program_book::BookSearchSettings;
use players::{PlayerOptions, SearchOptions};

fn player(text: &str) -> Box<dyn Player> {
    let search = SearchOptions { hash: 1, ..SearchOptions::default() };
    let options = PlayerOptions { seed: 1, search, ..PlayerOptions::default() };
    classics::registry().limited_player::<Board>(&text.parse().unwrap(), &options).unwrap()
}

fn choice(player: &mut dyn Player, game: &Game) -> Choice {
    player.choose(game, &Limits::of_depth(1), &mut Silent, &Stop::new()).unwrap()
}

#[test]
fn the_books_that_ship_are_sound_and_settled() {
    for program in classics::registry().books() {
        let book = program.shipped().unwrap();
        let check = book.snapshot().check(&mut |_| true).unwrap();
        assert_eq!((check.fault_count, check.open), (0, 0), "{program:?}: {:?}", check.faults);
        assert!(check.positions >= 100, "{program:?}: {}", check.positions);
    }
}

#[test]
fn keyanos_book_has_the_mean_of_eleven_and_twelve_plies_without_probcut() {
    let book = classics::registry().book("keyano").unwrap().shipped().unwrap();
    let positions: Vec<_> = book.snapshot().positions().map(Result::unwrap).collect();
    let twelve = Effort::new(12, Selectivity::EXACT);
    assert!(positions.iter().all(|found| found.effort == twelve || found.leaf == Leaf::Covered));
    // One with no move in the book: its value is that of the search alone.
    let is_last = |found: &&book::BookPosition| matches!(found.leaf, Leaf::Best { value, .. } if value == found.value);
    let last = positions.iter().rev().find(is_last).unwrap();
    let settings = keyano::Settings { probcut: keyano::ProbCut::Off, ..keyano::Settings::default() };
    let mut player = keyano::Keyano::new(settings);
    let game = Game::from_position(othello::Position { board: last.board, turn: othello::Color::Black });
    let mut values = Vec::new();
    let mut observer = |progress: &Progress| {
        if let Some(Estimate::Discs { hundredths }) = progress.value {
            values.push(f64::from(hundredths) / 100.0);
        }
    };
    player.choose(&game, &Limits::of_depth(12), &mut observer, &Stop::new()).unwrap();
    let mean = (values[10] + values[11]) / 2.0;
    // A value of the book is in 1/128 of a disc.
    assert!((f64::from(last.value.discs()) - mean).abs() < 0.01, "{} and {mean}", last.value);
}

#[test]
fn a_program_plays_its_book_until_it_ends_and_without_the_setting_it_thinks() {
    for program in classics::registry().books() {
        let book = program.shipped().unwrap();
        let mut with = player(&format!("{}@book=on", program.name));
        assert_eq!(with.name(), program.name);
        let mut game = Game::new();
        let mut from_book = 0;
        loop {
            let board = game.position().board;
            let found = choice(with.as_mut(), &game);
            if found.depth > 0 {
                break;
            }
            assert_eq!(found.value, book.snapshot().lookup(&board).unwrap().map(|position| position.estimate()));
            assert!(book.has_move(&board, found.square).unwrap(), "{program:?}");
            game.play(found.square).unwrap();
            from_book += 1;
        }
        assert!(from_book >= 3, "{program:?}: {from_book} moves from the book");
        for without in ["", "@book=off"] {
            let mut without = player(&format!("{}{without}", program.name));
            assert!(choice(without.as_mut(), &Game::new()).depth > 0, "{program:?}");
        }
    }
}

#[test]
fn any_book_can_be_given_and_a_missing_one_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.book");
    let mut book = Book::create(&path).unwrap();
    let after = Board::start().play("f5".parse().unwrap()).unwrap();
    let mut search = |question: &book::LeafQuestion| {
        let square = othello::squares(question.moves).next()?;
        let effort = book::Effort::new(1, search::Selectivity::LOWEST);
        Some(book::LeafAnswer { square, value: evaluation::Value::from_discs(-7.0), effort })
    };
    book.add_all(&[Board::start(), after], &mut search).unwrap();
    drop(book);
    for name in ["keyano", "logistello", "emilia"] {
        let mut player = player(&format!("{name}@book={}", path.display()));
        let found = choice(player.as_mut(), &Game::new());
        assert_eq!((found.depth, found.value), (0, Some(Estimate::Discs { hundredths: 700 })), "{name}");
        let missing = format!("{name}@book=/nowhere/at/all").parse().unwrap();
        let error = classics::registry().limited_player::<Board>(&missing, &PlayerOptions::default()).err().unwrap();
        assert!(error.to_string().contains("cannot read /nowhere/at/all"), "{error}");
    }
}

#[test]
fn settings_of_a_program_and_of_its_book_are_named_together() {
    let error = |text: &str| {
        classics::registry()
            .limited_player::<Board>(&text.parse().unwrap(), &PlayerOptions::default())
            .err()
            .unwrap()
            .to_string()
    };
    let unknown = error("keyano@bok=on");
    assert!(unknown.contains("unknown setting \"bok\" (did you mean book?)"), "{unknown}");
    let valid = unknown.split("; ").find_map(|part| part.strip_prefix("valid: ")).unwrap();
    let valid: Vec<_> = valid.split(", ").collect();
    for setting in ["probcut", "historical", "book", "book-randomness"] {
        assert!(valid.contains(&setting), "{setting}: {unknown}");
    }
    assert!(error("keyano@book-randomness=-1").starts_with("keyano: book-randomness cannot be \"-1\""));
    assert!(error("iago@book=on").contains("unknown setting \"book\""));
}

fn settings(threads: usize) -> BookSearchSettings {
    BookSearchSettings { depth: None, selectivity: None, exact: None, threads, hash: 1 }
}

#[test]
fn endings_are_solved_by_both_programs() {
    let mut samples = search::samples::Samples::<Board>::new(3);
    let boards: Vec<Board> =
        (0..4).map(|_| samples.position_with_moves(search::samples::Origin::SensibleGame, 10)).collect();
    let ask = |board: &Board| LeafQuestion::unbounded(*board, board.moves());
    let questions: Vec<LeafQuestion> = boards.iter().map(ask).collect();
    for program in classics::registry().books() {
        let answers = program.search(&settings(2), &Stop::new()).unwrap().search_all(&questions);
        for (board, answer) in boards.iter().zip(answers) {
            let answer = answer.unwrap();
            assert_eq!(answer.value, Value::of_score(search::negamax::score(board)), "{program:?}");
            assert!(answer.effort.is_exact(board.empty_count() as u8));
        }
    }
}

#[test]
fn a_stopped_search_has_no_answer() {
    let stop = Stop::new();
    stop.set();
    let board = Board::start();
    for program in classics::registry().books() {
        let mut search = program.search(&settings(1), &stop).unwrap();
        assert_eq!(search.search(&LeafQuestion::unbounded(board, board.moves())), None, "{program:?}");
    }
}
