//! `delete_object` and `delete_objects`.

use super::answers::Fields;
use super::call::Call;
use super::errors::Trouble;
use super::params::Params;
use super::table::{answered, filled, request, sent};
use crate::domain::Map;
use crate::domain::s3::refusal;
use aws_sdk_s3::types::{Delete, ObjectIdentifier};

/// The most keys that `delete_objects` accepts.
const MOST: usize = 1000;

impl Call<'_> {
    pub async fn delete_object(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let request = request!(p, self.client.delete_object();
            needed { set_bucket "Bucket" }
            key { set_key "Key" }
            text {
                set_mfa "MFA",
                set_version_id "VersionId",
                set_expected_bucket_owner "ExpectedBucketOwner",
                set_if_match "IfMatch",
            }
            choice { set_request_payer "RequestPayer" }
            truth { set_bypass_governance_retention "BypassGovernanceRetention" }
            time { set_if_match_last_modified_time "IfMatchLastModifiedTime" }
            int { set_if_match_size "IfMatchSize" }
        );
        let output = sent!(self, p, request);
        Ok(answered!(Fields::default(), output;
            "DeleteMarker" put delete_marker,
            "VersionId" put version_id,
            "RequestCharged" choice request_charged,
        )
        .done())
    }

    pub async fn delete_objects(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let delete = p.inner("Delete", to_delete)?;
        let request = request!(p, self.client.delete_objects();
            needed { set_bucket "Bucket" }
            text { set_mfa "MFA", set_expected_bucket_owner "ExpectedBucketOwner" }
            choice {
                set_request_payer "RequestPayer",
                set_checksum_algorithm "ChecksumAlgorithm",
            }
            truth { set_bypass_governance_retention "BypassGovernanceRetention" }
        )
        .delete(delete.ok_or_else(refusal::malformed_xml)?);
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let deleted = output.deleted().iter().map(|deleted| {
            answered!(Fields::default(), deleted;
                "Key" put key,
                "VersionId" put version_id,
                "DeleteMarker" put delete_marker,
                "DeleteMarkerVersionId" put delete_marker_version_id,
            )
            .done()
        });
        let errors = output.errors().iter().map(|error| {
            answered!(Fields::default(), error;
                "Key" put key,
                "VersionId" put version_id,
                "Code" put code,
                "Message" put message,
            )
            .done()
        });
        Ok(Fields::default()
            .choice("RequestCharged", output.request_charged())
            .list("Deleted", deleted)
            .list("Errors", errors)
            .done())
    }
}

fn to_delete(p: &mut Params<'_>) -> Result<Delete, Trouble> {
    if !p.is_list("Objects") {
        return Err(refusal::malformed_xml().into());
    }
    let objects = p.each("Objects", |p| {
        let builder = filled!(p, ObjectIdentifier::builder();
            text { set_version_id "VersionId", set_e_tag "ETag" }
            time { set_last_modified_time "LastModifiedTime" }
            int { set_size "Size" }
        );
        let key = p.text("Key").filter(|key| !key.is_empty());
        let key = key.ok_or_else(refusal::malformed_xml)?;
        Ok(builder.key(key).build().ok())
    })?;
    // Amazon refuses an empty list and a list that is too long; the SDK and some servers
    // do not.
    let objects = objects.filter(|objects| (1..=MOST).contains(&objects.len()));
    let objects = objects.ok_or_else(refusal::malformed_xml)?;
    let quiet = p.truth("Quiet");
    let delete = Delete::builder()
        .set_objects(Some(objects))
        .set_quiet(quiet);
    delete
        .build()
        .map_err(|_| Trouble::from(refusal::malformed_xml()))
}
