//! Makes a client from options, environment and profiles.

use super::identity;
use super::options::{AccessKey, Addressing, RemoteOptions, shown};
use super::regions::Regions;
use super::tries::{CountTries, KnowFirst};
use super::xml::CutErrors;
use super::{Connection, Remote, SharedHttpClient};
use crate::aws::Account;
use crate::domain::Meter;
use crate::error::{Error, Result};
use crate::names::DEFAULT_REGION;
use aws_config::ConfigLoader;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::Region;
use aws_sdk_s3::config::retry::RetryPartition;
use std::sync::{Arc, OnceLock};
use tokio::sync::Semaphore;

pub(super) async fn connect(options: &RemoteOptions, http: SharedHttpClient) -> Result<Remote> {
    let account = Account {
        profile: options.profile.clone(),
        region: options.region.clone(),
        credentials: options.access_key.as_ref().map(AccessKey::credentials),
    };
    let adjust = |loader: ConfigLoader| {
        loader
            .retry_config(options.limits.retries())
            .timeout_config(options.limits.timeouts())
            .stalled_stream_protection(options.limits.stalls())
    };
    let config = account.load(http, adjust).await;
    let endpoint = options
        .endpoint_url
        .clone()
        .or_else(|| std::env::var("AWS_ENDPOINT_URL_S3").ok())
        .or_else(|| config.endpoint_url().map(str::to_owned))
        .filter(|url| !url.is_empty());
    let host = endpoint.as_deref().map(host).transpose()?;
    let is_amazon = host
        .as_deref()
        .is_none_or(|host| host.ends_with(".amazonaws.com") || host.ends_with(".amazonaws.com.cn"));
    let region = config.region().map_or(DEFAULT_REGION, Region::as_ref);
    let place = match &endpoint {
        Some(url) => format!("S3 at {url}"),
        None => format!("Amazon S3 in {region}"),
    };
    let credentials = account.credentials(&config).await;
    let credentials = credentials.map_err(|problem| Error::world(format!("{place}: {problem}")))?;
    let Some(provider) = config.credentials_provider() else {
        return Err(Error::world(format!("{place}: no credentials")));
    };
    let key_id = credentials.access_key_id().to_owned();
    let addressing = match options.addressing {
        Addressing::Auto => addressing_style(options.profile.clone()).await,
        chosen => chosen,
    };
    let is_path_style = match addressing {
        Addressing::Auto => !is_amazon,
        Addressing::Path => true,
        Addressing::Virtual => false,
    };
    let limits = options.limits.clone();
    let meter = Arc::<Meter>::default();
    // `aws_config` has read the checksum settings. By default a checksum is sent and
    // asked for, as in boto3.
    let mut s3 = aws_sdk_s3::config::Builder::from(&config)
        .interceptor(CountTries(meter.clone()))
        .interceptor(CutErrors)
        .retry_classifier(KnowFirst)
        // By default all connections of a process share one quota of retries.
        .retry_partition(RetryPartition::custom("s3").build())
        .force_path_style(is_path_style);
    if let Some(endpoint) = &endpoint {
        s3 = s3.endpoint_url(endpoint);
    }
    Ok(Remote(Arc::new(Connection {
        client: Client::from_conf(s3.build()),
        identity: identity::of(endpoint.as_deref(), is_amazon, region, &credentials),
        region: region.to_owned(),
        place,
        is_amazon,
        credentials: provider,
        key_id,
        signature: options.signature,
        progress: options.progress.clone(),
        turns: Semaphore::new(limits.at_once.clamp(1, Semaphore::MAX_PERMITS)),
        regions: Regions::default(),
        endpoint: endpoint.map(|url| url.trim_end_matches('/').to_owned()),
        is_path_style,
        links: OnceLock::new(),
        meter,
        limits,
    })))
}

/// The `addressing_style` in the profile's `s3` settings, where boto3 looks for it.
/// Ignores a file that cannot be read; code that needs the file reports the error.
async fn addressing_style(profile: Option<String>) -> Addressing {
    let (fs, env, files) = Default::default();
    let profiles = aws_config::profile::load(&fs, &env, &files, profile.map(Into::into)).await;
    let Ok(profiles) = profiles else {
        return Addressing::Auto;
    };
    let settings = profiles.get("s3").unwrap_or_default().lines();
    settings
        .filter_map(|line| line.split_once('='))
        .find(|(name, _)| name.trim() == "addressing_style")
        .and_then(|(_, style)| style.trim().parse().ok())
        .unwrap_or_default()
}

/// The host of an endpoint. The endpoint must be a URL without a password.
fn host(endpoint: &str) -> Result<String> {
    let wrong = |problem: &str| {
        Error::usage(format!(
            "the S3 endpoint {problem}; give it as http://HOST:PORT or https://HOST"
        ))
    };
    let seen = shown(endpoint);
    let url: url::Url = endpoint
        .parse()
        .map_err(|_| wrong(&format!("{seen:?} is not a URL")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(
            "must not contain credentials (set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY)",
        ));
    }
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(&format!("{seen:?} is not a web address")));
    }
    let host = url
        .host_str()
        .ok_or_else(|| wrong(&format!("{seen:?} names no host")))?;
    Ok(host.to_owned())
}
