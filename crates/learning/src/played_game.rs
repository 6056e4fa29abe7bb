//! A game to learn from: its moves, and which of them were random.

use othello::json::MoveSequence;
use othello::{Board, Game, Position, Rules, Score, Square, SquareSet, squares, symmetry};
use serde::{Deserialize, Serialize};

use crate::mixed_radix::{Packer, Unpacker};

const MAX_MOVES: usize = 60;

/// The first move of every game in canonical orientation: the other three are its images.
const FIRST_MOVE: Square = Square::at(5, 4);

/// The symmetries that leave the start position unchanged.
const OF_THE_START: [usize; 4] = [0, 3, 4, 7];

/// A complete game from the standard start position, oriented so that it begins with f5.
///
/// Games that are the same up to symmetry are equal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "GameText", try_from = "GameText")]
pub struct PlayedGame {
    moves: Vec<Square>,
    opening: u8,
    random: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameText {
    moves: MoveSequence,
    opening: u8,
    /// The random moves after the opening, as a set of bits.
    random: u64,
}

impl From<PlayedGame> for GameText {
    fn from(game: PlayedGame) -> Self {
        Self { moves: game.moves.into(), opening: game.opening, random: game.random }
    }
}

impl TryFrom<GameText> for PlayedGame {
    type Error = PlayedGameError;

    fn try_from(text: GameText) -> Result<Self, PlayedGameError> {
        let GameText { moves: MoveSequence { squares, .. }, opening, random } = text;
        let game = Self::new(&squares, opening.into(), random)?;
        // This program writes games only in the form in which they are stored.
        let is_same = game.moves == squares && game.opening == opening && game.random == random;
        if is_same { Ok(game) } else { Err(PlayedGameError::OtherForm) }
    }
}

/// Why moves are not a valid game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayedGameError {
    /// It has a custom start position.
    #[error("it begins with another position; expected the standard start")]
    OtherStart,
    /// The move with this number, from 1, is illegal.
    #[error("move {0} ({1}) is illegal")]
    Illegal(usize, Square),
    /// It is not in the form in which games are stored.
    #[error("it is turned another way, or its counts are wrong")]
    OtherForm,
    /// The game is unfinished and has this number of empty squares.
    #[error("it has not ended: {0} squares are empty, and a move is possible")]
    Unfinished(u32),
}

/// Origin of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// It belongs to the opening, which was random or given.
    Opening,
    /// It was chosen at random, so that unusual positions occur, too.
    Random,
    /// A player chose it.
    Player,
}

/// A position of a game in which a move was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePosition {
    /// The position; the side to move can move.
    pub board: Board,
    /// The final score of the game for the side to move.
    pub score: Score,
    /// The number of moves before it, passes not counted.
    pub ply: u32,
    /// The move that was made.
    pub square: Square,
    /// Origin of the move.
    pub choice: Choice,
    /// Whether all following moves were chosen by a player: if not, the score is a worse estimate of the position.
    pub is_sound: bool,
}

/// The symmetry that turns a game so that it begins with the same move as all others.
fn turn_of(moves: &[Square]) -> usize {
    let turn = moves.first().and_then(|&first| {
        OF_THE_START.into_iter().find(|&index| symmetry::transform_square(first, index) == FIRST_MOVE)
    });
    turn.unwrap_or_default()
}

impl PlayedGame {
    /// The game with these moves, passes left out. The first `opening` moves are its opening, and bit `n` of `random`
    /// means that move number `n`, counted from 0, was random.
    pub fn new(moves: &[Square], opening: usize, random: u64) -> Result<Self, PlayedGameError> {
        let turn = turn_of(moves);
        let mut line = GameInProgress::start();
        for (index, &square) in moves.iter().enumerate() {
            line.play(square).ok_or(PlayedGameError::Illegal(index + 1, square))?;
        }
        if line.board.can_move() {
            return Err(PlayedGameError::Unfinished(line.board.empty_count()));
        }
        let moves: Vec<_> = moves.iter().map(|&square| symmetry::transform_square(square, turn)).collect();
        let opening = opening.min(moves.len());
        let all = low_bits(moves.len());
        Ok(Self { opening: opening as u8, random: random & all & !low_bits(opening), moves })
    }

