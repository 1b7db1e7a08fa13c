"""What a column of ratios is of and relative to: the readings that its table allows, and the one that is meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ....rules.facts.quantities.per_second import says_each, times_over
from ....rules.language import lexicon
from .compared_columns import TIMED
from .precisions import precision_of, without_variant
from .ratio_view import Place, Ratios, Reading, estimated, fit, gives, levels_of
from .ratio_words import baselines, names_baseline, ours, sums_up, words
from .roles import COUNTS, Role
from .series import NONE

MOST_BASES = 50
PAIR = 2
NOT_RUN = frozenset({"oom", "oot", "out of memory", "fail", "failed", "crash", "crashed", "timeout", "dnf", "error"})
_ORDER = {"rate": 0, "time": 1, "latency": 1, "flops": 2}
_SAME = {
    "rate": {"throughput", "throughputs", "rate", "tps", "fps", "speed"},
    "time": {"time", "runtime", "duration", "wall", "clock"},
    "latency": {"time", "latency", "runtime"},
    "flops": {"flops", "tflops", "utilization"},
}


class Meaning(Struct, frozen=True):
    """What a column of ratios is of, and the bases that are sure: the ratio may be held against them.

    Attributes:
        subject: the column whose numbers it is of.
        is_sure: whether it can be of no other column.
        bases: the cell that each row is relative to; a row without one is relative to what the table does not say.
        are_bases: the rows that others are relative to, which claim nothing.
        levels: the rows whose percentage is a level of its base: 44 % is 0.44 times as much.
    """

    subject: int
    is_sure: bool
    bases: Mapping[int, Place]
    are_bases: frozenset[int]
    levels: frozenset[int] = frozenset()


def meaning_of(view: Ratios) -> Meaning | None:
    """Return how a column of ratios is meant; None where no column holds what it is of."""
    subjects = _subjects(view)
    if not subjects:
        return None
    readings = [reading for subject in subjects for reading in _readings(view, subject)]
    said = [reading for reading in readings if reading.kind == "said"]
    readings = said or readings
    if not readings:
        sure_of = len(subjects) == 1 and not view.aggregated
        ones = frozenset(view.unit_rows()) if view.aggregated else frozenset()
        return Meaning(subjects[0], sure_of, {}, ones) if _may_be_of(view, subjects[0]) else None
    scored = [(_fits(view, reading), reading) for reading in readings]
    (fitting, missing), best = max(scored, key=lambda item: (len(item[0][0]), -len(item[0][1]), len(item[1].stated)))
    # a few rows may fit by chance: what the table does not say holds only where it fits nearly all of them
    usual = len(fitting) >= (2 if best.kind == "previous" else 1) and 2 * len(missing) <= len(fitting)
    sure = {row for row in fitting if usual or row in best.stated}
    named = _may_be_of(view, best.subject)
    ones = frozenset(view.unit_rows()) if best.kind != "said" else frozenset()
    # of three columns or more, two that most rows do not fit are hardly the pair
    paired = len(fitting) >= len(missing) or best.kind != "column" or _alike(view, best.subject) <= PAIR
    if not paired:
        sure = set()
    for row in missing if paired else ():
        told = (row in best.stated and named and not (view.aggregated or view.vague)) or usual
        if told and row not in ones and not _otherwise(view, best, row, scored):
            sure.add(row)
    sure -= {row for row in sure if estimated(view, best, row)}
    sure |= {row for row in best.stated if _not_run(view, best.bases[row]) and view.measured((row, best.subject))}
    if not sure and not named:
        return None
    rows = {best.bases[row][0] for row in sure} - sure
    is_sure = bool(sure) or len(subjects) == 1
    bases = {row: best.bases[row] for row in sure}
    return Meaning(best.subject, is_sure, bases, frozenset(rows), frozenset(levels_of(view, best.subject, bases)))


def _alike(view: Ratios, subject: int) -> int:
    """Return how many columns hold the quantity of one."""
    return sum(role.role == view.columns.roles[subject].role for role in view.columns.roles)


def _may_be_of(view: Ratios, subject: int) -> bool:
    """Whether the words of a heading let its ratios be of a column's numbers, where they do not tell."""
    told = _words_of(view, subject) | ours() | lexicon.words("columns", "means")
    return all(map(precision_of, view.relation.of - told))


