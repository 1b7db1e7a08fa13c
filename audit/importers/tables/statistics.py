"""Tables whose columns are the statistics of one quantity (count, mean, p50, stdev): one number with its summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....rules.language import lexicon
from ....schemas.pattern import Pattern
from ..draft import Origin, identifier
from ..drafting import Drafting, stated
from ..records import claim
from .arms import scope_of
from .cells import number, whole
from .context import Context
from .series import Columns

if TYPE_CHECKING:
    from ..fields import MetricFields, SummaryFields

MEASURED = frozenset({"time", "latency", "rate"})
SUMMARY = frozenset({"mean", "sd", "min", "max", "median"})
LEAST = 4
"""Statistics from which on a table of one quantity is its summary."""
_UNIT = Pattern(r" ?[(\[].{0,30}[)\]]$")


def draft_statistics(draft: Drafting, file: str, found: Columns, around: Context, position: int) -> bool:
    """Draft each row as one number with its summary; return whether the table is one of statistics alone."""
    named = {i: name for i, cell in enumerate(found.grid.header[1:], 1) if (name := _name(cell.text))}
    mean = next((i for i, name in named.items() if name == "mean"), None)
    if mean is None or len(named) < len(found.grid.header) - 1 or len(set(named.values()) - {"other"}) < LEAST:
        return False
    role = found.roles[mean]
    if (
        found.roles[0].role not in {"label", "extra"}
        or len(set(named.values())) < len(named) - 1
        or role.role not in MEASURED
        or not role.unit
    ):
        return False
    for index, cells in enumerate(found.grid.rows):
        value = found.number(index, mean)
        if value is None:
            draft.unused.append(f"{found.grid.place}, line {cells[0].line}: no mean")
            continue
        title = f"{found.grid.above} {found.grid.title}".replace(":", "").strip()
        own = cells[0].text if cells[0].text.casefold() not in {"", "value", "values", "result"} else ""
        label = ", ".join(part for part in (title, own) if part) or f"row {index + 1}"
        arm = draft.arm(identifier(f"t{position}-r{index + 1}", draft.arms))
        where = Origin(file, cells[mean].line, cells[mean].column)
        quantity = "latency" if role.role == "time" and "latency" in title.casefold() else role.role
        fields: MetricFields = {"quantity": quantity, "unit": role.unit, "scope": role.scope}
        fields |= {"statistic": "mean", **_summary(found, index, named, role.unit), "value": value.printed}
        arm.put(where, label=label[:4000])
        arm.put_metric(quantity, fields, where, where)
        purpose = "hardware_throughput" if quantity == "rate" else None
        mode, scope = role.mode or around.mode, scope_of(role)
        claim(arm, quantity, f"{label}: mean"[:3000], {"scope": scope, "mode": mode, "purpose": purpose})
    left = [found.grid.header[i].text for i, name in named.items() if name in {"total", "other"}]
    draft.unused += [f"{text}: beside the mean" for text in left]
    return True


def _name(heading: str) -> str:
    """Return the statistic that a heading is, without its unit: count, mean, sd or the rank of a percentile."""
    plain = _UNIT.sub("", heading.casefold().strip()).strip(" .:")
    bare = plain.removesuffix(" percentile")
    rank = bare.removeprefix("p") if bare == plain else bare
    rank = rank.removesuffix("%").removesuffix("th")
    known = lexicon.classes("columns", "statistics")
    is_rank = rank != bare and rank.replace(".", "", 1).isdigit() and rank[:1] != "." and len(rank) <= 6
    return f"p{rank}" if is_rank else known.get(plain, "")


def _summary(found: Columns, row: int, named: dict[int, str], unit: str) -> MetricFields:
    """Return the statistics of a row in the unit of its mean, and how many numbers are behind them."""
    statistics: dict[str, str] = {}
    percentiles: dict[str, str] = {}
    behind: MetricFields = {}
    for column, name in named.items():
        text = found.grid.rows[row][column].text
        read, heading = number(text), found.grid.header[column].text
        bracketed = _UNIT.search(heading.casefold())
        if name == "count" and (count := whole(text)) is not None and count > 0:
            behind["n"] = {"unit": "iteration", "completed": count}
        if read is None or read.unit or (bracketed is not None and bracketed[0].strip(" ()[]") != unit.casefold()):
            continue
        if name in SUMMARY:
            statistics[name] = read.printed
        elif name.startswith("p"):
            percentiles[name.removeprefix("p")] = read.printed
    mean, sd, least, most, median = (statistics.get(name) for name in ("mean", "sd", "min", "max", "median"))
    summary: SummaryFields = {"mean": mean, "median": median, "sd": sd, "min": least, "max": most}
    summary = stated(summary)
    if percentiles:
        summary["percentiles"] = percentiles
    return {**behind, "summary": summary} if summary else behind
