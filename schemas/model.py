"""Typed models: from a validated JSON value to frozen objects that know their place in the document.

Documents are msgspec Structs: sixty of them cost 1 ms to define, where slots dataclasses would cost 45 ms of every
start. Their modules do not postpone annotations: msgspec would evaluate hundreds of texts at the first document.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from msgspec.structs import astuple, force_setattr

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""Classes of values that hold no nodes: most of a document."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """An object of a document; `at` is its JSON Pointer there."""

    at: str = ""

    def place(self, *steps: str) -> str:
        """Return the JSON Pointer of something inside this node, whether or not it is there."""
        return self.at + "".join("/" + escape(step) for step in steps)


class NotApplicable(Node, frozen=True):
    """A field that does not apply, and why."""

    not_applicable: str


N = TypeVar("N", bound=Node)


def escape(step: str) -> str:
    """Escape one step of a JSON Pointer (RFC 6901)."""
    return step.replace("~", "~0").replace("/", "~1")


def to_model(value: object, kind: type[N], at: str = "") -> N:
    """Turn a JSON value that its schema accepts into a model whose nodes know their pointers.

    Args:
        value: the JSON value.
        kind: the model's class.
        at: JSON Pointer of the value in its document.

    Raises:
        msgspec.ValidationError: the value does not fit the model: the schema was not asked, or disagrees with it.
    """
    try:
        model = msgspec.convert(value, kind)
    except msgspec.ValidationError:
        model = msgspec.convert(_whole(value), kind)
    _locate(model, at)
    return model


def _whole(value: Any) -> Any:
    """Return a value whose whole numbers are integers: for a schema 1.0 is one, for a model it is not."""
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _locate(node: Node, at: str) -> None:
    force_setattr(node, "at", at)
    for value, key in zip(astuple(node), node.__struct_encode_fields__, strict=True):
        if value.__class__ not in _PLAIN and value:
            _locate_inside(value, f"{at}/{key}")


def _locate_inside(value: Any, at: str) -> None:
    if isinstance(value, Node):
        _locate(value, at)
    elif isinstance(value, dict):
        for key, item in value.items():
            if item.__class__ not in _PLAIN:
                _locate_inside(item, f"{at}/{escape(key)}")
    elif isinstance(value, tuple) and value and isinstance(value[0], Node):
        for index, item in enumerate(value):
            _locate(item, f"{at}/{index}")


def stated(value: object) -> bool:
    """Whether a field says something: present, and not marked as not applicable."""
    return value is not None and value != {} and value != () and not isinstance(value, NotApplicable)
