//! Listings of a bucket.

use super::answers::Fields;
use super::call::Call;
use super::errors::Trouble;
use super::names::Names;
use super::params::Params;
use super::table::{answered, request};
use crate::domain::Map;
use aws_sdk_s3::types::{CommonPrefix, EncodingType, Object};

/// The parameters of both versions.
macro_rules! asked {
    ($p:expr, $builder:expr, $query:expr; $($rows:tt)*) => {
        request!($p, $builder;
            needed { set_bucket "Bucket" }
            max_keys { set_max_keys "MaxKeys" }
            choice { set_request_payer "RequestPayer" }
            text { set_expected_bucket_owner "ExpectedBucketOwner" }
            choices { set_optional_object_attributes "OptionalObjectAttributes" }
            $($rows)*
        )
        .set_prefix($query.prefix.clone())
        .set_delimiter($query.delimiter.clone())
        // XML cannot express every key, so botocore asks for encoded keys.
        .encoding_type($query.encoding.clone().unwrap_or(EncodingType::Url))
    };
}

/// The fields in both answers between `IsTruncated` and their individual fields.
macro_rules! page {
    ($fields:expr, $output:expr, $names:expr, $query:expr) => {
        $fields
            .list(
                "Contents",
                $output.contents().iter().map(|o| object(&$names, o)),
            )
            .put("Name", $output.name())
            .put(
                "Prefix",
                Some($names.echo(&$query.prefix, $output.prefix())),
            )
            .put(
                "Delimiter",
                $query
                    .filled_delimiter()
                    .map(|d| $names.echo(&Some(d), $output.delimiter())),
            )
            .int("MaxKeys", $output.max_keys())
            .list(
                "CommonPrefixes",
                $output.common_prefixes().iter().map(|c| prefix(&$names, c)),
            )
            .choice("EncodingType", $output.encoding_type())
    };
}

/// The parameters that are repeated in the answer.
struct Query {
    prefix: Option<String>,
    delimiter: Option<String>,
    encoding: Option<EncodingType>,
}

impl Query {
    fn read(p: &mut Params<'_>) -> Self {
        Query {
            prefix: p.text("Prefix"),
            delimiter: p.text("Delimiter"),
            encoding: p.encoding_type("EncodingType"),
        }
    }

    fn filled_delimiter(&self) -> Option<String> {
        self.delimiter.clone().filter(|text| !text.is_empty())
    }

    /// How to read the names in the answer.
    fn names(&self, answer: Option<&EncodingType>) -> Names {
        Names::new(answer, self.encoding.is_some())
    }
}

fn object(names: &Names, object: &Object) -> Map {
    let fields = Fields::default().put("Key", names.read(object.key()));
    let restore = object.restore_status().map(|status| {
        answered!(Fields::default(), status;
            "IsRestoreInProgress" put is_restore_in_progress,
            "RestoreExpiryDate" time restore_expiry_date,
        )
        .done()
    });
    answered!(fields, object;
        "LastModified" time last_modified,
        "ETag" put e_tag,
        "ChecksumAlgorithm" choices checksum_algorithm,
        "ChecksumType" choice checksum_type,
        "Size" int size,
        "StorageClass" choice storage_class,
        "Owner" owner owner,
    )
    .map("RestoreStatus", restore)
    .done()
}

fn prefix(names: &Names, prefix: &CommonPrefix) -> Map {
    Fields::default()
        .put("Prefix", names.read(prefix.prefix()))
        .done()
}

impl Call<'_> {
    pub async fn list_objects(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let query = Query::read(p);
        let marker = p.text("Marker");
        let request = asked!(p, self.client.list_objects(), query;).set_marker(marker.clone());
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let names = query.names(output.encoding_type());
        let next = names.next_marker(
            output.next_marker(),
            output.contents(),
            output.common_prefixes(),
        );
        let fields = answered!(Fields::default(), output;
            "RequestCharged" choice request_charged,
            "IsTruncated" put is_truncated,
        )
        .put("Marker", Some(names.echo(&marker, output.marker())))
        .put("NextMarker", next);
        Ok(page!(fields, output, names, query).done())
    }

    pub async fn list_objects_v2(&self, p: &mut Params<'_>) -> Result<Map, Trouble> {
        let query = Query::read(p);
        let start_after = p.text("StartAfter");
        let request = asked!(p, self.client.list_objects_v2(), query;
            text { set_continuation_token "ContinuationToken" }
            truth { set_fetch_owner "FetchOwner" }
        )
        .set_start_after(start_after.clone());
        let output = request.send().await.map_err(|e| self.trouble(e))?;
        let names = query.names(output.encoding_type());
        let start_after = start_after.filter(|text| !text.is_empty());
        let start_after = start_after.map(|text| names.echo(&Some(text), output.start_after()));
        let fields = answered!(Fields::default(), output;
            "RequestCharged" choice request_charged,
            "IsTruncated" put is_truncated,
        );
        Ok(answered!(page!(fields, output, names, query), output;
            "KeyCount" int key_count,
            "ContinuationToken" put continuation_token,
            "NextContinuationToken" put next_continuation_token,
        )
        .put("StartAfter", start_after)
        .done())
    }
}
