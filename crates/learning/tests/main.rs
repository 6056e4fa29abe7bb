//! Tests of the public interface, as one program: each program more would be linked, and generic code compiled for it, again.

mod game_store;
mod labeling;
