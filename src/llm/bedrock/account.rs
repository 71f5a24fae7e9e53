//! Where requests go, and the credentials that sign them.

use super::BedrockConfig;
use crate::aws::{self, AccessKey, Account, Credentials, GET_CREDENTIALS, Region};
use crate::llm::http::http_client;
use aws_config::SdkConfig;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use aws_types::service_config::ServiceConfigKey;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Url};
use std::error::Error as StdError;
use std::fmt;
use std::time::{Duration, SystemTime};
use tokio::sync::Mutex;

/// A Bedrock API key, which replaces all other credentials.
const BEARER_TOKEN: &str = "AWS_BEARER_TOKEN_BEDROCK";

/// Credentials that end sooner than this are fetched again before they are used.
const REFRESH: Duration = Duration::from_secs(5 * 60);

/// Everything but RFC 3986's unreserved characters: the colon of a model's version and the
/// slash of an ARN are escaped.
const PATH_SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The client and the account. They are looked up once for all requests.
pub(super) struct Service {
    pub client: Client,
    /// `…/model/MODEL/converse-stream`
    pub url: Url,
    /// The name of the service in messages: its endpoint, or Amazon and a region.
    pub place: String,
    pub region: String,
    login: Login,
}

enum Login {
    Bearer(String),
    Keys {
        account: Account,
        sdk: Box<SdkConfig>,
        kept: Mutex<Option<Credentials>>,
    },
}

/// Shows no credentials.
impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Service").field(&self.place).finish()
    }
}

/// The credentials of one request.
pub(super) enum Access {
    Bearer(String),
    Keys(Credentials),
}

impl Service {
    /// Finds the endpoint, the region and the first credentials.
    ///
    /// # Errors
    /// A sentence that says what is missing and how to provide it.
    pub(super) async fn find(config: &BedrockConfig) -> Result<Service, String> {
        let account = Account {
            profile: config.profile.clone(),
            region: config.region.clone(),
            credentials: config.access_key.as_ref().map(AccessKey::credentials),
        };
        let sdk = account.load(aws::https(), |loader| loader).await;
        let region = sdk.region().map_or(aws::DEFAULT_REGION, Region::as_ref);
        let (base, place) = match config.endpoint_url.clone().or_else(|| configured(&sdk)) {
            Some(url) => {
                let url = checked(&url)?;
                (url.clone(), url)
            }
            None => (amazon(region, &sdk)?, format!("Amazon Bedrock in {region}")),
        };
        let model = utf8_percent_encode(&config.model, PATH_SEGMENT);
        let url: Url = format!("{base}/model/{model}/converse-stream")
            .parse()
            .map_err(|error| format!("the endpoint {base} is not a URL: {error}"))?;
        let client = http_client(&url, config.connect_timeout).map_err(|e| e.to_string())?;
        let token = std::env::var(BEARER_TOKEN).ok();
        let token = token.filter(|token| !token.is_empty() && config.access_key.is_none());
        let region = region.to_owned();
        let service = Service {
            client,
            url,
            place,
            region,
            login: match token {
                Some(token) => Login::Bearer(token),
                None => Login::Keys {
                    account,
                    sdk: Box::new(sdk),
                    kept: Mutex::default(),
                },
            },
        };
        service.access().await?;
        Ok(service)
    }

    /// The credentials for the next request, fetched again before they end.
    ///
    /// # Errors
    /// A sentence that says what is missing and how to provide it.
    pub(super) async fn access(&self) -> Result<Access, String> {
        let (account, sdk, kept) = match &self.login {
            Login::Bearer(token) => return Ok(Access::Bearer(token.clone())),
            Login::Keys { account, sdk, kept } => (account, sdk, kept),
        };
        let mut kept = kept.lock().await;
        let fresh = |found: &&Credentials| match found.expiry() {
            Some(end) => end > SystemTime::now() + REFRESH,
            None => true,
        };
        if let Some(found) = kept.as_ref().filter(fresh) {
            return Ok(Access::Keys(found.clone()));
        }
        let found = account.credentials(sdk).await.map_err(|problem| {
            // The SDK's message goes on with a list of everything it tried, which is left
            // out.
            let first = problem.lines().next().unwrap_or_default();
            let first = first.split("; set AWS_").next().unwrap_or_default();
            let first = first.trim_end_matches(" Attempted:").trim_end_matches('.');
            format!(
                "{}: {first}; {GET_CREDENTIALS}. A Bedrock API key in {BEARER_TOKEN} will do as well",
                self.place
            )
        })?;
        *kept = Some(found.clone());
        Ok(Access::Keys(found))
    }
}

