//! A world on any server that speaks S3: Amazon's, MinIO, SeaweedFS …
//!
//! In reading order:
//!
//! - `options.rs`, `limits.rs`: the options; `connect.rs` makes a client of them
//! - `call.rs`: one call; `regions.rs` follows a bucket to its region, `tries.rs` counts and
//!   limits retries
//! - `read.rs`, `write.rs`, `listing.rs`, `buckets.rs`: operations with content and long
//!   listings, as tables between boto3's names and the SDK's (`table.rs`)
//! - `carrier.rs`: all other operations, as [`api`](super::api) describes them
//! - `presign.rs`: links that are signed ahead
//! - `params.rs`: reads parameters; `blank_keys.rs`: keys that the SDK would refuse
//! - `answers.rs`, `names.rs`: write answers; `errors.rs`, `xml.rs`: read errors
//! - `state.rs`, `listed.rs`: read the state, as `signature.rs` describes it

mod answers;
mod blank_keys;
mod buckets;
mod call;
mod carrier;
mod connect;
mod delete;
mod errors;
mod identity;
mod limits;
mod listed;
mod listing;
mod meter;
mod names;
mod options;
mod params;
mod presign;
mod presign_form;
mod read;
mod regions;
mod signature;
mod state;
mod table;
mod tries;
mod write;
mod xml;

pub use aws_smithy_runtime_api::client::http::SharedHttpClient;
pub use limits::RemoteLimits;
pub use options::{AccessKey, Addressing, RemoteOptions};
pub use signature::{SignatureMode, SignatureProgress, Watch};

use super::clock::Clock;
use super::links;
use super::overlay::Overlay;
use crate::aws;
use crate::domain::{Answer, Links, Meter, Signer, Spent, Value, World};
use crate::error::{Error, Result};
use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::SharedCredentialsProvider;
use errors::Trouble;
use regions::Regions;
use std::fmt;
use std::sync::{Arc, OnceLock};
use tokio::sync::{Semaphore, SemaphorePermit};
use tries::Again;

/// All buckets that one set of credentials can see at one endpoint. A clone is cheap and
/// shares the connections.
///
/// No content is cached between calls, so two worlds on one server see each other's
/// changes. Credentials never appear in `Debug` output, errors or refusals.
///
/// # Examples
///
/// ```no_run
/// use s3_world::{Remote, RemoteOptions};
/// use s3_world::domain::{Value, World};
/// # async fn example() -> s3_world::Result<()> {
/// let options = RemoteOptions {
///     endpoint_url: Some("http://127.0.0.1:9000".to_owned()),
///     ..RemoteOptions::default()
/// };
/// let world = Remote::connect(&options).await?;
/// match world.call("list_buckets", &Value::Map(Vec::new())).await? {
///     Ok(answer) => println!("{answer:?}"),
///     Err(refusal) => println!("S3 refused: {}", refusal.message),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Remote(Arc<Connection>);

struct Connection {
    client: Client,
    place: String,
    identity: String,
    region: String,
    is_amazon: bool,
    credentials: SharedCredentialsProvider,
    /// The access key's ID, which is kept out of every text.
    key_id: String,
    limits: RemoteLimits,
    signature: SignatureMode,
    progress: Option<Watch>,
    turns: Semaphore,
    regions: Regions,
    endpoint: Option<String>,
    is_path_style: bool,
    /// Shows signed links to the user.
    links: OnceLock<Links>,
    meter: Arc<Meter>,
}

impl Remote {
    /// Reads the configuration and finds the credentials; sends nothing to S3.
    ///
    /// # Errors
    /// [`Error::world`] without credentials, [`Error::usage`] for an endpoint that is not
    /// a URL. Both messages say what to do.
    pub async fn connect(options: &RemoteOptions) -> Result<Remote> {
        connect::connect(options, aws::https()).await
    }

    /// [`Remote::connect`] with another HTTP client, which may work without a socket.
    ///
    /// # Errors
    /// Those of [`Remote::connect`].
    pub async fn connect_through(
        options: &RemoteOptions,
        client: SharedHttpClient,
    ) -> Result<Remote> {
        connect::connect(options, client).await
    }

    /// The region of the endpoint. Buckets in other regions are reached there.
    pub fn region(&self) -> &str {
        &self.0.region
    }

    /// The server, the region and the account, which identify this world. The account is
    /// the number of an Amazon account if that is known, otherwise a fingerprint of the
    /// access key. The key itself is not contained.
    pub fn identity(&self) -> &str {
        &self.0.identity
    }

    /// Shows links that are signed from now on to the user. Without it none is signed. Only
    /// the first call has an effect.
    pub fn show_links(&self, links: Links) {
        let _ = self.0.links.set(links);
    }

    fn place(&self) -> &str {
        &self.0.place
    }

    pub(super) fn limits(&self) -> &RemoteLimits {
        &self.0.limits
    }

    async fn answer(&self, operation: &str, params: &Value, again: Again) -> Result<Answer> {
        let answer = match operation {
            links::DESCRIBE => self.describe_link(params),
            links::SIGN => self.share_link(params).await,
            links::DESCRIBE_FORM => self.describe_form(params),
            links::SIGN_FORM => self.share_form(params).await,
            _ => self.carry_out(operation, params, again).await,
        };
        match answer {
            Ok(fields) => {
                meter::count(&self.0.meter, &fields);
                Ok(Ok(Value::Map(fields)))
            }
            Err(Trouble::Refused(refused)) => Ok(Err(refused.refusal)),
            Err(Trouble::Failed(error)) => Err(error),
        }
    }

    /// Waits until one more concurrent call is allowed.
    async fn turn(&self) -> Result<SemaphorePermit<'_>> {
        self.0.turns.acquire().await.map_err(|_| {
            // This cannot happen, since nothing closes the semaphore.
            Error::world(format!("{}: the connection is closed", self.place()))
        })
    }
}

#[async_trait]
impl World for Remote {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.answer(operation, params, Again::AsBoto3).await
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        self.answer(operation, params, Again::IfNotCarriedOut).await
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        let here = Arc::new(self.clone());
        Some(Arc::new(Overlay::for_program(
            here,
            Clock::System,
            self.region(),
            self.limits().ahead,
        )))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        self.sign(signer).await
    }

    fn spent(&self) -> Option<Spent> {
        Some(self.0.meter.spent())
    }

    fn describe(&self) -> String {
        self.place().to_owned()
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({})", self.place())
    }
}