    /// Whether the game begins with these moves, up to symmetry.
    pub(crate) fn begins_with(&self, moves: &[Square]) -> bool {
        let turn = turn_of(moves);
        let turned = moves.iter().map(|&square| symmetry::transform_square(square, turn));
        self.moves.len() >= moves.len() && turned.eq(self.moves[..moves.len()].iter().copied())
    }

    /// The game of a record, up to the end of its current line.
    pub fn of_record(game: &Game) -> Result<Self, PlayedGameError> {
        if game.start() != Position::start() {
            return Err(PlayedGameError::OtherStart);
        }
        Self::new(&game.line(), 0, 0)
    }

    /// The moves, passes left out.
    pub fn moves(&self) -> &[Square] {
        &self.moves
    }

    /// The number of moves in its opening.
    pub fn opening(&self) -> usize {
        usize::from(self.opening)
    }

    /// The set of moves not chosen by a player, those of the opening and the random ones; bit `n` is move number `n`.
    pub(crate) fn left_to_chance(&self) -> u64 {
        self.random | low_bits(self.opening())
    }

    /// Black's final score.
    pub fn score(&self) -> Score {
        GameInProgress::after(&self.moves).expect("the moves were played before").score()
    }

    /// A hash that differs for different games, except with a probability of 10^-19.
    pub(crate) fn fingerprint(&self) -> u64 {
        // FNV-1a with a final step that mixes the upper bits, too.
        let sum = self.moves.iter().fold(0xcbf2_9ce4_8422_2325, |sum: u64, square| {
            (sum ^ square.index() as u64).wrapping_mul(0x0100_0000_01b3)
        });
        (sum ^ sum >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// The positions in which a move was made, in order.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = GamePosition> + '_ {
        let score = self.score();
        let mut line = GameInProgress::start();
        let left_to_chance = self.left_to_chance();
        self.moves.iter().enumerate().map(move |(index, &square)| {
            let choice = match () {
                () if index < self.opening() => Choice::Opening,
                () if self.random >> index & 1 == 1 => Choice::Random,
                () => Choice::Player,
            };
            let score = if line.is_black { score } else { -score };
            let is_sound = left_to_chance >> index == 0;
            let position = GamePosition { board: line.board, score, ply: index as u32, square, choice, is_sound };
            line.play(square).expect("the moves were played before");
            position
        })
    }

    /// More random moves than this are encoded as a set, fewer one by one.
    const FEW: u64 = 8;
    const HALF_A_SET: u64 = 1 << (MAX_MOVES / 2);
    const NUMBERS: u64 = MAX_MOVES as u64 + 1;

    pub(crate) fn pack(&self, packer: &mut Packer) {
        packer.push(u64::from(self.opening), Self::NUMBERS);
        let count = u64::from(self.random.count_ones());
        packer.push(count.min(Self::FEW), Self::FEW + 1);
        if count < Self::FEW {
            for index in (0..MAX_MOVES as u64).filter(|index| self.random >> index & 1 == 1) {
                packer.push(index, Self::NUMBERS);
            }
        } else {
            packer.push(self.random % Self::HALF_A_SET, Self::HALF_A_SET);
            packer.push(self.random / Self::HALF_A_SET, Self::HALF_A_SET);
        }
        let mut line = GameInProgress::start();
        for (index, &square) in self.moves.iter().enumerate() {
            let moves = line.board.moves();
            // Every game begins with the same move.
            if index > 0 {
                let before = moves & (square.bit() - 1);
                packer.push(before.count().into(), moves.count().into());
            }
            line.play(square).expect("the moves were played before");
        }
    }

    /// The next packed game, or `None` if the data is not what [`PlayedGame::pack`] writes.
    pub(crate) fn unpack(unpacker: &mut Unpacker<'_>) -> Option<Self> {
        let opening = unpacker.pop(Self::NUMBERS)?;
        let count = unpacker.pop(Self::FEW + 1)?;
        let mut random = 0;
        if count < Self::FEW {
            for _ in 0..count {
                random |= 1 << unpacker.pop(Self::NUMBERS)?;
            }
        } else {
            random = unpacker.pop(Self::HALF_A_SET)?;
            random |= unpacker.pop(Self::HALF_A_SET)? * Self::HALF_A_SET;
        }
        let mut line = GameInProgress::start();
        let mut moves = Vec::with_capacity(MAX_MOVES);
        while line.board.can_move() {
            let square = if moves.is_empty() {
                FIRST_MOVE
            } else {
                let legal = line.board.moves();
                squares(legal).nth(unpacker.pop(legal.count().into())? as usize)?
            };
            line.play(square)?;
            moves.push(square);
        }
        let by_players = low_bits(moves.len()) & !low_bits(opening as usize);
        let fits = opening <= moves.len() as u64 && random & !by_players == 0;
        fits.then_some(Self { moves, opening: opening as u8, random })
    }
}

fn low_bits(count: usize) -> u64 {
    (1 << count.min(63)) - 1
}

/// A game in progress. Passes are made automatically: the side to move has a legal move, unless the game is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameInProgress {
    pub(crate) board: Board,
    pub(crate) is_black: bool,
}

