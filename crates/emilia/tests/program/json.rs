//! Output with `--json`, read with the types of the libraries: one shape everywhere, none that is only printed.

use arena::{GameLine, MatchSummary, TournamentSummary};
use engine::analysis::{GameAnalysis, PerfectPlay, SideSummary};
use engine::{Choice, Estimate, Origin, Progress, json};
use laboratory::Report;
use learning::merging;
use othello::json::{MoveSequence, SquareName};
use othello::{Board, Color, CutBoard, Game, Position, Rules, Score, SmallBoard, squares};
use records::GameHead;
use report::analysis::GameReport;
use serde::Deserialize;

use crate::run::{Folder, PAPER, json, read, well};

/// The lines that a command prints.
fn lines(line: &str) -> Vec<String> {
    well(&format!("{line} --json")).lines().map(str::to_owned).collect()
}

/// The position of an object.
#[derive(Deserialize)]
#[serde(bound = "")]
struct At<B: Rules = Board> {
    position: Position<B>,
}

/// Whether moves can be played one after the other.
fn is_playable<B: Rules>(start: Position<B>, line: &MoveSequence<B>) -> bool {
    let mut game = Game::from_position(start);
    line.squares.iter().all(|&square| game.play(square).is_ok())
}

#[test]
fn hint_prints_reports_of_a_search() {
    for line in lines("hint f5d6c3d3c4 --depth 5 --book off") {
        let (at, report): (At, json::Progress) = (read(&line), read(&line));
        assert!(is_playable(at.position, &report.line), "{line}");
        assert_eq!(report.square.map(|name| name.square), report.line.squares.first().copied());
        let progress = Progress::from(report.clone());
        assert!(matches!(progress.value, Some(Estimate::Discs { .. })) && progress.depth == 5, "{line}");
        assert_eq!(json::Progress::from(progress), report);
    }
    for line in lines("hint f5d6c3d3c4 --depth 5") {
        let (at, report): (At, json::Progress) = (read(&line), read(&line));
        assert!(is_playable(at.position, &report.line), "{line}");
        let progress = Progress::from(report.clone());
        assert_eq!((progress.origin(), json::Progress::from(progress)), (report.origin, report));
    }
    let rows = lines("hint start --board 4 --level 60");
    let best: json::Progress<SmallBoard<4>> = read(&rows[0]);
    assert_eq!(best.origin, Some(Origin::Exact));
    assert_eq!(best.value, Some(Estimate::Solved(Score::new(-10))));
}

#[test]
fn solve_prints_values_that_are_proven() {
    #[derive(Deserialize)]
    struct Solved {
        #[serde(rename = "move")]
        square: Option<SquareName<SmallBoard<4>>>,
        value: Estimate,
        line: MoveSequence<SmallBoard<4>>,
        stated: Option<Score>,
        #[serde(default)]
        all_moves: Vec<Solved>,
    }
    let rows = lines("solve --board 4 start --all-moves");
    let (at, solved): (At<SmallBoard<4>>, Solved) = (read(&rows[0]), read(&rows[0]));
    assert_eq!((solved.value, solved.stated), (Estimate::Solved(Score::new(-10)), None));
    assert_eq!(solved.square.map(|name| name.square), solved.line.squares.first().copied());
    assert_eq!(solved.all_moves.len(), 4);
    assert!(solved.all_moves.iter().all(|answer| is_playable(at.position, &answer.line)));
}

#[test]
fn play_and_bench_print_choices() {
    fn check<B: Rules>(board: &str) {
        let rows = lines(&format!("play --against random --seed 5 --board {board}"));
        let (result, moves) = rows.split_last().expect("there are rows");
        let mut game = Game::<B>::default();
        for row in moves {
            assert_eq!(read::<Color>(&json(row)["color"].to_string()), game.position().turn);
            let choice: json::Choice<B> = read(row);
            game.play(choice.square.square).expect("a legal move");
            assert_eq!(json::Choice::from(Choice::from(choice.clone())), choice);
        }
        let result = json(result);
        assert_eq!(read::<MoveSequence<B>>(&result["moves"].to_string()).squares, game.moves());
        assert_eq!(Some(read::<Score>(&result["score"].to_string())), game.score());
    }
    check::<SmallBoard<6>>("6");
    check::<SmallBoard<4>>("4");
    check::<CutBoard>("cs221");
    for row in lines("bench").iter().take(20) {
        let (at, choice): (At, json::Choice) = (read(row), read(row));
        assert!(is_playable(at.position, &choice.line) && choice.value.is_some(), "{row}");
    }
}

#[test]
fn eval_prints_a_value_of_every_kind() {
    for (engine, of_kind) in [
        ("emilia", (|value| matches!(value, Estimate::Discs { .. })) as fn(Estimate) -> bool),
        ("iago", |value| matches!(value, Estimate::Points(_))),
        ("logistello", |value| matches!(value, Estimate::Chance { .. })),
        ("keyano", |value| matches!(value, Estimate::Discs { .. })),
    ] {
        let rows = lines(&format!("eval f5d6c3d3c4f4 --engine {engine}"));
        let row = json(&rows[0]);
        assert!(of_kind(read(&row["value"].to_string())), "{engine}: {row}");
        assert_eq!(row["engine"], engine);
        read::<At>(&rows[0]);
    }
}

