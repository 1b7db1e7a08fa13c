"""The scaling values that a table prints, as claims with the rows that they are relative to."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from msgspec import Struct

from ....rules.facts.quantities.performance import more_is_better
from ....rules.facts.quantities.ratios import gain
from ....rules.language import lexicon
from ....rules.language.printed import Span, span
from ....rules.language.reading import read
from ..draft import Origin
from ..drafting import Drafting
from .arms import Arm, Series, scope_of
from .cells import Number
from .claims import common, mode_of, put_claim
from .compared_columns import SLACK
from .ratio_words import words
from .roles import Role
from .series import SCALES, Row, base_of, size_of
from .suite_results import quoted_result

Form = Literal["ratio", "efficiency"]
Label = Literal["strong", "weak"]
_PARALLEL = ("tensor_parallel", "pipeline_parallel", "context_parallel", "expert_parallel")
_ORDER = {"rate": 0, "time": 1, "latency": 1, "flops": 2}


class Column(Struct, frozen=True):
    """A column of scaling values.

    Attributes:
        index: the column.
        values: the value of each row that prints one.
        bases: the row that each is relative to.
        metric: the column whose numbers it is of.
        form: whether it holds ratios or efficiencies.
    """

    index: int
    values: Mapping[int, Number]
    bases: Mapping[int, Row | None]
    metric: int
    form: Form


def label_of(series: Series, origin: str) -> tuple[Label | None, Origin | None]:
    """Return whether a table is of strong or weak scaling: as its columns say, else its heading, and where.

    Args:
        series: the table.
        origin: name of its file.
    """
    held = [i for i, role in enumerate(series.columns.roles) if _is_of(role, series)]
    told = {role.label: i for i in held if (role := series.columns.roles[i]).label is not None}
    if not told:
        label = _label_in(series.columns.grid.title) or _label_in(series.columns.grid.sentence)
        return label, Origin(origin, series.columns.grid.header[0].line)
    if len(told) > 1:
        return None, None
    text, index = next(iter(told.items()))
    head = series.columns.grid.header[index]
    return _as_label(text), Origin(origin, head.line, head.column)


def _is_of(role: Role, series: Series) -> bool:
    return role.role == "scaling" and role.variant in {"", series.variant}


def _label_in(text: str) -> Label | None:
    told = {word.kind for word in read(text, "heading").scaling()} & {"strong", "weak"}
    both = {"strong", "weak"} <= words(text)
    return _as_label(told.pop()) if told and not both else None


def _as_label(text: str | None) -> Label | None:
    return "strong" if text == "strong" else "weak" if text == "weak" else None


def _label(series: Series, role: Role, row: int) -> Label | None:
    """Return the label of one scaling value: as its column says, else a cell of its row, else the table."""
    cells = {cell.text.casefold().removesuffix(" scaling") for cell in series.columns.grid.rows[row]}
    own = cells & {"strong", "weak"}
    if role.label is not None or len(own) == 1:
        return _as_label(role.label or own.pop())
    return label_of(series, "")[0]


def claim_scaling(draft: Drafting, file: str, series: Series) -> None:
    """Draft a claim for each scaling value of a variant, but those of the rows that the others are relative to."""
    for index, role in enumerate(series.columns.roles):
        if not _is_of(role, series):
            continue
        column = _column(series, index)
        if column is None:
            head = series.columns.grid.header[index]
            draft.unused.append(f"{head.text} (line {head.line}): no column holds the numbers that it is of")
            continue
        points = len({size_of(series.arms[n].row) for n in column.values})
        shown = {base.index for base in column.bases.values() if base is not None}
        for n, value in column.values.items():
            own_base = column.bases[n] is None and float(value.printed) in {1, 100}
            if n not in shown and not own_base and float(value.printed) > 0 and points > 1:
                _claim(draft, file, series, series.arms[n], column, points)


def _column(series: Series, index: int) -> Column | None:
    """Return how a column of scaling values is meant: as its words tell, else as most of its values fit."""
    role, arms = series.columns.roles[index], series.arms
    values = {n: found for n in arms if (found := series.columns.number(n, index)) is not None}
    metrics = _metrics(series, index)
    if not metrics or not values:
        return None
    rows, label = [arm.row for arm in arms.values()], role.label or label_of(series, "")[0]
    printed = {n: value.printed for n, value in values.items()}
    following = _following(rows)
    bases = {n: base_of(rows, arms[n].row, printed, label, following) for n in values}
    notes = {
        n: base for n in values if bases[n] is None and (base := _of_ladder(rows, arms[n].row, printed, following))
    }
    bases |= notes
    default = _form(series, index, values)
    said = "efficien" in series.columns.grid.header[index].text.casefold() and default == "efficiency"
    candidates: list[tuple[int, Form]] = [(metric, default) for metric in metrics]
    if not said:
        candidates += [(metric, "efficiency" if default == "ratio" else "ratio") for metric in metrics]

    def fits(candidate: tuple[int, Form]) -> int:
        return sum(_fits(series, values[n], arms[n], base, candidate, label) for n, base in bases.items())

    metric, form = best = max(candidates, key=fits)
    fitting = {n for n, base in bases.items() if _fits(series, values[n], arms[n], base, best, label)}
    usual = 2 * len(bases.keys() & {n for n in bases if bases[n]} - fitting) <= len(fitting)
    for n in notes:
        if n not in fitting and not usual and not _told_twice(series, n, notes[n], best):
            bases[n] = None
    return Column(index, values, bases, metric, form)


def _of_ladder(rows: list[Row], row: Row, printed: Mapping[int, str], following: frozenset[str]) -> Row | None:
    """Return the row with the fewest devices that a row differs from in notes too, where each has a number of its own.

    "NVLink (1 node)" and a measured overhead change with the devices: such a row is a base as far as the numbers fit.
    """
    free = SCALES | following | {"extra"}
    alike = [other for other in rows if size_of(other) and _fixed(other, free) == _fixed(row, free)]
    sizes = {size_of(other) for other in alike}
    least = min(alike, key=size_of, default=row)
    one_kind = len({other.devices is None for other in alike}) == 1
    unit = float(printed.get(least.index, "0")) in {1.0, 100.0}
    return least if len(sizes) == len(alike) and one_kind and unit and size_of(least) < size_of(row) else None


def _fixed(row: Row, free: frozenset[str]) -> tuple[object, ...]:
    kept = {key: value for key, value in row.options.items() if key not in free}
    return kept, row.system, row.parameters, row.libraries


def _told_twice(series: Series, n: int, base: Row, candidate: tuple[int, Form]) -> bool:
    """Whether the speed-up that stands in a row is that of its numbers, which its efficiency then contradicts."""
    arm, found = series.arms[n], []
    for index, role in enumerate(series.columns.roles):
        if role.role == "speedup" and (value := series.columns.number(n, index)) is not None:
            found.append(_fits(series, value, arm, base, (candidate[0], "ratio"), None))
    return candidate[1] == "efficiency" and any(found)


def _metrics(series: Series, index: int) -> list[int]:
    """Return the columns that a scaling value may be of: by common words, then rates of all devices first."""
    roles, grid = series.columns.roles, series.columns.grid
    held = {i for arm in series.arms.values() for i in arm.values if roles[i].role in {"rate", "time", "flops"}}
    held |= {i for arm in series.arms.values() for i in arm.values if roles[i].role == "latency" and not held}
    own = words(grid.header[index].text) - lexicon.words("columns", "scaling_fillers")
    common_ = {i: len(own & words(grid.header[i].text)) for i in held}
    most = max(common_.values(), default=0)
    asks_for = roles[index].mode or next((mode for mode in ("training", "inference") if mode in own), None)
    named = {roles[i].mode for i in held} - {None}
    held = {i for i in held if common_[i] == most and (asks_for is None or roles[i].mode in {None, asks_for})}
    if asks_for is not None and asks_for in named:
        held = {i for i in held if roles[i].mode == asks_for}
    return sorted(held, key=lambda i: (_per_device(roles[i].unit), _ORDER[roles[i].role], i))


def _per_device(unit: str | None) -> bool:
    return (unit or "").count("/") > 1


def _following(rows: list[Row]) -> frozenset[str]:
    """Return the parallel sizes that are the number of devices in every row: they grow with it."""
    return frozenset(key for key in _PARALLEL if rows and all(row.options.get(key) == size_of(row) for row in rows))


def _form(series: Series, index: int, values: Mapping[int, Number]) -> Form:
    """Return what the heading and the size of its values make of a column."""
    whole = max(float(value.printed) for value in values.values())
    percent = any(value.unit.startswith("%") for value in values.values())
    if "efficien" in series.columns.grid.header[index].text.casefold():
        times = any(value.unit.casefold() in {"x", "×"} for value in values.values()) and whole > 1.5
        return "ratio" if times else "efficiency"
    return "efficiency" if (whole <= 130 if percent else whole <= 1.5) else "ratio"


def _fits(
    series: Series, value: Number, arm: Arm, base: Row | None, candidate: tuple[int, Form], label: str | None
) -> bool:
    """Whether a scaling value is what the numbers of a column give."""
    metric, form = candidate
    other = series.arms.get(base.index) if base is not None else None
    new, old = arm.values.get(metric), other.values.get(metric) if other is not None else None
    if other is None or new is None or old is None or new[1] != old[1]:
        return False
    more = more_is_better(series.columns.roles[metric].role, new[1]) is not False
    found = gain(span(new[0]), span(old[0]), more)
    if found is None:
        return False
    size = Decimal(size_of(other.row)) / size_of(arm.row)
    share = Span(size, size)
    expected = [found]
    if form == "efficiency" and not _per_device(new[1]):
        expected = [found * share] + ([found] if not more and label != "strong" else [])
    printed = span(value.printed, value.qualifier)
    percent = value.unit.startswith("%") or (form == "efficiency" and float(value.printed) > 2)
    read = Span(printed.low / 100, printed.high / 100) if percent else printed
    return any(read.widened(SLACK).meets(each) for each in expected)


def _claim(draft: Drafting, file: str, series: Series, arm: Arm, column: Column, points: int) -> None:
    index, metric = column.index, column.metric
    role, cell = series.columns.roles[index], series.columns.grid.rows[arm.row.index][index]
    if metric not in arm.metrics:
        return
    value, told = column.values[arm.row.index], series.columns.roles[metric]
    hundred = value.unit.startswith("%") or (column.form == "efficiency" and float(value.printed) > 2)
    claim = common(series, arm, index, cell.text)
    claim |= {
        "value": value.printed,
        "unit": "%" if hundred else ("1" if column.form == "efficiency" else "x"),
        "quantity": told.role,
        "form": column.form,
        "scope": scope_of(told),
        "mode": mode_of(series, role) if mode_of(series, role) != "none" else "training",
        "compares": "own_variants",
        "points": points,
        "purpose": "hardware_throughput",
        "treatment": ["devices"],
        "measured": {"arm": arm.id, "metric": arm.metrics[metric]},
    }
    label = _label(series, role, arm.row.index)
    if label is not None:
        claim["label"] = label
    claim["row"] = {"table": series.table, "row": f"r{arm.row.index + 1}"}
    base = column.bases[arm.row.index]
    other = series.arms.get(base.index) if base is not None else None
    if other is not None and metric in other.metrics:
        size = size_of(other.row)
        words_ = (
            f"{size} {'device' if other.row.devices else 'node'}{'' if size == 1 else 's'}, the other columns"
            f"{' but notes' if other.row.options.get('extra') != arm.row.options.get('extra') else ''} equal"
        )
        claim["base"] = {"arm": other.id, "metric": other.metrics[metric], "definition": words_}
        if other.row.devices:
            claim["base"]["devices"] = size
        claim["row"]["base_row"] = f"r{other.row.index + 1}"
    claim |= quoted_result(series, arm, metric, claim)
    put_claim(draft, file, f"{arm.id}-{role.stem or 'scaling'}", claim, cell, value)
