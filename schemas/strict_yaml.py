"""A strict subset of YAML from bytes: what means the same in YAML 1.1, in YAML 1.2 and to a reader's eye.

One document of mappings, lists and scalars, with string keys. No anchors, aliases, tags, merge keys, directives or
repeated keys. A plain scalar is `true`, `false`, `null`, a decimal number as in JSON, or a string that no version of
YAML takes for anything else; the rest (`yes`, `1:30`, `012`, `2024-01-31`, `1_000`) has to be quoted.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from .errors import UserError
from .place import JsonValue, Place, join_pointer, place_at, short
from .strict_json import INTEGER_DIGITS, decode

if TYPE_CHECKING:
    import yaml

LIMIT_BYTES = 256 * 1024
LIMIT_DEPTH = 24

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")
# What some version of YAML reads as something other than the string that stands there.
_AMBIGUOUS = re.compile(
    r"""(?: y | n | yes | no | on | off | true | false | null | ~ | = | << | [-+]?\.?(?:inf|infinity|nan)
      | [-+]? [0-9][0-9_]* (?: :[0-9_]+ )+ (?: \.[0-9_]* )?        # 1:30, base 60
      | [-+]? (?: [0-9][0-9_]* (?: \.[0-9_]* )? | \.[0-9_]+ ) (?: e[-+]?[0-9_]* )?
      | [-+]? 0 (?: x[0-9a-f_]+ | o[0-7_]+ | b[01_]+ )
      | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2} (?: [t\ \t].* )?            # dates and times
    )\Z""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_CONSTANTS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
# PyYAML ends lines at the first three; the fourth may be a mark or a character.
_UNSAFE_CHARACTER = re.compile("[\x85\u2028\u2029\ufeff]")
# libyaml takes some texts that the scanner in Python refuses; all of them hold one of these.
_DIFFERS = re.compile(r"[\t?]|[|>][-+0-9]*#")
_UNSAFE_IN_SCALAR = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


class _RefusedError(Exception):
    def __init__(self, offset: int, what: str, todo: str) -> None:
        super().__init__(what)
        self.offset, self.what, self.todo = offset, what, todo


def loads(data: bytes, name: str, *, limit_bytes: int = LIMIT_BYTES) -> tuple[JsonValue, dict[str, int]]:
    """Read one document.

    libyaml reads what it accepts, twenty times faster; the rest is read, and refused, by the scanner in Python.

    Args:
        data: UTF-8 without a byte order mark.
        name: what errors call the document.
        limit_bytes: larger documents are refused unread; PyYAML's time grows with the square of some inputs.

    Returns:
        the value, and by JSON Pointer the offset in the text where each value begins.

    Raises:
        UserError: with `name:line:column` of the first thing that is refused.
    """
    import yaml

    text = decode(data, name, limit_bytes)
    if yaml.__with_libyaml__ and not _DIFFERS.search(text):
        fast = _Reader(text, yaml.CSafeLoader)
        with suppress(_RefusedError, yaml.YAMLError, ValueError, OverflowError):
            return fast.document(), fast.offsets
    reader = _Reader(text, yaml.SafeLoader)
    try:
        value = reader.document()
    except _RefusedError as error:
        place, what, todo = place_at(text, error.offset), error.what, error.todo
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = place_at(text, min(mark.index, len(text)) if mark else 0)
        # The problem may quote what stands there.
        what = "not readable as YAML: " + " ".join((error.problem or "malformed").split())[:160]
        todo = "correct it there; indentation, a missing quote or a tab is the usual cause"
    except yaml.reader.ReaderError as error:
        place = place_at(text, error.position)
        what, todo = "not readable as YAML: a control character", "remove it"
    except (ValueError, OverflowError):
        # PyYAML hands \U00110000 to chr().
        place, what = Place(1, 1), "not readable as YAML: an escape that stands for no character"
        todo = "write the character itself"
    else:
        return value, reader.offsets
    raise UserError(what, todo, f"{name}:{place.line}:{place.column}")


