//! What people must know of a write before they agree to it: that S3 deletes things later because
//! of it, that nobody can take it back, or that it is in somebody else's bucket.

use super::caller::{Caller, list, params, text};
use super::let_in::{Party, who_is_let_in};
use super::refusal::Trouble;
use crate::domain::{Place, Value, World, counted};
use crate::error::Result;

/// The most pages of buckets that are looked through.
const PAGES: usize = 20;

/// What people must know of a call, in sentences without an end.
pub(super) fn of(operation: &str, params: &Value) -> Vec<String> {
    let mut warnings: Vec<String> = let_in(operation, params).into_iter().collect();
    warnings.extend(lasting(operation, params));
    warnings
}

/// Who is let in by a call, or gets what it sends. That somebody has a link is said with the link.
fn let_in(operation: &str, params: &Value) -> Option<String> {
    let who = who_is_let_in(operation, params).into_iter();
    let who = who.filter(|party| party.is_other() && *party != Party::Bearer);
    let who: Vec<String> = who.map(|party| party.to_string()).collect();
    (!who.is_empty()).then(|| {
        format!(
            "lets others in, or sends something to them: {}",
            who.join(", ")
        )
    })
}

/// What S3 deletes or moves later because of a call, and what nobody can delete.
fn lasting(operation: &str, params: &Value) -> Vec<String> {
    match operation {
        "put_bucket_lifecycle_configuration" => {
            let rules = params.get("LifecycleConfiguration");
            let rules = rules.map_or(&[][..], |it| list(it, "Rules"));
            let deletions = rules.iter().flat_map(deletions);
            deletions.chain(rules.iter().flat_map(moves)).collect()
        }
        "put_object_lock_configuration" => {
            let rule = params.get("ObjectLockConfiguration");
            let kept = rule.and_then(|it| it.get("Rule")?.get("DefaultRetention"));
            kept.and_then(locked_from_now).into_iter().collect()
        }
        _ => locked(params).into_iter().collect(),
    }
}

/// What a rule of a lifecycle deletes, and when.
fn deletions(rule: &Value) -> Vec<String> {
    if text(rule, "Status") == Some("Disabled") {
        return Vec::new();
    }
    let what = selected(rule);
    let mut found = Vec::new();
    if let Some(expiration) = rule.get("Expiration") {
        match (days(expiration, "Days"), expiration.get("Date")) {
            (Some(days), _) => found.push(format!("S3 deletes {what} {days} after it was written")),
            (None, Some(date)) => found.push(format!("S3 deletes {what} on {}", moment(date))),
            (None, None) => {}
        }
        if expiration.get("ExpiredObjectDeleteMarker") == Some(&Value::Bool(true)) {
            found.push(format!(
                "S3 deletes the delete markers of {what} that hide nothing"
            ));
        }
    }
    if let Some(old) = rule.get("NoncurrentVersionExpiration") {
        found.push(format!(
            "S3 deletes {}",
            replaced(&format!("the old versions of {what}"), old)
        ));
    }
    let abort = rule.get("AbortIncompleteMultipartUpload");
    if let Some(days) = abort.and_then(|abort| days(abort, "DaysAfterInitiation")) {
        found.push(format!(
            "S3 deletes the unfinished uploads of {what} {days} after they began"
        ));
    }
    found
}

/// Where a rule of a lifecycle moves things, and when. Some classes cannot be read at once, and all
/// have other prices.
fn moves(rule: &Value) -> Vec<String> {
    if text(rule, "Status") == Some("Disabled") {
        return Vec::new();
    }
    let what = selected(rule);
    let to = |it: &Value| format!("to {}", text(it, "StorageClass").unwrap_or("another class"));
    let new = list(rule, "Transitions").iter().map(|it| {
        let when = match (days(it, "Days"), it.get("Date")) {
            (Some(days), _) => format!("{days} after it was written"),
            (None, Some(date)) => format!("on {}", moment(date)),
            (None, None) => "at once".to_owned(),
        };
        format!("S3 moves {what} {} {when}", to(it))
    });
    let old = list(rule, "NoncurrentVersionTransitions").iter().map(|it| {
        let moved = format!("the old versions of {what} {}", to(it));
        format!("S3 moves {}", replaced(&moved, it))
    });
    new.chain(old).collect()
}

