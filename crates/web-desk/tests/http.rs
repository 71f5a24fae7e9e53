//! The server, by plain HTTP.

#[path = "support/mod.rs"]
mod support;

mod http {
    mod commands;
    mod events;
    mod gate;
    mod guard;
    mod visitor;
    mod world;
}
