"""Run files that are one file, by the digests that come with them."""

from __future__ import annotations

from collections.abc import Iterable

from ...caching import fact
from ...case import Case, Side
from ...trace import Logged

SCORED = frozenset({"training", "performance", "accuracy"})
"""Roles whose runs count as evidence of a result by themselves."""


def digests(run: Logged) -> tuple[str, ...]:
    """Return the digests of a run's file, of its bytes and of its lines; none of an empty file."""
    file = run.run.file
    if file is None or file.bytes == 0 or run.role not in SCORED:
        return ()
    return tuple(digest for digest in (file.sha256, file.content_sha256) if digest is not None)


def same_files(runs: Iterable[Logged]) -> tuple[tuple[Logged, ...], ...]:
    """Return the groups of runs, two or more each, whose files are equal but for blank lines and line ends."""
    groups: list[list[Logged]] = []
    known: dict[str, list[Logged]] = {}
    for run in runs:
        own = digests(run)
        group = next((known[digest] for digest in own if digest in known), None)
        if group is None and own:
            group = []
            groups.append(group)
        if group is not None:
            group.append(run)
            known.update(dict.fromkeys(own, group))
    return tuple(tuple(group) for group in groups if len(group) > 1)


@fact
def holders(case: Case) -> dict[str, tuple[tuple[Side, Logged], ...]]:
    """Return, by each of its digests, the arms that a run file supports."""
    found: dict[str, list[tuple[Side, Logged]]] = {}
    for name in case.submission.arms:
        side = case.own(name)
        if side is None:
            continue
        for run in case.runs_of(side):
            for digest in digests(run):
                found.setdefault(digest, []).append((side, run))
    return {digest: tuple(held) for digest, held in found.items() if len(held) > 1}
