//! The file of a match: complete, torn at any byte, of another match, damaged.

use std::fs;
use std::path::{Path, PathBuf};

use arena::{Contest, ContestPlan, GameLine, MatchFile, Opened, Sprt, Terms};
use engine::{Limits, Stop};
use othello::Board;
use storage::checked_line::with_checksum;

use crate::players::{FakeEntrant, Habit, contest, contestant, gist};

fn two_players(pairs: u32) -> Contest<FakeEntrant> {
    contest(["a", "b"].map(|name| contestant(name, Habit::Honest, Limits::default())).to_vec(), pairs)
}

fn terms(contest: &Contest<FakeEntrant>) -> Terms {
    ContestPlan { contest: contest.clone(), recipe: None }.terms()
}

fn path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.jsonl"));
    let _ = fs::remove_file(&path);
    path
}

/// Plays the missing games, and returns the content of the file.
fn play_on(contest: &Contest<FakeEntrant>, path: &Path) -> Vec<GameLine> {
    let Opened { mut file, openings, games, .. } = MatchFile::open::<Board>(path, &terms(contest)).expect("the file");
    if openings.is_none() {
        file.begin(&contest.openings).expect("the first line");
    }
    contest.run(&games, Some(&mut file), &Stop::new(), &mut |_, _| {}).expect("the match");
    drop(file);
    let opened = MatchFile::open::<Board>(path, &terms(contest)).expect("the file");
    assert!(!opened.was_torn);
    assert_eq!(opened.openings.as_ref(), Some(&contest.openings));
    opened.games
}

fn refusal(contest: &Contest<FakeEntrant>, path: &Path) -> String {
    MatchFile::open::<Board>(path, &terms(contest)).expect_err("the file is refused").to_string()
}

#[test]
fn a_file_truncated_at_any_byte_is_completed_with_every_game_once() {
    let contest = two_players(2);
    let path = path("torn");
    let expected = gist(&play_on(&contest, &path));
    let whole = fs::read(&path).expect("the file");
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 5);
    for length in (0..whole.len()).step_by(97).chain(whole.len() - 3..=whole.len()) {
        fs::write(&path, &whole[..length]).expect("the file");
        assert_eq!(gist(&play_on(&contest, &path)), expected, "torn after {length} bytes");
    }
}

#[test]
fn a_wrong_line_is_refused_even_if_it_is_the_last() {
    let contest = two_players(2);
    let path = path("garbage");
    let expected = play_on(&contest, &path);
    let whole = fs::read_to_string(&path).expect("the file");
    fs::write(&path, format!("{whole}\0\0\0\0\n")).expect("the file");
    let sentence = refusal(&contest, &path);
    assert!(sentence.contains("line 6: ") && sentence.contains("expected a game of this match"), "{sentence}");
    // Without a line ending it was not written completely.
    fs::write(&path, format!("{whole}\0\0\0\0")).expect("the file");
    assert!(MatchFile::open::<Board>(&path, &terms(&contest)).expect("the file").was_torn);
    assert_eq!(play_on(&contest, &path), expected);
    let lines: Vec<&str> = whole.lines().collect();
    let with = |line: &str| [lines[0], lines[1], line, lines[3], lines[4]].join("\n") + "\n";
    for (line, words) in [
        ("garbage", "line 3: not a game"),
        (lines[1], "line 3: game 1 occurs twice"),
        (&lines[2].replace("\"game\":2", "\"game\":99"), "line 3: there is no game 99 in a match of 4 games"),
        (&lines[2].replace("\"black\":\"b\"", "\"black\":\"c\""), "line 3: game 2 is between c and a"),
        (&lines[2].replace("B[F5]W[D6]", "B[E6]W[F4]"), "line 3: "),
        (&lines[2].replace("\"score\":", "\"score\":1"), "line 3: game 2 does not end with the score"),
    ] {
        fs::write(&path, with_right_checksums(&with(line))).expect("the file");
        let sentence = refusal(&contest, &path);
        assert!(sentence.contains(words) && sentence.contains("expected a game of this match"), "{sentence}");
    }
}

/// A changed file with the checksums of its changed lines.
fn with_right_checksums(text: &str) -> Vec<u8> {
    let line = |line: &str| match line.rfind(",\"checksum\":\"") {
        // The terms have a checksum of their own; that of a line is the last of its fields.
        Some(end) if end == line.len() - 23 => with_checksum(format!("{}}}", &line[..end]).as_bytes()),
        _ => with_checksum(line.as_bytes()),
    };
    text.lines().flat_map(line).collect()
}

#[test]
fn every_flipped_bit_of_a_line_is_detected() {
    let contest = two_players(1);
    let path = path("flipped");
    play_on(&contest, &path);
    let whole = fs::read(&path).expect("the file");
    let last_line_end = whole.len() - 1;
    for bit in (0..8 * last_line_end).step_by(13) {
        let mut changed = whole.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &changed).expect("the file");
        refusal(&contest, &path);
        assert_eq!(fs::read(&path).expect("the file"), changed, "a file that is refused stays as it was");
    }
}

