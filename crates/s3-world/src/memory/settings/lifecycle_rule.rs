//! The mistakes in a rule of a lifecycle that S3 refuses.

use crate::domain::{Map, Refusal, Value};
use crate::refusal;

/// The seconds of a day.
const DAY: i64 = 24 * 60 * 60;

/// The fewest days after which objects go to a class.
const LEAST_DAYS: [(&str, i64); 2] = [("STANDARD_IA", 30), ("ONEZONE_IA", 30)];

/// Checks a rule.
///
/// # Errors
/// The refusal of S3 if it does not take a rule.
pub fn check_rule(rule: &Value) -> Result<(), Refusal> {
    let actions = [
        "Expiration",
        "Transitions",
        "NoncurrentVersionExpiration",
        "NoncurrentVersionTransitions",
        "AbortIncompleteMultipartUpload",
    ];
    let has = |name: &&str| rule.get(name).is_some();
    if !actions.iter().any(has) {
        return Err(Refusal::new(
            400,
            "InvalidRequest",
            "At least one action needs to be specified in a rule",
        ));
    }
    if has(&"Prefix") == has(&"Filter") {
        return Err(refusal::malformed_xml());
    }
    if let Some(filter) = rule.get("Filter") {
        check_filter(filter)?;
    }
    let has_marker = rule
        .get("Expiration")
        .is_some_and(|it| it.get("ExpiredObjectDeleteMarker").is_some());
    let of_tags = rule.get("Filter").is_some_and(|filter| {
        filter.get("Tag").is_some()
            || filter
                .get("And")
                .is_some_and(|and| and.get("Tags").is_some())
    });
    let without_tags = [
        (
            "AbortIncompleteMultipartUpload",
            has(&"AbortIncompleteMultipartUpload"),
        ),
        ("ExpiredObjectDeleteMarker", has_marker),
    ];
    for (name, is_there) in without_tags {
        if of_tags && is_there {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                format!("{name} cannot be specified with Tags."),
            ));
        }
    }
    if let Some(expiration) = rule.get("Expiration") {
        let given = ["Days", "Date", "ExpiredObjectDeleteMarker"];
        let given = given
            .iter()
            .filter(|name| expiration.get(name).is_some())
            .count();
        if given != 1 {
            return Err(refusal::malformed_xml());
        }
        positive(expiration.get("Days"), "Expiration action")?;
        midnight(expiration.get("Date"))?;
    }
    let list = |name| rule.get(name).and_then(Value::as_list).unwrap_or_default();
    for transition in list("Transitions") {
        if transition.get("Days").is_some() == transition.get("Date").is_some()
            || transition.get("StorageClass").is_none()
        {
            return Err(refusal::malformed_xml());
        }
        midnight(transition.get("Date"))?;
        check_days(transition, "Days", "Transition")?;
    }
    for transition in list("NoncurrentVersionTransitions") {
        if transition.get("StorageClass").is_none() || transition.get("NoncurrentDays").is_none() {
            return Err(refusal::malformed_xml());
        }
        check_days(transition, "NoncurrentDays", "NoncurrentVersionTransition")?;
    }
    check_order(rule)?;
    let noncurrent = rule.get("NoncurrentVersionExpiration");
    if let Some(noncurrent) = noncurrent
        && ["NoncurrentDays", "NewerNoncurrentVersions"]
            .iter()
            .all(|name| noncurrent.get(name).is_none())
    {
        return Err(refusal::malformed_xml());
    }
    positive(
        noncurrent.and_then(|it| it.get("NoncurrentDays")),
        "NoncurrentVersionExpiration action",
    )?;
    let abort = rule.get("AbortIncompleteMultipartUpload");
    positive(
        abort.and_then(|it| it.get("DaysAfterInitiation")),
        "AbortIncompleteMultipartUpload action",
    )
}

/// Refuses a transition before the day on which its class takes objects.
fn check_days(transition: &Value, name: &str, action: &str) -> Result<(), Refusal> {
    let days = transition.get(name).and_then(Value::as_int);
    let class = transition.get("StorageClass").and_then(Value::as_str);
    if days.is_some_and(|days| days < 0) {
        return Err(invalid(&format!(
            "'{name}' for {action} action must be nonnegative"
        )));
    }
    let least = LEAST_DAYS.iter().find(|(known, _)| Some(*known) == class);
    match least {
        Some((class, least)) if days.is_some_and(|days| days < *least) => Err(invalid(&format!(
            "'{name}' in {action} action must be greater than or equal to {least} for \
             storageClass '{class}'"
        ))),
        _ => Ok(()),
    }
}

