//! Gain of LOGISTELLO's tables from games of its own, played out of its opening book, and from distinguishing the side to
//! move: Buro 1997, Introduction and "Patterns".

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::learning::{COLUMNS, Learned, Recipe, Separation, learn};
use crate::player::tables::PatternValues;
use crate::player::{Form, Logistello, LogistelloPlayer, LogistelloSettings, Tables};
use arena::Contestant;
use book::{BookError, Destination};
use engine::{Limits, Options, Player, Silent, Stop};
use jobs::ordered_work::in_order;
use learning::labeling::GameToLabel;
use learning::played_game::PlayedGame;
use othello::json::MoveSequence;
use othello::random::Random;
use othello::{Board, Game, Position, Rules, Square, squares};
use players::opening_book::OpeningBook;
use serde::{Deserialize, Serialize};
use storage::checksum::crc32;

use super::player_error;
use laboratory::duel::{elo, result};
use laboratory::games::EXACT_FROM;
use laboratory::made_player::MadePlayer;
use laboratory::{ExperimentError, Report, Setup, Table};

pub(crate) const NAME: &str = "logistello-own-games";

/// The scale of the experiment.
#[derive(Clone, Copy)]
struct Scale {
    /// Games of Emilia to begin with: the paper has 60,000 of KITTY and LOGISTELLO.
    games: usize,
    /// Games of its own, and their nodes per move: the paper has 20,000.
    own: usize,
    own_nodes: u64,
    /// Positions that the deviations of ProbCut are measured on.
    searches: usize,
    /// The matches.
    pairs: u32,
    nodes: u64,
}

const FULL: Scale = Scale { games: 9000, own: 10_000, own_nodes: 1000, searches: 100, pairs: 100, nodes: 5000 };
const QUICK: Scale = Scale { games: 900, own: 300, own_nodes: 500, searches: 20, pairs: 20, nodes: 1000 };

/// Number of its own games that are played before they are kept.
const PART: usize = 250;

/// A game as it is kept: its moves, and how many of them are its opening.
type KeptGame = (MoveSequence, usize);

/// The hash table of a player, in MB.
const TABLE: usize = 2;

/// Runs the experiment.
pub(crate) fn run(setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
    at_scale(setup, if setup.is_quick { QUICK } else { FULL })
}

fn at_scale(setup: &mut Setup<'_>, scale: Scale) -> Result<Report, ExperimentError> {
    let to_label = |games: Vec<PlayedGame>, exact_from: u8| -> Vec<GameToLabel> {
        games.into_iter().map(|game| GameToLabel { game, exact_from }).collect()
    };
    let mut emilias = to_label(setup.games(scale.games + scale.own)?, EXACT_FROM as u8);
    let more_of_emilia = emilias.split_off(scale.games);
    let base = trained(setup, scale, "the first games", &emilias, false)?;
    let (own, openings) = own_games(setup, scale, &base.tables)?;
    let own = to_label(own, 0);
    let with = |more: &[GameToLabel]| [&emilias[..], more].concat();
    let with_own = trained(setup, scale, "games of its own", &with(&own), false)?;
    let with_more = trained(setup, scale, "more games of Emilia", &with(&more_of_emilia), false)?;
    let for_sides = trained(setup, scale, "the side to move", &emilias, true)?;

    let count = |more: usize| (scale.games + more).to_string();
    let names = [
        format!("{} games of Emilia", scale.games),
        format!("these and {} of its own", own.len()),
        format!("these and {} more of Emilia", more_of_emilia.len()),
        format!("{} games of Emilia, side to move distinguished", scale.games),
    ];
    let columns = ["learned from", "games", "positions", "discordance, mean over 20 to 60 discs"];
    let mut tables = Table::new("What was learned", &columns);
    for ((name, learned), games) in
        names.iter().zip([&base, &with_own, &with_more, &for_sides]).zip([0, own.len(), more_of_emilia.len(), 0])
    {
        let mean = mean_discordance(learned).map_or(String::new(), |mean| format!("{mean:.1}%"));
        tables.row([name.clone(), count(games), learned.positions.to_string(), mean]);
    }
    let title = format!("Matches of {} games with {} nodes per move", 2 * scale.pairs, scale.nodes);
    let mut matches = Table::new(title, &["first - second", "paper", "won-drawn-lost", "Elo, 95% interval"]);
    for (first, second, learned, paper) in [
        (1, 0, [&with_own, &base], "used, especially for patterns"),
        (2, 0, [&with_more, &base], ""),
        (1, 2, [&with_own, &with_more], ""),
        (3, 0, [&for_sides, &base], "no advantage"),
    ] {
        let contestants = vec![
            contestant(setup, &names[first], &learned[0].tables, scale.nodes),
            contestant(setup, &names[second], &learned[1].tables, scale.nodes),
        ];
        let tally = setup.tournament_of(contestants, scale.pairs)?.tally(0, 1);
        let name = format!("{} - {}", names[first], names[second]);
        matches.row([name, paper.to_owned(), result(&tally), elo(&tally)]);
    }
    let mut report = Report { tables: vec![matches, tables], ..Report::of(NAME) };
    report.note(format!(
        "In the paper LOGISTELLO generated about 20,000 games while extending its opening book. Here it leaves its shipped \
         book by every legal move that is not in it, which leads to {openings} positions, and plays on against itself with {} \
         nodes per move; further games have another random move or two. All games are labeled through the tree of all games. \
         The comparison is the same number of further games of Emilia against itself, from even openings with a few random \
         moves.",
        scale.own_nodes,
    ));
    report.note(
        "Discordance is measured on one game in twenty of those in the row, which no values or weights come from: rows with \
         different games are not strictly comparable. Tables that distinguish the side to move have twice the size.",
    );
    Ok(report)
}

