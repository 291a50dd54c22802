#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""page.py FILE: what must hold of every HTML report, whatever it is about."""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br", "img", "hr", "wbr"}


class Page(HTMLParser):
    """Elements nest, ids are unique, links inside the page lead somewhere, nothing is loaded, no code in attributes."""

    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.policy = [], set(), set(), None
        self.raw = {"script": [], "style": []}

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        assert len(values) == len(attributes), (tag, attributes)
        for name, value in attributes:
            assert not name.startswith("on") and name != "style", (tag, name)
            if name in ("src", "href", "action", "data", "srcset", "poster", "xlink:href"):
                assert value.startswith(("#", "data:")), (tag, name, value)
        if values.get("http-equiv"):
            assert values["http-equiv"] == "Content-Security-Policy" and self.policy is None
            self.policy = values["content"]
        if "id" in values:
            assert values["id"] not in self.ids, values["id"]
            self.ids.add(values["id"])
        if values.get("href", "").startswith("#"):
            self.links.add(values["href"][1:])
        assert tag not in ("img", "iframe", "object", "embed", "b", "i"), tag
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, (tag, self.open, self.getpos())

    def handle_data(self, data):
        if self.open and self.open[-1] in self.raw:
            self.raw[self.open[-1]].append(data)


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    text = file.read()
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert page.links <= page.ids, page.links - page.ids
policy = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
assert policy["default-src"] == "'none'" and policy["img-src"] == "data:", policy
for tag in ("script", "style"):
    assert len(re.findall(f"<{tag}>", text)) == 1, tag
    digest = base64.b64encode(hashlib.sha256("".join(page.raw[tag]).encode()).digest()).decode()
    assert policy[f"{tag}-src"] == f"'sha256-{digest}'", (policy, digest)
assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
