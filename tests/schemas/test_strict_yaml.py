"""The strict YAML subset: what it accepts other readers read alike; the rest is refused with a place."""

import json
import re

import pytest
import yaml
from dlaudit.schemas import strict_yaml
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.source import parse
from hypothesis import example, given, settings
from hypothesis import strategies as st

AMBIGUOUS = (
    "yes|No|ON|off|y|n|TRUE|True|Null|~|=|<<|1:30|12:30:45|-1:30|190:20:30.15|012|-07|0o17|0x1F|0b1|1_000|+3|+1.5|.5|5."
    "|1.e5|1e|1_0.5|685.230_15e+03|.inf|-.INF|.nan|nan|Infinity|inf|2024-01-31|2024-1-1|2024-01-31 10:00:00"
    "|2024-01-31t10:00:00Z"
)


@pytest.mark.parametrize("scalar", AMBIGUOUS.split("|"))
def test_ambiguous_scalars_are_refused_plain_and_accepted_quoted(scalar):
    with pytest.raises(UserError, match="quote it") as caught:
        strict_yaml.loads(f"a: 1\nk: {scalar}\n".encode(), "x.yaml")
    assert caught.value.where == "x.yaml:2:4"
    assert strict_yaml.loads(f"k: '{scalar}'".encode(), "x.yaml")[0] == {"k": scalar}


@settings(max_examples=400)
@given(st.text("0123456789-+._:eExob tTnayosfrulN~", max_size=12))
@example("1e3")
def test_a_plain_scalar_is_refused_or_means_what_other_readers_say(scalar):
    """YAML 1.1 (PyYAML) is one of them; JSON is the other, for what is no string."""
    try:
        value = strict_yaml.loads(b"k: " + scalar.encode(), "x.yaml")[0]["k"]
    except UserError:
        return
    if isinstance(value, str):
        assert yaml.safe_load("k: " + scalar) == {"k": value}
    else:
        assert json.dumps(json.loads(scalar)) == json.dumps(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e3", 1000.0),
        ("1.5", 1.5),
        ("-0", 0),
        ("1234567890123456", 1234567890123456),
        ("true", True),
        ("null", None),
        ("1.2.3", "1.2.3"),
        ("3.2x faster", "3.2x faster"),
        ("fp16", "fp16"),
        ("|\n  a\n  b\n", "a\nb\n"),
        ("[1, {n: 2, y: 3}]", [1, {"n": 2, "y": 3}]),
        ('"\\u00e9\\n"', "é\n"),
    ],
)
def test_values(text, value):
    read = strict_yaml.loads(f"k: {text}".encode(), "x.yaml")[0]["k"]
    assert (read, type(read)) == (value, type(value))


REFUSED = [
    ("a: &x 1", "1:4", "anchor"),
    ("a: *x", "1:4", "anchor or alias"),
    ("a: !!str b", "1:4", "tag"),
    ("!x\na: 1", "1:1", "tag"),
    ("a: 1\nb: 2\na: 3", "3:1", "given twice"),
    ("a: {b: 1, 'b': 2}", "1:11", "given twice"),
    ("<<: {a: 1}", "1:1", "without quotes"),
    ("%YAML 1.2\n---\na: 1", "1:1", "directive"),
    ("a: 1\n---\nb: 2", "2:1", "second document"),
    ("1: a", "1:1", "not a string"),
    ("null: a", "1:1", "not a string"),
    ("on: a", "1:1", "without quotes"),
    ("? [a]\n: b", "1:3", "a key that is not"),
    ("a:\nb: 1", "1:3", "no value"),
    ("- a\n-", "2:2", "no value"),
    ("# nothing", "1:10", "empty"),
    ("k: 12345678901234567", "1:4", "more than 16 digits"),
    ("k: 1e999", "1:4", "too large"),
    ('k: "\\x00"', "1:4", "control character"),
    ('k: "\\e[31m"', "1:4", "control character"),
    ('k: "\\ud800"', "1:4", "U+D800"),
    ('k: "\\U00110000"', "1:1", "stands for no character"),
    ("k: a\u2028b", "1:5", "U+2028"),
    ("k: \x07", "1:4", "control character"),
    ("\ufeffk: 1", "1:1", "byte order mark"),
    ("k: a: b", "1:5", "not readable as YAML"),
    ("k: [1, 2", "1:9", "not readable as YAML"),
    ("\tk: 1", "1:1", "not readable as YAML"),
    ("k: " + "[" * 24 + "]" * 24, "1:27", "24 levels"),
    ("- " * 100, "1:49", "24 levels"),
]


@pytest.mark.parametrize(("text", "place", "what"), REFUSED)
def test_refusals_name_the_place(text, place, what):
    with pytest.raises(UserError) as caught:
        strict_yaml.loads(text.encode(), "x.yaml")
    assert what in caught.value.what
    assert caught.value.where == f"x.yaml:{place}"
    assert caught.value.todo


def test_the_size_is_limited():
    with pytest.raises(UserError, match="larger than 262,144 bytes"):
        strict_yaml.loads(b"a: " + b"x" * 262_144, "x.yaml")


@settings(max_examples=300)
@given(st.binary(max_size=60) | st.text("ab01:-?[]{},&*!|>'\"%@`#\\xuU \n\t", max_size=50).map(str.encode))
@example(b"a: |\n  b\n c: 1")
@example(b'"\\xa')
def test_no_bytes_raise_anything_but_a_user_error_with_a_place(data):
    try:
        strict_yaml.loads(data, "x.yaml")
    except UserError as error:
        refusal = error
    else:
        return
    assert re.fullmatch(r"x\.yaml:[1-9][0-9]*:[1-9][0-9]*", refusal.where)
    assert len(str(refusal)) < 400


keys = st.text("abcdef/~ é", min_size=1, max_size=6)
plain_or_quoted = st.text("abc 0-:é#'\"", max_size=8).filter(lambda text: not re.fullmatch(r"-?0[0:]*", text))
"""PyYAML writes 0:0 without quotes, which is refused: it is a number to some readers."""
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | plain_or_quoted,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=15,
)

PIECES = st.sampled_from(
    [
        *" \n\t:-?[]{},&*#|>'\"!%@`\\0aé😀",
        "\n  ",
        "\n- ",
        ": ",
        "- ",
        "a: ",
        "{a: 1",
        "|\n  a\n",
        ">-\n  b\n",
        "''",
        "\r\n",
    ]
)


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")
@settings(max_examples=1500)
@given(st.lists(PIECES, max_size=25).map("".join))
@example("b: [x?y]")
@example("a\tb: 1")
@example(">#\n a")
def test_libyaml_and_the_scanner_in_python_read_alike(text):
    """Whoever has no libyaml gets the same values at the same places, and the same refusals."""

    def outcome():
        try:
            return strict_yaml.loads(text.encode(), "x.yaml")
        except UserError as error:
            return str(error)

    found = outcome()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml, "__with_libyaml__", False)
        assert outcome() == found


@given(values, st.booleans())
def test_what_pyyaml_and_json_write_is_read_back_with_offsets(value, flow):
    """json.dumps writes YAML too, so both styles of each container are met."""
    text = json.dumps(value) if flow else yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000)
    read, offsets = strict_yaml.loads(text.encode(), "x.yaml")
    assert json.dumps(read) == json.dumps(value)
    if flow:
        source = parse(text.encode(), "x.json")
        assert all(offset == source.place(pointer).column - 1 for pointer, offset in offsets.items())
