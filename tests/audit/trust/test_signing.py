"""Signing: only what holds, offline as well, and never over someone else's bytes."""

import json
import shutil

from dlaudit.audit.trust import dsse
from hypothesis import given
from hypothesis import strategies as st


def test_pre_authentication_encoding_of_the_specification():
    assert dsse.pae("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )
    assert dsse.pae("ü", b"") == b"DSSEv1 2 \xc3\xbc 0 "


@given(st.text(max_size=30), st.binary(max_size=60), st.text(max_size=30), st.binary(max_size=60))
def test_pre_authentication_encoding_is_unambiguous(kind, payload, other_kind, other):
    same = (kind, payload) == (other_kind, other)
    assert (dsse.pae(kind, payload) == dsse.pae(other_kind, other)) == same


def test_what_does_not_hold_is_not_signed(make_study, make_key, cli):
    make_key()
    folder = make_study()
    (folder / "trials/base-t1.samples.json").write_text("{}")
    code, text = cli("sign", folder)
    assert code == 5
    assert "nothing was signed" in text
    assert not (folder / "manifest.dsse.json").exists()


def test_hostile_file_names_reach_the_terminal_escaped(make_study, make_key, cli):
    make_key()
    folder = make_study()
    (folder / "a\x1b[2J\ndlaudit: signed").write_text("")
    code, text = cli("sign", folder)
    assert code == 5
    assert r"a\x1b[2J\x0adlaudit: signed is extra" in text
    assert len(text.splitlines()) == 1


def test_an_invalid_manifest_is_not_signed(make_study, make_key, cli, tools):
    make_key()
    folder = make_study()
    value = tools.read_manifest(folder)
    del value["predicate"]["plan"]
    tools.write_manifest(folder, value)
    code, text = cli("sign", folder, "--detached")
    assert code == 5
    assert "plan" in text


def test_signing_on_another_host(signed, cli, tmp_path):
    folder, trust, _ = signed
    (folder / "manifest.dsse.json").unlink()
    desk = tmp_path / "desk"
    desk.mkdir()
    shutil.copy(folder / "manifest.json", desk)
    code, text = cli("sign", desk / "manifest.json")
    assert code == 5
    assert "is gone" in text
    assert cli("sign", "--detached", desk / "manifest.json")[0] == 0
    shutil.copy(desk / "manifest.dsse.json", folder)
    assert cli("verify", folder, "--trust", trust)[0] == 0


def test_the_same_key_signs_once(signed, cli):
    folder, trust, _ = signed
    assert cli("sign", folder)[0] == 0
    assert len(json.loads((folder / "manifest.dsse.json").read_bytes())["signatures"]) == 1
    assert cli("verify", folder, "--trust", trust)[0] == 0


def test_an_envelope_over_other_bytes_is_not_replaced(signed, cli, make_study):
    folder, _, _ = signed
    other = make_study("other")
    shutil.copy(folder / "manifest.dsse.json", other)
    before = (other / "manifest.dsse.json").read_bytes()
    code, text = cli("sign", other)
    assert code == 2
    assert "over other bytes" in text
    assert (other / "manifest.dsse.json").read_bytes() == before
