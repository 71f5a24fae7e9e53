"""Amazon S3: what a program can use.

A program is a module. Its globals are `s3`, the exceptions at the end of this page,
and Python's builtins; the pure standard library can be imported. A `return` at the
top gives the result, which must be JSON. Arguments are passed by keyword.
"""
from datetime import datetime
from typing import Any, TypedDict

class Bucket(TypedDict):
    Name: str
    CreationDate: datetime

class Object(TypedDict):
    Key: str
    Size: int  # bytes
    LastModified: datetime
    ETag: str  # in double quotes
    StorageClass: str

class CopySource(TypedDict):
    Bucket: str
    Key: str

class StreamingBody:
    """The content of an object. Can be read once."""
    def read(self, amt: int | None = None) -> bytes: ...
    def iter_lines(self) -> Any: ...

class S3:
    # Buckets

    def list_buckets(self, *, Prefix: str = ...) -> dict:
        """All buckets: {"Buckets": [Bucket], "Owner": {"ID": str}}."""

    def create_bucket(self, *, Bucket: str, CreateBucketConfiguration: dict = ...) -> dict:
        """Creates a bucket. The name has 3 to 63 lower-case letters, digits, dots and hyphens.
        For a region other than us-east-1 pass
        CreateBucketConfiguration={"LocationConstraint": "eu-west-1"}."""

    def delete_bucket(self, *, Bucket: str) -> dict:
        """Deletes a bucket, which must be empty: else error BucketNotEmpty."""

    def head_bucket(self, *, Bucket: str) -> dict:
        """Checks that a bucket exists and can be reached: else ClientError with code "404"."""

    def get_bucket_location(self, *, Bucket: str) -> dict:
        """The region of a bucket: {"LocationConstraint": str | None}, None for us-east-1."""

    # Listing

    def list_objects(
        self, *, Bucket: str, Prefix: str = ..., Delimiter: str = ..., Marker: str = ..., MaxKeys: int = 1000
    ) -> dict:
        """The objects of a bucket in the order of their keys, at most 1000 a call:
        {"Contents": [Object], "CommonPrefixes": [{"Prefix": str}], "IsTruncated": bool}.
        "Contents" and "CommonPrefixes" are absent when empty: use .get("Contents", []).
        Prefix keeps the keys that start with it ("photos/" for a folder). Delimiter="/" stops at
        sub-folders and gives them as CommonPrefixes. Marker: only keys after this one."""

    def list_objects_v2(
        self, *, Bucket: str, Prefix: str = ..., Delimiter: str = ..., StartAfter: str = ...,
        ContinuationToken: str = ..., MaxKeys: int = 1000
    ) -> dict:
        """As list_objects, and "KeyCount"; the next page is asked for with
        ContinuationToken=response["NextContinuationToken"]."""

    def get_paginator(self, operation_name: str) -> Any:
        """Pages of "list_objects", "list_objects_v2" or "list_buckets", for every listing that is
        counted, summed or acted on:
        for page in s3.get_paginator("list_objects_v2").paginate(Bucket=...): page.get("Contents", [])"""

    # Objects

    def get_object(self, *, Bucket: str, Key: str, Range: str = ...) -> dict:
        """An object: {"Body": StreamingBody, "ContentLength": int, "ContentType": str,
        "LastModified": datetime, "ETag": str, "Metadata": {str: str}}.
        The text is response["Body"].read().decode()."""

    def head_object(self, *, Bucket: str, Key: str) -> dict:
        """As get_object without "Body". A missing key or bucket is a ClientError with code "404"."""

    def put_object(
        self, *, Bucket: str, Key: str, Body: bytes | str = b"", ContentType: str = ..., Metadata: dict[str, str] = ...,
        IfNoneMatch: str = ...
    ) -> dict:
        """Writes an object, over the one with the same key if there is one: {"ETag": str}.
        IfNoneMatch="*" for a new object: error PreconditionFailed if there is one already."""

    def copy_object(
        self, *, Bucket: str, CopySource: CopySource | str, Key: str,
        MetadataDirective: str = "COPY", Metadata: dict[str, str] = ..., IfNoneMatch: str = ...
    ) -> dict:
        """Copies an object to Bucket and Key. CopySource is {"Bucket": ..., "Key": ...} or
        "bucket/key". There is no move: copy, then delete_object the source.
        IfNoneMatch="*" as in put_object.
        Returns {"CopyObjectResult": {"ETag": str, "LastModified": datetime}}."""

    def delete_object(self, *, Bucket: str, Key: str) -> dict:
        """Deletes one object. A key that does not exist is no error."""

    def delete_objects(self, *, Bucket: str, Delete: dict) -> dict:
        """Deletes up to 1000 objects, at least one: Delete={"Objects": [{"Key": str}, ...]}.
        Returns {"Deleted": [{"Key": str}], "Errors": [{"Key", "Code", "Message"}]}; each absent when empty."""

    class exceptions:
        """Errors to catch by name. All others are ClientError with the code in
        e.response["Error"]["Code"], such as BucketNotEmpty and InvalidBucketName."""
        class ClientError(Exception):
            response: dict  # {"Error": {"Code": str, "Message": str}, ...}
        class NoSuchBucket(ClientError): ...
        class NoSuchKey(ClientError): ...
        class BucketAlreadyExists(ClientError): ...
        class BucketAlreadyOwnedByYou(ClientError): ...
        class InvalidRequest(ClientError): ...
        class AccessDenied(ClientError): ...

s3: S3

# Raised by a program in place of an answer that no operation can give.

class OutOfScopeRequestError(Exception):
    """The request is about something that S3 and this page cannot do."""

class AmbiguousRequestError(Exception):
    """Different programs fit the request. A missing value is ?1 instead."""

class ChitChat(Exception):
    """Social talk that asks for nothing."""

class FAQ(Exception):
    """A question about S3 or what the assistant can do, answered with knowledge, not by a program."""

class OverSpecificationError(Exception):
    """The request can be done but for a detail that is not possible or contradicts another."""

class EndDialog(Exception):
    """The user wants to end the dialogue."""
