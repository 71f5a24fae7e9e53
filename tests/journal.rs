//! Journals: what happens in, what is known of it afterwards out.
//!
//! - `lab`: a scripted agent whose programs are calls, and its sessions as text
//! - `log`: bytes cut off at every place, changed at every place
//! - `values`: values and contents come back
//! - `sessions`: what a journal tells; names, locks, lists
//! - `resume`: a session cut off after every entry ends as one that was not
//! - `bound`: a session is bound to its world, and to the folders that its plans have named
//! - `commands`: the same, as people and scripts see it
//! - `kill`: a process that is killed loses nothing that it was told is kept
//! - `killed`: the program itself, killed wherever it is, and resumed
//! - `undo`: `dialog2api session undo`
//! - `undo_in_part`: what an undo of a part leaves
//! - `undo_policy`: which policy holds for an undo
//! - `replays`: `dialog2api session replay` of sessions with the real sandbox

mod bound;
mod chats;
mod commands;
mod gaps;
mod kill;
#[cfg(target_os = "linux")]
mod killed;
pub mod lab;
mod log;
mod replays;
mod resume;
mod sessions;
mod undo;
mod undo_in_part;
mod undo_policy;
mod values;
