//! A call as an HTTP request.

use super::credentials::{Credentials, Proof};
use super::encode;
use super::model::{HttpOperation, Method, Parameter, ParameterLocation};
use super::names;
use super::payload::{Passed, payload};
use super::{Api, base};
use crate::domain::{Map, Value};
use bytes::Bytes;
use std::fmt::Write as _;

/// The request for a call. Secrets are not part of it, so that it can be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct HttpRequest {
    /// The method.
    pub method: Method,
    /// The URL, without secrets.
    pub url: String,
    /// The headers that parameters of the call became, cookies among them.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Option<Payload>,
    pub(super) proofs: Vec<Proof>,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payload {
    /// The header `Content-Type`.
    pub media_type: String,
    /// The body itself.
    pub bytes: Bytes,
    /// The body for people: compact JSON, with byte counts in place of binary data.
    pub shown: String,
}

impl HttpRequest {
    /// The parameters of the query that hold secrets. They are not part of the URL.
    pub(super) fn hidden_parameters(&self) -> Vec<&str> {
        let proofs = self.proofs.iter().filter_map(|proof| match proof {
            Proof::Query(name, _) => Some(name.as_str()),
            _ => None,
        });
        proofs.collect()
    }

    /// The request as a plan shows it: `POST https://api.example.com/pets`, the headers that
    /// the call itself sets, and the body.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{} {}", self.method.as_str(), self.url)];
        let headers = self.headers.iter();
        lines.extend(headers.map(|(name, value)| format!("{name}: {value}")));
        lines.extend(self.body.as_ref().map(|body| body.shown.clone()));
        lines
    }
}

impl Api {
    /// The request for a call to the server `base`. `params` is a dict by Python name.
    /// A parameter that is `None` is left out, unless it is a property of the body that may
    /// be null.
    ///
    /// If the document names a server for this operation, the request goes there, as long as
    /// `base` is one of the document's servers. Any other `base` is used for all operations.
    ///
    /// # Errors
    /// A sentence: there is no such operation, a parameter is missing or unknown, or a value
    /// cannot be written into the request.
    pub fn request(
        &self,
        operation: &str,
        params: &Value,
        base: &str,
        auth: &Credentials,
    ) -> Result<HttpRequest, String> {
        let Some(operation) = self.operation(operation) else {
            return Err(format!("the API has no operation {operation:?}"));
        };
        let empty = Map::new();
        let pairs = match params {
            Value::Map(pairs) => pairs,
            Value::Null => &empty,
            _ => return Err(format!("{} takes keyword arguments only", operation.name)),
        };
        known(operation, pairs)?;
        let dated = dated(operation, params);
        let params = dated.as_ref().unwrap_or(params);
        let call = Call { operation, params };
        call.complete()?;
        let mut url = self.server(operation, base)?;
        url.push_str(&call.path()?);
        let query = call.query()?;
        if !query.is_empty() {
            let between = if url.contains('?') { '&' } else { '?' };
            let _ = write!(url, "{between}{query}");
        }
        Ok(HttpRequest {
            method: operation.method,
            url,
            headers: call.headers()?,
            body: call.body()?,
            proofs: auth.proofs(self, operation),
        })
    }

    /// Where the requests of an operation go.
    pub(super) fn server(&self, operation: &HttpOperation, base: &str) -> Result<String, String> {
        let base = base::checked(base)?;
        let Some(own) = &operation.server else {
            return Ok(base);
        };
        let is_documented = (self.servers.iter()).any(|it| it.trim_end_matches('/') == base);
        match is_documented {
            true if own.starts_with('/') => {
                let origin = reqwest::Url::parse(&base).map(|it| it.origin().ascii_serialization());
                base::checked(&format!("{}{own}", origin.unwrap_or_default()))
            }
            true => base::checked(own),
            false => Ok(base),
        }
    }
}

/// The parameters with times as dates where the document wants dates; `None` if there are none.
fn dated(operation: &HttpOperation, params: &Value) -> Option<Value> {
    let Value::Map(pairs) = params else {
        return None;
    };
    let is_date = |name: &str| operation.parameter(name).is_some_and(|it| it.is_date);
    pairs.iter().any(|(name, _)| is_date(name)).then(|| {
        let pairs = pairs.iter().map(|(name, value)| match is_date(name) {
            true => (name.clone(), as_date(value)),
            false => (name.clone(), value.clone()),
        });
        Value::Map(pairs.collect())
    })
}

fn as_date(value: &Value) -> Value {
    match value {
        Value::Time(time) => {
            let date = time.to_zoned(jiff::tz::TimeZone::UTC).date();
            Value::Str(date.to_string())
        }
        Value::List(items) => Value::List(items.iter().map(as_date).collect()),
        other => other.clone(),
    }
}

/// Refuses parameters that the operation does not have.
fn known(operation: &HttpOperation, pairs: &Map) -> Result<(), String> {
    let is_secret = |name: &str| {
        let mut secrets = operation.secrets.iter();
        operation.parameter(name).is_none()
            && secrets.any(|(_, wire)| names::parameter(wire) == name)
    };
    if let Some((name, _)) = pairs.iter().find(|(name, _)| is_secret(name)) {
        return Err(format!(
            "{}: `{name}` is a secret, which is filled in from the environment: leave it out",
            operation.name
        ));
    }
    let unknown: Vec<String> = (pairs.iter())
        .filter(|(name, _)| operation.parameter(name).is_none())
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let has = match operation.parameters.is_empty() {
        true => "it has none".to_owned(),
        false => format!("it has {}", listed(operation.parameters.iter())),
    };
    let (name, unknown) = (&operation.name, unknown.join(", "));
    Err(format!("{name} has no parameter {unknown}; {has}"))
}

