//! Journals: what happens in, what is known of it afterwards out.
//!
//! - `lab`: a scripted agent whose programs are calls, and its sessions as text
//! - `log`: bytes cut off at every place, changed at every place
//! - `values`: values and contents come back
//! - `sessions`: what a journal tells; names, locks, lists
//! - `resume`: a session cut off after every entry ends as one that was not
//! - `commands`: the same, as people and scripts see it
//! - `kill`: a process that is killed loses nothing that it was told is kept
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

#[path = "plan/lab.rs"]
#[allow(dead_code, reason = "each test binary uses its own part")]
mod calls;
#[path = "journal/commands.rs"]
mod commands;
#[path = "journal/kill.rs"]
mod kill;
#[path = "journal/lab.rs"]
mod lab;
#[path = "journal/log.rs"]
mod log;
#[path = "journal/resume.rs"]
mod resume;
#[path = "journal/sessions.rs"]
mod sessions;
#[path = "journal/values.rs"]
mod values;
