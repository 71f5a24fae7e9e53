"""What real boto3 sees of a served world: prints one line for each thing it did.

Usage: boto.py CASE ENDPOINT ACCESS_KEY SECRET
"""

import base64
import io
import os
import sys
import tempfile
import urllib.error
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

case, endpoint, key, secret = sys.argv[1:]


def client(region="us-east-1", **options):
    config = Config(connect_timeout=5, read_timeout=60, **options)
    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        region_name=region,
        config=config,
    )


s3 = client()


def show(name, call, *fields):
    """Calls, and prints these fields of the answer (all but the metadata without any)."""
    try:
        answer = call()
    except ClientError as error:
        response = dict(error.response["Error"])
        status = error.response["ResponseMetadata"]["HTTPStatusCode"]
        rest = {k: v for k, v in response.items() if k not in ("Code", "Message")}
        print(f"{name}: {status} {error} {rest or ''}".rstrip())
        return None
    if "Body" in answer:
        answer["Body"] = answer["Body"].read()
    picked = {
        k: v
        for k, v in answer.items()
        if k != "ResponseMetadata" and (not fields or k in fields)
    }
    print(f"{name}: {answer['ResponseMetadata']['HTTPStatusCode']} {picked}")
    return answer


def basics():
    show("location", lambda: s3.create_bucket(Bucket="alpha"))
    west = {"LocationConstraint": "us-west-2"}
    show(
        "west",
        lambda: s3.create_bucket(Bucket="west", CreateBucketConfiguration=west),
    )
    show("where", lambda: s3.get_bucket_location(Bucket="alpha"))
    show("where", lambda: s3.get_bucket_location(Bucket="west"))
    show("head", lambda: s3.head_bucket(Bucket="west"), "BucketRegion")
    show(
        "put",
        lambda: s3.put_object(
            Bucket="alpha",
            Key="notes.txt",
            Body=b"hello",
            ContentType="text/plain",
            Metadata={"Who": "me"},
            CacheControl="no-cache",
        ),
    )
    show("get", lambda: s3.get_object(Bucket="alpha", Key="notes.txt"))
    show("part", lambda: s3.get_object(Bucket="alpha", Key="notes.txt", Range="bytes=1-2"))
    show("head", lambda: s3.head_object(Bucket="alpha", Key="notes.txt"))
    show("buckets", lambda: s3.list_buckets())
    show("delete", lambda: s3.delete_object(Bucket="alpha", Key="notes.txt"))
    show("delete", lambda: s3.delete_bucket(Bucket="alpha"))


def refusals():
    s3.create_bucket(Bucket="alpha")
    show("get", lambda: s3.get_object(Bucket="alpha", Key="nope"))
    show("head", lambda: s3.head_object(Bucket="alpha", Key="nope"))
    show("bucket", lambda: s3.list_objects_v2(Bucket="nope"))
    show("head", lambda: s3.head_bucket(Bucket="nope"))
    show("name", lambda: s3.create_bucket(Bucket="Bad_Name"))
    ireland = client("eu-west-1")
    show("region", lambda: ireland.create_bucket(Bucket="beta"))
    show("region", lambda: ireland.create_bucket(Bucket="beta", CreateBucketConfiguration={"LocationConstraint": "us-west-2"}))
    show("region", lambda: ireland.create_bucket(Bucket="beta", CreateBucketConfiguration={"LocationConstraint": "EU"}))
    show("long", lambda: s3.put_object(Bucket="alpha", Key="k" * 1025, Body=b""))
    show("keys", lambda: s3.list_objects_v2(Bucket="alpha", MaxKeys=True))
    show("keys", lambda: s3.list_objects(Bucket="alpha", MaxKeys=-1))
    show("token", lambda: s3.list_objects_v2(Bucket="alpha", ContinuationToken="x"))
    show("empty", lambda: s3.delete_objects(Bucket="alpha", Delete={"Objects": []}))
    many = [{"Key": f"k{i}"} for i in range(1001)]
    show("many", lambda: s3.delete_objects(Bucket="alpha", Delete={"Objects": many}))
    s3.put_object(Bucket="alpha", Key="k", Body=b"x")
    show("full", lambda: s3.delete_bucket(Bucket="alpha"))
    show("same", lambda: s3.get_object(Bucket="alpha", Key="k", IfNoneMatch="*"))
    show("other", lambda: s3.get_object(Bucket="alpha", Key="k", IfMatch='"0"'))
    show("there", lambda: s3.put_object(Bucket="alpha", Key="k", IfNoneMatch="*"))
    show("range", lambda: s3.get_object(Bucket="alpha", Key="k", Range="bytes=9-"))
    show("digest", lambda: s3.put_object(Bucket="alpha", Key="k", Body=b"y", ChecksumCRC32="AAAAAA=="))
    show("owner", lambda: s3.head_bucket(Bucket="alpha", ExpectedBucketOwner="000000000000"))
    show("versions", lambda: s3.list_object_versions(Bucket="alpha"))
    show("policy", lambda: s3.put_bucket_policy(Bucket="alpha", Policy="{}"))
    big = io.BytesIO(b"\0" * (65 << 20))
    show("large", lambda: s3.put_object(Bucket="alpha", Key="big", Body=big))
    show("left", lambda: s3.list_objects_v2(Bucket="alpha"), "KeyCount", "EncodingType")