fn listed<'a>(parameters: impl Iterator<Item = &'a Parameter>) -> String {
    let names: Vec<String> = parameters.map(|it| format!("`{}`", it.name)).collect();
    names.join(", ")
}

/// One call, whose parameters are known.
struct Call<'a> {
    operation: &'a HttpOperation,
    params: &'a Value,
}

impl<'a> Call<'a> {
    /// The values that the call passes in a place, in the order of the document.
    fn passed(&self, place: ParameterLocation) -> Passed<'a> {
        let there = self
            .operation
            .parameters
            .iter()
            .filter(|it| it.place == place);
        let passed = there.filter_map(|it| Some((it, self.params.get(&it.name)?)));
        let is_sent = |(it, value): &(&Parameter, &Value)| {
            **value != Value::Null || it.place == ParameterLocation::Body && it.is_nullable
        };
        passed.filter(is_sent).collect()
    }

    /// Refuses a call without a required parameter.
    fn complete(&self) -> Result<(), String> {
        let mut given: Vec<&str> = Vec::new();
        for place in [
            ParameterLocation::Path,
            ParameterLocation::Query,
            ParameterLocation::Header,
            ParameterLocation::Cookie,
            ParameterLocation::Body,
        ] {
            given.extend(self.passed(place).iter().map(|(it, _)| it.name.as_str()));
        }
        let body = self.operation.body.as_ref();
        let has_body = !self.passed(ParameterLocation::Body).is_empty();
        let needs = |parameter: &Parameter| {
            let of_body = body.is_some_and(|body| body.needs.contains(&parameter.name));
            parameter.is_required || has_body && of_body
        };
        let missing = self.operation.parameters.iter();
        let missing = missing.filter(|it| needs(it) && !given.contains(&it.name.as_str()));
        let missing: Vec<&Parameter> = missing.collect();
        match missing.is_empty() {
            true => Ok(()),
            false => Err(format!(
                "{} needs {}",
                self.operation.name,
                listed(missing.into_iter())
            )),
        }
    }

    /// A problem with the value of a parameter.
    fn wrong(&self, parameter: &Parameter) -> impl FnOnce(String) -> String + use<> {
        let place = format!("{}: `{}`", self.operation.name, parameter.name);
        move |problem| format!("{place} {problem}")
    }

    fn path(&self) -> Result<String, String> {
        let passed = self.passed(ParameterLocation::Path);
        let mut path = String::new();
        let mut rest = self.operation.path.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            literal(&mut path, before);
            let (wire, after) = after.split_once('}').unwrap_or((after, ""));
            if let Some((parameter, value)) = passed.iter().find(|(it, _)| it.wire == wire) {
                let value = encode::in_path(parameter, value).map_err(self.wrong(parameter))?;
                path.push_str(&value);
            }
            rest = after;
        }
        literal(&mut path, rest);
        // Clients would resolve such segments to another path.
        let is_step = |segment: &str| {
            let plain = segment.to_ascii_lowercase().replace("%2e", ".");
            plain == "." || plain == ".."
        };
        let before_query = path.split('?').next().unwrap_or_default();
        if before_query.split(['/', '\\']).any(is_step) {
            return Err(format!(
                "{}: a part of the path must not be `.` or `..`",
                self.operation.name
            ));
        }
        Ok(path)
    }

    fn query(&self) -> Result<String, String> {
        let mut query = Vec::new();
        for (parameter, value) in self.passed(ParameterLocation::Query) {
            let pairs = encode::pairs(parameter, value).map_err(self.wrong(parameter))?;
            query.extend(
                pairs
                    .into_iter()
                    .map(|(name, value)| format!("{name}={value}")),
            );
        }
        Ok(query.join("&"))
    }

    fn headers(&self) -> Result<Vec<(String, String)>, String> {
        let mut headers = Vec::new();
        for (parameter, value) in self.passed(ParameterLocation::Header) {
            let value = encode::in_header(parameter, value).map_err(self.wrong(parameter))?;
            headers.push((parameter.wire.clone(), value));
        }
        let mut cookies = Vec::new();
        for (parameter, value) in self.passed(ParameterLocation::Cookie) {
            let pairs = encode::pairs(parameter, value).map_err(self.wrong(parameter))?;
            cookies.extend(
                pairs
                    .into_iter()
                    .map(|(name, value)| format!("{name}={value}")),
            );
        }
        if !cookies.is_empty() {
            headers.push(("Cookie".to_owned(), cookies.join("; ")));
        }
        Ok(headers)
    }

    fn body(&self) -> Result<Option<Payload>, String> {
        let Some(body) = &self.operation.body else {
            return Ok(None);
        };
        let passed = self.passed(ParameterLocation::Body);
        if passed.is_empty() && !(body.is_required && body.is_flat) {
            return Ok(None);
        }
        let made = payload(body, &passed);
        let made = made.map_err(|problem| format!("{}: {problem}", self.operation.name))?;
        Ok(Some(made))
    }
}

/// Adds a part of the document's path, without characters that would end the path. Some
/// documents have a query there, which stays.
fn literal(path: &mut String, part: &str) {
    for character in part.chars() {
        let is_plain = character.is_ascii() && !character.is_control();
        match is_plain && !matches!(character, '#' | '\\' | ' ' | '}') {
            true => path.push(character),
            false => path.push_str(&encode::encoded(character.encode_utf8(&mut [0; 4]))),
        }
    }
}
