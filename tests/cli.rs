//! The command as users and scripts see it: arguments in, output and exit code out. The
//! configuration of the machine is not read.

mod assisted;
pub mod chat;
mod claims;
mod clock;
mod costly;
mod ctrl_c;
mod cut_off;
mod dataset;
mod doctor;
mod doubts;
mod eval;
mod export;
mod far_kills;
mod file_kills;
mod files;
mod game;
mod interchange;
pub mod interrupted;
mod large_objects;
mod links;
mod long_plans;
mod mcp_servers;
mod model;
mod own_dataset;
mod own_domain;
mod plans;
mod policy;
mod policy_check;
mod providers;
mod replay;
mod run;
mod servers;
pub mod support;
mod terminal;
mod worksheet;
mod world;
