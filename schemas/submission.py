"""Submissions: claims and what they stand on, as in submission.schema.json, where each field is described."""

from msgspec import field
from msgspec.structs import force_setattr

from .conditions import System
from .evidence import Arm, Interval, PrintedAt, Target
from .model import Node
from .options import Options


class Said(Node, frozen=True, kw_only=True):
    """Words quoted from the publication, in the same sentence, caption or table as the number."""

    topic: str
    quote: str
    printed_at: PrintedAt | None = None
    duration_s: float | None = None


class MetricRef(Node, frozen=True, kw_only=True):
    """The performance number of an arm on which a claim stands."""

    manifest: str | None = None
    arm: str
    metric: str | None = None


class QualityRef(Node, frozen=True, kw_only=True):
    """The quality number that the publication prints together with the claim."""

    manifest: str | None = None
    arm: str
    quality: str | None = None


class Base(Node, frozen=True, kw_only=True):
    """What a ratio or efficiency is relative to."""

    manifest: str | None = None
    arm: str | None = None
    metric: str | None = None
    value: str | None = None
    unit: str | None = None
    definition: str | None = None
    devices: int | None = None


class RowRef(Node, frozen=True, kw_only=True):
    """Row of a table on which a claim stands."""

    table: str
    row: str | None = None
    base_row: str | None = None


class SuiteResult(Node, frozen=True, kw_only=True):
    """Identity of a result of a benchmark suite, as the main text gives it."""

    organisation: str | None = None
    benchmark: str | None = None
    round: str | None = None
    division: str | None = None
    scenario: str | None = None
    system: str | None = None
    verified: bool | None = None
    id: str | None = None
    category: str | None = None
    devices: int | None = None
    footnote: str | None = None
    available: str | None = None


class Comparator(Node, frozen=True, kw_only=True):
    """The other side of a comparison."""

    name: str | None = None
    version: str | None = None
    date: str | None = None
    device: str | None = None
    devices: int | None = None
    released: str | None = None
    superseded: str | None = None
    configuration: str | None = None
    result_id: str | None = None
    source: str | None = None
    citation: str | None = None
    own_value: str | None = None
    performance: str | None = None
    quality: str | None = None
    generational: bool | None = None
    suite: str | None = None
    suite_result: SuiteResult | None = None


class Reference(Node, frozen=True, kw_only=True):
    """The reference of a superlative."""

    name: str | None = None
    value: str | None = None
    citation: str | None = None
    date: str | None = None


class Range(Node, frozen=True, kw_only=True):
    """Range behind a headline."""

    low: str
    high: str
    where: str


class Factor(Node, frozen=True, kw_only=True):
    """A correction factor on a score."""

    value: str
    numerator: str | None = None
    denominator: str | None = None
    reference_exists: bool | None = None
    uncorrected: str | None = None


class Part(Node, frozen=True, kw_only=True):
    """A part whose gain is carried over to the whole."""

    name: str | None = None
    speedup: str
    fraction_low: float
    fraction_high: float


class Test(Node, frozen=True, kw_only=True):
    """A statistical test as printed."""

    name: str | None = None
    kind: str | None = None
    statistic: str | None = None
    degrees_of_freedom: str | None = None
    denominator_degrees_of_freedom: str | None = None
    p: str | None = None
    p_qualifier: str | None = None
    sided: str | None = None
    alpha: float | None = None
    values: str | None = None


class Margin(Node, frozen=True, kw_only=True):
    """Margin of a parity claim."""

    value: str
    declared_before: bool | None = None


class LatencyBound(Node, frozen=True, kw_only=True):
    """Latency that a claim promises to keep."""

    value: str
    unit: str
    percentile: str | None = None
    part: str | None = None


class Outputs(Node, frozen=True, kw_only=True):
    """Outputs of two arms on the same inputs, compared one by one."""

    compared: int
    identical: int | None = None
    only_subject_right: int | None = None
    only_base_right: int | None = None


class MetricDefinition(Node, frozen=True, kw_only=True):
    """Where a headline metric comes from."""

    kind: str
    set_by: str | None = None
    thresholds_declared_before: bool | None = None


class ReferenceRuns(Node, frozen=True, kw_only=True):
    """Runs of a suite's reference at one batch size."""

    global_batch: int
    samples_to_target: tuple[float, ...]


