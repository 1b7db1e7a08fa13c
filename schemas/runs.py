"""Runs with their logs, and what was handed in with them, as in common.schema.json, which describes each field."""

from typing import Any

from msgspec import field

from .model import Node


class RunFile(Node, frozen=True, kw_only=True):
    """A file of evidence as it was handed in."""

    name: str
    bytes: int | None = None
    sha256: str | None = None
    content_sha256: str | None = None
    format: str | None = None


class RunEvent(Node, frozen=True, kw_only=True):
    """One event of a run's log, where the document holds it itself; its key there is its line."""

    time_ms: float | None = None
    key: str
    value: Any = None
    samples: float | None = None
    step: float | None = None
    epoch: float | None = None
    kind: str | None = None


class MalformedLine(Node, frozen=True, kw_only=True):
    """A line that bears the log's marker and cannot be read."""

    column: int | None = None
    expected: str
    text: str | None = None


class RunClock(Node, frozen=True, kw_only=True):
    """Clock of a run's log."""

    kind: str | None = None
    resolution_ms: float | None = None


class RunWindow(Node, frozen=True, kw_only=True):
    """Measured window of a run, and what was configured for it."""

    start_ms: float | None = None
    stop_ms: float | None = None
    configured_min_s: float | None = None
    configured_max_s: float | None = None
    trace_s: float | None = None
    wall_s: float | None = None
    largest_latency_s: float | None = None
    work: float | None = None
    rate_per_s: float | None = None


class RunInit(Node, frozen=True, kw_only=True):
    """Initialisation before a run."""

    start_ms: float | None = None
    stop_ms: float | None = None


class HarnessVerdict(Node, frozen=True, kw_only=True):
    """What the harness printed about a run."""

    valid: bool | None = None
    words: str | None = None
    parts: dict[str, bool] = field(default_factory=dict)
    errors: int | None = None


class RunTool(Node, frozen=True, kw_only=True):
    """Harness or load generator of a run."""

    name: str | None = None
    release: str | None = None
    commit: str | None = None
    mode: str | None = None
    changed_files: tuple[str, ...] = ()


class AccuracyRecord(Node, frozen=True, kw_only=True):
    """What scored the outputs of an accuracy run."""

    file: RunFile | None = None
    metrics: dict[str, str] = field(default_factory=dict)
    correct: int | None = None
    examples: int | None = None
    named_sha256: str | None = None
    outputs_sha256: str | None = None
    outputs: str | None = None


class Description(Node, frozen=True, kw_only=True):
    """System description as it was handed in, field by field."""

    file: RunFile | None = None
    fields: dict[str, Any]
    malformed: dict[str, MalformedLine] = field(default_factory=dict)


class ConfigurationFile(Node, frozen=True, kw_only=True):
    """A configuration file of the harness, with its settings that hold for a result."""

    file: RunFile | None = None
    settings: dict[str, str] = field(default_factory=dict)


class Run(Node, frozen=True, kw_only=True):
    """One run of a result, with its log."""

    role: str | None = None
    file: RunFile | None = None
    status: str | None = None
    host: str | None = None
    exclusive: bool | None = None
    device_ids: tuple[str, ...] = ()
    processes: int | None = None
    clock: RunClock | None = None
    events: dict[str, RunEvent] = field(default_factory=dict)
    malformed: dict[str, MalformedLine] = field(default_factory=dict)
    window: RunWindow | None = None
    init: RunInit | None = None
    verdict: HarnessVerdict | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    tool: RunTool | None = None
    record: AccuracyRecord | None = None
