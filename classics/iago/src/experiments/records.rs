//! The games that the paper prints or takes positions from, and IAGO's analysis of them.

use crate::player::analysis::{self, MoveAnalysis};
use crate::player::{Iago, IagoSettings};
use engine::{Limits, Silent};
use othello::{Board, Color, Game, Position, Rules, Square, squares};
use records::{GameRecord, ggf};
use serde::Deserialize;

use laboratory::{ExperimentError, Setup};

/// The seven games of the paper's figures.
const OF_THE_PAPER: &str = include_str!("../../../../data/games/iago-paper.ggf");

/// Games of the World Championship of 1980.
const WORLD_CHAMPIONSHIP: &str = include_str!("../../../../data/lab/world-championship-1980.ggf");

/// Games of programs in America in 1981: those of the Santa Cruz Open, as far as they are known.
const SANTA_CRUZ: &str = include_str!("../../../../data/lab/santa-cruz-1981.ggf");

/// Both games of the final of 1980 with the original's choices, in the orientation of the paper.
const FINAL: &str = include_str!("../../data/iago-1980.json");

/// Number of games that IAGO played at Santa Cruz, two of them unofficial.
pub(super) const PLAYED_AT_SANTA_CRUZ: usize = 10;

fn records(text: &str) -> Result<Vec<GameRecord>, ExperimentError> {
    let record = |line| ggf::parse::<Board>(line).map_err(|error| ExperimentError::Facts(error.to_string()));
    text.lines().map(record).collect()
}

/// The game of the paper between these two.
pub(super) fn paper_game(black: &str, white: &str) -> Result<Game, ExperimentError> {
    let is_meant = |record: &GameRecord| record.black == black && record.white == white;
    let missing = || ExperimentError::Facts(format!("no game of {black} against {white}"));
    records(OF_THE_PAPER)?.into_iter().find(is_meant).map(|record| record.game).ok_or_else(missing)
}

/// A game of IAGO at Santa Cruz.
pub(super) struct IagoGame {
    pub(super) game: Game,
    /// IAGO's color.
    pub(super) color: Color,
    pub(super) opponent: String,
}

/// IAGO's games among these, under the name that it has in them.
fn games_of_iago(records: Vec<GameRecord>, name: &str) -> Vec<IagoGame> {
    let of_record = |record: GameRecord| {
        let color = if record.black == name { Color::Black } else { Color::White };
        let opponent = if color == Color::Black { record.white } else { record.black };
        (opponent != name).then_some(IagoGame { game: record.game, color, opponent })
    };
    let own = records.into_iter().filter(|record| record.black == name || record.white == name);
    own.filter_map(of_record).collect()
}

/// The games of IAGO at Santa Cruz that the paper prints: four of ten.
pub(super) fn santa_cruz() -> Result<Vec<IagoGame>, ExperimentError> {
    let games = records(OF_THE_PAPER)?.into_iter().filter(|record| record.event.contains("Santa Cruz"));
    Ok(games_of_iago(games.collect(), "IAGO"))
}

/// Four more of them that the Thor database has.
pub(super) fn more_of_santa_cruz() -> Result<Vec<IagoGame>, ExperimentError> {
    Ok(games_of_iago(records(SANTA_CRUZ)?, "Iago (rosenbloom)"))
}

/// The games between programs at Santa Cruz that are known: those of the Thor database and the official ones of the
/// paper.
pub(super) fn machine_games() -> Result<Vec<Game>, ExperimentError> {
    let official = |record: &GameRecord| record.event.starts_with("Santa Cruz");
    let of_the_paper = records(OF_THE_PAPER)?.into_iter().filter(official);
    Ok(records(SANTA_CRUZ)?.into_iter().chain(of_the_paper).map(|record| record.game).collect())
}

/// The games of the World Championship of 1980 that are known.
pub(super) fn world_championship() -> Result<Vec<Game>, ExperimentError> {
    Ok(records(WORLD_CHAMPIONSHIP)?.into_iter().map(|record| record.game).collect())
}

/// A game of the final, turned as the paper prints it.
pub(super) struct FinalGame {
    pub(super) black: String,
    pub(super) white: String,
    pub(super) game: Game,
    /// Choice of the original in the position before each move, where it is legible.
    pub(super) choices: Vec<Option<Square>>,
}

/// Both games of the final of 1980. Everything that is said about them is computed from these: the search tries equal
/// moves in an order that depends on how the board is turned.
pub(super) fn final_games() -> Result<[FinalGame; 2], ExperimentError> {
    #[derive(Deserialize)]
    struct Facts {
        games: [Recorded; 2],
    }
    #[derive(Deserialize)]
    struct Recorded {
        name: String,
        black: String,
        white: String,
        played: Vec<String>,
        iago: Vec<Option<String>>,
    }
    let square = |name: &String| name.parse::<Square>().map_err(|error| ExperimentError::Facts(error.to_string()));
    let game = |Recorded { name, black, white, played, iago }: Recorded| {
        let moves = played.iter().map(square).collect::<Result<Vec<_>, _>>()?;
        let wrong = |(index, error)| ExperimentError::Facts(format!("move {} of {name}: {error}", index + 1));
        let game = Game::from_moves(Position::start(), moves).map_err(wrong)?;
        let choices =
            iago.iter().map(|choice| choice.as_ref().map(square).transpose()).collect::<Result<Vec<_>, _>>()?;
        Ok(FinalGame { black, white, game, choices })
    };
    let facts: Facts = serde_json::from_str(FINAL).map_err(|error| ExperimentError::Facts(error.to_string()))?;
    let [first, second] = facts.games;
    Ok([game(first)?, game(second)?])
}

