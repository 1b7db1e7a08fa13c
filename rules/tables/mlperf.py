"""The policy of the MLPerf suites, by benchmark and round: one table for training, one for inference, one for quoting.

What no table holds has no figure: a rule then says that it cannot decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from .datasets import plain

FOLDER = Path(__file__).parent
Limits = dict[str, tuple[float | None, float | None]]


class Renamed(Struct, frozen=True):
    """What a benchmark that logs call by an older name is from a round on."""

    name: str
    from_round: str


class RenamedBenchmarks(Struct, frozen=True):
    """Benchmarks that logs call by an older name, by that name."""

    benchmarks: dict[str, Renamed]


class Minutes(Struct, frozen=True):
    """Longest initialisation of some rounds, in minutes, by division."""

    rounds: tuple[str, str]
    closed: float
    open: float


class Initialisation(Struct, frozen=True):
    """Longest initialisation that the clock may leave out."""

    minutes: tuple[Minutes, ...]


class Fixed(Struct, frozen=True):
    """Options with one allowed value in the closed division of some rounds; of one optimizer where it names one."""

    rounds: tuple[str, str]
    options: dict[str, Any]
    optimizer: str | None = None


class FixedOptions(Struct, frozen=True):
    """Fixed options by benchmark, with the other names under which logs carry them."""

    benchmarks: dict[str, tuple[Fixed, ...]]
    aliases: dict[str, tuple[str, ...]]


class Skipped(Struct, frozen=True):
    """Evaluations that may be left out at the start: floor(per_batch x global batch + plus)."""

    per_batch: float
    plus: float


class Interval(Struct, frozen=True):
    """Samples between two evaluations, samples + per_batch x global batch, before rounding up to whole batches.

    The text rounds it down to multiples of `rounded_to` first.
    """

    samples: int
    per_batch: float = 0
    rounded_to: int = 1
    skipped: Skipped | None = None
    rounds: tuple[str, str] | None = None


class EvaluationInterval(Struct, frozen=True):
    """Distance of evaluations by benchmark."""

    rounds: tuple[str, str]
    benchmarks: dict[str, Interval]


class EvaluationSets(Struct, frozen=True):
    """Data set by benchmark, where every published log counts the whole set under `eval_samples`.

    A benchmark whose name was given to another one later has the rounds in which it had the set.
    """

    benchmarks: dict[str, str]
    rounds: dict[str, tuple[str, str]] = {}


class Score(Struct, frozen=True):
    """How many runs the score leaves out at each end, and how many may miss the target.

    A benchmark of which the first 50 of 100 runs that converge count has a number of its own.
    """

    dropped: int
    most_not_converged: int
    dropped_of_many: int
    many: int
    most_not_converged_of: dict[str, int] = {}


class ReferenceConvergence(Struct, frozen=True):
    """Level of the test against the convergence of the reference, and the runs of it for each run of a result."""

    level: float
    reference_runs_per_run: int


class NumberFormats(Struct, frozen=True):
    """Names of number formats, and the round from which logs have to give one."""

    from_round: str
    names: tuple[str, ...]


class Training(Struct, frozen=True):
    """Policy of training; each field is described in mlperf-training.schema.json."""

    aliases: dict[str, str]
    renamed: RenamedBenchmarks
    initialisation: Initialisation
    fixed_options: FixedOptions
    evaluation_interval: EvaluationInterval
    evaluation_sets: EvaluationSets
    score: Score
    reference_convergence: ReferenceConvergence
    number_formats: NumberFormats


class Seconds(Struct, frozen=True):
    """A duration that holds for some rounds."""

    rounds: tuple[str, str]
    seconds: float


class OfflineSamples(Struct, frozen=True):
    """Least number of samples of the offline scenario, by benchmark."""

    from_round: str
    benchmarks: dict[str, int]


class EarlyStopping(Struct, frozen=True):
    """Percentile of each scenario as a share, the confidence at which it has to be met, and since when it decides."""

    share: dict[str, float]
    confidence: float
    from_round: str


class EarlierSeeds(Struct, frozen=True):
    """Seeds of rounds without figures of their own, by round."""

    rounds: dict[str, dict[str, str]]


class EarlierExamples(Struct, frozen=True):
    """Examples of the accuracy run in rounds without figures of their own, by benchmark."""

    benchmarks: dict[str, int]


class MultiStreamSamples(Struct, frozen=True):
    """Samples of each query of the scenario MultiStream."""

    from_round: str
    samples: int


class EqualIssueOf(Struct, frozen=True):
    """Benchmarks of some rounds."""

    rounds: tuple[str, str]
    benchmarks: tuple[str, ...]


class EqualIssue(Struct, frozen=True):
    """Benchmarks whose inputs differ in size, of which every loaded sample is sent equally often."""

    entries: tuple[EqualIssueOf, ...]


class ServerRuns(Struct, frozen=True):
    """Performance runs of the scenario Server that some rounds ask for."""

    rounds: tuple[str, str]
    runs: int


class TokenLatency(Struct, frozen=True):
    """Greatest latencies at the percentile that the round asks for, in seconds."""

    first_token: float
    per_output_token: float


class EarlierTests(Struct, frozen=True):
    """Compliance tests by benchmark in some rounds without figures of their own, of some scenarios or of all."""

    rounds: tuple[str, str]
    benchmarks: dict[str, tuple[str, ...]]
    scenarios: tuple[str, ...] = ()


class Compliance(Struct, frozen=True):
    """What compliance tests have to show, and which of them earlier rounds asked for.

    Attributes:
        first_token_skipped_in: scenarios in which the check of the first token may be skipped.
        tolerance: how far the score of a test may be from that of the result, as a share of it, by scenario.
        one_way: tests of which only a better score fails.
        earlier: tests of earlier rounds.
    """

    first_token_skipped_in: tuple[str, ...]
    tolerance: dict[str, float]
    one_way: tuple[str, ...]
    earlier: tuple[EarlierTests, ...] = ()


class Scenarios(Struct, frozen=True):
    """Scenarios whose result may be inferred from that of others, and rounds that kept those of two classes apart."""

    inferred_from: dict[str, frozenset[str]]
    apart_in: tuple[str, str]


class SystemFields(Struct, frozen=True):
    """Fields of a system description and of the file that goes with a measurement.

    Attributes:
        meaningful: those that need a meaning.
        data_types: those that name data types.
        of_inference: those that descriptions of training have no need of.
        of_measurement: those of the measurement file that say which model ran.
        filled_from_round: first round in which published descriptions leave none empty.
    """

    meaningful: tuple[str, ...]
    data_types: tuple[str, ...]
    of_inference: tuple[str, ...]
    of_measurement: tuple[str, ...]
    filled_from_round: str


class Member(Struct, frozen=True):
    """A benchmark of one round of inference."""

    datacenter: tuple[str, ...] = ()
    edge: tuple[str, ...] = ()
    limits: Limits = {}
    loaded: int | None = None
    examples: int | None = None
    queries: dict[str, int] = {}
    tests: tuple[str, ...] = ()


class InferenceRound(Struct, frozen=True):
    """One round of inference."""

    seeds: dict[str, str]
    benchmarks: dict[str, Member]


class Inference(Struct, frozen=True):
    """Policy of inference; each field is described in mlperf-inference.schema.json."""

    aliases: dict[str, str]
    metric_names: dict[str, tuple[str, ...]]
    significant_figures: int
    length_metrics: tuple[str, ...]
    minimum_duration_s: tuple[Seconds, ...]
    queries: dict[str, int]
    offline_samples: OfflineSamples
    early_stopping: EarlyStopping
    earlier_seeds: EarlierSeeds
    earlier_examples: EarlierExamples
    multistream_samples: MultiStreamSamples
    equal_issue: EqualIssue
    server_runs: ServerRuns
    token_percentile: int
    token_latency_s: dict[str, dict[str, TokenLatency]]
    compliance: Compliance
    scenarios: Scenarios
    system_fields: SystemFields
    rounds: dict[str, InferenceRound]


class ResultId(Struct, frozen=True):
    """Form of the id of a published result."""

    form: str


class Embargo(Struct, frozen=True):
    """Days after the publication of a round before its results may be quoted."""

    submitter: int
    others: int


class Messaging(Struct, frozen=True):
    """Policy of quoting results; each field is described in mlperf-messaging.schema.json."""

    result_id: ResultId
    unverified_sentence: str
    embargo_days: Embargo
    compatible_rounds: dict[str, dict[str, tuple[tuple[str, ...], ...]]]


@cache
def training() -> Training:
    """Return the policy of training."""
    return msgspec.json.decode((FOLDER / "mlperf-training.json").read_bytes(), type=Training)


@cache
def inference() -> Inference:
    """Return the policy of inference."""
    return msgspec.json.decode((FOLDER / "mlperf-inference.json").read_bytes(), type=Inference)


@cache
def messaging() -> Messaging:
    """Return the policy of quoting results."""
    return msgspec.json.decode((FOLDER / "mlperf-messaging.json").read_bytes(), type=Messaging)


def round_of_id(text: str) -> str | None:
    """Return the round of the id of a published result, "5.0" of "5.0-0042"; None of a text that is no such id."""
    return text.split("-")[0] if re.fullmatch(messaging().result_id.form, text) is not None else None


def ids_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield the ids of published results that stand in a text, each with its place."""
    for match in re.finditer(rf"(?<![0-9.-]){messaging().result_id.form}", text):
        yield match[0], match.start()


def within(round_name: str, rounds: tuple[str, str]) -> bool:
    """Whether a round ("5.1") lies between two, both included."""
    return _order(rounds[0]) <= _order(round_name) <= _order(rounds[1])


def since(round_name: str, first: str) -> bool:
    """Whether a round is another or a later one."""
    return _order(round_name) >= _order(first)


def _order(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split("."))


@cache
def names(part: str) -> dict[str, str]:
    """Return the benchmarks' other names, in plain characters, of a part of the suite (training, inference)."""
    aliases = training().aliases if part == "training" else inference().aliases
    return {plain(name): benchmark for name, benchmark in aliases.items()}
