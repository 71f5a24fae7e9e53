//! Settings of buckets and objects on a real server.

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
        put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": [{"Key": "team", "Value": "a + b"}]}}
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
        expect![[r#"
            create_bucket {"Bucket": "alpha"}
                {Location: "/alpha"}
            put_object {"Bucket": "alpha", "Key": "a b", "Body": "x"}
                {ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", ChecksumCRC32: "jNwWgw=="}
            get_bucket_tagging {"Bucket": "alpha"}
                404 NoSuchTagSet: The TagSet does not exist {Resource: …, BucketName: "alpha"}
            put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": [{"Key": "team", "Value": "a + b"}]}}
                {}
            get_bucket_tagging {"Bucket": "alpha"}
                {TagSet: [{Key: "team", Value: "a + b"}]}
            put_object_tagging {"Bucket": "alpha", "Key": "a b", "Tagging": {"TagSet": [{"Key": "k", "Value": "v"}]}}
                {}
            get_object_tagging {"Bucket": "alpha", "Key": "a b"}
                {TagSet: [{Key: "k", Value: "v"}]}
            delete_object_tagging {"Bucket": "alpha", "Key": "a b"}
                {}
            get_object_tagging {"Bucket": "alpha", "Key": "a b"}
                {TagSet: []}
            get_object_tagging {"Bucket": "alpha", "Key": "nope"}
                404 NoSuchKey: The specified key does not exist. {Resource: …, Key: "nope", BucketName: "alpha"}
            get_bucket_cors {"Bucket": "alpha"}
                404 NoSuchCORSConfiguration: The CORS configuration does not exist {Resource: …, BucketName: "alpha"}
            put_bucket_cors {"Bucket": "alpha", "CORSConfiguration": {"CORSRules": [{"AllowedMethods": ["GET", "PUT"], "AllowedOrigins": ["*"], "MaxAgeSeconds": 5}]}}
                {}
            get_bucket_cors {"Bucket": "alpha"}
                {CORSRules: [{AllowedMethods: ["GET", "PUT"], AllowedOrigins: ["*"], MaxAgeSeconds: 5}]}
            get_bucket_lifecycle_configuration {"Bucket": "alpha"}
                404 NoSuchLifecycleConfiguration: The lifecycle configuration does not exist {Resource: …, BucketName: "alpha"}
            put_bucket_lifecycle_configuration {"Bucket": "alpha", "LifecycleConfiguration": {"Rules": [{"ID": "old", "Filter": {"Prefix": "logs/"}, "Status": "Enabled", "Expiration": {"Days": 30}}]}}
                {}
            get_bucket_lifecycle_configuration {"Bucket": "alpha"}
                {TransitionDefaultMinimumObjectSize: "all_storage_classes_128K", Rules: [{Expiration: {Days: 30}, ID: "old", Filter: {Prefix: "logs/"}, Status: "Enabled"}]}
            delete_bucket_lifecycle {"Bucket": "alpha"}
                {}
            get_bucket_versioning {"Bucket": "alpha"}
                {}
            list_object_versions {"Bucket": "alpha"}
                {IsTruncated: false, Versions: [{ETag: "\"9dd4e461268c8034f5c8564e155c67a6\"", Size: 1, StorageClass: "STANDARD", Key: "a b", VersionId: "null", IsLatest: true, LastModified: TIME, Owner: {DisplayName: "admin", ID: "admin"}}], Name: "alpha", MaxKeys: 1000}
            put_bucket_versioning {"Bucket": "alpha", "VersioningConfiguration": {"Status": "Enabled"}}
                {}
            get_bucket_versioning {"Bucket": "alpha"}
                {Status: "Enabled"}
            get_bucket_policy {"Bucket": "alpha"}
                404 NoSuchBucketPolicy: The bucket policy does not exist {Resource: …, BucketName: "alpha"}
            put_bucket_policy {"Bucket": "alpha", "Policy": "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::alpha/*\"}]}"}
                {}
            get_bucket_policy {"Bucket": "alpha"}
                {Policy: "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"s3:GetObject\",\"Resource\":\"arn:aws:s3:::alpha/*\"}]}\n"}
            get_bucket_policy_status {"Bucket": "alpha"}
                {PolicyStatus: {IsPublic: true}}
            delete_bucket_policy {"Bucket": "alpha"}
                {}
            get_public_access_block {"Bucket": "alpha"}
                501 NotImplemented: A header you provided implies functionality that is not implemented {Resource: …, BucketName: "alpha"}
            get_bucket_encryption {"Bucket": "alpha"}
                404 ServerSideEncryptionConfigurationNotFoundError: The server side encryption configuration was not found. {Resource: …, BucketName: "alpha"}
            get_bucket_ownership_controls {"Bucket": "alpha"}
                {OwnershipControls: {Rules: [{ObjectOwnership: "BucketOwnerEnforced"}]}}
            get_bucket_acl {"Bucket": "alpha"}
                {Owner: {DisplayName: "admin", ID: "admin"}, Grants: [{Grantee: {DisplayName: "admin", ID: "admin", Type: "CanonicalUser"}, Permission: "FULL_CONTROL"}]}
            get_object_acl {"Bucket": "alpha", "Key": "a b"}
                {Owner: {DisplayName: "admin", ID: "admin"}, Grants: [{Grantee: {DisplayName: "admin", ID: "admin", Type: "CanonicalUser"}, Permission: "FULL_CONTROL"}]}
            get_bucket_website {"Bucket": "alpha"}
                404 NoSuchWebsiteConfiguration: The specified bucket does not have a website configuration {Resource: …, BucketName: "alpha"}
            get_bucket_logging {"Bucket": "alpha"}
                {}
            get_bucket_notification_configuration {"Bucket": "alpha"}
                {}
            get_bucket_replication {"Bucket": "alpha"}
                404 ReplicationConfigurationNotFoundError: The replication configuration was not found {Resource: …, BucketName: "alpha"}
            get_bucket_accelerate_configuration {"Bucket": "alpha"}
                {Status: "Suspended"}
            get_bucket_request_payment {"Bucket": "alpha"}
                {Payer: "BucketOwner"}
            list_bucket_inventory_configurations {"Bucket": "alpha"}
                {IsTruncated: false}
            get_bucket_metrics_configuration {"Bucket": "alpha", "Id": "m"}
                404 NoSuchConfiguration: The specified configuration does not exist. {Resource: …, BucketName: "alpha"}
            get_object_lock_configuration {"Bucket": "alpha"}
                404 ObjectLockConfigurationNotFoundError: Object Lock configuration does not exist for this bucket {Resource: …, BucketName: "alpha"}
            get_object_attributes {"Bucket": "alpha", "Key": "a b", "ObjectAttributes": ["ETag", "ObjectSize"]}
                {LastModified: TIME, VersionId: "null", ETag: "9dd4e461268c8034f5c8564e155c67a6", ObjectSize: 1}
            restore_object {"Bucket": "alpha", "Key": "a b", "RestoreRequest": {"Days": 1}}
                405 MethodNotAllowed: The specified method is not allowed against this resource. {Resource: …}
            list_multipart_uploads {"Bucket": "alpha"}
                {Bucket: "alpha", KeyMarker: "", Prefix: "", Delimiter: "", MaxUploads: 10000, IsTruncated: false, EncodingType: "url"}
            list_parts {"Bucket": "alpha", "Key": "a b", "UploadId": "nope"}
                404 NoSuchUpload: The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed. {Resource: …, Key: "a b", BucketName: "alpha"}
            complete_multipart_upload {"Bucket": "alpha", "Key": "a b", "UploadId": "nope", "MultipartUpload": {"Parts": [{"ETag": "e", "PartNumber": 1}]}}
                404 NoSuchUpload: The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed. {Resource: …, Key: "a b", BucketName: "alpha"}
            put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": 7}}
                400 InvalidArgument: Parameter TagSet must be a list {ArgumentName: "TagSet"}
            put_bucket_tagging {"Bucket": "alpha", "Tagging": {"Tags": []}}
                501 NotImplemented: A header you provided implies functionality that is not implemented {Header: "Tags"}
            put_bucket_tagging {"Bucket": "alpha"}
                400 InvalidArgument: Parameter Tagging must be given {ArgumentName: "Tagging"}
            put_bucket_tagging {"Bucket": "alpha", "Tagging": {"TagSet": []}, "Colour": "red"}
                501 NotImplemented: A header you provided implies functionality that is not implemented {Header: "Colour"}
        "#]],
    )
    .await;
}
