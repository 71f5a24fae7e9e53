//! Options that say where S3 is and how to call it.

use super::limits::RemoteLimits;
use super::signature::{SignatureMode, Watch};
pub use crate::aws::AccessKey;
use crate::error::{Error, Result};
use std::fmt;

/// Where to find S3. Options that are `None` come from the environment (`AWS_…`) and the
/// profile files, as for the AWS command line.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RemoteOptions {
    /// The URL of the server, such as `http://127.0.0.1:9000`; Amazon's by default.
    pub endpoint_url: Option<String>,
    /// The profile whose credentials and region are used.
    pub profile: Option<String>,
    /// The region; `us-east-1` by default.
    pub region: Option<String>,
    /// The place of the bucket's name in URLs.
    pub addressing: Addressing,
    /// The credentials. They take precedence over all others.
    pub access_key: Option<AccessKey>,
    /// Limits on calls.
    pub limits: RemoteLimits,
    /// Whether signatures read contents.
    pub signature: SignatureMode,
    /// Receives the progress of a signature.
    pub progress: Option<Watch>,
}

impl fmt::Debug for RemoteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteOptions")
            .field("endpoint_url", &self.endpoint_url.as_deref().map(shown))
            .field("profile", &self.profile)
            .field("region", &self.region)
            .field("addressing", &self.addressing)
            .field("access_key", &self.access_key)
            .field("limits", &self.limits)
            .field("signature", &self.signature)
            .finish_non_exhaustive()
    }
}

/// An endpoint for display: without the user and password before an `@`.
pub(super) fn shown(endpoint: &str) -> String {
    match endpoint.rsplit_once('@') {
        Some((_, host)) => format!("…@{host}"),
        None => endpoint.to_owned(),
    }
}

/// The place of the bucket's name in the URL of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Addressing {
    /// The profile's `addressing_style`. The default is the path; for Amazon it is the
    /// host name, except for names with dots over TLS. boto3 does the same.
    #[default]
    Auto,
    /// In the path: `http://host/bucket/key`.
    Path,
    /// In the host name: `http://bucket.host/key`.
    Virtual,
}

impl std::str::FromStr for Addressing {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Addressing::Auto),
            "path" => Ok(Addressing::Path),
            "virtual" => Ok(Addressing::Virtual),
            _ => Err(Error::usage(format!(
                "there is no addressing {text:?}: auto, path (http://host/bucket) or virtual \
                 (http://bucket.host)"
            ))),
        }
    }
}
