//! A world as data for templates.

use super::stage::{Names, value};
use crate::domain::Domain;
use minijinja::Value;
use serde_json::Value as Json;
use std::sync::Arc;

/// The description of a world, and the lists that its domain makes of it.
pub struct Contents {
    domain: Arc<Domain>,
    description: Json,
    /// The whole description, known to templates as `world`.
    pub world: Value,
    lists: Names,
}

impl Contents {
    /// A world of a domain.
    pub fn of(domain: &Arc<Domain>, description: Json) -> Self {
        Contents {
            domain: domain.clone(),
            world: value(&description),
            lists: lists(domain, &description, None),
            description,
        }
    }

    /// The lists by their names; those that can be are limited to the container of this name.
    pub fn lists(&self, only: Option<&str>) -> Names {
        match only {
            Some(_) => lists(&self.domain, &self.description, only),
            None => self.lists.clone(),
        }
    }
}

fn lists(domain: &Domain, description: &Json, only: Option<&str>) -> Names {
    let worlds = domain.worlds.as_deref();
    let lists = worlds.map(|worlds| worlds.lists(description, only));
    let lists = lists.unwrap_or_default().into_iter();
    lists
        .map(|(name, list)| (name.to_owned(), value(&list)))
        .collect()
}
