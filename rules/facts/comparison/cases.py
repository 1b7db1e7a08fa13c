"""What a comparison gains in each of the cases that a document shows: other metrics, columns, models or batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct

from ....schemas.evidence import Metric
from ....schemas.submission import Claim, Column
from ...caching import fact
from ...case import Case, Side
from ...language import lexicon
from ...language.printed import Span, span
from ...language.reading import read
from ...tables.names import plain
from ..quantities.performance import more_is_better
from ..quantities.ratios import gain, readings
from .base_row import table_gains
from .options import flat

MOST_ARMS = 60
"""Arms of a document beyond which no pairs of them are sought."""
TELLING = ("device", "model", "dataset", "format", "system")
NAMING = frozenset({"model", "dataset"})
ENDS = frozenset({"up_to", "less_than"})
FACTORS = frozenset({"x", "times", "ratio"})


class Shown(Struct, frozen=True):
    """The gain of one case.

    Attributes:
        name: the case in words.
        gain: by which factor the claim's side is better.
        at: where its number stands.
        names: words and numbers of which a sentence has to hold one to be about this case.
    """

    name: str
    gain: Span
    at: str
    names: tuple[str, ...]


@fact
def cases(case: Case, claim: Claim) -> tuple[Shown, ...]:
    """Return the cases of a claimed ratio with their gains, as far as the numbers of both sides are in the document."""
    side, base = case.subject(claim), case.base(claim)
    found = list(_columns(claim, case))
    if side is not None and base is not None and side.id != base.id:
        if claim.measured is None or claim.measured.metric is None:
            found += _metrics(claim, side, base)
        found += _alike(claim, case, side, base)
    elif side is None and base is None and claim.row is None:
        found += _of_devices(claim, case)
    return tuple(found)


def lesser(case: Case, claim: Claim, factor: float) -> Shown | None:
    """Return a case that gains clearly less than a claim says in general, by a factor at least; None where none does.

    A sentence that names what sets the claimed case apart is about that case alone. "Up to" is right where one case
    gives as much; where no number is linked, the best case of the document counts.
    """
    found = cases(case, claim)
    claimed = _claimed(claim)
    unlinked = case.subject(claim) is None and case.base(claim) is None
    if claimed is not None and found and unlinked and claim.qualifier == "up_to":
        most = max(found, key=lambda item: item.gain.high)
        return most if float(most.gain.high) * factor < float(claimed.low) else None
    if claim.qualifier in ENDS or claimed is None or not found or any(_named(claim, item) for item in found):
        return None
    if not unlinked and _on_condition(claim):
        return None
    least = min(found, key=lambda item: item.gain.high)
    if _told(case, claim, least):
        return None
    return least if float(least.gain.high) * factor < float(claimed.low) else None


def is_general(claim: Claim) -> bool:
    """Whether a claim states a factor without a bound, a range or a condition."""
    factor = claim.form == "ratio" and claim.range is None and claim.unit in FACTORS | {None}
    return factor and claim.qualifier not in ENDS and not _on_condition(claim)


def _told(case: Case, claim: Claim, shown: Shown) -> bool:
    """Whether another claim of the document is about the arm of a case."""
    others = [item.measured for item in case.submission.claims.values() if item is not claim]
    arms = {link.arm for link in others if link is not None}
    own = {claim.measured.arm} if claim.measured is not None else set()
    return any(shown.at.startswith(f"/arms/{arm}/") for arm in arms - own)


def _claimed(claim: Claim) -> Span | None:
    """Return the least gain that a printed factor may mean; None where a range stands beside it."""
    if claim.form != "ratio" or claim.range is not None or claim.unit not in FACTORS:
        return None
    if claim.qualifier in ENDS:
        printed = span(claim.value or "0", None, claim.digits)
        return printed if printed.low >= 1 else None
    ways = more_is_better(claim.quantity, claim.unit)
    found = [item for item in readings(claim, ways is not False) if item.low >= 1]
    return min(found, key=lambda item: item.low, default=None)


def _on_condition(claim: Claim) -> bool:
    """Whether a sentence says where its factor holds: on what, at which size, with which option."""
    words = read(claim.statement)
    if not lexicon.word_set("begin_a_condition").isdisjoint(token.low for token in words.tokens):
        return True
    means = min(
        (token.start for token in words.tokens if token.low in lexicon.word_set("by_means")),
        default=len(claim.statement),
    )
    told = (*(name for kind in TELLING for name in words.names(kind)), *words.counts())
    return any(item.start > means for item in told)


def _named(claim: Claim, shown: Shown) -> bool:
    words = read(claim.statement)
    return any(words.says(name) for name in shown.names)


def _metrics(claim: Claim, side: Side, base: Side) -> Iterator[Shown]:
    """Yield the gain in every number that both sides state, where they state several of the claim's kind."""
    theirs = base.arm.performance
    ours = side.arm.performance
    both = {name: item for name, item in ours.items() if name in theirs and item.quantity == claim.quantity}
    if len(both) < 2 or not _one_kind(both.values()):
        return
    shared = set.intersection(*(set(_words(name)) for name in both))
    gains = {name: _gain(metric, theirs[name]) for name, metric in both.items()}
    if None in gains.values():
        return
    for name, found in gains.items():
        if found is not None:
            yield Shown(name, found, both[name].at, tuple(word for word in _words(name) if word not in shared))


