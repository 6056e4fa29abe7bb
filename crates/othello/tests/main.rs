//! Tests of the public interface in one program: each additional program would be linked, and generic code compiled for
//! it, again.

mod enumeration;
mod perft;
mod stability;
