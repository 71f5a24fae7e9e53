//! The dialogue core from outside: text in, text out.
//!
//! - `program`: which `?n` is a placeholder, and what code a text holds
//! - `stack`: one test for each status rule, and the sentence of each refusal
//! - `model`: what a chat model may say, and what it hears when it is not understood
//! - `file`: dataset files, strict and byte for byte
//! - `properties`: random updates, random dialogues, random text

mod file;
mod model;
mod program;
mod properties;
mod stack;