/// When something happens to old versions, and to which of them.
fn replaced(what: &str, rule: &Value) -> String {
    let when = days(rule, "NoncurrentDays");
    let when = when.map_or("once they are".to_owned(), |days| {
        format!("{days} after they were")
    });
    let newest = rule.get("NewerNoncurrentVersions").and_then(Value::as_int);
    let newest = newest.map_or(String::new(), |number| {
        format!(", but for the {number} newest of each")
    });
    format!("{what} {when} replaced{newest}")
}

/// What a rule of a lifecycle is about: `everything in this bucket`.
fn selected(rule: &Value) -> String {
    let filter = rule.get("Filter");
    let and = filter.and_then(|filter| filter.get("And"));
    let parts = || [and, filter, Some(rule)].into_iter().flatten();
    let mut prefixes = parts().filter_map(|part| text(part, "Prefix"));
    let prefix = prefixes.next().unwrap_or_default();
    let narrower = ["Tag", "Tags", "ObjectSizeGreaterThan", "ObjectSizeLessThan"];
    let is_narrower = parts().any(|part| narrower.iter().any(|name| part.get(name).is_some()));
    match (prefix, is_narrower) {
        ("", false) => "everything in this bucket".to_owned(),
        ("", true) => "what the rule selects".to_owned(),
        (prefix, false) => format!("everything that begins with {prefix}"),
        (prefix, true) => format!("what the rule selects of what begins with {prefix}"),
    }
}

/// What a default retention does to what is written from now on.
fn locked_from_now(kept: &Value) -> Option<String> {
    let time = period(kept)?;
    (text(kept, "Mode") == Some("COMPLIANCE"))
        .then(|| format!("nobody can delete what is written here from now on for {time}"))
}

/// What a retention does to the object of a call.
fn locked(params: &Value) -> Option<String> {
    let kept = params.get("Retention");
    let (mode, until) = match kept {
        Some(kept) => (text(kept, "Mode"), kept.get("RetainUntilDate")),
        None => (
            text(params, "ObjectLockMode"),
            params.get("ObjectLockRetainUntilDate"),
        ),
    };
    let until = until.filter(|_| mode == Some("COMPLIANCE"))?;
    Some(format!("nobody can delete it before {}", moment(until)))
}

/// The time of a default retention with its unit: `99 years`.
pub(super) fn period(kept: &Value) -> Option<String> {
    let years = kept.get("Years").and_then(Value::as_int);
    let years = years.map(|years| counted(years, "year"));
    years.or_else(|| days(kept, "Days"))
}

fn days(value: &Value, name: &str) -> Option<String> {
    let days = value.get(name).and_then(Value::as_int)?;
    Some(counted(days, "day"))
}

fn moment(value: &Value) -> String {
    match value {
        Value::Time(time) => time.to_string(),
        other => other.as_str().unwrap_or("a date").to_owned(),
    }
}

