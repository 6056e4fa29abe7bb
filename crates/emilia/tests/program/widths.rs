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

fn database(folder: &Folder) -> String {
    let games = NAMES.map(|name| game("Ann", name, "Paris", 12) + &game(name, "Ann", "Tokyo", -8));
    folder.write("games.ggf", games.concat())
}

#[test]
fn games_and_results_stand_below_each_other_whatever_the_names() {
    let folder = Folder::new("widths_games");
    let file = database(&folder);
    let text = emilia(&["games", &file]).well();
    for name in &NAMES[..2] {
        let lines: Vec<_> = text.lines().filter(|line| line.contains(name)).collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(end_of("Paris", name, lines[0]), 11 + 22 + 1 + 5 + 2 + 22 + 1 + 5, "{text}");
        assert_eq!(end_of("28-36", name, lines[1]), 11 + 22 + 1 + 5, "{text}");
    }
    let index = folder.path("games.index");
    let player = ["explore", "--player", "Ann", "--games", &file, "--index", &index];
    let text = emilia(&player).well();
    let opponents: Vec<_> = text.lines().skip_while(|line| !line.starts_with("Opponents")).skip(1).collect();
    assert_eq!(opponents.len(), 3, "{text}");
    for line in opponents {
        assert_eq!(end_of("2  ", "", line) - 2, 26 + 8, "{text}");
    }
    assert!(text.contains("為則英司為則英司為則英") && !text.contains(NAMES[2]), "{text}");
}

#[test]
fn an_analysis_and_a_tournament_are_lined_up_whatever_the_names() {
    let folder = Folder::new("widths_analysis");
    let file = database(&folder);
    for number in ["1", "3", "5"] {
        let options = ["--game", number, "--depth", "1", "--exact", "1", "--hash", "1", "--engine", "emilia"];
        let text = emilia(&[&["analyze", &file][..], &options].concat()).well();
        let rows: Vec<_> = text.lines().filter(|line| line.starts_with("B Ann ") || line.starts_with("W ")).collect();
        let [black, white] = rows[..] else { panic!("two sides:\n{text}") };
        assert_eq!((columns(&black[..26]), end_of("     1", "", white)), (26, 26), "{text}");
    }
    let wide = format!("random@name={}", NAMES[0]);
    let arguments = ["tournament", &wide, "random@name=ann", "--games", "4", "--board", "4", "--seed", "1"];
    let text = emilia(&arguments).stdout;
    let ends = [("won-drawn-lost", " player "), ("3-0-1", NAMES[0]), ("1-0-3", " ann ")];
    let [head, first, second] = ends.map(|(word, line)| end_of(word, line, &text));
    assert_eq!((first, second), (head, head), "{text}");
}
