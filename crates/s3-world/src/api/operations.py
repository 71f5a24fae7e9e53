"""The operations of S3 that programs have, and what each does to the world.

The scripts that write the tables from botocore's model read this list. An effect is one
of the words of policies: `read`, `write`, `delete` (takes away what cannot be had back),
`share` (lets others see something, or sends data elsewhere). Where the effect depends on
the parameters or on the world, the list has the least of them, and Rust code decides.
"""

READ = """
list_buckets head_bucket get_bucket_location list_objects list_objects_v2 get_object head_object
get_object_attributes get_object_tagging get_object_acl get_object_legal_hold get_object_retention
list_object_versions list_parts list_multipart_uploads
get_bucket_versioning get_bucket_tagging get_bucket_lifecycle_configuration get_bucket_policy
get_bucket_policy_status get_public_access_block get_bucket_encryption
get_bucket_ownership_controls get_bucket_acl get_bucket_cors get_bucket_website
get_bucket_logging get_bucket_notification_configuration get_bucket_replication
get_bucket_accelerate_configuration get_bucket_request_payment
get_bucket_inventory_configuration list_bucket_inventory_configurations
get_bucket_metrics_configuration list_bucket_metrics_configurations
get_bucket_analytics_configuration list_bucket_analytics_configurations
get_bucket_intelligent_tiering_configuration list_bucket_intelligent_tiering_configurations
get_object_lock_configuration
""".split()

WRITE = """
create_bucket put_object copy_object put_object_tagging delete_object_tagging
put_object_legal_hold put_object_retention restore_object put_bucket_versioning
create_multipart_upload upload_part upload_part_copy complete_multipart_upload
put_bucket_tagging delete_bucket_tagging delete_bucket_lifecycle put_bucket_policy
delete_bucket_policy put_bucket_encryption delete_bucket_encryption
delete_bucket_ownership_controls put_bucket_cors delete_bucket_cors put_bucket_website
delete_bucket_website put_bucket_logging delete_bucket_replication
put_bucket_accelerate_configuration put_bucket_request_payment
delete_bucket_inventory_configuration put_bucket_metrics_configuration
delete_bucket_metrics_configuration delete_bucket_analytics_configuration
put_bucket_intelligent_tiering_configuration delete_bucket_intelligent_tiering_configuration
""".split()

DELETE = """
delete_bucket delete_object delete_objects abort_multipart_upload
put_bucket_lifecycle_configuration put_object_lock_configuration
""".split()

SHARE = """
put_object_acl put_bucket_acl put_public_access_block delete_public_access_block
put_bucket_ownership_controls put_bucket_notification_configuration put_bucket_replication
put_bucket_inventory_configuration put_bucket_analytics_configuration
""".split()

EFFECTS = {
    name: effect
    for effect, names in (("read", READ), ("write", WRITE), ("delete", DELETE), ("share", SHARE))
    for name in names
}

# Deprecated names that models still write, and the operations that they mean.
ALIASES = {
    "get_bucket_lifecycle": "get_bucket_lifecycle_configuration",
    "put_bucket_lifecycle": "put_bucket_lifecycle_configuration",
    "get_bucket_notification": "get_bucket_notification_configuration",
    "put_bucket_notification": "put_bucket_notification_configuration",
}

# Why the other methods of the client are left out.
LEFT_OUT = {
    "directory buckets are not supported": """
        create_session list_directory_buckets rename_object""",
    "S3 Tables are not supported": """
        create_bucket_metadata_configuration get_bucket_metadata_configuration
        delete_bucket_metadata_configuration create_bucket_metadata_table_configuration
        get_bucket_metadata_table_configuration delete_bucket_metadata_table_configuration
        update_bucket_metadata_annotation_table_configuration
        update_bucket_metadata_inventory_table_configuration
        update_bucket_metadata_journal_table_configuration""",
    "annotations and attribute-based access are not supported": """
        put_object_annotation get_object_annotation delete_object_annotation
        list_object_annotations get_bucket_abac put_bucket_abac update_object_encryption""",
    "it is closed to new customers; read the object and filter it in Python": """
        select_object_content""",
    "it is no longer offered": "get_object_torrent",
    "it belongs inside a Lambda function": "write_get_object_response",
}

# The statuses of successful answers, from the API reference, where the model has another.
STATUSES = {"put_bucket_policy": 204, "put_bucket_tagging": 204, "restore_object": 202} | {
    f"put_bucket_{kind}_configuration": 204
    for kind in ("analytics", "inventory", "metrics", "intelligent_tiering")
}
