"""Strict JSON from bytes: one meaning for every reader, or one clear refusal.

The C parser of the standard library decides, with hooks for what it lets pass: NaN and infinity, numbers that overflow,
integers that other readers would round, and repeated keys. Nesting is counted beforehand, so that no input reaches a
recursion limit. Where a place must be shown, and only then, Python code looks for it in the text. Every step is linear
in the size of the input.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator
from itertools import accumulate
from typing import NoReturn

from .errors import UserError
from .pattern import Pattern
from .place import JsonValue, place_at, short, split_pointer

LIMIT_BYTES = 32 * 1024 * 1024
LIMIT_DEPTH = 64
LIMIT_CONTAINERS = 1_000_000
INTEGER_DIGITS = 16

# A string that never ends still matches, up to the end of the text: failing there would try again at every quote in it.
_STRING = r'"(?:[^"\\]++|\\.)*+"?+'
_STRING_BYTES = re.compile(_STRING.encode(), re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = [{"[": 1, "{": 1, "]": -1, "}": -1}.get(chr(code), 0) for code in range(256)]
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
# A number ends where the parser ends it, whatever stands behind it: [1x] is refused at the x.
_NUMBER = r"NaN|-?Infinity|-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?"
_TOKEN = Pattern(_STRING + r"|[\[\]{}:,]|" + _NUMBER, re.DOTALL)
_MARK = Pattern(_STRING + r"|[\[\]{},]", re.DOTALL)
_DECODER = json.JSONDecoder()
_SPACE = Pattern(r"[ \t\n\r]*+")


class _RefusedError(Exception):
    """A hook met something that JSON's grammar, or Python's reading of it, would have let pass."""


def loads(
    data: bytes,
    name: str,
    *,
    limit_bytes: int = LIMIT_BYTES,
    integer_digits: int = INTEGER_DIGITS,
    foreign: bool = False,
) -> JsonValue:
    """Read one JSON value.

    Args:
        data: UTF-8 without a byte order mark.
        name: what errors call the document.
        limit_bytes: larger documents are refused unread.
        integer_digits: integers with more digits are refused; 16 is what every reader keeps exactly.
        foreign: whether the numbers are another tool's: NaN and infinite ones are then read as they stand.

    Raises:
        UserError: with `name:line:column` of the first thing that is refused.
    """
    text = decode(data, name, limit_bytes)
    _check_nesting(data, text, name)

    def pairs(items: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        result = dict(items)
        if len(result) != len(items):
            raise _RefusedError
        return result

    def integer(digits: str) -> int:
        if len(digits) - (digits[0] == "-") > integer_digits:
            raise _RefusedError
        return int(digits)

    try:
        value: JsonValue = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_float=float if foreign else _finite,
            parse_int=integer,
            parse_constant=float if foreign else _refuse,
        )
        if _SURROGATE_ESCAPE.search(data):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        # The message of the standard library is short and holds nothing of the document.
        raise _error(
            text,
            name,
            error.pos,
            f"not readable as JSON: {error.msg[0].lower()}{error.msg[1:]}",
            "correct it there; a comma too many, or a missing quote, comma or bracket, is the usual cause",
        ) from None
    except (_RefusedError, UnicodeEncodeError):
        raise _first_refused(text, name, integer_digits, foreign=foreign) from None
    return value


def decode(data: bytes, name: str, limit_bytes: int) -> str:
    """Return the text of a document.

    Raises:
        UserError: the document is too large, empty, or not UTF-8 without a byte order mark.
    """
    if len(data) > limit_bytes:
        raise UserError(f"larger than {limit_bytes:,} bytes", "split it, or leave raw numbers in sample files", name)
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")) or b"\0" in data[:4]:
        raise UserError(
            "begins with a byte order mark, or is UTF-16 or UTF-32", "save it as UTF-8 without a mark", f"{name}:1:1"
        )
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        readable = data[: error.start].decode()
        raise _error(readable, name, len(readable), "not UTF-8", "save it as UTF-8") from None
    if not text or text.isspace():
        raise UserError("the document is empty", "give a file with a document in it", f"{name}:1:1")
    return text


def _error(text: str, name: str, offset: int, what: str, todo: str) -> UserError:
    place = place_at(text, offset)
    return UserError(what, todo, f"{name}:{place.line}:{place.column}")


def _finite(digits: str) -> float:
    number = float(digits)
    if number - number != 0.0:
        raise _RefusedError
    return number


def _refuse(_constant: str) -> NoReturn:
    raise _RefusedError


def _check_nesting(data: bytes, text: str, name: str) -> None:
    """Refuse what is nested too deeply, or holds too many objects and lists, before the parser meets it."""
    if data.count(b"[") + data.count(b"{") <= LIMIT_DEPTH:
        return
    brackets = _STRING_BYTES.sub(b"", data).translate(None, _NOT_BRACKETS)
    opened = brackets.count(b"[") + brackets.count(b"{")
    if opened > LIMIT_CONTAINERS:
        raise UserError(f"holds more than {LIMIT_CONTAINERS:,} objects and lists", "split the document", name)
    if opened > LIMIT_DEPTH and max(accumulate(map(_STEP.__getitem__, brackets))) > LIMIT_DEPTH:
        depth = 0
        for mark in _MARK.finditer(text):
            depth += _STEP[ord(mark[0][0])]
            if depth > LIMIT_DEPTH:
                what = f"nested more than {LIMIT_DEPTH} levels deep"
                raise _error(text, name, mark.start(), what, "flatten the document")


def _first_refused(text: str, name: str, integer_digits: int, *, foreign: bool) -> UserError:
    """Find what a hook refused. Up to that place the text is JSON: only its strings and brackets have to be told."""
    keys: list[set[str] | None] = []
    tokens = _TOKEN.finditer(text)
    previous = ""
    for token in tokens:
        word = token[0]
        if word[0] == '"':
            string = json.loads(word) if "\\" in word else word[1:-1]
            fault = _string_fault(string, keys[-1] if keys and previous in ("{", ",") else None)
        elif word[0] in "-0123456789NI":
            fault = _number_fault(word, integer_digits, foreign=foreign)
        else:
            fault = None
            if word in "[{":
                keys.append(set() if word == "{" else None)
            elif word in "]}":
                keys.pop()
        if fault:
            return _error(text, name, token.start(), *fault)
        previous = word
    raise AssertionError("a hook refused what the text does not hold")


def _string_fault(string: str, keys: set[str] | None) -> tuple[str, str] | None:
    if not string.isascii() and any("\ud800" <= character <= "\udfff" for character in string):
        return "half of a surrogate pair in a string", "write the character itself, or both halves of the pair"
    if keys is not None:
        if string in keys:
            return f"the key {short(string)} is given twice in one object", "keep one of the two"
        keys.add(string)
    return None


def _number_fault(word: str, integer_digits: int, *, foreign: bool) -> tuple[str, str] | None:
    if foreign and not word.lstrip("-").isdigit():
        return None
    if word.lstrip("-")[0] in "NI":
        return f"{word} is not a number in JSON", "leave the field out, or write null where it is allowed"
    if word.lstrip("-").isdigit():
        if len(word.lstrip("-")) > integer_digits:
            return (
                f"an integer of more than {integer_digits} digits, which other programs would round",
                "write it as a string, or with an exponent if it is a rounded number",
            )
    elif float(word) - float(word) != 0.0:
        return f"the number {short(word)} is too large for a 64-bit float", "correct the exponent"
    return None


class Positions:
    """Where the values of a valid JSON text begin; each object or list on a way is gone through once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._members: dict[int, dict[str, int] | array[int]] = {}

    def offset(self, pointer: str) -> int:
        """Return the offset of the first character of a value, or of its nearest parent that exists."""
        here = _skip_space(self._text, 0)
        for step in split_pointer(pointer):
            if self._text[here] not in "[{":
                break
            if here not in self._members:
                self._members[here] = _members(self._text, here)
            members = self._members[here]
            if isinstance(members, dict):
                there = members.get(step)
            else:
                # 19 digits are more than any list has; without the limit, int() would refuse long ones.
                index = int(step) if step.isascii() and step.isdigit() and len(step) < 19 else len(members)
                there = members[index] if index < len(members) and str(index) == step else None
            if there is None:
                break
            here = there
        return here


def _members(text: str, opening: int) -> dict[str, int] | array[int]:
    """Return the offsets of the values in the object or list that opens at `opening`."""
    starts = array("q", _member_starts(text, opening))
    if text[opening] == "[":
        return starts
    members = {}
    for start in starts:
        key, end = _DECODER.raw_decode(text, start)
        members[key] = _skip_space(text, _skip_space(text, end) + 1)
    return members


def _member_starts(text: str, opening: int) -> Iterator[int]:
    """Yield where each item of a list, or each key of an object, begins."""
    start = _skip_space(text, opening + 1)
    if text[start] in "]}":
        return
    yield start
    depth = 0
    for mark in _MARK.finditer(text, start):
        character = mark[0][0]
        if character == ",":
            if depth == 0:
                yield _skip_space(text, mark.end())
        elif character != '"':
            depth += _STEP[ord(character)]
            if depth < 0:
                return


def _skip_space(text: str, offset: int) -> int:
    match = _SPACE.match(text, offset)
    assert match is not None
    return match.end()
