//! Conversations by worksheets, with a scripted model: what is said, text in, text out.

mod archive;
mod cases;
mod changed_sheets;
mod chat;
mod consent;
mod dialogues;
mod hostile_backend;
mod hostile_values;
mod judged;
mod lab;
mod open_questions;
mod page;
mod plain;
mod queries;
mod repeated;
mod rows;
mod sessions;
mod undo;
mod undo_in_part;
