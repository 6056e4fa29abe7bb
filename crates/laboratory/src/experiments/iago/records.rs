//! The games that the paper prints or takes positions from, and IAGO's analysis of them.

use engine::{Limits, Silent};
use heritage::iago::analysis::{self, MoveAnalysis};
use heritage::iago::{Iago, IagoSettings};
use othello::records::{GameRecord, ggf};
use othello::{Board, Color, Game, Position, Rules};

use crate::experiments::{ExperimentError, Setup};

/// The seven games of the paper's figures.
const OF_THE_PAPER: &str = include_str!("../../../../../data/games/iago-paper.ggf");

/// Games of the World Championship of 1980.
const WORLD_CHAMPIONSHIP: &str = include_str!("../../../../../data/lab/world-championship-1980.ggf");

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

/// The games of IAGO at Santa Cruz that the paper prints, each with its color: four of ten.
pub(super) fn santa_cruz() -> Result<Vec<(Game, Color)>, ExperimentError> {
    let color = |record: &GameRecord| if record.black == "IAGO" { Color::Black } else { Color::White };
    let games = records(OF_THE_PAPER)?.into_iter().filter(|record| record.event.contains("Santa Cruz"));
    Ok(games.map(|record| (record.game.clone(), color(&record))).collect())
}

/// The games of the World Championship of 1980 that are known.
pub(super) fn world_championship() -> Result<Vec<Game>, ExperimentError> {
    Ok(records(WORLD_CHAMPIONSHIP)?.into_iter().map(|record| record.game).collect())
}

/// A game up to the position before its move of this number, from 1.
pub(super) fn before_move(game: &Game, number: usize) -> Result<Game, ExperimentError> {
    let moves = game.line().into_iter().take(number.saturating_sub(1));
    let wrong = |(index, error)| ExperimentError::Facts(format!("move {}: {error}", index + 1));
    Game::from_moves(game.start(), moves).map_err(wrong)
}

/// IAGO's analysis of the moves of a game up to this number, with the time of a tournament: "post-hoc analysis of the
/// game record" (footnote 13).
pub(super) fn analyzed(game: &Game, last: usize, setup: &mut Setup<'_>) -> Result<Vec<MoveAnalysis>, ExperimentError> {
    let game = before_move(game, last + 1)?;
    let mut iago = Iago::new(IagoSettings { is_historical: true, ..IagoSettings::default() });
    let found = analysis::analyze(&mut iago, &game, &Limits::default(), &mut Silent, setup.stop);
    if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { Ok(found.moves) }
}

/// How many moves the side to move has before each move of a game.
pub(super) fn mobility(game: &Game) -> Vec<(Color, u32)> {
    let positions: Vec<Position> = game.positions().collect();
    let chosen = positions.len().saturating_sub(1);
    positions[..chosen].iter().map(|position| (position.turn, position.board.moves().count_ones())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_those_of_the_paper_by_their_scores() {
        for (black, white, discs) in [
            ("IAGO", "THE MOOR", [51, 13]),
            // A square stays empty at the end.
            ("REVERSI CHALLENGER", "IAGO", [3, 60]),
            ("ALDARON", "IAGO", [30, 34]),
            ("IAGO", "ALDARON", [40, 24]),
            ("Mimura Takuya", "Cerf Jonathan", [21, 43]),
        ] {
            let game = paper_game(black, white).unwrap();
            let end = game.position();
            assert!(game.is_over());
            assert_eq!([Color::Black, Color::White].map(|color| end.discs(color).count_ones()), discs, "{black}");
        }
        assert!(paper_game("IAGO", "EMILIA").is_err());
        assert_eq!(
            santa_cruz().unwrap().iter().map(|(_, color)| *color).collect::<Vec<_>>(),
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
}
