"""Records as tables: their keys as headings, so that the reader of tables tells what each column holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from msgspec.structs import replace

from ....rules.language import lexicon
from ....rules.language.reading import read
from ....schemas.pattern import Pattern
from ..logs.lexer import plain
from ..logs.lines import LEAST, MOST_RESTARTS, Line, Number
from ..logs.quantities import is_loss, quantity_of, split_of_key
from ..report_file import ReportFile
from ..tables.cells import number
from ..tables.context import Context, context
from ..tables.grids import Cell, Grid
from ..tables.roles import RATIOS, VALUES, Role
from ..tables.series import NONE, Columns, columns
from ..tables.surroundings import settled
from .headings import ABOUT, heading_of, is_setting, is_statistic, names_split
from .records import Leaf, Record, Records

MOST_COLUMNS = 200
_TIME_OF_DAY = Pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}")
RARE = 0.01
"""Share of the records below which what they hold is no column."""
METRICS = ("metric", "metric_name", "metric name", "name", "benchmark", "measure", "key", "test")
METRIC_UNITS = ("unit", "units", "metric_unit", "metric unit")
AMOUNTS = ("value", "metric_value", "metric value", "result", "score", "amount", "y_value_50", "y_value", "median")


def table_of(records: Records, file: ReportFile) -> tuple[Context, Columns]:
    """Return records as a table with what stands around it."""
    records = longwise(records)
    named = any(row.names for row in records.rows)
    counts = Counter(leaf.path for row in records.rows for leaf in row.leaves)
    paths = [path for path, count in counts.items() if count >= RARE * len(records.rows)][:MOST_COLUMNS]
    first = {leaf.path: leaf for row in reversed(records.rows) for leaf in row.leaves}
    heads = _headings(paths, first)
    grid = Grid(
        " ".join(filter(None, records.path)) or file.short_name, "", *_cells(records, paths, heads, first, named)
    )
    around = context(grid, file.short_name)
    found = settled(columns(grid, around, file.roles), around)
    above = {leaf.path for row in records.rows for leaf in row.leaves if leaf.inherited}
    roles, left = list(found.roles), list(found.left_out)
    for index, path in enumerate(paths, named):
        head, role = grid.header[index], roles[index].role
        if read(head.text, "header").is_only("record.ratio"):
            roles[index] = Role("ignore")  # of what, its line does not say
        if path[0].casefold() in ABOUT:
            roles[index] = replace(roles[index], names_rows=False)
        if role not in (*VALUES, *RATIOS, "spread") or head.text not in found.guessed:
            continue
        if _are_times_of_day([row[index].text for row in grid.rows]):
            roles[index] = Role("extra")
        elif path in above or is_setting(path):
            roles[index] = Role("ignore" if path in above else "extra")
        elif role == "accuracy" and names_split(head.text) == "train":
            roles[index] = Role("extra")
            left.append(f"{head.text} (line {head.line}): of the training data: left out")
        elif role == "accuracy" and is_loss(head.text) and not names_split(head.text):
            roles[index] = Role("extra")
            left.append(f"{head.text} (line {head.line}): a loss on data that is not named: left out")
        elif first[path].unit == "%" and role not in {"accuracy", "mfu"}:
            roles[index] = Role("extra")  # the share of a peak
    return around, replace(found, roles=tuple(roles), left_out=tuple(left))


def _are_times_of_day(texts: list[str]) -> bool:
    """Whether a column says when something happened: "2026-01-05T10:20:30Z"."""
    filled = [text for text in texts if text]
    return bool(filled) and all(_TIME_OF_DAY.match(text) for text in filled)


def _headings(paths: list[tuple[str, ...]], first: dict[tuple[str, ...], Leaf]) -> dict[tuple[str, ...], str]:
    """Return the heading of each column; what several share is told apart by the key above, in brackets."""
    plain_ = {path: heading_of(path, first[path].unit) for path in paths}
    counts: dict[str, int] = {}
    for text in plain_.values():
        counts[text] = counts.get(text, 0) + 1
    return {
        path: text if counts[text] == 1 or len(path) < 2 else f"{text} ({' '.join(path[:-1])[-50:]})"
        for path, text in plain_.items()
    }


def _cells(
    records: Records,
    paths: list[tuple[str, ...]],
    heads: dict[tuple[str, ...], str],
    first: dict[tuple[str, ...], Leaf],
    named: bool,
) -> tuple[tuple[Cell, ...], tuple[tuple[Cell, ...], ...]]:
    top = first[paths[0]]
    header = [Cell("", top.line, top.column)] if named else []
    header += [Cell(heads[path], first[path].line, first[path].column) for path in paths]
    rows = []
    for row in records.rows:
        held = {leaf.path: leaf for leaf in reversed(row.leaves)}
        begin = row.leaves[0]
        cells = [Cell(" / ".join(row.names), begin.line, begin.column)] if named else []
        for path in paths:
            leaf = held.get(path)
            cells.append(
                Cell(leaf.text, leaf.line, leaf.column) if leaf is not None else Cell("", begin.line, begin.column)
            )
        rows.append(tuple(cells))
    return tuple(header), tuple(rows)


def longwise(records: Records) -> Records:
    """Return records with a column for each metric, where each names one beside its value and its unit."""
    keys = {leaf.path[-1].casefold(): leaf.path for row in records.rows for leaf in row.leaves if not leaf.inherited}
    metric = next((keys[name] for name in METRICS if name in keys), None)
    amount = next((keys[name] for name in AMOUNTS if name in keys), None)
    unit = next((keys[name] for name in METRIC_UNITS if name in keys), None)
    if (
        metric is None
        or amount is None
        or (unit is None and metric[-1].casefold() in {"name", "key", "test", "benchmark"})
    ):
        return records
    rows: dict[tuple[tuple[tuple[str, ...], str], ...], list[Leaf]] = {}
    for row in records.rows:
        held = {leaf.path: leaf for leaf in row.leaves}
        value, name = held.get(amount), held.get(metric)
        if value is None or name is None:
            continue
        told = held[unit].text if unit is not None and unit in held else value.unit
        others = [leaf for leaf in row.leaves if leaf.path not in {metric, amount, unit} and not _is_spread(leaf)]
        leaf = replace(value, path=(name.text[:100],), unit=told)
        known = rows.setdefault(tuple((each.path, each.text) for each in others), list(others))
        if any(each.path == leaf.path for each in known):
            return records
        known.append(leaf)
    return Records(records.path, tuple(Record((), tuple(leaves)) for leaves in rows.values()))


def _is_spread(leaf: Leaf) -> bool:
    """Whether a value is another statistic of what each record measures, or a time of day."""
    key = leaf.path[-1]
    return key.startswith("y_value_") or is_statistic(key) or is_setting(leaf.path)


def curve_of(records: Records) -> tuple[Line, ...]:
    """Return records as the lines of a training's log, where they follow each other by epoch or step; else nothing."""
    known = lexicon.classes("columns", "progress")
    counts: list[tuple[float, float]] = []
    lines: list[Line] = []
    for index, row in enumerate(records.rows):
        leaves = {leaf.path: leaf for leaf in reversed(row.leaves) if not leaf.inherited}
        place = {"epoch": float(index)} if records.series else {}
        for path, leaf in leaves.items():
            name = plain(path[-1])
            if name in known and not name.endswith("s") and (value := _real(leaf.text)) is not None:
                place[known[name]] = value
        counts.append((place.get("epoch", 0.0), place.get("step", 0.0)))
        numbers = tuple(_numbers(leaves.values()))
        step = place.get("step")
        if place and numbers:
            whole = int(step) if step is not None and step.is_integer() else None
            lines.append(Line(place.get("epoch"), whole, whole is not None, not records.series, numbers))
    grows = sum(a < b for a, b in pairwise(counts))
    falls = sum(b < a for a, b in pairwise(counts))
    judged = any(each.quantity.kind == "quality" for line in lines for each in line.numbers)
    whole_ = len(set(counts)) >= LEAST and falls <= MOST_RESTARTS * grows and judged and not _differ(records)
    return tuple(lines) if whole_ else ()


def _differ(records: Records) -> bool:
    """Whether texts tell most records apart: then each is of a run or a model of its own."""
    texts: dict[tuple[str, ...], set[str]] = {}
    for row in records.rows:
        for leaf in row.leaves:
            if not leaf.inherited and number(leaf.text) is None:
                texts.setdefault(leaf.path, set()).add(leaf.text)
    least = max(3, len(records.rows) / 2)
    return any(len(held) > least and not is_setting(path) for path, held in texts.items())


def _numbers(leaves: Iterable[Leaf]) -> Iterator[Number]:
    for leaf in leaves:
        key = heading_of(leaf.path, leaf.unit)
        quantity = (
            quantity_of(key, "") if number(leaf.text) is not None or leaf.text.casefold() in {"nan", "inf"} else None
        )
        if quantity is None or is_setting(leaf.path):
            continue
        split = split_of_key(key) if quantity.kind == "quality" else ""
        split = "train" if split == "unlabelled" and is_loss(key) else split
        yield Number(key, leaf.text, leaf.line, leaf.column, quantity, split)


def _real(text: str) -> float | None:
    found = number(text) if text.casefold() not in NONE else None
    value = float(found.printed) if found is not None and not found.unit else -1.0
    return value if 0 <= value < 2**53 else None
