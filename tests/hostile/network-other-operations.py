# Calls operations that share or send data elsewhere (policies, ACLs, replication) with a bucket alone: what is not refused changes the world and nothing else.
# Writes.
refused = set()
for name in ["put_bucket_policy", "put_bucket_acl", "put_object_acl", "put_bucket_replication", "put_bucket_logging", "put_bucket_notification_configuration",
             "put_public_access_block", "delete_public_access_block", "put_bucket_website", "put_bucket_cors", "restore_object", "select_object_content",
             "write_get_object_response", "create_session", "put_bucket_versioning", "put_bucket_lifecycle_configuration"]:
    for way in [lambda: getattr(s3, name)(Bucket="zoo"), lambda: __import__("_host").call(name, {"Bucket": "zoo"})]:
        try:
            refused.add(f"{name}: {way()!r}")
        except Exception as e:
            refused.add(type(e).__name__)
return sorted(refused)
