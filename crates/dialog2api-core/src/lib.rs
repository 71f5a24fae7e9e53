//! What every part of dialog2api speaks of: programs and their outcomes ([`dialogue`]), what they
//! act on ([`domain`]), what runs them ([`exec`]), and the code that decides what an agent does
//! ([`conduct`]). It knows no model, no Python engine and no S3.
//!
//! A crate that brings an environment of its own (an S3, say) needs this one alone: it implements
//! [`World`](domain::World) and those parts of a [`Domain`](domain::Domain) that it has.

#![deny(missing_docs)]

pub mod blocking;
pub mod conduct;
pub mod dialogue;
pub mod domain;
pub mod error;
pub mod exec;
pub mod files;
pub mod lock;
pub mod message;

pub use error::{Error, ErrorKind, FailureReason, Result};
