//! A game: moves from a start position, with passes, undo, redo and branches.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::{Board, Color, Position, Rules, Score, Square, squares};

/// A game as a tree of moves from a start position, with a current node.
///
/// A pass is forced, so the game makes it automatically: after every move the side to move in [`Game::position`] has a
/// legal move, unless the game is over.
///
/// Undone moves are kept. Playing a different move than the one undone opens a branch; [`Game::redo`] follows the
/// branch that was visited last, and [`Game::branches`] lists all of them.
///
/// ```
/// use othello::{Game, Square};
///
/// let mut game = Game::new();
/// for name in ["f5", "d6", "c3"] {
///     game.play(name.parse()?)?;
/// }
/// assert_eq!(game.undo(), Some("c3".parse()?));
/// game.play("c5".parse()?)?;
/// game.undo();
/// assert_eq!(game.branches(), ["c3".parse()?, "c5".parse::<Square>()?]);
/// assert_eq!(game.redo(), Some("c5".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Game<B: Rules = Board> {
    start: Position<B>,
    /// The tree; the first node is the start position, and parents come before their children.
    nodes: Vec<Node<B>>,
    current: u32,
}

/// A position of the tree and the move that led to it.
///
/// Children are a linked list, so that nodes have a fixed size and a game without branches costs one allocation.
#[derive(Clone, Copy)]
struct Node<B> {
    /// The position after the move, and after the pass if one had to follow.
    position: Position<B>,
    /// The move; without a meaning in the first node.
    square: Square,
    parent: u32,
    first_child: u32,
    next_sibling: u32,
    /// The child that redo leads to.
    visited: u32,
}

/// The index that means "no node".
const NONE: u32 = u32::MAX;

fn link(node: u32) -> Option<u32> {
    (node != NONE).then_some(node)
}

impl<B: Rules> Node<B> {
    /// A node without children at a position, or after the pass if its side to move has to pass.
    fn new(position: Position<B>, square: Square, parent: u32) -> Self {
        let position = if position.board.must_pass() { position.pass() } else { position };
        Self { position, square, parent, first_child: NONE, next_sibling: NONE, visited: NONE }
    }
}

/// A turn of a game: a move, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// The side whose turn it was.
    pub color: Color,
    /// The square it played on, or `None` if it had to pass.
    pub square: Option<Square>,
}

/// A move that the rules do not allow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IllegalMoveError(String);

impl Error for IllegalMoveError {}

impl fmt::Display for IllegalMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl IllegalMoveError {
    /// The reason why this move cannot be played in this position.
    pub fn new<B: Rules>(position: &Position<B>, square: Square) -> Self {
        let geometry = B::GEOMETRY;
        let on_board = geometry.playable >> square.index() & 1 == 1;
        let name = if on_board { geometry.square_name(square) } else { square.to_string() };
        let legal: Vec<_> = squares(position.board.moves()).map(|square| geometry.square_name(square)).collect();
        Self(if !on_board {
            format!("the {} board has no square {name}", geometry.name)
        } else if legal.is_empty() {
            format!("the game is over; {name} cannot be played")
        } else if position.disc_at(square).is_some() {
            format!("{name} is taken; legal moves: {}", legal.join(" "))
        } else {
            format!("{name} flips nothing; legal moves: {}", legal.join(" "))
        })
    }
}

impl Game {
    /// A game from the start position of the 8x8 board.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<B: Rules> Default for Game<B> {
    fn default() -> Self {
        Self::from_position(Position::start())
    }
}

impl<B: Rules> Game<B> {
    /// A game from any position. If its side to move has to pass, the pass is the first ply.
    pub fn from_position(start: Position<B>) -> Self {
        Self { start, nodes: vec![Node::new(start, Square::new(0), NONE)], current: 0 }
    }

    /// A game of these moves from a position, passes left out; an error includes the index of the illegal move.
    pub fn from_moves(
        start: Position<B>,
        moves: impl IntoIterator<Item = Square>,
    ) -> Result<Self, (usize, IllegalMoveError)> {
        let mut game = Self::from_position(start);
        for (index, square) in moves.into_iter().enumerate() {
            game.play(square).map_err(|error| (index, error))?;
        }
        Ok(game)
    }

    /// The position that the game began with.
    pub fn start(&self) -> Position<B> {
        self.start
    }

    /// The current position: the side to move can move, unless the game is over.
    pub fn position(&self) -> Position<B> {
        self.node().position
    }

    /// Plays a move of the side to move.
    ///
    /// A move that was recorded before from this position is followed; any other opens a branch.
    pub fn play(&mut self, square: Square) -> Result<(), IllegalMoveError> {
        let parent = self.current;
        let known = self.children(parent).find(|&child| self.nodes[child as usize].square == square);
        if let Some(child) = known {
            self.nodes[parent as usize].visited = child;
            self.current = child;
            return Ok(());
        }

        let position = self.position();
        let after = position.play(square).ok_or_else(|| IllegalMoveError::new(&position, square))?;
        if self.nodes.len() == 1 {
            // Most games are played to the end: one allocation then holds all their moves.
            self.nodes.reserve_exact(B::GEOMETRY.area() as usize - 4);
        }
        let new = self.nodes.len() as u32;
        match self.children(parent).last() {
            None => self.nodes[parent as usize].first_child = new,
            Some(last) => self.nodes[last as usize].next_sibling = new,
        }
        self.nodes.push(Node::new(after, square, parent));
        self.nodes[parent as usize].visited = new;
        self.current = new;
        Ok(())
    }