/// Tables from these games.
fn trained(
    setup: &mut Setup<'_>,
    scale: Scale,
    what: &str,
    games: &[GameToLabel],
    side_to_move: bool,
) -> Result<Learned, ExperimentError> {
    let recipe = Recipe {
        seed: setup.seed,
        threads: setup.threads,
        examples: 5000,
        searches: scale.searches,
        side_to_move,
        ..Recipe::default()
    };
    let kept: KeptTables = setup.part(what, |setup| {
        let progress = &mut setup.progress;
        let learned = learn(games, &recipe, |status| progress(&format!("{what}: {status}")));
        if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { Ok(KeptTables::of(&learned)) }
    })?;
    kept.learned().ok_or_else(|| ExperimentError::Checkpoint(format!("the tables of {what:?} cannot be read")))
}

/// Learned tables as they are kept: as the file has them, in hexadecimal digits.
#[derive(Serialize, Deserialize)]
struct KeptTables {
    tables: String,
    /// The same with the values for the other side to move, if the two are distinguished.
    distinguished: Option<String>,
    positions: u64,
    counted: u64,
    /// Discs, positions and discordances.
    separation: Vec<(u32, usize, Vec<f64>)>,
}

impl KeptTables {
    fn of(learned: &Learned) -> Self {
        let Learned { tables, positions, counted, separation } = learned;
        let distinguished = tables.distinguished.clone().map(|PatternValues { small, large }| {
            hexadecimal(&Tables { small, large, distinguished: None, ..tables.clone() }.bytes())
        });
        let separation = separation.iter().map(|one| (one.discs, one.positions, one.discordances.to_vec()));
        Self {
            tables: hexadecimal(&tables.bytes()),
            distinguished,
            positions: *positions,
            counted: *counted,
            separation: separation.collect(),
        }
    }

