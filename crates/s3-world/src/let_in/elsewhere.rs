//! Settings that let others in, or send something to them, beside policies and access lists.

use super::{Party, grants};
use crate::domain::Value;
use crate::memory::put::REDIRECT;

/// Those who get something by the settings of a call.
pub fn of_call(operation: &str, params: &Value) -> Vec<Party> {
    let mut found: Vec<Party> = owner(params).into_iter().collect();
    found.extend(redirected(params));
    let part = |name: &str| params.get(name);
    match operation {
        "put_public_access_block" if keeps_all_out(part("PublicAccessBlockConfiguration")) => {}
        "put_public_access_block" | "delete_public_access_block" => found.push(Party::Public),
        "put_bucket_ownership_controls" if is_enforced(part("OwnershipControls")) => {}
        "put_bucket_ownership_controls" | "delete_bucket_ownership_controls" => {
            found.push(Party::Unknown("whoever an access list names"));
        }
        "create_bucket" => {
            let lists = ["BucketOwnerPreferred", "ObjectWriter"];
            let ownership = part("ObjectOwnership").and_then(Value::as_str);
            if ownership.is_some_and(|it| lists.contains(&it)) {
                found.push(Party::Unknown("whoever an access list names"));
            }
        }
        "put_bucket_website" => found.push(Party::Public),
        "put_bucket_cors" => found.extend(origins(part("CORSConfiguration"))),
        "put_bucket_logging" => found.extend(logging(part("BucketLoggingStatus"))),
        "put_bucket_notification_configuration" => {
            found.extend(notified(part("NotificationConfiguration")));
        }
        _ => {}
    }
    let destinations = destinations(operation, params).into_iter();
    found.extend(destinations.flat_map(|it| it.parties()).flatten());
    found
}

/// The owner of a bucket that a call expects to be somebody else's.
fn owner(params: &Value) -> Option<Party> {
    let owner = params.get("ExpectedBucketOwner").and_then(Value::as_str)?;
    Some(Party::account(owner))
}

/// The other site to which a website sends the readers of an object.
fn redirected(params: &Value) -> Option<Party> {
    let location = params.get(REDIRECT)?.as_str()?;
    (!location.starts_with('/')).then(|| Party::Place(location.to_owned()))
}

/// The switches that keep the public out.
const BLOCKS: [&str; 4] = [
    "BlockPublicAcls",
    "IgnorePublicAcls",
    "BlockPublicPolicy",
    "RestrictPublicBuckets",
];

fn is_blocked(block: Option<&Value>, name: &str) -> bool {
    block.and_then(|it| it.get(name)) == Some(&Value::Bool(true))
}

fn keeps_all_out(block: Option<&Value>) -> bool {
    BLOCKS.into_iter().all(|name| is_blocked(block, name))
}

/// Whether a call turns a switch off that the call before has left on.
pub fn opens_block(params: &Value, before: &Value) -> bool {
    let [now, before] = [params, before].map(|it| it.get("PublicAccessBlockConfiguration"));
    let mut on = BLOCKS.into_iter().filter(|name| is_blocked(before, name));
    on.any(|name| !is_blocked(now, name))
}

fn is_enforced(controls: Option<&Value>) -> bool {
    let mut rules = list(controls, "Rules").peekable();
    let is_one = |rule: &Value| text(rule, "ObjectOwnership") == Some("BucketOwnerEnforced");
    rules.peek().is_some() && rules.all(is_one)
}

fn origins(cors: Option<&Value>) -> impl Iterator<Item = Party> {
    let origins = list(cors, "CORSRules").flat_map(|rule| list(Some(rule), "AllowedOrigins"));
    origins.map(|origin| match origin.as_str() {
        Some("*") | None => Party::Public,
        Some(origin) => Party::Origin(origin.to_owned()),
    })
}

fn logging(status: Option<&Value>) -> Vec<Party> {
    let enabled = status.and_then(|status| status.get("LoggingEnabled"));
    let granted = enabled.and_then(|enabled| enabled.get("TargetGrants"));
    grants::of_list(granted).collect()
}

