//! Tokens, and patterns over them.

pub(crate) mod pattern;
pub(crate) mod token;

pub(crate) use pattern::{Classes, Hit, Set};
pub(crate) use token::{Shape, Token, key, tokens};
