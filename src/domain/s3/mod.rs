//! The first domain: Amazon S3 and what speaks like it.

pub mod canonical;
pub mod change;
pub mod clock;
#[doc = include_str!("divergences.md")]
pub mod divergences {}
mod examples;
mod guarded;
pub mod memory;
pub mod names;
pub mod operations;
pub mod overlay;
pub mod params;
mod planning;
mod refusal;
pub mod remote;
mod reset;
pub mod serve;
pub mod show;
mod touches;
pub mod world;

pub use memory::Memory;
pub use operations::OPERATIONS;
pub use overlay::Overlay;
pub use planning::S3Planning;
pub use remote::{AccessKey, Remote, RemoteOptions};
pub use world::open;

use super::{Domain, Planning, Touch, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::sync::Arc;

/// The domain `s3`.
pub struct S3;

/// What programs see of S3, in reading order: one module, kept in several files.
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
    include_str!("client/body.py"),
    "\n",
    include_str!("client/pages.py"),
    "\n",
    include_str!("client/waiters.py"),
    "\n",
    include_str!("client/transfer.py"),
    "\n",
    include_str!("client/calls.py"),
    "\n",
    include_str!("client/modules.py"),
    "\n",
    include_str!("client/rehearsal.py"),
    "\n",
);

#[async_trait]
impl Domain for S3 {
    fn name(&self) -> &'static str {
        "s3"
    }
    fn api_doc(&self) -> &'static str {
        include_str!("../../../api-docs/s3.pyi")
    }
    fn client(&self) -> &'static str {
        CLIENT
    }
    fn examples(&self) -> &'static [(&'static str, &'static str)] {
        examples::EXAMPLES
    }
    fn operations(&self) -> &'static [&'static str] {
        OPERATIONS
    }
    fn parameters(&self, operation: &str) -> &'static [&'static str] {
        operations::parameters(operation)
    }
    fn accepts(&self, operation: &str, parameter: &str) -> bool {
        operations::accepts(operation, parameter)
    }
    fn handle(&self) -> Option<(&'static str, &'static [&'static str])> {
        Some(("s3", operations::HELPERS))
    }
    fn destroys(&self, operation: &str) -> bool {
        operations::destroys(operation)
    }
    fn callers_by_name(&self) -> &'static [&'static str] {
        &["get_paginator"]
    }
    fn worlds(&self) -> Vec<&'static str> {
        world::BUILT_IN.iter().map(|(name, _)| *name).collect()
    }
    fn initial_world(&self, spec: &str) -> Result<Arc<dyn World>> {
        Ok(Arc::new(world::memory(spec)?))
    }
    async fn holdings(&self, world: &dyn World) -> Result<Vec<String>> {
        reset::buckets(world).await
    }
    async fn restore(&self, from: &dyn World, into: &dyn World) -> Result<()> {
        reset::restore(from, into).await
    }
    async fn clear(&self, world: &dyn World) -> Result<()> {
        reset::clear(world).await
    }
    fn touches(&self, operation: &str, params: &Value) -> Vec<Touch> {
        touches::touches(operation, params)
    }
    fn planning(&self) -> Option<&'static dyn Planning> {
        Some(&S3Planning)
    }
    async fn difference(&self, one: &dyn World, other: &dyn World) -> Result<Option<Vec<String>>> {
        let (one, other) = (show::summary(one).await?, show::summary(other).await?);
        let changes = show::diff(&one, &other).into_iter();
        // When something was written is no part of the state.
        let counts = changes.filter(|change| !change.keeps_content());
        Ok(Some(counts.map(|change| change.to_string()).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_knows_exactly_the_operations_of_the_domain() {
        let table = include_str!("client/shapes.py");
        let known: Vec<&str> = table
            .lines()
            .filter_map(|line| line.strip_prefix("    '")?.split_once("': ('"))
            .map(|(operation, _)| operation)
            .collect();
        assert_eq!(known, OPERATIONS);
    }

    #[test]
    fn required_parameters_come_first_in_the_order_of_botocore() {
        let table = include_str!("client/shapes.py");
        for line in table.lines() {
            let Some((operation, rest)) =
                (line.strip_prefix("    '")).and_then(|line| line.split_once("': ("))
            else {
                continue;
            };
            let (_, required) = rest.split_once("('{', (").expect("a structure");
            let (required, _) = required.split_once(')').expect("its required members");
            let required: Vec<&str> = (required.split(','))
                .map(|name| name.trim().trim_matches('\''))
                .filter(|name| !name.is_empty())
                .collect();
            let parameters = S3.parameters(operation);
            assert!(
                parameters.starts_with(&required),
                "{operation}: {required:?}"
            );
        }
    }

    #[test]
    fn the_parameters_are_those_of_the_api_document() {
        for operation in OPERATIONS {
            let start = format!("def {operation}(");
            let (_, rest) = S3.api_doc().split_once(&start).expect("it is described");
            let (described, _) = rest.split_once("->").expect("a signature");
            let described: Vec<&str> = (described.split(':'))
                .filter_map(|part| part.rsplit([' ', ',']).next())
                .map(str::trim)
                .filter(|name| name.starts_with(char::is_uppercase))
                .collect();
            let sorted = |names: &[&'static str]| {
                let mut names = names.to_vec();
                names.sort_unstable();
                names
            };
            assert_eq!(
                sorted(S3.parameters(operation)),
                sorted(&described),
                "{operation}"
            );
        }
        assert!(S3.parameters("put_bucket_acl").is_empty());
    }

    #[test]
    fn the_api_document_describes_every_operation_and_no_other() {
        let mut described: Vec<&str> = S3
            .api_doc()
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("def ")?.split_once('('))
            .map(|(name, _)| name)
            .filter(|name| !matches!(*name, "read" | "iter_lines" | "get_paginator"))
            .collect();
        let mut expected = OPERATIONS.to_vec();
        described.sort_unstable();
        expected.sort_unstable();
        assert_eq!(described, expected);
    }
}
