//! Links that are signed ahead, with the credentials of this world.
//!
//! The SDK signs links for six operations. As in `carrier.rs`, one of them carries any other:
//! method, query and headers are replaced before it is signed.

use super::Remote;
use super::carrier::replace;
use super::errors::Trouble;
use super::tries::Again;
use crate::api::{self, Level};
use crate::domain::{Map, Refusal, SharedLink, Value};
use crate::error::Error;
use crate::links::{Endpoint, LinkRequest};
use crate::params::Params;
use crate::{caller, refusal};
use aws_sdk_s3::presigning::{PresignedRequest, PresigningConfig};
use jiff::Timestamp;
use std::time::{Duration, SystemTime};

/// The longest time for which S3 accepts a link.
pub(super) const A_WEEK: Duration = Duration::from_hours(7 * 24);

impl Remote {
    /// The link that a program gets, without signing one.
    pub(super) fn describe_link(&self, params: &Value) -> Result<Map, Trouble> {
        let endpoint = Endpoint {
            url: self.0.endpoint.as_deref(),
            is_path_style: self.0.is_path_style,
            region: self.region(),
        };
        let request = LinkRequest::new(Params::new(params)?)?;
        match request.answer(&endpoint, Timestamp::now(), true) {
            Value::Map(answer) => Ok(answer),
            _ => Ok(Map::new()),
        }
    }

    /// Signs a link, and shows it to the user. The program gets its own form of it.
    pub(super) async fn share_link(&self, params: &Value) -> Result<Map, Trouble> {
        let request = LinkRequest::new(Params::new(params)?)?;
        let Some(show) = self.0.links.get() else {
            return Err(unshown().into());
        };
        if !(Duration::from_secs(1)..=A_WEEK).contains(&request.lasts()) {
            return Err(refused_time(request.seconds).into());
        }
        let (start, lasts) = (SystemTime::now(), request.lasts());
        let link = self.signed(&request, start).await?;
        let headers = link.headers().filter(|(name, _)| *name != "host");
        let until = Timestamp::try_from(start + lasts).unwrap_or_default();
        let until = until.strftime("%Y-%m-%d %H:%M UTC");
        let (thing, deed) = (request.thing(), request.deed());
        show(SharedLink {
            about: format!("link to {thing} for anybody who has it, to {deed} until {until}"),
            url: link.uri().to_owned(),
            method: (link.method() != "GET").then(|| link.method().to_owned()),
            headers: headers
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            fields: Vec::new(),
            withheld: request.withheld(),
        });
        self.describe_link(params)
    }

    async fn signed(
        &self,
        request: &LinkRequest<'_>,
        start: SystemTime,
    ) -> Result<PresignedRequest, Trouble> {
        let named = |name| caller::text(request.params, name).unwrap_or_default();
        let bucket = named("Bucket");
        // A link for the wrong region does not work, and a bucket says which is right.
        if self.0.is_amazon && !bucket.is_empty() {
            let named = Value::Map(caller::params([("Bucket", bucket)]));
            let _ = self.carry_out("head_bucket", &named, Again::AsBoto3).await;
        }
        let client = self.client_for(bucket);
        let parts = api::request::write(request.operation, request.params)?;
        let replaced = replace(request.operation.method, parts);
        let config = PresigningConfig::builder()
            .start_time(start)
            .expires_in(request.lasts())
            .build()
            .map_err(|_| refused_time(request.seconds))?;
        let signed = match request.operation.level {
            Level::Service => return Err(refusal::malformed("Bucket", "given").into()),
            Level::Bucket => {
                let carrier = client.list_object_versions().bucket(bucket).customize();
                let signed = carrier.mutate_request(replaced).presigned(config).await;
                signed.map_err(|error| error.to_string())
            }
            Level::Object => {
                let carrier = client.get_object().bucket(bucket).key(named("Key"));
                let carrier = carrier.customize().mutate_request(replaced);
                let signed = carrier.presigned(config).await;
                signed.map_err(|error| error.to_string())
            }
        };
        signed.map_err(|error| {
            Trouble::Failed(Error::world(format!(
                "{}: no link was signed: {error}",
                self.place()
            )))
        })
    }
}

/// The refusal that S3 gives when such a link is used, given at once.
pub(super) fn refused_time(seconds: i64) -> Refusal {
    let text = match seconds {
        ..1 => "X-Amz-Expires must be non-negative",
        _ => "X-Amz-Expires must be less than a week (in seconds) that is 604800",
    };
    Refusal::new(400, "AuthorizationQueryParametersError", text)
}

pub(super) fn unshown() -> Refusal {
    Refusal::new(
        403,
        "AccessDenied",
        "no link is signed here, because there is nobody to show it to",
    )
}
