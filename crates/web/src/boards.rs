//! The boards of the page.

use othello::{Board, CutBoard, SmallBoard};
use session::StudiedBoard;

use crate::client::BoardClient;
use crate::files::SavedBoard;
use crate::host::AnyClient;

/// A board of the page.
pub(crate) trait WebBoard: StudiedBoard + SavedBoard {
    /// The client of this board, if that is the board of the client.
    fn client(any: &mut AnyClient) -> Option<&mut BoardClient<Self>>;
}

macro_rules! boards_of_the_page {
    ($($name:ident: $board:ty),+) => {$(
        impl WebBoard for $board {
            fn client(any: &mut AnyClient) -> Option<&mut BoardClient<Self>> {
                if let AnyClient::$name(client) = any { Some(client) } else { None }
            }
        }
    )+};
}

boards_of_the_page!(Eight: Board, Six: SmallBoard<6>, Four: SmallBoard<4>, Cut: CutBoard);
