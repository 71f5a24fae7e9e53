//! What is about buckets and objects and is not content, on a real server.

use super::support::{check, connect};
use crate::support::tools::needs;
use crate::support::weed::Weed;
use expect_test::expect;

#[tokio::test]
async fn settings_are_kept_or_refused_by_the_server() {
    needs!(WEED);
    let weed = Weed::start();
    let world = connect(&weed).await;
    check(
        &world,
        r#"
        create_bucket {"Bucket": "alpha"}
        put_object {"Bucket": "alpha", "Key": "a b", "Body": "x"}
        get_bucket_tagging {"Bucket": "alpha"}
        put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": [{"Key": "team", "Value": "a & b"}]}}
        get_bucket_tagging {"Bucket": "alpha"}
        put_object_tagging {"Bucket": "alpha", "Key": "a b", "Tagging": {"TagSet": [{"Key": "k", "Value": "v"}]}}
        get_object_tagging {"Bucket": "alpha", "Key": "a b"}
        delete_object_tagging {"Bucket": "alpha", "Key": "a b"}
        get_object_tagging {"Bucket": "alpha", "Key": "a b"}
        get_object_tagging {"Bucket": "alpha", "Key": "nope"}
        get_bucket_cors {"Bucket": "alpha"}
        put_bucket_cors {"Bucket": "alpha", "CORSConfiguration": {"CORSRules": [{"AllowedMethods": ["GET", "PUT"], "AllowedOrigins": ["*"], "MaxAgeSeconds": 5}]}}
        get_bucket_cors {"Bucket": "alpha"}
        get_bucket_lifecycle_configuration {"Bucket": "alpha"}
        put_bucket_lifecycle_configuration {"Bucket": "alpha", "LifecycleConfiguration": {"Rules": [{"ID": "old", "Filter": {"Prefix": "logs/"}, "Status": "Enabled", "Expiration": {"Days": 30}}]}}
        get_bucket_lifecycle_configuration {"Bucket": "alpha"}
        delete_bucket_lifecycle {"Bucket": "alpha"}
        get_bucket_versioning {"Bucket": "alpha"}
        list_object_versions {"Bucket": "alpha"}
        put_bucket_versioning {"Bucket": "alpha", "VersioningConfiguration": {"Status": "Enabled"}}
        get_bucket_versioning {"Bucket": "alpha"}
        get_bucket_policy {"Bucket": "alpha"}
        put_bucket_policy {"Bucket": "alpha", "Policy": "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::alpha/*\"}]}"}
        get_bucket_policy {"Bucket": "alpha"}
        get_bucket_policy_status {"Bucket": "alpha"}
        delete_bucket_policy {"Bucket": "alpha"}
        get_public_access_block {"Bucket": "alpha"}
        get_bucket_encryption {"Bucket": "alpha"}
        get_bucket_ownership_controls {"Bucket": "alpha"}
        get_bucket_acl {"Bucket": "alpha"}
        get_object_acl {"Bucket": "alpha", "Key": "a b"}
        get_bucket_website {"Bucket": "alpha"}
        get_bucket_logging {"Bucket": "alpha"}
        get_bucket_notification_configuration {"Bucket": "alpha"}
        get_bucket_replication {"Bucket": "alpha"}
        get_bucket_accelerate_configuration {"Bucket": "alpha"}
        get_bucket_request_payment {"Bucket": "alpha"}
        list_bucket_inventory_configurations {"Bucket": "alpha"}
        get_bucket_metrics_configuration {"Bucket": "alpha", "Id": "m"}
        get_object_lock_configuration {"Bucket": "alpha"}
        get_object_attributes {"Bucket": "alpha", "Key": "a b", "ObjectAttributes": ["ETag", "ObjectSize"]}
        restore_object {"Bucket": "alpha", "Key": "a b", "RestoreRequest": {"Days": 1}}
        list_multipart_uploads {"Bucket": "alpha"}
        list_parts {"Bucket": "alpha", "Key": "a b", "UploadId": "nope"}
        complete_multipart_upload {"Bucket": "alpha", "Key": "a b", "UploadId": "nope", "MultipartUpload": {"Parts": [{"ETag": "e", "PartNumber": 1}]}}
        put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": 7}}
        put_bucket_tagging {"Bucket": "alpha", "Tagging": {"Tags": []}}
        put_bucket_tagging {"Bucket": "alpha"}
        put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": []}, "Colour": "red"}
        "#,
        expect![[r#""#]],
    )
    .await;
}
