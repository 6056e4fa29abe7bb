//! The experiments of the papers, and our own: every table and figure with the paper's numbers next to ours.

pub mod experiments;
mod figure_plot;
pub mod pages;
