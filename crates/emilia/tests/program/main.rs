//! Real runs of the program: what it prints, where, and with which exit code.

// A test has no outside: `pub` says here that another of its files uses the item.
#![allow(unreachable_pub)]

mod analyze;
mod bench;
mod book;
mod book_building;
mod book_playing;
mod command_line;
mod config;
mod contest;
mod conversation;
mod convert;
mod cycle;
mod eval;
mod explore;
mod external_players;
mod games;
mod gtp;
mod hint;
mod hosts;
mod inspect;
mod json;
mod lab;
mod learn;
mod learn_label;
mod logistello;
mod manual;
mod nboard;
mod perft;
mod play;
mod puzzle;
#[cfg(target_os = "linux")]
mod quarry;
mod run;
mod safety;
mod screen;
mod serve;
mod show;
mod signals;
mod solve;
mod study;
mod tmux;
mod widths;
