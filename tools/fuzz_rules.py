"""Look for documents on which a rule stops: `make fuzz COUNT=100000 SEED=1`.

Each document is an example of a rule with a few of its values replaced by hostile ones or left out, valid under its
schema. Most are cut short first: one claim, few trials, few raw numbers. The rules are asked directly; of every few
hundred documents one goes to lint as a file would, valid or not, and ends with a report or one clear error. What is
found is printed with the shortest list of changes that still shows it.
"""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import count as numbers_from
from multiprocessing import get_context
from pathlib import Path as FilePath
from typing import Any

from dlaudit.audit.lint.document import Document
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.settings import Settings
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case, Study
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.collector import collector_paused
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import is_valid
from msgspec import Struct, json

PROCESSES = 2
A_SHARE = 400
"""Documents that a process judges before it tells what it found."""
WHOLE_OF = 30
"""Of so many documents one is as long as its example."""
FRONT_DOOR_OF = 250
FULL_OF = 20
"""Of so many shares one ends with a search of all memory for cycles."""
SLOW_S = 3.0
MOST_NUMBERS, MOST_TRIALS = 6, 3
CUT = frozenset({"trials", "runs"})
"""Objects of which a short document keeps the first few entries."""

NUMBERS = (0, -1, 1, 2, 3, 0.5, -0.0, 1e-59, 1e59, -1e59, 1e-12, 9007199254740991, 1e16, 100, 99.9999, 1e9)
PRINTED = (
    "0",
    "-0",
    "-3",
    "1e59",
    "1e-59",
    "0.000",
    "100",
    "9" * 40,
    "0." + "0" * 37 + "1",
    "50.0",
    "7",
    "1e16",
    "-1e59",
)
TEXTS = (
    "",
    "-",
    "x",
    "0",
    "1/0",
    "NaN",
    "H100" * 50,
    "8 x A100, 2 x H100",
    "fp8",
    "-" * 200,
    "\u0661\u0662",
    "10 %",
    "µs",
    "1e999 images/s",
)
DAYS = ("0001-01-01", "9999-12-31", "2024-02-29", "2026-06-01")
ABSENT = object()
"""Stands for a value that is left out."""
Path = tuple[str | int, ...]
Change = tuple[Path, Any]


class Base(Struct, frozen=True):
    """A document to change.

    Attributes:
        value: as JSON.
        signature: of the studies that it cites.
        paths: of what may be changed.
    """

    value: Any
    signature: str
    paths: tuple[Path, ...]


class Find(Struct, frozen=True):
    """A way in which something stops, and the document that shows it."""

    way: str
    shown: str


def main(count: int, seed: int, limit_s: float) -> int:
    """Judge documents until there were enough, or the time is up; return 1 where a rule stopped."""
    found: dict[str, Find] = {}
    start, judged = time.monotonic(), 0
    bases()
    # what lives by now is shared with the processes, and lives on: none of it is searched for cycles
    gc.freeze()
    with ProcessPoolExecutor(PROCESSES, get_context("fork")) as pool:
        shares = numbers_from()
        running = [pool.submit(share, seed, next(shares)) for _ in range(2 * PROCESSES)]
        while running:
            finds, documents = running.pop(0).result()
            judged += documents
            if judged < count and time.monotonic() - start < limit_s:
                running.append(pool.submit(share, seed, next(shares)))
            for find in finds:
                if find.way not in found:
                    found[find.way] = find
                    print(f"{find.way}: {find.shown}", flush=True)
    spent = time.monotonic() - start
    rate = judged / max(spent, 1e-9)
    print(f"{judged:,} documents, {len(found)} ways in which a rule stops, {spent:.0f} s ({rate:.0f}/s), seed {seed}")
    return 1 if found else 0


@collector_paused()
def share(seed: int, number: int) -> tuple[list[Find], int]:
    """Judge some documents; return what was found, and how many were valid."""
    rng = random.Random(f"{seed}/{number}")  # noqa: S311 - not for secrets
    whole, short = bases()
    found: dict[str, Find] = {}
    judged = 0
    for _ in range(20 * A_SHARE):
        if judged == A_SHARE:
            break
        chosen = rng.choice(whole if rng.randrange(WHOLE_OF) == 0 else short)
        changes = mutations(chosen, rng)
        hostile = changed(chosen.value, changes)
        stops = at_front_door if rng.randrange(FRONT_DOOR_OF) == 0 else stopped
        if stops is stopped and not is_valid("submission", hostile):
            continue
        judged += 1
        for way in stops(hostile, chosen.signature):
            if way not in found:
                small = shrunk(chosen, changes, way, stops)
                found[way] = Find(way, f"{chosen.value.get('title', '')[:60]!r} with {small}")
    # what lives on from share to share is looked through now and then
    gc.collect(1 if number % FULL_OF else 2)
    return list(found.values()), judged


@cache
def bases() -> tuple[list[Base], list[Base]]:
    """Return the valid examples of all rules, as they are and cut short."""
    whole, short = [], []
    for rule in book():
        for part in ("Flagged", "Accepted"):
            found = example(sections(rule.doc)[part])
            value, signature = merge_patch(base(found.base), found.patch), found.study or "absent"
            if is_valid("submission", value):
                whole.append(_based(value, signature))
                cut = (shortened(about(value, claim)) for claim in value["claims"])
                short += [_based(each, signature) for each in cut if is_valid("submission", each)]
    return whole, short


