//! Programs that mean harm, in the real sandbox against an embedded world.
//!
//! `hostile/*.py` has one attempt in each file. Its first line says what it tries and how it
//! must end; `hostile/GROUP.out` has the outcomes. After each attempt the next program runs
//! as if nothing had happened. Two more files send requests that our guest never would, and
//! look for memory that a later instance could read. Nonsense as a parameter of S3's
//! operations belongs in `tests/conformance/hostile.txt`, each limit by itself in
//! `tests/exec/limits.rs`.

mod program;
mod programs;
mod requests;
mod secrets;
mod terminal;
mod world;