#[test]
fn analyze_prints_games_that_can_be_summed_up_again() {
    let rows = lines(&format!("analyze {PAPER} --depth 3 --exact 10 --hash 1 --perspective mover"));
    assert_eq!(rows.len(), 7);
    for row in rows {
        let report: GameReport = read(&row);
        assert!(is_playable(report.start, &report.moves) && report.complete);
        let moves = report.analysis.iter().cloned().map(Into::into).collect();
        let analysis = GameAnalysis::<Board>::new(moves);
        let summary: [SideSummary; 2] = [Color::Black, Color::White].map(|color| analysis.summary(color));
        let perfect: Option<PerfectPlay> = analysis.perfect_play();
        assert_eq!((summary, perfect), (report.summary, report.perfect_play));
        // What follows from other keys is what it was.
        let again: Vec<json::JudgedMove> = analysis.moves.into_iter().map(Into::into).collect();
        assert_eq!(again, report.analysis);
    }
}

#[test]
fn show_and_games_print_records_in_one_shape() {
    let shown = &lines(&format!("show {PAPER} --game 6 --move 49"))[0];
    let row = json(shown);
    let (at, head): (At, GameHead) = (read(shown), read(shown));
    let legal: Vec<SquareName> = read(&row["legal_moves"].to_string());
    assert!(legal.iter().map(|name| name.square).eq(squares(at.position.board.moves())));
    assert_eq!(read::<Color>(&row["turn"].to_string()), at.position.turn);
    let moves: MoveSequence = read(&row["moves"].to_string());
    assert_eq!(moves.squares.len(), 49);
    let games = lines(&format!("games {PAPER}"));
    let listed = games.iter().find(|row| read::<GameHead>(row) == head).expect("the same game");
    let all: MoveSequence = read(&json(listed)["moves"].to_string());
    assert!(all.squares.starts_with(&moves.squares) && all.squares.len() == 60);
    assert!(read::<Score>(&json(listed)["score"].to_string()) > Score::DRAW);
    // Nothing is left out because a record does not say it.
    assert_eq!(read::<GameHead>(&lines("show f5")[0]), GameHead::default());
}

#[test]
fn matches_tournaments_and_openings_are_data() {
    let options = "--games 2 --judge-depth 1 --plies 4";
    let rows = lines(&format!("match random maximum-disc@depth=1 {options}"));
    assert_eq!(rows.len(), 3);
    let game: GameLine = read(&rows[0]);
    assert_eq!((game.game, serde_json::to_string(&game).expect("JSON")), (1, rows[0].clone()));
    let summary: MatchSummary = read(&rows[2]);
    assert_eq!(serde_json::to_string(&summary).expect("JSON"), rows[2]);
    assert_eq!((&json(&rows[2])["result"], &json(&rows[2])["games"]), (&"match".into(), &2.into()));
    let rows = lines(&format!("tournament random maximum-disc@depth=1 minimum-disc@depth=1 {options}"));
    let summary: TournamentSummary = read(rows.last().expect("a summary"));
    assert_eq!(serde_json::to_string(&summary).expect("JSON"), rows[rows.len() - 1]);
    for row in lines("openings --count 3 --plies 6 --judge-depth 2") {
        let row = json(&row);
        assert!(is_playable(Position::<Board>::start(), &read(&row["moves"].to_string())), "{row}");
        assert!(matches!(read(&row["value"].to_string()), Estimate::Discs { .. }), "{row}");
        assert_eq!(read::<Color>(&row["turn"].to_string()), Color::Black);
    }
}

#[test]
fn experiments_and_merged_stores_are_data() {
    let rows = lines("lab run iago-stability --quick");
    let report: Report = read(&rows[0]);
    assert_eq!(report.name, "iago-stability");
    assert_eq!(serde_json::to_string(&report).expect("JSON"), rows[0]);
    let folder = Folder::new("json_merge");
    let row = folder.well(&format!("learn merge --output all.store {PAPER} --json"));
    let summary: merging::Summary = read(&row);
    assert_eq!(serde_json::to_string(&summary).expect("JSON"), row.trim_end());
    assert!(summary.games + summary.unfinished + summary.other_starts >= 7, "{summary:?}");
}

#[test]
fn lists_and_counts_have_the_keys_that_are_documented() {
    /// The keys of an object, in alphabetical order.
    fn keys(line: &str) -> String {
        json(line).as_object().expect("an object").keys().cloned().collect::<Vec<_>>().join(" ")
    }
    assert_eq!(keys(&lines("engines")[0]), "description name settings");
    let expected = "depth description endgame_seconds ends level midgame_seconds selectivity weak_play";
    assert_eq!(keys(&lines("engines --levels")[21]), expected);
    assert_eq!(keys(&lines("perft 1")[1]), "board depth kernels leaves leaves_per_second pass seconds");
    assert_eq!(keys(&lines(&format!("games {PAPER} --count"))[0]), "count");
    assert_eq!(keys(&lines("lab list")[0]), "description name source");
    let folder = Folder::new("json_convert");
    let row = folder.well(&format!("convert {PAPER} games.sgf --json"));
    assert_eq!(keys(&row), "bad converted misfits");
}