    /// Takes back the last move, and the pass after it if there was one; the move is returned.
    pub fn undo(&mut self) -> Option<Square> {
        let Node { square, parent, .. } = *self.node();
        self.current = link(parent)?;
        Some(square)
    }

    /// Replays the move that was visited last from the current position, and returns it.
    pub fn redo(&mut self) -> Option<Square> {
        self.current = link(self.node().visited)?;
        Some(self.node().square)
    }

    /// Goes back to the start position.
    pub fn rewind(&mut self) {
        self.current = 0;
    }

    /// Goes to the end of the current line, like repeated [`Game::redo`].
    pub fn forward(&mut self) {
        while self.redo().is_some() {}
    }

    /// The moves that are recorded from the current position, in the order in which they were added.
    pub fn branches(&self) -> Vec<Square> {
        self.children(self.current).map(|child| self.nodes[child as usize].square).collect()
    }

    /// The moves from the start to the current position, without passes.
    pub fn moves(&self) -> Vec<Square> {
        self.path().iter().skip(1).map(|&node| self.nodes[node as usize].square).collect()
    }

    /// The moves of the whole current line: those played, then those that [`Game::redo`] would play.
    pub fn line(&self) -> Vec<Square> {
        let next = |node: u32| link(self.nodes[node as usize].visited);
        let undone = core::iter::successors(next(self.current), |&node| next(node));
        self.path().into_iter().skip(1).chain(undone).map(|node| self.nodes[node as usize].square).collect()
    }

    /// The moves and passes from the start to the current position.
    pub fn plies(&self) -> Vec<Ply> {
        let mut plies = Vec::new();
        let mut turn = self.start.turn;
        for (index, &node) in self.path().iter().enumerate() {
            let Node { position, square, .. } = self.nodes[node as usize];
            if index > 0 {
                plies.push(Ply { color: turn, square: Some(square) });
                turn = !turn;
            }
            if position.turn != turn {
                plies.push(Ply { color: turn, square: None });
                turn = !turn;
            }
        }
        plies
    }

    /// The positions from the start to the current one, one for each move.
    ///
    /// The first is [`Game::start`], after the pass if the first side has to pass, so that a move was played in every
    /// position but the last.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position<B>> + ExactSizeIterator + '_ {
        self.path().into_iter().map(|node| self.nodes[node as usize].position)
    }

    /// The number of moves from the start to the current position, passes not counted.
    pub fn move_count(&self) -> usize {
        self.path().len() - 1
    }

    /// Whether neither side can move in the current position.
    pub fn is_over(&self) -> bool {
        !self.position().board.can_move()
    }

    /// Black's final score, if the game is over.
    pub fn score(&self) -> Option<Score> {
        self.is_over().then(|| self.position().black_score())
    }

    /// Follows the first branch everywhere, and goes to the end of that line.
    pub fn follow_first_branches(&mut self) {
        for node in &mut self.nodes {
            node.visited = node.first_child;
        }
        self.rewind();
        self.forward();
    }

    fn node(&self) -> &Node<B> {
        &self.nodes[self.current as usize]
    }

    fn path(&self) -> Vec<u32> {
        let mut path = Vec::with_capacity(61);
        path.extend(core::iter::successors(Some(self.current), |&node| link(self.nodes[node as usize].parent)));
        path.reverse();
        path
    }

    fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let first = link(self.nodes[node as usize].first_child);
        core::iter::successors(first, |&child| link(self.nodes[child as usize].next_sibling))
    }
}

/// Games are equal if they have the same start, the same moves and branches, the same current line and the same
/// position in it; the order in which branches were added does not matter.
impl<B: Rules> PartialEq for Game<B> {
    fn eq(&self, other: &Self) -> bool {
        if self.start != other.start || self.nodes.len() != other.nodes.len() || self.moves() != other.moves() {
            return false;
        }
        // The move that redo leads to, and the branches in the order of their moves.
        let branches = |game: &Self, node: u32| -> (Option<Square>, Vec<Square>, Vec<u32>) {
            let square = |node: u32| game.nodes[node as usize].square;
            let mut children: Vec<u32> = game.children(node).collect();
            children.sort_unstable_by_key(|&child| square(child));
            let visited = link(game.nodes[node as usize].visited).map(square);
            (visited, children.iter().map(|&child| square(child)).collect(), children)
        };
        let mut pairs = vec![(0, 0)];
        while let Some((mine, theirs)) = pairs.pop() {
            let (mine, theirs) = (branches(self, mine), branches(other, theirs));
            if (&mine.0, &mine.1) != (&theirs.0, &theirs.1) {
                return false;
            }
            pairs.extend(mine.2.into_iter().zip(theirs.2));
        }
        true
    }
}

