//! A world on any server that speaks S3: Amazon's, MinIO, SeaweedFS …

mod answers;
mod buckets;
mod connect;
mod errors;
mod listing;
mod objects;
mod params;
mod state;

pub use connect::{AccessKey, RemoteOptions};

use crate::domain::{Answer, Signer, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use errors::Trouble;
use params::Params;
use std::fmt;
use std::sync::Arc;

/// All buckets that one set of credentials sees at one endpoint.
///
/// Nothing is kept here between calls: two of them on one server see each
/// other's changes. Credentials never show in `Debug` or in errors.
pub struct Remote {
    client: Client,
    place: String,
}

impl Remote {
    /// Reads the configuration and finds the credentials; sends nothing to S3.
    ///
    /// # Errors
    /// [`Error::World`] without credentials, [`Error::Usage`] for an endpoint
    /// that is not a URL. Both name the way out.
    pub async fn connect(options: &RemoteOptions) -> Result<Remote> {
        connect::connect(options).await
    }

    /// The same through an HTTP client of the caller's: one that has no socket, say.
    ///
    /// # Errors
    /// Those of [`Remote::connect`].
    pub async fn connect_through(
        options: &RemoteOptions,
        client: SharedHttpClient,
    ) -> Result<Remote> {
        connect::connect_through(options, client).await
    }

    async fn carry_out(
        &self,
        operation: &str,
        mut params: Params<'_>,
    ) -> Result<crate::domain::Map, Trouble> {
        let params = &mut params;
        match operation {
            "list_buckets" => self.list_buckets(params).await,
            "create_bucket" => self.create_bucket(params).await,
            "delete_bucket" => self.delete_bucket(params).await,
            "head_bucket" => self.head_bucket(params).await,
            "get_bucket_location" => self.get_bucket_location(params).await,
            "list_objects" => self.list_objects(params).await,
            "list_objects_v2" => self.list_objects_v2(params).await,
            "get_object" => self.get_object(params).await,
            "put_object" => self.put_object(params).await,
            "copy_object" => self.copy_object(params).await,
            "delete_object" => self.delete_object(params).await,
            "delete_objects" => self.delete_objects(params).await,
            "head_object" => self.head_object(params).await,
            _ => Err(Trouble::Failed(Error::World(format!(
                "S3 has no operation {operation:?} here"
            )))),
        }
    }
}

#[async_trait]
impl World for Remote {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        match self.carry_out(operation, Params::new(params)).await {
            Ok(fields) => Ok(Ok(Value::Map(fields))),
            Err(Trouble::Refused(refusal)) => Ok(Err(refusal)),
            Err(Trouble::Failed(error)) => Err(error),
        }
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        None
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.sign(signer).await
    }

    fn describe(&self) -> String {
        self.place.clone()
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({})", self.place)
    }
}
