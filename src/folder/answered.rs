//! Domains of Python stubs whose calls code in this program answers.

use super::assemble::{heading, operation_of, set_up};
use super::runtime::CLIENT;
use super::stub::Stub;
use crate::domain::{Access, Domain, DomainApi, Handle, Text};
use crate::error::{Error, Result};

/// What such a domain is made of.
pub struct Answered<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is called in the document for models.
    pub title: &'a str,
    /// The object whose methods the operations are.
    pub handle: &'a str,
    /// The operations, as Python stubs.
    pub api: &'a str,
    /// The codes of its refusals.
    pub errors: Vec<String>,
    /// The operations that write. The others read.
    pub writes: &'a [&'a str],
}

/// The domain. It shares the client of domains that are folders, and so the snapshot.
///
/// # Errors
/// The stubs are not valid Python.
pub fn answered(of: &Answered<'_>) -> Result<Domain> {
    let stub = Stub::parse(of.api);
    let stub = stub.map_err(|problem| Error::usage(format!("{}: {problem}", of.name)))?;
    let effect = |name: &str| match of.writes.contains(&name) {
        true => Access::Write,
        false => Access::Read,
    };
    let operations = stub.functions.iter();
    let operations = operations.map(|function| operation_of(function, effect(&function.name)));
    Ok(Domain {
        name: of.name.to_owned().into(),
        api: DomainApi {
            document: format!("{}\n\n{}", heading(of.title, of.handle), of.api).into(),
            client: CLIENT.into(),
            setup: set_up(of.handle, &of.errors, &stub).into(),
            handle: Some(Handle {
                name: of.handle.to_owned().into(),
                helpers: of.errors.iter().cloned().map(Text::from).collect(),
                ..Handle::default()
            }),
            operations: operations.collect(),
            errors: of.errors.iter().cloned().map(Text::from).collect(),
            ..DomainApi::default()
        },
        ..Domain::default()
    })
}
