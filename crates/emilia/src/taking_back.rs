//! Taking back and playing again, as far as the person at the board means it.

use othello::{Color, Game, Rules};

/// Goes back to the last position in which a person moved; false, and no change, if there is none.
pub fn take_back<B: Rules>(game: &mut Game<B>, is_person: impl Fn(Color) -> bool) -> bool {
    let mut steps = 0;
    while game.undo().is_some() {
        steps += 1;
        if is_person(game.position().turn) {
            return true;
        }
    }
    for _ in 0..steps {
        game.redo();
    }
    false
}

/// Goes forward to the next position in which a person moves, or to the end; false if there is nothing to play again.
pub fn play_again<B: Rules>(game: &mut Game<B>, is_person: impl Fn(Color) -> bool) -> bool {
    let mut changed = false;
    while game.redo().is_some() {
        changed = true;
        if is_person(game.position().turn) {
            break;
        }
    }
    changed
}
