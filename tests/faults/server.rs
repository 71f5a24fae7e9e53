//! The S3 server, and who speaks to it without a proxy.

use crate::faults::work::{BUCKETS, beginning, make, read};
use crate::support::weed::{self, UP_WITHIN, Weed};
use aws_sdk_s3::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_s3::types::{BucketVersioningStatus, VersioningConfiguration};
use aws_smithy_http_client::Builder;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use dialog2api::domain::World;
use dialog2api::domain::s3::remote::RemoteLimits;
use dialog2api::domain::s3::{AccessKey, Remote, RemoteOptions};
use futures_util::StreamExt;
use std::time::{Duration, Instant};

/// A running SeaweedFS.
pub struct Server {
    weed: Weed,
    sdk: aws_sdk_s3::Client,
    pub world: Remote,
}

impl Server {
    pub async fn start() -> Server {
        let mut weed = Weed::start();
        let mut world = connect(&weed.endpoint, Builder::new().build_http()).await;
        // S3 answers a little before the service behind it does, which may make the first
        // bucket and fail all the same: this one, whose making is asked for again.
        let (create, ready) = read("is", "make ready");
        let deadline = Instant::now() + UP_WITHIN;
        loop {
            let answer = world.call(create, &ready).await;
            match &answer {
                Ok(Ok(_)) => break,
                Ok(Err(refusal)) if refusal.code == "BucketAlreadyOwnedByYou" => break,
                _ => assert!(Instant::now() < deadline, "{answer:?}"),
            }
            if weed.has_ended() {
                weed = Weed::start();
                world = connect(&weed.endpoint, Builder::new().build_http()).await;
            }
        }
        make(&world, "is", "remove ready").await;
        let credentials = Credentials::new(weed::KEY, weed::SECRET, None, None, "test");
        let config = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(Builder::new().build_http())
            .region(Region::from_static("us-east-1"))
            .credentials_provider(credentials)
            .endpoint_url(&weed.endpoint)
            .force_path_style(true);
        let sdk = aws_sdk_s3::Client::from_conf(config.build());
        Server { weed, sdk, world }
    }

    pub fn endpoint(&self) -> &str {
        &self.weed.endpoint
    }

    /// Makes the buckets of a run and what is in them at the beginning. `kept` keeps
    /// versions.
    pub async fn prepare(&self, run: &str) {
        for bucket in BUCKETS {
            make(&self.world, run, &format!("make {bucket}")).await;
        }
        self.keep_versions(&format!("{run}-kept")).await;
        let objects = beginning();
        let puts: Vec<_> = (objects.iter())
            .map(|call| make(&self.world, run, call))
            .collect();
        futures_util::stream::iter(puts)
            .buffer_unordered(8)
            .collect::<()>()
            .await;
    }

    /// From now on a bucket keeps versions.
    pub async fn keep_versions(&self, bucket: &str) {
        let enabled = VersioningConfiguration::builder()
            .status(BucketVersioningStatus::Enabled)
            .build();
        let request = self.sdk.put_bucket_versioning().bucket(bucket);
        request
            .versioning_configuration(enabled)
            .send()
            .await
            .unwrap();
    }

    /// Every version and every delete marker of a bucket, oldest first: `key ETag`, or
    /// `key -` for a marker.
    pub async fn versions(&self, bucket: &str) -> Vec<String> {
        let listed = self.sdk.list_object_versions().bucket(bucket);
        let listed = listed.max_keys(1000).send().await.unwrap();
        assert_ne!(listed.is_truncated(), Some(true));
        let versions = listed.versions().iter().map(|version| {
            let etag = version
                .e_tag()
                .unwrap_or_default()
                .trim_matches('"')
                .to_owned();
            (version.key().unwrap_or_default().to_owned(), etag)
        });
        let markers = listed.delete_markers().iter();
        let markers =
            markers.map(|marker| (marker.key().unwrap_or_default().to_owned(), "-".to_owned()));
        let mut all: Vec<String> = versions
            .chain(markers)
            .map(|(key, etag)| format!("{key} {etag}"))
            .collect();
        all.sort();
        all
    }
}

/// A world at this address, which does not wait before it asks again.
pub async fn connect(endpoint: &str, client: SharedHttpClient) -> Remote {
    let options = RemoteOptions {
        endpoint_url: Some(endpoint.to_owned()),
        region: Some("us-east-1".to_owned()),
        access_key: Some(AccessKey {
            id: weed::KEY.to_owned(),
            secret: weed::SECRET.to_owned(),
        }),
        limits: RemoteLimits {
            first_wait: Duration::ZERO,
            longest_wait: Duration::ZERO,
            ..RemoteLimits::default()
        },
        ..RemoteOptions::default()
    };
    Remote::connect_through(&options, client).await.unwrap()
}
