//! Tables with names whose characters are wide, or combine with others.

use crate::run::{Folder, emilia};

/// The columns of a text on a terminal, for the characters of these tests alone.
fn columns(text: &str) -> usize {
    let width = |symbol| match symbol {
        '\u{300}'..='\u{36f}' => 0,
        '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' => 2,
        _ => 1,
    };
    text.chars().map(width).sum()
}

/// The column in which a word ends, in the only line that contains another.
#[track_caller]
fn end_of(word: &str, line_with: &str, text: &str) -> usize {
    let line = text.lines().find(|line| line.contains(line_with)).unwrap_or_else(|| panic!("{line_with} is in {text}"));
    let index = line.find(word).unwrap_or_else(|| panic!("{word} is in {line}"));
    columns(&line[..index + word.len()])
}

fn game(black: &str, white: &str, event: &str, score: i32) -> String {
    format!(
        "(;GM[Othello]PC[Here]EV[{event}]DT[1993]PB[{black}]PW[{white}]RE[{score:+}]TY[8]\
         BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)\n"
    )
}

/// A name of wide characters, one with an accent of its own, and one that is longer than its column.
const NAMES: [&str; 3] = ["村上健", "Z\u{30c}ofie", "為則英司為則英司為則英司為則英司"];

/// A folder with games of these players.
fn folder_with_games(test: &str) -> Folder {
    let folder = Folder::new(test);
    let games = NAMES.map(|name| game("Ann", name, "Paris", 12) + &game(name, "Ann", "Tokyo", -8));
    folder.write("games.ggf", games.concat());
    folder
}

#[test]
fn games_and_results_stand_below_each_other_whatever_the_names() {
    let folder = folder_with_games("widths_games");
    let text = folder.well("games games.ggf");
    for name in &NAMES[..2] {
        let lines: Vec<_> = text.lines().filter(|line| line.contains(name)).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(end_of("Paris", name, lines[0]), 11 + 22 + 1 + 5 + 2 + 22 + 1 + 5, "{text}");
        assert_eq!(end_of("28-36", name, lines[1]), 11 + 22 + 1 + 5, "{text}");
    }
    let text = folder.well("explore --player Ann --games games.ggf --index games.index");
    let opponents: Vec<_> = text.lines().skip_while(|line| !line.starts_with("Opponents")).skip(1).collect();
    assert_eq!(opponents.len(), 3, "{text}");
    for line in opponents {
        assert_eq!(end_of("2  ", "", line) - 2, 26 + 8, "{text}");
    }
    assert!(text.contains("為則英司為則英司為則英") && !text.contains(NAMES[2]), "{text}");
}

#[test]
fn an_analysis_and_a_tournament_are_lined_up_whatever_the_names() {
    let folder = folder_with_games("widths_analysis");
    for number in [1, 3, 5] {
        let options = "--depth 1 --exact 1 --hash 1 --engine emilia";
        let text = folder.well(&format!("analyze games.ggf --game {number} {options}"));
        let rows: Vec<_> = text.lines().filter(|line| line.starts_with("B Ann ") || line.starts_with("W ")).collect();
        let [black, white] = rows[..] else { panic!("two sides:\n{text}") };
        assert_eq!((columns(&black[..26]), end_of("     1", "", white)), (26, 26), "{text}");
    }
    let players = format!("random@name={} random@name=ann", NAMES[0]);
    let text = emilia(&format!("tournament {players} --games 4 --board 4 --seed 1")).stdout;
    let ends = [("won-drawn-lost", " player "), ("3-0-1", NAMES[0]), ("1-0-3", " ann ")];
    let [head, first, second] = ends.map(|(word, line)| end_of(word, line, &text));
    assert_eq!((first, second), (head, head), "{text}");
}