/// That a place is in a bucket that is not among the user's own, if it is so. It is not known
/// where the buckets cannot be listed.
///
/// # Errors
/// The server does not answer.
pub(super) async fn others(world: &dyn World, place: &Place) -> Result<Option<String>> {
    let bucket = place.root();
    let caller = Caller(world);
    let mut asked = Vec::new();
    for _ in 0..PAGES {
        let page = match caller.ask("list_buckets", &Value::Map(asked)).await {
            Ok(page) => page,
            Err(Trouble::Refused(_)) => return Ok(None),
            Err(Trouble::Failed(error)) => return Err(error),
        };
        let mut names = list(&page, "Buckets")
            .iter()
            .filter_map(|it| text(it, "Name"));
        if names.any(|name| name == bucket) {
            return Ok(None);
        }
        match text(&page, "ContinuationToken") {
            Some(token) if !token.is_empty() => asked = params([("ContinuationToken", token)]),
            _ => return Ok(Some(format!("the bucket {bucket} is not among your own"))),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Map;

    fn map<const N: usize>(pairs: [(&'static str, Value); N]) -> Value {
        Value::Map(
            pairs
                .into_iter()
                .map(|(name, it)| (name.into(), it))
                .collect::<Map>(),
        )
    }

    #[track_caller]
    fn check(rule: Value, expected: &[&str]) {
        let rules = map([("Rules", Value::List(vec![rule]))]);
        let params = map([("Bucket", "zoo".into()), ("LifecycleConfiguration", rules)]);
        assert_eq!(of("put_bucket_lifecycle_configuration", &params), expected);
    }

    #[test]
    fn a_lifecycle_says_what_it_deletes_and_when() {
        let days = |days: i64| map([("Days", Value::Int(days))]);
        let old = map([("NoncurrentDays", Value::Int(30))]);
        check(
            map([
                ("Status", "Enabled".into()),
                ("Filter", map([("Prefix", "".into())])),
                ("Expiration", days(1)),
                ("NoncurrentVersionExpiration", old),
            ]),
            &[
                "S3 deletes everything in this bucket 1 day after it was written",
                "S3 deletes the old versions of everything in this bucket 30 days after they were \
                 replaced",
            ],
        );
        check(
            map([
                ("Status", "Enabled".into()),
                ("Prefix", "logs/".into()),
                ("Expiration", map([("Date", "2030-01-01".into())])),
            ]),
            &["S3 deletes everything that begins with logs/ on 2030-01-01"],
        );
        check(
            map([("Status", "Disabled".into()), ("Expiration", days(1))]),
            &[],
        );
    }

    #[test]
    fn a_lifecycle_says_what_it_moves_and_which_uploads_it_ends() {
        let number = Value::Int;
        let begun = map([("DaysAfterInitiation", number(1))]);
        let marker = map([("ExpiredObjectDeleteMarker", true.into())]);
        let old = map([
            ("NewerNoncurrentVersions", number(3)),
            ("NoncurrentDays", number(9)),
        ]);
        let class = |when: &'static str, it: Value| {
            Value::List(vec![map([(when, it), ("StorageClass", "GLACIER".into())])])
        };
        check(
            map([
                ("Status", "Enabled".into()),
                ("Prefix", "logs/".into()),
                ("AbortIncompleteMultipartUpload", begun),
                ("Expiration", marker),
                ("NoncurrentVersionExpiration", old),
                ("Transitions", class("Days", number(30))),
                (
                    "NoncurrentVersionTransitions",
                    class("NoncurrentDays", number(2)),
                ),
            ]),
            &[
                "S3 deletes the delete markers of everything that begins with logs/ that hide \
                 nothing",
                "S3 deletes the old versions of everything that begins with logs/ 9 days after \
                 they were replaced, but for the 3 newest of each",
                "S3 deletes the unfinished uploads of everything that begins with logs/ 1 day \
                 after they began",
                "S3 moves everything that begins with logs/ to GLACIER 30 days after it was written",
                "S3 moves the old versions of everything that begins with logs/ to GLACIER 2 days \
                 after they were replaced",
            ],
        );
        check(
            map([
                ("Status", "Enabled".into()),
                ("Transitions", class("Date", "2030-01-01".into())),
            ]),
            &["S3 moves everything in this bucket to GLACIER on 2030-01-01"],
        );
        check(
            map([
                ("Status", "Disabled".into()),
                ("Transitions", class("Days", number(30))),
            ]),
            &[],
        );
    }

    #[test]
    fn what_nobody_can_delete_is_said_with_the_time() {
        let kept = |mode: &'static str| {
            let kept = map([("Mode", mode.into()), ("Years", Value::Int(99))]);
            let rule = map([("Rule", map([("DefaultRetention", kept)]))]);
            of(
                "put_object_lock_configuration",
                &map([("ObjectLockConfiguration", rule)]),
            )
        };
        let sentence = "nobody can delete what is written here from now on for 99 years";
        assert_eq!(kept("COMPLIANCE"), [sentence]);
        assert!(kept("GOVERNANCE").is_empty());
        let until = ("RetainUntilDate", "2036-01-01T00:00:00Z".into());
        let retention = map([("Mode", "COMPLIANCE".into()), until]);
        assert_eq!(
            of("put_object_retention", &map([("Retention", retention)])),
            ["nobody can delete it before 2036-01-01T00:00:00Z"]
        );
    }
}
