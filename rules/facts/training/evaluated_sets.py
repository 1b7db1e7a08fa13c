"""How many examples an evaluation counted, and how many the whole set holds."""

from __future__ import annotations

import math
from collections.abc import Iterator

from msgspec import Struct

from ....schemas.evidence import Quality, Target
from ....schemas.submission import Claim
from ...case import Case, Side
from ...language.reading import read
from ...tables import mlperf
from ...tables.datasets import datasets
from ...trace import Event, Logged
from ...words import target_of
from ..runs.event_kinds import COUNTED_LATE
from ..runs.logged_options import whole_option
from ..suite.result import quoted
from .dataset import named_dataset
from .stated_quality import same_metric, stated_quality

NODES = ("number_of_nodes", "accelerators_per_node")
PROCESSES = ("number_of_ranks", "number_of_workers", "data_parallel_size")
BATCHES = ("eval_batch_size", "local_eval_batch_size", "global_batch_size", "local_batch_size", "d_batch_size")
COUNTED = ("eval_samples", "eval_examples")
"""Keys under which a log says how many examples an evaluation counts."""


class Evaluated(Struct, frozen=True):
    """An evaluation beside its set.

    Attributes:
        examples: evaluated examples.
        at: their place.
        full: examples of the whole set.
        full_at: their place, or that of the data set's name where a table knows them.
        source: where the size of the set comes from, in words.
    """

    examples: int
    at: str
    full: int
    full_at: str
    source: str


def evaluated(claim: Claim, case: Case) -> tuple[Evaluated, ...]:
    """Return the evaluations behind a claim that state their examples, beside the largest known size of their set.

    A set that holds nothing is none: its size is a slip, or not known.
    """
    found = stated_quality(claim, case)
    side = found.side if found is not None else case.subject(claim)
    if side is None:
        return ()
    quality = found.quality if found is not None else None
    counts = list(_counts(claim, case, side, quality))
    split = quality.split if quality is not None else None
    metric = quality.metric if quality is not None else None
    known = (*_sizes(case, side, split, metric), *(_said(quality) if quality is not None else ()))
    sizes = [size for size in known if size[0] > 0]
    if not sizes:
        return ()
    full, full_at, source = max(sizes)
    counts += _logged(case, side, full)
    return tuple(Evaluated(examples, at, full, full_at, source) for examples, at in counts)


def logged_short(claim: Claim, case: Case) -> Evaluated | None:
    """Return the least count that a run of a suite's training result logs below the size of its benchmark's set.

    What one device, node or process counts is no part of the set, nor are so many batches: some logs give the share of
    one process, or count batches.
    """
    side = case.subject(claim)
    result, sets = quoted(claim), mlperf.training().evaluation_sets
    entry = datasets().datasets.get(sets.benchmarks.get(result.benchmark or "", ""))
    if side is None or entry is None or entry.evaluated is None:
        return None
    rounds = sets.rounds.get(result.benchmark or "")
    if rounds is not None and (result.round is None or not mlperf.within(result.round, rounds)):
        return None
    full = entry.evaluated
    least: Evaluated | None = None
    for run in case.runs_of(side):
        shares = _shares(side, run, full)
        first = min((event.line for event in run.trace.kind("eval")), default=0)
        for event in run.trace.of("eval_samples"):
            count = _whole(event)
            # what is counted after an evaluation is what it consumed
            short = (
                (event.kind == "option" or event.line < first)
                and count is not None
                and count < full
                and count not in shares
            )
            if short and count is not None and (least is None or count < least.examples):
                at = run.trace.place(event)
                least = Evaluated(count, at, full, at, f"{entry.title} holds")
    return least


