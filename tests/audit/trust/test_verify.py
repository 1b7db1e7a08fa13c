"""Every attack on a signed study is refused, with a message of its own, through the command line."""

import base64
import json
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta

import pytest
from dlaudit.audit.trust import dsse, keys
from dlaudit.audit.trust.trustfile import load_trust
from dlaudit.audit.trust.verify import verify_study
from dlaudit.schemas.errors import UserError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SAMPLES = "trials/base-t1.samples.json"


def codes(result):
    return [problem.code for problem in result.problems]


def trusted(path):
    return load_trust(path, datetime.now(UTC), None)


def change_envelope(folder, change):
    path = folder / "manifest.dsse.json"
    value = json.loads(path.read_bytes())
    change(value)
    path.write_text(json.dumps(value))


def test_an_untouched_study_holds(signed, cli):
    folder, trust, signer = signed
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 0, text
    assert "genuine, by Lab A" in text
    assert signer.keyid[:16] in text
    assert "unwitnessed" in text
    assert "1 plan of this spec" in text
    assert "3 files, all as the manifest says" in text
    code, text = cli("verify", folder / "manifest.json", "--trust", trust, "--json")
    value = json.loads(text)
    assert code == 0
    assert (value["signature"], value["tier_ceiling"], value["ledger"]) == ("valid_trusted", "T4", "unwitnessed")
    assert value["problems"] == []


def test_without_a_trust_file_a_genuine_signature_holds_and_is_worth_t2(signed, cli):
    folder, _, _ = signed
    code, text = cli("verify", folder)
    assert code == 0
    assert "no trust file vouches" in text
    assert "T2" in text
    assert "T4" not in text


def test_changed_byte_in_the_manifest(signed, cli):
    folder, trust, _ = signed
    path = folder / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"rows": 3', b'"rows": 4', 1))
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "says 4, signed was 3" in text
    assert "[manifest-changed]" in text
    assert "manifest.json:" in text
    assert "does NOT hold" in text


def test_other_spelling_of_the_same_manifest(signed, cli, tools):
    folder, trust, _ = signed
    value = tools.read_manifest(folder)
    (folder / "manifest.json").write_text(json.dumps(value, sort_keys=True))
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "holds the signed values in other bytes" in text


def test_field_stripped_from_the_manifest_alone(signed, cli, tools):
    folder, trust, _ = signed
    value = tools.read_manifest(folder)
    del value["predicate"]["arms"]["base"]["trials"]["base-t1"]["seed"]
    tools.write_manifest(folder, value)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "/predicate/arms/base/trials/base-t1/seed was stripped" in text
    assert "[field-stripped]" in text


@pytest.mark.parametrize("pointer", ["predicate", "subject", "predicate/plan", "predicate/study/spec_sha256"])
def test_required_field_stripped_and_signed_again(signed, cli, tools, pointer):
    folder, trust, signer = signed
    value = tools.read_manifest(folder)
    *way, last = pointer.split("/")
    parent = value
    for step in way:
        parent = parent[step]
    del parent[last]
    tools.write_manifest(folder, value)
    tools.resign(folder, signer)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[manifest-invalid]" in text
    assert last in text


def test_unknown_field_added_and_signed_again(signed, cli, tools):
    folder, trust, signer = signed
    value = tools.read_manifest(folder)
    value["predicate"]["certified"] = True
    tools.write_manifest(folder, value)
    tools.resign(folder, signer)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "certified" in text
    assert "[manifest-invalid]" in text


def test_changed_byte_in_a_raw_file(signed, cli):
    folder, trust, _ = signed
    path = folder / SAMPLES
    path.write_bytes(path.read_bytes().replace(b"0.2", b"0.1"))
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert f"{SAMPLES} was changed" in text
    assert "[subject-changed]" in text
    assert "signature  genuine" in text


def test_swapped_raw_files(signed, cli):
    folder, trust, _ = signed
    one, other = folder / SAMPLES, folder / "trials/base-t2.samples.json"
    first = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(first)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "are swapped" in text
    assert text.count("[subject-") == 1


def test_one_raw_file_copied_over_another(signed, cli):
    folder, trust, _ = signed
    shutil.copy(folder / "trials/base-t2.samples.json", folder / SAMPLES)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert f"{SAMPLES} holds the bytes of trials/base-t2.samples.json" in text


