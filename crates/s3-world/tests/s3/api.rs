//! Random calls and answers through the codecs of the API, there and back.

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use s3_world::api::request::{Received, RequestParts};
use s3_world::api::{
    self, ApiOperation, Location, Member, Shape, Structure, TimeFormat, answer, request,
};
use s3_world::domain::{Map, Value};

/// A request as it would arrive.
struct Arrived<'a> {
    params: &'a Value,
    parts: &'a RequestParts,
}

impl Arrived<'_> {
    fn named(&self, name: &str) -> &str {
        self.params.get(name).and_then(Value::as_str).unwrap_or("")
    }
}

impl Received for Arrived<'_> {
    fn bucket(&self) -> &str {
        self.named("Bucket")
    }

    fn key(&self) -> &str {
        self.named("Key")
    }

    fn query(&self, name: &str) -> Option<&str> {
        let mut pairs = self.parts.query.iter();
        let found = pairs.find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn header(&self, name: &str) -> Option<String> {
        header(&self.parts.headers, name)
    }

    fn headers_after(&self, prefix: &str) -> Vec<(String, String)> {
        headers_after(&self.parts.headers, prefix)
    }
}

type Headers = [(std::borrow::Cow<'static, str>, String)];

fn header(headers: &Headers, name: &str) -> Option<String> {
    let found = headers.iter().find(|(known, _)| known == name);
    found.map(|(_, value)| value.clone())
}

fn headers_after(headers: &Headers, prefix: &str) -> Vec<(String, String)> {
    let after = headers
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix(prefix)?.to_owned(), value.clone())));
    after.collect()
}

/// A value of a member's shape that its place can express.
fn value(member: &'static Member) -> BoxedStrategy<Value> {
    let in_body = matches!(member.place, Location::Body | Location::Payload) && !member.attribute;
    match member.shape {
        Shape::Text if member.place == Location::Query || in_body => {
            "[ -~é\n\r<&>\"]{1,12}".prop_map(Value::from).boxed()
        }
        Shape::Text => "[!-+.-~]([ -+.-~]{0,8}[!-+.-~])?"
            .prop_map(Value::from)
            .boxed(),
        Shape::Choice(known) => select(known.clone()).prop_map(Value::from).boxed(),
        Shape::Int => any::<i32>().prop_map(|int| Value::Int(int.into())).boxed(),
        Shape::Bool => any::<bool>().prop_map(Value::Bool).boxed(),
        Shape::Time => {
            let is_whole = member.format == TimeFormat::Rfc822;
            let milliseconds = (0..4_000_000_000_000_i64).prop_map(move |at| {
                let at = if is_whole { at / 1000 * 1000 } else { at };
                let time = jiff::Timestamp::from_millisecond(at);
                Value::Time(time.expect("it is in range"))
            });
            milliseconds.boxed()
        }
        Shape::Bytes => vec(any::<u8>(), 0..20)
            .prop_map(|bytes| Value::Bytes(Bytes::from(bytes)))
            .boxed(),
        Shape::Map => Just(Value::Map(vec![("who".into(), "me and you".into())])).boxed(),
        Shape::List(item) => {
            let least = if in_body && !member.flattened { 0 } else { 1 };
            vec(value(item), least..3).prop_map(Value::List).boxed()
        }
        Shape::Structure(inner) => structure(inner).prop_map(Value::Map).boxed(),
    }
}

/// Some of the members of a structure, and all that it must have.
fn structure(structure: &'static Structure) -> BoxedStrategy<Map> {
    let members = structure.members.iter().map(|member| {
        // Always there: the body, and the key that the path has.
        let is_there = matches!(member.shape, Shape::Bytes | Shape::Map)
            || structure.required.contains(&member.name);
        // botocore encodes customers' keys on the way.
        let is_key = member.name.contains("SSECustomerKey");
        let given = match (is_key, is_there) {
            (true, _) => Just(None).boxed(),
            (_, true) => value(member).prop_map(Some).boxed(),
            (_, false) => prop::option::weighted(0.3, value(member)).boxed(),
        };
        given.prop_map(|value| Some((member.name.into(), value?)))
    });
    let members: Vec<_> = members.collect();
    members
        .prop_map(|found| found.into_iter().flatten().collect())
        .boxed()
}

fn call() -> impl Strategy<Value = (&'static ApiOperation, Map)> {
    let all: Vec<_> = api::operations().iter().collect();
    select(all).prop_flat_map(|operation| {
        let params = structure(operation.input).prop_map(|mut params| {
            for (name, value) in &mut params {
                if name == "CopySource" {
                    let pairs = [
                        ("Bucket", "from"),
                        ("Key", "a b/é+?&%"),
                        ("VersionId", "v1"),
                    ];
                    let pairs = pairs.map(|(name, text)| (name.into(), text.into()));
                    *value = Value::Map(pairs.into());
                }
            }
            params
        });
        (Just(operation), params)
    })
}

fn answered() -> impl Strategy<Value = (&'static ApiOperation, Map)> {
    let with_fields = api::operations().iter();
    let with_fields: Vec<_> = with_fields.filter(|each| each.output.is_some()).collect();
    select(with_fields).prop_flat_map(|operation| {
        let output = operation.output.expect("it has fields");
        (Just(operation), structure(output))
    })
}

fn sorted(mut fields: Map) -> Map {
    fields.retain(|(_, value)| *value != Value::Null);
    fields.sort_by(|(one, _), (other, _)| one.cmp(other));
    fields
}

proptest! {
    #[test]
    fn requests_arrive_as_they_were_sent((operation, params) in call()) {
        let given = Value::Map(params.clone());
        let parts = request::write(operation, &given).expect("the values are of their types");
        let arrived = Arrived { params: &given, parts: &parts };
        let read = request::read(operation, &arrived, parts.body.clone());
        let read = read.unwrap_or_else(|refusal| {
            panic!("{}: {refusal:?}\n{}", operation.name, String::from_utf8_lossy(&parts.body))
        });
        prop_assert_eq!(read, params, "{}", operation.name);
    }

    #[test]
    fn answers_arrive_as_they_were_given((operation, fields) in answered()) {
        let parts = answer::write(operation, &fields).expect("the values are of their types");
        let headers = &parts.headers;
        let read = answer::read(
            operation,
            |name| header(headers, name),
            |prefix| headers_after(headers, prefix),
            &parts.body,
        );
        prop_assert_eq!(read.map(sorted), Some(sorted(fields)), "{}", operation.name);
    }
}
