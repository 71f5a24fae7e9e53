//! The form of the lexica's files.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Deserialize;

use crate::schema::Unit;

/// The words of a language that every domain uses.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LanguageFile {
    pub language: String,
    #[serde(default)]
    pub endings: Vec<String>,
    /// From January on.
    #[serde(default)]
    pub months: Vec<String>,
    pub numbers: HashMap<String, u32>,
    pub words: IndexMap<String, Vec<String>>,
    pub cues: IndexMap<String, Vec<String>>,
    #[serde(default)]
    pub units: IndexMap<Unit, IndexMap<String, f64>>,
}

/// The words of a domain in a language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DomainFile {
    #[serde(default)]
    pub nouns: Vec<String>,
    /// Nouns for the rows that hold others.
    #[serde(default)]
    pub holders: Vec<String>,
    #[serde(default)]
    pub localities: Vec<String>,
    #[serde(default)]
    pub values: IndexMap<String, IndexMap<String, Vec<String>>>,
    #[serde(default)]
    pub open: IndexMap<String, Vec<String>>,
    #[serde(default)]
    pub slots: IndexMap<String, Vec<String>>,
    #[serde(default)]
    pub words: IndexMap<String, Vec<String>>,
    #[serde(default)]
    pub cues: IndexMap<String, Vec<String>>,
}
