"""What the sheets call: programs on S3. A call that writes is shown as a plan like any program."""

import datetime

SUFFIX = "-archive"


class FieldError(Exception):
    def __init__(self, field, message):
        super().__init__(f"{field}: {message}")


class NothingToArchive(Exception):
    pass


def survey(bucket, since):
    """Says how much of a bucket was not changed since a day."""
    old = _old(bucket, since)
    if not old:
        raise FieldError("since", f"everything in {bucket} was changed since then")
    return {"count": len(old), "bytes": sum(item["Size"] for item in old)}


def archive(selection, approver):
    """Moves what was not changed since a day into the archive of the bucket."""
    bucket, since = selection["bucket"], selection["since"]
    if bucket not in [name.strip() for name in approver["buckets"]]:
        raise FieldError("approver", f"{approver['name']} cannot approve for {bucket}")
    old = _old(bucket, since)
    if not old:
        raise NothingToArchive(f"everything in {bucket} was changed meanwhile")
    to = bucket + SUFFIX
    if to not in _buckets():
        s3.create_bucket(Bucket=to)
    for item in old:
        source = {"Bucket": bucket, "Key": item["Key"]}
        s3.copy_object(Bucket=to, Key=item["Key"], CopySource=source, StorageClass="GLACIER")
        s3.delete_object(**source)
    return {"archive": to, "moved": len(old)}


def _buckets():
    return [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]


def _old(bucket, since):
    if bucket not in _buckets():
        raise FieldError("bucket", f"there is no bucket {bucket}, but {', '.join(_buckets())}")
    day = datetime.date.fromisoformat(since)
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)
    items = [item for page in pages for item in page.get("Contents", [])]
    return [item for item in items if item["LastModified"].date() < day]