def test_missing_raw_file(signed, cli):
    folder, trust, _ = signed
    (folder / SAMPLES).unlink()
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert f"{SAMPLES} is gone" in text


@pytest.mark.parametrize("name", ["notes.txt", "trials/base-t3.samples.json", "trials/manifest.json", ".hidden"])
def test_extra_file(signed, cli, name):
    folder, trust, _ = signed
    (folder / name).write_text("{}")
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert f"{name} is extra" in text


@pytest.mark.parametrize("name", ["deep/in/it/report.html", "trials/submission.json", "report.html/notes.txt"])
def test_files_in_folders_of_their_own_are_extra_whatever_their_names(signed, cli, name):
    folder, trust, _ = signed
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("{}")
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert f"{name} is extra" in text


@pytest.mark.parametrize("name", ["report.html", "submission.json", "trials/more", "deep/linked", "broken.json"])
@pytest.mark.parametrize("to", ["file", "folder", "nowhere"])
def test_links_are_named_wherever_they_lie_and_lead(signed, cli, tmp_path, name, to):
    folder, trust, _ = signed
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inside.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (folder / name).symlink_to(tmp_path / to)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert f"{name} is a link" in text
    assert "inside.txt" not in text


def test_a_folder_that_cannot_be_listed_is_a_problem(signed, cli, monkeypatch):
    folder, trust, _ = signed
    (folder / "closed").mkdir()
    listed = os.scandir

    def refusing(path):
        if str(path).rstrip("/").endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(os, "scandir", refusing)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "closed/ cannot be read" in text


def test_own_files_are_not_extra(signed, cli):
    folder, trust, _ = signed
    for name in ("submission.json", "verdict.json", "report.html"):
        (folder / name).write_text("anything")
    assert cli("verify", folder, "--trust", trust)[0] == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_link_and_pipe_in_the_place_of_raw_files(signed, cli, tmp_path):
    folder, trust, _ = signed
    one, other = folder / SAMPLES, folder / "trials/base-t2.samples.json"
    one.rename(tmp_path / "elsewhere")
    one.symlink_to(tmp_path / "elsewhere")
    other.unlink()
    os.mkfifo(other)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert text.count("[subject-irregular]") == 2


def test_subject_listed_twice_and_a_reserved_one(signed, cli, tools):
    folder, trust, signer = signed
    value = tools.read_manifest(folder)
    value["subject"].append(value["subject"][0])
    value["subject"].append({"name": "verdict.json", "digest": {"sha256": tools.digest(b"x")}})
    (folder / "verdict.json").write_bytes(b"x")
    tools.write_manifest(folder, value)
    tools.resign(folder, signer)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[subject-duplicate]" in text
    assert "[subject-reserved]" in text


def test_unsigned_study(signed, cli):
    folder, trust, _ = signed
    (folder / "manifest.dsse.json").unlink()
    for extra, expected, words in (((), 0, "unsigned, holds"), (("--trust", trust), 5, "does NOT hold")):
        code, text = cli("verify", folder, *extra)
        assert code == expected
        assert text.splitlines()[-1].endswith(words)
        assert "[signature-absent]" in text
        assert "T2" in text


def test_an_unsigned_study_whose_files_changed_does_not_hold(signed, cli):
    folder, _, _ = signed
    (folder / "manifest.dsse.json").unlink()
    raw = next((folder / "trials").glob("*.samples.json"))
    raw.write_bytes(raw.read_bytes() + b" ")
    code, text = cli("verify", folder)
    assert (code, "does NOT hold" in text) == (5, True)


def test_unlisted_key(signed, cli, make_key, tools):
    folder, trust, _ = signed
    tools.resign(folder, make_key()[0])
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[key-unlisted]" in text
    assert "nobody you trust signed" in text
    assert verify_study(folder, trusted(trust)).signature == "valid_unlisted"
    assert verify_study(folder, trusted(trust)).tier_ceiling == "T2"


def test_unlisted_key_whose_public_key_the_envelope_hides(signed, cli, make_key, tools):
    folder, trust, _ = signed
    tools.resign(folder, make_key()[0])
    change_envelope(folder, lambda value: value["signatures"][0].pop("public"))
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[key-unknown]" in text
    assert verify_study(folder, trusted(trust)).signature == "absent"


def test_listed_key_is_found_without_hints(signed):
    folder, trust, signer = signed
    change_envelope(folder, lambda value: [value["signatures"][0].pop(field) for field in ("public", "keyid")])
    result = verify_study(folder, trusted(trust))
    assert (result.signature, result.keyids) == ("valid_trusted", (signer.keyid,))