impl GameInProgress {
    pub(crate) fn start() -> Self {
        Self { board: Board::start(), is_black: true }
    }

    /// The game after these moves, if they are legal.
    pub(crate) fn after(moves: &[Square]) -> Option<Self> {
        let mut game = Self::start();
        moves.iter().try_for_each(|&square| game.play(square))?;
        Some(game)
    }

    pub(crate) fn play(&mut self, square: Square) -> Option<()> {
        self.board = self.board.play(square)?;
        self.is_black = !self.is_black;
        if self.board.must_pass() {
            self.board = self.board.pass();
            self.is_black = !self.is_black;
        }
        Some(())
    }

    /// Black's score, as if the game ended here.
    fn score(&self) -> Score {
        let score = self.board.final_score();
        if self.is_black { score } else { -score }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use othello::random::Random;

    /// The moves of a random game, by the slow reference implementation.
    fn random_moves(seed: u64) -> Vec<Square> {
        let mut random = Random::of_item(seed, 0);
        let mut game = Game::new();
        while !game.is_over() {
            let moves = game.position().board.moves();
            let pick = random.below_u32(moves.count()) as usize;
            game.play(squares(moves).nth(pick).expect("a move")).expect("a legal move");
        }
        game.moves()
    }

    fn moves_of(text: &str) -> Vec<Square> {
        text.parse::<MoveSequence>().expect("squares").squares
    }

    /// The shortest game in which Black wipes White out.
    const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

    proptest! {
        #[test]
        fn packed_games_are_read_back(
            games in prop::collection::vec((any::<u64>(), 0..=60usize, any::<u64>(), any::<u64>()), 0..20)
        ) {
            let games: Vec<_> = games
                .into_iter()
                .map(|(seed, opening, one, other)| {
                    // Few and many random moves are packed in different ways.
                    let random = if seed % 3 == 0 { one } else { one & other & one.rotate_left(17) & other.rotate_left(31) };
                    PlayedGame::new(&random_moves(seed), opening, random).expect("a game")
                })
                .collect();
            let mut packer = Packer::new();
            games.iter().for_each(|game| game.pack(&mut packer));
            let bytes = packer.finish();
            prop_assert!(bytes.len() <= 40 * games.len());
            let mut unpacker = Unpacker::new(&bytes);
            for game in &games {
                let found = PlayedGame::unpack(&mut unpacker);
                prop_assert_eq!(found.as_ref(), Some(game));
            }
            prop_assert!(unpacker.is_done());
        }

        #[test]
        fn games_are_read_back_from_json_and_changed_ones_are_refused(
            seed in any::<u64>(), opening in 0..=60usize, random in any::<u64>(), place in any::<usize>(), byte in any::<u8>(),
        ) {
            let game = PlayedGame::new(&random_moves(seed), opening, random).expect("a game");
            let text = serde_json::to_string(&game).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<PlayedGame>(&text).expect("a game"), game);
            let mut bytes = text.into_bytes();
            let place = place % bytes.len();
            bytes[place] = byte;
            if let Ok(other) = serde_json::from_slice::<PlayedGame>(&bytes) {
                let again = PlayedGame::new(other.moves(), other.opening(), other.random);
                prop_assert_eq!(again.as_ref(), Ok(&other));
            }
        }

        #[test]
        fn arbitrary_bytes_are_valid_games_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut unpacker = Unpacker::new(&bytes);
            while let Some(game) = PlayedGame::unpack(&mut unpacker) {
                let again = PlayedGame::new(game.moves(), game.opening(), game.random);
                prop_assert_eq!(again.as_ref(), Ok(&game));
            }
        }

