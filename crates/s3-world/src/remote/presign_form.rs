//! Forms that are signed ahead, with the credentials of this world. The SDK signs none.

use super::Remote;
use super::errors::Trouble;
use super::presign::{A_WEEK, refused_time, unshown};
use super::tries::Again;
use crate::domain::{Map, SharedLink, Value};
use crate::error::Error;
use crate::links::{Endpoint, FormRequest, Signatory};
use crate::params::Params;
use crate::{caller, signing};
use aws_sdk_s3::config::{ProvideCredentials, Region};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

impl Remote {
    /// The form that a program gets, without signing one.
    pub(super) fn describe_form(&self, params: &Value) -> Result<Map, Trouble> {
        let request = FormRequest::new(Params::new(params)?)?;
        let endpoint = Endpoint {
            url: self.0.endpoint.as_deref(),
            is_path_style: self.0.is_path_style,
            region: self.region(),
        };
        match request.answer(&endpoint, Timestamp::now(), true) {
            Value::Map(answer) => Ok(answer),
            _ => Ok(Map::new()),
        }
    }

    /// Signs a form, and shows it to the user. The program gets its own form of it.
    pub(super) async fn share_form(&self, params: &Value) -> Result<Map, Trouble> {
        let request = FormRequest::new(Params::new(params)?)?;
        let Some(show) = self.0.links.get() else {
            return Err(unshown().into());
        };
        if !(Duration::from_secs(1)..=A_WEEK).contains(&request.lasts()) {
            return Err(refused_time(request.seconds).into());
        }
        let region = self.region_for_form(request.bucket).await;
        let credentials = self.0.credentials.provide_credentials().await;
        let credentials = credentials.map_err(|error| {
            Trouble::Failed(Error::world(format!(
                "{}: no form was signed: {error}",
                self.place()
            )))
        })?;
        let signatory = Signatory {
            id: credentials.access_key_id(),
            token: credentials.session_token(),
            region: &region,
        };
        let now = Timestamp::now();
        let fields = request.signed(&signatory, now, |scope, policy| {
            let key = signing::key(credentials.secret_access_key(), scope.split('/'));
            const_hex::encode(signing::sign(&key, policy))
        });
        // A redirect to the right region would lose the file.
        let amazon = format!("https://s3.{region}.amazonaws.com");
        let endpoint = Endpoint {
            url: Some(self.0.endpoint.as_deref().unwrap_or(&amazon)),
            is_path_style: self.0.is_path_style,
            region: &region,
        };
        let until = now.checked_add(SignedDuration::from_secs(request.seconds));
        let until = until
            .unwrap_or(Timestamp::MAX)
            .strftime("%Y-%m-%d %H:%M UTC");
        let (thing, deed) = (request.thing(), request.deed());
        show(SharedLink {
            about: format!("form for {thing} for anybody who has it, to {deed} until {until}"),
            url: endpoint.of_bucket(request.bucket),
            method: Some("POST".to_owned()),
            headers: Vec::new(),
            fields,
            withheld: request.withheld(),
        });
        self.describe_form(params)
    }

    /// The region in which a bucket is, as far as that is known.
    async fn region_for_form(&self, bucket: &str) -> String {
        if self.0.is_amazon {
            let named = Value::Map(caller::params([("Bucket", bucket)]));
            let _ = self.carry_out("head_bucket", &named, Again::AsBoto3).await;
        }
        let client = self.client_for(bucket);
        let region = client.config().region().map(Region::as_ref);
        region.unwrap_or(self.region()).to_owned()
    }
}
