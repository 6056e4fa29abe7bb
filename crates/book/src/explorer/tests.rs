//! The index against a slow pass over the games.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use othello::{Board, Color, Game, Position, Rules, Square, symmetry};
use proptest::prelude::*;
use records::files::records_of;
use records::filter::{Needle, black_score};
use records::{Date, Format, GameRecord, transcript};
use tempfile::TempDir;

use super::*;

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The shipped games with players, and the shipped openings in changing orientations, with invented players.
fn records() -> Vec<GameRecord> {
    let mut records = Vec::new();
    for file in ["data/lab/world-championship-1980.ggf", "data/games/iago-paper.ggf"] {
        let read = records_of(&workspace(file), None).expect("the shipped games");
        records.extend(read.map(|record| record.expect("a game")));
    }
    let symmetries: Vec<_> = (0..8).filter(|&index| Board::start().transformed(index) == Board::start()).collect();
    for file in ["data/lab/openings.txt", "data/lab/openings-of-20-discs.txt"] {
        let read = records_of(&workspace(file), None).expect("the shipped openings");
        for (number, record) in read.map(|record| record.expect("an opening")).enumerate() {
            let symmetry = symmetries[number % symmetries.len()];
            let moves = record.game.moves().into_iter().map(|square| symmetry::transform_square(square, symmetry));
            let game = Game::from_moves(Position::start(), moves).expect("still legal");
            records.push(GameRecord {
                black: format!("Player {}", number % 7),
                white: format!("Player {}", number % 5 + 1),
                black_rating: (number % 3 > 0).then_some(1500.0 + number as f64),
                white_rating: (number % 2 > 0).then_some(1600.0 - number as f64),
                event: ["Spring", "Autumn"][number % 2].to_owned(),
                date: Date::of_year(1990 + (number % 20) as u16),
                result: (number % 4 > 0).then(|| othello::Score::new((number % 65) as i8 - 32)),
                ..GameRecord::new(game)
            });
        }
    }
    records
}

fn record(black: &str, white: &str) -> GameRecord {
    let game = GameRecord::new(transcript::parse("f5d6").expect("legal"));
    GameRecord { black: black.to_owned(), white: white.to_owned(), ..game }
}

fn position(moves: &str) -> Position {
    transcript::parse::<Board>(moves).expect("legal").position()
}

/// The games of a player.
fn of_player(name: &str) -> Filter {
    Filter { players: vec![Needle::new(name)], ..Filter::default() }
}

fn index_of(records: &[GameRecord]) -> Index {
    let mut builder = IndexBuilder::default();
    records.iter().for_each(|record| builder.add(record));
    Index::from_bytes(builder.finish()).expect("a whole index")
}

/// The games that reached a position, by the slow rules: every position is turned in every way.
fn reached<'a>(
    records: impl IntoIterator<Item = &'a GameRecord>,
    target: &Position,
) -> Vec<(&'a GameRecord, Option<Square>)> {
    let mut found = Vec::new();
    for record in records {
        let moves = record.game.moves();
        for (number, position) in record.game.positions().enumerate() {
            let is_target = |index: &usize| position.board.transformed(*index) == target.board;
            let Some(symmetry) = (0..8).find(is_target).filter(|_| position.turn == target.turn) else { continue };
            found.push((record, moves.get(number).map(|&square| symmetry::transform_square(square, symmetry))));
        }
    }
    found
}

fn score(record: &GameRecord, color: Color) -> Option<i32> {
    black_score(record).map(|score| if color == Color::Black { score } else { -score })
}

/// The games of a move: by result, by year, and by player.
type Counted<'a> = (Tally, BTreeMap<u16, u64>, BTreeMap<&'a str, u64>);

