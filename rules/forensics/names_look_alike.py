"""F58: names that look alike and are spelt differently."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ...schemas.model import Node
from ..case import Case, Side
from ..language.text import disguised, seen
from ..outcome import C3, CAVEAT, Branch, Related, Violation
from ..registry import document_rule

MOST_NAMED = 5
Name = tuple[str, Node, tuple[str, ...]]
"""A name, and its place: a node with the steps below it."""


@document_rule("F58", "names-look-alike", effect=CAVEAT, confidence=C3, origin="MEAS")
def names_look_alike(case: Case) -> Iterator[Branch]:
    r"""Names that a reader takes for the same, or for plain words, and that are spelt in other characters.

    ## What it does
    Looks at the names that are compared: labels of arms and rows, metrics, models, data sets and other options, systems
    and their devices. A letter of another script that is printed as a Latin one is (a Cyrillic "a" in "accuracy"), and
    a character that is not seen, are named. So are two names that look alike and differ in such characters, in
    full-width letters and digits, or in kinds of dashes.

    ## Why it misleads
    A reader sees one name, and a program two: what is compared is then not what seems to be. Other rules take each name
    as it is spelt.

    ## Branches
    - (a) caveat, C3: two names look alike and differ in characters.
    - (b) caveat, C3: a name holds a look-alike of a Latin letter beside Latin ones, or a character that is not seen.

    ## Flagged
    On `comparison`, where the data set of one arm holds a Cyrillic letter:
    ```json
    {"arms": {"ours": {"options": {"dataset": "Im\u0430geNet"}}}}
    ```

    ## Accepted
    On `comparison`, with names of Latin letters, or of another script throughout.

    ## How to fix
    Write each name in one script, and the same name always alike.

    ## References
    Unicode Technical Standard 39, Unicode security mechanisms: confusable and mixed-script detection.
    """
    names = [name for name in _names(case) if name[0]]
    if all(text.isascii() for text, _, _ in names):
        return
    by_look: dict[str, dict[str, Name]] = {}
    for name in names:
        by_look.setdefault(_blanks_aside(seen(name[0])), {}).setdefault(_blanks_aside(name[0]), name)
    alike = [tuple(spelt.values()) for spelt in by_look.values() if len(spelt) > 1]
    if alike:
        yield _alike(alike)
    mixed = [name for spelt in by_look.values() for name in spelt.values() if disguised(name[0])]
    if mixed:
        yield _mixed(mixed)


def _blanks_aside(text: str) -> str:
    """Return a name without what everybody takes for the same: case, and the kind and number of blanks."""
    return " ".join(text.casefold().split())


def _alike(found: list[tuple[Name, ...]]) -> Violation:
    (one, other, *_), *others = found
    more = f", and {len(others)} more" if others else ""
    message = f"two names look alike and are not the same: {_shown(one)} and {_shown(other)}{more}"
    related = (
        Related(_place(other), "the other name"),
        *(Related(_place(each[1]), _shown(each[1])) for each in others),
    )
    return Violation("a", CAVEAT, C3, message, _place(one), related=related[:MOST_NAMED])


def _mixed(found: list[Name]) -> Violation:
    first, *others = found
    more = f", and {len(others)} more" if others else ""
    message = f"a name holds a character that is not what it looks like: {_shown(first)}{more}"
    related = tuple(Related(_place(name), _shown(name)) for name in others[:MOST_NAMED])
    return Violation("b", CAVEAT, C3, message, _place(first), related=related)


def _shown(name: Name) -> str:
    """Return a name with the first of its characters that is not what it looks like, by its name in Unicode."""
    text = name[0]
    odd = disguised(text) or next((character for character in text if not character.isascii()), "")
    named = f" (with U+{ord(odd):04X}, {unicodedata.name(odd, 'a character without a name').lower()})" if odd else ""
    return f"`{text[:60]}`{named}"


def _place(name: Name) -> str:
    _, node, steps = name
    return node.place(*steps)


def _names(case: Case) -> Iterator[Name]:
    for claim in case.submission.claims.values():
        yield claim.metric or "", claim, ("metric",)
    for side in case.sides():
        yield from _of_arm(side)
    for system in case.submission.systems.values():
        yield system.name or "", system, ("name",)
        if isinstance(system.device, str):
            yield system.device, system, ("device",)
    for table in case.submission.tables.values():
        for row in table.rows.values():
            yield row.label or "", row, ("label",)
            yield from _of_options(row.options)


def _of_arm(side: Side) -> Iterator[Name]:
    arm = side.arm
    yield arm.label or "", arm, ("label",)
    yield from _of_options(arm.options)
    if arm.target is not None:
        yield arm.target.metric, arm.target, ("metric",)
    for quality in arm.quality.values():
        yield quality.metric or "", quality, ("metric",)
    for trial in arm.trials.values():
        yield from ((name, trial, ("final", name)) for name in trial.final)
        logged = {name: item for item in reversed(trial.evaluations) for name in item.metrics}
        yield from ((name, item, ("metrics", name)) for name, item in logged.items())


def _of_options(options: Node | None) -> Iterator[Name]:
    """Yield the texts of an option set, and the names of its free options."""
    if options is None:
        return
    for name in options.__struct_fields__:
        value = getattr(options, name)
        if name == "extra":
            yield from ((key, options, ("extra", key)) for key in value)
            yield from ((item, options, ("extra", key)) for key, item in value.items() if isinstance(item, str))
        elif isinstance(value, str) and name != "at":
            yield value, options, (name,)
