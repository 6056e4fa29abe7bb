//! Tests of the public interface, as one program: each program more would be linked, and generic code compiled for it, again.

mod desdemona;
mod every_player;
mod one_idea;
mod stopping;
