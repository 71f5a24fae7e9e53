#: an account without buckets
return s3.list_buckets()["Buckets"]

#: buckets come in the order of their names
for name in ["gamma", "alpha", "beta"]:
    s3.create_bucket(Bucket=name)
return [b["Name"] for b in s3.list_buckets()["Buckets"]]

#: a bucket that is deleted is gone
s3.create_bucket(Bucket="alpha")
s3.create_bucket(Bucket="beta")
s3.delete_bucket(Bucket="alpha")
return [b["Name"] for b in s3.list_buckets()["Buckets"]]

#: a bucket that does not exist
return s3.list_objects(Bucket="not-there")

#: a bucket with something in it is not deleted
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"x")
s3.delete_bucket(Bucket="alpha")

#: text, bytes and nothing as bodies
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="text", Body="grüße")
s3.put_object(Bucket="alpha", Key="bytes", Body=bytes(range(256)))
s3.put_object(Bucket="alpha", Key="nothing")
import io
s3.put_object(Bucket="alpha", Key="file", Body=io.BytesIO(b"from a file"))
return {k: len(s3.get_object(Bucket="alpha", Key=k)["Body"].read()) for k in ["text", "bytes", "nothing", "file"]}

#: an object is replaced as a whole
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"first, and longer")
s3.put_object(Bucket="alpha", Key="k", Body=b"second")
return s3.get_object(Bucket="alpha", Key="k")["Body"].read().decode()

#: content type and metadata stay with an object
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"x", ContentType="text/csv", Metadata={"author": "me"})
head = s3.head_object(Bucket="alpha", Key="k")
return [head["ContentType"], head["Metadata"], head["ContentLength"], head["ETag"]]

#: a key that does not exist
s3.create_bucket(Bucket="alpha")
try:
    s3.get_object(Bucket="alpha", Key="nope")
except s3.exceptions.NoSuchKey as e:
    return [e.response["Error"]["Code"], str(e)]

#: the head of a key that does not exist
s3.create_bucket(Bucket="alpha")
return s3.head_object(Bucket="alpha", Key="nope")

#: a part of an object
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"0123456789")
part = s3.get_object(Bucket="alpha", Key="k", Range="bytes=2-4")
return [part["Body"].read().decode(), part["ContentRange"], part["ContentLength"], part["ResponseMetadata"]["HTTPStatusCode"]]

#: a listing with a prefix
s3.create_bucket(Bucket="alpha")
for key in ["a.txt", "photos/1.jpg", "photos/2.jpg", "videos/1.mp4"]:
    s3.put_object(Bucket="alpha", Key=key, Body=key)
return [(o["Key"], o["Size"], o["ETag"]) for o in s3.list_objects(Bucket="alpha", Prefix="photos/")["Contents"]]

#: folders
s3.create_bucket(Bucket="alpha")
for key in ["a.txt", "photos/1.jpg", "photos/2.jpg", "videos/1.mp4", "videos/old/0.mp4"]:
    s3.put_object(Bucket="alpha", Key=key, Body=b"x")
page = s3.list_objects_v2(Bucket="alpha", Delimiter="/")
below = s3.list_objects_v2(Bucket="alpha", Prefix="videos/", Delimiter="/")
return [
    [o["Key"] for o in page["Contents"]], [p["Prefix"] for p in page["CommonPrefixes"]], page["KeyCount"],
    [o["Key"] for o in below["Contents"]], [p["Prefix"] for p in below["CommonPrefixes"]],
]

#: pages
s3.create_bucket(Bucket="alpha")
for i in range(25):
    s3.put_object(Bucket="alpha", Key=f"k{i:02}", Body=str(i))
pages = s3.get_paginator("list_objects_v2").paginate(Bucket="alpha", PaginationConfig={"PageSize": 10})
return [[o["Key"] for o in page["Contents"]] for page in pages]

#: pages of the first version
s3.create_bucket(Bucket="alpha")
for i in range(12):
    s3.put_object(Bucket="alpha", Key=f"k{i:02}", Body=str(i))
first = s3.list_objects(Bucket="alpha", MaxKeys=5)
second = s3.list_objects(Bucket="alpha", MaxKeys=5, Marker=first["Contents"][-1]["Key"])
return [first["IsTruncated"], len(first["Contents"]), [o["Key"] for o in second["Contents"]]]

#: an empty listing has no Contents
s3.create_bucket(Bucket="alpha")
return s3.list_objects(Bucket="alpha")["Contents"]

#: a copy within a bucket
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="src", Body=b"hello", ContentType="text/plain", Metadata={"m": "1"})
s3.copy_object(Bucket="alpha", Key="dst", CopySource={"Bucket": "alpha", "Key": "src"})
copied = s3.get_object(Bucket="alpha", Key="dst")
return [copied["Body"].read().decode(), copied["ContentType"], copied["Metadata"]["m"]]

#: a copy to another bucket, as a string
s3.create_bucket(Bucket="alpha")
s3.create_bucket(Bucket="beta")
s3.put_object(Bucket="alpha", Key="with space + plus/ü.txt", Body=b"hello")
s3.copy_object(Bucket="beta", Key="dst", CopySource="alpha/with space + plus/ü.txt")
return s3.get_object(Bucket="beta", Key="dst")["Body"].read().decode()