def habits():
    s3.create_bucket(Bucket="alpha")
    s3.put_object(Bucket="alpha", Key="k", Body=b"x")
    show("versioning", lambda: s3.get_bucket_versioning(Bucket="alpha"))
    show("acl", lambda: s3.get_bucket_acl(Bucket="alpha"))
    show("acl", lambda: s3.get_object_acl(Bucket="alpha", Key="k"))
    show("acl", lambda: s3.get_object_acl(Bucket="alpha", Key="nope"))
    show("tags", lambda: s3.get_bucket_tagging(Bucket="alpha"))
    show("tags", lambda: s3.get_object_tagging(Bucket="alpha", Key="k"))
    show("policy", lambda: s3.get_bucket_policy(Bucket="alpha"))
    show("policy", lambda: s3.get_bucket_policy(Bucket="nope"))
    show("encryption", lambda: s3.get_bucket_encryption(Bucket="alpha"))
    show("ownership", lambda: s3.get_bucket_ownership_controls(Bucket="alpha"))
    show("cors", lambda: s3.get_bucket_cors(Bucket="alpha"))
    show("block", lambda: s3.get_public_access_block(Bucket="alpha"))


KEYS = ["/x", "//", "a//b", "a", "a/", "a/b", "dir/", "é +%41&<", "a b", " lead", "#?;=", "日本/🐘", "tab\tline\n", "."]


def keys():
    s3.create_bucket(Bucket="alpha")
    for number, name in enumerate(KEYS):
        body = b"" if number % 2 else name.encode()
        s3.put_object(Bucket="alpha", Key=name, Body=body)
        got = s3.get_object(Bucket="alpha", Key=name)["Body"].read()
        assert got == body, (name, got)
        copied = {"Bucket": "alpha", "Key": name}
        s3.copy_object(Bucket="alpha", Key="copy of " + name, CopySource=copied)
        s3.head_object(Bucket="alpha", Key="copy of " + name)
    for listing in (s3.list_objects, s3.list_objects_v2):
        listed = [o["Key"] for o in listing(Bucket="alpha")["Contents"]]
        assert sorted(listed) == sorted(KEYS + ["copy of " + k for k in KEYS]), listed
    print(listed)
    rolled = s3.list_objects_v2(Bucket="alpha", Delimiter="/", Prefix="a")
    print([o["Key"] for o in rolled["Contents"]], rolled["CommonPrefixes"])
    rolled = s3.list_objects(Bucket="alpha", Delimiter=" +%", MaxKeys=1, Marker="z")
    print(rolled.get("CommonPrefixes"), rolled["Delimiter"], rolled["Marker"])
    doomed = [{"Key": k} for k in listed]
    deleted = s3.delete_objects(Bucket="alpha", Delete={"Objects": doomed})
    assert [d["Key"] for d in deleted["Deleted"]] == listed, deleted
    show("left", lambda: s3.list_objects_v2(Bucket="alpha"), "KeyCount")


