"""The pages: pure functions from the library and a query to HTML. Jinja2 escapes, `safe` shows what would hide."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from ...rules.registry import FAMILIES
from ...rules.statistics.change_points import SHORTEST_SEGMENT, change_points
from ...rules.statistics.intervals import median
from ..lint.report import WAYS
from ..renderers.html import OUTCOMES, SIGNATURES
from ..renderers.html import render as report_page
from ..renderers.templating import environment
from ..report import Verdict
from .drawing import Dot, series
from .form import KINDS, LIMIT_BYTES
from .library import Entry, Library, Point, Row, columns, side_of, trials, verdict_named
from .reader import SUFFIXES, Answer

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent / "templates"
ROWS_A_PAGE = 100
SAMPLES_A_PAGE = 500
MOST_QUESTIONS = 8
"""Questions asked in full; what contradicts or decides is asked whatever their number."""
TIERS = ("T0", "T1", "T2", "T3", "T4")
TIER_WORDS = {
    "T0": "nothing shown",
    "T1": "declared only",
    "T2": "recomputed, signed by nobody you listed",
    "T3": "in a record signed by a key you listed",
    "T4": "recomputed from raw samples, signed by a key you listed",
}


class NotThere(Exception):
    """There is no such page."""


@dataclass(frozen=True, slots=True)
class Site:
    """What every page knows."""

    folder: str
    profile: str
    upload: bool
    token: str


@dataclass(frozen=True, slots=True)
class Filter:
    """What the list shows."""

    verdict: str = ""
    way: str = ""
    tier: str = ""
    since: str = ""
    until: str = ""
    page: int = 1

    def address(self, page: int) -> str:
        """Return the address of another page of the same list."""
        kept = {"verdict": self.verdict, "way": self.way, "tier": self.tier, "from": self.since, "to": self.until}
        return "/?" + urlencode({**{key: value for key, value in kept.items() if value}, "page": page})


def filter_of(query: Mapping[str, str]) -> Filter:
    """Return a filter; a value that is none of those offered asks for nothing."""
    page = query.get("page", "1")
    return Filter(
        query.get("verdict", "") if verdict_named(query.get("verdict", "")) is not None else "",
        query.get("way", "") if query.get("way", "") in WAYS else "",
        query.get("tier", "") if query.get("tier", "") in TIERS else "",
        _day(query.get("from", "")),
        _day(query.get("to", "")),
        min(int(page), 10_000) if page.isdecimal() and page.isascii() and 0 < len(page) < 6 else 1,
    )


def _day(text: str) -> str:
    return text if len(text) == 10 and text.isascii() and text.replace("-", "").isdecimal() else ""


def _kept(row: Row, wanted: Filter) -> bool:
    date = row.entry.date
    return (
        (not wanted.verdict or row.claim.verdict is verdict_named(wanted.verdict))
        and (not wanted.way or wanted.way in row.ways)
        and (not wanted.tier or row.claim.tier == wanted.tier)
        and (not wanted.since or (bool(date) and date >= wanted.since))
        and (not wanted.until or (bool(date) and date <= wanted.until))
    )


def index(site: Site, library: Library, query: Mapping[str, str]) -> str:
    """Return the list of claims, filtered."""
    wanted, rows = filter_of(query), list(library.rows())
    kept = [row for row in rows if _kept(row, wanted)]
    pages = max(1, math.ceil(len(kept) / ROWS_A_PAGE))
    number = min(max(1, wanted.page), pages)
    counts = {verdict: sum(row.claim.verdict is verdict for row in rows) for verdict in sorted(Verdict, reverse=True)}
    return _render(
        "index.html.j2",
        site,
        title="Claims",
        library=library,
        rows=kept[(number - 1) * ROWS_A_PAGE : number * ROWS_A_PAGE],
        found=len(kept),
        total=len(rows),
        counts=counts,
        wanted=wanted,
        number=number,
        pages=pages,
        unread=[entry for entry in library.entries.values() if not entry.linted.report.claims],
    )


def document(site: Site, library: Library, key: str) -> str:
    """Return a document: its verdict, claims, studies, and a link to the full report."""
    entry = _entry(library, key)
    return _render("document.html.j2", site, title=entry.linted.report.title, entry=entry, arms=_arms(entry))


def report(library: Library, key: str) -> str:
    """Return the full report of a document: the page that `dlaudit lint --format html` writes."""
    return report_page((_entry(library, key).linted,))


def claim(site: Site, library: Library, key: str, name: str) -> str:
    """Return a claim with its findings, and the trials that it stands on."""
    entry = _entry(library, key)
    found = next((each for each in entry.linted.report.claims if each.id == name), None)
    if found is None:
        raise NotThere
    stated = entry.linted.case.submission.claims[name]
    sides = [side for side in (entry.linted.case.subject(stated), entry.linted.case.base(stated)) if side is not None]
    behind = [(side, trials(side)) for side in dict.fromkeys(side.id for side in sides) for side in _named(sides, side)]
    return _render("claim.html.j2", site, title=found.statement, entry=entry, claim=found, behind=behind)


def _named(sides: Sequence[Any], name: str) -> list[Any]:
    return [next(side for side in sides if side.id == name)]


def trial(site: Site, library: Library, key: str, arm: str, name: str, query: Mapping[str, str]) -> str:
    """Return the raw samples of a trial."""
    entry = _entry(library, key)
    side = side_of(entry, arm)
    found = side.arm.trials.get(name) if side is not None else None
    if side is None or found is None:
        raise NotThere
    read = {column: values for column, values in columns(side, found).items() if values}
    longest = max(map(len, read.values()), default=0)
    pages = max(1, math.ceil(longest / SAMPLES_A_PAGE))
    wanted = query.get("page", "1")
    number = min(int(wanted), pages) if wanted.isascii() and wanted.isdecimal() and 0 < len(wanted) < 8 else 1
    number = max(1, number)
    start = (number - 1) * SAMPLES_A_PAGE
    rows = [
        (index + 1, [f"{values[index]:.9g}" if index < len(values) else "" for values in read.values()])
        for index in range(start, min(start + SAMPLES_A_PAGE, longest))
    ]
    drawn = [(column, _drawn(values), _summary(values)) for column, values in read.items()]
    return _render(
        "trial.html.j2",
        site,
        title=f"Trial {name}",
        entry=entry,
        side=side,
        name=name,
        trial=found,
        drawn=drawn,
        columns=list(read),
        rows=rows,
        number=number,
        pages=pages,
        longest=longest,
    )


def _drawn(values: Sequence[float]) -> Any:
    from markupsafe import Markup

    finite = [Dot(value) for value in values if math.isfinite(value)]
    return Markup(series(finite, labels=("1", str(len(finite))))) if finite else ""  # noqa: S704


def _summary(values: Sequence[float]) -> str:
    finite = [value for value in values if math.isfinite(value)]
    if not finite:
        return "no finite value"
    return f"{len(values):,} values, median {median(finite):.6g}, from {min(finite):.6g} to {max(finite):.6g}"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of level between two studies that follow each other."""

    before: Point
    after: Point
    old: float
    new: float