class Claim(Node, frozen=True, kw_only=True):
    """One published statement of a number."""

    statement: str
    printed_at: PrintedAt | None = None
    put_together: bool | None = None
    value: str | None = None
    unit: str | None = None
    qualifier: str | None = None
    digits: int | None = None
    quantity: str
    form: str
    scope: str
    purpose: str | None = None
    mode: str
    compares: str
    points: int | None = None
    basis: str | None = None
    statistic: str | None = None
    attribution: str | None = None
    treatment: tuple[str, ...] = ()
    work: str | None = None
    site: str | None = None
    device: str | None = None
    replicated: bool | None = None
    suite: str | None = None
    division: str | None = None
    suite_result: SuiteResult | None = None
    superlative: str | None = None
    metric: str | None = None
    metric_defined: MetricDefinition | None = None
    target: Target | None = None
    criterion: str | None = None
    measured: MetricRef | None = None
    quality: QualityRef | None = None
    base: Base | None = None
    row: RowRef | None = None
    comparator: Comparator | None = None
    comparators: tuple[Comparator, ...] = ()
    reference: Reference | None = None
    range: Range | None = None
    interval: Interval | None = None
    part: Part | None = None
    factor: Factor | None = None
    serial_fraction: Interval | None = None
    margin: Margin | None = None
    latency_bound: LatencyBound | None = None
    outputs: Outputs | None = None
    label: str | None = None
    crossing_samples: float | None = None
    group: str | None = None
    test: Test | None = None
    explanation: str | None = None
    reference_runs: dict[str, ReferenceRuns] = field(default_factory=dict)
    said: tuple[Said, ...] = ()

    def __post_init__(self) -> None:
        """Take "% less time" as a percentage: what follows is in the sentence, too."""
        if self.unit is not None and self.unit.startswith("% "):
            force_setattr(self, "unit", "%")


class Column(Node, frozen=True, kw_only=True):
    """What a column of a table holds."""

    quantity: str
    unit: str
    scope: str | None = None
    mode: str | None = None
    statistic: str | None = None
    format: str | None = None


class Row(Node, frozen=True, kw_only=True):
    """One row of a table."""

    label: str | None = None
    arm: str | None = None
    own: bool | None = None
    system: str | None = None
    devices: int | None = None
    nodes: int | None = None
    options: Options | None = None
    values: dict[str, str] = field(default_factory=dict)
    speedup: str | None = None
    efficiency: str | None = None
    wall_s: float | None = None
    samples: float | None = None
    samples_to_target: float | None = None
    parameters: float | None = None
    flop_method: str | None = None


class Table(Node, frozen=True, kw_only=True):
    """A table or series of the publication."""

    caption: str | None = None
    columns: dict[str, Column]
    rows: dict[str, Row]
    varies: tuple[str, ...] = ()
    label: str | None = None
    base_row: str | None = None
    dataset_examples: int | None = None
    members: tuple[str, ...] = ()
    subset_reason: str | None = None
    aggregator: str | None = None


class Figure(Node, frozen=True, kw_only=True):
    """A figure."""

    caption: str
    kind: str | None = None
    axis_start: float | None = None
    log_axis: bool | None = None
    connects_categories: bool | None = None
    intervals_drawn: bool | None = None
    values_stated: bool | None = None
    x_axis: str | None = None
    arms: tuple[str, ...] = ()


class ManifestRef(Node, frozen=True, kw_only=True):
    """A study's manifest that the submission cites."""

    path: str
    sha256: str


class Disclosure(Node, frozen=True, kw_only=True):
    """A weakness that the publication states itself."""

    topic: str
    quote: str


class Publication(Node, frozen=True, kw_only=True):
    """Where the claims were published."""

    where: str | None = None
    date: str | None = None
    authors: str | None = None


class FolderFile(Node, frozen=True, kw_only=True):
    """A file that was handed in."""

    bytes: int | None = None
    sha256: str | None = None
    role: str | None = None
    format: str | None = None
    nearest: str | None = None
    missing: tuple[str, ...] = ()


class Folder(Node, frozen=True, kw_only=True):
    """The folder that was handed in."""

    name: str | None = None
    files: dict[str, FolderFile] = field(default_factory=dict)
    benchmarks: tuple[str, ...] = ()


class SourceRef(Node, frozen=True, kw_only=True):
    """The document that a submission was taken from, as text."""

    file: str
    sha256: str | None = None


class Submission(Node, frozen=True, kw_only=True):
    """Claims with the evidence they stand on."""

    dlaudit: str
    title: str
    coverage: str | None = None
    publication: Publication | None = None
    source: SourceRef | None = None
    claims: dict[str, Claim]
    systems: dict[str, System] = field(default_factory=dict)
    arms: dict[str, Arm] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    manifests: dict[str, ManifestRef] = field(default_factory=dict)
    disclosures: tuple[Disclosure, ...] = ()
    nonce: str | None = None
    folder: Folder | None = None