def _based(value: Any, signature: str) -> Base:
    return Base(value, signature, tuple(leaves(value)))


def about(value: Any, claim: str) -> Any:
    """Return a document with one claim, and of its tables, arms and systems those that it leads to."""
    kept = {**value, "claims": {claim: value["claims"][claim]}}
    for part in ("tables", "arms", "systems"):
        if part in value:
            names = set(
                _texts([kept[other] for other in ("claims", "tables", "arms") if other in kept and other != part])
            )
            kept[part] = {name: item for name, item in value[part].items() if name in names}
    return kept


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def shortened(value: Any, key: str = "") -> Any:
    """Return a document with the first of its trials, runs and raw numbers alone."""
    if isinstance(value, dict):
        kept = list(value.items())[: MOST_TRIALS if key in CUT else None]
        return {name: shortened(item, name) for name, item in kept}
    if isinstance(value, list) and value and isinstance(value[0], (int, float)):
        return value[:MOST_NUMBERS]
    return [shortened(item) for item in value] if isinstance(value, list) else value


def stopped(value: Any, signature: str) -> list[str]:
    """Return the rules that stop on a document, each with the kind of the error, and that it takes too long."""
    studies = {name: Study(name, None, signature) for name in value.get("manifests", {})}  # type: ignore[arg-type]
    start = time.process_time()
    try:
        results = judge(Case(to_model(value, Submission), studies, nonce="2f1c9b0e7a"), book())
    except Exception as error:
        return [f"no rule: {type(error).__name__}: {_at(error)}"]
    slow = time.process_time() - start > SLOW_S
    stops = [f"{each.code}: {each.reason.partition(':')[0]}" for each in results if each.outcome is Outcome.ERROR]
    return [*stops, *(["it takes too long"] if slow else [])]


def at_front_door(value: Any, signature: str) -> list[str]:
    """Return how lint stops on a document: neither a report nor one clear error."""
    del signature
    try:
        source = parse(json.encode(value), "submission.json")
        lint(Document(source, "submission", FilePath("/nonexistent")), Settings("reviewer"))
    except UserError:
        return []
    except Exception as error:
        return [f"lint: {type(error).__name__}: {_at(error)}"]
    return []


def _at(error: Exception) -> str:
    """Return where an error was raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{FilePath(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""


def mutations(base: Base, rng: random.Random) -> list[Change]:
    """Return a few paths of a document with what is to stand there."""
    paths = rng.sample(base.paths, min(len(base.paths), rng.randint(1, 4)))
    return [(path, hostile(at(base.value, path), rng)) for path in paths]


def hostile(old: Any, rng: random.Random) -> Any:
    """Return another value of about the same kind; rarely none."""
    if rng.randrange(12) == 0:
        return ABSENT
    if isinstance(old, bool):
        return not old
    if isinstance(old, (int, float)):
        return rng.choice((*NUMBERS, old * 1e6, -old, old + 1))
    if isinstance(old, list):
        return rng.choice(([], old[:1], old * 2, list(reversed(old)), [rng.choice(NUMBERS)] * max(1, len(old))))
    if isinstance(old, str):
        if old[:4].isdigit() and old[4:5] == "-":
            return rng.choice(DAYS)
        if old.lstrip("-")[:1].isdigit():
            return rng.choice(PRINTED)
        return rng.choice((*TEXTS, old[::-1], old.upper(), f"{old} {rng.choice(PRINTED)}"))
    return rng.choice(NUMBERS)


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the path of each value that holds no others, of lists and of their items."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
        return
    yield path
    for index, item in enumerate(value[:20] if isinstance(value, list) else ()):
        yield from leaves(item, (*path, index))


def at(value: Any, path: Path) -> Any:
    """Return what stands at a path."""
    for step in path:
        value = value[step]
    return value


def changed(value: Any, changes: list[Change]) -> Any:
    """Return a document with changes; one within a list that another change removed is left out."""
    for path, new in changes:
        value = _put(value, path, new)
    return value


def _put(value: Any, path: Path, new: Any) -> Any:
    step, *rest = path
    if isinstance(value, dict) and step in value:
        if not rest and new is ABSENT:
            return {key: item for key, item in value.items() if key != step}
        return {**value, step: _put(value[step], tuple(rest), new) if rest else new}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        here = [] if not rest and new is ABSENT else [_put(value[step], tuple(rest), new) if rest else new]
        return [*value[:step], *here, *value[step + 1 :]]
    return value


def shrunk(base: Base, changes: list[Change], way: str, stops: Callable[[Any, str], list[str]]) -> list[Any]:
    """Return fewer changes under which it still stops."""
    for change in list(changes):
        fewer = [each for each in changes if each is not change]
        smaller = changed(base.value, fewer)
        valid = stops is at_front_door or is_valid("submission", smaller)
        if valid and way in stops(smaller, base.signature):
            changes = fewer
    return [(path, "left out" if new is ABSENT else new) for path, new in changes]


if __name__ == "__main__":
    given = [float(text) for text in sys.argv[1:4]]
    count, seed, limit_s = (*given, *(1000, 1, 1e9)[len(given) :])
    sys.exit(main(int(count), int(seed), limit_s))
