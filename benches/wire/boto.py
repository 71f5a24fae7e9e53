"""The work of the bench `wire` by boto3, with 32 threads: boto.py ENDPOINT WORK."""

import concurrent.futures as futures
import os
import sys

import boto3
from botocore.config import Config

s3 = boto3.client("s3", endpoint_url=sys.argv[1], config=Config(max_pool_connections=32))


def listed(bucket, prefix=""):
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
        yield from (entry["Key"] for entry in page.get("Contents", []))


def read(key):
    return b"ERROR" in s3.get_object(Bucket="wire", Key=key)["Body"].read()


def move(key):
    source = {"Bucket": "wire", "Key": key}
    s3.copy_object(Bucket="wire", Key="out/" + key[3:], CopySource=source)
    s3.delete_object(Bucket="wire", Key=key)


def upload(name):
    with open(name, "rb") as file:
        s3.put_object(Bucket="wire", Key="up/" + name, Body=file.read())


def each(function, items):
    with futures.ThreadPoolExecutor(32) as pool:
        return list(pool.map(function, items))


match sys.argv[2]:
    case "list":
        sum(1 for _ in listed("many"))
    case "read":
        each(read, listed("wire", "in/"))
    case "move":
        each(move, listed("wire", "in/"))
    case "upload":
        each(upload, os.listdir())
    case "delete":
        keys = [{"Key": key} for key in listed("wire", "in/")]
        for start in range(0, len(keys), 1000):
            batch = {"Objects": keys[start : start + 1000], "Quiet": True}
            s3.delete_objects(Bucket="wire", Delete=batch)