#: a copy of what is not there
s3.create_bucket(Bucket="alpha")
s3.copy_object(Bucket="alpha", Key="dst", CopySource="alpha/nope")

#: a file is renamed
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="old.txt", Body=b"hello")
s3.copy_object(Bucket="alpha", Key="new.txt", CopySource="alpha/old.txt")
s3.delete_object(Bucket="alpha", Key="old.txt")
return [o["Key"] for o in s3.list_objects(Bucket="alpha")["Contents"]]

#: several are deleted at once
s3.create_bucket(Bucket="alpha")
for key in ["a", "b", "c"]:
    s3.put_object(Bucket="alpha", Key=key, Body=b"x")
answer = s3.delete_objects(Bucket="alpha", Delete={"Objects": [{"Key": "a"}, {"Key": "c"}]})
return [sorted(d["Key"] for d in answer["Deleted"]), [o["Key"] for o in s3.list_objects(Bucket="alpha")["Contents"]]]

#: what is not there is deleted without complaint
s3.create_bucket(Bucket="alpha")
return s3.delete_object(Bucket="alpha", Key="nope")["ResponseMetadata"]["HTTPStatusCode"]

#: a bucket is emptied and deleted
s3.create_bucket(Bucket="alpha")
for i in range(7):
    s3.put_object(Bucket="alpha", Key=f"dir/{i}", Body=b"x")
for o in s3.list_objects(Bucket="alpha")["Contents"]:
    s3.delete_object(Bucket="alpha", Key=o["Key"])
s3.delete_bucket(Bucket="alpha")
return s3.list_buckets()["Buckets"]

#: a write that only counts when nothing is there
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"first")
try:
    s3.put_object(Bucket="alpha", Key="k", Body=b"second", IfNoneMatch="*")
except Exception as e:
    return [e.response["Error"]["Code"], s3.get_object(Bucket="alpha", Key="k")["Body"].read().decode()]

#: a read that only counts when it is the version expected
s3.create_bucket(Bucket="alpha")
etag = s3.put_object(Bucket="alpha", Key="k", Body=b"first")["ETag"]
same = s3.get_object(Bucket="alpha", Key="k", IfMatch=etag)["Body"].read().decode()
s3.put_object(Bucket="alpha", Key="k", Body=b"second")
try:
    s3.get_object(Bucket="alpha", Key="k", IfMatch=etag)
except Exception as e:
    return [same, e.response["Error"]["Code"]]

#: unusual letters in keys
s3.create_bucket(Bucket="alpha")
for key in ["ü", "日本語", "a b", "a+b", "100%", "a&b=c?d#e", "quote'\"", "😀"]:
    s3.put_object(Bucket="alpha", Key=key, Body=key)
return [o["Key"] for o in s3.list_objects_v2(Bucket="alpha")["Contents"]]

#: a program that fails in the middle keeps what it did
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"x")
return {}["nope"]

#: a bucket in the default region
s3.create_bucket(Bucket="alpha")
return s3.get_bucket_location(Bucket="alpha")["LocationConstraint"]

#: a bucket in another region
s3.create_bucket(Bucket="alpha", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
return s3.get_bucket_location(Bucket="alpha")["LocationConstraint"]

#: a bucket name that is not one
s3.create_bucket(Bucket="Not_A_Name")

#: a key that begins with a slash
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="/x", Body=b"x")
return [o["Key"] for o in s3.list_objects(Bucket="alpha")["Contents"]]

#: a key with two slashes
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="a//b", Body=b"x")
return [o["Key"] for o in s3.list_objects(Bucket="alpha")["Contents"]]

#: a folder that is an object
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="dir/", Body=b"body")
return s3.get_object(Bucket="alpha", Key="dir/")["Body"].read().decode()

#: a key below another key
s3.create_bucket(Bucket="alpha")
for key in ["a", "a/", "a/b", "a/b/c"]:
    s3.put_object(Bucket="alpha", Key=key, Body=key)
return [o["Key"] for o in s3.list_objects(Bucket="alpha")["Contents"]]

#: the order of keys is that of their bytes
s3.create_bucket(Bucket="alpha")
for key in ["a/b", "a.txt", "a", "B", "b", "é", "z"]:
    s3.put_object(Bucket="alpha", Key=key, Body=b"x")
return [o["Key"] for o in s3.list_objects(Bucket="alpha")["Contents"]]

#: a delimiter that is not a slash
s3.create_bucket(Bucket="alpha")
for key in ["2023-01-02", "2023-02-01", "2024-01-01"]:
    s3.put_object(Bucket="alpha", Key=key, Body=b"x")
return [p["Prefix"] for p in s3.list_objects(Bucket="alpha", Delimiter="-")["CommonPrefixes"]]

#: a copy onto itself
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"x")
s3.copy_object(Bucket="alpha", Key="k", CopySource="alpha/k")

#: nothing to delete
s3.create_bucket(Bucket="alpha")
s3.delete_objects(Bucket="alpha", Delete={"Objects": []})

#: a listing of nothing
s3.create_bucket(Bucket="alpha")
s3.put_object(Bucket="alpha", Key="k", Body=b"x")
page = s3.list_objects_v2(Bucket="alpha", MaxKeys=0)
return [page["KeyCount"], page["IsTruncated"]]