impl Access {
    /// The strings that must not appear in any output.
    pub(super) fn secrets(&self) -> Vec<&str> {
        match self {
            Access::Bearer(token) => vec![token],
            Access::Keys(keys) => [Some(keys.secret_access_key()), keys.session_token()]
                .into_iter()
                .flatten()
                .collect(),
        }
    }

    /// The headers of a POST of `body`, with those that authorise it.
    pub(super) fn headers(
        &self,
        service: &Service,
        body: &[u8],
    ) -> Result<HeaderMap, Box<dyn StdError + Send + Sync>> {
        let json = HeaderValue::from_static("application/json");
        let mut headers = HeaderMap::from_iter([(CONTENT_TYPE, json)]);
        let keys = match self {
            Access::Bearer(token) => {
                headers.insert(AUTHORIZATION, secret(&format!("Bearer {token}"))?);
                return Ok(headers);
            }
            Access::Keys(keys) => keys,
        };
        let identity = keys.clone().into();
        let params = v4::SigningParams::builder()
            .identity(&identity)
            .region(&service.region)
            .name("bedrock")
            .time(SystemTime::now())
            .settings(SigningSettings::default())
            .build()?
            .into();
        let request = SignableRequest::new(
            "POST",
            service.url.as_str(),
            [("content-type", "application/json")].into_iter(),
            SignableBody::Bytes(body),
        )?;
        let (signed, _) = sign(request, &params)?.into_parts();
        for (name, value) in signed.headers() {
            headers.insert(HeaderName::try_from(name)?, secret(value)?);
        }
        Ok(headers)
    }
}

fn secret(value: &str) -> Result<HeaderValue, reqwest::header::InvalidHeaderValue> {
    let mut value = HeaderValue::from_str(value)?;
    value.set_sensitive(true);
    Ok(value)
}

/// The endpoint that the environment or the profile names for Bedrock, or for all services.
fn configured(sdk: &SdkConfig) -> Option<String> {
    let key = ServiceConfigKey::builder()
        .service_id("Bedrock Runtime")
        .env("AWS_ENDPOINT_URL")
        .profile("endpoint_url")
        .build()
        .ok()?;
    let own = sdk
        .service_config()
        .and_then(|services| services.load_config(key));
    own.or_else(|| sdk.endpoint_url().map(str::to_owned))
}

/// Amazon's own endpoint in a region.
fn amazon(region: &str, sdk: &SdkConfig) -> Result<String, String> {
    let is_label = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if region.is_empty() || !region.chars().all(is_label) {
        return Err(format!(
            "{region:?} is not an AWS region; name one with AWS_REGION, like us-east-1"
        ));
    }
    let service = if sdk.use_fips() == Some(true) {
        "bedrock-runtime-fips"
    } else {
        "bedrock-runtime"
    };
    let dual_stack = sdk.use_dual_stack() == Some(true);
    let domain = match (region.starts_with("cn-"), dual_stack) {
        (false, false) => "amazonaws.com",
        (false, true) => "api.aws",
        (true, false) => "amazonaws.com.cn",
        (true, true) => "api.amazonwebservices.com.cn",
    };
    Ok(format!("https://{service}.{region}.{domain}"))
}

/// Checks an endpoint that the user named, and removes a slash at its end.
fn checked(url: &str) -> Result<String, String> {
    let wrong = |problem: &str| {
        format!(
            "the endpoint of Bedrock {problem}; it looks like https://bedrock-runtime.us-east-1.amazonaws.com"
        )
    };
    let url: Url = url.trim().parse().map_err(|_| wrong("is not a URL"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("must not hold a password"));
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("is not one of http or https"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}
