"""Orders: what one trial is told, as `python -P -m dlaudit.runners.trial.worker ORDER.json` reads it."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from ...schemas.errors import UserError

SAME, PERCENT = 1e-9, 100
MOST_RANKS = 65536
RESTART = "DLAUDIT_RESTART"
"""Variable that says how often a job was started again."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A workload that dlaudit brings along, with its parameters."""

    name: str
    parameters: Mapping[str, Any]


class Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A factory of the user's own, `package.module:factory`, with its arguments."""

    entry: str
    arguments: dict[str, Any] = {}


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program of the user's own and its arguments; no shell reads them."""

    command: tuple[str, ...]


Source = Named | Entry | Command


class Throughput(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many iterations a throughput trial makes, warm-up apart."""

    warmup: int
    iterations: int


class Target(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The quality that a convergence trial is to reach on held-out data."""

    metric: str
    value: float
    direction: Literal["higher", "lower"]

    def met(self, metrics: Mapping[str, float]) -> bool:
        """Whether these metrics reach the target; a value that is not finite never does."""
        value = metrics.get(self.metric, math.nan)
        if not math.isfinite(value):
            return False
        return value >= self.value if self.direction == "higher" else value <= self.value

    def check_scale(self, metrics: Mapping[str, float], correct: int | None, examples: int) -> None:
        """Refuse a target that a counted share can never meet, at the first evaluation that shows it.

        Args:
            metrics: of an evaluation.
            correct: correct examples, where they were counted.
            examples: all of them.

        Raises:
            UserError: the metric is correct / examples, and the target lies outside 0 to 1.
        """
        value = metrics.get(self.metric)
        counted = correct is not None and examples > 0 and value is not None and abs(value - correct / examples) < SAME
        if counted and not 0 <= self.value <= 1 and abs(self.value) < sys.float_info.max:
            raise UserError(
                f"{self.metric} is a share of {examples} examples, from 0 to 1, and the target is {self.value:g}",
                f"write {self.value / 100:g}" if 1 < self.value <= PERCENT else "write a share",
                "/convergence/target/value",
            )


class Convergence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How far a convergence trial trains and how often it evaluates, in training samples."""

    evaluate_every_samples: int
    max_samples: int
    target: Target
    stop_at_target: bool = False


class Controls(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Knobs of the trial's own process; None asks for nothing."""

    affinity: tuple[int, ...] | None = None
    threads: int | None = None
    cpuset: tuple[int, ...] | None = None
    numa_nodes: tuple[int, ...] | None = None
    aslr: bool | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one trial is told."""

    trial: str
    arm: str
    kind: Literal["throughput", "convergence", "accounting", "phases"]
    workload: dict[str, Any]
    options: dict[str, Any] = {}
    seed: int
    device: str = "cpu"
    events: str
    ranks: int = 1
    """Processes that do the trial together, this one among them."""
    folder: str | None = None
    """Folder that the trial runs in, from that of the runner; the runner's own where None."""
    throughput: Throughput | None = None
    convergence: Convergence | None = None
    controls: Controls = Controls()
    interference: float = 0.0
    """Share of every processor that a neighbour takes meanwhile."""

    def source(self) -> Source:
        """Return what to run.

        Raises:
            UserError: the workload is not exactly one of name, entry and command.
        """
        value = self.workload
        kinds = [key for key in ("name", "entry", "command") if key in value]
        if len(kinds) != 1:
            raise UserError("a workload has exactly one of name, entry and command", "give one", "/workload")
        if kinds == ["name"]:
            name = _convert(value["name"], str, "/workload/name")
            return Named(name=name, parameters={key: item for key, item in value.items() if key != "name"})
        if kinds == ["entry"]:
            entry: Entry = _convert(value, Entry, "/workload")
            return entry
        command: Command = _convert(value, Command, "/workload")
        if not command.command:
            raise UserError("the command is empty", "name the program", "/workload/command")
        return command


def restarted(order: Order, count: str | None) -> Order:
    """Return the order of an attempt whose job its scheduler has started again: a restart is a further attempt.

    Args:
        order: of the attempt that was submitted.
        count: restarts so far, as the variable RESTART tells it; None or 0 where there were none.
    """
    if not count or not count.isdecimal() or int(count) == 0:
        return order
    folder, _, name = order.events.rpartition("/")
    first = (
        int(name.removeprefix(f"{order.trial}.").removeprefix("again-").partition(".")[0]) if "again-" in name else 1
    )
    again = f"{order.trial}.again-{first + int(count)}.events.jsonl"
    return msgspec.structs.replace(order, events=f"{folder}/{again}" if folder else again)


def read(path: Path) -> Order:
    """Read and check an order file.

    Raises:
        UserError: the file cannot be read, is no JSON, or is no order.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UserError(f"the order cannot be read: {error.strerror}", "name an order file", str(path)) from None
    try:
        value = msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        raise UserError(f"the order is no JSON: {error}", "write it with `dlaudit run`", str(path)) from None
    order: Order = _convert(value, Order, str(path))
    _check(order, str(path))
    return order


def _convert(value: object, kind: Any, where: str) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise UserError(f"not an order: {error}", "correct the value", where) from None


def _check(order: Order, where: str) -> None:
    plans = {"throughput": order.throughput, "convergence": order.convergence}
    plan = plans.get(order.kind)
    if plan is None and order.kind in plans:
        raise UserError(f"a {order.kind} trial needs `{order.kind}`", f"add /{order.kind}", where)
    if isinstance(plan, Throughput):
        wrong = plan.iterations < 1 or plan.warmup < 0
        if wrong:
            raise UserError("iterations must be at least 1 and warmup at least 0", "correct /throughput", where)
    elif plan is not None and not 1 <= plan.evaluate_every_samples <= plan.max_samples:
        raise UserError(
            "evaluate_every_samples must be at least 1 and at most max_samples", "correct /convergence", where
        )
    controls = order.controls
    if controls.threads is not None and controls.threads < 1:
        raise UserError("threads must be at least 1", "correct /controls/threads", where)
    if controls.affinity is not None and (not controls.affinity or min(controls.affinity) < 0):
        raise UserError("affinity must name processors from 0 on", "correct /controls/affinity", where)
    if not 1 <= order.ranks <= MOST_RANKS:
        raise UserError(f"ranks must lie between 1 and {MOST_RANKS}", "correct /ranks", where)
    if not 0 <= order.seed < 2**53:
        raise UserError("seed must lie in [0, 2^53)", "correct /seed", where)
    order.source()