    fn learned(self) -> Option<Learned> {
        let tables = |digits: &str| Tables::from_bytes(&bytes_of(digits)?).ok();
        let distinguished = match self.distinguished {
            Some(digits) => {
                let Tables { small, large, .. } = tables(&digits)?;
                Some(PatternValues { small, large })
            }
            None => None,
        };
        let separation = |(discs, positions, discordances): (u32, usize, Vec<f64>)| {
            Some(Separation { discs, positions, discordances: discordances.try_into().ok()? })
        };
        Some(Learned {
            tables: Tables { distinguished, ..tables(&self.tables)? },
            positions: self.positions,
            counted: self.counted,
            separation: self.separation.into_iter().map(separation).collect::<Option<_>>()?,
        })
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|&byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.chars().map(|digit| digit.to_digit(16)).collect::<Option<Vec<u32>>>()?;
    Some(digits.chunks_exact(2).map(|pair| (16 * pair[0] + pair[1]) as u8).collect())
}

/// The discordance of the logistic discriminant in percent, averaged over 20 to 60 discs.
fn mean_discordance(learned: &Learned) -> Option<f64> {
    let column = COLUMNS.iter().position(|name| name == "logistic")?;
    let measured = learned.separation.iter().filter(|found| (20..=60).contains(&found.discs));
    let values: Vec<f64> = measured.map(|found| found.discordances[column]).collect();
    (!values.is_empty()).then(|| 100.0 * values.iter().sum::<f64>() / values.len() as f64)
}

fn player_of(evaluation: Arc<Logistello>, seed: u64) -> Result<LogistelloPlayer, String> {
    let options = Options { table_megabytes: TABLE, threads: 1, default_level: None, seed };
    LogistelloPlayer::with_evaluation(evaluation, &LogistelloSettings::default(), &options)
        .map_err(|error| error.to_string())
}

fn contestant(setup: &Setup<'_>, name: &str, tables: &Tables, nodes: u64) -> Contestant<MadePlayer> {
    let evaluation = Arc::new(Logistello::new(tables, Form::default()));
    let make = move |seed| Ok(Box::new(player_of(evaluation.clone(), seed)?) as Box<dyn Player>);
    let limits = setup.rehearsal.unwrap_or_else(|| Limits::of_nodes(nodes));
    Contestant { name: name.to_owned(), player: MadePlayer::new(crc32(name.as_bytes()), make), limits }
}

/// Games against itself that leave the book, and the number of places where they do.
fn own_games(
    setup: &mut Setup<'_>,
    scale: Scale,
    tables: &Tables,
) -> Result<(Vec<PlayedGame>, usize), ExperimentError> {
    let failed = |error: BookError| player_error(&error);
    let book = crate::BOOK.shipped().map_err(failed)?;
    let openings = ways_out(&book).map_err(failed)?;
    let (seed, stop, own_nodes) = (setup.seed, setup.stop, scale.own_nodes);
    let limits = setup.rehearsal.unwrap_or_else(|| Limits::of_nodes(own_nodes));
    let evaluation = Arc::new(Logistello::new(tables, Form::default()));
    let worker = || {
        let mut player = player_of(evaluation.clone(), seed);
        let openings = &openings;
        move |number: u64| {
            let opening = opening(openings, seed, number)?;
            Some(play(player.as_mut().map_err(|error| error.clone()), &opening, &limits, stop))
        }
    };
    let (mut games, count) = (Vec::new(), scale.own);
    // Each game depends only on its number.
    for first in (0..count).step_by(PART) {
        let numbers = first as u64..(first + PART).min(count) as u64;
        let part: Vec<KeptGame> = setup.part("games of its own", |setup| {
            let (mut part, mut error) = (Vec::new(), None);
            in_order(numbers, setup.threads, worker, |_, game: Result<PlayedGame, String>| match game {
                Ok(game) => {
                    part.push((MoveSequence::from(game.moves().to_vec()), game.opening()));
                    ControlFlow::Continue(())
                }
                Err(reason) => {
                    error = Some(reason);
                    ControlFlow::Break(())
                }
            });
            match error {
                _ if stop.is_set() => Err(ExperimentError::Stopped),
                Some(reason) => Err(player_error(&reason)),
                None => Ok(part),
            }
        })?;
        for (moves, opening) in part {
            let game = PlayedGame::new(&moves.squares, opening, 0);
            games.push(game.map_err(|error| ExperimentError::Facts(error.to_string()))?);
        }
        (setup.progress)(&format!("{} of {count} games of its own", games.len()));
    }
    Ok((games, openings.len()))
}

/// All lines from the start through the book to a position out of it that one move leads to, each position once.
fn ways_out(book: &OpeningBook) -> Result<Vec<Vec<Square>>, BookError> {
    let mut lines = Vec::new();
    let mut seen = HashSet::from([Board::start().canonical()]);
    let mut open = vec![(Board::start(), Vec::new())];
    while let Some((board, line)) = open.pop() {
        let known = book.moves(&board)?;
        for square in squares(board.moves()) {
            let mut after = board.after(square, board.flips(square));
            if after.must_pass() {
                after = after.pass();
            }
            if !seen.insert(after.canonical()) {
                continue;
            }
            let line = [&line[..], &[square]].concat();
            // A move that is the same by symmetry as one in the book leads there, too.
            let is_in_book = known.iter().any(|known| {
                known.destination == Destination::Book
                    && board.play(known.square).is_some_and(|next| {
                        let next = if next.must_pass() { next.pass() } else { next };
                        next.canonical() == after.canonical()
                    })
            });
            if is_in_book {
                open.push((after, line));
            } else {
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

/// The opening of a game: one of the ways out of the book, with a random move or two after all have been used.
fn opening(openings: &[Vec<Square>], seed: u64, number: u64) -> Option<Vec<Square>> {
    let count = openings.len() as u64;
    let mut line = openings.get(number.checked_rem(count)? as usize)?.clone();
    let mut random = Random::of_item(seed, number);
    let mut game = Game::<Board>::from_moves(Position::start(), line.iter().copied()).ok()?;
    for _ in 0..(number / count).min(2) {
        let moves = game.position().board.moves();
        if moves == 0 {
            break;
        }
        let square = squares(moves).nth(random.below_u32(moves.count_ones()) as usize)?;
        game.play(square).ok()?;
        line.push(square);
    }
    Some(line)
}

/// A game of a player against itself after this opening.
fn play(
    player: Result<&mut LogistelloPlayer, String>,
    opening: &[Square],
    limits: &Limits,
    stop: &Stop,
) -> Result<PlayedGame, String> {
    let player = player?;
    let said = |error: &dyn ToString| error.to_string();
    player.new_game().map_err(|error| said(&error))?;
    let game = Game::<Board>::from_moves(Position::start(), opening.iter().copied());
    let mut game = game.map_err(|(_, error)| said(&error))?;
    while !game.is_over() {
        let choice = player.choose(&game, limits, &mut Silent, stop).map_err(|error| said(&error))?;
        game.play(choice.square).map_err(|error| said(&error))?;
    }
    PlayedGame::new(&game.line(), opening.len(), 0).map_err(|error| said(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use laboratory::rehearsal::{rehearse, run};

    const SMALL: Scale = Scale { games: 120, own: 40, own_nodes: 100, searches: 4, pairs: 1, nodes: 200 };

    #[test]
    fn every_way_out_of_the_book_is_a_line_of_book_positions_and_one_other() {
        let book = crate::BOOK.shipped().unwrap();
        let lines = ways_out(&book).unwrap();
        assert!(lines.len() > 500, "{}", lines.len());
        let in_book = |board: &Board| book.snapshot().lookup(board).unwrap().is_some();
        let mut ends = HashSet::new();
        for line in &lines {
            let mut game = Game::from_position(Position::start());
            for (number, &square) in line.iter().enumerate() {
                assert!(in_book(&game.position().board), "before move {number}");
                game.play(square).unwrap();
            }
            let end = game.position().board;
            assert!(!in_book(&end) && ends.insert(end.canonical()), "{end:?}");
        }
    }

    #[test]
    fn openings_after_the_first_round_have_a_random_move_more() {
        let openings = vec![vec!["f5".parse().unwrap()], vec!["f5".parse().unwrap(), "d6".parse().unwrap()]];
        let length = |number| opening(&openings, 1, number).unwrap().len();
        assert_eq!([0, 1, 2, 3, 4, 7].map(length), [1, 2, 2, 3, 3, 4]);
        assert_eq!(opening(&[], 1, 0), None);
    }

    #[test]
    fn a_small_run_has_its_matches_and_the_same_games_again() {
        let report = rehearse(classics::registry(), |setup| at_scale(setup, SMALL)).unwrap();
        let [matches, tables] = &report.tables[..] else { panic!("{:?}", report.tables) };
        assert_eq!((matches.rows.len(), tables.rows.len()), (4, 4));
        assert_eq!((&*tables.rows[0][1], &*tables.rows[1][1]), ("120", "160"));
        let games = |threads| {
            rehearse(classics::registry(), |setup| {
                setup.threads = threads;
                own_games(setup, SMALL, &Tables::shipped()).unwrap()
            })
        };
        assert_eq!(games(1), games(2));
    }

    #[test]
    fn tables_are_kept_as_they_are() {
        let games = run(classics::registry(), |setup| setup.games(40), false).unwrap();
        let games: Vec<GameToLabel> =
            games.into_iter().map(|game| GameToLabel { game, exact_from: EXACT_FROM as u8 }).collect();
        let recipe = Recipe { searches: 2, examples: 500, side_to_move: true, ..Recipe::default() };
        let learned = learn(&games, &recipe, |_| {});
        let text = serde_json::to_string(&KeptTables::of(&learned)).unwrap();
        assert!(text.len() < 1 << 23, "{} bytes; a line of a checkpoint has at most 16 MB", text.len());
        let again = serde_json::from_str::<KeptTables>(&text).unwrap().learned().unwrap();
        assert!(again.tables.distinguished.is_some() && again.tables == learned.tables);
        assert_eq!((again.positions, again.counted), (learned.positions, learned.counted));
        assert_eq!(again.separation, learned.separation);
    }

    #[test]
    fn a_stopped_experiment_has_no_report() {
        assert_eq!(
            run(classics::registry(), |setup| at_scale(setup, SMALL), true).err(),
            Some(ExperimentError::Stopped)
        );
    }
}
