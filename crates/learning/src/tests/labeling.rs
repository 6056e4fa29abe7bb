//! Labels compared with slow methods, and damaged stores of labeled positions.

use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;

use control::Stop;
use evaluation::{HandMade, Value};
use jobs::Threads;
use othello::{Board, Color, Game, Position, Rules, Score, squares};
use players::weights::EvaluationId;
use search::negamax;

use super::{TestFile, assert_contains, plain_minimax};
use crate::error::{FileProblem, LearnError};
use crate::label_store::{LabelReader, LabelSource, LabelStore};
use crate::labeling::{GameToLabel, Labeling, Wanted};
use crate::labels::LabeledPosition;
use crate::played_game::{Choice, GamePosition};
use crate::provenance::SearchSource;
use crate::self_play::{Recipe, SelfPlay};
use crate::workforce::Workforce;

/// Games with random moves, by a shallow player; with short openings, so that games share positions.
fn games(count: u64, opening: (u32, u32), exact_from: u32, known: u8) -> Vec<GameToLabel> {
    let recipe = Recipe { seed: 9, opening, random_moves: 0.04, depth: 1, exact_from, threads: 2 };
    let games = SelfPlay::new(recipe, HandMade).games(0..count, &Stop::new());
    games.into_iter().map(|game| GameToLabel { game, exact_from: known }).collect()
}

fn wanted() -> Wanted {
    Wanted { exact_from: 7, tree: true, depth: Some(2), empties: 1..=60, nearby: 0 }
}

fn source(games: &[GameToLabel]) -> LabelSource {
    LabelSource {
        games: vec![games.len() as u64],
        games_checksum: 0x0bad_cafe,
        empties: (1, 60),
        corrected_from: Some(7),
        tree: true,
        search: Some(SearchSource { depth: 2, evaluation: EvaluationId::HandMade }),
        nearby: 0,
    }
}

/// Labels into a file and calls `lasts` after each portion; false ends the run.
fn label(file: &TestFile, games: &[GameToLabel], wanted: Wanted, threads: usize, mut lasts: impl FnMut() -> bool) {
    let mut store = LabelStore::open(file, &source(games)).expect("a store");
    let stop = Stop::new();
    let labeling = Labeling { games: games.to_vec(), wanted, evaluation: &HandMade, threads };
    let executor = Threads(threads);
    let run = labeling.run(&mut store, &Workforce::of(&executor, &stop), &mut |_, _| {
        if !lasts() {
            stop.set();
        }
        ControlFlow::Continue(())
    });
    assert!(matches!(run, Ok(()) | Err(LearnError::Interrupted)), "{run:?}");
}

fn positions(file: &TestFile) -> Vec<LabeledPosition> {
    let mut positions = Vec::new();
    let reader = LabelReader::open(file).expect("a finished store");
    reader.read(0..=60, |position| positions.push(*position)).expect("positions");
    assert_eq!(reader.positions(), positions.len() as u64);
    positions
}

fn labeled(name: &str, games: &[GameToLabel], wanted: Wanted) -> Vec<LabeledPosition> {
    let file = TestFile::new(name);
    label(&file, games, wanted, 2, || true);
    positions(&file)
}

/// The occurrences of each position up to symmetry, the first one first.
fn by_board(games: &[GameToLabel]) -> HashMap<Board, Vec<(usize, GamePosition)>> {
    let mut boards: HashMap<Board, Vec<_>> = HashMap::new();
    for (number, game) in games.iter().enumerate() {
        for position in game.game.positions() {
            boards.entry(position.board.canonical()).or_default().push((number, position));
        }
    }
    boards
}

/// The value of a position in the graph of games, recursively; those with few empty squares are exact.
struct SlowTree<'g> {
    boards: &'g HashMap<Board, Vec<(usize, GamePosition)>>,
    exact_from: u32,
    values: HashMap<Board, Option<Score>>,
}

impl SlowTree<'_> {
    /// The value for the side to move; `None` if it is unknown.
    fn value(&mut self, board: &Board) -> Option<Score> {
        if board.is_over() {
            return Some(board.final_score());
        }
        if board.must_pass() {
            return self.value(&board.pass()).map(|score| -score);
        }
        let key = board.canonical();
        let meetings = self.boards.get(&key)?;
        if let Some(value) = self.values.get(&key) {
            return *value;
        }
        let value = if board.empty_count() <= self.exact_from {
            Some(negamax::score(board))
        } else {
            let moves: Vec<_> = squares(key.moves()).map(|square| key.play(square).expect("a move")).collect();
            let values: Vec<_> = moves.iter().map(|after| self.value(after).map(|score| -score)).collect();
            let chosen = meetings.iter().filter(|(_, position)| position.choice == Choice::Player);
            let after_chosen: Vec<_> =
                chosen.map(|(_, position)| position.board.play(position.square).expect("a move")).collect();
            let is_chosen = after_chosen.iter().any(|after| self.value(after).is_some());
            let best = values.iter().copied().max().flatten();
            best.filter(|_| is_chosen || values.iter().all(Option::is_some))
        };
        self.values.insert(key, value);
        value
    }
}