/// Compares the answer to a question with the slow pass.
fn check(index: &Index, records: &[&GameRecord], position: &Position, filter: &Filter) -> u64 {
    let answer = index.ask(position, filter).expect("an answer");
    let found = reached(records.iter().copied(), position);
    let mut all = Tally::default();
    let mut ended = 0;
    // By the position after the move, because moves that are the same by symmetry are one.
    let mut moves: BTreeMap<Board, Counted<'_>> = BTreeMap::new();
    for (record, next) in &found {
        all.add(score(record, position.turn));
        let Some(square) = next else {
            ended += 1;
            continue;
        };
        let after = position.play(*square).expect("legal").board.canonical();
        let (tally, years, players) = moves.entry(after).or_default();
        tally.add(score(record, position.turn));
        if let Some(date) = record.date {
            *years.entry(date.year()).or_default() += 1;
        }
        let mover = if position.turn == Color::Black { &record.black } else { &record.white };
        if !mover.trim().is_empty() {
            *players.entry(mover.trim()).or_default() += 1;
        }
    }
    assert_eq!((answer.tally, answer.ended), (all, ended), "{position}");
    let dated = found.iter().filter_map(|(record, _)| record.date);
    let mut by_year: BTreeMap<u16, u64> = BTreeMap::new();
    dated.for_each(|date| *by_year.entry(date.year()).or_default() += 1);
    let totals = answer.years.iter().flat_map(|years| &years.by_year);
    assert_eq!(totals.map(|found| (found.year, found.count)).collect::<BTreeMap<_, _>>(), by_year, "{position}");
    assert_eq!(answer.moves.len(), moves.len(), "{position}");
    assert!(answer.moves.is_sorted_by_key(|played| std::cmp::Reverse(played.tally.games)));
    for played in &answer.moves {
        let after = position.play(played.square).expect("the moves of an answer are legal").board.canonical();
        let (tally, years, players) = &moves[&after];
        assert_eq!(played.tally, *tally, "{} in {position}", played.square);
        let by_year = played.years.iter().flat_map(|years| &years.by_year);
        let by_year: BTreeMap<_, _> = by_year.map(|found| (found.year, found.count)).collect();
        assert_eq!(by_year, *years, "{} in {position}", played.square);
        if let Some(Years { first, last, most, .. }) = played.years {
            assert_eq!((Some(&first), Some(&last)), (years.keys().next(), years.keys().next_back()));
            assert_eq!(years[&most], *years.values().max().expect("a year"));
        }
        assert_eq!((played.players.len(), played.player_count), (players.len().min(5), players.len() as u64));
        assert!(played.players.iter().all(|player| players[player.name.as_str()] == player.count));
        // No player that is not named has shown more strength than the named ones.
        let shown = |name: &str| index.strength(name).map(Strength::shown);
        assert!(played.players.is_sorted_by_key(|player| std::cmp::Reverse(shown(&player.name))));
        if let Some(last) = played.players.last() {
            let is_named = |name: &str| played.players.iter().any(|player| player.name == name);
            let others = players.keys().filter(|name| !is_named(name));
            others.for_each(|name| assert!(shown(name) <= shown(&last.name), "{name} in {position}"));
        }
        assert!(
            played.players.iter().all(|player| player.rating == index.strength(&player.name).map(|found| found.rating))
        );
    }
    answer.tally.games
}

#[test]
fn every_position_of_every_game_is_answered_as_by_a_slow_pass() {
    let records = records();
    let index = index_of(&records);
    assert_eq!(index.game_count(), records.len() as u64);
    let all: Vec<_> = records.iter().collect();
    let mut shared = 0;
    for (number, record) in records.iter().enumerate().step_by(9) {
        for (ply, position) in record.game.positions().enumerate() {
            // Every game is queried in another orientation than it was played.
            let board = position.board.transformed((number + ply) % 8);
            let games = check(&index, &all, &Position { board, ..position }, &Filter::default());
            assert!(games > 0, "a position of a game was played");
            shared += u64::from(games > 1);
        }
    }
    assert!(shared > 100, "{shared} positions of more than one game");
    let mut never = Game::new();
    for square in ["f5", "f6", "g7"].map(|name| name.parse().expect("a square")) {
        never.play(square).ok();
    }
    check(&index, &all, &never.position(), &Filter::default());
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let games = ["f5d6c3d3c4f4", "f5d6c4d3c3f4", "e6f4c3c4d3d6", "d3c5f6f5e6f7"];
    let records: Vec<_> = games.iter().map(|moves| GameRecord::new(transcript::parse(moves).expect("legal"))).collect();
    let index = index_of(&records);
    let tiger = position("f5d6c3d3c4");
    let answer = index.ask(&tiger, &Filter::default()).expect("an answer");
    assert_eq!((answer.tally.games, answer.moves.len()), (4, 2));
    assert_eq!(answer.moves[0].square.to_string(), "f4");
    assert_eq!(answer.moves[0].tally.games, 3);
    let before = position("f5d6c3d3");
    assert_eq!(index.ask(&before, &Filter::default()).expect("an answer").moves[0].opening, Some("Tiger"));
}