def pages():
    # The test has put them there.
    wanted = [f"k/{i:04}" for i in range(2500)]
    for operation in ("list_objects", "list_objects_v2"):
        pages = list(s3.get_paginator(operation).paginate(Bucket="alpha"))
        found = [o["Key"] for page in pages for o in page["Contents"]]
        print(operation, [len(page["Contents"]) for page in pages], found == wanted)
    bucket = boto3.resource(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        region_name="us-east-1",
    ).Bucket("alpha")
    bucket.objects.all().delete()
    show("left", lambda: s3.list_objects_v2(Bucket="alpha"), "KeyCount")


def files():
    s3.create_bucket(Bucket="alpha")
    content = os.urandom(20 << 20)
    with tempfile.TemporaryDirectory() as folder:
        up, down = os.path.join(folder, "up"), os.path.join(folder, "down")
        with open(up, "wb") as file:
            file.write(content)
        extra = {"Metadata": {"who": "me"}, "ContentType": "x/y"}
        s3.upload_file(up, "alpha", "big", ExtraArgs=extra)
        s3.download_file("alpha", "big", down)
        with open(down, "rb") as file:
            print("the same:", file.read() == content)
    head = s3.head_object(Bucket="alpha", Key="big")
    print(head["ContentLength"], head["ContentType"], head["Metadata"])
    s3.copy({"Bucket": "alpha", "Key": "big"}, "alpha", "copy")
    got = s3.get_object(Bucket="alpha", Key="copy")["Body"].read()
    print("the copy:", got == content)
    show("uploads", lambda: s3.list_multipart_uploads(Bucket="alpha"))


def url():
    s3.create_bucket(Bucket="alpha")
    s3.put_object(Bucket="alpha", Key="é +%41&<", Body=b"hello")

    def fetch(address, data=None, method="GET"):
        request = urllib.request.Request(address, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                print(method, answer.status, answer.read())
        except urllib.error.HTTPError as error:
            text = error.read().decode()
            print(method, error.code, text.split("<Error>")[-1].split("</Message>")[0])

    v4 = client(signature_version="s3v4")
    get = {"Bucket": "alpha", "Key": "é +%41&<"}
    fetch(v4.generate_presigned_url("get_object", Params=get))
    fetch(client(signature_version="s3").generate_presigned_url("get_object", Params=get))
    signed = v4.generate_presigned_url("get_object", Params=get)
    fetch(signed + "0")
    fetch(signed[:-1] + ("1" if signed[-1] == "0" else "0"))
    fetch(v4.generate_presigned_url("get_object", Params=get, ExpiresIn=604800))
    fetch(v4.generate_presigned_url("get_object", Params=get, ExpiresIn=604801))
    fetch(v4.generate_presigned_url("get_object", Params=get, ExpiresIn=-1))
    fetch(signed.replace("Expires=3600", "Expires=soon"))
    fetch(endpoint + "/alpha/k")
    fetch(signed, method="OPTIONS")
    put = {"Bucket": "alpha", "Key": "new"}
    fetch(v4.generate_presigned_url("put_object", Params=put), b"by URL", "PUT")
    show("put", lambda: s3.get_object(Bucket="alpha", Key="new"), "Body", "ContentType")


def crc64nvme(content):
    crc = 2**64 - 1
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x9A6C9329AC4BC9B5 if crc & 1 else 0)
    return base64.b64encode((crc ^ (2**64 - 1)).to_bytes(8, "big")).decode()


def checksums():
    s3.create_bucket(Bucket="alpha")
    for algorithm in ("CRC32", "SHA256", "SHA1"):
        named = {"ChecksumAlgorithm": algorithm}
        show("put", lambda: s3.put_object(Bucket="alpha", Key="k", Body=b"hello", **named))
    # boto3 needs another package to compute these two.
    for algorithm, value in (("CRC32C", "mnG7TA=="), ("CRC64NVME", crc64nvme(b"hello"))):
        named = {"Checksum" + algorithm: value}
        show("put", lambda: s3.put_object(Bucket="alpha", Key="k", Body=b"hello", **named))
        show("put", lambda: s3.put_object(Bucket="alpha", Key="k", Body=b"other", **named))

    stream = io.BytesIO(b"hello" * 100000)
    show("stream", lambda: s3.put_object(Bucket="alpha", Key="k", Body=stream))
    md5 = "XUFAKrxLKna5cZ2REBfFkg=="
    show("md5", lambda: s3.put_object(Bucket="alpha", Key="k", Body=b"hello", ContentMD5=md5), "ETag")
    show("md5", lambda: s3.put_object(Bucket="alpha", Key="k", Body=b"other", ContentMD5=md5), "ETag")


