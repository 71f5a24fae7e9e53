//! From options, environment and profiles to a client.

use super::Remote;
use super::errors::cause;
use crate::error::{Error, Result};
use aws_config::environment::region::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::profile::region::ProfileFileRegionProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::retry::RetryConfig;
use aws_config::timeout::TimeoutConfig;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::{
    Credentials, ProvideCredentials, Region, RequestChecksumCalculation, ResponseChecksumValidation,
};
use aws_smithy_http_client::{Builder as HttpClientBuilder, tls};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use std::fmt;
use std::time::Duration;

/// Where to find S3. What is `None` comes from the environment (`AWS_…`) and
/// the profile files, as for the AWS command line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemoteOptions {
    /// The server: `http://127.0.0.1:8333`. Without one, Amazon's.
    pub endpoint_url: Option<String>,
    /// The profile whose credentials and region are used.
    pub profile: Option<String>,
    /// The region; `us-east-1` when nothing names one.
    pub region: Option<String>,
    /// Whether the bucket stands in the path of the URL and not in its host
    /// name. `None` means: at every endpoint that is not Amazon's.
    pub path_style: Option<bool>,
    /// The credentials, where the caller has them at hand. They win over all others.
    pub access_key: Option<AccessKey>,
}

/// An access key of S3. Its secret does not show in `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessKey {
    /// The public half: `AKIA…`.
    pub id: String,
    /// The secret half.
    pub secret: String,
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AccessKey({}, …)", self.id)
    }
}

/// A try of a call; a slow body may take longer as long as it moves.
const ATTEMPT: Duration = Duration::from_secs(30);
const CONNECT: Duration = Duration::from_secs(5);
const TRIES: u32 = 3;
const FIRST_WAIT: Duration = Duration::from_millis(200);

pub(super) async fn connect(options: &RemoteOptions) -> Result<Remote> {
    let http = HttpClientBuilder::new()
        .tls_provider(tls::Provider::Rustls(
            tls::rustls_provider::CryptoMode::Ring,
        ))
        .build_https();
    connect_through(options, http).await
}

pub(super) async fn connect_through(
    options: &RemoteOptions,
    http: SharedHttpClient,
) -> Result<Remote> {
    let mut profile_region = ProfileFileRegionProvider::builder();
    let mut loader = aws_config::defaults(aws_config::BehaviorVersion::latest())
        .http_client(http.clone())
        .retry_config(
            RetryConfig::standard()
                .with_max_attempts(TRIES)
                .with_initial_backoff(FIRST_WAIT),
        )
        .timeout_config(
            TimeoutConfig::builder()
                .connect_timeout(CONNECT)
                .operation_attempt_timeout(ATTEMPT)
                .build(),
        );
    if let Some(profile) = &options.profile {
        loader = loader.profile_name(profile);
        profile_region = profile_region.profile_name(profile);
    }
    // The default chain would also ask Amazon's metadata service over the network.
    let region = RegionProviderChain::first_try(options.region.clone().map(Region::new))
        .or_else(EnvironmentVariableRegionProvider::new())
        .or_else(profile_region.build())
        .or_else(Region::from_static("us-east-1"));
    if let Some(key) = &options.access_key {
        loader = loader.credentials_provider(Credentials::new(
            &key.id,
            &key.secret,
            None,
            None,
            "options",
        ));
    } else if let Some(profile) = &options.profile {
        // Who names a profile means it: neither the environment nor the machine's role instead.
        let network = ProviderConfig::default()
            .with_http_client(http)
            .with_region(region.region().await);
        let provider = ProfileFileCredentialsProvider::builder()
            .profile_name(profile)
            .configure(&network)
            .build();
        loader = loader.credentials_provider(provider);
    }
    let config = loader.region(region).load().await;

    let endpoint = options
        .endpoint_url
        .clone()
        .or_else(|| std::env::var("AWS_ENDPOINT_URL_S3").ok())
        .or_else(|| config.endpoint_url().map(str::to_owned))
        .filter(|url| !url.is_empty());
    let host = endpoint.as_deref().map(host).transpose()?;
    let is_amazon = host
        .as_deref()
        .is_none_or(|host| host.ends_with(".amazonaws.com"));
    let region = config.region().map_or("us-east-1", Region::as_ref);
    let place = match &endpoint {
        Some(url) => format!("S3 at {url}"),
        None => format!("Amazon S3 in {region}"),
    };
    require_credentials(&config, &place, options.profile.as_deref()).await?;

    let mut s3 = aws_sdk_s3::config::Builder::from(&config)
        .force_path_style(options.path_style.unwrap_or(!is_amazon))
        // Servers that are not Amazon's may not know the newer checksums.
        .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
        .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
    s3.set_endpoint_url(endpoint);
    let client = Client::from_conf(s3.build());
    Ok(Remote { client, place })
}

/// The host of an endpoint, which must be a URL without a password in it.
fn host(endpoint: &str) -> Result<String> {
    let wrong = |problem: &str| {
        Error::Usage(format!(
            "the S3 endpoint {problem}; give it as http://HOST:PORT or https://HOST"
        ))
    };
    let url: reqwest::Url = endpoint
        .parse()
        .map_err(|_| wrong(&format!("{endpoint:?} is not a URL")))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(&format!("{endpoint:?} is not a web address")));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(
            "must not contain credentials (set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)",
        ));
    }
    let host = url
        .host_str()
        .ok_or_else(|| wrong(&format!("{endpoint:?} names no host")))?;
    Ok(host.to_owned())
}

async fn require_credentials(
    config: &aws_config::SdkConfig,
    place: &str,
    profile: Option<&str>,
) -> Result<()> {
    let way_out = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/config that has credentials";
    let Some(provider) = config.credentials_provider() else {
        return Err(Error::World(format!("{place}: no credentials; {way_out}")));
    };
    match provider.provide_credentials().await {
        Ok(_) => Ok(()),
        Err(problem) => {
            let why = match profile {
                Some(name) => format!(
                    "the profile {name:?} is not in the AWS configuration files or gives none ({})",
                    cause(&problem)
                ),
                None => cause(&problem),
            };
            Err(Error::World(format!(
                "{place}: no usable credentials: {why}; {way_out}"
            )))
        }
    }
}