/// The same condition as a filter, for the slow pass.
type Condition = Box<dyn Fn(&GameRecord) -> bool>;

#[test]
fn filters_leave_the_games_that_the_slow_pass_leaves() {
    let records = records();
    let index = index_of(&records);
    let named = |name: &str| Some(Needle::new(name));
    let plays = |record: &GameRecord, name: &str| record.black == name || record.white == name;
    let both = ["player 3", "player 2"].map(Needle::new).to_vec();
    let filters: Vec<(Filter, Condition)> = vec![
        (of_player("player 3"), Box::new(move |record| plays(record, "Player 3"))),
        (
            Filter { players: both, ..Filter::default() },
            Box::new(move |record| plays(record, "Player 2") && plays(record, "Player 3")),
        ),
        (Filter { black: named("PLAYER 1"), ..Filter::default() }, Box::new(|record| record.black == "Player 1")),
        (
            Filter { white: named("iago"), ..Filter::default() },
            Box::new(|record| record.white.to_lowercase().contains("iago")),
        ),
        (Filter { event: named("spring"), ..Filter::default() }, Box::new(|record| record.event == "Spring")),
        (
            Filter { years: Some(1995..=1999), ..Filter::default() },
            Box::new(|record| record.date.is_some_and(|date| (1995..=1999).contains(&date.year()))),
        ),
        (
            Filter { ratings: Some(1500..=i64::MAX), ..Filter::default() },
            Box::new({
                let names = records.iter().flat_map(|record| [&record.black, &record.white]);
                let strengths: BTreeMap<_, _> =
                    names.filter_map(|name| Some((name.clone(), f64::from(index.strength(name)?.rating)))).collect();
                assert!(strengths.len() > 5);
                move |record| {
                    let ratings = match [record.black_rating, record.white_rating] {
                        [None, None] => [&record.black, &record.white].map(|name| strengths.get(name).copied()),
                        own => own,
                    };
                    ratings.iter().all(|rating| rating.is_some_and(|rating| rating >= 1500.0))
                }
            }),
        ),
        (of_player("nobody"), Box::new(|_| false)),
    ];
    for (filter, accepts) in filters {
        let accepted: Vec<_> = records.iter().filter(|record| accepts(record)).collect();
        for moves in ["", "f5", "f5d6", "f5f6e6", "f5d6c3d3c4"] {
            check(&index, &accepted, &position(moves), &filter);
        }
    }
}

#[test]
fn the_statistics_of_a_player_are_those_of_its_games() {
    let records = records();
    let index = index_of(&records);
    let filter = of_player("player 2");
    let found = index.player(&filter);
    let mut sides = [Tally::default(); 2];
    let mut openings: BTreeMap<Option<&str>, u64> = BTreeMap::new();
    let mut opponents: BTreeMap<&str, Tally> = BTreeMap::new();
    for record in &records {
        let opening = records::opening_names::of_game(&record.game).map(|opening| opening.name);
        let players = [(Color::Black, &record.black, &record.white), (Color::White, &record.white, &record.black)];
        for (side, (color, own, other)) in players.into_iter().enumerate().filter(|(_, (_, own, _))| *own == "Player 2")
        {
            assert_eq!(own, "Player 2");
            sides[side].add(score(record, color));
            *openings.entry(opening).or_default() += 1;
            opponents.entry(other).or_default().add(score(record, color));
        }
    }
    assert_eq!([found.black, found.white], sides);
    assert_eq!(
        found.names,
        [PlayerCount {
            name: "Player 2".to_owned(),
            count: sides[0].games + sides[1].games,
            rating: index.strength("Player 2").map(|found| found.rating),
        }]
    );
    let counted: BTreeMap<_, _> = found
        .openings
        .iter()
        .map(|opening| (opening.name.as_deref(), opening.black.games + opening.white.games))
        .collect();
    assert_eq!(counted, openings);
    let met: BTreeMap<_, _> = found.opponents.iter().map(|opponent| (opponent.name.as_str(), opponent.tally)).collect();
    assert_eq!(met, opponents);
    let nobody = index.player(&of_player("nobody"));
    assert_eq!(nobody, PlayerStatistics::default());
}

