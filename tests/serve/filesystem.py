"""A served world as a file system, by s3fs, and by the client of MinIO.

Usage: filesystem.py CASE ENDPOINT KEY SECRET
"""

import io
import sys


def s3fs_of(endpoint, key, secret, **options):
    import s3fs

    # A region here would be the constraint of new buckets, and S3 knows none of us-east-1.
    client = {"endpoint_url": endpoint}
    # Listings are asked for anew each time.
    return s3fs.S3FileSystem(
        key=key, secret=secret, client_kwargs=client, use_listings_cache=False,
        skip_instance_cache=True, **options
    )


def told(work):
    """What work gives, or the error."""
    try:
        return work()
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def tree(*server):
    fs = s3fs_of(*server)
    fs.mkdir("alpha")
    for name in ("a.txt", "docs/b.txt", "docs/old/c.txt", "with blank & umlaut ü.txt"):
        fs.pipe(f"alpha/{name}", name.encode())
    print("ls:", fs.ls("alpha"))
    print("detail:", [(e["name"], e["type"], e["size"]) for e in fs.ls("alpha", detail=True)])
    print("find:", fs.find("alpha/docs"))
    print("walk:", [(a, sorted(b), sorted(c)) for a, b, c in fs.walk("alpha")])
    print("glob:", fs.glob("alpha/**/*.txt"))
    print("du:", fs.du("alpha"))
    print("info:", fs.info("alpha/a.txt")["size"], told(lambda: fs.info("alpha/none")))
    print("exists:", [fs.exists(f"alpha/{name}") for name in ("a.txt", "docs", "none")])
    print("cat:", fs.cat(["alpha/a.txt", "alpha/docs/b.txt"]))
    print("range:", fs.cat_file("alpha/docs/b.txt", start=5, end=8), fs.tail("alpha/a.txt", 3))
    fs.mv("alpha/a.txt", "alpha/docs/moved.txt")
    # Its `mv` of a folder would also copy an object that stands for the folder.
    fs.copy("alpha/docs/old", "alpha/older", recursive=True, on_error="ignore")
    print("moved:", fs.find("alpha"))
    fs.rm("alpha/docs", recursive=True)
    print("removed:", fs.find("alpha"))
    print("full:", told(lambda: fs.rmdir("alpha")))
    fs.rm("alpha", recursive=True)
    print("gone:", fs.ls(""), told(lambda: fs.ls("alpha")))


def large(*server):
    fs = s3fs_of(*server)
    fs.mkdir("alpha")
    content = bytes(range(256)) * (12 << 12)
    with fs.open("alpha/large", "wb", block_size=5 << 20) as file:
        for start in range(0, len(content), 1 << 20):
            file.write(content[start : start + (1 << 20)])
    info = fs.info("alpha/large")
    print("written:", info["size"], info["ETag"])
    with fs.open("alpha/large", "rb", block_size=1 << 20) as file:
        file.seek(7_000_001)
        print("read:", file.read(4).hex(), file.tell())
    print("same:", fs.cat("alpha/large") == content)
    with fs.open("alpha/large", "ab") as file:
        file.write(b"end")
    print("appended:", fs.info("alpha/large")["size"], fs.tail("alpha/large", 5).hex())
    fs.merge("alpha/twice", ["alpha/large", "alpha/large"])
    print("merged:", fs.info("alpha/twice")["size"])
    # What is not closed leaves nothing, and no parts.
    file = fs.open("alpha/never", "wb", autocommit=False, block_size=5 << 20)
    file.write(content)
    file.close()
    print("uploads:", [upload["Key"] for upload in fs.list_multipart_uploads("alpha")])
    file.discard()
    print("uploads:", fs.list_multipart_uploads("alpha"), fs.exists("alpha/never"))


def about(*server):
    fs = s3fs_of(*server)
    fs.mkdir("alpha")
    fs.pipe("alpha/a", b"one", ContentType="text/plain", Metadata={"who": "me"})
    print("type:", fs.info("alpha/a")["ContentType"], fs.metadata("alpha/a"))
    fs.setxattr("alpha/a", color="red")
    print("metadata:", fs.metadata("alpha/a"), fs.getxattr("alpha/a", "color"))
    fs.put_tags("alpha/a", {"team": "finance"})
    fs.put_tags("alpha/a", {"year": "2024"}, mode="m")
    print("tags:", fs.get_tags("alpha/a"))
    fs.touch("alpha/empty")
    print("empty:", fs.info("alpha/empty")["size"], fs.checksum("alpha/empty") is not None)
    url = fs.sign("alpha/a", expiration=60)
    import urllib.request

    print("signed:", urllib.request.urlopen(url).read())


def versions(*server):
    fs = s3fs_of(*server, version_aware=True)
    fs.mkdir("alpha")
    fs.call_s3("put_bucket_versioning", Bucket="alpha", VersioningConfiguration={"Status": "Enabled"})
    for text in (b"first", b"second", b"third"):
        fs.pipe("alpha/a", text)
    known = fs.object_version_info("alpha/a")
    print("versions:", [(v["Size"], v["IsLatest"]) for v in known])
    oldest = known[-1]["VersionId"]
    print("oldest:", fs.cat("alpha/a", version_id=oldest))
    with fs.open(f"alpha/a?versionId={oldest}") as file:
        print("opened:", file.read())
    with fs.open("alpha/a") as file:
        fs.pipe("alpha/a", b"fourth")
        print("opened before:", file.read(), fs.cat("alpha/a"))
    fs.rm("alpha/a")
    with fs.open(f"alpha/a?versionId={oldest}") as file:
        print("removed:", fs.exists("alpha/a"), file.read())


def minio(endpoint, key, secret):
    from minio import Minio
    from minio.commonconfig import ComposeSource, CopySource, Tags
    from minio.deleteobjects import DeleteObject

    client = Minio(endpoint.removeprefix("http://"), key, secret, secure=False, region="us-east-1")
    client.make_bucket("alpha")
    print("buckets:", [bucket.name for bucket in client.list_buckets()], client.bucket_exists("beta"))
    content = bytes(range(256)) * (12 << 12)
    done = client.put_object("alpha", "large", io.BytesIO(content), -1, part_size=5 << 20)
    print("put:", done.etag)
    stat = client.stat_object("alpha", "large")
    print("stat:", stat.size, stat.etag, stat.content_type)
    with client.get_object("alpha", "large", offset=7_000_001, length=4) as part:
        print("part:", part.read().hex())
    client.put_object("alpha", "docs/a", io.BytesIO(b"one"), 3, metadata={"who": "me"})
    print("listed:", [(o.object_name, o.size, o.is_dir) for o in client.list_objects("alpha")])
    client.copy_object("alpha", "docs/b", CopySource("alpha", "docs/a"))
    sources = [ComposeSource("alpha", "large"), ComposeSource("alpha", "docs/b")]
    print("composed:", client.compose_object("alpha", "both", sources).etag)
    tags = Tags.new_object_tags()
    tags["team"] = "finance"
    client.set_object_tags("alpha", "docs/a", tags)
    print("tags:", dict(client.get_object_tags("alpha", "docs/a")))
    gone = [DeleteObject(name) for name in ("docs/a", "docs/b", "none")]
    print("errors:", list(client.remove_objects("alpha", gone)))
    print("left:", [o.object_name for o in client.list_objects("alpha", recursive=True)])
    print("none:", told(lambda: client.stat_object("alpha", "none")).split(",")[0])


if __name__ == "__main__":
    case, *server = sys.argv[1:]
    globals()[case](*server)
