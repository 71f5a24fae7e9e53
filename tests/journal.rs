//! Journals: what happens in, what is known of it afterwards out.
//!
//! - `lab`: a scripted agent whose programs are calls, and its sessions as text
//! - `log`: bytes cut off at every place, changed at every place
//! - `values`: values and contents come back
//! - `sessions`: what a journal tells; names, locks, lists
//! - `resume`: a session cut off after every entry ends as one that was not
//! - `commands`: the same, as people and scripts see it
//! - `kill`: a process that is killed loses nothing that it was told is kept
//! - `killed`: the program itself, killed wherever it is, and resumed
//! - `undo`: `dialog2api session undo`
//! - `replays`: `dialog2api session replay` of sessions with the real sandbox
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "plan/lab.rs"]
#[allow(dead_code, reason = "each test binary uses its own part")]
mod calls;
#[path = "journal/chats.rs"]
mod chats;
#[path = "journal/commands.rs"]
mod commands;
#[path = "journal/kill.rs"]
mod kill;
#[cfg(target_os = "linux")]
#[path = "journal/killed.rs"]
mod killed;
#[path = "journal/lab.rs"]
mod lab;
#[path = "journal/log.rs"]
mod log;
#[path = "journal/replays.rs"]
mod replays;
#[path = "journal/resume.rs"]
mod resume;
#[allow(dead_code, reason = "each test binary uses its own part")]
#[path = "support/scripted_http.rs"]
mod scripted_http;
#[path = "journal/sessions.rs"]
mod sessions;
#[path = "journal/undo.rs"]
mod undo;
#[path = "journal/values.rs"]
mod values;