/// The first answers of an index, or the first error.
fn first_answers(bytes: &[u8]) -> Result<Vec<PlayedMoves>, IndexError> {
    let index = Index::from_bytes(bytes.to_vec())?;
    let game = transcript::parse::<Board>("f5d6c3d3c4").expect("legal");
    game.positions().map(|position| index.ask(&position, &Filter::default())).collect()
}

#[test]
fn a_damaged_or_truncated_index_is_refused() {
    let mut builder = IndexBuilder::default();
    records().iter().take(12).for_each(|record| builder.add(record));
    let bytes = builder.finish();
    let answers = first_answers(&bytes).expect("the undamaged index");
    for length in (0..bytes.len()).step_by(5) {
        assert!(first_answers(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
    }
    let mut refused = 0;
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        match first_answers(&damaged) {
            // Damage in a part that was not read.
            Ok(same) => assert_eq!(same, answers, "byte {at}"),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 100, "{refused}");
    assert!(matches!(Index::from_bytes(b"(;GM[Othello]".to_vec()), Err(IndexError::Foreign(..))));
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), keeps_header: bool) {
        let mut file = if keeps_header { IndexBuilder::default().finish()[..40].to_vec() } else { Vec::new() };
        file.extend(bytes);
        let _ = first_answers(&file);
    }
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A folder with Thor files.
fn thor() -> TempDir {
    let folder = folder();
    for file in ["small.wtb", "SMALL.JOU", "small.Trn"] {
        fs::copy(workspace("crates/records/tests/data/thor").join(file), folder.path().join(file)).expect("a copy");
    }
    folder
}

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file");
    path
}

fn sources(paths: &[&Path]) -> Sources {
    let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
    Sources::of(&paths, None).expect("games")
}

fn built(sources: &Sources) -> Index {
    Index::from_bytes(sources.build(|_| ())).expect("an index")
}

#[test]
fn an_index_of_thor_files_has_their_names_and_bad_files_are_left_out() {
    let folder = thor();
    write(&folder, "odd.wtb", "Thor?");
    write(&folder, "odder.wtb", [0xff; 3 * 68 + 16]);
    let sources = sources(&[folder.path()]);
    let mut bad = 0;
    let bytes = sources.build(|progress| bad += u64::from(!matches!(progress, Progress::File { .. })));
    assert!(bad >= 2, "{bad}");
    let index = Index::from_bytes(bytes).expect("an index");
    assert_eq!(index.left_out().bad_records, bad);
    let read = records_of(&folder.path().join("small.wtb"), None).expect("the file");
    // A record whose moves do not lead to the result that it states has moves.
    let read = read.filter_map(|record| record.or_else(|error| error.record.map(|record| *record).ok_or(())).ok());
    let whole: Vec<_> = read.filter(|record| !record.game.moves().is_empty()).collect();
    assert_eq!(index.game_count(), whole.len() as u64);
    let name = &whole[0].black;
    let found = index.player(&of_player(name));
    assert!(found.black.games > 0 && found.names.iter().any(|found| &found.name == name), "{name}");
}

