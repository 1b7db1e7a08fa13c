"""What a file is, told by its content; and what is refused before anything reads it."""

import gzip
import json
import pickle
import zipfile
import zlib

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.importers.detection import detect
from dlaudit.audit.importers.registry import importers
from dlaudit.audit.importers.report_file import open_report
from dlaudit.schemas.errors import UserError

REPORT = {
    "machine_info": {},
    "benchmarks": [{"name": "test_a", "stats": {"mean": 0.5, "rounds": 5}}],
}


def found(data, name="anything.txt"):
    return detect(open_report(name, data), importers())


def test_the_name_says_nothing():
    assert found(json.dumps(REPORT).encode(), "notes.md").importer.name == "pytest-benchmark"


def test_a_byte_order_mark_and_gzip_are_read_through():
    data = json.dumps(REPORT).encode()
    assert found(b"\xef\xbb\xbf" + data).importer.name == "pytest-benchmark"
    assert found(gzip.compress(data)).importer.name == "pytest-benchmark"


def test_a_near_miss_names_what_is_missing(tmp_path, capsys):
    path = tmp_path / "report.json"
    path.write_text(json.dumps({"benchmarks": [{"stats": {"mean": 0.5}}], "machine_info": {}}))
    assert run(["lint", str(path)]) == 2
    said = capsys.readouterr().err
    assert "pytest-benchmark, JSON, but lacks benchmarks.0.stats.rounds" in said


@pytest.mark.parametrize("text", ["", "hello\n", "{}", "[]", "# Title\n\nNo table here.\n"])
def test_what_matches_nothing_says_so(tmp_path, capsys, text):
    path = tmp_path / "x.txt"
    path.write_text(text)
    assert run(["lint", str(path)]) == 2
    said = capsys.readouterr().err
    known = "neither a submission nor a study's manifest, and no report that an importer reads"
    assert (known if text else "it is empty") in said
    assert said.count("\n") == 1


def test_broken_json_is_told_with_its_place(tmp_path, capsys):
    path = tmp_path / "report.json"
    path.write_text('{"benchmarks": [\n  {"stats": }\n]}')
    assert run(["lint", str(path)]) == 2
    assert "report.json:2:13: not readable as JSON" in capsys.readouterr().err


def test_pickles_are_refused_and_never_opened(tmp_path, capsys):
    path = tmp_path / "training_args.bin"
    path.write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    assert run(["lint", str(path)]) == 2
    assert "a pickle: reading one runs code" in capsys.readouterr().err
    assert not (tmp_path / "sprung").exists()


class Trap:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_archives_are_refused(tmp_path, capsys):
    path = tmp_path / "results.csv"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("results.json", json.dumps(REPORT))
    assert run(["lint", str(path)]) == 2
    assert "a ZIP archive" in capsys.readouterr().err


def test_a_gzip_bomb_is_refused_before_it_fills_the_memory():
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(1 << 24)) for _ in range(20)) + packer.flush()
    assert len(bomb) < 1 << 20
    with pytest.raises(UserError, match="unpacks to more than"):
        open_report("bomb.json.gz", bomb)


@pytest.mark.parametrize("cut", [20, -4])
def test_a_cut_gzip_file_is_refused(cut):
    with pytest.raises(UserError, match="gzip"):
        open_report("x.json.gz", gzip.compress(json.dumps(REPORT).encode())[:cut])


@pytest.mark.parametrize("deep", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 100 + b"]" * 100])
def test_deep_json_ends_in_one_line(tmp_path, capsys, deep):
    path = tmp_path / "deep.json"
    path.write_bytes(deep)
    assert run(["lint", str(path)]) == 2
    assert "nested more than 64 levels" in capsys.readouterr().err


def test_binary_files_are_refused():
    with pytest.raises(UserError, match="binary"):
        open_report("x.csv", b"a,b\0\n")


def test_an_empty_folder_is_nothing_to_assess(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("nothing")
    assert run(["lint", str(tmp_path)]) == 3
    assert "nothing to assess" in capsys.readouterr().err


def test_import_lists_its_importers_and_refuses_other_names(tmp_path, capsys):
    assert run(["draft", "--list"]) == 0
    assert "pytest-benchmark" in capsys.readouterr().out
    path = tmp_path / "x.json"
    path.write_text("{}")
    assert run(["draft", "--from", "no-such", str(path)]) == 2
    assert "there is no importer 'no-such'" in capsys.readouterr().err


def test_import_writes_a_draft_and_names_what_it_left_out(tmp_path, capsys):
    path = tmp_path / "report.json"
    path.write_text(json.dumps(REPORT | {"version": "4.0.0"}))
    assert run(["draft", str(path), str(tmp_path / "draft.yaml")]) == 0
    assert "# not used: version" in (tmp_path / "draft.yaml").read_text()
    assert run(["lint", str(tmp_path / "draft.yaml"), "--fail-on", "never"]) == 0
    assert run(["draft", str(path), str(tmp_path / "draft.yaml")]) == 2
