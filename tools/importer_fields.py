"""Write `audit/importers/fields.pyi`: what an importer may write of each object of a submission, for a type checker.

`make types` runs this before mypy, and so does `make pages`.

Each class of a submission's schema becomes a TypedDict of the same fields: a draft is made of plain JSON values, and
mypy checks their names and types against the schema. Nothing imports the file at run time.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Iterator
from pathlib import Path

import msgspec
from dlaudit.schemas.files import write_atomic
from dlaudit.schemas.model import Node, NotApplicable
from dlaudit.schemas.submission import Submission

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "audit" / "importers" / "fields.pyi"
HEAD = '''"""The objects of a submission as JSON values; tools/importer_fields.py writes this from the schema."""

from collections.abc import Mapping, Sequence
from typing import TypedDict
'''


def text() -> str:
    """Return what the file holds: the classes in the order in which a submission leads to them."""
    return HEAD + "".join(_class(kind) for kind in dict.fromkeys(_reached(Submission, [])))


def _reached(kind: type[Node], seen: list[type[Node]]) -> Iterator[type[Node]]:
    if kind in seen:
        return
    seen.append(kind)
    yield kind
    for field in msgspec.structs.fields(kind):
        for inner in _kinds(field.type):
            yield from _reached(inner, seen)


def _kinds(of: object) -> Iterator[type[Node]]:
    if isinstance(of, type) and issubclass(of, Node) and of is not NotApplicable:
        yield of
    for part in typing.get_args(of):
        yield from _kinds(part)


def _class(kind: type[Node]) -> str:
    fields = (field for field in msgspec.structs.fields(kind) if field.name != "at")
    rows = "".join(f"    {field.encode_name}: {_written(field.type)}\n" for field in fields)
    return f"\nclass {kind.__name__}Fields(TypedDict, total=False):\n{rows}"


def _written(of: object) -> str:
    """Return a type of the schema as that of a JSON value.

    What does not apply is stated by people alone. None stands for what a report does not state; objects are left out.
    """
    origin, parts = typing.get_origin(of), typing.get_args(of)
    if origin in {typing.Union, types.UnionType}:
        objects = any(_kinds(of))
        left_out = {NotApplicable, types.NoneType} if objects else {NotApplicable}
        return " | ".join(_written(part) for part in parts if part not in left_out)
    if origin is tuple:
        return f"Sequence[{_written(parts[0])}]"
    if origin is dict:
        kind = "dict" if any(_kinds(parts[1])) else "Mapping"
        return f"{kind}[{_written(parts[0])}, {_written(parts[1])}]"
    if of is typing.Any:
        return "object"
    assert isinstance(of, type), of
    if of is types.NoneType:
        return "None"
    return f"{of.__name__}Fields" if issubclass(of, Node) else of.__name__


if __name__ == "__main__":
    write_atomic(FILE, text().encode())
    sys.exit(0)
