"""Trust files: what they may hold, and that neither time nor versions run backwards."""

import base64
import itertools
import json
from datetime import UTC, datetime, timedelta

import pytest
from dlaudit.audit.trust import dsse, keys
from dlaudit.audit.trust.judgement import unmet
from dlaudit.audit.trust.trustfile import load_trust
from dlaudit.schemas.errors import UserError, VerificationFailed
from dlaudit.schemas.state import state_folder
from hypothesis import given
from hypothesis import strategies as st

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def entry(public_raw, **changes):
    encoded = base64.b64encode(dsse.spki(public_raw)).decode()
    times = {"not_before": "2026-01-01T00:00:00Z", "not_after": "2027-01-01T00:00:00Z"}
    return {"public": encoded, "owner": "Lab A", "roles": ["lab"], **times, **changes}


@pytest.fixture
def public(make_key):
    return make_key()[0].public_raw


@pytest.fixture
def write(tmp_path, public):
    def make(keys_=None, **changes):
        value = {
            "dlaudit": "trust/1",
            "name": "buyers",
            "version": 1,
            "issued": "2026-01-01T00:00:00Z",
            "expires": "2027-01-01T00:00:00Z",
            "keys": {dsse.keyid_of(public): entry(public)} if keys_ is None else keys_,
            "rules": {"submission": {"lab": 1}},
            **changes,
        }
        path = tmp_path / "list.json"
        path.write_text(json.dumps({key: item for key, item in value.items() if item is not None}))
        return path

    return make


def test_a_valid_list(write, public):
    trust = load_trust(write(), NOW, None)
    assert trust.keys == {dsse.keyid_of(public): public}
    assert trust.root == ""


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": {"submission": {"lab": 0}}}, "rules/submission/lab"),
        ({"rules": {"submission": {}}}, "rules/submission"),
        ({"rules": {"submission": {"boss": 1}}}, "boss"),
        ({"rules": {}}, "submission"),
        ({"version": 0}, "version"),
        ({"version": "2"}, "version"),
        ({"certified": True}, "certified"),
        ({"expires": None}, "expires"),
        ({"expires": "2027-02-30T00:00:00Z"}, "calendar"),
        ({"expires": "2025-01-01T00:00:00Z"}, "empty"),
        ({"expires": "2027-01-01T00:00:00+00:00"}, "expires"),
        ({"dlaudit": "trust/2"}, "dlaudit"),
        ({"name": "a b"}, "name"),
    ],
)
def test_invalid_lists(write, changes, words):
    with pytest.raises(UserError, match=words):
        load_trust(write(**changes), NOW, None)


def test_keyid_must_be_the_hash_of_its_key(write, public):
    with pytest.raises(UserError, match="not the SHA-256 of this key"):
        load_trust(write({"00" * 32: entry(public)}), NOW, None)


@pytest.mark.parametrize(
    ("public_hex", "words"),
    [
        ("01" + "00" * 31, "low order"),
        ("ed" + "ff" * 30 + "7f", "not canonical"),
    ],
)
def test_unsafe_keys_are_refused_at_loading(write, public_hex, words):
    public_raw = bytes.fromhex(public_hex)
    path = write({dsse.keyid_of(public_raw): entry(public_raw)})
    with pytest.raises(UserError, match=words) as caught:
        load_trust(path, NOW, None)
    assert "/keys/" in str(caught.value)


def test_mixed_order_key_is_refused_by_trust_add(cli, tmp_path, public):
    from dlaudit.audit.trust.curve import P

    y = int.from_bytes(public, "little") & (2**255 - 1)
    path = tmp_path / "twin.pub"
    path.write_bytes(keys.public_pem((P - y).to_bytes(32, "little")))
    cli("trust", "init", tmp_path / "t.json")
    code, text = cli("trust", "add", tmp_path / "t.json", path, "--owner", "Mallory")
    assert code == 2
    assert "mixed order" in text


def test_revocation_needs_its_reason(write, public):
    revoked = entry(public, revoked_at="2026-02-01T00:00:00Z")
    with pytest.raises(UserError, match="revocation_reason"):
        load_trust(write({dsse.keyid_of(public): revoked}), NOW, None)


