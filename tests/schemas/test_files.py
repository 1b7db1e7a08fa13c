"""Files: a write is whole or not at all, and nothing outside a document's folder is opened."""

import hashlib
import json
import os
import stat
from pathlib import Path

import pytest
from dlaudit.schemas.digest import canonical, option_set_digest, sha256_hex
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.files import open_beneath, sha256_file, write_atomic
from hypothesis import given
from hypothesis import strategies as st


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "sub" / "inside.json").write_bytes(b"inside")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_bytes(b"secret")
    return root


def test_a_file_below_the_folder_is_opened(folder):
    with open_beneath(folder, "sub/inside.json") as file:
        assert file.read() == b"inside"


PATHS = (
    "../outside/secret|sub/../../outside/secret|./sub/inside.json|sub//inside.json|sub/|/etc/passwd||.|..|sub/..|a\\b"
)
PATHS += "|C:x|sub/inside.json\0|sub/inside.json\n|\x1b[31m"


@pytest.mark.parametrize("path", PATHS.split("|"))
def test_paths_that_mean_different_things_are_refused_unread(folder, path):
    with pytest.raises(UserError, match="is not allowed"):
        open_beneath(folder, path)


@posix
def test_links_pipes_and_folders_are_refused(folder):
    (folder / "link").symlink_to("sub/inside.json")
    (folder / "away").symlink_to(folder.parent / "outside")
    (folder / "loop").symlink_to("loop")
    os.mkfifo(folder / "pipe")
    for path in ("link", "away/secret", "loop", "pipe", "sub", "nope", "sub/inside.json/x", "x" * 255):
        with pytest.raises(UserError):
            open_beneath(folder, path)


@posix
def test_the_way_without_folder_descriptors_refuses_the_same(folder, monkeypatch):
    """What Windows takes; here it runs on POSIX files."""
    monkeypatch.setattr(os, "supports_dir_fd", set())
    with open_beneath(folder, "sub/inside.json") as file:
        assert file.read() == b"inside"
    (folder / "link").symlink_to("sub/inside.json")
    (folder / "away").symlink_to(folder.parent / "outside")
    for path in ("link", "away/secret", "sub", "nope", "sub/inside.json/x"):
        with pytest.raises(UserError):
            open_beneath(folder, path)


@posix
def test_the_folder_itself_may_be_a_link(folder):
    (folder.parent / "alias").symlink_to(folder)
    with open_beneath(folder.parent / "alias", "sub/inside.json") as file:
        assert file.read() == b"inside"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_no_descriptor_stays_open(folder):
    os.mkfifo(folder / "pipe")
    before = names("/proc/self/fd")
    for path in ("pipe", "sub", "nope", "sub/inside.json/x", "sub/nope"):
        with pytest.raises(UserError):
            open_beneath(folder, path)
    assert names("/proc/self/fd") == before


def test_a_write_replaces_the_whole_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "a.json"
    write_atomic(path, b"old and longer")
    write_atomic(str(path), b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.json"]


@posix
def test_permissions_are_asked_for(tmp_path):
    write_atomic(tmp_path / "key", b"x", mode=0o600)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing_beside(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_bytes(b"")
    for path in (tmp_path / "folder", tmp_path / "no" / "such"):
        with pytest.raises(UserError, match="cannot be written"):
            write_atomic(path, b"new")
    assert names(tmp_path) == ["folder"]


def test_digests_of_files_and_bytes_agree(tmp_path):
    data = b"x" * 3_000_000
    (tmp_path / "x").write_bytes(data)
    assert sha256_file(tmp_path / "x") == sha256_hex(data) == hashlib.sha256(data).hexdigest()
    with open_beneath(tmp_path, "x") as file:
        assert sha256_file(file) == sha256_hex(data)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_canonical_bytes_keep_the_value_and_forget_the_order(value):
    data = canonical(value)
    assert json.dumps(json.loads(data), sort_keys=True) == json.dumps(value, sort_keys=True)
    assert canonical(dict(reversed(value.items()))) == data
    assert b"\n" not in data


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
def test_what_has_no_canonical_form_is_refused(value):
    with pytest.raises(ValueError):
        canonical({"a": value})
    with pytest.raises(UserError):
        option_set_digest({"a": value})


def test_an_option_set_digest_tells_values_apart_and_not_their_spelling():
    base = option_set_digest({"precision": {"compute": "bf16", "tf32": False}, "global_batch": 256})
    assert base.startswith("sha256:")
    assert base == option_set_digest({"global_batch": 256.0, "precision": {"tf32": False, "compute": "bf16"}})
    assert base != option_set_digest({"global_batch": 256, "precision": {"tf32": 0, "compute": "bf16"}})
    assert base != sha256_hex(canonical({"precision": {"compute": "bf16", "tf32": False}, "global_batch": 256}))
    with pytest.raises(UserError, match="canonical form"):
        option_set_digest({"global_batch": 2**53})
