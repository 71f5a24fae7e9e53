//! Guides. The same pages can be read as Markdown files in `src/documentation/`; a test
//! runs every command in them and follows every link.

#[doc = include_str!("models.md")]
pub mod models {}

#[doc = include_str!("worlds.md")]
pub mod worlds {}

#[doc = include_str!("policy.md")]
pub mod policy {}

#[doc = include_str!("programs.md")]
pub mod programs {}

#[doc = include_str!("sessions.md")]
pub mod sessions {}

#[doc = include_str!("web.md")]
pub mod web {}

#[doc = include_str!("mcp_server.md")]
pub mod mcp_server {}

#[doc = include_str!("notebook.md")]
pub mod notebook {}

#[doc = include_str!("evaluation.md")]
pub mod evaluation {}

#[doc = include_str!("games.md")]
pub mod games {}

#[doc = include_str!("worksheets.md")]
pub mod worksheets {}

#[doc = include_str!("claims.md")]
pub mod claims {}

#[doc = include_str!("own_replies.md")]
pub mod own_replies {}

#[doc = include_str!("own_dataset.md")]
pub mod own_dataset {}

#[doc = include_str!("own_domain.md")]
pub mod own_domain {}

#[doc = include_str!("own_policy.md")]
pub mod own_policy {}

#[doc = include_str!("speed.md")]
pub mod speed {}

#[doc = include_str!("stepwise.md")]
pub mod stepwise {}

#[doc = include_str!("design.md")]
pub mod design {}

#[doc = include_str!("utterance.md")]
pub mod utterance {}

#[doc = include_str!("glossary.md")]
pub mod glossary {}
