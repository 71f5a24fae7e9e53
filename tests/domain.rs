//! Domains as data: one made while the program runs, driven through everything that acts on
//! a domain.
//!
//! What belongs here: what is true of every domain. What S3 does is in `crates/s3-world/tests`.

mod agent;
mod places;
mod stepwise;
mod todo;
