"""RFC 8785: the pairs of its author, through the digest of an option set."""

import hashlib
import json

import pytest
from dlaudit.schemas.digest import option_set_digest

PAIRS = ["arrays", "french", "structures", "unicode", "values", "weird"]


@pytest.mark.parametrize("name", PAIRS)
def test_the_digest_is_over_the_canonical_form(conformance, name):
    value = json.loads((conformance / f"jcs/input/{name}.json").read_bytes())
    canonical = (conformance / f"jcs/output/{name}.json").read_bytes()
    # Options are an object; the array of the suite becomes the value of one option.
    options, text = (value, canonical) if isinstance(value, dict) else ({"a": value}, b'{"a":' + canonical + b"}")
    expected = hashlib.sha256(b"dlaudit-optionset-v1\0" + text).hexdigest()
    assert option_set_digest(options) == f"sha256:{expected}"
