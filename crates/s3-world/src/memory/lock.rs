//! Locked versions: until a time, or as long as somebody holds them.

use super::answer::Dict;
use super::extras::{Extras, Retention};
use super::settings::OBJECT_LOCK;
use super::state::{Bucket, Object};
use super::{Store, buckets, locate, tagging};
use crate::domain::{Answer, Refusal, Value};
use crate::params::Params;
use crate::refusal;
use jiff::{SignedDuration, Timestamp};

const MODES: [&str; 2] = ["GOVERNANCE", "COMPLIANCE"];

fn no_lock() -> Refusal {
    Refusal::new(
        400,
        "InvalidRequest",
        "Bucket is missing Object Lock Configuration",
    )
}

fn none() -> Refusal {
    Refusal::new(
        404,
        "NoSuchObjectLockConfiguration",
        "The specified object does not have a ObjectLock configuration",
    )
}

fn protected() -> Refusal {
    Refusal::new(
        403,
        "AccessDenied",
        "Access Denied because object protected by object lock.",
    )
}

impl Bucket {
    /// Whether its versions can be locked.
    pub fn has_lock(&self) -> bool {
        self.settings.get(OBJECT_LOCK).is_some()
    }
}

/// The lock that an upload asks for, or else the one that the bucket gives to new objects.
///
/// # Errors
/// The bucket has no locks, or the parameters do not go together.
pub fn of_upload(
    bucket: &Bucket,
    params: Params<'_>,
    now: Timestamp,
    extras: &mut Extras,
) -> Result<(), Refusal> {
    let mode = params.filled("ObjectLockMode")?;
    let until = params.time("ObjectLockRetainUntilDate")?;
    let hold = params.filled("ObjectLockLegalHoldStatus")?;
    if (mode.is_some() || until.is_some() || hold.is_some()) && !bucket.has_lock() {
        return Err(no_lock());
    }
    let invalid = |name: &str, value: &str, message: &str| {
        Err(refusal::invalid_argument(name, value, message.to_owned()))
    };
    extras.retention = match (mode, until) {
        (None, None) => default_of(bucket, now),
        (Some(mode), Some(_)) if !MODES.contains(&mode) => {
            return invalid(
                "x-amz-object-lock-mode",
                mode,
                "Unknown wormMode directive.",
            );
        }
        (Some(mode), Some(until)) if until > now => Some(Retention {
            mode: mode.to_owned(),
            until,
        }),
        (Some(_), Some(until)) => {
            return invalid(
                "x-amz-object-lock-retain-until-date",
                &until.to_string(),
                "The retain until date must be in the future!",
            );
        }
        (mode, until) => {
            let missing = match mode {
                Some(_) => "x-amz-object-lock-retain-until-date",
                None => "x-amz-object-lock-mode",
            };
            let given = until.map(|until| until.to_string());
            return invalid(
                missing,
                mode.or(given.as_deref()).unwrap_or_default(),
                "x-amz-object-lock-retain-until-date and x-amz-object-lock-mode must both be \
                 supplied",
            );
        }
    };
    extras.legal_hold = match hold {
        None => None,
        Some("ON") => Some(true),
        Some("OFF") => Some(false),
        Some(other) => {
            return invalid(
                "x-amz-object-lock-legal-hold",
                other,
                "Legal Hold must be either of 'ON' or 'OFF'",
            );
        }
    };
    Ok(())
}

/// The retention that the bucket gives to new objects.
fn default_of(bucket: &Bucket, now: Timestamp) -> Option<Retention> {
    let rule = bucket
        .settings
        .get(OBJECT_LOCK)?
        .get("Rule")?
        .get("DefaultRetention")?;
    let number = |name| rule.get(name).and_then(Value::as_int);
    let days = number("Days").or(number("Years").map(|years| years * 365))?;
    let until = now
        .checked_add(SignedDuration::from_hours(days.checked_mul(24)?))
        .ok()?;
    Some(Retention {
        mode: rule.get("Mode")?.as_str()?.to_owned(),
        until,
    })
}

/// Refuses to delete a locked version. `bypass` lifts a retention of the mode `GOVERNANCE`.
///
/// # Errors
/// `AccessDenied`.
pub fn check_delete(object: &Object, bypass: bool, now: Timestamp) -> Result<(), Refusal> {
    let extras = object.extras();
    let is_kept = extras.retention.as_ref().is_some_and(|retention| {
        retention.until > now && !(bypass && retention.mode == "GOVERNANCE")
    });
    match is_kept || extras.legal_hold == Some(true) {
        true => Err(protected()),
        false => Ok(()),
    }
}

pub fn get_retention(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::described(bucket, params.key()?, params, "GET")?;
    if !bucket.has_lock() {
        return Err(no_lock());
    }
    let retention = object.extras().retention.clone().ok_or_else(none)?;
    let value = Dict::with_capacity(2)
        .field("Mode", retention.mode)
        .field("RetainUntilDate", retention.until);
    Ok(Dict::with_capacity(1)
        .field("Retention", Value::from(value))
        .into())
}

pub fn put_retention(store: &mut Store, params: Params<'_>) -> Answer {
    let bypass = params.flag("BypassGovernanceRetention")?;
    let wanted = params.map("Retention")?;
    let now = store.clock.now();
    tagging::change(store, params, |bucket, extras| {
        if !bucket.has_lock() {
            return Err(no_lock());
        }
        let wanted = wanted.ok_or_else(refusal::malformed_xml)?;
        let next = match (wanted.filled("Mode")?, wanted.time("RetainUntilDate")?) {
            (None, None) => None,
            (Some(mode), Some(until)) if MODES.contains(&mode) => Some(Retention {
                mode: mode.to_owned(),
                until,
            }),
            _ => return Err(refusal::malformed_xml()),
        };
        if let Some(next) = &next
            && next.until <= now
        {
            return Err(refusal::invalid_argument(
                "RetainUntilDate",
                &next.until.to_string(),
                "The retain until date must be in the future!",
            ));
        }
        if let Some(known) = extras.retention.as_ref().filter(|known| known.until > now) {
            let is_longer = next
                .as_ref()
                .is_some_and(|next| next.until >= known.until && next.mode == known.mode);
            let may_bypass = bypass && known.mode == "GOVERNANCE";
            if !is_longer && !may_bypass {
                return Err(protected());
            }
        }
        extras.retention = next;
        Ok(())
    })
    .map(|_| Value::Map(Vec::new()))
}

pub fn get_hold(store: &Store, params: Params<'_>) -> Answer {
    let bucket = buckets::find(&store.state, params, params.text("Bucket")?)?;
    let object = locate::described(bucket, params.key()?, params, "GET")?;
    if !bucket.has_lock() {
        return Err(no_lock());
    }
    let held = object.extras().legal_hold.ok_or_else(none)?;
    let status = Dict::with_capacity(1).field("Status", if held { "ON" } else { "OFF" });
    Ok(Dict::with_capacity(1)
        .field("LegalHold", Value::from(status))
        .into())
}

pub fn put_hold(store: &mut Store, params: Params<'_>) -> Answer {
    let wanted = params
        .map("LegalHold")?
        .ok_or_else(refusal::malformed_xml)?;
    let held = match wanted.filled("Status")? {
        Some("ON") => true,
        Some("OFF") => false,
        _ => return Err(refusal::malformed_xml()),
    };
    tagging::change(store, params, |bucket, extras| {
        if !bucket.has_lock() {
            return Err(no_lock());
        }
        extras.legal_hold = Some(held);
        Ok(())
    })
    .map(|_| Value::Map(Vec::new()))
}
