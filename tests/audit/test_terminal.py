"""Nothing from a document steers the terminal or hides in it."""

import unicodedata

import pytest
from dlaudit.audit.terminal import inert, safe, width
from hypothesis import given
from hypothesis import strategies as st


def test_examples():
    assert safe("\x1b[31mred\x9b0m") == r"\x1b[31mred\x9b0m"
    assert safe("a\nb\rc\x00\x7f") == r"a\x0ab\x0dc\x00\x7f"
    assert safe("user\u202egnp.exe") == r"user\u202egnp.exe"
    assert safe("zero\u200bwidth\ufeff\U000e0041\ud800") == r"zero\u200bwidth\ufeff\U000e0041\ud800"
    assert safe("Größe 3 µs, 数据, 😀, é") == "Größe 3 µs, 数据, 😀, é"


@given(st.text(st.characters(codec=None)))
def test_no_control_format_or_surrogate_character_passes(text):
    shown = safe(text)
    categories = {unicodedata.category(character) for character in shown}
    assert not categories & {"Cc", "Cs", "Zl", "Zp"}
    shown.encode()
    for character in shown:
        if unicodedata.category(character) == "Cf":
            assert unicodedata.bidirectional(character) not in {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI"}


def test_no_format_character_of_unicode_passes():
    allowed = {"Cf": {"\u0600", "\u0601", "\u0602", "\u0603", "\u0604", "\u0605", "\u06dd", "\u070f"}}
    passing = [c for c in map(chr, range(0x110000)) if unicodedata.category(c) == "Cf" and safe(c) == c]
    visible = {"ARABIC", "SYRIAC", "KAITHI", "EGYPTIAN", "SHORTHAND", "DUPLOYAN"}
    assert [c for c in passing if c not in allowed["Cf"] and unicodedata.name(c).split()[0] not in visible] == []


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("::error file=a::b", r"\x3a:error file=a::b"),
        ("  ::set-output name=x::y", r"  \x3a:set-output name=x::y"),
        ("text ##[error]b", r"text \x23#[error]b"),
        ("##vso[task.complete]", r"\x23#vso[task.complete]"),
        ("a::b, ## c, :x", "a::b, ## c, :x"),
    ],
)
def test_no_line_is_a_command_to_a_service(line, shown):
    assert inert(f"first\n{line}\nlast") == f"first\n{shown}\nlast"


@pytest.mark.parametrize(("columns", "wide"), [("60", 60), ("3", 40), ("200", 200), ("", 108), ("x", 108), ("0", 108)])
def test_the_width_follows_the_environment(monkeypatch, capsys, columns, wide):
    monkeypatch.setenv("COLUMNS", columns)
    assert width(108) == wide
