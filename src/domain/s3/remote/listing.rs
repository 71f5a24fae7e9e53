//! The listings of a bucket.

use super::Remote;
use super::answers::Fields;
use super::errors::Trouble;
use super::params::Params;
use crate::domain::Map;
use aws_sdk_s3::types::{CommonPrefix, EncodingType, Object};
use percent_encoding::percent_decode_str;

/// Keys may hold what XML cannot, so they are always asked for encoded, as
/// botocore does. Programs never see the encoded form.
///
/// Not all servers encode all of an answer (SeaweedFS leaves `NextMarker` as it
/// is), so what merely echoes the request is taken from the request.
struct Names {
    encoded: bool,
}

impl Names {
    fn new(answer: Option<&EncodingType>) -> Self {
        Names {
            encoded: answer == Some(&EncodingType::Url),
        }
    }

    /// The name as it is. S3 writes a space as `+`.
    fn read(&self, name: Option<&str>) -> Option<String> {
        let name = name?;
        Some(if self.encoded {
            let spaced = name.replace('+', " ");
            percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
        } else {
            name.to_owned()
        })
    }

    /// The marker of the next page: the last name of this one.
    fn next_marker(
        &self,
        marker: Option<&str>,
        objects: &[Object],
        prefixes: &[CommonPrefix],
    ) -> Option<String> {
        let object = objects.last().and_then(|o| self.read(o.key()));
        let prefix = prefixes.last().and_then(|c| self.read(c.prefix()));
        let last = object.max(prefix);
        let is_last_as_it_is = marker.is_some() && marker == last.as_deref();
        if is_last_as_it_is {
            last
        } else {
            self.read(marker)
        }
    }

    fn object(&self, object: &Object) -> Map {
        Fields::default()
            .put("Key", self.read(object.key()))
            .time("LastModified", object.last_modified())
            .put("ETag", object.e_tag())
            .int("Size", object.size())
            .put("StorageClass", object.storage_class().map(|c| c.as_str()))
            .owner(object.owner())
            .done()
    }

    fn prefix(&self, prefix: &CommonPrefix) -> Map {
        Fields::default()
            .put("Prefix", self.read(prefix.prefix()))
            .done()
    }
}

impl Remote {
    pub(super) async fn list_objects(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let (prefix, delimiter) = (p.text("Prefix"), p.text("Delimiter"));
        let marker = p.text("Marker");
        let request = self
            .client
            .list_objects()
            .set_bucket(p.text("Bucket"))
            .set_prefix(prefix.clone())
            .set_delimiter(delimiter.clone())
            .set_marker(marker.clone())
            .set_max_keys(p.int("MaxKeys"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"))
            .encoding_type(EncodingType::Url);
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let names = Names::new(output.encoding_type());
        Ok(Fields::default()
            .put("IsTruncated", output.is_truncated())
            .put("Marker", Some(marker.unwrap_or_default()))
            .put(
                "NextMarker",
                names.next_marker(
                    output.next_marker(),
                    output.contents(),
                    output.common_prefixes(),
                ),
            )
            .list(
                "Contents",
                output.contents().iter().map(|o| names.object(o)),
            )
            .put("Name", output.name())
            .put("Prefix", Some(prefix.unwrap_or_default()))
            .put("Delimiter", delimiter)
            .int("MaxKeys", output.max_keys())
            .list(
                "CommonPrefixes",
                output.common_prefixes().iter().map(|c| names.prefix(c)),
            )
            .put("EncodingType", output.encoding_type().map(|e| e.as_str()))
            .charged(output.request_charged())
            .done())
    }

    pub(super) async fn list_objects_v2(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let (prefix, delimiter) = (p.text("Prefix"), p.text("Delimiter"));
        let start_after = p.text("StartAfter");
        let request = self
            .client
            .list_objects_v2()
            .set_bucket(p.text("Bucket"))
            .set_prefix(prefix.clone())
            .set_delimiter(delimiter.clone())
            .set_start_after(start_after.clone())
            .set_continuation_token(p.text("ContinuationToken"))
            .set_fetch_owner(p.truth("FetchOwner"))
            .set_max_keys(p.int("MaxKeys"))
            .set_request_payer(p.choice("RequestPayer"))
            .set_expected_bucket_owner(p.text("ExpectedBucketOwner"))
            .encoding_type(EncodingType::Url);
        p.finish()?;
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let names = Names::new(output.encoding_type());
        Ok(Fields::default()
            .put("IsTruncated", output.is_truncated())
            .list(
                "Contents",
                output.contents().iter().map(|o| names.object(o)),
            )
            .put("Name", output.name())
            .put("Prefix", Some(prefix.unwrap_or_default()))
            .put("Delimiter", delimiter)
            .int("MaxKeys", output.max_keys())
            .list(
                "CommonPrefixes",
                output.common_prefixes().iter().map(|c| names.prefix(c)),
            )
            .put("EncodingType", output.encoding_type().map(|e| e.as_str()))
            .int("KeyCount", output.key_count())
            .put("ContinuationToken", output.continuation_token())
            .put("NextContinuationToken", output.next_continuation_token())
            .put("StartAfter", start_after)
            .charged(output.request_charged())
            .done())
    }

    /// Every key of a bucket, in byte order, whatever the server's order is.
    pub(super) async fn keys(&self, bucket: &str) -> Result<Vec<String>, Trouble> {
        let mut pages = self
            .client
            .list_objects_v2()
            .bucket(bucket)
            .encoding_type(EncodingType::Url)
            .into_paginator()
            .send();
        let mut keys = Vec::new();
        while let Some(page) = pages.next().await {
            let page = page.map_err(|e| self.trouble(e))?;
            let names = Names::new(page.encoding_type());
            keys.extend(page.contents().iter().filter_map(|o| names.read(o.key())));
        }
        keys.sort_unstable();
        Ok(keys)
    }
}