def test_low_order_key_that_verifies_every_message(signed, cli):
    folder, _, _ = signed
    identity, sig = bytes([1]) + bytes(31), bytes([1]) + bytes(63)
    envelope = dsse.Envelope(
        dsse.STATEMENT_TYPE,
        (folder / "manifest.json").read_bytes(),
        (dsse.Signature(dsse.keyid_of(identity), sig, identity),),
    )
    assert dsse.verifies(envelope, envelope.signatures[0], identity), (
        "the attack no longer works: the test has no point"
    )
    (folder / "manifest.dsse.json").write_bytes(dsse.write(envelope))
    code, text = cli("verify", folder)
    assert code == 5
    assert "[key-unsafe]" in text
    assert "low order" in text


@pytest.mark.parametrize(
    ("days", "code"), [(-1, "key-not-yet-valid"), (100, None), (366, "key-expired"), (1000, "key-expired")]
)
def test_key_outside_its_time(signed, days, code):
    folder, trust, _ = signed
    now = datetime.now(UTC) + timedelta(days=days)
    result = verify_study(folder, trusted(trust), now)
    assert codes(result)[:1] == ([] if code is None else [code])
    assert result.signature == ("valid_trusted" if code is None else "valid_unlisted")
    assert result.is_intact


def test_revoked_key(signed, cli):
    folder, trust, signer = signed
    assert cli("trust", "revoke", trust, signer.keyid[:12], "--reason", "laptop stolen")[0] == 0
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[key-revoked]" in text
    assert "laptop stolen" in text
    code, text = cli("trust", "add", trust, keys.keys_folder() / f"{signer.keyid[:8]}.pub", "--owner", "Lab A")
    assert code == 2
    assert "was revoked" in text


def test_wrong_payload_type(signed, cli):
    folder, trust, signer = signed
    payload = (folder / "manifest.json").read_bytes()
    (folder / "manifest.dsse.json").write_bytes(dsse.write(dsse.sign("application/json", payload, signer)))
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[payload-type]" in text
    change_envelope(folder, lambda value: value.update(payloadType=dsse.STATEMENT_TYPE))
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[signature-invalid]" in text


def test_below_threshold(signed, cli, tmp_path):
    folder, _, signer = signed
    public = keys.keys_folder() / f"{signer.keyid[:8]}.pub"
    strict = tmp_path / "strict.json"
    cli("trust", "init", strict, "--witness", 1)
    cli("trust", "add", strict, public, "--owner", "Lab A", "--role", "lab", "--role", "witness")
    code, text = cli("verify", folder, "--trust", strict)
    assert code == 5
    assert "[below-threshold]" in text
    assert "1 lab, 1 witness" in text


def test_a_second_signer_meets_the_threshold(signed, cli, tmp_path, make_key):
    folder, _, signer = signed
    witness, path = make_key()
    strict = tmp_path / "strict.json"
    cli("trust", "init", strict, "--witness", 1)
    cli("trust", "add", strict, keys.keys_folder() / f"{signer.keyid[:8]}.pub", "--owner", "Lab A")
    cli("trust", "add", strict, path.with_suffix(".pub"), "--owner", "Witness B", "--role", "witness")
    assert cli("verify", folder, "--trust", strict)[0] == 5
    assert cli("sign", folder, "--key", witness.keyid[:8])[0] == 0
    code, text = cli("verify", folder, "--trust", strict)
    assert code == 0, text
    assert "Lab A, Witness B" in text


def test_junk_signature_beside_a_genuine_one(signed, cli):
    folder, trust, _ = signed

    def add_junk(value):
        junk = {**value["signatures"][0], "sig": base64.b64encode(bytes(64)).decode()}
        value["signatures"].append(junk)

    change_envelope(folder, add_junk)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[signature-invalid]" in text


def test_manifest_of_another_study_under_this_envelope(signed, cli, make_study):
    folder, trust, _ = signed
    other = make_study("other")
    shutil.copy(other / "manifest.json", folder / "manifest.json")
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[manifest-changed]" in text


