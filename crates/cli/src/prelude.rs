//! Names that most commands and their arguments use, for `use crate::prelude::*`.

pub(crate) use std::io::{self, Write};
pub(crate) use std::path::{Path, PathBuf};
pub(crate) use std::sync::Arc;
pub(crate) use std::time::Duration;

pub(crate) use anyhow::{Context as _, Result, anyhow, bail, ensure};
pub(crate) use clap::{Args, Subcommand};
pub(crate) use engine::{Level, Limits, Stop};
pub(crate) use players::Registry;
pub(crate) use records::files::STANDARD_STREAM;
pub(crate) use report::look::Look;
pub(crate) use serde::Serialize;
pub(crate) use storage::whole_file;
pub(crate) use terminal::live_line::LiveLine;
pub(crate) use terminal::wrapping;

pub(crate) use crate::arguments::{
    BoardShape, FarmOptions, FileRoles, PositionWord, Subject, UsageError, any_board, any_number, bail_usage,
    ensure_usage, number, one_thread_per_core, with_board,
};
pub(crate) use crate::commands::{Environment, run_one};
pub(crate) use crate::interrupt::{self, Interrupted};
pub(crate) use crate::output::{self, BadRecords, Progress, counted, grouped};