#[test]
fn a_changed_line_and_a_line_without_checksum_are_refused() {
    let contest = two_players(2);
    let path = path("checksums");
    play_on(&contest, &path);
    let whole = fs::read_to_string(&path).expect("the file");
    fs::write(&path, whole.replacen("\"game\":4,", "\"game\":3,", 1)).expect("the file");
    let sentence = refusal(&contest, &path);
    assert!(sentence.contains("line 5: its checksum is "), "{sentence}");
    let end = whole.rfind(",\"checksum\"").expect("a checksum");
    fs::write(&path, format!("{}}}\n", &whole[..end])).expect("the file");
    let sentence = refusal(&contest, &path);
    assert!(sentence.contains("line 5: the line has no checksum"), "{sentence}");
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let sentence = refusal(&two_players(1), Path::new("/dev/full"));
    assert_eq!(sentence, "cannot use /dev/full: it is not a regular file");
}

#[test]
fn the_file_of_another_match_is_refused_with_the_difference() {
    let contest = two_players(2);
    let path = path("foreign");
    play_on(&contest, &path);
    let whole = fs::read(&path).expect("the file");
    type Change = fn(&mut Contest<FakeEntrant>);
    let changes: [(Change, &str); 9] = [
        (|other| other.contestants[1].name = "c".to_owned(), r#"its players.1.name is "b"; expected "c""#),
        (
            |other| other.contestants[1].player.name = "c".to_owned(),
            r#"its players.1.player.notation is "gtp:b"; expected "gtp:c""#,
        ),
        (
            |other| other.contestants[0].limits = Limits::of_depth(3),
            "its players.0.limits.depth is nothing; expected 3",
        ),
        (|other| other.contestants.push(other.contestants[0].clone()), "its number of players is 2; expected 3"),
        (|other| other.pairs = 1, "its number of games of a pairing is 4; expected 2"),
        (|other| other.seed = 5, "its seed is 1; expected 5, or another file"),
        (|other| other.openings.truncate(4), "its openings.checksum is "),
        (|other| other.patience.grace *= 2, "its patience.grace is 0.01; expected 0.02"),
        (|other| other.sprt = Sprt::new(0.0, 5.0, 0.05, 0.05).ok(), "its sprt is null; expected {\"alpha\":0.05"),
    ];
    for (change, words) in changes {
        let mut other = contest.clone();
        change(&mut other);
        let sentence = refusal(&other, &path);
        assert!(sentence.contains("belongs to another match") && sentence.contains(words), "{sentence}");
    }
    assert_eq!(fs::read(&path).expect("the file"), whole, "a file that is refused stays as it was");
}

#[test]
fn an_extended_match_has_the_games_of_a_match_of_that_length() {
    let (short, long) = (two_players(2), two_players(4));
    let whole = path("whole");
    let expected = gist(&play_on(&long, &whole));
    let path = path("prolonged");
    let before = gist(&play_on(&short, &path));
    for _ in 0..2 {
        let Opened { mut file, openings, pairs, games, .. } =
            MatchFile::open::<Board>(&path, &terms(&long)).expect("the file");
        assert_eq!(openings.as_ref(), Some(&long.openings));
        if pairs < 4 {
            assert_eq!((pairs, gist(&games)), (2, before.clone()));
            file.extend::<Board>(&[]).expect("a longer match");
            file.start().expect("the line that says so");
        }
        drop(file);
        // Torn right after the line that extends it, and at the end.
        assert_eq!(gist(&play_on(&long, &path)), expected);
    }
    let sentence = refusal(&short, &path);
    assert!(sentence.contains("its number of games of a pairing is 8; expected 4"), "{sentence}");
    let text = fs::read_to_string(&path).expect("the file");
    let shorter = text.replace("{\"pairs\":4,", "{\"pairs\":2,");
    fs::write(&path, with_right_checksums(&shorter)).expect("the file");
    let sentence = refusal(&long, &path);
    assert!(sentence.contains("a match of 2 pairs of games is extended to 2"), "{sentence}");
}

#[test]
fn a_file_that_is_not_a_match_is_refused_and_left_unchanged() {
    let contest = two_players(1);
    let path = path("no_match");
    let checked = |json: &str| String::from_utf8(with_checksum(json.as_bytes())).expect("text");
    for (content, words) in [
        ("dear diary\n", "wrong file header; the first line must begin with {\"emilia\":\"match\""),
        ("dear diary", "wrong file header"),
        ("{\"emilia\":\"weights\",\"version\":1}\n", "wrong file header"),
        ("{\"emilia\":\"match\"\n", "its first line is wrong"),
        ("{\"emilia\":\"match\",\"version\":1}\n", "its first line is wrong: the line has no checksum"),
        (&checked("{\"emilia\":\"match\",\"version\":1}"), "its first line is wrong: missing field"),
        (&checked("{\"emilia\":\"match\",\"version\":9}"), "its version is 9; this program reads version 1"),
    ] {
        fs::write(&path, content).expect("the file");
        let sentence = refusal(&contest, &path);
        assert!(sentence.contains("is not a match file") && sentence.contains(words), "{sentence}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), content);
    }
}

#[test]
fn two_processes_cannot_play_into_one_file() {
    let contest = two_players(1);
    let path = path("in_use");
    let [mut first, mut second] =
        [(); 2].map(|()| MatchFile::open::<Board>(&path, &terms(&contest)).expect("a free name").file);
    for file in [&mut first, &mut second] {
        file.begin(&contest.openings).expect("a first line");
    }
    assert!(!path.exists(), "nothing is created before the match starts");
    first.start().expect("a file");
    let in_use = "is in use: another process is playing this match";
    assert!(second.start().expect_err("the name is taken").to_string().contains(in_use));
    assert!(refusal(&contest, &path).contains(in_use));
    drop(first);
    assert_eq!(play_on(&contest, &path).len(), 2);
}
