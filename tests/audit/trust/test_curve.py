"""Public keys against the public suites, and against arithmetic of our own making."""

import json
import os
from pathlib import Path

import pytest
from dlaudit.audit.trust import curve
from dlaudit.audit.trust.curve import key_flaw
from hypothesis import given, settings
from hypothesis import strategies as st

SUITES = os.environ.get("DLAUDIT_CONFORMANCE")
needs_suites = pytest.mark.skipif(SUITES is None, reason="DLAUDIT_CONFORMANCE is not set")


def suite(name):
    return json.loads((Path(SUITES) / "ed25519" / name).read_bytes())


@needs_suites
def test_wycheproof_signatures_verify_as_stated():
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    seen = 0
    for group in suite("ed25519_test.json")["testGroups"]:
        public = bytes.fromhex(group["publicKey"]["pk"])
        assert key_flaw(public) is None
        for test in group["tests"]:
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(
                    bytes.fromhex(test["sig"]), bytes.fromhex(test["msg"])
                )
                verdict = "valid"
            except InvalidSignature:
                verdict = "invalid"
            assert verdict == test["result"], test["tcId"]
            seen += 1
    assert seen == 151


@needs_suites
def test_every_flagged_key_is_refused_and_no_other():
    flags = {}
    for vector in suite("ed25519vectors.json"):
        own = {flag for flag in vector["flags"] or () if flag.endswith("_A")}
        flags.setdefault(vector["key"], set()).update(own)
    assert len(flags) == 22
    for key, own in flags.items():
        flaw = key_flaw(bytes.fromhex(key))
        if "non_canonical_A" in own:
            assert "not canonical" in flaw, key
        elif "low_order_A" in own:
            assert "low order" in flaw, key
        elif "low_order_component_A" in own:
            assert "mixed order" in flaw, key
        else:
            assert flaw is None, key


@settings(max_examples=25, deadline=None)
@given(st.binary(min_size=32, max_size=32))
def test_honest_keys_pass_and_their_mixed_order_twins_do_not(secret):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    assert key_flaw(public) is None
    y = int.from_bytes(public, "little") & (2**255 - 1)
    negated = (curve.P - y).to_bytes(32, "little")  # (x, -y): the point plus the point of order 2, up to its sign
    assert "mixed order" in key_flaw(negated)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40))
def test_any_bytes_get_an_answer(data):
    flaw = key_flaw(data)
    assert flaw is None or isinstance(flaw, str)
    if len(data) != 32:
        assert "32 bytes" in flaw
