"""Records of a report: the fields of a JSON object, or of a row, as printed and with their places.

What a foreign file holds may be anything: every field is asked for by the type that an importer needs of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...schemas.pattern import Pattern
from ...schemas.source import Source
from .draft import LARGEST, Origin, at, identifier, in_json, printed, printed_text
from .drafting import ArmDraft, Drafting
from .report_file import ReportFile

if TYPE_CHECKING:
    from .fields import ClaimFields, MetricFields

_DAY = Pattern(r"\s{0,9}([0-9]{4})[-/]?([0-9]{1,2})[-/]?([0-9]{1,2})(?![0-9])")
MOST_RECORDS = MOST_CLAIMS = 1000
MOST_SAMPLES = 10_000
"""A submission may inline so many raw numbers."""


class Record(Struct, frozen=True):
    """One object of a report.

    Attributes:
        source: the document that it stands in, or its own line.
        steps: where it stands there.
        value: the object.
        line: the line that it is, of a file with one object a line; 0 for a whole document.
        columns: of a row of a table, the column of the text in which each field begins.
    """

    source: Source
    steps: tuple[str | int, ...]
    value: Mapping[str, object]
    line: int = 0
    columns: Mapping[str | int, int] = {}

    def inner(self, *steps: str | int) -> Record | None:
        """Return an object inside it, or None where there is none."""
        value = self.get(*steps)
        return Record(self.source, (*self.steps, *steps), value, self.line) if isinstance(value, Mapping) else None

    def objects(self, *steps: str) -> Iterable[Record]:
        """Yield the objects of a list inside it."""
        value = self.get(*steps)
        for index in range(len(value) if isinstance(value, list) else 0):
            found = self.inner(*steps, index)
            if found is not None:
                yield found

    def __iter__(self) -> Iterator[str]:
        """Yield the names of its fields."""
        return iter(self.value)

    def __contains__(self, name: object) -> bool:
        """Whether it has a field of a name."""
        return name in self.value

    def get(self, *steps: str | int) -> object:
        """Return a field whatever it is, or None where there is none."""
        value: Any = self.value
        for step in steps:
            in_list = isinstance(value, list) and isinstance(step, int) and step < len(value)
            if not in_list and not (isinstance(value, Mapping) and step in value):
                return None
            value = value[step]
        return value

    def origin(self, *steps: str | int) -> Origin:
        """Return where a field stands; the record itself without one."""
        if not self.line:
            return in_json(self.source, *self.steps, *steps)
        if self.columns:
            return Origin(self.source.name, self.line, self.columns.get(steps[0], 1) if steps else 1)
        place = self.source.place(at(*self.steps, *steps))
        return Origin(self.source.name, self.line, place.column)

    def printed(self, *steps: str | int) -> str | None:
        """Return a number with its digits; of a text, those that it consists of; None where no finite number stands."""
        value = self.get(*steps)
        if isinstance(value, bool) or value is None or (isinstance(value, float) and not math.isfinite(value)):
            return None
        if isinstance(value, str):
            return printed_text(value)
        found = printed(self.source, *self.steps, *steps)
        return found if found is not None and len(found) <= 40 else None

    def printed_number(self, *steps: str | int) -> str | None:
        """Return a number with its digits; None also where a text holds it."""
        return None if isinstance(self.get(*steps), str) else self.printed(*steps)

    def text(self, key: str) -> str | None:
        """Return a field that is a text, or None."""
        value = self.value.get(key)
        return value if isinstance(value, str) and value.strip() else None

    def flag(self, key: str) -> bool | None:
        """Return a field that is true or false, or None."""
        value = self.value.get(key)
        return value if isinstance(value, bool) else None

    def array(self, *steps: str) -> Sequence[object] | None:
        """Return a field that is a list, or None."""
        value = self.get(*steps)
        return value if isinstance(value, list) else None

    def whole(self, key: str, least: int = 0) -> int | None:
        """Return a field that is a whole number, as a number or as a text, of at least `least`; else None."""
        value = self.value.get(key)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
            value = int(value)
        if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return None
        return value if least <= value <= LARGEST else None

    def real(self, key: str) -> float | None:
        """Return a field that is a finite number above 0, as a number or as a text; else None."""
        text = self.printed(key)
        value = float(text) if text is not None else 0.0
        return value if 0 < value < math.inf else None


def document(file: ReportFile) -> Record:
    """Return the JSON object that a file is.

    Raises:
        UserError: it is none.
    """
    source, value = file.document()
    return Record(source, (), value)


def records(file: ReportFile) -> tuple[Record, ...]:
    """Return the records of a file: its object, the objects of its list, or those of its lines."""
    if file.json is not None:
        value = file.json.value
        if isinstance(value, dict):
            return (Record(file.json, (), value),)
        items = enumerate(value if isinstance(value, list) else [])
        return tuple(Record(file.json, (index,), item) for index, item in items if isinstance(item, dict))
    lines = file.data.split(b"\n")
    held = ((line, value) for line, value in file.json_lines[:MOST_RECORDS] if isinstance(value, dict))
    return tuple(Record(Source(file.name, lines[line - 1], value, "json"), (), value, line) for line, value in held)


def keep(arm: ArmDraft, record: Record, names: Iterable[str], prefix: str = "") -> None:
    """Keep fields of a record among the free options of an arm, each under its name behind a prefix."""
    for name in names:
        if name in record:
            arm.keep(prefix + name, record.get(name), record.origin(name))


def metric(arm: ArmDraft, record: Record, name: str, steps: tuple[str | int, ...], fields: MetricFields) -> bool:
    """Put a field as a performance number of an arm; return whether a number stands there.

    Args:
        arm: the arm.
        record: what holds the field.
        name: of the number.
        steps: the field.
        fields: quantity, unit and what else is known of it.
    """
    value = record.printed(*steps)
    if value is None:
        return False
    where = record.origin(*steps)
    arm.put_metric(name, {**fields, "value": value}, where, where)
    return True


def claim(arm: ArmDraft, name: str, statement: str, fields: ClaimFields) -> None:
    """Claim a performance number of an arm that was put: with its value, its unit and its place."""
    draft, put = arm.draft, arm.performance[name]
    if is_full(draft):
        if not any(text.startswith("numbers from") for text in draft.unused):
            draft.unused.append(f"numbers from {arm.key} on: a submission holds {MOST_CLAIMS:,} claims")
        return
    key = identifier(f"{arm.key}-{name}", draft.claims)
    found: ClaimFields = {
        "statement": f"{statement}: {put['value']} {put['unit']}",
        "value": put["value"],
        "unit": put["unit"],
        "quantity": put["quantity"],
        "form": "absolute",
        "compares": "none",
        "basis": "measured",
        "measured": {"arm": arm.key, "metric": name},
    }
    if "scope" in put and put["scope"] is not None:
        found["scope"] = put["scope"]
    if "statistic" in put:
        found["statistic"] = put["statistic"]
    where = draft.origins.get(at("arms", arm.key, "performance", name, "value"))
    draft.put_claim(key, {**found, **fields}, where, where)


def is_full(draft: Drafting) -> bool:
    """Whether a draft holds as many claims as a submission may."""
    return len(draft.claims) >= MOST_CLAIMS


def quality_claim(arm: str, key: str, name: str, value: str, words: str, mode: str = "training") -> ClaimFields:
    """Return a claim of a quality that was put: of a training, or of the evaluation of a model as it is."""
    return {
        "statement": words[:4000],
        "value": value,
        "quantity": "accuracy",
        "form": "absolute",
        "scope": "training_run" if mode == "training" else "step",
        "mode": mode,
        "compares": "none",
        "basis": "measured",
        "metric": name[:4000],
        "measured": {"arm": arm},
        "quality": {"arm": arm, "quality": key},
    }


def day(value: object) -> str | None:
    """Return the day of a date as reports write them: 20250530-203806, 2018-4-20, or seconds since 1970."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 4e9:
        return datetime.fromtimestamp(value, UTC).date().isoformat()
    match = _DAY.match(value) if isinstance(value, str) else None
    try:
        return date(int(match[1]), int(match[2]), int(match[3])).isoformat() if match is not None else None
    except ValueError:
        return None


def samples(values: object, factor: float = 1.0) -> list[float] | None:
    """Return raw values times a factor; None where they are no list of finite numbers of at least 0, or too many."""
    if not isinstance(values, list) or not 0 < len(values) <= MOST_SAMPLES:
        return None
    kept = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    found = [float(value) * factor for value in kept if abs(value) < 1e300]
    return found if len(found) == len(values) and all(0 <= value < math.inf for value in found) else None
