//! Matches between neighbouring weak levels, by which they were tuned.
//!
//! ```text
//! cargo run --release -p engine --example weak_levels -- --games 400
//! cargo run --release -p engine --example weak_levels -- --games 400 --table levels.json
//! ```
//!
//! Level 0 plays a player that takes the most discs, each level plays the one below, and level 5 plays 4.5, from the
//! openings of `data/lab/openings.txt`, both colours of each. `--table` reads other weak levels than those of the program:
//! an array of ten objects. Those that played are printed at the end.

use engine::{Emilia, Form, Level, Limits, Options, Player, Silent, Stop, WeakPlay, WeakPlayer};
use evaluation::EvaluatedBoard;
use othello::{Board, Game, Score};
use records::transcript;

/// Even openings of eight moves.
const OPENINGS: &str = include_str!("../../../data/lab/openings.txt");

/// Kinds of players: the weak level at a place of a table, one that takes the most discs, or Emilia at a level.
#[derive(Clone, Copy)]
enum Side<'a> {
    Weak(&'a [WeakPlay], usize),
    Greedy,
    Strong(Level),
}

/// Takes the most discs, any of those that flip as many.
const GREEDY: WeakPlay = WeakPlay {
    discs: 1.0,
    edges: 0.0,
    corners: 0.0,
    mobility: 0.0,
    learned: 0.0,
    attention: 1.0,
    look_ahead: 1,
    temperature: 0.001,
    solves_from: 0,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let option = |name: &str| arguments.iter().position(|one| one == name).and_then(|at| arguments.get(at + 1));
    let games: u32 = option("--games").map_or(Ok(400), |text| text.parse())?;
    let plays: Vec<WeakPlay> = match option("--table") {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        None => Level::all().filter_map(Level::weak_play).copied().collect(),
    };
    let names: Vec<Level> = Level::all().take(plays.len()).collect();
    let share = score(Side::Weak(&plays, 0), Side::Greedy, games)?;
    println!("{:>3} beats greedy: {:4.1}%", names[0], 100.0 * share);
    for index in 1..plays.len() {
        let share = score(Side::Weak(&plays, index), Side::Weak(&plays, index - 1), games)?;
        println!("{:>3} beats {:>3}: {:5.1}%", names[index], names[index - 1], 100.0 * share);
    }
    let last = plays.len() - 1;
    let share = score(Side::Strong(Level::FIRST_SERIOUS), Side::Weak(&plays, last), games)?;
    println!("{:>3} beats {:>3}: {:5.1}%", Level::FIRST_SERIOUS, names[last], 100.0 * share);
    for play in plays {
        println!("{}", serde_json::to_string(&play)?);
    }
    Ok(())
}

/// The share of points that the first wins against the second.
fn score(one: Side<'_>, other: Side<'_>, games: u32) -> Result<f64, Box<dyn std::error::Error>> {
    let mut points = 0.0;
    for number in 0..games {
        let opening = opening(number as usize / 2)?;
        let is_black = number % 2 == 0;
        let score = play(if is_black { [one, other] } else { [other, one] }, opening, u64::from(number))?;
        let own = if is_black { score } else { -score };
        points += if own > Score::DRAW {
            1.0
        } else if own == Score::DRAW {
            0.5
        } else {
            0.0
        };
    }
    Ok(points / f64::from(games))
}

/// An even opening, again and again in their order.
fn opening(number: usize) -> Result<Game, Box<dyn std::error::Error>> {
    let lines: Vec<&str> = OPENINGS.lines().collect();
    Ok(transcript::parse(lines[number % lines.len()])?)
}

fn play(sides: [Side<'_>; 2], mut game: Game, seed: u64) -> Result<Score, Box<dyn std::error::Error>> {
    let evaluation = Board::shipped();
    let mut emilia = Emilia::<Board>::new(&Options { table_megabytes: 1, ..Options::default() })?;
    let forms = [0, 1].map(|turn| Form::of(2 * seed + turn, 0));
    while !game.is_over() {
        let turn = game.position().turn as usize;
        let square = match sides[turn] {
            Side::Weak(..) | Side::Greedy => {
                let play = match sides[turn] {
                    Side::Weak(plays, place) => plays[forms[turn].applied_to(place).min(plays.len() - 1)],
                    _ => GREEDY,
                };
                let mut player = WeakPlayer::new(play, &evaluation, 2 * seed + turn as u64);
                player.choose(&game.position().board, game.moves().last().copied(), None).map(|choice| choice.square)
            }
            Side::Strong(level) => {
                let limits = Limits { level: Some(level), ..Limits::default() };
                Some(emilia.choose(&game, &limits, &mut Silent, &Stop::new())?.square)
            }
        };
        game.play(square.ok_or("a weak level without a move")?)?;
    }
    Ok(game.score().ok_or("a game without an end")?)
}
