//! Tests of the public interface in one program: each additional program would be linked, and generic code compiled for
//! it, again.

mod enumeration;
mod parsers;
mod perft;
mod records_formats;
mod records_fuzz;
mod records_round_trip;
mod records_text;
mod stability;
