#!/usr/bin/python3
"""A bucket on loopback that checks every signature by botocore, AWS's own implementation.

server.py PORT FOLDER [--page N] [--cut BYTES] [--token TOKEN]

The files in FOLDER/files are the objects of the bucket `bucket`. FOLDER/keys.json, if it exists, has more
objects: text by key. The bucket answers by path (/bucket/key) and by hostname (bucket.HOST).
GET of objects with Range and If-Range, ListObjectsV2; errors are those of S3. With --cut a
connection ends after that many bytes of a body. Each request is a line in FOLDER/log: method, path, range,
status. Debian: python3-botocore.
"""

import argparse
import base64
import datetime
import email.utils
import hashlib
import hmac
import http.server
import json
import os
import re
import urllib.parse
from xml.sax.saxutils import escape

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

KEY_ID, SECRET, REGION = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "eu-central-1"
BUCKET = "bucket"
PATTERN = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?"
    r"SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})")


class Refused(Exception):
    def __init__(self, status, code, message):
        self.status, self.code, self.message = status, code, message


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        try:
            self.check_signature()
            key = self.key()
            if key == "":
                self.list()
            else:
                self.get(key)
        except Refused as refused:
            text = "<?xml version='1.0'?><Error><Code>%s</Code><Message>%s</Message></Error>" % (
                refused.code, refused.message)
            self.reply(refused.status, text.encode(), {"Content-Type": "application/xml"})

    # Signatures

    def check_signature(self):
        header = self.headers.get("Authorization")
        if header is None:
            raise Refused(403, "AccessDenied", "Access Denied")
        match = PATTERN.fullmatch(header)
        if not match:
            raise Refused(400, "AuthorizationHeaderMalformed", "The header cannot be read")
        key_id, day, region, names, signature = match.groups()
        names = names.split(";")
        if key_id != KEY_ID:
            raise Refused(403, "InvalidAccessKeyId", "The key is not known")
        if region != REGION:
            raise Refused(400, "AuthorizationHeaderMalformed", "expecting '%s'" % REGION)
        self.check_time(day)
        must = {"host"} | {n.lower() for n in self.headers if n.lower().startswith("x-amz-")}
        if not must <= set(names) or "x-amz-content-sha256" not in names:
            raise Refused(403, "AccessDenied", "There were headers that were not signed")
        if self.headers["x-amz-content-sha256"] != hashlib.sha256(b"").hexdigest():
            raise Refused(400, "XAmzContentSHA256Mismatch", "The body has another hash")
        if self.server.options.token != self.headers.get("x-amz-security-token"):
            raise Refused(403, "InvalidToken", "The token is not that of the key")
        if not hmac.compare_digest(self.expected(names), signature):
            raise Refused(403, "SignatureDoesNotMatch", "The signature does not match")

    def check_time(self, day):
        time = self.headers.get("x-amz-date", "")
        asked = datetime.datetime.strptime(time, "%Y%m%dT%H%M%SZ")
        if abs(datetime.datetime.utcnow() - asked) > datetime.timedelta(minutes=15):
            raise Refused(403, "RequestTimeTooSkewed", "The clocks differ too much")
        if not time.startswith(day):
            raise Refused(403, "SignatureDoesNotMatch", "The days differ")

    def expected(self, names):
        """Like S3, builds the canonical URI from the meaning of the request, not from its spelling."""
        path, _, query = self.path.partition("?")
        path = urllib.parse.quote(urllib.parse.unquote_to_bytes(path), safe="/-_.~")
        pairs = sorted(
            tuple(urllib.parse.quote(urllib.parse.unquote_to_bytes(part), safe="-_.~")
                  for part in (pair.partition("=")[0], pair.partition("=")[2]))
            for pair in query.split("&") if pair)
        url = "http://%s%s?%s" % (
            self.headers["Host"], path, "&".join("%s=%s" % pair for pair in pairs))
        request = AWSRequest(
            method=self.command, url=url, headers={name: self.headers[name] for name in names})
        request.context["timestamp"] = self.headers["x-amz-date"]
        signer = S3SigV4Auth(Credentials(KEY_ID, SECRET), "s3", REGION)
        text = signer.string_to_sign(request, signer.canonical_request(request))
        return signer.signature(text, request)

    # Objects

    def key(self):
        path = urllib.parse.unquote_to_bytes(self.path.partition("?")[0])
        if self.headers["Host"].startswith(BUCKET + "."):
            return path[1:].decode()
        bucket, _, key = path[1:].partition(b"/")
        if bucket.decode() != BUCKET:
            raise Refused(404, "NoSuchBucket", "The specified bucket does not exist")
        return key.decode()

    def objects(self):
        """By key: bytes or a path, and the time of modification."""
        found, top = {}, os.path.join(self.server.options.folder, "files")
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, top)] = path
        try:
            with open(os.path.join(self.server.options.folder, "keys.json")) as file:
                for key, text in json.load(file).items():
                    found[key] = text.encode()
        except FileNotFoundError:
            pass
        return found

    @staticmethod
    def content(found):
        if isinstance(found, bytes):
            return found, 1_700_000_000
        with open(found, "rb") as file:
            return file.read(), os.stat(found).st_mtime

    def get(self, key):
        objects = self.objects()
        if key not in objects:
            raise Refused(404, "NoSuchKey", "The specified key does not exist.")
        body, modified = self.content(objects[key])
        tag = '"%s"' % hashlib.md5(body).hexdigest()
        headers = {
            "ETag": tag, "Last-Modified": email.utils.formatdate(modified, usegmt=True),
            "Accept-Ranges": "bytes", "Content-Type": "binary/octet-stream",
        }
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if wanted and self.headers.get("If-Range", tag) == tag:
            start = int(wanted.group(1))
            if start >= len(body):
                raise Refused(416, "InvalidRange", "The requested range is not satisfiable")
            headers["Content-Range"] = "bytes %d-%d/%d" % (start, len(body) - 1, len(body))
            self.reply(206, body[start:], headers, cut=self.server.options.cut)
        else:
            self.reply(200, body, headers, cut=self.server.options.cut)

    # Listings

    def list(self):
        query = dict(urllib.parse.parse_qsl(self.path.partition("?")[2], keep_blank_values=True))
        if query.get("list-type") != "2":
            raise Refused(400, "InvalidArgument", "only ListObjectsV2 is here")
        encoded = query.get("encoding-type") == "url"
        # As S3 does: form encoding, in which a space is a plus.
        shown = (lambda t: urllib.parse.quote_plus(t, safe="/*-._")) if encoded else escape
        objects = self.objects()
        keys = sorted(
            (k for k in objects if k.startswith(query.get("prefix", ""))), key=str.encode)
        if "continuation-token" in query:
            after = base64.b64decode(query["continuation-token"].removeprefix("+/=")).decode()
            keys = [key for key in keys if key.encode() > after.encode()]
        page = keys[:min(self.server.options.page, int(query.get("max-keys", 1000)))]
        parts = ["<?xml version='1.0' encoding='UTF-8'?>",
                 "<ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>"]
        if encoded:
            parts.append("<EncodingType>url</EncodingType>")
        for key in page:
            body, modified = self.content(objects[key])
            time = datetime.datetime.utcfromtimestamp(int(modified)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            parts.append(
                "<Contents><Key>%s</Key><LastModified>%s</LastModified><ETag>&quot;%s&quot;</ETag>"
                "<Size>%d</Size></Contents>" % (
                    shown(key), time, hashlib.md5(body).hexdigest(), len(body)))
        more = len(page) < len(keys)
        parts.append("<IsTruncated>%s</IsTruncated>" % ("true" if more else "false"))
        if more:
            token = "+/=" + base64.b64encode(page[-1].encode()).decode()
            parts.append("<NextContinuationToken>%s</NextContinuationToken>" % token)
        parts.append("</ListBucketResult>")
        self.reply(200, "".join(parts).encode(), {"Content-Type": "application/xml"})

    # Answers

    def reply(self, status, body, headers, cut=0):
        with open(os.path.join(self.server.options.folder, "log"), "a") as log:
            log.write("%s %s %s %d\n" % (
                self.command, self.path, self.headers.get("Range", "-"), status))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        is_cut = 0 < cut < len(body)
        self.wfile.write(body[:cut] if is_cut else body)
        self.close_connection = self.close_connection or is_cut

    def log_message(self, *_):
        pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("folder")
    parser.add_argument("--page", type=int, default=1000)
    parser.add_argument("--cut", type=int, default=0)
    parser.add_argument("--token")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    server.options = options
    server.serve_forever()


main()
