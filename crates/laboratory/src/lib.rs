//! Where players are measured: matches between any two of them, and what their results say.
//!
//! [`arena`] lets players meet. It knows nothing of them but [`engine::Player`].

pub mod arena;