def trends(site: Site, library: Library, query: Mapping[str, str]) -> str:
    """Return the metrics that several studies have; of the one that is asked for its course with change points."""
    found = {name: points for name, points in library.trends().items() if len(points) > 1}
    wanted = query.get("metric", "")
    if wanted and wanted not in found:
        raise NotThere
    chosen = found.get(wanted, [])
    cuts = _cuts(chosen)
    return _render(
        "trends.html.j2",
        site,
        title=wanted or "Trends",
        found=found,
        wanted=wanted,
        points=chosen,
        changes=_changes(chosen, cuts),
        drawing=_course(chosen, cuts),
        fewest=2 * SHORTEST_SEGMENT,
        devices=len({point.device for point in chosen}),
        address=lambda name: "/trends?" + urlencode({"metric": name}),
    )


def _cuts(points: Sequence[Point]) -> tuple[int, ...]:
    values = [point.value for point in points]
    if not values or not all(math.isfinite(value) for value in values):
        return ()
    return change_points([math.log(value) for value in values] if min(values) > 0 else values)


def _changes(points: Sequence[Point], cuts: Sequence[int]) -> list[Change]:
    edges = [0, *cuts, len(points)]
    levels = [median([point.value for point in points[a:b]]) for a, b in pairwise(edges) if b > a]
    return [Change(points[cut - 1], points[cut], levels[n], levels[n + 1]) for n, cut in enumerate(cuts)]


def _course(points: Sequence[Point], cuts: Sequence[int]) -> Any:
    from markupsafe import Markup

    if not points or not all(math.isfinite(point.value) for point in points):
        return ""
    dots = [Dot(point.value, point.low, point.high) for point in points]
    return Markup(series(dots, cuts, (points[0].date[:10], points[-1].date[:10])))  # noqa: S704


def comparison(site: Site, library: Library, key: str) -> str:
    """Return a comparison of two measurements."""
    found = library.comparisons.get(key)
    if found is None:
        raise NotThere
    return _render("comparison.html.j2", site, title="Comparison", comparison=found)


def questions(site: Site, answer: Answer | None = None, problem: str = "") -> str:
    """Return the page on which a reviewer drops a paper or pastes a table, with the questions where there are any."""
    found = answer.questions if answer is not None else ()
    most = max(MOST_QUESTIONS, sum(each.decides or each.kind != "open" for each in found))
    return _render(
        "questions.html.j2",
        site,
        title="Questions",
        asked=found[:most],
        rest=[each.topic for each in found[most:]],
        answer=answer,
        problem=problem,
        kinds=KINDS,
        suffixes=",".join(f".{suffix}" for suffix in sorted(SUFFIXES)),
        limit=LIMIT_BYTES >> 20,
    )


def failure(site: Site, title: str, words: str) -> str:
    """Return a page that says what went wrong."""
    return _render("failure.html.j2", site, title=title, words=words)


def style() -> str:
    """Return the style sheet."""
    return (FOLDER / "serve.css").read_text(encoding="utf-8")


def _entry(library: Library, key: str) -> Entry:
    found = library.entries.get(key)
    if found is None:
        raise NotThere
    return found


def _arms(entry: Entry) -> list[tuple[Any, Sequence[Any]]]:
    return [(side, trials(side)) for side in entry.linted.case.sides()]


def _render(template: str, site: Site, **values: Any) -> str:
    return _environment().get_template(template).render(site=site, **values)


@cache
def _environment() -> Environment:
    names = {
        "ways": {way: FAMILIES[way].partition(": ")[2] for way in WAYS},
        "verdicts": {verdict.name: verdict.words for verdict in sorted(Verdict, reverse=True)},
        "tiers": TIER_WORDS,
        "outcomes": OUTCOMES,
        "signatures": SIGNATURES,
    }
    return environment(FOLDER, names)