def _words_of(view: Ratios, column: int) -> frozenset[str]:
    role = view.columns.roles[column]
    return words(view.columns.grid.header[column].text) | _SAME.get(role.role, set()) | words(role.variant)


def _subjects(view: Ratios) -> list[int]:
    """Return the columns whose numbers the ratios may be of: by common words, then rates before times."""
    role, roles = view.role, view.columns.roles
    held = [i for i, other in enumerate(roles) if other.role in TIMED and other.variant != role.base]
    held = [i for i in held if role.variant in {"", roles[i].variant}]
    if says_each(view.columns.grid.header[view.index].text):
        held = [i for i in held if says_each(view.columns.grid.header[i].text)]
    common = {i: len(view.relation.of & _words_of(view, i)) for i in held}
    most = max(common.values(), default=0)
    held = [i for i in held if common[i] == most]
    held = [i for i in held if roles[i].statistic in {None, "mean"}] or held
    reduced = [i for i in held if role.variant == "" and precision_of(roles[i].variant) and not _full(roles[i])]
    return sorted(
        reduced or held, key=lambda i: (_ORDER[roles[i].role], not ours() & _words_of(view, i), i > view.index, -i)
    )


def _full(role: Role) -> bool:
    return role.variant in {"fp32", "fp64", "tf32", ""}


def _readings(view: Ratios, subject: int) -> Iterator[Reading]:
    """Yield the ways to read the ratios as of one column."""
    rows = [n for n in view.told if view.measured((n, subject)) is not None and not is_summary(view, n)]
    yield from _of_columns(view, subject, rows)
    if view.aggregated:
        return
    numbered = [n for n in range(len(view.columns.grid.rows)) if view.measured((n, subject)) is not None]
    numbered = [n for n in numbered if not is_summary(view, n)]
    if view.relation.previous:
        yield _previous(view, subject, numbered, "said")
    elif view.relation.first:
        yield _of_rows(view, subject, rows, numbered[:1], "said")
    elif view.relation.base:
        named = _named_rows(view, numbered)
        if named:
            yield _of_rows(view, subject, rows, named, "said")
    yield from _of_units(view, subject, rows, numbered)
    if not view.relation.base:
        yield _previous(view, subject, numbered, "previous")


def _of_columns(view: Ratios, subject: int, rows: list[int]) -> Iterator[Reading]:
    """Yield the readings against another column of the same quantity."""
    role, roles = view.role, view.columns.roles
    told = roles[subject]
    same = [
        i
        for i, other in enumerate(roles)
        if (other.role, _stem(other)) == (told.role, _stem(told)) and other.variant != told.variant
        if times_over(other.unit, told.unit) is not None
    ]
    bases = [i for i in same if role.base is None or roles[i].variant == role.base]
    named = view.relation.base - baselines()
    if role.base is None and named:
        bases = [i for i in bases if named <= _words_of(view, i)]
    if role.base is None and len(bases) > 1 and sum(_full(roles[i]) for i in bases) == 1:
        bases = [i for i in bases if _full(roles[i])]
    for base in bases:
        # words name the base, or it is the only other column
        told_so = role.base is not None or len(bases) == 1
        kind = "said" if role.base is not None else "column"
        yield Reading(subject, {n: (n, base) for n in rows}, frozenset(rows if told_so else ()), kind)


def _stem(role: Role) -> str:
    """Return the heading of a column without its precision; nothing where it names nothing else."""
    bare, _ = without_variant(role.stem)
    return "" if role.stem == role.role or (bare == role.stem and precision_of(bare)) else bare


def _named_rows(view: Ratios, rows: list[int]) -> list[int]:
    """Return the rows that the words of the base name: by a whole cell, else by its words."""
    named = view.relation.base
    cells = {n: [words(text) for text in view.identity.rows[n]] for n in rows}
    exact = [n for n in rows if named in cells[n]]
    return exact or [n for n in rows if any(named <= cell for cell in cells[n])]


def _of_units(view: Ratios, subject: int, rows: list[int], numbered: list[int]) -> Iterator[Reading]:
    """Yield the readings against rows that print 1, or nothing, as their own ratio."""
    units = [n for n in view.unit_rows() if n in rows]
    column = view.columns.grid.rows
    dashes = [n for n in numbered if n not in view.told and _says_nothing(column[n][view.index].text)]
    for found, kind in ((units, "unit"), (dashes, "dash")):
        named = [n for n in found if names_baseline(view.identity.rows[n])]
        for bases in (found, named) if named and named != found else (found,):
            if 0 < len(bases) <= MOST_BASES:
                yield _of_rows(view, subject, rows, bases, kind)
        if 1 < len(found) <= MOST_BASES:
            yield _of_rows(view, subject, rows, found[:1], kind)