def test_expired_list(write):
    with pytest.raises(VerificationFailed, match="expired"):
        load_trust(write(), NOW + timedelta(days=365), None)


def test_an_older_version_is_refused_once_a_newer_was_used(write):
    load_trust(write(version=3), NOW, state_folder())
    load_trust(write(version=3), NOW, state_folder())
    with pytest.raises(VerificationFailed, match=r"version 2 .* version 3 was used"):
        load_trust(write(version=2), NOW, state_folder())
    load_trust(write(version=2, name="others"), NOW, state_folder())
    load_trust(write(version=4), NOW, state_folder())


def test_damaged_memory_is_no_way_around(write):
    load_trust(write(version=3), NOW, state_folder())
    (state_folder() / "trust-versions.json").write_text('{"buyers": {"version": "none"}}')
    with pytest.raises(UserError, match="record of trust lists"):
        load_trust(write(version=2), NOW, state_folder())


def test_signed_lists(cli, make_key, tmp_path, signed):
    folder, plain, _ = signed
    root, root_path = make_key()
    sealed = tmp_path / "sealed.json"
    assert cli("trust", "sign", plain, "--key", root_path, "--out", sealed)[0] == 0
    code, text = cli("trust", "show", sealed)
    assert code == 0
    assert f"root key {root.keyid}" in text
    assert cli("verify", folder, "--trust", sealed)[0] == 0
    assert cli("verify", folder, "--trust", sealed, "--root", root_path.with_suffix(".pub"))[0] == 0
    code, text = cli("verify", folder, "--trust", plain)
    assert code == 5
    assert "used to be signed by the root key" in text
    _, other_path = make_key()
    assert cli("verify", folder, "--trust", sealed, "--root", other_path.with_suffix(".pub"))[0] == 5
    assert cli("trust", "sign", plain, "--key", other_path, "--out", sealed)[0] == 0
    assert cli("verify", folder, "--trust", sealed)[0] == 5
    code, text = cli("trust", "add", sealed, root_path.with_suffix(".pub"), "--owner", "X")
    assert code == 2
    assert "sign it again" in text


def test_a_changed_byte_in_a_signed_list(cli, make_key, tmp_path, write):
    _, root_path = make_key()
    sealed = tmp_path / "sealed.json"
    cli("trust", "sign", write(), "--key", root_path, "--out", sealed)
    value = json.loads(sealed.read_bytes())
    payload = base64.b64decode(value["payload"]).replace(b"Lab A", b"Lab B")
    sealed.write_text(json.dumps({**value, "payload": base64.b64encode(payload).decode()}))
    with pytest.raises(VerificationFailed, match="root key over this trust list does not hold"):
        load_trust(sealed, NOW, None)


def test_editing_raises_the_version_and_shows_it(cli, make_key, tmp_path):
    path = tmp_path / "t.json"
    signer, private = make_key()
    assert cli("trust", "init", path, "--name", "mine")[0] == 0
    code, text = cli("trust", "init", path)
    assert code == 2
    assert "exists already" in text
    assert cli("trust", "add", path, private.with_suffix(".pub"), "--owner", "Evil\x1b[31m")[0] == 0
    assert cli("trust", "revoke", path, signer.keyid, "--reason", "retired")[0] == 0
    assert cli("trust", "revoke", path, "", "--reason", "all")[0] == 2
    code, text = cli("trust", "show", path)
    assert code == 0
    assert "mine, version 3" in text
    assert "revoked" in text
    assert r"Evil\x1b[31m" in text
    assert "\x1b" not in text


@given(
    st.dictionaries(st.sampled_from(["lab", "witness", "tsa"]), st.integers(1, 2)),
    st.dictionaries(
        st.integers(0, 4).map(str), st.lists(st.sampled_from(["lab", "witness", "tsa"]), min_size=1, unique=True)
    ),
)
def test_unmet_demands_are_those_of_the_best_assignment(thresholds, roles):
    demands = [role for role, number in thresholds.items() for _ in range(number)]
    best = 0
    options = [[None, *own] for own in roles.values()]
    for choice in itertools.product(*options):
        met = sum(min(number, choice.count(role)) for role, number in thresholds.items())
        best = max(best, met)
    assert unmet(thresholds, roles) == len(demands) - best
