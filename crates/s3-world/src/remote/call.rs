//! One call, from a program's parameters to the answer.

use super::Remote;
use super::errors::Trouble;
use super::params::Params;
use super::tries::{Again, counted};
use crate::domain::{Map, Value};
use crate::{api, checks, refusal};

use aws_sdk_s3::Client;

/// A call in progress, with the client for the bucket's region.
pub(super) struct Call<'a> {
    pub remote: &'a Remote,
    pub client: &'a Client,
}

impl Remote {
    /// Carries out one operation. If its bucket is in another region, it is repeated there.
    pub(super) async fn carry_out(
        &self,
        operation: &str,
        params: &Value,
        again: Again,
    ) -> Result<Map, Trouble> {
        checks::check(operation, params)?;
        let _turn = self.turn().await?;
        let bucket = params.get("Bucket").and_then(Value::as_str);
        let client = self.client_for(bucket.unwrap_or_default());
        let answer = self.there(&client, operation, params, again).await;
        let (Err(Trouble::Refused(refused)), Some(bucket)) = (&answer, bucket) else {
            return answer;
        };
        match self.elsewhere(operation, bucket, &client, refused).await {
            Some(client) => self.there(&client, operation, params, again).await,
            None => answer,
        }
    }

    async fn there(
        &self,
        client: &Client,
        operation: &str,
        params: &Value,
        again: Again,
    ) -> Result<Map, Trouble> {
        let call = Call {
            remote: self,
            client,
        };
        match counted(again, call.perform(operation, params)).await {
            // The call was refused before anything was sent, but the refusal imitates a
            // server's.
            Err(Trouble::Refused(refused)) if refused.status == 0 && is_head(operation) => {
                Err(refused.refusal.without_body().into())
            }
            done => done,
        }
    }
}

fn is_head(operation: &str) -> bool {
    matches!(operation, "head_bucket" | "head_object")
}

impl Call<'_> {
    async fn perform(&self, operation: &str, given: &Value) -> Result<Map, Trouble> {
        let params = &mut Params::new(given)?;
        match operation {
            "list_buckets" => self.list_buckets(params).await,
            "list_objects" => self.list_objects(params).await,
            "list_objects_v2" => self.list_objects_v2(params).await,
            "get_object" => self.get_object(params).await,
            "put_object" => self.put_object(params).await,
            "copy_object" => self.copy_object(params).await,
            "upload_part" => self.upload_part(params).await,
            "head_object" => self.head_object(params).await,
            _ => match api::operation(operation) {
                Some(operation) => self.carry(operation, given).await,
                None => Err(refusal::malformed("operation", "one of this domain's").into()),
            },
        }
    }
}
