"""JSON Schema 2020-12: the validator that decides is right, and the one that explains agrees with it."""

import json
import re

import jsonschema
import jsonschema_rs
import pytest
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

REMOTES = "http://localhost:1234/"
# Python's regular expressions have no \p{...}, and jsonschema asserts what an own vocabulary leaves out.
# No schema of ours uses either.
UNEQUAL = {
    "pattern with Unicode property escape requires unicode mode",
    "patternProperties with Unicode property escape",
    "schema that uses custom metaschema with with no validation vocabulary",
}


@pytest.fixture(scope="module")
def remote(conformance):
    folder = conformance / "json-schema" / "remotes"

    def retrieve(uri):
        if not uri.startswith(REMOTES):
            raise ValueError(uri)
        return json.loads((folder / uri.removeprefix(REMOTES)).read_bytes())

    return retrieve


def groups(conformance):
    for path in sorted(conformance.glob("json-schema/tests/draft2020-12/*.json")):
        yield from json.loads(path.read_bytes())


def test_the_deciding_validator_passes_the_whole_suite(conformance, remote):
    wrong, count = [], 0
    for group in groups(conformance):
        validator = jsonschema_rs.Draft202012Validator(group["schema"], retriever=remote)
        for case in group["tests"]:
            count += 1
            if validator.is_valid(case["data"]) != case["valid"]:
                wrong.append((group["description"], case["description"]))
    assert count >= 1200
    assert wrong == []


def test_the_explaining_validator_agrees(conformance, remote):
    registry = Registry(retrieve=lambda uri: Resource.from_contents(remote(uri), default_specification=DRAFT202012))
    wrong = set()
    for group in groups(conformance):
        validator = jsonschema.Draft202012Validator(group["schema"], registry=registry)
        for case in group["tests"]:
            try:
                right = validator.is_valid(case["data"]) == case["valid"]
            except re.error:
                right = False
            if not right:
                wrong.add(group["description"])
    assert wrong <= UNEQUAL
