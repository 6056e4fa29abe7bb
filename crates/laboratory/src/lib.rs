//! Where players are measured: matches between any two of them, and what their results say.
//!
//! [`arena`] lets players meet. It knows nothing of them but [`engine::Player`], which [`external`] programs
//! are as well. [`experiments`] are those of the papers.

pub mod arena;
pub mod experiments;
pub mod external;
