//! Real runs of the program: what it prints, where, and with which exit code.

// In a test, `pub` only says that another of its files uses the item.
#![allow(unreachable_pub)]

mod analyze;
mod bench;
mod book;
mod book_building;
mod book_playing;
mod books;
mod cases;
mod command_line;
mod config;
mod contest;
mod conversation;
mod convert;
mod cycle;
mod eval;
mod explore;
mod external_players;
mod gtp;
mod hint;
mod hosts;
mod inspect;
mod json;
mod lab;
mod learn;
mod learn_label;
mod manual;
mod nboard;
mod play;
#[cfg(target_os = "linux")]
mod quarry;
mod run;
mod safety;
mod screen;
mod serve;
mod show;
#[cfg(target_os = "linux")]
mod signals;
mod solve;
mod study;
mod tmux;
mod widths;
#[path = "../../../../xtask/src/wildcards.rs"]
mod wildcards;
