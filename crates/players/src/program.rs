//! A program as it registers itself: its players and its data files.

use storage::DataFile;

use crate::entry::Entries;

/// A program with one or more players.
///
/// ```
/// use engine::RandomPlayer;
/// use engine::settings::NoSettings;
/// use othello::Board;
/// use players::{Entries, Entry, PlayerOptions, Program, Registry};
///
/// let make = |_: NoSettings, options: &PlayerOptions| Ok(RandomPlayer::new(options.seed));
/// let monkey = Program {
///     name: "monkey",
///     description: "plays without a plan",
///     paper: "none",
///     entries: Entries::of_8x8(Entry::new("monkey", "plays random legal moves", make)),
///     data_files: Vec::new(),
/// };
/// let registry = Registry::new(vec![monkey])?;
/// let names: Vec<_> = registry.entries::<Board>().iter().map(|entry| entry.name).collect();
/// assert_eq!(names, ["emilia", "monkey", "random"]);
/// # Ok::<(), players::RegistryError>(())
/// ```
#[derive(Debug)]
pub struct Program {
    /// Name, unique among programs.
    pub name: &'static str,
    /// Description in one line.
    pub description: &'static str,
    /// The publication that describes the program.
    pub paper: &'static str,
    /// Its players on each board.
    pub entries: Entries,
    /// The data files that its players load.
    pub data_files: Vec<&'static DataFile>,
}