/// Refuses an expiration that comes before a transition, and one by days beside one by date.
fn check_order(rule: &Value) -> Result<(), Refusal> {
    let Some(expiration) = rule.get("Expiration") else {
        return Ok(());
    };
    let transitions = rule.get("Transitions").and_then(Value::as_list);
    for transition in transitions.unwrap_or_default() {
        let days = |action: &Value| action.get("Days").and_then(Value::as_int);
        let date = |action: &Value| action.get("Date").cloned();
        let of_prefix = || {
            let filter = rule.get("Filter");
            let and = filter.and_then(|filter| filter.get("And"));
            let places = [and, filter, Some(rule)];
            let mut places = places.into_iter().flatten();
            let prefix = places.find_map(|place| place.get("Prefix")?.as_str());
            format!("filter '(prefix={})'", prefix.unwrap_or_default())
        };
        let too_early = match (days(expiration), days(transition)) {
            (Some(end), Some(start)) if end <= start => Some("Days"),
            _ => match (date(expiration), date(transition)) {
                (Some(Value::Time(end)), Some(Value::Time(start))) if end <= start => Some("Date"),
                _ => None,
            },
        };
        if let Some(name) = too_early {
            return Err(invalid(&format!(
                "'{name}' in the Expiration action for {} must be greater than '{name}' in the \
                 Transition action",
                of_prefix()
            )));
        }
        let mixed = days(expiration).is_some() && date(transition).is_some()
            || date(expiration).is_some() && days(transition).is_some();
        if mixed {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                format!(
                    "Found mixed 'Date' and 'Days' based Expiration and Transition actions in \
                     lifecycle rule for {}",
                    of_prefix()
                ),
            ));
        }
    }
    Ok(())
}

/// A filter has one condition, or `And` with several.
fn check_filter(filter: &Value) -> Result<(), Refusal> {
    let Value::Map(conditions) = filter else {
        return Err(refusal::malformed_xml());
    };
    let in_and = match filter.get("And") {
        Some(Value::Map(pairs)) => Some(parts(pairs)),
        _ => None,
    };
    match (conditions.len(), in_and) {
        (0, _) | (1, None) => Ok(()),
        (1, Some(parts)) if parts > 1 => check_tags_of(filter.get("And")),
        _ => Err(refusal::malformed_xml()),
    }
}

fn check_tags_of(and: Option<&Value>) -> Result<(), Refusal> {
    let tags = and.and_then(|and| and.get("Tags")?.as_list());
    let mut seen: Vec<&str> = Vec::new();
    for key in tags
        .unwrap_or_default()
        .iter()
        .filter_map(|tag| tag.get("Key")?.as_str())
    {
        if seen.contains(&key) {
            return Err(Refusal::new(
                400,
                "InvalidRequest",
                "Duplicate Tag Keys are not allowed.",
            ));
        }
        seen.push(key);
    }
    Ok(())
}

fn parts(pairs: &Map) -> usize {
    let size = |(name, value): &(_, Value)| match (AsRef::<str>::as_ref(name), value) {
        ("Tags", Value::List(tags)) => tags.len(),
        _ => 1,
    };
    pairs
        .iter()
        .map(|(name, value)| size(&(name.clone(), value.clone())))
        .sum()
}

fn positive(days: Option<&Value>, action: &str) -> Result<(), Refusal> {
    match days.and_then(Value::as_int) {
        Some(days) if days < 1 => Err(invalid(&format!(
            "'Days' for {action} must be a positive integer"
        ))),
        _ => Ok(()),
    }
}

fn midnight(date: Option<&Value>) -> Result<(), Refusal> {
    match date {
        Some(Value::Time(time)) if time.as_second().rem_euclid(DAY) != 0 => {
            Err(invalid("'Date' must be at midnight GMT").with("ArgumentName", "Date"))
        }
        _ => Ok(()),
    }
}

/// The refusal of an argument.
pub fn invalid(message: &str) -> Refusal {
    Refusal::new(400, "InvalidArgument", message)
}