def test_unreadable_input_is_exit_2(signed, cli, tmp_path):
    folder, trust, _ = signed
    assert cli("verify", tmp_path / "nothing")[0] == 2
    assert cli("verify", folder / SAMPLES)[0] == 2
    assert cli("verify", folder, "--trust", folder / SAMPLES)[0] == 2
    assert cli("verify", folder, "--root", trust)[0] == 2
    (folder / "manifest.dsse.json").unlink()
    (folder / "manifest.json").write_text("{")
    code, text = cli("verify", folder)
    assert code == 2
    assert "manifest.json:1:" in text


def test_envelope_over_something_that_is_no_json(signed, cli, tools):
    folder, trust, signer = signed
    (folder / "manifest.json").write_text("not json")
    tools.resign(folder, signer)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[manifest-unreadable]" in text


def test_hostile_names_reach_the_terminal_escaped(signed, cli):
    folder, trust, _ = signed
    (folder / "a\x1b[2Jb\u202ec").write_text("")
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert r"a\x1b[2Jb\u202ec is extra" in text


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.update(extra=1),
        lambda value: value.pop("payloadType"),
        lambda value: value.update(payload=value["payload"][:-1]),
        lambda value: value.update(signatures=[]),
        lambda value: value.update(signatures=value["signatures"] * 17),
        lambda value: value["signatures"][0].update(sig="AAAA"),
        lambda value: value["signatures"][0].update(keyid="00" * 32),
        lambda value: value["signatures"][0].update(keyid=7),
        lambda value: value["signatures"][0].update(trusted=True),
        lambda value: value["signatures"][0].update(public=value["signatures"][0]["public"][:-4]),
    ],
)
def test_malformed_envelopes(signed, cli, change):
    folder, trust, _ = signed
    change_envelope(folder, change)
    code, text = cli("verify", folder, "--trust", trust)
    assert code == 5
    assert "[envelope-malformed]" in text


def test_base64_has_one_spelling(signed):
    folder, _, _ = signed
    envelope = json.loads((folder / "manifest.dsse.json").read_bytes())
    sig = envelope["signatures"][0]["sig"]
    assert sig.endswith("==")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    other = sig[:-3] + letters[letters.index(sig[-3]) + 1] + "=="
    assert base64.b64decode(other) == base64.b64decode(sig)
    envelope["signatures"][0]["sig"] = other
    with pytest.raises(UserError, match="not canonical base64"):
        dsse.read(json.dumps(envelope).encode(), "envelope.json")


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_changed_byte_is_refused(signed, data):
    folder, trust, _ = signed
    which = data.draw(st.sampled_from(["manifest", "payload", "sig", "public", "keyid"]))
    originals = {name: (folder / name).read_bytes() for name in ("manifest.json", "manifest.dsse.json")}
    text = originals["manifest.json"]
    if which != "manifest":
        value = json.loads(originals["manifest.dsse.json"])
        part = value if which == "payload" else value["signatures"][0]
        text = part[which].encode()
    place = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.integers(0, 255 if which == "manifest" else 127).filter(lambda new: new != text[place]))
    changed = text[:place] + bytes([byte]) + text[place + 1 :]
    try:
        if which == "manifest":
            (folder / "manifest.json").write_bytes(changed)
        else:
            part[which] = changed.decode()
            (folder / "manifest.dsse.json").write_text(json.dumps(value))
        result = verify_study(folder, trusted(trust))
        assert result.signature != "valid_trusted" or not result.is_intact
        assert result.problems
    finally:
        for name, content in originals.items():
            (folder / name).write_bytes(content)
    assert verify_study(folder, trusted(trust)).problems == ()


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_openssl_verifies_the_envelope(signed, tmp_path):
    folder, _, signer = signed
    value = json.loads((folder / "manifest.dsse.json").read_bytes())
    payload = base64.b64decode(value["payload"])
    kind = value["payloadType"].encode()
    signed_bytes = b" ".join([b"DSSEv1", b"%d" % len(kind), kind, b"%d" % len(payload), payload])
    (tmp_path / "pae").write_bytes(signed_bytes)
    (tmp_path / "sig").write_bytes(base64.b64decode(value["signatures"][0]["sig"]))
    public = keys.keys_folder() / f"{signer.keyid[:8]}.pub"
    command = ["openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public, "-in", tmp_path / "pae"]
    done = subprocess.run([*command, "-sigfile", tmp_path / "sig"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "pae").write_bytes(signed_bytes[:-1] + b" ")
    assert subprocess.run([*command, "-sigfile", tmp_path / "sig"], capture_output=True).returncode != 0
