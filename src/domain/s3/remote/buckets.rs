//! The operations on buckets.

use super::Remote;
use super::answers::Fields;
use super::errors::{Trouble, text_of};
use super::params::Params;
use crate::domain::{Map, Value};
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::types::CreateBucketConfiguration;

impl Remote {
    pub(super) async fn list_buckets(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .list_buckets()
            .set_prefix(p.text("Prefix"))
            .set_bucket_region(p.text("BucketRegion"))
            .set_max_buckets(p.int("MaxBuckets"))
            .set_continuation_token(p.text("ContinuationToken"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let buckets = output.buckets().iter().map(|bucket| {
            let fields = Fields::default()
                .put("Name", bucket.name())
                .time("CreationDate", bucket.creation_date())
                .put("BucketRegion", bucket.bucket_region());
            Value::Map(fields.done())
        });
        Ok(Fields::default()
            // Unlike the other lists, this one is there when it is empty.
            .put("Buckets", Some(Value::List(buckets.collect())))
            .owner(output.owner())
            .put("ContinuationToken", output.continuation_token())
            .put("Prefix", output.prefix())
            .done())
    }

    pub(super) async fn create_bucket(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let configuration = p.take("CreateBucketConfiguration").map(|value| {
            let mut inner = Params::new(value);
            let built = CreateBucketConfiguration::builder()
                .set_location_constraint(inner.choice("LocationConstraint"))
                .build();
            inner.finish().map(|()| built)
        });
        let request = self
            .client
            .create_bucket()
            .set_bucket(p.text("Bucket"))
            .set_acl(p.choice("ACL"))
            .set_object_ownership(p.choice("ObjectOwnership"))
            .set_create_bucket_configuration(configuration.transpose()?);
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(Fields::default()
            .put("Location", output.location())
            .put("BucketArn", output.bucket_arn())
            .done())
    }

    pub(super) async fn delete_bucket(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .delete_bucket()
            .set_bucket(p.text("Bucket"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        request.send().await.map_err(|e| self.trouble(e))?;
        Ok(Map::new())
    }

    pub(super) async fn head_bucket(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .head_bucket()
            .set_bucket(p.text("Bucket"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(Fields::default()
            .put("BucketArn", output.bucket_arn())
            .put("BucketRegion", output.bucket_region())
            .put("AccessPointAlias", output.access_point_alias())
            .done())
    }

    pub(super) async fn get_bucket_location(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = self
            .client
            .get_bucket_location()
            .set_bucket(p.text("Bucket"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"));
        p.finish()?;
        let location = match request.send().await {
            Ok(output) => output
                .location_constraint()
                .map(|place| place.as_str().to_owned()),
            Err(error) => match misnamed_location(&error) {
                Some(place) => Some(place),
                None => return Err(self.trouble(error)),
            },
        };
        // us-east-1 has no name here; boto3 gives None.
        let location = location.filter(|place| !place.is_empty());
        let value = location.map_or(Value::Null, Value::Str);
        Ok(vec![("LocationConstraint".into(), value)])
    }
}

/// SeaweedFS names the root element of the answer as the one of CreateBucket,
/// which the SDK does not understand; the region stands in it all the same.
fn misnamed_location<E>(error: &SdkError<E, HttpResponse>) -> Option<String> {
    let answer = error.raw_response()?;
    if !answer.status().is_success() {
        return None;
    }
    let xml = std::str::from_utf8(answer.body().bytes()?).ok()?;
    let place = text_of(xml, "LocationConstraint");
    match place {
        Some(place) => Some(place.to_owned()),
        None => xml.contains("<CreateBucketConfiguration").then(String::new),
    }
}
