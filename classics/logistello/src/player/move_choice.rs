//! LOGISTELLO as a player: its evaluation in Emilia's search, with a single level of ProbCut.

use std::sync::Arc;

use engine::{Chosen, Emilia, HashTableError, Limits, Observer, Options, Player, PlayerError, Stop};
use othello::{Board, Game};

use super::evaluation::Logistello;
use super::settings::LogistelloSettings;
use super::tables::Tables;

/// The name of the player.
const NAME: &str = "logistello";

/// The positions per move on the machines of its time: 30 minutes for some 30 moves, at about 25,000 positions per
/// second on a Pentium. The paper gives the time but not the machine.
pub const HISTORICAL_NODES: u64 = 1_500_000;

/// The player.
#[derive(Debug)]
pub struct LogistelloPlayer {
    emilia: Emilia<Board, Arc<Logistello>>,
    is_historical: bool,
}

impl LogistelloPlayer {
    /// A player with the tables that ship with the program.
    pub fn new(settings: &LogistelloSettings, options: &Options) -> Result<Self, HashTableError> {
        Self::with_evaluation(Arc::new(Logistello::new(&Tables::shipped(), settings.form)), settings, options)
    }

    /// A player with this evaluation instead of the one of its settings, for experiments.
    pub fn with_evaluation(
        evaluation: Arc<Logistello>,
        settings: &LogistelloSettings,
        options: &Options,
    ) -> Result<Self, HashTableError> {
        let options = Options { default_level: None, ..*options };
        Ok(Self { emilia: Emilia::with_evaluation(evaluation, &options)?, is_historical: settings.historical })
    }

    /// Its limits: without any, those of its time. It makes no mistakes on purpose: where Emilia would, a level is a depth.
    fn limits(&self, limits: &Limits) -> Limits {
        let limits = match limits.level.filter(|level| level.is_weak()) {
            Some(level) => {
                let depth = level.whole().max(1);
                &Limits { depth: Some(limits.depth.unwrap_or(depth).min(depth)), level: None, ..*limits }
            }
            None => limits,
        };
        let is_free = *limits == Limits { selectivity: limits.selectivity, ..Limits::default() };
        if !self.is_historical && !is_free {
            return *limits;
        }
        Limits { nodes: Some(limits.nodes.unwrap_or(u64::MAX).min(HISTORICAL_NODES)), ..*limits }
    }
}

impl Player for LogistelloPlayer {
    fn name(&self) -> &str {
        NAME
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.emilia.new_game()
    }

    fn choose(&mut self, game: &Game, limits: &Limits, observer: &mut dyn Observer, stop: &Stop) -> Chosen {
        self.emilia.choose(game, &self.limits(limits), observer, stop).map_err(|error| match error {
            PlayerError::Unsupported { reason, .. } => PlayerError::Unsupported { player: NAME.to_owned(), reason },
            error => error,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use engine::{GameClock, Silent};
    use othello::{Position, Rules};

    use super::*;
    use crate::player::discriminant::Discriminant;
    use crate::player::evaluation::Form;

    fn player(settings: LogistelloSettings) -> LogistelloPlayer {
        LogistelloPlayer::new(&settings, &Options { table_megabytes: 1, ..Options::default() }).expect("a small table")
    }

    fn choose(player: &mut LogistelloPlayer, game: &Game, limits: &Limits) -> Chosen {
        player.choose(game, limits, &mut Silent, &Stop::new())
    }

    #[test]
    fn it_plays_whole_games_with_every_setting() {
        for discriminant in Discriminant::ALL {
            for (combined, probcut, quiescence) in [(true, true, false), (false, false, true)] {
                let form = Form { discriminant, combined, probcut, quiescence };
                let mut player = player(LogistelloSettings { form, historical: false });
                let mut game = Game::new();
                while !game.is_over() {
                    let choice = choose(&mut player, &game, &Limits::of_nodes(2000)).expect("a move");
                    game.play(choice.square).expect("a legal move");
                }
                let over = choose(&mut player, &game, &Limits::default()).expect_err("no move is left");
                assert_eq!(over, PlayerError::GameOver);
            }
        }
    }

    #[test]
    fn limits_of_every_kind_are_obeyed() {
        let mut player = player(LogistelloSettings::default());
        let game = Game::from_moves(Position::start(), ["f5", "d6", "c3"].map(|name| name.parse().expect("a square")))
            .expect("legal moves");
        assert_eq!(choose(&mut player, &game, &Limits::of_depth(5)).expect("a move").depth, 5);
        assert_eq!(choose(&mut player, &game, &Limits::of_level(4)).expect("a move").depth, 4);
        let choice = choose(&mut player, &game, &Limits::of_nodes(3000)).expect("a move");
        assert!((2000..=4000).contains(&choice.nodes), "{} nodes", choice.nodes);
        for limits in
            [Limits::of_time(Duration::from_millis(40)), Limits::of_clock(GameClock::new(Duration::from_millis(500)))]
        {
            let start = Instant::now();
            choose(&mut player, &game, &limits).expect("a move");
            assert!(start.elapsed() < Duration::from_millis(400), "{:?} under {limits:?}", start.elapsed());
        }
        let [one, other] = [1, 2].map(|seed| {
            let mut player = LogistelloPlayer::new(
                &LogistelloSettings::default(),
                &Options { seed, table_megabytes: 1, ..Options::default() },
            );
            choose(player.as_mut().expect("1 MB"), &game, &Limits::of_level(2)).expect("a move")
        });
        assert_eq!((one.square, one.depth), (other.square, 2), "no mistakes on purpose");
    }

    #[test]
    fn the_budget_of_its_time_holds_without_limits_and_where_it_is_asked_for() {
        let modern = player(LogistelloSettings::default());
        let historical = player(LogistelloSettings { historical: true, ..LogistelloSettings::default() });
        let second = Limits::of_time(Duration::from_secs(1));
        assert_eq!(modern.limits(&Limits::default()).nodes, Some(HISTORICAL_NODES));
        assert_eq!(modern.limits(&second), second);
        assert_eq!(historical.limits(&second), Limits { nodes: Some(HISTORICAL_NODES), ..second });
        assert_eq!(historical.limits(&Limits::of_nodes(10)).nodes, Some(10));
    }

    #[test]
    fn odd_positions_are_answered_or_refused_but_never_a_reason_to_panic() {
        let full = "X".repeat(64) + " X";
        let wiped_out = format!("{}XX{} O", "-".repeat(30), "-".repeat(32));
        let empty = "-".repeat(64) + " X";
        let must_pass = "XO-------------------------------------------------------------- O";
        let mut player = player(LogistelloSettings::default());
        for text in [full.as_str(), &wiped_out, &empty, must_pass] {
            let position: Position = text.parse().expect("a board");
            let game = Game::from_position(position);
            match choose(&mut player, &game, &Limits::of_depth(4)) {
                Ok(choice) => assert!(game.position().board.play(choice.square).is_some(), "{text}"),
                Err(error) => assert!(game.is_over() && error == PlayerError::GameOver, "{text}: {error}"),
            }
        }
    }
}
