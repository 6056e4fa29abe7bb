//! Measures the time to make an index of games, to open it, and to query it: `cargo run --release -p book --example
//! explorer_cost -- THOR_FOLDER`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use book::explorer::{Filter, Index, IndexError, Sources};
use othello::{Board, Game};
use records::filter::Needle;
use records::{opening_names, transcript};

/// Number of measurements of each figure; the shortest time counts.
const TIMES: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).map(PathBuf::from).ok_or("expected a folder of games")?;
    let file = env::temp_dir().join(format!("explorer-cost-{}.index", std::process::id()));
    let start = Instant::now();
    let sources = Sources::of(&[folder], None)?;
    let bytes = sources.build(|_| ());
    println!("made in {:.2} s: {} bytes", start.elapsed().as_secs_f64(), bytes.len());
    let start = Instant::now();
    storage::whole_file::replace(&file, &bytes)?;
    println!("written in {:.2} s", start.elapsed().as_secs_f64());
    let measured = measure(&file, &sources);
    fs::remove_file(&file)?;
    measured
}

fn measure(file: &Path, sources: &Sources) -> Result<(), Box<dyn Error>> {
    let (opened, index) = fastest(|| Index::open(file))?;
    let (compared, is_current) = fastest(|| Ok::<_, IndexError>(*index.sources() == sources.fingerprint()))?;
    let (games, players) = (index.game_count(), index.player_count());
    println!("opened in {:.2} ms: {games} games, {players} players", milliseconds(opened));
    println!("compared with its sources in {:.2} ms (the same: {is_current})", milliseconds(compared));
    let mut questions = vec![("the starting position", Game::new())];
    for opening in opening_names::all() {
        questions.push((opening.name, transcript::parse::<Board>(opening.moves)?));
    }
    let player = Filter { players: vec![Needle::new("tamenori")], ..Filter::default() };
    for (what, filter) in [("all games", &Filter::default()), ("with a filter", &player)] {
        let mut times = Vec::new();
        for (name, game) in &questions {
            let (time, answer) = fastest(|| index.ask(&game.position(), filter))?;
            times.push((time, *name, answer.tally.games));
        }
        let mean = times.iter().map(|(time, ..)| *time).sum::<Duration>() / times.len() as u32;
        if let Some((slowest, name, games)) = times.iter().max() {
            let [mean, slowest] = [mean, *slowest].map(milliseconds);
            println!("{what}: mean {mean:.2} ms, slowest {slowest:.2} ms ({name}, {games} games)");
        }
    }
    let (time, found) = fastest(|| Ok::<_, IndexError>(index.player(&player)))?;
    println!("a player: {:.2} ms ({} games)", milliseconds(time), found.black.games + found.white.games);
    Ok(())
}

/// The least time of several runs, so that other programs do not matter, and the result.
fn fastest<T, E>(mut run: impl FnMut() -> Result<T, E>) -> Result<(Duration, T), E> {
    let mut timed = || {
        let start = Instant::now();
        run().map(|result| (start.elapsed(), result))
    };
    let mut best = timed()?;
    for _ in 1..TIMES {
        let again = timed()?;
        if again.0 < best.0 {
            best = again;
        }
    }
    Ok(best)
}

fn milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}
