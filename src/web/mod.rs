//! The agent behind the page of `dialog2api web`: [`web_desk::Desk`] over
//! [`service`](crate::service). It has no rule of its own.
//!
//! - `desk.rs` carries out what the page asks; work runs in tasks, and events tell what comes of
//!   it.
//! - `past.rs` tells a session that goes on.
//! - `browse.rs` and `state.rs` show worlds: those of S3, and those whose state is one JSON value.
//! - `find.rs` is what people look for in a world.
//! - `seats.rs` is apart: decision games whose people sit at pages.
//! - `wishes.rs` makes programs of what the buttons want, so that each has its plan;
//!   `received.rs` keeps the files that they upload.

mod browse;
mod desk;
mod find;
mod received;
mod seats;
mod state;
mod wishes;

pub use desk::{PageDesk, PageHost};
pub use received::MAX_UPLOAD;
pub use seats::{SeatPage, seats};
