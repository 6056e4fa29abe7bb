//! Tests of the public interface in one program: each additional program would be linked, and generic code compiled for
//! it, again.

mod cases;
mod formats;
mod fuzz;
mod parsers;
mod round_trip;
mod text;
