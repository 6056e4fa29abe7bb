//! The experiments of the papers, and ours: every table and figure with the paper's numbers next to what is measured
//! here.

pub mod experiments;
mod figure_plot;
pub mod pages;
