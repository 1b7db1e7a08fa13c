"""Strict JSON: what is accepted means what json.dumps wrote, what is refused is named with its place."""

import json
import re
import sys

import pytest
from dlaudit.schemas import strict_json
from dlaudit.schemas.errors import UserError
from hypothesis import example, given, settings
from hypothesis import strategies as st

numbers = st.integers(-(10**16) + 1, 10**16 - 1) | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(codec="utf-8"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=30,
)


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_what_json_writes_is_read_back(value, ascii_only, indent):
    data = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()
    read = strict_json.loads(data, "x.json")
    assert read == value
    assert json.dumps(read) == json.dumps(value)  # == alone takes 1, 1.0 and true for the same


@settings(max_examples=500)
@given(st.binary(max_size=60) | st.text('[]{}",:\\u0d8-1eE.+nNaIfty \n', max_size=40).map(str.encode))
@example(b'{"a": 1, "a": NaN, "\\ud800": 1e999')
@example(b'[NaN, {"a": 1, "a"')
@example(b"[99999999999999999x")
@example(b"[1e999.]")
@example(b"[-Infinityx]")
@example(b'{"a": [{"b": 1}, "c"], "a": "')
def test_no_bytes_raise_anything_but_a_user_error_with_a_place(data):
    try:
        value = strict_json.loads(data, "x.json")
        assert json.loads(data) == value
    except UserError as error:
        refusal = error
    else:
        return
    assert re.fullmatch(r"x\.json:[1-9][0-9]*:[1-9][0-9]*", refusal.where)
    assert refusal.todo
    assert len(str(refusal)) < 300


REFUSED = [
    (b'{"a": 1,\n "b": {"x": 1, "a": 2}, "a": 3}', "2:25", "given twice"),
    (b'{"\\u0061": 1, "a": 2}', "1:15", "given twice"),
    (b"[1,\n  NaN]", "2:3", "NaN is not a number"),
    (b"[-Infinity]", "1:2", "-Infinity is not a number"),
    (b"[1, 1e999]", "1:5", "too large for a 64-bit float"),
    (b"[12345678901234567]", "1:2", "more than 16 digits"),
    (b"[" + b"9" * 5000 + b"]", "1:2", "more than 16 digits"),
    (b'["a", "\\ud800"]', "1:7", "surrogate"),
    (b'{"\\udc00\\ud800": 1}', "1:2", "surrogate"),
    (b"[1,]", "1:4", "not readable as JSON"),
    (b'["a\nb"]', "1:4", "not readable as JSON"),
    (b"\xef\xbb\xbf{}", "1:1", "byte order mark"),
    ('{"a": 1}'.encode("utf-16"), "1:1", "UTF-16"),
    ('{"a": 1}'.encode("utf-32-be"), "1:1", "UTF-32"),
    (b'{"a":\n"\xff"}', "2:2", "not UTF-8"),
    (b" \n", "1:1", "empty"),
    (b"[" * 65 + b"]" * 65, "1:65", "64 levels"),
    (b'{"a":' * 100_000, "1:321", "64 levels"),
    (b'["[[[", "\\"[", ' + b"[" * 64 + b"]" * 64 + b"]", "1:79", "64 levels"),
]


@pytest.mark.parametrize(("data", "place", "what"), REFUSED, ids=range(len(REFUSED)))
def test_refusals_name_the_place(data, place, what):
    with pytest.raises(UserError) as caught:
        strict_json.loads(data, "x.json")
    assert caught.value.where == f"x.json:{place}"
    assert what in caught.value.what


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 64 + b"]" * 64,
        json.dumps("[" * 1000).encode(),
        json.dumps(['a"[' * 500] * 3).encode(),
        b'["\\ud83d\\ude00", "\\\\ud800"]',
        b"[1234567890123456, -1234567890123456, 1e-999]",
        b'[{"a": 1}, {"a": 1}, {"b": {"a": 1}, "a": ["a", "a"]}]',
    ],
)
def test_neighbours_of_refusals_are_accepted(data):
    assert strict_json.loads(data, "x.json") == json.loads(data)


def test_limits_are_parameters():
    assert strict_json.loads(b"[12345678901234567890]", "x", integer_digits=20) == [12345678901234567890]
    with pytest.raises(UserError, match="larger than 3 bytes"):
        strict_json.loads(b"[1]\n", "x", limit_bytes=3)


def test_a_flood_of_lists_is_refused_before_it_takes_memory():
    with pytest.raises(UserError, match="objects and lists"):
        strict_json.loads(b"[" + b"[]," * 1_000_000 + b"[]]", "x.json")


@given(values, st.sampled_from([None, 1]), st.data())
def test_a_position_is_the_first_character_of_the_value(value, indent, data):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    positions = strict_json.Positions(text)
    pointer, here = "", value
    while isinstance(here, list | dict) and here:
        step = data.draw(st.sampled_from(range(len(here)) if isinstance(here, list) else sorted(here)))
        pointer += "/" + str(step).replace("~", "~0").replace("/", "~1")
        here = here[step]
    found, _ = json.JSONDecoder().raw_decode(text, positions.offset(pointer))
    assert json.dumps(found) == json.dumps(here)
    assert positions.offset(pointer + "/missing/0") == positions.offset(pointer)


def work(function, *arguments):
    """Count the Python and C calls and returns that a call makes: a measure that no busy machine disturbs."""
    count = 0

    def tally(*_):
        nonlocal count
        count += 1

    sys.setprofile(tally)
    try:
        function(*arguments)
    except UserError:
        pass
    finally:
        sys.setprofile(None)
    return count


FLOODS = [
    lambda n: b"[" + b"NaN," * n + b"1]",
    lambda n: b'["' + b'\\"' * n,
    lambda n: b"[" + b"[]," * n + b"1]",
    lambda n: b"[" + b'"a",' * n + b"NaN]",
    lambda n: b"{" + b",".join(b'"%d":{"a":1}' % i for i in range(n)) + b',"0":1}',
    lambda n: b"[" * n,
    lambda n: b'{"":' * n,
]


@pytest.mark.parametrize("flood", FLOODS, ids=range(len(FLOODS)))
def test_work_grows_no_faster_than_the_input(flood):
    small, large = (work(strict_json.loads, flood(n), "x.json") for n in (1000, 4000))
    assert large <= 4.5 * small + 100


@pytest.mark.parametrize("character", ['\\"', "a", "\\\\", "[", '"'])
def test_the_string_pattern_reads_each_character_once(character):
    """An unterminated string is one match that ends with the text, so no second search begins inside it."""
    matches = list(strict_json._STRING_BYTES.finditer(f'"{character * 1000}'.encode()))
    assert len(matches) == (1 if character != '"' else 501)
    assert sum(match.end() - match.start() for match in matches) == 1 + 1000 * len(character)


def test_many_places_in_one_document_cost_one_pass(monkeypatch):
    count = 20_000
    positions = strict_json.Positions(json.dumps({"a": list(range(count)), "b": {"c": 1}}))
    first = work(positions.offset, "/a/0")
    rest = work(lambda: [positions.offset(f"/a/{index}") for index in range(0, count, 100)])
    assert first > count
    assert rest < first
