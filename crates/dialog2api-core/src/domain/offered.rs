//! A domain of which only some operations are offered: no prompt describes the others, and a
//! program that calls one fails as if there were none of that name.

use super::code::without_functions;
use super::{Answer, Domain, Layer, Map, Onward, Refusal, Value, World};
use crate::error::Result;
use async_trait::async_trait;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Domain {
    /// This domain with only these of its operations. Names that it does not know are left out.
    pub fn offering(&self, names: &BTreeSet<&str>) -> Domain {
        let mut domain = self.clone();
        let operations = std::mem::take(&mut domain.api.operations);
        let (offered, others) = operations
            .into_iter()
            .partition(|operation| names.contains(&*operation.name));
        domain.api.operations = offered;
        domain
            .api
            .held_back
            .extend(others.into_iter().map(|operation| operation.name));
        let document = std::mem::take(&mut domain.api.document);
        domain.api.document = domain.without_held_back(document.into_owned()).into();
        domain
    }

    /// An API document without the operations that are held back.
    pub(super) fn without_held_back(&self, document: String) -> String {
        match self.api.held_back.is_empty() {
            true => document,
            false => without_functions(&document, |name| self.api.held_back.contains(name)),
        }
    }

    /// The world as programs find it: the same, or one that has only the operations that are
    /// offered.
    pub fn restricted(&self, world: Arc<dyn World>) -> Arc<dyn World> {
        match self.api.held_back.is_empty() {
            true => world,
            false => Offered::around(world, self.operation_names()),
        }
    }
}

/// A world that has only some operations of its API.
pub struct Offered {
    world: Arc<dyn World>,
    operations: BTreeSet<String>,
}

impl Offered {
    /// The world with only these operations.
    pub fn around<'a>(
        world: Arc<dyn World>,
        operations: impl IntoIterator<Item = &'a str>,
    ) -> Arc<dyn World> {
        Arc::new(Offered {
            world,
            operations: operations.into_iter().map(str::to_owned).collect(),
        })
    }
}

#[async_trait]
impl Layer for Offered {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    fn followed(
        &self,
        operation: &str,
        params: &Value,
        answer: &Value,
        may: &(dyn Fn(&str, &Value) -> bool + Sync),
    ) {
        let may = |operation: &str, params: &Value| {
            self.operations.contains(operation) && may(operation, params)
        };
        self.world.follow(operation, params, answer, &may);
    }

    /// A call of an operation that is not offered fails like the lookup of a missing method.
    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        if self.operations.contains(operation) {
            return onward.call(operation, params).await;
        }
        Ok(Err(Refusal {
            code: "AttributeError".to_owned(),
            message: format!("the API has no operation '{operation}'"),
            status: 404,
            details: Map::new(),
        }))
    }
}