/// The receivers of events: topics, queues, functions, and the bus.
fn notified(configuration: Option<&Value>) -> Vec<Party> {
    let Some(Value::Map(kinds)) = configuration else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (kind, configured) in kinds {
        if kind == "EventBridgeConfiguration" {
            found.push(Party::Service("Amazon EventBridge".to_owned()));
        }
        for receiver in configured.as_list().unwrap_or_default() {
            let arns = ["TopicArn", "QueueArn", "LambdaFunctionArn"];
            let arn = arns.into_iter().find_map(|name| text(receiver, name));
            let account = arn.map(Party::account).filter(Party::is_other);
            found.extend(account.or(arn.map(|arn| Party::Place(arn.to_owned()))));
        }
    }
    found
}

/// A bucket that gets what S3 sends there because of a setting.
pub struct Destination<'a> {
    /// Its name, or its ARN.
    pub bucket: &'a str,
    /// What the keys there begin with.
    pub prefix: &'a str,
    /// The account that is said to own it.
    pub account: Option<&'a str>,
    /// What the keys begin with that are sent there; `None` if no objects are.
    pub of: Option<&'a str>,
}

impl<'a> Destination<'a> {
    /// The name of the bucket.
    pub fn name(&self) -> &'a str {
        match self.bucket.starts_with("arn:") {
            true => self.bucket.rsplit(':').next().unwrap_or_default(),
            false => self.bucket,
        }
    }

    fn parties(&self) -> [Option<Party>; 2] {
        let account = self.account.map(Party::account);
        [Some(Party::Place(self.bucket.to_owned())), account]
    }
}

/// The buckets to which a call makes S3 send something.
pub fn destinations<'a>(operation: &str, params: &'a Value) -> Vec<Destination<'a>> {
    let part = |name: &str| params.get(name);
    let one = |at: Option<&'a Value>, [bucket, prefix, account]: [&str; 3], of| {
        let bucket = text(at?, bucket)?;
        Some(Destination {
            bucket,
            prefix: text(at?, prefix).unwrap_or_default(),
            account: text(at?, account),
            of,
        })
    };
    let report = ["Bucket", "Prefix", "AccountId"];
    let export = ["Bucket", "Prefix", "BucketAccountId"];
    match operation {
        "put_bucket_logging" => {
            let enabled = part("BucketLoggingStatus").and_then(|it| it.get("LoggingEnabled"));
            let logs = one(enabled, ["TargetBucket", "TargetPrefix", ""], None);
            logs.into_iter().collect()
        }
        "put_bucket_replication" => {
            let rules = list(part("ReplicationConfiguration"), "Rules");
            let copies = rules.filter_map(|rule| {
                let names = ["Bucket", "", "Account"];
                one(rule.get("Destination"), names, Some(prefix(rule)))
            });
            copies.collect()
        }
        "put_bucket_inventory_configuration" => {
            let inventory = part("InventoryConfiguration");
            let of = inventory.map(prefix);
            let at = inventory.and_then(|it| it.get("Destination")?.get("S3BucketDestination"));
            one(at, report, of).into_iter().collect()
        }
        "put_bucket_analytics_configuration" => {
            let analytics = part("AnalyticsConfiguration");
            let at = analytics.and_then(|it| {
                let export = it.get("StorageClassAnalysis")?.get("DataExport")?;
                export.get("Destination")?.get("S3BucketDestination")
            });
            one(at, export, None).into_iter().collect()
        }
        "restore_object" => {
            let at = part("RestoreRequest").and_then(|it| it.get("OutputLocation")?.get("S3"));
            one(at, ["BucketName", "Prefix", ""], None)
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What the keys begin with that a rule is about.
pub fn prefix(rule: &Value) -> &str {
    let filter = rule.get("Filter");
    let and = filter.and_then(|filter| filter.get("And"));
    let places = [and, filter, Some(rule)].into_iter().flatten();
    let mut prefixes = places.filter_map(|place| text(place, "Prefix"));
    prefixes.next().unwrap_or_default()
}

fn text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    value.get(name).and_then(Value::as_str)
}

fn list<'a>(value: Option<&'a Value>, name: &str) -> impl Iterator<Item = &'a Value> {
    let items = value.and_then(|value| value.get(name)?.as_list());
    items.unwrap_or_default().iter()
}
