//! Forms that are signed ahead (presigned posts): whoever has one can upload one object with a
//! browser, without credentials, until it expires.

use super::request::{SETTING_OF_FORMS, USUAL_SECONDS, period, shared};
use super::url::{Endpoint, WITHHELD};
use crate::domain::s3::params::Params;
use crate::domain::s3::refusal;
use crate::domain::s3::setting_json::to_json;
use crate::domain::{Place, Refusal, Touched, Value};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// How the signature is made, as the form says it.
const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// What stands in a key for the name of the file that somebody chooses.
const ANY_NAME: &str = "${filename}";

/// A call of `generate_presigned_post`.
pub struct FormRequest<'a> {
    pub bucket: &'a str,
    key: &'a str,
    /// The fields that the program prescribes.
    fields: Vec<(&'a str, &'a str)>,
    /// The conditions of the policy, in the form of JSON.
    conditions: Vec<Json>,
    /// How long the form is valid.
    pub seconds: i64,
}

/// Who signs a form.
pub struct Signatory<'a> {
    /// The ID of the access key.
    pub id: &'a str,
    /// The token of a session.
    pub token: Option<&'a str>,
    pub region: &'a str,
}

impl<'a> FormRequest<'a> {
    /// Reads the parameters that the client sends to the host.
    ///
    /// # Errors
    /// Those of [`read`](Self::read). Refuses keys that whoever has the form chooses: no rule
    /// about keys could hold then.
    pub fn new(params: Params<'a>) -> Result<Self, Refusal> {
        let request = Self::read(params)?;
        if request.key.contains(ANY_NAME) {
            return Err(Refusal::new(
                501,
                "NotImplemented",
                format!("a form that leaves the key open ({ANY_NAME}) is not signed: name the key"),
            ));
        }
        Ok(request)
    }

    /// The same for a key of any kind, so that a policy can judge a call that is refused later.
    ///
    /// # Errors
    /// A parameter is malformed.
    pub fn read(params: Params<'a>) -> Result<Self, Refusal> {
        let key = params.key()?;
        let fields = match params.get("Fields") {
            Some(Value::Map(pairs)) => {
                let pairs = pairs.iter();
                let fields = pairs.map(|(name, value)| Some((&**name, value.as_str()?)));
                let fields: Option<Vec<_>> = fields.collect();
                fields.ok_or_else(|| refusal::malformed("Fields", "texts"))?
            }
            _ => Vec::new(),
        };
        let conditions = params.get("Conditions").and_then(Value::as_list);
        let seconds = params.get("ExpiresIn").and_then(Value::as_int);
        Ok(FormRequest {
            bucket: params.text("Bucket")?,
            key,
            fields,
            conditions: conditions.unwrap_or_default().iter().map(to_json).collect(),
            seconds: seconds.unwrap_or(USUAL_SECONDS),
        })
    }

    /// How long the form is valid; no time at all where S3 refuses it.
    pub fn lasts(&self) -> Duration {
        Duration::from_secs(u64::try_from(self.seconds).unwrap_or_default())
    }

    /// The object that the form uploads.
    pub fn thing(&self) -> Place {
        Place::thing(self.bucket, self.key)
    }

    /// What whoever has the form can do.
    pub fn deed(&self) -> &'static str {
        let is_about_acl = |condition: &Json| match condition {
            Json::Object(pairs) => pairs.keys().any(|name| name.eq_ignore_ascii_case("acl")),
            Json::Array(items) => {
                let mut texts = items.iter().filter_map(Json::as_str);
                texts.any(|text| text.eq_ignore_ascii_case("$acl"))
            }
            _ => false,
        };
        match self.conditions.iter().any(is_about_acl) {
            true => "write it, and say who can see it",
            false => "write it",
        }
    }

    /// What a plan says of the form.
    pub fn touched(&self, is_served: bool) -> Touched {
        let (deed, time) = (self.deed(), period(self.seconds));
        let setting = format!("{SETTING_OF_FORMS} to {deed} for {time}");
        shared(self.thing().with_setting(setting), is_served)
    }

    /// What stands in the form for the signature.
    pub fn withheld(&self) -> String {
        let asked = (self.bucket, self.key, &self.fields, &self.conditions);
        let digest = Sha256::digest(format!("{asked:?}{}", self.seconds));
        let digest = const_hex::encode(digest.get(..6).unwrap_or_default());
        format!("{WITHHELD}-{digest}")
    }

    /// What a program gets.
    pub fn answer(&self, endpoint: &Endpoint<'_>, now: Timestamp, is_served: bool) -> Value {
        let signatory = Signatory {
            id: WITHHELD,
            token: None,
            region: endpoint.region,
        };
        let fields = self.signed(&signatory, now, |_, _| self.withheld());
        let fields = fields.into_iter();
        let fields = fields.map(|(name, value)| (name.into(), value.into()));
        Value::Map(vec![
            ("Url".into(), endpoint.of_bucket(self.bucket).into()),
            ("Fields".into(), Value::Map(fields.collect())),
            ("Served".into(), is_served.into()),
        ])
    }

    /// The fields of the form. `sign` gets the scope of the signature and the policy.
    pub fn signed(
        &self,
        signatory: &Signatory<'_>,
        now: Timestamp,
        sign: impl FnOnce(&str, &str) -> String,
    ) -> Vec<(String, String)> {
        let time = now.strftime("%Y%m%dT%H%M%SZ").to_string();
        let (day, _) = time.split_once('T').unwrap_or((&time, ""));
        let scope = format!("{day}/{}/s3/aws4_request", signatory.region);
        let credential = format!("{}/{scope}", signatory.id);
        let mut signed = vec![
            ("x-amz-algorithm", ALGORITHM),
            ("x-amz-credential", &credential),
            ("x-amz-date", &time),
        ];
        signed.extend(signatory.token.map(|token| ("x-amz-security-token", token)));
        let mut conditions = self.conditions.clone();
        conditions.extend([json!({"bucket": self.bucket}), json!({"key": self.key})]);
        conditions.extend(signed.iter().map(|(name, value)| json!({*name: value})));
        let end = now.checked_add(SignedDuration::from_secs(self.seconds));
        let end = end.unwrap_or(Timestamp::MAX).strftime("%Y-%m-%dT%H:%M:%SZ");
        let policy = json!({"expiration": end.to_string(), "conditions": conditions});
        let policy = STANDARD.encode(policy.to_string());
        let signature = sign(&scope, &policy);
        let fields = self.fields.iter().copied();
        let fields = fields.filter(|(name, _)| *name != "key");
        let fields = fields.chain([("key", self.key)]);
        let signature = [("policy", policy.as_str()), ("x-amz-signature", &signature)];
        let all = fields.chain(signed).chain(signature);
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }
}