#[test]
fn every_position_is_labeled_once_and_each_label_agrees_with_a_slow_method() {
    let games = games(160, (1, 6), 4, 0);
    let found = labeled("slow", &games, wanted());
    let boards = by_board(&games);
    assert_eq!(found.len(), boards.len());
    assert!(found.len() < games.iter().map(|game| game.game.moves().len()).sum(), "no two games meet");
    let mut tree = SlowTree { boards: &boards, exact_from: 7, values: HashMap::new() };
    let (mut with_tree, mut better) = (0, 0);
    for LabeledPosition { board, game, labels } in &found {
        let meetings = &boards[board];
        assert_eq!(*game as usize, meetings[0].0);
        let sound = meetings.iter().find(|(_, position)| position.is_sound);
        assert_eq!(labels.outcome, sound.map(|(_, position)| position.score), "{board:?}");
        assert_eq!(labels.tree, tree.value(board), "{board:?}");
        with_tree += usize::from(labels.tree.is_some());
        better += usize::from(labels.tree > labels.corrected && labels.corrected.is_some());
        if board.empty_count() <= 7 {
            let exact = negamax::score(board);
            assert_eq!((labels.corrected, labels.tree), (Some(exact), Some(exact)), "{board:?}");
            assert_eq!(labels.search, Some(Value::of_score(exact)), "{board:?}");
        } else {
            assert_eq!(labels.search, Some(plain_minimax(&HandMade, board, 2)), "{board:?}");
            assert_eq!(labels.corrected, slow_correction(&games, meetings), "{board:?}");
        }
    }
    assert!(with_tree > found.len() / 3 && better > 0, "{with_tree} tree values, {better} better than their games");
}

/// The exact score of the first position with at most seven empty squares, of the first game on the way to which
/// no move is random.
fn slow_correction(games: &[GameToLabel], meetings: &[(usize, GamePosition)]) -> Option<Score> {
    meetings.iter().find_map(|(number, from)| {
        let game = &games[*number].game;
        let is_late = |position: &GamePosition| position.board.empty_count() <= 7;
        let way = game.positions().skip(from.ply as usize).take_while(|position| !is_late(position));
        if way.into_iter().any(|position| position.choice != Choice::Player) {
            return None;
        }
        let Some(late) = game.positions().find(is_late) else { return Some(from.score) };
        // The score of a drawn game does not show which side is to move; the moves and passes do.
        let is_black = |position: &GamePosition| {
            let moves = game.moves()[..position.ply as usize].iter().copied();
            Game::from_moves(Position::<Board>::start(), moves).expect("moves of the game").position().turn
                == Color::Black
        };
        let exact = negamax::score(&late.board);
        Some(if is_black(from) == is_black(&late) { exact } else { -exact })
    })
}

#[test]
fn games_with_an_exact_end_need_no_solver() {
    // The games are exact from eight empty squares on, with or without that information.
    let (with, without) = (games(60, (8, 18), 8, 8), games(60, (8, 18), 8, 0));
    let wanted = Wanted { exact_from: 8, ..wanted() };
    let found = labeled("with", &with, wanted.clone());
    assert_eq!(found, labeled("without", &without, wanted));
    assert!(found.iter().all(|position| position.labels.corrected == position.labels.outcome));
}

#[test]
fn only_requested_labels_and_positions_are_present() {
    let games = games(40, (4, 10), 6, 6);
    let all = labeled("all", &games, wanted());
    let few = labeled("few", &games, Wanted { exact_from: 0, tree: false, depth: None, empties: 20..=24, nearby: 0 });
    assert!(!few.is_empty());
    let expected = all.iter().filter(|position| (20..=24).contains(&position.board.empty_count()));
    for (few, all) in few.iter().zip(expected) {
        assert_eq!((few.board, few.game, few.labels.outcome), (all.board, all.game, all.labels.outcome));
        assert_eq!((few.labels.corrected, few.labels.tree, few.labels.search), (None, None, None));
    }
    // Positions that are left out still contribute to the others.
    for exact_from in [7, 0] {
        let wanted = Wanted { exact_from, ..wanted() };
        let all = labeled("whole", &games, wanted.clone());
        let part = labeled("part", &games, Wanted { empties: 12..=30, ..wanted });
        let expected: Vec<_> = all.into_iter().filter(|p| (12..=30).contains(&p.board.empty_count())).collect();
        assert_eq!(part, expected);
    }
}