/// The game on a turned or reflected board, in all the ways that leave the first position as it is.
pub(super) fn turned(game: &Game) -> Vec<Game> {
    let image = |square: Square, index| squares(Board::new(square.bit(), 0).transformed(index).player).next();
    let line = game.line();
    let of_index = |index: usize| {
        let moves: Option<Vec<Square>> = line.iter().map(|&square| image(square, index)).collect();
        (game.start().board.transformed(index) == game.start().board).then_some(moves?)
    };
    (0..8).filter_map(of_index).filter_map(|moves| Game::from_moves(game.start(), moves).ok()).collect()
}

/// A game up to the position before its move of this number, from 1.
pub(super) fn before_move(game: &Game, number: usize) -> Result<Game, ExperimentError> {
    let moves = game.line().into_iter().take(number.saturating_sub(1));
    let wrong = |(index, error)| ExperimentError::Facts(format!("move {}: {error}", index + 1));
    Game::from_moves(game.start(), moves).map_err(wrong)
}

/// The discs of Black and of White at the end of a game.
pub(super) fn final_discs(game: &Game) -> [u32; 2] {
    let end = game.position();
    [Color::Black, Color::White].map(|color| end.discs(color).count_ones())
}

/// IAGO's analysis of the moves of a game up to this number, with the time of a tournament: "post-hoc analysis of the
/// game record" (footnote 13).
pub(super) fn analyzed(game: &Game, last: usize, setup: &mut Setup<'_>) -> Result<Vec<MoveAnalysis>, ExperimentError> {
    let game = before_move(game, last + 1)?;
    let mut iago = Iago::new(IagoSettings { is_historical: true, ..IagoSettings::default() });
    let found = analysis::analyze(&mut iago, &game, &Limits::default(), &mut Silent, setup.stop);
    if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { Ok(found.moves) }
}

/// Number of moves of the side to move before each move of a game.
pub(super) fn mobility(game: &Game) -> Vec<(Color, u32)> {
    let positions: Vec<Position> = game.positions().collect();
    let chosen = positions.len().saturating_sub(1);
    positions[..chosen].iter().map(|position| (position.turn, position.board.moves().count_ones())).collect()
}

/// The median of some numbers, or `None` without any.
pub(super) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        count if count % 2 == 1 => Some(numbers[middle]),
        _ => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_those_of_the_paper_by_their_scores() {
        for (black, white, discs) in [
            ("IAGO", "THE MOOR", [51, 13]),
            ("IAGO", "Inoue Hiroshi", [21, 43]),
            // A square stays empty at the end.
            ("REVERSI CHALLENGER", "IAGO", [3, 60]),
            ("ALDARON", "IAGO", [30, 34]),
            ("IAGO", "ALDARON", [40, 24]),
            ("Mimura Takuya", "Cerf Jonathan", [21, 43]),
        ] {
            let game = paper_game(black, white).unwrap();
            assert!(game.is_over());
            assert_eq!(final_discs(&game), discs, "{black}");
        }
        assert!(paper_game("IAGO", "EMILIA").is_err());
        assert_eq!(
            santa_cruz().unwrap().iter().map(|game| game.color).collect::<Vec<_>>(),
            [Color::Black, Color::White, Color::White, Color::Black]
        );
        let games = world_championship().unwrap();
        assert!(games.len() == 9 && games.iter().all(Game::is_over));
    }

    #[test]
    fn a_game_is_cut_before_a_move() {
        let game = paper_game("IAGO", "THE MOOR").unwrap();
        let cut = before_move(&game, 31).unwrap();
        // Fig. 3.1(a): Black to play with two discs against 32.
        let position = cut.position();
        assert_eq!((position.turn, cut.move_count()), (Color::Black, 30));
        assert_eq!(position.discs(Color::White).count_ones(), 32);
        assert_eq!(mobility(&cut)[..2], [(Color::Black, 4), (Color::White, 3)]);
        assert_eq!(mobility(&cut).len(), 30);
    }

    #[test]
    fn the_final_is_turned_as_the_paper_prints_it() {
        let [first, second] = final_games().unwrap();
        assert_eq!((first.black.as_str(), final_discs(&first.game)), ("Cerf", [44, 20]));
        assert_eq!((second.white.as_str(), final_discs(&second.game)), ("Cerf", [21, 43]));
        // The paper names 39-h2, 41-a3, 46-b2 and 50-h1 of the first game and 38-h3 of the second.
        let played = |game: &Game, number: usize| game.line()[number - 1].to_string();
        assert_eq!([39, 41, 46, 50].map(|number| played(&first.game, number)), ["h2", "a3", "b2", "h1"]);
        assert_eq!(played(&second.game, 38), "h3");
        // The same game lies in the database in another orientation, which is one of four.
        let stored = paper_game("Mimura Takuya", "Cerf Jonathan").unwrap();
        let lines: Vec<Vec<Square>> = turned(&stored).iter().map(Game::line).collect();
        assert!(lines.len() == 4 && lines.contains(&second.game.line()) && stored.line() != second.game.line());
        // Three of the printed choices are illegible.
        let legible = [&first, &second].map(|game| game.choices.iter().flatten().count());
        assert_eq!(legible.iter().sum::<usize>(), 117);
    }

    #[test]
    fn medians_are_the_middle_or_the_mean_of_the_two_in_the_middle() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 9.0]), Some(3.0));
        assert_eq!(median(vec![3.0, 1.0, 9.0, 4.0]), Some(3.5));
    }
}
