//! The common parts of clients of AWS: the HTTP client, and credentials, profile and region,
//! found as the AWS command line finds them.

use crate::error::innermost;
use aws_config::environment::region::EnvironmentVariableRegionProvider;
use aws_config::meta::region::RegionProviderChain;
use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::profile::region::ProfileFileRegionProvider;
use aws_config::provider_config::ProviderConfig;
use aws_config::{ConfigLoader, SdkConfig};
use aws_sdk_s3::config::ProvideCredentials;
pub use aws_sdk_s3::config::{Credentials, Region};
use aws_smithy_http_client::{Builder as HttpClientBuilder, tls};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use std::fmt;

/// The region if none is named, as in most tools.
pub const DEFAULT_REGION: &str = "us-east-1";

/// Advice for users without credentials.
pub const GET_CREDENTIALS: &str = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of ~/.aws/config that has credentials";

/// The caller's choices about the account. Those that are `None` come from the environment
/// (`AWS_…`) and the profile files.
#[derive(Clone, Default)]
pub struct Account {
    /// The profile whose credentials and region are used.
    pub profile: Option<String>,
    /// The region; [`DEFAULT_REGION`] if none is named anywhere.
    pub region: Option<String>,
    /// Credentials that replace all others.
    pub credentials: Option<Credentials>,
}

/// An HTTP client for the SDK.
pub fn https() -> SharedHttpClient {
    HttpClientBuilder::new()
        .tls_provider(tls::Provider::Rustls(
            tls::rustls_provider::CryptoMode::Ring,
        ))
        .build_https()
}

impl Account {
    /// Loads the SDK's configuration from the caller's choices, the environment and the
    /// profiles. `adjust` sets retries and timeouts beforehand.
    pub async fn load(
        &self,
        http: SharedHttpClient,
        adjust: impl FnOnce(ConfigLoader) -> ConfigLoader,
    ) -> SdkConfig {
        let mut profile_region = ProfileFileRegionProvider::builder();
        let loader = aws_config::defaults(aws_config::BehaviorVersion::latest());
        let mut loader = adjust(loader.http_client(http.clone()));
        if let Some(profile) = &self.profile {
            loader = loader.profile_name(profile);
            profile_region = profile_region.profile_name(profile);
        }
        // The default chain would also ask Amazon's metadata service over the network.
        let region = RegionProviderChain::first_try(self.region.clone().map(Region::new))
            .or_else(EnvironmentVariableRegionProvider::new())
            .or_else(profile_region.build())
            .or_else(Region::from_static(DEFAULT_REGION));
        if let Some(credentials) = &self.credentials {
            loader = loader.credentials_provider(credentials.clone());
        } else if let Some(profile) = &self.profile {
            // A named profile must be used, and neither the environment nor the machine's
            // role in its place.
            let network = ProviderConfig::default()
                .with_http_client(http)
                .with_region(region.region().await);
            let provider = ProfileFileCredentialsProvider::builder()
                .profile_name(profile)
                .configure(&network)
                .build();
            loader = loader.credentials_provider(provider);
        }
        loader.region(region).load().await
    }

    /// The credentials of a configuration.
    ///
    /// # Errors
    /// A sentence that says why there are none, and names the way out.
    pub async fn credentials(&self, config: &SdkConfig) -> Result<Credentials, String> {
        let Some(provider) = config.credentials_provider() else {
            return Err(format!("no credentials; {GET_CREDENTIALS}"));
        };
        provider.provide_credentials().await.map_err(|problem| {
            let why = match &self.profile {
                Some(name) => format!(
                    "the profile {name:?} is not in the AWS configuration files or gives none ({})",
                    innermost(&problem)
                ),
                None => innermost(&problem),
            };
            format!("no usable credentials: {why}; {GET_CREDENTIALS}")
        })
    }
}

/// An access key. `Debug` shows neither half.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessKey {
    /// The public half: `AKIA…`.
    pub id: String,
    /// The secret half.
    pub secret: String,
}

impl AccessKey {
    /// The key in the SDK's type.
    pub fn credentials(&self) -> Credentials {
        Credentials::new(&self.id, &self.secret, None, None, "options")
    }
}

impl fmt::Debug for AccessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessKey(…)")
    }
}