#[test]
fn positions_nearby_are_one_other_move_away_from_a_game() {
    let games = games(30, (4, 10), 6, 6);
    let plain = Wanted { tree: false, ..wanted() };
    let alone = labeled("alone", &games, plain.clone());
    let found = labeled("nearby", &games, Wanted { nearby: 2, ..plain });
    // The positions of games keep their labels.
    let in_games: HashMap<Board, &LabeledPosition> = alone.iter().map(|position| (position.board, position)).collect();
    let (of_games, others): (Vec<LabeledPosition>, Vec<LabeledPosition>) =
        found.into_iter().partition(|position| in_games.contains_key(&position.board));
    assert_eq!(of_games, alone);
    // Two of the other moves of every position, if there are as many, except those that lead to positions that occur
    // elsewhere, too, and to the end of the game.
    let mut possible: Vec<HashMap<Board, u32>> = Vec::new();
    let (mut most, mut elsewhere) = (0, 0);
    for game in &games {
        let mut boards = HashMap::new();
        for position in game.game.positions().filter(|position| position.board.empty_count() > 8) {
            let children = squares(position.board.moves()).filter(|square| *square != position.square).map(|square| {
                let board = position.board.play(square).expect("a move");
                if board.must_pass() { board.pass() } else { board }
            });
            let children: Vec<Board> = children.filter(Rules::can_move).collect();
            most += children.len().min(2);
            for child in children {
                elsewhere += usize::from(in_games.contains_key(&child.canonical()));
                *boards.entry(child.canonical()).or_default() += 1;
            }
        }
        possible.push(boards);
    }
    assert!(
        others.len() <= most && others.len() + elsewhere > most * 9 / 10,
        "{} of {most}, {elsewhere}",
        others.len()
    );
    for position in others {
        assert!(possible[position.game as usize].contains_key(&position.board));
        assert_eq!((position.labels.outcome, position.labels.corrected, position.labels.tree), (None, None, None));
        assert_eq!(position.labels.search, Some(plain_minimax(&HandMade, &position.board, 2)));
    }
}

#[test]
fn threads_and_interruptions_change_nothing_in_the_file() {
    let games = games(200, (4, 10), 6, 6);
    let (whole, parts) = (TestFile::new("whole-file"), TestFile::new("parts-file"));
    let wanted = || Wanted { nearby: 1, ..wanted() };
    label(&whole, &games, wanted(), 1, || true);
    let expected = fs::read(&whole).expect("a file");
    let mut rounds = 0;
    loop {
        let mut portions = 0;
        label(&parts, &games, wanted(), 3, || {
            portions += 1;
            portions < 12
        });
        rounds += 1;
        let found = fs::read(&parts).expect("a file");
        assert!(expected.starts_with(&found));
        if found.len() == expected.len() {
            break;
        }
        // An incomplete end is written again.
        let torn = [&found[..], &expected[found.len()..found.len() + 17 * rounds % (expected.len() - found.len())]];
        fs::write(&parts, torn.concat()).expect("a file");
        assert!(rounds < 200);
    }
    assert!(rounds > 3, "{rounds}");
}

fn error(file: &TestFile) -> String {
    let reader = match LabelReader::open(file) {
        Ok(reader) => reader,
        Err(error) => return error.to_string(),
    };
    reader.read(0..=60, |_| ()).expect_err("an error").to_string()
}

#[test]
fn damage_is_detected_anywhere() {
    let games = games(12, (4, 10), 6, 6);
    let file = TestFile::new("damage");
    label(&file, &games, wanted(), 2, || true);
    let whole = fs::read(&file).expect("a file");
    for at in (0..whole.len()).step_by(7).chain(0..200) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&file, changed).expect("a file");
        let found = error(&file);
        let words = ["is damaged after byte ", "is not a store of labeled positions: ", "is not finished: "];
        assert!(words.iter().any(|words| found.contains(words)), "byte {at}: {found}");
        assert!(found.contains("is damaged after byte ") || at < 16 + 8, "byte {at}: {found}");
    }
    for length in (0..whole.len()).step_by(61) {
        fs::write(&file, &whole[..length]).expect("a file");
        assert!(error(&file).contains("is not finished: "), "{length}: {}", error(&file));
    }
    fs::write(&file, [&whole[..], b"x"].concat()).expect("a file");
    assert_contains(error(&file), "data after the last block");
    fs::write(&file, "something else that is longer").expect("a file");
    assert_contains(error(&file), "wrong file header; expected EMILABEL");
    let opened = LabelStore::open(&file, &source(&games)).expect_err("a foreign file");
    assert!(matches!(opened, LearnError::Unusable { problem: FileProblem::NoLabelStore(_), .. }), "{opened}");
    fs::write(&file, &whole).expect("a file");
    let other = LabelSource { tree: false, ..source(&games) };
    let opened = LabelStore::open(&file, &other).expect_err("other labels");
    assert_contains(opened, "holds other labels: tree is true; expected false, or another file");
    let open = LabelStore::open(&file, &source(&games)).expect("a store");
    assert!(open.is_complete());
    let again = LabelStore::open(&file, &source(&games)).expect_err("it is in use");
    assert!(matches!(again, LearnError::Unusable { problem: FileProblem::InUse(_), .. }), "{again}");
}
