"""Remembers, searches and reads the profile with nothing but Python's standard library."""

import json
import os
import urllib.error
import urllib.request

URL = os.environ.get("CAIRN_URL", "http://127.0.0.1:6767")
KEY = os.environ["CAIRN_API_KEY"]


def cairn(method, path, body=None):
    """One request; an error says what is wrong and what would put it right."""
    request = urllib.request.Request(
        URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        raise SystemExit(f"{error.code}: {problem['error']} ({problem['details']})")


tag = "ada"
cairn("POST", "/v4/memories", {"containerTag": tag, "memories": [{"content": "Ada is allergic to cats.", "isStatic": True}]})

for result in cairn("POST", "/v4/search", {"q": "What is Ada allergic to?", "containerTag": tag})["results"]:
    print(f"{result['similarity']:.2f} {result['memory']}")

print("profile:", cairn("POST", "/v4/profile", {"containerTag": tag})["profile"]["static"])
