//! Names that most commands and their arguments use, for `use crate::prelude::*`.

pub(crate) use std::io::{self, Write};
pub(crate) use std::ops::{ControlFlow, RangeInclusive};
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::sync::Arc;
pub(crate) use std::time::Duration;

pub(crate) use anyhow::{Context as _, Result, anyhow, bail, ensure};
pub(crate) use clap::{Args, Subcommand};
pub(crate) use engine::{Estimate, Level, Limits, Stop};
pub(crate) use othello::json::{MoveSequence, SquareName};
pub(crate) use othello::{Board, Color, Game, Position, Rules, Square};
pub(crate) use players::book_settings::BookChoice;
pub(crate) use players::weights::{self as weights_choice, WeightsChoice, with_evaluation};
pub(crate) use players::{PlayableBoard, Registry};
pub(crate) use records::files::{RecordedBoard, STANDARD_STREAM};
pub(crate) use records::{Format, GameRecord, opening_names};
pub(crate) use report::look::Look;
pub(crate) use search::CompiledSearch;
pub(crate) use serde::Serialize;
pub(crate) use storage::whole_file;
pub(crate) use terminal::live_line::LiveLine;
pub(crate) use terminal::wrapping;

pub(crate) use crate::arguments::{
    BoardShape, FarmOptions, FileRoles, PositionWord, Subject, UsageError, any_board, any_number, bail_usage,
    ensure_usage, named_opening, number, one_thread_per_core, with_board,
};
pub(crate) use crate::commands::{Environment, run_one};
pub(crate) use crate::interrupt::{self, Interrupted};
pub(crate) use crate::output::{self, BadRecords, Progress, counted, grouped};
