"""A draft that is being written: the parts of a submission by their fields, each with its place in the report.

The fields and their types are those of the submission's schema (fields.pyi): a type checker refuses a name that the
schema does not have. What a report does not state is None and leaves no trace, and neither does a field that is an
empty text. A text, and one inside an object, is cut to the length that a submission may hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast

from .draft import LARGEST, LONGEST_TEXT, Draft, Origin, at
from .qualities import named_quantity

if TYPE_CHECKING:
    from .fields import (
        ArmFields,
        ClaimFields,
        CodeFields,
        ControlFields,
        DescriptionFields,
        EnvironmentFields,
        FootprintFields,
        MeasurementFields,
        MetricFields,
        OperationsFields,
        OptionsFields,
        PrecisionFields,
        PublicationFields,
        QualityFields,
        SoftwareFields,
        SplitFields,
        SubmissionFields,
        SummaryFields,
        SystemFields,
        TableFields,
        TimerFields,
        TrialFields,
    )
    from .report_file import ReportFile

F = TypeVar("F", bound=Mapping[str, object])


def stated(fields: F) -> F:
    """Return the fields that a report states: those that are not None."""
    return cast(F, {name: value for name, value in fields.items() if value is not None})


class Drafting:
    """A submission that is being written."""

    def __init__(self, title: str, coverage: str = "excerpt") -> None:
        """Begin a submission.

        Args:
            title: its title.
            coverage: full only where the report is everything that a reader gets; else excerpt.
        """
        self.fields: SubmissionFields = {
            "dlaudit": "submission/1",
            "title": title[:400],
            "coverage": coverage,
            "claims": {},
        }
        self.origins: dict[str, Origin] = {}
        self.unused: list[str] = []
        self.guesses: dict[str, Mapping[str, str]] = {}

    @property
    def claims(self) -> dict[str, ClaimFields]:
        """The claims by id."""
        return self.fields["claims"]

    @property
    def arms(self) -> dict[str, ArmFields]:
        """The arms by id."""
        return self.fields.get("arms", {})

    @property
    def systems(self) -> dict[str, SystemFields]:
        """The systems by id."""
        return self.fields.get("systems", {})

    def arm(self, key: str) -> ArmDraft:
        """Return the arm of an id, to write it; it is there once a field of it is put."""
        return ArmDraft(self, key)

    def put_arm(self, key: str, fields: ArmFields) -> ArmDraft:
        """Begin an arm with some fields."""
        self.fields.setdefault("arms", {})[key] = fields
        return ArmDraft(self, key)

    def put_claim(self, key: str, fields: ClaimFields, where: Origin | None, value_at: Origin | None = None) -> None:
        """Put a claim; its number stands at `value_at`."""
        self._put(("claims", key), stated(fields), where)
        self.place(value_at, "claims", key, "value")

    def put_system(self, key: str, fields: SystemFields, where: Origin) -> None:
        """Put a system."""
        self._put(("systems", key), stated(fields), where)

    def system(self, key: str, where: Origin, /, **fields: Unpack[SystemFields]) -> None:
        """Put fields of a system."""
        self._put_each(("systems", key), fields, where)

    def publication(self, where: Origin, /, **fields: Unpack[PublicationFields]) -> None:
        """Put fields of the publication."""
        self._put_each(("publication",), fields, where)

    def put_table(self, key: str, fields: TableFields, where: Origin) -> None:
        """Put a table."""
        self._put(("tables", key), stated(fields), where)

    def table(self, key: str, where: Origin | None, /, **fields: Unpack[TableFields]) -> None:
        """Put fields of a table."""
        self._put_each(("tables", key), fields, where)

    def _put(self, steps: tuple[str, ...], value: object, where: Origin | None = None) -> None:
        """Put a value where the steps lead; objects on the way are made."""
        if value is None or value == "":
            return
        holder = self.value
        for step in steps[:-1]:
            holder = holder.setdefault(step, {})
        holder[steps[-1]] = _cut(value)
        self.place(where, *steps)

    def _put_each(self, steps: tuple[str, ...], fields: Mapping[str, object], where: Origin | None) -> None:
        """Put fields of what the steps lead to, each with the same place."""
        for name, value in fields.items():
            self._put((*steps, name), value, where)

    def place(self, where: Origin | None, *steps: str | int) -> None:
        """Say where the value stands to which the steps lead."""
        if where is not None:
            self.origins[at(*steps)] = where

    @property
    def value(self) -> dict[str, Any]:
        """The submission as JSON."""
        return cast("dict[str, Any]", self.fields)

    def done(self, file: ReportFile, *beside: ReportFile) -> Draft:
        """Return the draft of one file, and of those that were read beside it."""
        for claim in self.claims.values():
            claim["quantity"] = named_quantity(claim)
        unused = tuple(dict.fromkeys(self.unused))
        files = {each.name: each for each in (file, *beside)}.get
        return Draft(self.value, self.origins, unused, files=files, listing=file.data, guesses=self.guesses)


class ArmDraft:
    """An arm of a draft that is being written."""

    def __init__(self, draft: Drafting, key: str) -> None:
        """Name the arm of an id."""
        self.draft, self.key = draft, key

    @property
    def fields(self) -> ArmFields:
        """What is put of it so far."""
        return self.draft.arms.get(self.key, {})

    @property
    def performance(self) -> dict[str, MetricFields]:
        """Its performance numbers by name."""
        return self.fields.get("performance", {})

    @property
    def quality(self) -> dict[str, QualityFields]:
        """Its qualities by name."""
        return self.fields.get("quality", {})

    def put(self, where: Origin | None, /, **fields: Unpack[ArmFields]) -> None:
        """Put fields of the arm itself."""
        self._put_each((), fields, where)

    def options(self, where: Origin | None, /, **fields: Unpack[OptionsFields]) -> None:
        """Put options."""
        self._put_each(("options",), fields, where)

    def precision(self, where: Origin | None, /, **fields: Unpack[PrecisionFields]) -> None:
        """Put number formats."""
        self._put_each(("options", "precision"), fields, where)

    def keep(self, name: str, value: object, where: Origin) -> None:
        """Keep a setting that no field takes among the free options; what is no single value is left out."""
        if name and isinstance(value, str | bool | int | float) and value != "":
            kept = value if not isinstance(value, float) or math.isfinite(value) else str(value)
            big = isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST
            self._put(("options", "extra", name[:200]), str(value) if big else kept, where)

    def software(self, where: Origin | None, /, **fields: Unpack[SoftwareFields]) -> None:
        """Put fields of the software."""
        self._put_each(("software",), fields, where)

    def library(self, name: str, version: str | None, where: Origin) -> None:
        """Put the version of a library."""
        self._put(("software", "libraries", name), version, where)

    def package(self, name: str, version: str | None, where: Origin) -> None:
        """Put the version of a package."""
        self._put(("software", "packages", name), version, where)

    def code(self, where: Origin, /, **fields: Unpack[CodeFields]) -> None:
        """Put where the code lies."""
        self._put_each(("software", "code"), fields, where)

    def environment(self, where: Origin, /, **fields: Unpack[EnvironmentFields]) -> None:
        """Put fields of the environment."""
        self._put_each(("environment",), fields, where)

    def put_control(self, name: str, fields: ControlFields, where: Origin) -> None:
        """Put a knob of the environment."""
        self._put(("environment", "controls", name), fields, where)

    def measurement(self, where: Origin, /, **fields: Unpack[MeasurementFields]) -> None:
        """Put how the numbers were taken."""
        self._put_each(("measurement",), fields, where)

    def timer(self, where: Origin, /, **fields: Unpack[TimerFields]) -> None:
        """Put the clock of the measurement."""
        self._put_each(("measurement", "timer"), fields, where)

    def footprint(self, where: Origin, /, **fields: Unpack[FootprintFields]) -> None:
        """Put the size of the model."""
        self._put_each(("footprint",), fields, where)

    def operations(self, where: Origin, /, **fields: Unpack[OperationsFields]) -> None:
        """Put operations and bytes."""
        self._put_each(("operations",), fields, where)

    def description(self, where: Origin, /, **fields: Unpack[DescriptionFields]) -> None:
        """Put parts of the system description as it was handed in."""
        self._put_each(("description",), fields, where)

    def put_split(self, name: str, fields: SplitFields, where: Origin) -> None:
        """Put a split of the data."""
        self._put(("splits", name), fields, where)

    def put_trial(self, name: str, fields: TrialFields, where: Origin) -> None:
        """Put a trial."""
        self._put(("trials", name), stated(fields), where)

    def put_metric(
        self, name: str, fields: MetricFields, where: Origin | None, value_at: Origin | None = None
    ) -> MetricDraft:
        """Put a performance number, which stands at `value_at`."""
        self._put(("performance", name), stated(fields), where)
        self.place(value_at, "performance", name, "value")
        return MetricDraft(self, name)

    def metric(self, name: str) -> MetricDraft:
        """Return a performance number, to write it."""
        return MetricDraft(self, name)

    def put_quality(
        self, name: str, fields: QualityFields, where: Origin | None, value_at: Origin | None = None
    ) -> None:
        """Put a quality, whose value stands at `value_at`."""
        self._put(("quality", name), stated(fields), where)
        self.place(value_at, "quality", name, "value")

    def add_quality(self, name: str, where: Origin, /, **fields: Unpack[QualityFields]) -> None:
        """Put fields of a quality."""
        self._put_each(("quality", name), fields, where)

    def place(self, where: Origin | None, *steps: str | int) -> None:
        """Say where a value of the arm stands."""
        self.draft.place(where, "arms", self.key, *steps)

    def _put(self, steps: tuple[str, ...], value: object, where: Origin | None) -> None:
        self.draft._put(("arms", self.key, *steps), value, where)

    def _put_each(self, steps: tuple[str, ...], fields: Mapping[str, object], where: Origin | None) -> None:
        self.draft._put_each(("arms", self.key, *steps), fields, where)


class MetricDraft:
    """A performance number of an arm that is being written."""

    def __init__(self, arm: ArmDraft, name: str) -> None:
        """Name the number of an arm."""
        self.arm, self.name = arm, name
        self._steps = ("arms", arm.key, "performance", name)

    @property
    def fields(self) -> MetricFields:
        """What is put of it so far."""
        return self.arm.performance[self.name]

    def put(self, where: Origin | None, /, **fields: Unpack[MetricFields]) -> None:
        """Put fields of the number."""
        self.arm.draft._put_each(self._steps, fields, where)

    def summary(self, where: Origin | None, /, **fields: Unpack[SummaryFields]) -> None:
        """Put summary statistics."""
        self.arm.draft._put_each((*self._steps, "summary"), fields, where)

    def percentile(self, rank: str, value: str | None, where: Origin) -> None:
        """Put a percentile by its rank."""
        self.arm.draft._put((*self._steps, "summary", "percentiles", rank), value, where)


def _cut(value: object) -> object:
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    return {key: _cut(inner) for key, inner in value.items()} if isinstance(value, dict) else value
