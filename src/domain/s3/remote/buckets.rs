//! Operations on buckets.

use super::answers::Fields;
use super::call::Call;
use super::errors::Trouble;
use super::params::Params;
use super::table::{answered, filled, request};
use super::xml::text_of;
use crate::domain::{Map, Value};
use aws_sdk_s3::config::http::HttpResponse;
use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::types::{BucketInfo, CreateBucketConfiguration, LocationInfo, Tag};

impl Call<'_> {
    pub async fn list_buckets(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = request!(p, self.client.list_buckets();
            max_buckets { set_max_buckets "MaxBuckets" }
            text {
                set_continuation_token "ContinuationToken",
                set_prefix "Prefix",
                set_bucket_region "BucketRegion",
            }
        );
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let buckets = output.buckets().iter().map(|bucket| {
            let fields = answered!(Fields::default(), bucket;
                "Name" put name,
                "CreationDate" time creation_date,
                "BucketRegion" put bucket_region,
                "BucketArn" put bucket_arn,
            );
            Value::Map(fields.done())
        });
        // Unlike other lists, this one is present even if empty.
        let fields = Fields::default().put("Buckets", Some(Value::List(buckets.collect())));
        Ok(answered!(fields, output;
            "Owner" owner owner,
            "ContinuationToken" put continuation_token,
            "Prefix" put prefix,
        )
        .done())
    }

    pub async fn create_bucket(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let configuration = p.inner("CreateBucketConfiguration", configuration)?;
        let request = request!(p, self.client.create_bucket();
            choice { set_acl "ACL" }
            needed { set_bucket "Bucket" }
            text {
                set_grant_full_control "GrantFullControl",
                set_grant_read "GrantRead",
                set_grant_read_acp "GrantReadACP",
                set_grant_write "GrantWrite",
                set_grant_write_acp "GrantWriteACP",
            }
            truth { set_object_lock_enabled_for_bucket "ObjectLockEnabledForBucket" }
            choice {
                set_object_ownership "ObjectOwnership",
                set_bucket_namespace "BucketNamespace",
            }
        )
        .set_create_bucket_configuration(configuration);
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(answered!(Fields::default(), output;
            "Location" put location,
            "BucketArn" put bucket_arn,
        )
        .done())
    }

    pub async fn delete_bucket(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = request!(p, self.client.delete_bucket();
            needed { set_bucket "Bucket" }
            text { set_expected_bucket_owner "ExpectedBucketOwner" }
        );
        request.send().await.map_err(|e| self.trouble(e))?;
        Ok(Map::new())
    }

    pub async fn head_bucket(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = request!(p, self.client.head_bucket();
            needed { set_bucket "Bucket" }
            text { set_expected_bucket_owner "ExpectedBucketOwner" }
        );
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        Ok(answered!(Fields::default(), output;
            "BucketArn" put bucket_arn,
            "BucketLocationType" choice bucket_location_type,
            "BucketLocationName" put bucket_location_name,
            "BucketRegion" put bucket_region,
            "AccessPointAlias" put access_point_alias,
        )
        .done())
    }

    pub async fn get_bucket_location(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = request!(p, self.client.get_bucket_location();
            needed { set_bucket "Bucket" }
            text { set_expected_bucket_owner "ExpectedBucketOwner" }
        );
        let location = match request.send().await {
            Ok(output) => output
                .location_constraint()
                .map(|place| place.as_str().to_owned()),
            Err(error) => match misnamed_location(&error) {
                Some(place) => Some(place),
                None => return Err(self.trouble(error)),
            },
        };
        // The location of us-east-1 is empty; boto3 returns None.
        let location = location.filter(|place| !place.is_empty());
        let value = location.map_or(Value::Null, Value::Str);
        Ok(vec![("LocationConstraint".into(), value)])
    }
}

fn configuration(p: &mut Params<'_>) -> Result<CreateBucketConfiguration, Trouble> {
    let location = p.inner("Location", |p| {
        let builder = filled!(p, LocationInfo::builder();
            choice { set_type "Type" }
            text { set_name "Name" }
        );
        Ok(builder.build())
    })?;
    let bucket = p.inner("Bucket", |p| {
        let builder = filled!(p, BucketInfo::builder();
            choice { set_data_redundancy "DataRedundancy", set_type "Type" }
        );
        Ok(builder.build())
    })?;
    let tags = p.each("Tags", |p| {
        let builder = filled!(p, Tag::builder();
            needed { set_key "Key" }
            text { set_value "Value" }
        );
        Ok(builder.build().ok())
    })?;
    let builder = filled!(p, CreateBucketConfiguration::builder();
        choice { set_location_constraint "LocationConstraint" }
    );
    Ok(builder
        .set_location(location)
        .set_bucket(bucket)
        .set_tags(tags)
        .build())
}

/// SeaweedFS gives this answer the root element of CreateBucket, which the SDK does not
/// understand. The answer contains the region nevertheless.
fn misnamed_location<E>(error: &SdkError<E, HttpResponse>) -> Option<String> {
    let answer = error.raw_response()?;
    if !answer.status().is_success() {
        return None;
    }
    let xml = std::str::from_utf8(answer.body().bytes()?).ok()?;
    text_of(xml, "LocationConstraint")
        .or_else(|| xml.contains("<CreateBucketConfiguration").then(String::new))
}
