# Before the snapshot is taken, the client runs here as programs will run it, with made-up
# answers. The interpreter learns which types occur in a line of code, and stores that
# with the code. So programs do not have to learn it again.


def _parts():
    """Each operation with an answer and the parameters that it is called with."""
    time = datetime(2024, 1, 1, tzinfo=timezone.utc)
    bucket, key = {"Bucket": "bucket"}, {"Bucket": "bucket", "Key": "a/b.txt"}
    listed = {"Key": "a/b.txt", "LastModified": time, "ETag": '"0"', "Size": 1, "StorageClass": "STANDARD"}
    page = {"IsTruncated": False, "Contents": [listed, listed], "Name": "bucket", "Prefix": "", "MaxKeys": 1000}
    head = {"LastModified": time, "ContentLength": 3, "ETag": '"0"', "ContentType": "a/b", "Metadata": {"a": "b"}}
    copied = {"CopyObjectResult": {"ETag": '"0"', "LastModified": time}}
    prefixed = {**bucket, "Prefix": "a/", "MaxKeys": 10}
    return (
        ("list_buckets", {"Buckets": [{"Name": "bucket", "CreationDate": time}]}, ({},)),
        ("create_bucket", {"Location": "/bucket"}, (bucket,)),
        ("delete_bucket", {}, (bucket,)),
        ("head_bucket", {}, (bucket,)),
        ("get_bucket_location", {"LocationConstraint": None}, (bucket,)),
        ("list_objects", page, (bucket, prefixed)),
        ("list_objects_v2", page, (bucket, prefixed)),
        ("get_object", {**head, "Body": b"a\nb"}, (key, {**key, "Range": "bytes=0-1"})),
        ("head_object", head, (key,)),
        ("put_object", {"ETag": '"0"'}, (
            {**key, "Body": "abc"}, {**key, "Body": b"abc", "ContentType": "a/b", "Metadata": {"a": "b"}},
        )),
        ("copy_object", copied, ({**key, "CopySource": key}, {**key, "CopySource": "bucket/a.txt"})),
        ("delete_object", {}, (key,)),
        ("delete_objects", {"Deleted": [{"Key": "a"}]}, (
            {**bucket, "Delete": {"Objects": [{"Key": "a"}, {"Key": "b"}], "Quiet": True}},
        )),
    )


def _rehearse(name, answer, all_params):
    method = getattr(_S3, name)
    for params in all_params:
        _host.rehearse(answer)
        response = method(**params)
        if name == "get_object":
            response["Body"].read().decode()
    if name in ("list_objects", "list_objects_v2"):
        _host.rehearse(answer)
        for page in _S3.get_paginator(name).paginate(Bucket="bucket"):
            page.get("Contents", [])
    _host.rehearse(_Refusal("NoSuchKey", "There is none.", 404, {"Key": "a"}))
    try:
        method(**all_params[0])
    except _S3.exceptions.NoSuchKey as error:
        error.response["Error"]["Code"]
    try:
        method(Unknown=1)
    except ParamValidationError:
        pass


# The interpreter learns only from repeated runs. Code that runs in some of the calls
# needs more of them.
for _part in _parts() * 4:
    _rehearse(*_part)
_requests = 0
_KNOWN_BUCKETS.clear()
