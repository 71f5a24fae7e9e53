//! The settings of a described bucket: `[bucket.settings.lifecycle]`, under S3's names, each
//! with the fields of boto3's parameter.

use super::shaped::{one_of, shaped};
use super::{Mistake, perform};
use crate::api;
use crate::domain::{Map, Value};
use crate::memory::Store;
use crate::memory::settings::{
    ACL, ALL, LOGGING, OBJECT_LOCK, OWNERSHIP, PUBLIC_ACCESS, REPLICATION, VERSIONING,
    identified_kinds, identified_parameter,
};
use jiff::Timestamp;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The settings of a bucket as they stand in the file.
pub type Described<'t> = Option<Spanned<DeValue<'t>>>;

/// Takes the settings of each bucket out of a parsed file.
pub fn take<'t>(root: &mut DeTable<'t>) -> Vec<Described<'t>> {
    let buckets = root.get_mut("bucket").map(Spanned::get_mut);
    let buckets = match buckets {
        Some(DeValue::Array(buckets)) => buckets.iter_mut(),
        // Anything else is a mistake. It is reported when the rest of the file is read.
        _ => return Vec::new(),
    };
    let settings = buckets.map(|bucket| match bucket.get_mut() {
        DeValue::Table(bucket) => bucket.remove("settings"),
        _ => None,
    });
    settings.collect()
}

/// Settings that are made when all objects are there: those that look at other buckets or
/// would refuse what was allowed before.
const LAST: [&str; 4] = [VERSIONING, PUBLIC_ACCESS, LOGGING, REPLICATION];

/// Settings that others need.
const FIRST: [&str; 2] = [OBJECT_LOCK, OWNERSHIP];

/// The calls that make the settings of a bucket.
pub struct Steps {
    steps: Vec<Step>,
    created: Timestamp,
}

/// The call that makes one setting.
struct Step {
    setting: String,
    operation: String,
    params: Map,
    at: Range<usize>,
}

impl Steps {
    /// The calls for the settings that stand in the file.
    pub fn read(described: Described<'_>, created: Timestamp) -> Result<Self, Mistake> {
        let mut steps = Vec::new();
        if let Some(described) = described {
            let DeValue::Table(settings) = described.get_ref() else {
                return Err(Mistake::at(&described, "settings: expected a table"));
            };
            for (name, given) in settings {
                let read = steps_of(name, given);
                steps.extend(read.map_err(|mistake| mistake.inside(&place(name.get_ref())))?);
            }
        }
        steps.sort_by_key(|step| !FIRST.contains(&&*step.setting));
        Ok(Steps { steps, created })
    }

    /// Makes the settings that the objects are written under. A bucket that ever kept
    /// versions keeps them for now, and the public is let in if the bucket says anything
    /// about that: whoever shut it out may have done so after sharing.
    pub fn make_first(&self, store: &mut Store, bucket: &str) -> Result<(), Mistake> {
        if let Some(step) = self.step(VERSIONING) {
            let enabled = versioning("Enabled");
            let made = perform(store, self.created, &step.operation, bucket, enabled);
            made.map_err(|problem| step.refused(problem))?;
        }
        if let Some(step) = self.step(PUBLIC_ACCESS) {
            let delete = "delete_public_access_block";
            let made = perform(store, self.created, delete, bucket, Map::new());
            made.map_err(|problem| step.refused(problem))?;
        }
        self.make(store, bucket, |setting| !LAST.contains(&setting))
    }

    /// Makes the other settings.
    pub fn make_last(&self, store: &mut Store, bucket: &str) -> Result<(), Mistake> {
        self.make(store, bucket, |setting| LAST.contains(&setting))
    }

    fn make(
        &self,
        store: &mut Store,
        bucket: &str,
        is_due: impl Fn(&str) -> bool,
    ) -> Result<(), Mistake> {
        for step in self.steps.iter().filter(|step| is_due(&step.setting)) {
            let params = step.params.clone();
            perform(store, self.created, &step.operation, bucket, params)
                .map_err(|problem| step.refused(problem))?;
        }
        Ok(())
    }

    fn step(&self, setting: &str) -> Option<&Step> {
        self.steps.iter().find(|step| step.setting == setting)
    }
}

impl Step {
    fn refused(&self, problem: String) -> Mistake {
        Mistake::within(self.at.clone(), problem).inside(&place(&self.setting))
    }
}

fn place(setting: &str) -> String {
    format!("settings.{setting}")
}

/// The parameters that turn versioning on or off.
pub fn versioning(status: &str) -> Map {
    let configuration = vec![("Status".into(), status.into())];
    vec![("VersioningConfiguration".into(), Value::Map(configuration))]
}

/// The calls that make one setting: several where a bucket can have several of a kind.
fn steps_of(
    name: &Spanned<std::borrow::Cow<'_, str>>,
    given: &Spanned<DeValue<'_>>,
) -> Result<Vec<Step>, Mistake> {
    let setting = name.get_ref();
    let step = |operation: &str, parameter: &'static str, given: &Spanned<DeValue<'_>>| {
        let member = api::operation(operation).and_then(|known| known.input.member(parameter));
        let shape = member.map_or(&api::Shape::Text, |member| member.shape);
        let value = shaped(shape, given)?;
        let id = value.get("Id").cloned();
        let mut params = vec![(parameter.into(), value)];
        params.extend(id.map(|id| ("Id".into(), id)));
        Ok(Step {
            setting: setting.to_string(),
            operation: operation.to_owned(),
            params,
            at: given.span(),
        })
    };
    if **setting == *ACL {
        // Every bucket is private. S3 refuses to say so where there are no lists.
        if given.get_ref().as_str() == Some("private") {
            return Ok(Vec::new());
        }
        return Ok(vec![step("put_bucket_acl", "ACL", given)?]);
    }
    if let Some(known) = ALL.iter().find(|known| known.name == &**setting) {
        let [_, put, _] = known.operations;
        return Ok(vec![step(put, known.parameter, given)?]);
    }
    if let Some(parameter) = identified_parameter(setting) {
        let operation = format!("put_bucket_{setting}_configuration");
        let DeValue::Array(all) = given.get_ref() else {
            return Err(Mistake::at(given, "expected a list"));
        };
        let all = all.iter().map(|given| step(&operation, parameter, given));
        return all.collect();
    }
    let mut known: Vec<&str> = ALL.iter().map(|known| known.name).collect();
    known.push(ACL);
    known.extend(identified_kinds());
    known.sort_unstable();
    Err(Mistake::at(
        name,
        format!("unknown setting, {}", one_of(&known)),
    ))
}
