//! The exchange format.
#![allow(unused_variables)]
use super::*;
/// The most that is read of a model's answer, in bytes (256 KiB).
pub const MAX_MODEL_TEXT: usize = 256 * 1024;
/// Why a text could not be understood, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct FormatError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What was expected, and what is there.
    pub problem: String,
}
/// Writes a stack.
pub fn write_stack(stack: &Stack) -> String {
    todo!()
}
/// Writes updates.
pub fn write_updates(updates: &[Update]) -> String {
    todo!()
}
/// Writes a reply.
pub fn write_reply(reply: &str) -> String {
    todo!()
}
/// Writes a conversation.
pub fn write_conversation(conversation: &Conversation) -> String {
    todo!()
}
/// Reads updates.
pub fn read_updates(text: &str) -> Result<Vec<Update>, FormatError> {
    todo!()
}
/// Reads a reply.
pub fn read_reply(text: &str) -> Result<String, FormatError> {
    todo!()
}
/// Reads a stack.
pub fn read_stack(text: &str) -> Result<Stack, FormatError> {
    todo!()
}
/// Reads a conversation.
pub fn read_conversation(text: &str) -> Result<Conversation, FormatError> {
    todo!()
}
