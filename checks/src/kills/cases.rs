//! The commands that write files, with old outputs where they can replace them.

use std::path::PathBuf;

use super::reading::{Expected, Reading};

/// A command that is killed.
pub(crate) struct Case {
    /// Name in the report; also that of its folder.
    pub(crate) name: &'static str,
    /// The commands that make the old outputs.
    pub(crate) before: Vec<String>,
    /// The command itself.
    pub(crate) command: String,
    /// Standard input of the command.
    pub(crate) input: &'static str,
    /// The outputs that are the old ones or the new ones at every moment.
    pub(crate) whole: Vec<Expected>,
    /// Outputs that are the same at the end as without a kill.
    pub(crate) results: Vec<Expected>,
    /// Whether a run goes on with what the one before has left.
    pub(crate) resumes: bool,
}

impl Case {
    /// Whether it changes an opening book.
    pub(crate) fn changes_book(&self) -> bool {
        self.results.iter().any(|expected| expected.reading == Reading::Book)
    }
}

fn expected(paths: &[&str], reading: Reading) -> Vec<Expected> {
    paths.iter().map(|path| Expected { path: PathBuf::from(path), reading }).collect()
}

/// A command that replaces the outputs of another one.
fn replaces(name: &'static str, before: &str, command: &str, paths: &[&str], reading: Reading) -> Case {
    let before = if before.is_empty() { Vec::new() } else { vec![before.to_owned()] };
    let [whole, results] = [(); 2].map(|()| expected(paths, reading));
    Case { name, before, command: command.to_owned(), input: "", whole, results, resumes: false }
}

/// A command that resumes from its own outputs.
fn resumes(name: &'static str, command: &str, paths: &[&str], reading: Reading) -> Case {
    let results = expected(paths, reading);
    Case { name, before: Vec::new(), command: command.to_owned(), input: "", whole: Vec::new(), results, resumes: true }
}

/// A command that changes the opening book `out/my.book`, and resumes.
fn changes_book(name: &'static str, before: &str, command: &str) -> Case {
    let before = if before.is_empty() { Vec::new() } else { vec![before.to_owned()] };
    Case { before, ..resumes(name, command, &["out/my.book"], Reading::Book) }
}

