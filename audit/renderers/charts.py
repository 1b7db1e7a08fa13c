"""Charts as inline SVG: samples per trial, and quality against training samples.

The bytes depend on the numbers alone: no date, no random identifiers. A chart holds no text from a document except
identifiers, no style (a page with a strict policy ignores it) and no address; colours are classes that the page's style
sheet sets, so that one drawing serves a light page, a dark one and paper.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from ...rules.statistics.intervals import median, quantile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS_PER_TRIAL = 2_000
POINTS_PER_CHART = 20_000
WIDTH_IN = 5.6
LEGEND_CHARACTERS = 66
"""How many characters of legend a line of a figure holds."""
WIDE = 20
_INK, _GRID, _TARGET = "#010101", "#020202", "#030303"
_ARMS = ("#0a0101", "#0a0202", "#0a0303", "#0a0404", "#0a0505", "#0a0606")
_CLASSES = {_INK: "ink", _GRID: "grid", _TARGET: "target", **{c: f"arm{i}" for i, c in enumerate(_ARMS)}}
_STEPS = (1, 2, 2.5, 5, 10)
_MARKERS = "os^Dv*"
_LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (6, 2, 1.5, 2)), "-", (0, (5, 2)))
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "dlaudit",
    "text.parse_math": False,
    "path.simplify": False,
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.edgecolor": _GRID,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "text.color": _INK,
    "xtick.color": _GRID,
    "xtick.labelcolor": _INK,
    "ytick.color": _GRID,
    "ytick.labelcolor": _INK,
    "grid.color": _GRID,
    "grid.linewidth": 0.5,
}


@dataclass(frozen=True, slots=True)
class Strip:
    """The raw values of one trial: identifiers of its arm and itself, and its finite values."""

    arm: str
    trial: str
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """A quality metric of one training run: (x, value) in the order of the run."""

    arm: str
    trial: str
    points: tuple[tuple[float, float], ...]


def samples_chart(strips: Sequence[Strip], unit: str, key: str, relative: bool = False) -> str:
    """Draw every trial as a row of points with its quartiles and its median.

    Args:
        strips: trials with at least one value each, those of an arm together.
        unit: label of the axis.
        key: prefix of the identifiers in the drawing, unique in its page.
        relative: draw each value as its distance from the median of its arm, in percent.
    """
    from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

    arms = list(dict.fromkeys(strip.arm for strip in strips))
    centre = {arm: median([v for s in strips if s.arm == arm for v in s.values]) for arm in arms} if relative else {}
    with _drawing(len(strips) * 0.27 + 0.9) as (figure, axes):
        for row, strip in enumerate(strips):
            values = strip.values
            if relative:
                values = tuple(100 * (value / centre[strip.arm] - 1) for value in values)
            _row(axes, -row, values, _ARMS[arms.index(strip.arm) % len(_ARMS)], len(strips))
        for row in range(1, len(strips)):
            if strips[row].arm != strips[row - 1].arm:
                axes.axhline(0.5 - row, color=_GRID, linewidth=0.8)
        axes.set_yticks([-row for row in range(len(strips))], _names(strips))
        axes.set_ylim(0.6 - len(strips), 0.6)
        if not relative and is_wide(strips):
            axes.set_xscale("log")
            low, high = axes.get_xlim()
            axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 300 * low else (1,), numticks=8))
            axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
            unit += ", logarithmic"
        else:
            axes.xaxis.set_major_locator(MaxNLocator(7, steps=_STEPS))
        axes.set_xlabel(unit)
        axes.grid(axis="x")
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        return _svg(figure, key)


def is_wide(strips: Sequence[Strip]) -> bool:
    """Whether the values span so much that only a logarithmic axis shows them all."""
    values = [value for strip in strips for value in (min(strip.values), max(strip.values))]
    return min(values) > 0 and max(values) > WIDE * min(values)


def _names(strips: Sequence[Strip]) -> list[str]:
    """Return what the rows are called: the trial alone where its identifier begins with that of its arm."""
    short = [s.trial if s.trial.startswith(s.arm.rpartition(":")[2]) else f"{s.arm} {s.trial}" for s in strips]
    full = [f"{s.arm} {s.trial}" for s in strips]
    return [name[-24:] for name in (short if len(set(short)) == len(short) else full)]


def _row(axes: Axes, y: float, values: Sequence[float], colour: str, rows: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    drawn = thinned(values, min(POINTS_PER_TRIAL, max(50, POINTS_PER_CHART // rows)))
    # A dot is a line of no length with round ends: one path for a trial, where markers would cost four times as much.
    places = [(value, y + 0.3 * ((index * 0.6180339887) % 1 - 0.5) * 2) for index, value in enumerate(drawn)]
    path = Path([place for place in places for _ in range(2)], [Path.MOVETO, Path.LINETO] * len(places))
    path.should_simplify = False
    axes.add_patch(PathPatch(path, fill=False, edgecolor=colour, linewidth=3, alpha=0.55, capstyle="round"))
    if len(values) >= 4:
        axes.plot([quantile(values, 0.25), quantile(values, 0.75)], [y, y], color=_INK, linewidth=1.4)
    axes.plot([median(values)] * 2, [y - 0.36, y + 0.36], color=_INK, linewidth=2)


def thinned(values: Sequence[float], limit: int) -> list[float]:
    """Return at most `limit` values in ascending order, spread evenly over their ranks; both extremes stay."""
    ordered = sorted(values)
    if len(ordered) <= limit:
        return ordered
    return [ordered[round(index * (len(ordered) - 1) / (limit - 1))] for index in range(limit)]


def curves_chart(curves: Sequence[Curve], x_label: str, y_label: str, target: float | None, key: str) -> str:
    """Draw quality along training, one line a run, with the target as a dashed line.

    Args:
        curves: runs with at least one point each.
        x_label: label of the horizontal axis.
        y_label: label of the vertical axis.
        target: the target's value, where there is one.
        key: prefix of the identifiers in the drawing, unique in its page.
    """
    from matplotlib.lines import Line2D
    from matplotlib.ticker import MaxNLocator

    arms = list(dict.fromkeys(curve.arm for curve in curves))
    with _drawing(3.5) as (figure, axes):
        for curve in curves:
            looks = _looks(arms.index(curve.arm))
            x, y = zip(*curve.points, strict=True)
            axes.plot(x, y, **looks, markevery=max(1, len(x) // 25), linewidth=1.3, alpha=0.8)
        handles = [Line2D([], [], **_looks(index), label=arm[-40:]) for index, arm in enumerate(arms)]
        if target is not None:
            dashed: dict[str, Any] = {"color": _TARGET, "linestyle": (0, (4, 3)), "linewidth": 1.2}
            axes.axhline(target, **dashed)
            handles.append(Line2D([], [], **dashed, label=f"target {target:g}"))
        axes.set_xlabel(x_label)
        axes.set_ylabel(y_label)
        axes.set_xlim(left=0)
        axes.xaxis.set_major_locator(MaxNLocator(6, steps=_STEPS))
        axes.grid()
        # long names side by side would be wider than the figure and leave no room for its axes
        longest = max((len(str(handle.get_label())) for handle in handles), default=0)
        columns = max(1, min(3, LEGEND_CHARACTERS // (longest + 6)))
        axes.legend(
            handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=columns, frameon=False, borderaxespad=0.2
        )
        return _svg(figure, key)


def _looks(index: int) -> dict[str, Any]:
    index %= len(_ARMS)
    return {"color": _ARMS[index], "marker": _MARKERS[index], "markersize": 4.5, "linestyle": _LINES[index]}


@contextmanager
def _drawing(height_in: float) -> Iterator[tuple[Figure, Axes]]:
    """Give a figure of a height in inches and its axes, under our settings and no others."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        figure = Figure(figsize=(WIDTH_IN, height_in), layout="constrained")
        axes = figure.add_subplot()
        figure.patch.set_visible(False)
        axes.patch.set_visible(False)
        yield figure, axes


