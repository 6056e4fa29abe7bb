//! Arguments shared by several commands, and the error for invalid combinations.

pub(crate) mod board_shape;
pub(crate) mod contest_options;
pub(crate) mod farm_options;
pub(crate) mod game_conditions;
pub(crate) mod named_opening;
pub(crate) mod number;
pub(crate) mod opening_book;
pub(crate) mod opening_options;
pub(crate) mod output_path;
pub(crate) mod position_word;
pub(crate) mod search_options;
pub(crate) mod served_player;
pub(crate) mod setting_options;
pub(crate) mod subject;
pub(crate) mod usage_error;