impl<B: Rules> Eq for Game<B> {}

impl<B: Rules> fmt::Debug for Game<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |squares: Vec<Square>| -> String {
            squares.into_iter().map(|square| B::GEOMETRY.square_name(square)).collect()
        };
        f.debug_struct("Game")
            .field("start", &self.start.to_string())
            .field("moves", &names(self.moves()))
            .field("line", &names(self.line()))
            .field("recorded", &(self.nodes.len() - 1))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SmallBoard;

    fn squares_of(text: &str) -> Vec<Square> {
        text.split(' ').map(|name| name.parse().expect("a square")).collect()
    }

    fn play_all(game: &mut Game, text: &str) {
        for square in squares_of(text) {
            game.play(square).expect("a legal move");
        }
    }

    /// The shortest game in which Black wipes White out.
    const WIPE_OUT: &str = "e6 f4 e3 f6 g5 d6 e7 f5 c5";

    #[test]
    fn a_wipe_out_ends_the_game_with_every_square_for_the_winner() {
        let mut game = Game::new();
        play_all(&mut game, WIPE_OUT);
        assert!(game.is_over());
        assert_eq!(game.score(), Some(Score::new(64)));
        let error = game.play("a1".parse().expect("a square")).expect_err("the game is over");
        assert_eq!(error.to_string(), "the game is over; a1 cannot be played");
    }

    #[test]
    fn an_illegal_move_is_refused_with_the_legal_ones_and_changes_nothing() {
        let mut game = Game::new();
        let before = game.clone();
        for (square, message) in
            [("e4", "e4 is taken; legal moves: d3 c4 f5 e6"), ("a1", "a1 flips nothing; legal moves: d3 c4 f5 e6")]
        {
            assert_eq!(game.play(square.parse().expect("a square")).expect_err("illegal").to_string(), message);
        }
        assert_eq!(game, before);
        let mut small = Game::<SmallBoard<4>>::default();
        for index in [0, 63, 64, 127] {
            let message = small.play(Square::new(index)).expect_err("off the board").to_string();
            assert!(message.contains("has no square"), "{message}");
        }
    }

    #[test]
    fn passes_are_made_automatically() {
        // White has no move, so Black plays twice; then White's last disc is gone.
        let start: Position =
            "XO-XO----------------------------------------------------------- X".parse().expect("a board");
        let mut game = Game::from_position(start);
        play_all(&mut game, "c1");
        assert_eq!(game.position().turn, Color::Black);
        play_all(&mut game, "f1");
        assert!(game.is_over());
        let colors: Vec<_> = game.plies().iter().map(|ply| (ply.color.disc(), ply.square.is_some())).collect();
        assert_eq!(colors, [('X', true), ('O', false), ('X', true)]);
        assert_eq!(game.moves(), squares_of("c1 f1"));
        assert_eq!(game.positions().len(), 3);
        assert_eq!(game.undo(), Some("f1".parse().expect("a square")));
        assert_eq!(game.position().turn, Color::Black);
        assert_eq!(game.undo(), Some("c1".parse().expect("a square")));
        assert_eq!(game.position(), start);
        assert_eq!(game.undo(), None);
    }

    #[test]
    fn a_start_whose_side_must_pass_begins_with_the_pass() {
        let start: Position =
            "XO-------------------------------------------------------------- O".parse().expect("a board");
        let mut game = Game::from_position(start);
        assert_eq!(game.start(), start);
        assert_eq!(game.position(), start.pass());
        assert_eq!(game.plies(), [Ply { color: Color::White, square: None }]);
        play_all(&mut game, "c1");
        assert_eq!(game.plies().len(), 2);
        assert_eq!(game.score(), Some(Score::new(64)));
    }

    #[test]
    fn branches_are_kept_and_redo_follows_the_last_one() {
        let mut game = Game::new();
        play_all(&mut game, "f5 d6 c3");
        game.rewind();
        play_all(&mut game, "f5 f6");
        assert_eq!(game.redo(), None);
        game.undo();
        assert_eq!(game.branches(), squares_of("d6 f6"));
        assert_eq!(game.line(), squares_of("f5 f6"));
        play_all(&mut game, "d6");
        assert_eq!(game.line(), squares_of("f5 d6 c3"));
        game.forward();
        assert_eq!(game.moves(), squares_of("f5 d6 c3"));
    }

    #[test]
    fn games_are_equal_whatever_the_order_of_their_branches() {
        let mut one = Game::new();
        play_all(&mut one, "f5 d6 c3");
        one.rewind();
        play_all(&mut one, "c4 c3");
        let mut other = Game::new();
        play_all(&mut other, "c4 c3");
        other.rewind();
        play_all(&mut other, "f5 d6 c3");
        assert_ne!(one, other);
        other.rewind();
        play_all(&mut other, "c4 c3");
        assert_eq!(one, other);
        other.undo();
        assert_ne!(one, other);
        play_all(&mut other, "e3");
        assert_ne!(one, other);
    }
}