def _svg(figure: Figure, key: str) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    buffer = BytesIO()
    FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None})  # type: ignore[no-untyped-call]
    root = ET.fromstring(buffer.getvalue())  # noqa: S314
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.attrib["class"] = "chart"
    return "".join(_written(root, key))


_DROPPED = frozenset({"metadata", "style", "title"})
_DOT = re.compile(r"M ([\d.-]+ [\d.-]+) L \1\b(?!\.)")
_NUMBER = re.compile(r"-?\d+\.\d{2,}")


def _written(node: ET.Element, key: str) -> Iterator[str]:
    """Write an element for HTML: no namespaces, unique identifiers, styles as attributes and classes."""
    name = node.tag.rpartition("}")[2]
    children = [child for child in node if child.tag.rpartition("}")[2] not in _DROPPED]
    if name in {"g", "defs"} and not children:
        return
    attributes: dict[str, str] = {}
    for raw, value in node.attrib.items():
        attribute = raw.rpartition("}")[2]
        if attribute == "style":
            attributes |= _presentation(value)
        elif attribute == "id":
            if name != "g":
                attributes["id"] = f"{key}-{value}"
        elif attribute == "href":
            attributes["href"] = f"#{key}-{value.removeprefix('#')}"
        else:
            attributes[attribute] = value
    for attribute, value in attributes.items():
        value = re.sub(r"url\(#", f"url(#{key}-", value)
        if attribute in {"d", "x", "y", "transform", "width", "height"}:
            value = _NUMBER.sub(lambda match: f"{float(match[0]):.1f}", " ".join(value.split()))
            value = _DOT.sub(r"M\1h0", value)
        attributes[attribute] = value
    yield f"<{name}" + "".join(f' {attribute}="{_escaped(value)}"' for attribute, value in attributes.items()) + ">"
    yield _escaped((node.text or "").strip())
    for child in children:
        yield from _written(child, key)
    yield f"</{name}>"


def _presentation(style: str) -> dict[str, str]:
    """Turn a style into presentation attributes, and our colours into classes."""
    found: dict[str, str] = {}
    classes = []
    for item in style.split(";"):
        name, _, value = (part.strip() for part in item.partition(":"))
        if name in {"fill", "stroke"} and value in _CLASSES:
            classes.append(f"{name}-{_CLASSES[value]}")
        elif name == "font":
            size = re.search(r"[\d.]+(?=px)", value)
            found["font-size"] = size[0] if size else "11"
        elif name:
            found[name] = value
    return found | ({"class": " ".join(classes)} if classes else {})


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
