//! Arguments shared by several commands, and the error for invalid combinations.

mod board_shape;
mod contest_options;
mod farm_options;
mod game_conditions;
pub(crate) mod named_opening;
mod number;
mod opening_book;
mod opening_options;
mod output_path;
mod search_options;
mod served_player;
mod setting_options;
mod subject;
mod usage_error;

pub(crate) use board_shape::{BoardShape, any_board, searched_board, with_board, with_searched_board};
pub(crate) use contest_options::ContestOptions;
#[cfg(feature = "farm")]
pub(crate) use farm_options::ConnectionOptions;
pub(crate) use farm_options::FarmOptions;
pub(crate) use game_conditions::GameConditions;
pub(crate) use number::{any_number, number, parse_range};
pub(crate) use opening_book::{book_to_read, book_to_read_all, change_or_create, is_built_in, open_book, require_file};
pub(crate) use opening_options::OpeningOptions;
pub(crate) use output_path::{FileRoles, missing_file, output_format};
pub(crate) use search_options::{EvaluationArguments, SearchArguments, one_thread_per_core};
pub(crate) use served_player::ServedArguments;
pub(crate) use setting_options::{SettingOptions, named, print_settings};
pub(crate) use subject::{PositionWord, Subject, is_board, looks_like_path, position_of};
pub(crate) use usage_error::{UsageError, bail_usage, ensure_usage};
