"""A draft as a file: YAML with a comment at each place where a person must decide, or plain JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import yaml

from ..terminal import safe
from .questions import Question
from .submission import Value

MOST_TOLD = 20
MOST_CHOICES = 8
WIDTH = 140
HEAD = "# A draft: what was read. Lines with `# ?` ask what a person must decide; leave out what is not stated."


class _Plain(yaml.SafeDumper):
    """Writes a value that stands twice twice: the strict reader knows no anchors."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _quoted(dumper: _Plain, text: str) -> yaml.ScalarNode:
    """Quote what YAML 1.2 reads as a number, and YAML 1.1 does not: 9.75e10."""
    number = text[:1] in "+-.0123456789" and not set(text.casefold()) - set("0123456789.e+-")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"' if number and text else None)


_Plain.add_representer(str, _quoted)


def as_json(value: Value) -> str:
    """Return a submission as JSON, which holds no comments."""
    return json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def as_yaml(value: Value, asked: Mapping[str, tuple[Question, ...]], unused: Iterable[str] = ()) -> str:
    """Return a submission as YAML.

    Args:
        value: the submission.
        asked: what to decide, by the claim above which it is said.
        unused: what of the document was not used.
    """
    lines = [HEAD] if any(asked.values()) else []
    lines += _comments(unused)
    for name, part in value.items():
        if name == "claims":
            lines.append("claims:")
            for key, claim in part.items():
                lines += _claim(key, claim, asked.get(key, ()))
        elif name in {"arms", "systems", "tables"}:
            lines.append(f"{name}:")
            lines += [line for key, each in part.items() for line in _dumped({key: each}, True, 2)]
        else:
            lines += _dumped({name: part}, None, 0)
    return "\n".join(lines) + "\n"


def _comments(unused: Iterable[str]) -> Iterator[str]:
    told = list(dict.fromkeys(unused))
    yield from (f"# not used: {_on_one_line(each)}" for each in told[:MOST_TOLD])
    if len(told) > MOST_TOLD:
        yield f"# not used: {len(told) - MOST_TOLD:,} more numbers or places, which `dlaudit lint` names"


def _claim(key: str, claim: Value, questions: tuple[Question, ...]) -> Iterator[str]:
    """Yield the lines of a claim, each question above the field that it is about, or behind the last one."""
    if not questions and claim.get("put_together"):
        yield from _dumped({key: claim}, True, 2)
        return
    yield f"  {key}:"
    of_field = {question.field: question for question in questions if question.field in claim}
    for name, part in claim.items():
        if name in of_field:
            yield f"    # ? {_asked(of_field[name])}"
        yield from _dumped({name: part}, True, 4)
    for question in questions:
        if question.field not in of_field:
            yield f"    # ? {_asked(question)}"


def _asked(question: Question) -> str:
    """Return a question with what may be written as its answer."""
    choices = [choice for choice in question.choices if choice.changes][:MOST_CHOICES]
    written = []
    for choice in choices:
        first = choice.changes[0]
        shown = first.value if len(choice.changes) == 1 else {each.path[-1]: each.value for each in choice.changes}
        text = _inline(shown)
        written.append(f"{text} ({choice.words})" if len(choice.changes) > 1 else text)
    told = f"{question.ask} {'; '.join(written)}" if written else question.ask
    return _on_one_line(told)


def _inline(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "{" + ", ".join(f"{name}: {_inline(part)}" for name, part in value.items()) + "}"


def _on_one_line(text: str) -> str:
    return safe(" ".join(text.split()))


def _dumped(value: Value, flow: bool | None, indent: int) -> Iterator[str]:
    """Yield the lines of a mapping; its values on as few lines as they fit where they flow."""
    if flow:
        lines = []
        for key, part in value.items():
            name = yaml.dump({key: None}, Dumper=_Plain, allow_unicode=True).split(": null")[0].rstrip("\n")
            text = yaml.dump(
                part, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=True
            )
            first, *rest = text.removesuffix("...\n").rstrip("\n").split("\n")
            lines += [f"{name}: {first}", *(f"  {line}" for line in rest)]
    else:
        text = yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=WIDTH)
        lines = text.rstrip("\n").split("\n")
    yield from (" " * indent + line for line in lines)
