"""Look for documents on which a rule stops: `make fuzz COUNT=100000 SEED=1`.

Each document is an example of a rule with a few of its values replaced by hostile ones, valid under its schema. What is
found is printed with the shortest list of changes that still shows it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case, Study
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

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
Path = tuple[str | int, ...]


def main(count: int, seed: int, limit_s: float) -> int:
    """Judge documents until there were enough, or the time is up; return 1 where a rule stopped."""
    rng, rules = random.Random(seed), book()  # noqa: S311 - not for secrets
    documents = list(examples())
    found: dict[tuple[str, str], str] = {}
    start, judged = time.monotonic(), 0
    while judged < count and time.monotonic() - start < limit_s:
        value, signature = rng.choice(documents)
        changes = mutations(value, rng)
        hostile = changed(value, changes)
        if validate("submission", hostile):
            continue
        judged += 1
        for code, reason in stopped(hostile, signature, rules).items():
            if (code, reason) not in found:
                small = shrunk(value, changes, signature, code, rules)
                found[code, reason] = f"{code}: {reason}: {value.get('title', '')[:60]!r} with {small}"
                print(found[code, reason], flush=True)
    spent = time.monotonic() - start
    print(f"{judged:,} documents, {len(found)} ways in which a rule stops, {spent:.0f} s, seed {seed}")
    return 1 if found else 0


def examples() -> Iterator[tuple[Any, str]]:
    """Yield the valid examples of all rules, with the signature of the study that they cite."""
    for rule in book():
        for part in ("Flagged", "Accepted"):
            found = example(sections(rule.doc)[part])
            value = merge_patch(base(found.base), found.patch)
            if not validate("submission", value):
                yield value, found.study or "absent"


def stopped(value: Any, signature: str, rules: Any) -> dict[str, str]:
    """Return the rules that stop on a document, with the kind of the error."""
    studies = {name: Study(name, None, signature) for name in value.get("manifests", {})}  # type: ignore[arg-type]
    results = judge(Case(to_model(value, Submission), studies, nonce="2f1c9b0e7a"), rules)
    return {each.code: each.reason.partition(":")[0] for each in results if each.outcome is Outcome.ERROR}


def mutations(value: Any, rng: random.Random) -> list[tuple[Path, Any]]:
    """Return a few paths of a document with what is to stand there."""
    paths = list(leaves(value))
    return [(path, hostile(at(value, path), rng)) for path in rng.sample(paths, min(len(paths), rng.randint(1, 4)))]


def hostile(old: Any, rng: random.Random) -> Any:
    """Return another value of about the same kind."""
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


def changed(value: Any, changes: list[tuple[Path, Any]]) -> Any:
    """Return a document with changes; one within a list that another change removed is left out."""
    for path, new in changes:
        value = _put(value, path, new)
    return value


def _put(value: Any, path: Path, new: Any) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(value, dict) and step in value:
        return {**value, step: _put(value[step], tuple(rest), new)}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [*value[:step], _put(value[step], tuple(rest), new), *value[step + 1 :]]
    return value


def shrunk(
    value: Any, changes: list[tuple[Path, Any]], signature: str, code: str, rules: Any
) -> list[tuple[Path, Any]]:
    """Return fewer changes under which the rule still stops."""
    for change in list(changes):
        fewer = [each for each in changes if each is not change]
        smaller = changed(value, fewer)
        if not validate("submission", smaller) and code in stopped(smaller, signature, rules):
            changes = fewer
    return changes


if __name__ == "__main__":
    given = [float(text) for text in sys.argv[1:4]]
    count, seed, limit_s = (*given, *(1000, 1, 1e9)[len(given) :])
    sys.exit(main(int(count), int(seed), limit_s))
