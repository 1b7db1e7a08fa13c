"""References inside a submission that lead nowhere: no schema sees them, and no rule should have to guess.

They are looked for in the plain value, so that a document with other mistakes is told of all of them at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from ...schemas.model import escape
from ...schemas.validation import Problem

LIMIT_PROBLEMS = 100
MOST_NAMED, MOST_COMPARED = 40, 1000
Value = Mapping[str, Any]


def dangling(submission: object) -> tuple[Problem, ...]:
    """Return a problem for every name that a submission uses and does not define.

    What a cited manifest holds is not looked at: it may be missing, and verification says so. What does not have the
    form that its schema asks for is passed over.
    """
    found = tuple(islice(_problems(_object(submission)), LIMIT_PROBLEMS + 1))
    if len(found) <= LIMIT_PROBLEMS:
        return found
    rest = Problem("", f"more than {LIMIT_PROBLEMS} names lead nowhere; the rest is not shown", "correct these first")
    return (*found[:LIMIT_PROBLEMS], rest)


def _problems(whole: Value) -> Iterator[Problem]:
    arms, systems, tables = (_object(whole.get(name)) for name in ("arms", "systems", "tables"))
    for name, claim in _members(whole, "claims"):
        yield from _claim(claim, f"/claims/{escape(name)}", whole)
    for name, arm in _members(whole, "arms"):
        yield from _known("system", arm.get("system"), systems, f"/arms/{escape(name)}/system")
        yield from _files_alone(arm, f"/arms/{escape(name)}")
    for name, _ in _members(whole, "tables"):
        at, table = f"/tables/{escape(name)}", _object(tables[name])
        yield from _known("row", table.get("base_row"), _object(table.get("rows")), f"{at}/base_row")
        for key, row in _members(table, "rows"):
            there = f"{at}/rows/{escape(key)}"
            yield from _known("arm", row.get("arm"), arms, f"{there}/arm")
            yield from _known("system", row.get("system"), systems, f"{there}/system")
            for column in _object(row.get("values")):
                yield from _known("column", column, _object(table.get("columns")), f"{there}/values/{escape(column)}")


def _files_alone(arm: Value, at: str) -> Iterator[Problem]:
    """Yield a problem for every number that is said to stand in a file, and not where in it."""
    for kind in ("performance", "quality"):
        for name, number in _members(arm, kind):
            place = _object(number.get("printed_at"))
            if "file" in place and not {"at", "line"} & place.keys():
                what = f"{kind} {name!r} is said to stand in a file, and not where in it"
                yield Problem(f"{at}/{kind}/{escape(name)}/printed_at", what, "add at, a JSON Pointer, or line")


def _claim(claim: Value, at: str, whole: Value) -> Iterator[Problem]:
    arms, tables = _object(whole.get("arms")), _object(whole.get("tables"))
    for field in ("measured", "base", "quality"):
        ref = _object(claim.get(field))
        if ref.get("arm") is None:
            continue
        if ref.get("manifest") is not None:
            manifests = _object(whole.get("manifests"))
            yield from _known("manifest", ref["manifest"], manifests, f"{at}/{field}/manifest")
            continue
        yield from _known("arm", ref["arm"], arms, f"{at}/{field}/arm")
        arm = _object(arms.get(ref["arm"])) if isinstance(ref["arm"], str) else {}
        for name, entries in (("metric", arm.get("performance")), ("quality", arm.get("quality"))):
            known = _object(entries)
            # the raw columns of trials may hold what no entry sums up
            if known and (not arm.get("trials") or _close(ref.get(name), known)):
                yield from _known(name, ref.get(name), known, f"{at}/{field}/{name}")
    row = _object(claim.get("row"))
    if row:
        yield from _known("table", row.get("table"), tables, f"{at}/row/table")
        table = _object(tables.get(row["table"])) if isinstance(row.get("table"), str) else {}
        for name in ("row", "base_row") if table else ():
            yield from _known("row", row.get(name), _object(table.get("rows")), f"{at}/row/{name}")


def _known(what: str, name: object, names: Value, at: str) -> Iterator[Problem]:
    if not isinstance(name, str) or name in names:
        return
    close = _close(name, names)
    more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
    shown = ", ".join(list(names)[:MOST_NAMED])
    there = f"write one of: {shown}{more}" if names else f"there is no {what} at all: add it"
    yield Problem(at, f"there is no {what} {name!r}", f"did you mean {close!r}?" if close else there)


def _close(name: object, names: Value) -> str:
    """Return the name that was meant, or nothing."""
    if not isinstance(name, str):
        return ""
    return next(iter(difflib.get_close_matches(name[:80], list(islice(names, MOST_COMPARED)), n=1, cutoff=0.7)), "")


def _members(value: Value, name: str) -> Iterator[tuple[str, Value]]:
    return ((key, _object(item)) for key, item in _object(value.get(name)).items())


def _object(value: object) -> Value:
    return value if isinstance(value, dict) else {}