class _Reader:
    """Builds a value from the events of one document; `offsets` gets where each value begins, by pointer."""

    def __init__(self, text: str, loader: type[yaml.SafeLoader | yaml.CSafeLoader]) -> None:
        import yaml

        self.offsets: dict[str, int] = {}
        self._yaml = yaml
        self._text = text
        self._events = yaml.parse(text, Loader=loader)

    def document(self) -> JsonValue:
        """Read the one document and make sure that it is the only one."""
        yaml = self._yaml
        if match := _UNSAFE_CHARACTER.search(self._text):
            raise _RefusedError(match.start(), f"the invisible character U+{ord(match[0]):04X}", "remove it")
        next(self._events)
        start = next(self._events)
        if not isinstance(start, yaml.DocumentStartEvent):
            raise _RefusedError(_offset(start), "the document is empty", "give a file with a document in it")
        if start.version or start.tags:
            raise _RefusedError(_offset(start), "a YAML directive (%)", "remove the line")
        value = self._value(next(self._events), [])
        next(self._events)
        end = next(self._events)
        if not isinstance(end, yaml.StreamEndEvent):
            raise _RefusedError(_offset(end), "a second document in the file", "give one document a file")
        return value

    def _value(self, event: yaml.Event, steps: list[str | int]) -> JsonValue:
        yaml = self._yaml
        offset = _offset(event)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise _RefusedError(offset, "an anchor or alias (& or *)", "repeat the value, or quote a string")
        if getattr(event, "tag", None) is not None:
            raise _RefusedError(offset, "a YAML tag (!)", "remove it, or quote a string")
        if len(steps) >= LIMIT_DEPTH:
            raise _RefusedError(offset, f"nested more than {LIMIT_DEPTH} levels deep", "flatten the document")
        self.offsets[join_pointer(steps)] = offset
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[JsonValue] = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._value(event, [*steps, len(items)]))
            return items
        members: dict[str, JsonValue] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, members)
            members[key] = self._value(next(self._events), [*steps, key])
        return members

    def _key(self, event: yaml.Event, members: dict[str, JsonValue]) -> str:
        offset = _offset(event)
        if not isinstance(event, self._yaml.ScalarEvent) or event.anchor is not None or event.tag is not None:
            raise _RefusedError(offset, "a key that is not a plain or quoted string", "write a string there")
        # `n` is a field of ours, and no YAML library in use takes it for a truth value where it is a key.
        key = event.value if not event.style and event.value in ("y", "n") else _scalar(event)
        if not isinstance(key, str):
            raise _RefusedError(offset, f"the key {short(event.value)} is not a string", "quote it")
        if key in members:
            raise _RefusedError(offset, f"the key {short(key)} is given twice in one mapping", "keep one of the two")
        return key


def _offset(event: yaml.Event) -> int:
    """Return where an event begins in the text."""
    assert event.start_mark is not None
    return event.start_mark.index


def _scalar(event: yaml.ScalarEvent) -> JsonValue:
    """Return what a scalar means."""
    text: str = event.value
    offset = _offset(event)
    if match := _UNSAFE_IN_SCALAR.search(text):
        what = f"a string with the control character or half pair U+{ord(match[0]):04X}"
        raise _RefusedError(offset, what, "write printable characters")
    if event.style:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _INTEGER.match(text):
        if len(text.lstrip("-")) > INTEGER_DIGITS:
            _refuse_number(offset, f"an integer of more than {INTEGER_DIGITS} digits, which other programs would round")
        return int(text)
    if _NUMBER.match(text):
        number = float(text)
        if number - number != 0.0:
            _refuse_number(offset, f"the number {short(text)} is too large for a 64-bit float")
        return number
    if not text:
        raise _RefusedError(offset, "no value after the colon or dash", 'write one; null or "" where that is meant')
    if _AMBIGUOUS.match(text):
        what = f"{short(text)} without quotes means different things to different YAML readers"
        raise _RefusedError(offset, what, "quote it if it is text, else write true, false, null or a decimal number")
    return text


def _refuse_number(offset: int, what: str) -> NoReturn:
    raise _RefusedError(offset, what, "quote it if it is text, or correct it")