def _shares(side: Side, run: Logged, full: int) -> set[int]:
    """Return the counts of one device, node or process of a run, and of its batches, that make up the whole set."""
    logged = {key: whole_option(run, key) for key in (*NODES, *PROCESSES, *BATCHES)}
    products = [math.prod(logged[key] for key in NODES), *(logged[key] for key in PROCESSES), logged[NODES[0]]]
    counts = {side.arm.devices, side.devices, side.system.nodes if side.system is not None else None, *products}
    parts = {count for count in (*counts, *(logged[key] for key in BATCHES)) if count is not None and count > 1}
    return {share for part in parts for share in (full // part, math.ceil(full / part))}


def _whole(event: Event) -> int | None:
    """Return the examples that an event counts; None where it gives no whole number of them."""
    number = event.number
    return int(number) if number is not None and number.is_integer() and number > 0 else None


def _counts(claim: Claim, case: Case, side: Side, quality: Quality | None) -> Iterator[tuple[int, str]]:
    if quality is not None and quality.examples is not None:
        yield quality.examples, quality.place("examples")
    target = target_of(claim, case)
    metric = quality.metric if quality is not None else target.metric if isinstance(target, Target) else None
    logged = {
        item.examples: item.at
        for trial in side.arm.trials.values()
        for item in trial.evaluations
        if item.examples and metric in item.metrics and (quality is None or item.split == quality.split)
    }
    if logged:
        yield min(logged), f"{logged[min(logged)]}/examples"


def _logged(case: Case, side: Side, full: int) -> Iterator[tuple[int, str]]:
    entry = named_dataset(case, side.arm.options.dataset if side.arm.options is not None else None)
    usual = entry.logged if entry is not None else ()
    for run in case.runs_of(side):
        shares = _shares(side, run, full)
        for event in run.trace.of(*COUNTED):
            count = _whole(event)
            known = count is None or count in usual or count in shares
            if count is not None and not known and (event.key not in COUNTED_LATE or event.kind == "option"):
                yield count, run.trace.place(event)


def _sizes(case: Case, side: Side, split: str | None, metric: str | None) -> Iterator[tuple[int, str, str]]:
    """Yield known sizes of the set: declared for the split, counted by another arm on it, or in the table of sets."""
    own = side.arm.splits.get(split or "")
    if own is not None and own.examples is not None:
        yield own.examples, own.place("examples"), "its split is stated to hold"
    name = side.arm.options.dataset if side.arm.options is not None else None
    for other in case.sides():
        same_set = other.arm.options is not None and name is not None and other.arm.options.dataset == name
        for quality in other.arm.quality.values() if other.id != side.id and same_set else ():
            same = split is not None and quality.split == split and same_metric(quality.metric, metric or "")
            if same and quality.examples is not None:
                yield quality.examples, quality.place("examples"), f"arm `{other.id}` counts on it"
    entry = named_dataset(case, name)
    if entry is not None and entry.evaluated is not None and side.arm.options is not None and split is not None:
        sizes = {"test": entry.test, "official_val": entry.validation, "validation": entry.validation}
        if sizes.get(split) == entry.evaluated:
            yield entry.evaluated, side.arm.options.place("dataset"), "the set is known to hold"


def _said(quality: Quality) -> Iterator[tuple[int, str, str]]:
    """Yield the size of the set that the words about a subset give: 100 of 1319 examples."""
    reading = read(quality.subset or "")
    for part in reading.mentions("some_of_all"):
        numbers = [token.value for token in reading.within(*part.span) if token.counts]
        if len(numbers) == 2 and numbers[0] == quality.examples and numbers[1] is not None:
            yield int(numbers[1]), quality.place("subset"), "its set is said to hold"


def says_subset(claim: Claim, case: Case) -> bool:
    """Whether the publication says that a part of the set was evaluated."""
    found = stated_quality(claim, case)
    if found is not None and found.quality.subset is not None:
        return True
    words = [claim.statement, *(item.quote for item in claim.said)]
    words += [item.quote for item in case.submission.disclosures]
    return any(read(text).has("part_of_a_set") for text in words)
