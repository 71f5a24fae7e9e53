//! Programs that mean harm, in the real sandbox against an embedded world.
//!
//! What belongs here: `hostile/*.py`, one attempt each, whose first line says what it
//! tries and what must come of it; what they get is in `hostile/GROUP.out`. After each the
//! next program runs as if it had not been there. Beside them: requests that no guest of
//! ours would send, and what stays in memory for a later instance. Nonsense as a parameter
//! of S3's operations belongs in `tests/conformance/hostile.txt`, each limit by itself in
//! `tests/exec/limits.rs`.

mod program;
mod programs;
mod requests;
mod secrets;
mod terminal;
mod world;
