//! Buckets in other regions: like boto3, calls are repeated in the bucket's region.

use super::Remote;
use super::errors::Refused;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::Region;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The header in which S3 names the region of a bucket.
pub(super) const HEADER: &str = "x-amz-bucket-region";

/// The clients for buckets in other regions than the configured one.
#[derive(Default)]
pub(super) struct Regions(Mutex<HashMap<String, Client>>);

impl Regions {
    fn get(&self, bucket: &str) -> Option<Client> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(bucket).cloned()
    }

    fn learn(&self, bucket: &str, client: &Client) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(bucket.to_owned(), client.clone());
    }
}

impl Remote {
    /// The client for the known region of a bucket.
    pub(super) fn client_for(&self, bucket: &str) -> Client {
        let known = self.0.regions.get(bucket);
        known.unwrap_or_else(|| self.0.client.clone())
    }

    /// The client for the region of a bucket that was not found in the region that was
    /// tried. `None` if the refusal has another reason, or the region is unknown. Follows
    /// botocore's `S3RegionRedirectorv2.redirect_from_error`.
    pub(super) async fn elsewhere(
        &self,
        operation: &str,
        bucket: &str,
        asked: &Client,
        refused: &Refused,
    ) -> Option<Client> {
        if bucket.starts_with("arn:") || !is_redirect(operation, refused) {
            return None;
        }
        let region = match &refused.region {
            Some(region) => region.clone(),
            // The refusal of a HEAD has no body. Only Amazon is asked for the region.
            None if self.0.is_amazon => self.region_of(asked, bucket).await?,
            None => return None,
        };
        let now = asked.config().region().map(Region::as_ref);
        if now == Some(region.as_str()) {
            return None;
        }
        let there = asked.config().to_builder().region(Region::new(region));
        let client = Client::from_conf(there.build());
        self.0.regions.learn(bucket, &client);
        Some(client)
    }

    /// Asks for the region of a bucket. A refusal can contain it, too.
    async fn region_of(&self, client: &Client, bucket: &str) -> Option<String> {
        match client.head_bucket().bucket(bucket).send().await {
            Ok(output) => output.bucket_region().map(str::to_owned),
            Err(error) => {
                let headers = error.raw_response()?.headers();
                headers.get(HEADER).map(str::to_owned)
            }
        }
    }
}

/// Whether a refusal means that the bucket is in another region.
fn is_redirect(operation: &str, refused: &Refused) -> bool {
    let status = refused.status;
    match refused.refusal.code.as_str() {
        "PermanentRedirect" => true,
        "AuthorizationHeaderMalformed" => refused.region.is_some(),
        "IllegalLocationConstraintException" => operation != "create_bucket",
        // A HEAD that is signed for the wrong region is refused without a reason.
        "400" if operation == "head_object" => true,
        "400" if operation == "head_bucket" => refused.region.is_some(),
        _ => matches!(status, 301 | 302 | 307),
    }
}
