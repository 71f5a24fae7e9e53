//! The loop of a turn, the prompts of the model, and the choice of examples.

mod aids;
mod asked;
mod conducts;
mod cut_off;
mod dates;
mod deeds;
mod deeds_of_others;
mod dry_run;
mod examples;
mod fake;
mod layers;
mod lints;
mod long;
mod nonsense;
mod normalizers;
mod overseen;
mod prompts;
mod reply_checks;
mod retrieval;
mod rows;
mod sharing;
mod shown;
mod trained;
mod turns;
mod unknown_calls;
mod waiting;
