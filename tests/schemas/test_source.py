"""Documents from files, from standard input and from memory, and the places in them."""

import io
import os
import sys

import pytest
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.place import Place
from dlaudit.schemas.source import parse, read

JSON = b'{\n  "a": [1, {"b/c": "x"}],\r\n  "": {"~": null}\n}\n'
YAML = b"a:\n  - 1\n  - b/c: x\n'': {'~': null}\n"


@pytest.mark.parametrize(
    ("data", "name", "places"),
    [
        (JSON, "x.json", {"": (1, 1), "/a": (2, 8), "/a/1": (2, 12), "/a/1/b~1c": (2, 20), "//~0": (3, 13)}),
        (YAML, "x.yaml", {"": (1, 1), "/a": (2, 3), "/a/1": (3, 5), "/a/1/b~1c": (3, 10), "//~0": (4, 11)}),
    ],
)
def test_places(data, name, places):
    source = parse(data, name)
    assert source.value == {"a": [1, {"b/c": "x"}], "": {"~": None}}
    for pointer, (line, column) in places.items():
        assert source.place(pointer) == Place(line, column)
    for missing, parent in [("/a/2", "/a"), ("/a/01", "/a"), ("/a/-", "/a"), ("/a/0/x/y", "/a/0"), ("/zz/y", "")]:
        assert source.place(missing) == source.place(parent)
    assert source.place("/a/" + "9" * 5000) == source.place("/a")


def test_lines_are_shown_without_their_ends():
    source = parse(JSON, "x.json")
    assert source.line(2) == '  "a": [1, {"b/c": "x"}],'
    assert [source.line(number) for number in (0, -1, 6, 99)] == ["", "", "", ""]


def test_columns_count_characters():
    assert parse('["é😀", 1]'.encode(), "x.json").place("/1") == Place(1, 8)


@pytest.mark.parametrize(
    ("name", "data", "form"),
    [
        ("a.yml", b"{}", "yaml"),
        ("A.YAML", b"{}", "yaml"),
        ("a.json", b"{}", "json"),
        ("<stdin>", b" \n{}", "json"),
        ("<stdin>", b"[1]", "json"),
        ("<stdin>", b"a: 1", "yaml"),
    ],
)
def test_the_name_says_the_format_and_else_the_first_character(name, data, form):
    assert parse(data, name).format == form


def test_a_yaml_text_named_json_is_an_error_at_its_place():
    with pytest.raises(UserError, match=r"^x\.json:1:1: not readable as JSON"):
        parse(b"a: 1", "x.json")


def test_a_file_and_standard_input(tmp_path, monkeypatch):
    file = tmp_path / "x.json"
    file.write_bytes(JSON)
    assert (read(file).name, read(str(file)).data) == (str(file), JSON)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(YAML)))
    source = read("-")
    assert (source.name, source.data, source.format) == ("<stdin>", YAML, "yaml")


def test_what_is_no_regular_file_is_refused(tmp_path):
    cases = {tmp_path: "not a regular file", tmp_path / "nope": "no such file", tmp_path / "a\0b": "NUL"}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        cases[tmp_path / "pipe"] = "not a regular file"
    for path, what in cases.items():
        with pytest.raises(UserError, match=what):
            read(path)


def test_size_limits_hold_for_files_and_standard_input(tmp_path, monkeypatch):
    (tmp_path / "x.json").write_bytes(b"[1]\n")
    assert read(tmp_path / "x.json", limit_bytes=4).value == [1]
    with pytest.raises(UserError, match="larger than 3 bytes"):
        read(tmp_path / "x.json", limit_bytes=3)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1]\n")))
    with pytest.raises(UserError, match="larger than 3 bytes"):
        read("-", limit_bytes=3)