#[test]
fn another_file_another_content_or_other_names_are_other_sources() {
    let folder = folder();
    let path = folder.path();
    let file = write(&folder, "a.txt", "f5d6c3\n");
    let first = sources(&[path]).fingerprint();
    assert_eq!(sources(&[path]).fingerprint(), first, "nothing has changed");
    let index = built(&sources(&[path]));
    assert_eq!(index.sources(), &first);
    let relation = |paths: &[&Path]| sources(paths).relation(&index);
    assert_eq!(relation(&[path]), Relation::Current);
    assert_eq!(relation(&[&file]), Relation::Current, "the only file of the folder");
    let as_ggf = Sources::of(&[path.to_owned()], Some(Format::Ggf)).expect("games");
    assert_eq!(as_ggf.relation(&index), Relation::Outdated, "read in another way");
    let other = crate::explorer::tests::folder();
    write(&other, "a.txt", "f5d6c3\n");
    assert_eq!(relation(&[other.path()]), Relation::Other);
    assert_eq!(relation(&[path, other.path()]), Relation::Other);
    write(&folder, "a.txt", "f5d6c3\nf5f6\n");
    assert_eq!(relation(&[path]), Relation::Outdated);
    let longer = sources(&[path]).fingerprint();
    assert_ne!(longer, first);
    write(&folder, "b.wtb", "");
    let with_thor = sources(&[path]).fingerprint();
    assert_ne!(with_thor, longer);
    assert_eq!(relation(&[path]), Relation::Outdated);
    write(&folder, "WTH.JOU", "");
    assert_ne!(sources(&[path]).fingerprint(), with_thor);
    assert_eq!(relation(&[Path::new("-")]), Relation::Other);
}

#[test]
fn a_file_that_is_found_by_several_paths_is_read_once_and_the_order_of_paths_does_not_matter() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("inner")).expect("a folder");
    write(&folder, "a.txt", "f5d6c3\n");
    write(&folder, "b.txt", "f5f6\nf5f4\n");
    fs::hard_link(path("a.txt"), path("inner/c.txt")).expect("a second name");
    let fingerprint = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| path(name)).collect();
        let sources = Sources::of(&paths, None).expect("games");
        assert_eq!(sources.files().len(), 2, "{names:?}");
        assert_eq!(built(&sources).game_count(), 3, "{names:?}");
        sources.fingerprint()
    };
    assert_eq!(fingerprint(&["a.txt", "b.txt"]), fingerprint(&["b.txt", "a.txt", "inner/../a.txt"]));
    fingerprint(&["", "inner"]);
    assert_eq!(fingerprint(&["inner", "b.txt", "a.txt"]), fingerprint(&["a.txt", "b.txt", "inner"]));
}

#[test]
fn an_index_is_never_one_of_its_own_sources() {
    let folder = folder();
    let games = write(&folder, "games.txt", "f5d6c3\n");
    let bytes = sources(&[folder.path()]).build(|_| ());
    let index = write(&folder, "index.txt", &bytes);
    let again = sources(&[folder.path()]);
    assert_eq!(again.files(), [games.as_path()]);
    assert_eq!(again.build(|_| ()), bytes);
    assert!(matches!(Sources::of(&[index], None), Err(SourcesError::Index(_))));
    fs::remove_file(games).expect("it goes");
    let error = Sources::of(&[folder.path().to_owned()], None).expect_err("only an index").to_string();
    assert!(error.contains("has no files of games"), "{error}");
}

#[test]
fn what_is_left_out_is_counted_in_the_index() {
    let folder = folder();
    let standard = "---------------------------O*------*O--------------------------- *";
    let other = "---------------------------*O------O*--------------------------- *";
    let game = |board: &str, moves: &str| format!("(;GM[Othello]PB[A]PW[B]TY[8]BO[8 {board}]{moves};)\n");
    let games = [game(standard, "B[f5]W[d6]"), game(other, "B[f4]"), game(standard, ""), game(standard, "B[a1]")];
    let index = built(&sources(&[&write(&folder, "games.ggf", games.concat())]));
    assert_eq!(index.game_count(), 1);
    let counted = LeftOut { unreadable_files: 0, bad_records: 1, other_starts: 1, without_moves: 1 };
    assert_eq!(index.left_out(), counted);
    assert_eq!(Index::from_bytes(IndexBuilder::default().finish()).expect("an index").left_out(), LeftOut::default());
}

