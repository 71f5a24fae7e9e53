//! Conversations by worksheets, with a scripted model: what is said, text in, text out.

mod archive;
mod chat;
mod dialogues;
mod lab;
mod page;
mod rows;
mod sessions;
mod undo;
