//! Tests of the public interface, as one program: each additional one would be linked separately and compile generic
//! code again.

mod desdemona;
mod every_player;
mod one_idea;
mod stopping;
mod tables;
