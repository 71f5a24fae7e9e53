"""Requests that no client makes, signed all the same: prints what each is answered.

Usage: raw.py CASE ENDPOINT ACCESS_KEY SECRET
"""

import datetime
import http.client
import socket
import sys
import urllib.parse

import botocore.auth
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

case, endpoint, key, secret = sys.argv[1:]
host = urllib.parse.urlsplit(endpoint).netloc


class Signer(S3SigV4Auth):
    """Signs, and says of the body what it is told to say."""

    claim = None

    def payload(self, request):
        return self.claim or super().payload(request)


def send(method, path, body=b"", headers=None, after=None, secret=secret, declare=None, claim=None, sent=None):
    """Signs and sends one request; `after` changes its headers once they are signed. With
    `sent`, only so much of the body is sent, and the client is gone."""
    request = AWSRequest(method, endpoint + path, dict(headers or {}), body)
    signer = Signer(Credentials(key, secret), "s3", "us-east-1")
    signer.claim = claim
    signer.add_auth(request)
    final = dict(request.headers.items())
    final["Host"] = host
    final["Content-Length"] = str(len(body) if declare is None else declare)
    final.update(after or {})
    connection = http.client.HTTPConnection(host, timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in final.items():
        if value is not None:
            connection.putheader(name, value)
    if sent is not None:
        connection.endheaders(body[:sent])
        connection.sock.shutdown(socket.SHUT_WR)
        # The end of the connection says that the server is done with it.
        while connection.sock.recv(1000):
            pass
        return connection.close()
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode().replace('<?xml version="1.0" encoding="UTF-8"?>\n', "")
    told = " ".join(f"{k}: {v}" for k, v in answer.headers.items() if "-meta-" in k or "checksum-" in k or k == "content-encoding")
    print(f"{method} {path[:60]} {answer.status} {told}{text[:400]}".rstrip())
    connection.close()
    return text


def signatures():
    send("GET", "/")
    send("GET", "/", secret="wrong")
    send("GET", "/", after={"Authorization": None})
    send("GET", "/", after={"Authorization": "AWS4-HMAC-SHA256 nonsense"})
    send("GET", "/", after={"X-Amz-Content-SHA256": None})
    send("GET", "/", after={"X-Amz-Date": "20200101T000000Z"})
    send("PUT", "/alpha", after={"x-amz-acl": "private"})
    send("PUT", "/alpha")
    send("PUT", "/alpha/k", b"body", after={"X-Amz-Content-SHA256": "0" * 64})
    send("PUT", "/alpha/k", b"body", claim="0" * 64)
    send("PUT", "/alpha/k", b"body", claim="UNSIGNED-PAYLOAD")
    send("HEAD", "/alpha", secret="wrong")
    send("GET", "/alpha")
    long_ago = datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc)
    botocore.auth.get_current_datetime = lambda *_, **__: long_ago
    send("GET", "/")


def documents():
    send("PUT", "/alpha")
    send("POST", "/alpha?delete", b"<Delete><Object><Key>k")
    send("POST", "/alpha?delete", b"<Nonsense/>")
    send("POST", "/alpha?delete", b"")
    send("POST", "/alpha?delete", b"\xff\xfe\x00")
    bomb = b'<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    send("POST", "/alpha?delete", bomb + b"<Delete><Object><Key>&b;</Key></Object></Delete>")
    send("POST", "/alpha?delete", b"<Delete><Object><Key>&#x1;</Key></Object></Delete>")
    named = b"<Delete><Object><Key> a&amp;&lt;\n b&#xd; </Key></Object></Delete>"
    send("POST", "/alpha?delete", named)
    md5 = {"Content-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="}
    send("POST", "/alpha?delete", named, headers=md5)
    send("PUT", "/beta", b"<CreateBucketConfiguration>")
    west = b"<LocationConstraint>eu-west-1</LocationConstraint>"
    send("PUT", "/beta", b"<CreateBucketConfiguration>" + west + b"</CreateBucketConfiguration>")
    send("GET", "/beta?location")


