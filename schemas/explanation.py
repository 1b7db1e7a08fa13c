"""Why a value does not fit its schema, in sentences. Imported only when there is something to explain."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from . import spelling
from .place import join_pointer, short
from .validation import BASE, FOLDER, Problem, local_schema

LIMIT_PROBLEMS = 100
MANY = 1_000
"""Members beyond which only a part of an object or a list is explained."""

Sentence: TypeAlias = tuple[str, str]
"""What is wrong, and what to do."""

Error: TypeAlias = Any
"""A jsonschema.ValidationError; its type says that each attribute may be unset, which none is on an error found."""

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a string",
}


def explain(schema: dict[str, Any], value: object) -> tuple[Problem, ...]:
    """Return what is wrong with a value: the leaf errors, sorted by pointer, without repetitions.

    Args:
        schema: one of our own schemas.
        value: a JSON value that does not fit it.
    """
    validator = _Explainer(schema, registry=local_registry())
    leaves = (problem for error in validator.iter_errors(value) for problem in _problems(error))
    found = list(islice(leaves, LIMIT_PROBLEMS + 1))
    problems = tuple(sorted(set(found[:LIMIT_PROBLEMS]), key=lambda problem: (problem.pointer, problem.what)))
    if len(found) > LIMIT_PROBLEMS:
        rest = Problem("", f"more than {LIMIT_PROBLEMS} problems; the rest is not shown", "correct these first")
        return (*problems, rest)
    return problems


def faulty_part(value: Any, is_valid: Callable[[Any], bool]) -> Any:
    """Return a value with less of what is fine: explaining it takes as long as what is left of it is large.

    Of large objects stay the members that a schema names and a window of the others, of large lists what stands before
    the window's end: the first window in which there is a fault.

    Args:
        value: a JSON value that is not valid.
        is_valid: whether a value is; a hundred times as fast as an explanation.
    """
    low, high, largest = 0, 2 * LIMIT_PROBLEMS, _largest(value)
    if largest <= MANY:
        return value
    while high < 2 * largest:
        part = _window(value, low, high)
        if not is_valid(part):
            return part
        low, high = high, 2 * high
    return value


def _largest(value: Any) -> int:
    """Return the number of members of the largest object or list."""
    if not isinstance(value, (dict, list)):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return max(len(value), max((_largest(item) for item in inner if item.__class__ in (dict, list)), default=0))


def _window(value: Any, low: int, high: int) -> Any:
    if isinstance(value, list):
        return [_window(item, low, high) for item in (value[:high] if len(value) > MANY else value)]
    if not isinstance(value, dict):
        return value
    kept = value
    if len(value) > MANY:
        shown, named = set(islice(value, low, high)), _names()
        kept = {key: item for key, item in value.items() if key in shown or key in named}
    return {key: _window(item, low, high) for key, item in kept.items()}


@cache
def _names() -> frozenset[str]:
    """Return the names of all fields that a schema of ours has."""
    texts = (path.read_text(encoding="utf-8") for path in FOLDER.glob("*.schema.json"))
    return frozenset(name for text in texts for name in _named_in(json.loads(text)))


def _named_in(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            yield from schema["properties"]
        for item in schema.values():
            yield from _named_in(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from _named_in(item)


@cache
def local_registry() -> Registry[Any]:
    """Return the shared definitions: all that a schema of ours refers to outside itself. It retrieves nothing."""
    uri = BASE + "common.schema.json"
    common = Resource.from_contents(local_schema(uri), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource(uri, common).crawl()
    return registry


def _unique_items(_validator: object, unique: bool, instance: object, _schema: object) -> Iterator[ValidationError]:
    """Find repeated items in linear time, where jsonschema compares each item with each other one."""
    if unique and isinstance(instance, list):
        seen = set()
        for index, item in enumerate(instance):
            text = json.dumps(item, sort_keys=True)
            if text in seen:
                yield ValidationError("", path=[index], instance=item)
            seen.add(text)


def _fields(validator: Any, properties: dict[str, Any], instance: object, schema: object) -> Iterator[ValidationError]:
    """Name a field that a schema forbids outright, where jsonschema gives its value alone."""
    forbidden = [name for name, inner in properties.items() if inner is False]
    if isinstance(instance, dict):
        beside = [name for name in instance if name not in forbidden]
        for name in forbidden:
            if name in instance:
                yield ValidationError(
                    "", validator="forbidden", validator_value=beside, instance=name, path=[name], schema=False
                )
    allowed = {name: inner for name, inner in properties.items() if inner is not False}
    yield from Draft202012Validator.VALIDATORS["properties"](validator, allowed, instance, schema) or ()


_Explainer = extend(Draft202012Validator, {"uniqueItems": _unique_items, "properties": _fields})  # type: ignore[no-untyped-call]


def _problems(error: Error) -> Iterator[Problem]:
    """Yield the problems that one error stands for."""
    steps = list(error.absolute_path)
    if error.validator in ("anyOf", "oneOf") and error.context:
        yield from _alternatives(error, steps)
    elif error.validator in ("additionalProperties", "unevaluatedProperties") and isinstance(error.instance, dict):
        yield from _unknown_fields(error, steps)
    elif error.validator == "required":
        yield from _missing_field(error, steps)
    elif "propertyNames" in error.absolute_schema_path and isinstance(error.instance, str):
        what, todo = _sentence(error)
        yield Problem(join_pointer([*steps, error.instance]), f"as a name, {what}", todo)
    else:
        yield Problem(join_pointer(steps), *_sentence(error))


def _alternatives(error: Error, steps: list[str | int]) -> Iterator[Problem]:
    """Yield the leaf errors of the one alternative that was meant, or what all of them ask for."""
    branches: dict[Any, list[Error]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    meant = [
        branch
        for branch in branches.values()
        if not any(inner.validator in ("type", "const", "enum") and not inner.path for inner in branch)
    ]
    if len(meant) == 1:
        for inner in meant[0]:
            yield from _problems(inner)
        return
    heads = [inner for branch in branches.values() for inner in branch if not inner.path]
    pointer = join_pointer(steps)
    if meant and heads and all(inner.validator == "required" for inner in heads):
        names = _or(short(name) for inner in heads for name in _missing(inner))
        yield Problem(pointer, f"one of these fields is needed: {names}", "add one of them")
    elif not meant and all(inner.validator == "type" for inner in heads):
        types = [kind for inner in heads for kind in _as_list(inner.validator_value)]
        yield Problem(pointer, *_wrong_type(types, error.instance))
    else:
        yield Problem(pointer, "none of the allowed forms fits", _expectation(error))


def _missing(error: Error) -> list[str]:
    return [name for name in error.validator_value if name not in error.instance]


def _missing_field(error: Error, steps: list[str | int]) -> Iterator[Problem]:
    # jsonschema yields one error for each name, and says which only in its message.
    for name in _missing(error):
        meaning = _meaning(_properties(error).get(name))
        todo = f"add it: {meaning}" if meaning else "add it"
        yield Problem(join_pointer(steps), f"missing field {short(name)}", todo)


def _unknown_fields(error: Error, steps: list[str | int]) -> Iterator[Problem]:
    known = list(_properties(error))
    patterns = error.schema.get("patternProperties", {}) if isinstance(error.schema, dict) else {}
    for name in error.instance:
        if name not in known and not any(re.search(pattern, name) for pattern in patterns):
            yield Problem(join_pointer([*steps, name]), f"unknown field {short(name)}", _nearest(name, known))


def _properties(error: Error) -> dict[str, Any]:
    result = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    return result if isinstance(result, dict) else {}


def _nearest(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name[:80], known, n=1, cutoff=0.7)
    if close:
        return f"did you mean {short(close[0])}?"
    if not known:
        return "remove it"
    todo = "put it under 'extra', or remove it" if "extra" in known else "remove it"
    return f"{todo}; the fields here are: {', '.join(known)}"


def _sentence(error: Error) -> Sentence:
    """Return what is wrong and what to do, for an error that concerns one value."""
    writer = _SENTENCES.get(str(error.validator))
    if writer is None:
        return f"{_shown(error.instance)} is not allowed here", _expectation(error)
    return writer(error)


def _wrong_type(types: list[str], instance: object) -> Sentence:
    expected = _or(_TYPES.get(kind, kind) for kind in dict.fromkeys(types))
    todo = "write it in quotes" if types == ["string"] and _is_number(instance) else f"write {expected}"
    if "number" in types and isinstance(instance, str) and _NUMBER.match(instance):
        todo = "write it without quotes"
    return f"expected {expected}, got {_kind(instance)}", todo


_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?\Z")


def _is_number(instance: object) -> bool:
    return isinstance(instance, (int, float)) and not isinstance(instance, bool)


def _kind(instance: object) -> str:
    if isinstance(instance, bool):
        return "true" if instance else "false"
    if isinstance(instance, str):
        return "a string"
    if isinstance(instance, dict):
        return "an object"
    if isinstance(instance, list):
        return "a list"
    return "null" if instance is None else f"the number {instance}"


def _shown(instance: object) -> str:
    if isinstance(instance, str):
        return short(instance)
    return _kind(instance) if isinstance(instance, (dict, list)) else json.dumps(instance)[:60]


def _one_of(error: Error) -> Sentence:
    allowed = [_shown(value).strip("'") for value in error.validator_value]
    close = difflib.get_close_matches(error.instance[:80], allowed, n=1, cutoff=0.7) if _is_text(error.instance) else []
    todo = f"did you mean {short(close[0])}?" if close else "write one of them"
    return f"{_shown(error.instance)} is not one of: {', '.join(allowed)}", todo


def _is_text(instance: object) -> bool:
    return isinstance(instance, str)


def _pattern(error: Error) -> Sentence:
    form = str(error.validator_value).replace(r"(?![\s\S])", "$")
    meaning = _meaning(error.schema).rstrip(".")
    spelled = _spelled(error.instance, meaning) if _is_text(error.instance) else ""
    todo = f"write {spelled}" if spelled else f"expected: {meaning or form}"
    return f"{_shown(error.instance)} does not have the right form", todo


def _spelled(text: str, meaning: str) -> str:
    """Return the right spelling of what has the wrong one, by what is expected."""
    expected = {_meaning(schema).rstrip("."): kind for kind, schema in _definitions().items()}.get(meaning, "")
    spell = {"printed": spelling.number, "date": spelling.day, "id": spelling.name}.get(expected)
    return spell(text) if spell is not None else ""


@cache
def _definitions() -> dict[str, Any]:
    found: dict[str, Any] = local_schema(BASE + "common.schema.json")["$defs"]
    return found


def _bound(words: str) -> Callable[[Error], Sentence]:
    def sentence(error: Error) -> Sentence:
        return f"{_shown(error.instance)} is not {words} {error.validator_value}", _expectation(error)

    return sentence


def _size(words: str, unit: str) -> Callable[[Error], Sentence]:
    def sentence(error: Error) -> Sentence:
        length = f"{len(error.instance):,}"
        return f"expected {words} {error.validator_value} {unit}, got {length}", _expectation(error)

    return sentence


def _negated(error: Error) -> Sentence:
    forbidden = error.validator_value.get("enum") if isinstance(error.validator_value, dict) else None
    names = f": {', '.join(map(str, forbidden))} are taken" if isinstance(forbidden, list) else ""
    return f"{_shown(error.instance)} is not allowed here{names}", "write something else or leave it out"


_SENTENCES: dict[str, Callable[[Error], Sentence]] = {
    "type": lambda error: _wrong_type(_as_list(error.validator_value), error.instance),
    "enum": _one_of,
    "const": lambda error: (
        f"expected {_shown(error.validator_value)}, got {_shown(error.instance)}",
        f"write {_shown(error.validator_value)}",
    ),
    "pattern": _pattern,
    "minimum": _bound("at least"),
    "maximum": _bound("at most"),
    "exclusiveMinimum": _bound("above"),
    "exclusiveMaximum": _bound("below"),
    "multipleOf": _bound("a multiple of"),
    "minLength": _size("at least", "characters"),
    "maxLength": _size("at most", "characters"),
    "minItems": _size("at least", "items"),
    "maxItems": _size("at most", "items"),
    "minProperties": _size("at least", "fields"),
    "maxProperties": _size("at most", "fields"),
    "uniqueItems": lambda error: (f"{_shown(error.instance)} is given twice in the list", "keep one of the two"),
    "dependentRequired": lambda error: (
        "a field needs others beside it: "
        + "; ".join(
            f"{name} needs {', '.join(others)}"
            for name, others in error.validator_value.items()
            if name in error.instance and not set(others) <= set(error.instance)
        ),
        "add them",
    ),
    "not": _negated,
    "forbidden": lambda error: (
        f"field {short(error.instance)} is not allowed beside {_or(short(name) for name in error.validator_value)}",
        "keep one of them",
    ),
}


def _as_list(types: str | list[str]) -> list[str]:
    return [types] if isinstance(types, str) else types


def _or(words: Iterable[str]) -> str:
    listed = list(dict.fromkeys(words))
    return " or ".join(filter(None, (", ".join(listed[:-1]), listed[-1])))


def _meaning(schema: object) -> str:
    """Return what a schema describes, in its own words."""
    text = schema.get("description", "") if isinstance(schema, dict) else ""
    return text if isinstance(text, str) else ""


def _expectation(error: Error) -> str:
    meaning = _meaning(error.schema)
    return f"expected: {meaning}" if meaning else "see the documentation of this field"
