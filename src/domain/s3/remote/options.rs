//! Where S3 is, and how it is spoken to.

use super::limits::RemoteLimits;
use super::signature::{SignatureMode, Watch};
pub use crate::aws::AccessKey;
use crate::error::{Error, Result};
use std::fmt;

/// Where to find S3. What is `None` comes from the environment (`AWS_…`) and
/// the profile files, as for the AWS command line.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RemoteOptions {
    /// The server: `http://127.0.0.1:9000` for a MinIO on this machine. Without one,
    /// Amazon's.
    pub endpoint_url: Option<String>,
    /// The profile whose credentials and region are used.
    pub profile: Option<String>,
    /// The region; `us-east-1` when nothing names one.
    pub region: Option<String>,
    /// Where the name of the bucket stands in the URL.
    pub addressing: Addressing,
    /// The credentials, where the caller has them at hand. They win over all others.
    pub access_key: Option<AccessKey>,
    /// What calls may use.
    pub limits: RemoteLimits,
    /// What stands for the content of objects in the state.
    pub signature: SignatureMode,
    /// Hears how far the reading of the state has come.
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

/// An endpoint as people may see it: without what stands before an `@`.
pub(super) fn shown(endpoint: &str) -> String {
    match endpoint.rsplit_once('@') {
        Some((_, host)) => format!("…@{host}"),
        None => endpoint.to_owned(),
    }
}

/// Where the name of the bucket stands in the URL of a request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Addressing {
    /// What `addressing_style` of the profile says; without it in the path at every
    /// endpoint that is not Amazon's (MinIO, SeaweedFS …), and at Amazon's in the host
    /// name where that can be: not for a name with dots over TLS, as boto3 does it.
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
            _ => Err(Error::Usage(format!(
                "there is no addressing {text:?}: auto, path (http://host/bucket) or virtual \
                 (http://bucket.host)"
            ))),
        }
    }
}
