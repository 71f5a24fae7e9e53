//! Amazon S3 without Amazon: an S3 in memory, one in a folder, and any S3 server, all as
//! [`World`](domain::World)s with one behaviour; and each of them as a server for the clients that
//! people have ([`serve`]). Answers, errors and refusals are those that boto3 gets from S3.
//!
//! ```
//! use s3_world::domain::{Value, World};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> s3_world::error::Result<()> {
//! let world = s3_world::open("zoology")?.world;
//! let answer = world.call("list_buckets", &Value::Map(Vec::new())).await?;
//! assert!(answer.is_ok());
//! # Ok(())
//! # }
//! ```

#![deny(missing_docs)]

mod ahead;
pub mod api;
pub mod aws;
mod batch;
mod bucket_traits;
mod caller;
pub mod canonical;
pub mod change;
mod checks;
pub mod clock;
mod contents;
#[doc = include_str!("divergences.md")]
pub mod divergences {}
mod digests;
mod facts;
pub mod files;
mod gathered;
mod guarded;
mod images;
mod inside;
mod lasting;
mod later;
mod let_in;
mod links;
mod listed_marks;
mod listed_names;
mod made;
mod made_again;
mod markers;
pub mod memory;
mod moved;
pub mod names;
mod null_versions;
mod object_images;
mod object_words;
mod opens;
pub mod operations;
pub mod overlay;
mod pages;
pub mod params;
mod planning;
mod planning_settings;
mod refusal;
pub mod remote;
mod reset;
mod resources;
mod seen;
mod seen_settings;
mod selection;
pub mod serve;
mod setting_json;
mod setting_kind;
pub mod show;
mod signing;
mod touches;
mod upload_list;
mod uploads;
mod version_list;
mod warnings;
pub mod world;
mod worlds;

pub use ahead::{AheadLimits, ReadingAhead};
pub use let_in::{Party, who_is_let_in};
pub use memory::Memory;
pub use operations::OPERATIONS;
pub use overlay::Overlay;
pub use planning::S3Planning;
pub use remote::{AccessKey, Remote, RemoteOptions};
pub use world::open;

use dialog2api_core::{blocking, lock};
pub use dialog2api_core::{domain, error};

pub use error::{Error, ErrorKind, FailureReason, Result};

use domain::{Domain, DomainApi, Effects, Handle, Words};
use std::sync::{Arc, LazyLock};

/// The domain `s3`, without examples and adapters for models.
pub static S3: LazyLock<Arc<Domain>> = LazyLock::new(|| Arc::new(domain()));

/// The client that programs see, in reading order: one module, kept in several files.
const CLIENT: &str = concat!(
    include_str!("client/tables.py"),
    "\n",
    include_str!("client/errors.py"),
    "\n",
    include_str!("client/shapes.py"),
    "\n",
    include_str!("client/validate.py"),
    "\n",
    include_str!("client/times.py"),
    "\n",
    include_str!("client/dateutil_zones.py"),
    "\n",
    include_str!("client/dateutil_relative.py"),
    "\n",
    include_str!("client/dateutil_parser.py"),
    "\n",
    include_str!("client/body.py"),
    "\n",
    include_str!("client/jmespath_errors.py"),
    "\n",
    include_str!("client/jmespath_functions.py"),
    "\n",
    include_str!("client/jmespath_parser.py"),
    "\n",
    include_str!("client/config.py"),
    "\n",
    include_str!("client/pages.py"),
    "\n",
    include_str!("client/waiters.py"),
    "\n",
    include_str!("client/files.py"),
    "\n",
    include_str!("client/transfer.py"),
    "\n",
    include_str!("client/transfer_class.py"),
    "\n",
    include_str!("client/large.py"),
    "\n",
    include_str!("client/events.py"),
    "\n",
    include_str!("client/calls.py"),
    "\n",
    include_str!("client/resources_table.py"),
    "\n",
    include_str!("client/resources.py"),
    "\n",
    include_str!("client/collections.py"),
    "\n",
    include_str!("client/resource_methods.py"),
    "\n",
    include_str!("client/modules.py"),
    "\n",
    include_str!("client/rehearsal.py"),
    "\n",
);

fn domain() -> Domain {
    Domain {
        name: "s3".into(),
        api: DomainApi {
            document: selection::CORE.into(),
            selection: Some(Arc::new(selection::ChosenParts::default())),
            client: CLIENT.into(),
            handle: Some(Handle {
                name: "s3".into(),
                helpers: operations::HELPERS
                    .iter()
                    .map(|name| (*name).into())
                    .collect(),
                callers_by_name: vec!["get_paginator".into()],
                sources: vec!["boto3".into(), "boto3.session".into()],
                makers: vec![("resource".into(), "ServiceResource".into())],
                kinds: resources::kinds(),
            }),
            operations: {
                let mut operations = operations::all();
                operations.extend(links::operations());
                operations
            },
            pages: Some(Arc::new(pages::S3Pages)),
            ..DomainApi::default()
        },
        words: Words {
            container: "bucket".into(),
            containers: "buckets".into(),
            record: "object".into(),
            records: "objects".into(),
        },
        worlds: Some(Arc::new(worlds::S3Worlds)),
        effects: Effects {
            touches: Some(Arc::new(touches::S3Touches)),
            planning: Some(files::ungranted(Arc::new(S3Planning))),
            ..Effects::default()
        },
        contents: Some(Arc::new(contents::S3Contents)),
        facts: Some(Arc::new(facts::S3Facts)),
        ..Domain::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the operations that the API document describes.
    fn described() -> impl Iterator<Item = &'static str> {
        let lines = include_str!("../api-docs/s3.pyi").lines();
        lines
            .filter_map(|line| line.trim_start().strip_prefix("def ")?.split_once('('))
            .map(|(name, _)| name)
            .filter(|name| !matches!(*name, "read" | "iter_lines" | "get_paginator"))
    }

    #[test]
    fn the_client_knows_exactly_the_operations_of_the_domain() {
        let table = include_str!("client/shapes.py");
        let (_, table) = table.split_once("_OPERATIONS = {").expect("the table");
        let (table, _) = table.split_once("\n}").expect("its end");
        let known: Vec<&str> = table
            .lines()
            .filter_map(|line| line.strip_prefix("    '")?.split_once("': ('"))
            .map(|(operation, _)| operation)
            .collect();
        let mut known = known;
        let mut names = OPERATIONS.clone();
        known.sort_unstable();
        names.sort_unstable();
        assert_eq!(names, known);
    }

    #[test]
    fn the_parameters_are_those_of_the_api_document() {
        for operation in described() {
            let start = format!("def {operation}(");
            let (_, rest) = S3.api.document.split_once(&start).expect("it is described");
            let (described, _) = rest.split_once("->").expect("a signature");
            let described: Vec<&str> = (described.split(':'))
                .filter_map(|part| part.rsplit([' ', ',']).next())
                .map(str::trim)
                .filter(|name| name.starts_with(char::is_uppercase))
                .collect();
            let sorted = |mut names: Vec<&str>| {
                names.sort_unstable();
                names.join(" ")
            };
            let known = S3.parameters(operation).iter().map(|name| &**name);
            assert_eq!(sorted(known.collect()), sorted(described), "{operation}");
        }
        assert!(S3.parameters("no_operation").is_empty());
    }

    #[test]
    fn the_api_document_describes_only_operations_that_there_are() {
        assert!(described().count() >= 13);
        for operation in described() {
            assert!(S3.operation(operation).is_some(), "{operation}");
        }
    }
}