def parts():
    s3.create_bucket(Bucket="alpha")
    at = {"Bucket": "alpha", "Key": "k"}
    five = b"5" * (5 << 20)

    def begin():
        return s3.create_multipart_upload(**at)["UploadId"]

    def send(upload, number, body):
        return s3.upload_part(**at, UploadId=upload, PartNumber=number, Body=body)["ETag"]

    def finish(upload, *parts):
        named = [{"PartNumber": n, "ETag": e} for n, e in parts]
        return s3.complete_multipart_upload(**at, UploadId=upload, MultipartUpload={"Parts": named})

    show("create", lambda: s3.create_multipart_upload(Bucket="nope", Key="k"))
    upload = begin()
    first, second = send(upload, 1, five), send(upload, 2, b"end")
    listed = s3.list_parts(**at, UploadId=upload)
    print([(p["PartNumber"], p["Size"]) for p in listed["Parts"]], listed["IsTruncated"])
    listed = s3.list_parts(**at, UploadId=upload, MaxParts=1)
    print([p["PartNumber"] for p in listed["Parts"]], listed["NextPartNumberMarker"], listed["IsTruncated"])
    found = s3.list_multipart_uploads(Bucket="alpha", Prefix="k")["Uploads"]
    print([u["Key"] for u in found], found[0]["UploadId"] == upload)
    show("number", lambda: s3.upload_part(**at, UploadId=upload, PartNumber=10001, Body=b""))
    show("digest", lambda: s3.upload_part(**at, UploadId=upload, PartNumber=3, Body=b"y", ChecksumCRC32="AAAAAA=="))
    show("order", lambda: finish(upload, (2, second), (1, first)))
    show("missing", lambda: finish(upload, (1, first), (3, second)))
    show("other", lambda: finish(upload, (1, second)))
    show("none", lambda: finish(upload))
    small = send(upload, 1, b"small")
    show("small", lambda: finish(upload, (1, small), (2, second)))
    send(upload, 1, five)
    show("done", lambda: finish(upload, (1, first), (2, second)))
    show("again", lambda: finish(upload, (1, first), (2, second)))
    show("head", lambda: s3.head_object(**at), "ContentLength", "ETag")
    upload = begin()
    show("abort", lambda: s3.abort_multipart_upload(**at, UploadId=upload))
    show("abort", lambda: s3.abort_multipart_upload(**at, UploadId=upload))
    upload = begin()
    copied = s3.upload_part_copy(**at, UploadId=upload, PartNumber=1, CopySource=at, CopySourceRange="bytes=0-3")
    show("copied", lambda: finish(upload, (1, copied["CopyPartResult"]["ETag"])))
    show("get", lambda: s3.get_object(**at), "Body")


def virtual():
    # Names below localhost lead here on any machine, whatever its resolver says.
    import socket

    resolve = socket.getaddrinfo

    def here(host, *rest, **named):
        name = "127.0.0.1" if str(host).endswith("localhost") else host
        return resolve(name, *rest, **named)

    socket.getaddrinfo = here
    global endpoint
    endpoint = endpoint.replace("127.0.0.1", "localhost")
    hosted = client(s3={"addressing_style": "virtual"})
    show("create", lambda: hosted.create_bucket(Bucket="alpha"))
    show("put", lambda: hosted.put_object(Bucket="alpha", Key="a/b", Body=b"x"), "ETag")
    show("get", lambda: s3.get_object(Bucket="alpha", Key="a/b"), "Body")
    show("list", lambda: hosted.list_objects_v2(Bucket="alpha"), "Name", "KeyCount")
    url = hosted.generate_presigned_url("get_object", Params={"Bucket": "alpha", "Key": "a/b"})
    print(url.split("?")[0].replace(endpoint.rsplit(":")[-1], "PORT"))


globals()[case]()