def chunked():
    send("PUT", "/alpha")

    def put(pieces, length, **trailer):
        body = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
        names = [name.replace("_", "-") for name in trailer]
        lines = "".join(f"{n}:{v}\r\n" for n, v in zip(names, trailer.values()))
        headers = {
            "Content-Encoding": "aws-chunked,gzip",
            "x-amz-decoded-content-length": str(length),
            "x-amz-trailer": ",".join(names),
        }
        body += b"0\r\n" + lines.encode() + b"\r\n"
        send("PUT", "/alpha/k", body, headers, claim="STREAMING-UNSIGNED-PAYLOAD-TRAILER")

    put([b"hel", b"lo"], 5, x_amz_checksum_crc32="NhCmhg==")
    send("HEAD", "/alpha/k")
    put([b"hel", b"lo"], 5, x_amz_checksum_crc32="AAAAAA==")
    put([b"hel", b"lo"], 5, x_amz_checksum_crc64nvme="M3eFcAZSQlc=")
    put([b"hel", b"lo"], 4, x_amz_checksum_crc32="NhCmhg==")
    put([b"hel", b"lo"], 6, x_amz_checksum_crc32="NhCmhg==")
    put([b"hel", b"lo"], 99999999999, x_amz_checksum_crc32="NhCmhg==")
    send(
        "PUT",
        "/alpha/k",
        b"not in chunks",
        {"x-amz-decoded-content-length": "5", "x-amz-trailer": "x-amz-checksum-crc32"},
        claim="STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    )


def lengths():
    send("PUT", "/alpha")
    send("PUT", "/alpha/k", declare=10 << 30)
    send("PUT", "/alpha/k", declare=(64 << 20) + 1)
    send("PUT", "/alpha/k", declare=99999999999999999999999)
    send("POST", "/alpha?delete", declare=(8 << 20) + 1)
    send("PUT", "/alpha/" + "k" * 1025)
    endless = {"Content-Length": None, "Transfer-Encoding": "chunked"}
    send("PUT", "/alpha/k", b"5\r\nhello\r\n0\r\n\r\n", after=endless, claim="UNSIGNED-PAYLOAD")
    send("PUT", "/alpha/k", b"5\r\nhello\r\n0\r\n\r\n", after=endless)
    send("GET", "/alpha")


def halves():
    send("PUT", "/alpha")
    send("PUT", "/alpha/k", b"as it was")
    begun = send("POST", "/alpha/k?uploads")
    upload = begun.split("<UploadId>")[1].split("<")[0]
    part = f"/alpha/k?partNumber=1&uploadId={upload}"
    send("PUT", part, b"a part of which half comes", sent=13)
    send("PUT", "/alpha/k", b"a body of which half comes", sent=13)
    send("PUT", "/alpha/new", b"a body of which nothing comes", sent=0)
    send("GET", "/alpha/k")
    send("GET", "/alpha/new")
    send("GET", f"/alpha/k?uploadId={upload}&max-parts=9")
    done = f"/alpha/k?uploadId={upload}"
    send("POST", done, b"<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>")
    send("PUT", part, b"whole")
    send("GET", done)
    send("DELETE", done)
    send("GET", "/alpha/k")


def paths():
    send("PUT", "/alpha")
    send("PUT", "/alpha/%01%0A", b"x")
    send("GET", "/alpha")
    send("GET", "/alpha?encoding-type=url")
    send("GET", "/alpha?encoding-type=rot13")
    send("GET", "/alpha?max-keys=many")
    send("GET", "/alpha?list-type=2&max-keys=99999999999999999999")
    send("GET", "/alpha/%FF")
    send("GET", "/alpha?prefix=%FF")
    send("GET", "/%00/k")
    send("GET", "//k")
    send("POST", "/alpha", b"x", headers={"Content-Type": "text/plain"})
    send("PATCH", "/alpha/k")
    send("DELETE", "/")
    send("PUT", "/alpha/k?tagging", b"<Tagging/>")
    send("GET", "/alpha/k?uploadId=nope")
    send("PUT", "/alpha/k?partNumber=1&uploadId=nope", b"x")
    send("PUT", "/alpha/k", headers={"x-amz-copy-source": "nonsense"})
    send("PUT", "/alpha/m", headers={"x-amz-meta-n": "=?UTF-8?B?R3LDvMOfZQ==?="})
    send("HEAD", "/alpha/m")


globals()[case]()
