//! Finds the operation of a request from its method, path and sub-resource.

use super::request::Incoming;
use crate::api::request::Received;
use crate::api::{self, ApiOperation, Level, Location};
use crate::domain::Refusal;
use crate::refusal;
use http::Method;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// The sub-resources of the operations that are left out (API reference, "Operations"). A
/// request for one of them must not be mistaken for a request about the bucket or object
/// itself.
const LEFT_OUT: &[&str] = &[
    "abac",
    "annotation",
    "annotations",
    "metadataAnnotationTable",
    "metadataConfiguration",
    "metadataInventoryTable",
    "metadataJournalTable",
    "metadataTable",
    "renameObject",
    "select",
    "session",
    "torrent",
];

/// The operations of the table by method, level and sub-resource.
struct Routes {
    operations: HashMap<(&'static str, Level, &'static str), Vec<Route>>,
    subresources: HashSet<&'static str>,
}

/// An operation, and what its requests must have.
struct Route {
    operation: &'static ApiOperation,
    /// The value of the sub-resource: `2` of `list-type=2`.
    value: &'static str,
    /// The other required parameters of the query.
    query: Vec<&'static str>,
    headers: Vec<&'static str>,
}

static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
    let mut operations: HashMap<_, Vec<Route>> = HashMap::new();
    let mut subresources: HashSet<&str> = LEFT_OUT.iter().copied().collect();
    for operation in api::operations() {
        let (name, value) = operation.query.unwrap_or_default();
        let required = |place| {
            let members = operation.input.at(place);
            let required = members.filter(|it| operation.input.required.contains(&it.name));
            required.map(|member| member.wire).collect()
        };
        // A parameter with a value narrows an operation. It is not a sub-resource.
        let name = if value.is_empty() { name } else { "" };
        subresources.extend((!name.is_empty()).then_some(name));
        let key = (operation.method, operation.level, name);
        operations.entry(key).or_default().push(Route {
            operation,
            value,
            query: required(Location::Query),
            headers: required(Location::Header),
        });
    }
    for routes in operations.values_mut() {
        // The operation that requires most is tried first.
        routes.sort_by_key(|route| {
            let fixed = usize::from(!route.value.is_empty());
            std::cmp::Reverse(fixed + route.query.len() + route.headers.len())
        });
    }
    Routes {
        operations,
        subresources,
    }
});

/// Whether a parameter of the query decides which operation a request is for.
pub fn is_subresource(name: &str) -> bool {
    ROUTES.subresources.contains(name)
}

/// Finds the operation of a request.
///
/// # Errors
/// The refusal of a request that is for none.
pub fn route(request: &Incoming) -> Result<&'static ApiOperation, Refusal> {
    let mut asked = request.asked();
    let subresource = asked.find(|name| ROUTES.subresources.contains(name));
    let level = match (request.bucket.is_empty(), request.key.is_empty()) {
        (true, true) => Level::Service,
        (true, false) => return Err(refusal::invalid_bucket_name("")),
        (false, true) => Level::Bucket,
        (false, false) => Level::Object,
    };
    let method = request.method.as_str();
    // The keys of the map live as long as the program, those of a request do not.
    let found = ROUTES.operations.get(&(
        METHODS
            .iter()
            .find(|known| **known == method)
            .copied()
            .unwrap_or_default(),
        level,
        subresource
            .and_then(|name| ROUTES.subresources.get(name).copied())
            .unwrap_or_default(),
    ));
    let routes = found.map(Vec::as_slice).unwrap_or_default();
    let fits = routes.iter().find(|route| route.fits(request));
    // Without its parameters the operation is still the one that is meant, and the world
    // says what is missing.
    match fits.or_else(|| routes.last().filter(|route| route.value.is_empty())) {
        Some(route) => Ok(route.operation),
        None => match subresource {
            Some(name) => Err(refusal::not_implemented(name)),
            None => Err(not_allowed(&request.method, level)),
        },
    }
}

const METHODS: &[&str] = &["GET", "HEAD", "PUT", "POST", "DELETE"];

impl Route {
    fn fits(&self, request: &Incoming) -> bool {
        let fixed = match (self.value, self.operation.query) {
            ("", _) | (_, None) => true,
            (value, Some((name, _))) => request.query(name) == Some(value),
        };
        fixed
            && self.query.iter().all(|name| request.query(name).is_some())
            && self
                .headers
                .iter()
                .all(|name| request.header(name).is_some())
    }
}

fn not_allowed(method: &Method, level: Level) -> Refusal {
    let kind = match level {
        Level::Service => "SERVICE",
        Level::Bucket => "BUCKET",
        Level::Object => "OBJECT",
    };
    Refusal::new(
        405,
        "MethodNotAllowed",
        "The specified method is not allowed against this resource.",
    )
    .with("Method", method.as_str())
    .with("ResourceType", kind)
}
