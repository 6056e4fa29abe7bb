//! Arguments shared by several commands, and the error for invalid combinations.

pub mod board_shape;
pub mod contest_options;
pub mod farm_options;
pub mod game_conditions;
pub mod named_opening;
pub mod number;
pub mod opening_book;
pub mod opening_options;
pub mod output_path;
pub mod position_word;
pub mod search_options;
pub mod served_player;
pub mod subject;
pub mod usage_error;
