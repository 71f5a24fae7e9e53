//! Forms that are signed ahead (presigned posts): whoever has one can upload one object with a
//! browser, without credentials, until it expires.

use super::request::{SETTING_OF_FORMS, USUAL_SECONDS, period, shared};
use super::url::{Endpoint, Version, WITHHELD};
use crate::domain::{Place, Refusal, Touched, Value};
use crate::params::Params;
use crate::refusal;
use crate::setting_json::to_json;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value as Json, json};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// How the signature is made, as the form says it.
const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// The placeholder in a key for the name of the uploaded file.
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
    /// The version of the signature in the form that programs get.
    shown: Version,
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
            shown: params
                .optional("SignatureVersion")?
                .and_then(Version::named)
                .unwrap_or(Version::Two),
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

    /// The permission that the form gives, in words.
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

    /// The description of the form in a plan.
    pub fn touched(&self, is_served: bool) -> Touched {
        let (deed, time) = (self.deed(), period(self.seconds));
        let setting = format!("{SETTING_OF_FORMS} to {deed} for {time}");
        shared(self.thing().with_setting(setting), is_served)
    }

    /// The replacement for the signature in the form.
    pub fn withheld(&self) -> String {
        let asked = (self.bucket, self.key, &self.fields, &self.conditions);
        let digest = Sha256::digest(format!("{asked:?}{}", self.seconds));
        let digest = const_hex::encode(digest.get(..6).unwrap_or_default());
        format!("{WITHHELD}-{digest}")
    }

    /// The value that a program gets.
    pub fn answer(&self, endpoint: &Endpoint<'_>, now: Timestamp, is_served: bool) -> Value {
        let signatory = Signatory {
            id: WITHHELD,
            token: None,
            region: endpoint.region,
        };
        let fields = match self.shown {
            Version::Four => self.signed(&signatory, now, |_, _| self.withheld()),
            Version::Two => self.signed_as_before(now),
        };
        let fields = fields.into_iter();
        let fields = fields.map(|(name, value)| (name.into(), value.into()));
        Value::Map(vec![
            ("Url".into(), endpoint.of_bucket(self.bucket).into()),
            ("Fields".into(), Value::Map(fields.collect())),
            ("Served".into(), is_served.into()),
        ])
    }

    /// The fields of botocore's usual form, which is signed with version 2.
    fn signed_as_before(&self, now: Timestamp) -> Vec<(String, String)> {
        let policy = self.policy(now, &[]);
        let signature = self.withheld();
        self.with_key([
            ("AWSAccessKeyId", WITHHELD),
            ("policy", &policy),
            ("signature", &signature),
        ])
    }

    /// The policy of the form, with conditions for the fields of its signature.
    fn policy(&self, now: Timestamp, signed: &[(&str, &str)]) -> String {
        let mut conditions = self.conditions.clone();
        conditions.extend([json!({"bucket": self.bucket}), json!({"key": self.key})]);
        conditions.extend(signed.iter().map(|(name, value)| json!({*name: value})));
        let end = now.checked_add(SignedDuration::from_secs(self.seconds));
        let end = end.unwrap_or(Timestamp::MAX).strftime("%Y-%m-%dT%H:%M:%SZ");
        let policy = json!({"expiration": end.to_string(), "conditions": conditions});
        STANDARD.encode(policy.to_string())
    }

    /// The fields that the program prescribes, the key, and more.
    fn with_key<'f>(
        &'f self,
        more: impl IntoIterator<Item = (&'f str, &'f str)>,
    ) -> Vec<(String, String)> {
        let fields = self.fields.iter().copied();
        let fields = fields.filter(|(name, _)| *name != "key");
        let all = fields.chain([("key", self.key)]).chain(more);
        all.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    /// The fields of the form, signed with version 4. `sign` gets the scope of the signature and
    /// the policy.
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
        let policy = self.policy(now, &signed);
        let signature = sign(&scope, &policy);
        signed.extend([("policy", &*policy), ("x-amz-signature", &*signature)]);
        self.with_key(signed)
    }
}
