#!/usr/bin/python3
"""Signatures of AWS Signature Version 4, made by botocore, AWS's own implementation.

vectors.py > vectors.json        writes them anew; Debian: python3-botocore, else pip install botocore
"""

import datetime
import json
import sys
from unittest import mock

import botocore
import botocore.auth
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from urllib.parse import quote

TIME = datetime.datetime(2026, 11, 22, 1, 2, 3)
KEYS = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")

S3 = "http://127.0.0.1:9000"
PATHS = [
    "", "plain.txt", "in/a folder/and  more", "plus+and+more", "100%", "%20", "%2F", "ümläut",
    "u\u0308", "日本語/🦊", "a&b<c>\"'`", "(brackets)[]{}", "!*'();:@&=+$,", "~tilde-_.", "#?", "\\",
    "tab\there", "^|",
]
QUERIES = [
    {"list-type": "2"}, {"list-type": "2", "prefix": "a b/ü+%"},
    {"list-type": "2", "continuation-token": "+/=1x/y+z==", "encoding-type": "url"},
    {"list-type": "2", "prefix": "", "start-after": "~-_.!*'()"},
    {"B": "1", "a": "2", "A": "3", "b-": "4", "b": "5"},
]


def s3_cases():
    for path in PATHS:
        yield {"name": "object " + repr(path), "url": S3 + "/bucket/" + quote(path, safe="/~")}
    for query in QUERIES:
        text = "&".join(quote(k, safe="~") + "=" + quote(v, safe="~") for k, v in query.items())
        yield {"name": "listing " + text, "url": S3 + "/bucket/?" + text}
    yield {"name": "virtual host", "url": "https://bucket.s3.eu-central-1.amazonaws.com/a%20b"}
    yield {"name": "default port", "url": "http://bucket.example:80/a"}
    yield {"name": "resumed", "url": S3 + "/bucket/a%2Bb",
           "headers": [["Range", "bytes=100-"], ["If-Range", "\"0123\""]]}
    yield {"name": "temporary key", "url": S3 + "/bucket/a", "token": "t/o+k=en=="}
    yield {"name": "a body", "method": "PUT", "url": S3 + "/bucket/a", "body": "Welcome, ü!",
           "headers": [["Content-Type", "text/plain; charset=utf-8"]]}


def other_cases():
    for path in PATHS[:10]:
        yield {"name": "path " + repr(path), "service": "execute-api",
               "url": "https://a.example/stage/" + quote(path, safe="/~")}
    yield {"name": "spaces in a header", "service": "execute-api", "url": "https://a.example/",
           "headers": [["My-Header1", "a   b   c"], ["X-Amz-Meta", " trimmed "]]}
    yield {"name": "a form", "service": "sts", "method": "POST", "url": "https://sts.example/",
           "body": "Action=GetCallerIdentity&Version=2011-06-15",
           "headers": [["Content-Type", "application/x-www-form-urlencoded"]]}
    yield {"name": "a query", "service": "ec2", "url": "https://ec2.example/?b=2&a=1&a=0&c="}


def signed(case):
    """Adds what botocore signs the request with."""
    service = case.setdefault("service", "s3")
    kind = S3SigV4Auth if service == "s3" else SigV4Auth
    credentials = Credentials(*KEYS, case.get("token"))
    request = AWSRequest(
        method=case.setdefault("method", "GET"), url=case["url"],
        headers=dict(case.setdefault("headers", [])), data=case.get("body", "").encode())
    with mock.patch("botocore.auth.datetime") as clock:
        clock.datetime.utcnow.return_value = TIME
        kind(credentials, service, "eu-central-1").add_auth(request)
    case["authorization"] = request.headers["Authorization"]
    return case


def main():
    found = {
        "made_by": "botocore " + botocore.__version__, "time": int(
            TIME.replace(tzinfo=datetime.timezone.utc).timestamp()),
        "key_id": KEYS[0], "secret": KEYS[1], "region": "eu-central-1",
        "cases": [signed(case) for case in [*s3_cases(), *other_cases()]],
    }
    json.dump(found, sys.stdout, indent=1)
    print()


main()
