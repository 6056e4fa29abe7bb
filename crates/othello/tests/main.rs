//! Tests of the public interface, as one program: each program more would be linked, and generic code compiled for it, again.

mod enumeration;
mod parsers;
mod perft;
mod records_formats;
mod records_fuzz;
mod records_round_trip;
mod stability;
