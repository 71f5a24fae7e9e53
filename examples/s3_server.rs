//! S3 as a server for the tests of your own program: it starts in milliseconds, keeps everything
//! in memory, and answers any client. `cargo run --locked --example s3_server`.
#![allow(clippy::print_stdout, reason = "it shows what it did")]

use aws_sdk_s3::config::{BehaviorVersion, Credentials, Region};
use aws_sdk_s3::primitives::ByteStream;
use aws_smithy_http_client::Builder;
use dialog2api::domain::s3::serve::{Service, listen};
use dialog2api::domain::s3::{AccessKey, open};
use std::error::Error;
use std::net::SocketAddr;

/// Your program would be in the place of this: it keeps a note, and reads it.
async fn note(s3: &aws_sdk_s3::Client) -> Result<String, Box<dyn Error>> {
    s3.create_bucket().bucket("notes").send().await?;
    let put = s3.put_object().bucket("notes").key("today.txt");
    let put = put.body(ByteStream::from_static(b"feed the seals"));
    put.if_none_match("*").send().await?;
    let got = s3.get_object().bucket("notes").key("today.txt");
    let read = got.send().await?.body.collect().await?;
    Ok(String::from_utf8(read.to_vec())?)
}

/// Serves an empty world, and lets a client of the AWS SDK use it.
pub async fn serve() -> Result<String, Box<dyn Error>> {
    let key = AccessKey {
        id: "test".to_owned(),
        secret: "test".to_owned(),
    };
    let service = Service::new(open("empty")?.world, &key);
    let server = listen(service, SocketAddr::from(([127, 0, 0, 1], 0))).await?;
    let config = aws_sdk_s3::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(Builder::new().build_http())
        .endpoint_url(format!("http://{}", server.address()))
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new(&key.id, &key.secret, None, None, "test"))
        .force_path_style(true)
        .build();
    let read = note(&aws_sdk_s3::Client::from_conf(config)).await;
    server.stop().await;
    read
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", serve().await?);
    Ok(())
}
