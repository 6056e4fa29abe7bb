//! try
use evaluation::HandMade;
use othello::{Board, Rules};
use search::{Control, Iteration, Searcher, Selectivity, Table};

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let (mut total, mut seconds) = (0, 0.0);
    let threads = std::env::var("T").map_or(1, |t| t.parse().unwrap());
    let searcher = Searcher::new(HandMade, Table::new(256).unwrap(), threads);
    let limit: usize = std::env::args().nth(2).map_or(99, |s| s.parse().unwrap());
    for line in text.lines().filter(|line| line.len() > 66).take(limit) {
        let (mut x, mut o) = (0u64, 0u64);
        for (i, c) in line.bytes().take(64).enumerate() {
            match c {
                b'X' | b'x' | b'*' => x |= 1 << i,
                b'O' | b'o' => o |= 1 << i,
                _ => {}
            }
        }
        let white = line.as_bytes()[65] == b'O';
        let board = if white { Board::new(o, x) } else { Board::new(x, o) };
        let best = line
            .split(';')
            .filter_map(|p| p.trim().split_once(':'))
            .filter_map(|(_, s)| s.trim().parse::<i32>().ok())
            .max()
            .unwrap();
        let start = std::time::Instant::now();
        let report = if std::env::var("TRACE").is_ok() {
            let n = board.empty_count();
            searcher.search(&board, &Default::default(), &Control::new(), &mut |r| {
                let l = r.last().unwrap();
                println!(
                    "   d{} {} {} {:?} {:.2}s {}kn",
                    l.iteration.depth,
                    l.iteration.selectivity,
                    l.lines[0].value,
                    l.lines[0].moves.len(),
                    l.elapsed.as_secs_f64(),
                    l.nodes / 1000
                );
                let i = search::solving(n, r);
                i
            })
        } else {
            searcher.solve(&board, &Control::new())
        };
        let score = report.lines[0].value.parts() / 128;
        let nodes = report.nodes;
        let _ = (Iteration { depth: 1, selectivity: Selectivity::EXACT }, 0);
        let t = start.elapsed().as_secs_f64();
        println!(
            "{} empties {score} ({best}) {:.2}s {} Mn {:.1} Mn/s {}",
            board.empty_count(),
            t,
            nodes / 1_000_000,
            nodes as f64 / t / 1e6,
            if score == best { "" } else { "WRONG" }
        );
        total += nodes;
        seconds += t;
        let _ = board.moves();
        let mut b = board;
        let mut turn = 1;
        for &m in &report.lines[0].moves {
            if b.must_pass() {
                b = b.pass();
                turn = -turn;
            }
            b = b.play(m).unwrap();
            turn = -turn;
        }
        assert!(b.is_over());
        assert_eq!(b.final_score().discs() * turn, score);
    }
    println!("{} Mn {seconds:.2}s {:.1} Mn/s", total / 1_000_000, total as f64 / seconds / 1e6);
}
