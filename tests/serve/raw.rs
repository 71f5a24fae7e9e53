//! Requests as bytes: unsigned, half, malformed. What must be signed is signed by
//! `raw.py`.

use crate::serve::clients::python;
use crate::serve::support::{serve, world};
use crate::support::tools::needs;
use expect_test::{Expect, expect};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends bytes, and compares what is answered; numbers of requests and dates are left out.
async fn check(request: &str, expected: Expect) {
    let server = serve(world()).await;
    let mut stream = TcpStream::connect(server.address())
        .await
        .expect("it listens");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("it reads");
    expected.assert_eq(&answer(&mut stream).await);
    server.stop().await;
}

async fn answer(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = tokio::time::timeout(Duration::from_secs(20), stream.read_to_end(&mut text));
    read.await.expect("an answer in time").expect("an answer");
    let text = String::from_utf8_lossy(&text).replace('\r', "");
    let lines = text.lines().filter(|line| !line.starts_with("date:"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[tokio::test]
async fn who_does_not_sign_is_told_so() {
    check(
        "GET /alpha HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        expect![[r#"
            HTTP/1.1 403 Forbidden
            content-type: application/xml
            x-amz-request-id: 0000000000000001
            connection: close
            content-length: 150

            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
    check(
        "HEAD /alpha HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        expect![[r#"
            HTTP/1.1 403 Forbidden
            content-type: application/xml
            x-amz-request-id: 0000000000000001
            connection: close

        "#]],
    )
    .await;
    // The body that is announced is not waited for.
    check(
        "PUT /alpha/k HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\nConnection: close\r\n\r\nabc",
        expect![[r#"
            HTTP/1.1 403 Forbidden
            content-type: application/xml
            x-amz-request-id: 0000000000000001
            connection: close
            content-length: 150

            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_no_http_is_refused() {
    check(
        "nonsense\r\n\r\n",
        expect![[r#"
        HTTP/1.1 400 Bad Request
        connection: close
        content-length: 0

    "#]],
    )
    .await;
    check(
        "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        expect![[r#"
        HTTP/1.1 400 Bad Request
        connection: close
        content-length: 0

    "#]],
    )
    .await;
}

/// The clients of AWS before 2026 wait for `100 Continue` before an empty body, and take the rest
/// of the answer for that of the next request, unless the connection ends.
#[tokio::test]
async fn who_waits_before_an_empty_body_gets_a_new_connection() {
    check(
        "PUT /alpha/k HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
        expect![[r#"
            HTTP/1.1 403 Forbidden
            content-type: application/xml
            x-amz-request-id: 0000000000000001
            connection: close
            content-length: 150

            <?xml version="1.0" encoding="UTF-8"?>
            <Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>0000000000000001</RequestId></Error>
        "#]],
    )
    .await;
}

#[tokio::test]
async fn half_requests_take_nobody_down() {
    needs!(BOTO3);
    let server = serve(world()).await;
    let mut halves = Vec::new();
    for half in [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX-A",
        "PUT /alpha/k HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc",
    ] {
        for _ in 0..20 {
            let mut stream = TcpStream::connect(server.address())
                .await
                .expect("it listens");
            stream.write_all(half.as_bytes()).await.expect("it reads");
            halves.push(stream);
        }
    }
    let said = python("boto.py", "basics", &server).await;
    assert!(said.ends_with("delete: 204 {}\n"), "{said}");
    // Nor do they keep the server from stopping.
    tokio::time::timeout(Duration::from_secs(20), server.stop())
        .await
        .expect("it stops while clients are silent");
    drop(halves);
}

/// Runs a case of `raw.py`, and compares what it printed.
pub async fn check_signed(case: &str, expected: Expect) {
    let server = serve(world()).await;
    expected.assert_eq(&python("raw.py", case, &server).await);
    server.stop().await;
}

#[tokio::test]
async fn signatures_are_verified() {
    needs!(BOTO3);
    check_signed("signatures", expect![[r#"
        GET / 200 <ListAllMyBucketsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Buckets></Buckets><Owner><ID>d1a10902a9100000000000000000000000000000000000000000000000000001</ID></Owner></ListAllMyBucketsResult>
        GET / 403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000002</RequestId></Error>
        GET / 403 <Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>0000000000000003</RequestId></Error>
        GET / 400 <Error><Code>AuthorizationHeaderMalformed</Code><Message>The authorization header is malformed.</Message><RequestId>0000000000000004</RequestId></Error>
        GET / 400 <Error><Code>InvalidRequest</Code><Message>Missing required header for this request: x-amz-content-sha256</Message><RequestId>0000000000000005</RequestId></Error>
        GET / 403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000006</RequestId></Error>
        PUT /alpha 403 <Error><Code>AccessDenied</Code><Message>There were headers present in the request which were not signed</Message><HeadersNotSigned>x-amz-acl</HeadersNotSigned><RequestId>0000000000000007</RequestId></Error>
        PUT /alpha 200
        PUT /alpha/k 403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000009</RequestId></Error>
        PUT /alpha/k 400 <Error><Code>XAmzContentSHA256Mismatch</Code><Message>The provided 'x-amz-content-sha256' header does not match what was computed.</Message><RequestId>000000000000000A</RequestId></Error>
        PUT /alpha/k 200 x-amz-checksum-crc32: 26gLsg== x-amz-checksum-type: FULL_OBJECT
        HEAD /alpha 403
        GET /alpha 200 <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated><Marker></Marker><Contents><Key>k</Key><LastModified>2024-01-01T00:00:01.000Z</LastModified><ETag>"841a2d689ad86bd1611447453c22c6fc"</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType><Size>4</Size><StorageClass>STANDARD</StorageClass><Owner><ID>d1a10902a91000000
        GET / 403 <Error><Code>RequestTimeTooSkewed</Code><Message>The difference between the request time and the current time is too large.</Message><RequestId>000000000000000E</RequestId></Error>
    "#]]).await;
}

#[tokio::test]
async fn documents_are_read_with_care() {
    needs!(BOTO3);
    check_signed("documents", expect![[r#"
        PUT /alpha 200
        POST /alpha?delete 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>0000000000000002</RequestId></Error>
        POST /alpha?delete 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>0000000000000003</RequestId></Error>
        POST /alpha?delete 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>0000000000000004</RequestId></Error>
        POST /alpha?delete 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>0000000000000005</RequestId></Error>
        POST /alpha?delete 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>0000000000000006</RequestId></Error>
        POST /alpha?delete 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>0000000000000007</RequestId></Error>
        POST /alpha?delete 200 <DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Deleted><Key> a&amp;&lt;
         b&#xd; </Key></Deleted></DeleteResult>
        POST /alpha?delete 400 <Error><Code>BadDigest</Code><Message>The Content-MD5 you specified did not match what we received.</Message><ExpectedDigest>AAAAAAAAAAAAAAAAAAAAAA==</ExpectedDigest><CalculatedDigest>T2koyWgUrbVU07ZKdVEMvQ==</CalculatedDigest><RequestId>0000000000000009</RequestId></Error>
        PUT /beta 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>000000000000000A</RequestId></Error>
        PUT /beta 200
        GET /beta?location 200 <LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">eu-west-1</LocationConstraint>
    "#]]).await;
}

#[tokio::test]
async fn bodies_in_chunks_are_put_together() {
    needs!(BOTO3);
    check_signed("chunked", expect![[r#"
        PUT /alpha 200
        PUT /alpha/k 200 x-amz-checksum-crc32: NhCmhg== x-amz-checksum-type: FULL_OBJECT
        HEAD /alpha/k 200 content-encoding: gzip
        PUT /alpha/k 400 <Error><Code>BadDigest</Code><Message>The CRC32 you specified did not match the calculated checksum.</Message><RequestId>0000000000000004</RequestId></Error>
        PUT /alpha/k 200 x-amz-checksum-crc64nvme: M3eFcAZSQlc= x-amz-checksum-type: FULL_OBJECT
        PUT /alpha/k 400 <Error><Code>IncompleteBody</Code><Message>The request body terminated unexpectedly</Message><RequestId>0000000000000006</RequestId></Error>
        PUT /alpha/k 400 <Error><Code>IncompleteBody</Code><Message>The request body terminated unexpectedly</Message><RequestId>0000000000000007</RequestId></Error>
        PUT /alpha/k 400 <Error><Code>EntityTooLarge</Code><Message>Your proposed upload exceeds the maximum allowed size</Message><ProposedSize>99999999999</ProposedSize><MaxSizeAllowed>67108864</MaxSizeAllowed><RequestId>0000000000000008</RequestId></Error>
        PUT /alpha/k 400 <Error><Code>IncompleteBody</Code><Message>The request body terminated unexpectedly</Message><RequestId>0000000000000009</RequestId></Error>
    "#]]).await;
}

#[tokio::test]
async fn what_is_too_long_is_refused_before_it_comes() {
    needs!(BOTO3);
    check_signed("lengths", expect![[r#"
        PUT /alpha 200
        PUT /alpha/k 400 <Error><Code>EntityTooLarge</Code><Message>Your proposed upload exceeds the maximum allowed size</Message><ProposedSize>10737418240</ProposedSize><MaxSizeAllowed>67108864</MaxSizeAllowed><RequestId>0000000000000002</RequestId></Error>
        PUT /alpha/k 400 <Error><Code>EntityTooLarge</Code><Message>Your proposed upload exceeds the maximum allowed size</Message><ProposedSize>67108865</ProposedSize><MaxSizeAllowed>67108864</MaxSizeAllowed><RequestId>0000000000000003</RequestId></Error>
        PUT /alpha/k 400
        POST /alpha?delete 400 <Error><Code>MaxMessageLengthExceeded</Code><Message>Your request was too big.</Message><MaxMessageLengthBytes>8388608</MaxMessageLengthBytes><RequestId>0000000000000004</RequestId></Error>
        PUT /alpha/kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk 400 <Error><Code>KeyTooLongError</Code><Message>Your key is too long</Message><Size>1025</Size><MaxSizeAllowed>1024</MaxSizeAllowed><RequestId>0000000000000005</RequestId></Error>
        PUT /alpha/k 501 <Error><Code>NotImplemented</Code><Message>A header you provided implies functionality that is not implemented</Message><Header>Transfer-Encoding</Header><RequestId>0000000000000006</RequestId></Error>
        PUT /alpha/k 501 <Error><Code>NotImplemented</Code><Message>A header you provided implies functionality that is not implemented</Message><Header>Transfer-Encoding</Header><RequestId>0000000000000007</RequestId></Error>
        GET /alpha 200 <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated><Marker></Marker><Name>alpha</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys></ListBucketResult>
    "#]]).await;
}

#[tokio::test]
async fn odd_paths_and_queries_are_answered() {
    needs!(BOTO3);
    check_signed("paths", expect![[r#"
        PUT /alpha 200
        PUT /alpha/%01%0A 200 x-amz-checksum-crc32: jNwWgw== x-amz-checksum-type: FULL_OBJECT
        GET /alpha 200 <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated><Marker></Marker><Contents><Key>&#x1;
        </Key><LastModified>2024-01-01T00:00:01.000Z</LastModified><ETag>"9dd4e461268c8034f5c8564e155c67a6"</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType><Size>1</Size><StorageClass>STANDARD</StorageClass><Owner><ID>d1a10902a910
        GET /alpha?encoding-type=url 200 <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>false</IsTruncated><Marker></Marker><Contents><Key>%01%0A</Key><LastModified>2024-01-01T00:00:01.000Z</LastModified><ETag>"9dd4e461268c8034f5c8564e155c67a6"</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType><Size>1</Size><StorageClass>STANDARD</StorageClass><Owner><ID>d1a10902a910
        GET /alpha?encoding-type=rot13 400 <Error><Code>InvalidArgument</Code><Message>Invalid Encoding Method specified in Request</Message><ArgumentName>encoding-type</ArgumentName><ArgumentValue>rot13</ArgumentValue><RequestId>0000000000000005</RequestId></Error>
        GET /alpha?max-keys=many 400 <Error><Code>InvalidArgument</Code><Message>Provided max-keys not an integer or within integer range</Message><ArgumentName>max-keys</ArgumentName><ArgumentValue>many</ArgumentValue><RequestId>0000000000000006</RequestId></Error>
        GET /alpha?list-type=2&max-keys=99999999999999999999 400 <Error><Code>InvalidArgument</Code><Message>Provided max-keys not an integer or within integer range</Message><ArgumentName>max-keys</ArgumentName><ArgumentValue>99999999999999999999</ArgumentValue><RequestId>0000000000000007</RequestId></Error>
        GET /alpha/%FF 400 <Error><Code>InvalidURI</Code><Message>Couldn't parse the specified URI.</Message><RequestId>0000000000000008</RequestId></Error>
        GET /alpha?prefix=%FF 403 <Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message><RequestId>0000000000000009</RequestId></Error>
        GET /%00/k 400 <Error><Code>InvalidBucketName</Code><Message>The specified bucket is not valid.</Message><BucketName>&#x0;</BucketName><RequestId>000000000000000A</RequestId></Error>
        GET //k 400 <Error><Code>InvalidBucketName</Code><Message>The specified bucket is not valid.</Message><BucketName></BucketName><RequestId>000000000000000B</RequestId></Error>
        POST /alpha 405 <Error><Code>MethodNotAllowed</Code><Message>The specified method is not allowed against this resource.</Message><Method>POST</Method><ResourceType>BUCKET</ResourceType><RequestId>000000000000000C</RequestId></Error>
        PATCH /alpha/k 405 <Error><Code>MethodNotAllowed</Code><Message>The specified method is not allowed against this resource.</Message><Method>PATCH</Method><ResourceType>OBJECT</ResourceType><RequestId>000000000000000D</RequestId></Error>
        DELETE / 405 <Error><Code>MethodNotAllowed</Code><Message>The specified method is not allowed against this resource.</Message><Method>DELETE</Method><ResourceType>SERVICE</ResourceType><RequestId>000000000000000E</RequestId></Error>
        PUT /alpha/k?tagging 400 <Error><Code>MalformedXML</Code><Message>The XML you provided was not well-formed or did not validate against our published schema</Message><RequestId>000000000000000F</RequestId></Error>
        GET /alpha/k?uploadId=nope 404 <Error><Code>NoSuchUpload</Code><Message>The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.</Message><UploadId>nope</UploadId><RequestId>0000000000000010</RequestId></Error>
        PUT /alpha/k?partNumber=1&uploadId=nope 404 <Error><Code>NoSuchUpload</Code><Message>The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.</Message><UploadId>nope</UploadId><RequestId>0000000000000011</RequestId></Error>
        PUT /alpha/k 400 <Error><Code>InvalidArgument</Code><Message>Invalid copy source object key</Message><ArgumentName>x-amz-copy-source</ArgumentName><ArgumentValue>nonsense</ArgumentValue><RequestId>0000000000000012</RequestId></Error>
        PUT /alpha/m 200 x-amz-checksum-crc32: AAAAAA== x-amz-checksum-type: FULL_OBJECT
        HEAD /alpha/m 200 x-amz-meta-n: =?UTF-8?B?R3LDvMOfZQ==?=
    "#]]).await;
}