#[test]
fn question_marks_and_blanks_are_not_players() {
    let index = index_of(&[record("???", "Ann"), record("Ann", "  "), record("? ?", ""), record("Bea?", "Ann")]);
    assert_eq!(index.player_count(), 2);
    let start = index.ask(&Position::start(), &Filter::default()).expect("an answer");
    assert_eq!((start.moves[0].tally.games, start.moves[0].player_count), (4, 2));
    let player = |name| index.player(&of_player(name));
    let ann = player("ann");
    assert_eq!((ann.black.games + ann.white.games, ann.unknown_opponents.games), (3, 2));
    assert_eq!(ann.opponents.iter().map(|opponent| opponent.name.as_str()).collect::<Vec<_>>(), ["Bea?"]);
    assert_eq!(player("?").names.iter().map(|found| found.name.as_str()).collect::<Vec<_>>(), ["Bea?"]);
}

#[test]
fn the_latest_games_of_a_player_are_replayed_from_the_index() {
    let records = records();
    let index = index_of(&records);
    let filter = of_player("iago");
    let mut own: Vec<_> = records.iter().filter(|record| record.black == "IAGO" || record.white == "IAGO").collect();
    // The latest first; of one year, the last in the file first.
    own.reverse();
    own.sort_by_key(|record| std::cmp::Reverse(record.date.map(|date| date.year())));
    assert!(own.len() > 3, "{}", own.len());
    for most in [2, 1000] {
        let found = index.latest_games(&filter, most).expect("the games");
        assert_eq!(found.len(), own.len().min(most));
        for (found, record) in found.iter().zip(&own) {
            let colors: Vec<_> = [(Color::Black, &record.black), (Color::White, &record.white)]
                .into_iter()
                .filter_map(|(color, name)| (name == "IAGO").then_some(color))
                .collect();
            assert_eq!(found.colors, colors);
            let boards = |game: &Game| -> Vec<_> {
                game.positions().map(|position| (position.turn, position.board.canonical())).collect()
            };
            assert_eq!(boards(&found.game), boards(&record.game));
        }
    }
    let nobody = of_player("nobody");
    assert!(index.latest_games(&nobody, 5).expect("no games").is_empty());
}

#[test]
fn a_thor_record_whose_moves_stop_before_its_result_is_in_the_index() {
    let folder = thor();
    let path = folder.path().join("small.wtb");
    let counted = || {
        let index = built(&sources(&[&path]));
        (index.game_count(), index.left_out().bad_records)
    };
    let whole = counted();
    // The last move of the first game is taken away; its score stays.
    let (header, record, first_move) = (16, 68, 8);
    let mut bytes = fs::read(&path).expect("the file");
    let moves = header + first_move..header + record;
    let last = moves.clone().rev().find(|&at| bytes[at] != 0).expect("a move");
    bytes[last] = 0;
    fs::write(&path, bytes).expect("the file");
    assert!(records_of(&path, None).expect("the file").any(|record| record.is_err_and(|error| error.record.is_some())));
    assert_eq!(counted(), whole);
}

#[test]
fn an_index_of_another_version_is_made_again() {
    let folder = folder();
    let sources = sources(&[&write(&folder, "games.txt", "f5d6c3\nf5f6\n")]);
    let index = |version: u16| {
        let fingerprint = sources.fingerprint().to_string().replace("\"version\":1", &format!("\"version\":{version}"));
        let mut builder = IndexBuilder::from_sources(storage::Fingerprint::parse(&fingerprint).expect("a fingerprint"));
        builder.add(&GameRecord { result: Some(othello::Score::new(10)), ..record("Ann", "Bea") });
        Index::from_bytes(builder.finish()).expect("an index")
    };
    assert_eq!((index(1).rated_players(), index(1).rated_games()), (2, 0));
    assert_eq!(sources.relation(&index(1)), Relation::Current);
    assert_eq!(sources.relation(&index(2)), Relation::Outdated);
}