/// All cases. Their paths are relative to their folder, where outputs are in `out/` and what all of them read is in
/// `../in/`.
pub(crate) fn all() -> Vec<Case> {
    const CYCLE: &str = "learn cycle --folder out/cycle --generations 2 --games-per-generation 60 --depth 1 --exact-from 6 \
                         --steps 2 --recent 2 --label-depth 1 --probcut-games 3 --probcut-deepest 3 --probcut-solved-from 10 \
                         --match-games 12 --match-min 4";
    const CYCLE_FILES: [&str; 5] = [
        "out/cycle/log.jsonl",
        "out/cycle/generation-00/games.store",
        "out/cycle/generation-00/weights.bin",
        "out/cycle/generation-01/positions.labels",
        "out/cycle/generation-01/weights.bin",
    ];
    const QUICK: &str = "--depth 1 --hash 1 --threads 1 --weights hand-made --json";
    let build = format!("book build out/my.book --positions 60 {QUICK}");
    let convert = |name, path: &str, reading| {
        let [old, new] = ["old", "new"].map(|games| format!("convert ../in/{games}.ggf {path}"));
        replaces(name, &old, &new, &[path], reading)
    };
    vec![
        convert("convert to .txt", "out/games.txt", Reading::Bytes),
        convert("convert to .obf", "out/games.obf", Reading::Bytes),
        convert("convert to .ggf", "out/games.ggf", Reading::Bytes),
        convert("convert to .sgf", "out/games.sgf", Reading::Bytes),
        convert("convert to Thor", "out/games.wtb", Reading::Games),
        replaces(
            "games --output",
            "games ../in/old.ggf --output out/games.ggf",
            "games ../in/new.ggf ../in/old.ggf --player 1 --output out/games.ggf",
            &["out/games.ggf"],
            Reading::Bytes,
        ),
        replaces(
            "games --output, Thor",
            "games ../in/old.ggf --output out/games.wtb",
            "games ../in/new.ggf --player 1 --output out/games.wtb",
            &["out/games.wtb"],
            Reading::Games,
        ),
        replaces(
            "show --svg",
            "show f5 --svg out/board.svg",
            "show ../in/new.ggf --game 900 --svg out/board.svg",
            &["out/board.svg"],
            Reading::Bytes,
        ),
        replaces(
            "analyze --html",
            "analyze f5d6c3d3c4 --level 1 --html out/report.html",
            "analyze f5d6c3d3c4f4c5b3c2e3d2c6b4a3 f5f6e6f4e3 --level 2 --html out/report.html",
            &["out/report.html"],
            Reading::Bytes,
        ),
        Case {
            input: "f5\nsave out/game.wtb\nyes\nsave out/game.ggf\nquit\n",
            ..replaces(
                "play, save",
                "convert ../in/old.ggf out/game.wtb",
                "play --lines --engine random --seed 3",
                &["out/game.wtb", "out/game.ggf"],
                Reading::Games,
            )
        },
        replaces(
            "match --records",
            "match random maximum-disc --games 8 --openings ../in/openings.txt --records out/games.ggf",
            "match random minimum-disc --games 60 --openings ../in/openings.txt --records out/games.ggf",
            &["out/games.ggf"],
            Reading::Games,
        ),
        replaces(
            "match --results",
            "match random maximum-disc --games 8 --openings ../in/openings.txt --results out/page.md --section Old",
            "match random minimum-disc --games 60 --openings ../in/openings.txt --results out/page.md --section New",
            &["out/page.md"],
            Reading::Bytes,
        ),
        resumes(
            "match --file",
            "match weighted-square random --games 160 --openings ../in/openings.txt --concurrency 2 --file out/match.jsonl",
            &["out/match.jsonl"],
            Reading::MatchFile,
        ),
        resumes(
            "tournament --file",
            "tournament random maximum-disc weighted-square --games 40 --openings ../in/openings.txt --file out/match.jsonl",
            &["out/match.jsonl"],
            Reading::MatchFile,
        ),
        resumes(
            "learn play",
            "learn play --output out/games.store --games 4000 --depth 1 --exact-from 6 --weights hand-made --threads 2",
            &["out/games.store"],
            Reading::Bytes,
        ),
        resumes(
            "learn label",
            "learn label --output out/games.labels --weights hand-made --depth 2 --exact-from 8 --threads 2 --first 200 ../in/games.store",
            &["out/games.labels"],
            Reading::Bytes,
        ),
        Case {
            before: vec!["learn train --output out/weights.bin --steps 1 --first 100 ../in/games.store".to_owned()],
            whole: expected(&["out/weights.bin"], Reading::Bytes),
            ..resumes(
                "learn train",
                "learn train --output out/weights.bin --steps 1 --first 150 ../in/games.store",
                &["out/weights.bin"],
                Reading::Bytes,
            )
        },
        replaces(
            "learn merge",
            "",
            "learn merge --output out/merged.store ../in/games.store ../in/new.ggf",
            &["out/merged.store"],
            Reading::Bytes,
        ),
        resumes(
            "learn problems",
            "learn problems --output out/problems.obf --empties 10-12 --count 60 --held-out 2 --weights hand-made ../in/games.store",
            &["out/problems.obf"],
            Reading::Bytes,
        ),
        replaces(
            "learn probcut",
            "learn train --output out/weights.bin --steps 1 --first 100 ../in/games.store",
            "learn probcut --weights out/weights.bin --games 300 --deepest 3 --solved-from 12",
            &["out/weights.bin"],
            Reading::Bytes,
        ),
        replaces(
            "learn curve",
            "learn curve --log ../in/log.jsonl --plot out/curve.svg --table out/curve.md",
            "learn curve --log ../in/longer-log.jsonl --plot out/curve.svg --table out/curve.md",
            &["out/curve.svg", "out/curve.md"],
            Reading::Bytes,
        ),
        replaces(
            "learn program iago",
            "learn program iago --set games=50 --output out/iago.tables ../in/games.store",
            "learn program iago --set games=300 --output out/iago.tables ../in/games.store",
            &["out/iago.tables"],
            Reading::Bytes,
        ),
        replaces(
            "learn program bill",
            "learn program bill --set games=20 --set depth=1 --set every=1 --output out/bill.tables ../in/games.store",
            "learn program bill --set games=40 --set depth=1 --set every=1 --output out/bill.tables ../in/games.store",
            &["out/bill.tables"],
            Reading::Bytes,
        ),
        replaces(
            "learn program logistello",
            "learn program logistello --set first=200 --set searches=10 --output out/logistello.tables ../in/games.store",
            "learn program logistello --set first=300 --set searches=10 --output out/logistello.tables ../in/games.store",
            &["out/logistello.tables"],
            Reading::Bytes,
        ),
        replaces(
            "learn program keyano",
            "learn program keyano --set every=20 --set searched=10 --output out/keyano.tables ../in/games.store",
            "learn program keyano --set every=10 --set searched=10 --output out/keyano.tables ../in/games.store",
            &["out/keyano.tables"],
            Reading::Bytes,
        ),
        replaces(
            "learn program desdemona",
            "learn program desdemona --set board=8 --set random-games=5 --set games=1 --output out/desdemona.tables",
            "learn program desdemona --set board=8 --set random-games=10 --set games=1 --output out/desdemona.tables",
            &["out/desdemona.tables"],
            Reading::Bytes,
        ),
        replaces(
            "learn inspect --plots",
            "learn inspect --held-out 5 --plots out ../in/games.store",
            "learn inspect --plots out ../in/games.store",
            &["out/error_by_phase.svg", "out/values_and_scores.svg", "out/winning.svg"],
            Reading::Bytes,
        ),
        replaces(
            "learn winning",
            "learn winning --weights hand-made --held-out 5 --output out/scales.rs ../in/games.store",
            "learn winning --weights hand-made --output out/scales.rs ../in/games.store",
            &["out/scales.rs"],
            Reading::Bytes,
        ),
        replaces(
            "learn handmade",
            "learn handmade --games 30 --output out/handmade.rs",
            "learn handmade --games 60 --output out/handmade.rs",
            &["out/handmade.rs"],
            Reading::Bytes,
        ),
        replaces(
            "learn ordering",
            "learn ordering --games 20 --output out/ordering.bin",
            "learn ordering --games 40 --output out/ordering.bin",
            &["out/ordering.bin"],
            Reading::Bytes,
        ),
        changes_book("book build", "", &build),
        changes_book("book build, games", "", &format!("book build out/my.book ../in/few.ggf --plies 8 {QUICK}")),
        changes_book("book extend", &build, &build.replace("build", "extend").replace("60", "120")),
        // A game that is learned again is counted again.
        Case {
            resumes: false,
            ..changes_book("book learn", &build, &format!("book learn out/my.book ../in/few.ggf --plies 8 {QUICK}"))
        },
        changes_book("book import, JSON", "", "book import out/my.book ../in/positions.jsonl"),
        changes_book("book import, Edax", "", "book import out/my.book ../in/positions.dat"),
        changes_book("book import, games", "", "book import out/my.book ../in/openings.txt --json"),
        changes_book("book merge", &build, "book merge out/my.book ../in/positions.book keyano"),
        changes_book(
            "book prune",
            "book merge out/my.book ../in/positions.book keyano",
            "book prune out/my.book --discs 14",
        ),
        resumes("learn cycle", CYCLE, &CYCLE_FILES, Reading::Bytes),
        replaces(
            "lab run --output",
            "lab run logistello-edges --quick --seed 2 --output out/lab",
            "lab run logistello-edges iago-stability --quick --output out/lab",
            &["out/lab/README.md", "out/lab/logistello-edges.md", "out/lab/iago-stability.md"],
            Reading::Bytes,
        ),
    ]
}
