//! `list_buckets`.

use super::answers::Fields;
use super::call::Call;
use super::errors::Trouble;
use super::params::Params;
use super::table::{answered, request};
use crate::domain::{Map, Value};

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
}