def _one_kind(numbers: Iterable[Metric | Column]) -> bool:
    """Whether numbers are of one unit, statistic and scope, so that a factor may be said of all of them."""
    return len({(item.unit, item.statistic, item.scope) for item in numbers}) == 1


def _words(name: str) -> tuple[str, ...]:
    return tuple(name.replace("_", "-").replace("-", " ").split())


def _columns(claim: Claim, case: Case) -> Iterator[Shown]:
    """Yield the gain of the claim's row over its base row in every column of the claim's quantity."""
    table = case.table(claim)
    if table is None or claim.row is None or claim.row.row not in table.rows:
        return
    base = claim.row.base_row or table.base_row
    if base is None or base not in table.rows or base == claim.row.row or claim.measured is not None:
        return
    if not _one_kind(column for column in table.columns.values() if column.quantity == claim.quantity):
        return
    for found in table_gains(table, claim.row.row, (base,), frozenset({claim.quantity})):
        if found.base.startswith(table.rows[base].place("values")):
            name = found.base.rsplit("/", 1)[-1]
            yield Shown(name, found.gain, found.base, _words(name))


def _alike(claim: Claim, case: Case, side: Side, base: Side) -> Iterator[Shown]:
    """Yield the gain of every other pair of arms on the same system that differs just as the claim's sides do."""
    ours, theirs = _traits(side), _traits(base)
    apart = {key for key in ours | theirs if ours.get(key) != theirs.get(key)}
    arms = [item for item in islice(case.sides(), MOST_ARMS + 1) if item.study is None]
    if not apart or len(arms) > MOST_ARMS:
        return
    for one in arms:
        mine = _traits(one)
        if one.id == side.id or any(mine.get(key) != ours.get(key) for key in {*apart, "system", "devices"}):
            continue
        for other in arms:
            its = _traits(other)
            paired = all(its.get(key) == (theirs if key in apart else mine).get(key) for key in mine | its | theirs)
            if other.id != one.id and paired:
                changed = [key for key in ours if key not in apart and mine.get(key) != ours[key]]
                yield from _pair(claim, one, other, tuple(str(ours[key]) for key in changed))


def _of_devices(claim: Claim, case: Case) -> Iterator[Shown]:
    """Yield the gain of every pair of arms on the two devices that an unlinked ratio compares, at equal settings."""
    device = claim.comparator.name if claim.comparator is not None else None
    arms = [item for item in islice(case.sides(), MOST_ARMS + 1) if item.study is None]
    if device is None or len(arms) > MOST_ARMS:
        return
    for one in arms:
        if _device(one) is None or not read(claim.statement).says(_device(one) or "") or plain(device) == _device(one):
            continue
        for other in arms:
            mine, its = _traits(one), _traits(other)
            keys = {key for key in mine | its if not key.startswith(("precision.", "system", "framework"))}
            alike = all(mine.get(key) == its.get(key) for key in keys)
            if alike and _device(other) == plain(device):
                yield from _pair(
                    claim, one, other, tuple(str(mine[key]) for key in sorted(keys & NAMING & mine.keys()))
                )


def _device(side: Side) -> str | None:
    device = side.system.device if side.system is not None else None
    return plain(device) if isinstance(device, str) else None


def _traits(side: Side) -> dict[str, object]:
    """Return what sets an arm apart: its options, the free ones too, its framework and its system."""
    stated, software = side.arm.options, side.arm.software
    free = {f"extra.{key}": value for key, value in stated.extra.items()} if stated is not None else {}
    framework = software.framework if software is not None else None
    return flat(stated) | free | {"framework": framework, "system": _device(side), "devices": side.devices}


def _pair(claim: Claim, one: Side, other: Side, names: tuple[str, ...]) -> Iterator[Shown]:
    theirs = other.arm.performance
    for name, metric in one.arm.performance.items():
        if metric.quantity == claim.quantity and name in theirs:
            found = _gain(metric, theirs[name])
            if found is not None:
                yield Shown(f"`{one.id}` over `{other.id}`", found, metric.at, names)


def _gain(metric: Metric, base: Metric) -> Span | None:
    ways = more_is_better(metric.quantity, metric.unit)
    if ways is None or metric.unit != base.unit or metric.value is None or base.value is None:
        return None
    return gain(span(metric.value, digits=metric.digits), span(base.value, digits=base.digits), ways)