        #[test]
        fn positions_and_scores_are_those_of_the_game(seed in any::<u64>(), opening in 0..=60usize, random in any::<u64>()) {
            let played = PlayedGame::new(&random_moves(seed), opening, random & random.rotate_left(9)).expect("a game");
            let game = Game::from_moves(Position::start(), played.moves().iter().copied()).expect("legal moves");
            let black_score = game.score().expect("the game is over");
            prop_assert_eq!(played.score(), black_score);
            let expected: Vec<_> = game.positions().take(game.move_count()).collect();
            let found: Vec<_> = played.positions().collect();
            prop_assert_eq!(found.len(), expected.len());
            for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
                prop_assert_eq!(found.board, expected.board);
                prop_assert_eq!(found.square, played.moves()[index]);
                prop_assert_eq!(found.ply as usize, index);
                let score = if expected.turn == othello::Color::Black { black_score } else { -black_score };
                prop_assert_eq!(found.score, score);
            }
            // The moves after a position determine whether its score is sound.
            for (index, position) in found.iter().enumerate() {
                let by_players = found[index..].iter().all(|later| later.choice == Choice::Player);
                prop_assert_eq!(position.is_sound, by_players);
                prop_assert_eq!(position.choice == Choice::Opening, index < opening);
            }
        }

        #[test]
        fn the_four_images_of_a_game_are_one_game(seed in any::<u64>()) {
            let moves = random_moves(seed);
            let game = PlayedGame::new(&moves, 3, 1 << 5).expect("a game");
            prop_assert_eq!(game.moves()[0], FIRST_MOVE);
            for index in OF_THE_START {
                let image: Vec<_> = moves.iter().map(|&square| symmetry::transform_square(square, index)).collect();
                let image = PlayedGame::new(&image, 3, 1 << 5).expect("a game");
                prop_assert_eq!(&image, &game);
                prop_assert_eq!(image.fingerprint(), game.fingerprint());
            }
        }
    }

    #[test]
    fn incomplete_games_and_custom_starts_are_refused_with_the_reason() {
        let moves = moves_of(WIPE_OUT);
        assert_eq!(PlayedGame::new(&moves, 0, 0).expect("a game").score(), Score::new(64));
        let unfinished = PlayedGame::new(&moves[..8], 0, 0).expect_err("a move is missing");
        assert_eq!(unfinished.to_string(), "it has not ended: 52 squares are empty, and a move is possible");
        assert!(matches!(PlayedGame::new(&[], 0, 0), Err(PlayedGameError::Unfinished(60))));
        for (text, number) in [("a1", 1), ("e6e6", 2), ("e6f4e3f6g5d6e7f5c5a1", 10)] {
            let found = PlayedGame::new(&moves_of(text), 0, 0);
            assert!(matches!(found, Err(PlayedGameError::Illegal(n, _)) if n == number), "{found:?}");
        }
        let start: Position =
            "XO-------------------------------------------------------------- X".parse().expect("a board");
        assert_eq!(PlayedGame::of_record(&Game::from_position(start)), Err(PlayedGameError::OtherStart));
    }
}