def _says_nothing(text: str) -> bool:
    return text.casefold().replace("—", "-").replace("–", "-") in NONE


def _of_rows(view: Ratios, subject: int, rows: list[int], bases: list[int], kind: str) -> Reading:
    """Return the reading against rows, for each row the one that is most like it."""
    found: dict[int, Place] = {}
    stated = set()
    for row in rows:
        if row in bases:
            continue
        base, sure = _nearest(view, row, bases)
        if base is None:
            continue
        found[row] = (base, subject)
        if sure and (kind == "said" or _says(view, row, base, bases, kind)):
            stated.add(row)
    return Reading(subject, found, frozenset(stated), kind)


def _says(view: Ratios, row: int, base: int, bases: list[int], kind: str) -> bool:
    """Whether a row is a base as its table shows it: it is named one, or the other way to do the same work."""
    if len(bases) > 1 and len(view.identity.differing(row, base)) > 1:
        return False
    if names_baseline(view.identity.rows[base]) or bool(view.relation.base & baselines()):
        return True
    alike = [n for n in bases if view.identity.is_choice(row, n)]
    return kind == "unit" and alike == [base] and not view.relation.base


def _nearest(view: Ratios, row: int, bases: list[int]) -> tuple[int | None, bool]:
    """Return the base that is most like a row, and whether no other is as much so."""
    if len(bases) == 1:
        return bases[0], True
    distance = {n: len(view.identity.differing(row, n)) for n in bases}
    least = min(distance.values())
    nearest = [n for n in bases if distance[n] == least]
    if least == len(view.identity.columns):
        nearest = [n for n in nearest if n < row][-1:]
        return (nearest[0], False) if nearest else (None, False)
    named = [n for n in nearest if names_baseline(view.identity.rows[n])]
    return (named or nearest)[0], len(named or nearest) == 1


def _previous(view: Ratios, subject: int, numbered: list[int], kind: str) -> Reading:
    """Return the reading of each row against the one before it."""
    pairs = zip(numbered[1:], numbered, strict=False)
    found = {row: (before, subject) for row, before in pairs if row in view.told}
    return Reading(subject, found, frozenset(found if kind == "said" else ()), kind)


def is_summary(view: Ratios, row: int) -> bool:
    """Whether a row holds averages of the others."""
    return any(map(sums_up, view.identity.rows[row]))


def _fits(view: Ratios, reading: Reading) -> tuple[list[int], list[int]]:
    """Return the rows whose ratio a reading gives, and those whose ratio it does not."""
    fitting: list[int] = []
    missing: list[int] = []
    for row, base in reading.bases.items():
        fits = fit(view, row, reading.subject, base)
        if fits is not None:
            (fitting if fits else missing).append(row)
    return fitting, missing


def _otherwise(
    view: Ratios, best: Reading, row: int, scored: list[tuple[tuple[list[int], list[int]], Reading]]
) -> bool:
    """Whether another reading, or another column of numbers, gives a ratio that the best reading does not."""
    others = (fits for fits, reading in scored if reading.subject != best.subject or row not in best.stated)
    if any(row in fitting for fitting, _ in others):
        return True
    base, roles = best.bases[row], view.columns.roles
    for index, role in enumerate(roles):
        if role.role in (*COUNTS, "batch", "speedup", "scaling", "ignore") or index == best.subject:
            continue
        pairs = [((row, index), (base[0], index))] if base[1] == best.subject else []
        pairs += [((row, index), base)] if base[0] == row and index != base[1] else []
        for new, old in pairs:
            left, right = view.columns.number(*new), view.columns.number(*old)
            if left is None or right is None or float(left.printed) <= 0 or float(right.printed) <= 0:
                continue
            if any(gives(view, row, left.printed, right.printed, more) for more in (True, False)):
                return True
    return False


def _not_run(view: Ratios, base: Place) -> bool:
    """Whether the cell of a base says that it did not run."""
    return view.columns.grid.rows[base[0]][base[1]].text.casefold().strip() in NOT_RUN
