"""F33, series-copied-under-new-identity."""

import copy
import random

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.facts.runs.copies import short_copies
from dlaudit.rules.forensics._near_copies import near_copies
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from dlaudit.rules.trace import Event, Logged, Trace
from dlaudit.schemas.model import to_model
from dlaudit.schemas.runs import Run
from dlaudit.schemas.submission import Submission
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from support.answers import answer, found
from support.training_logs import CLAIM, DAY, NAMES, RUNS, copied, of_runs

NOT_APPLICABLE = Outcome.NOT_APPLICABLE


def times_of(run):
    return {line: event["time_ms"] for line, event in RUNS[run]["events"].items()}


def test_a_copy_with_its_times_refutes_and_one_with_its_own_times_is_a_caveat(judged):
    assert found(judged("suite-training", "F33", CLAIM, copied(times=True))) == ("a", "refutes")
    assert found(judged("suite-training", "F33", CLAIM, copied(times=False))) == ("b", "caveat")


def test_copied_intervals_alone_refute(judged):
    assert found(
        judged(
            "suite-training",
            "F33",
            CLAIM,
            of_runs(
                result_1={"events": {line: {"time_ms": time + DAY} for line, time in times_of("result_0").items()}}
            ),
        )
    ) == ("a", "refutes")


def test_a_copy_that_lost_an_event_is_still_one(judged):
    patch = copied(times=True)
    patch["arms"][CLAIM]["runs"]["result_1"]["events"]["29"] = None
    assert found(judged("suite-training", "F33", CLAIM, patch)) == ("a", "refutes")


def test_constants_counts_and_rates_are_not_compared(judged):
    shared = {"lr": 0.00012345, "scale": 65536.0, "reduced_count": 1234567}
    lines = {line: {"value": dict(shared)} for line in ("29", "40", "51", "62", "73", "84")}
    assert found(judged("suite-training", "F33", CLAIM, of_runs(**{n: {"events": lines} for n in NAMES}))) == "pass"


def test_files_of_one_digest_are_left_to_the_rule_on_files(judged):
    patch = copied(times=True)
    digest = RUNS["result_0"]["file"]["sha256"]
    patch["arms"][CLAIM]["runs"]["result_1"]["file"] = {"sha256": digest}
    assert found(judged("suite-training", "F33", CLAIM, patch)) == "pass"
    assert found(judged("suite-training", "F34", CLAIM, patch)) == ("a", "refutes")


def test_forty_copies_and_many_honest_runs_are_judged_in_linear_time(judged):
    def trace(run, offset):
        stats = (Event(i + 2, 1.7e12 + 1000 * i, "loss", "stat", offset + i / 7.123, step=i) for i in range(5_000))
        return Trace((Event(1, 1.7e12, "run_start", "mark"), *stats), (), "", f"/arms/{CLAIM}/runs/{run}")

    def changed(found, index):
        events = tuple(
            replace(event, value=event.value + index / 3) if event.step == 7 else event for event in found.events
        )
        return Trace(events, (), "", found.at)

    value = copy.deepcopy(base("suite-training"))
    runs = value["arms"][CLAIM]["runs"]
    empty = {**runs["result_0"], "events": {}, "file": None}
    value["arms"][CLAIM]["runs"] = {f"r{i}": {k: v for k, v in empty.items() if v is not None} for i in range(40)}
    document = to_model(value, Submission)
    for copies in (True, False, "all but one number"):
        traces = {(CLAIM, f"r{i}"): trace(f"r{i}", 0.1 if copies else i * 1.0000001) for i in range(40)}
        if copies not in {True, False}:
            traces = {key: changed(found, int(key[1][1:])) for key, found in traces.items()}
        (result,) = judge(Case(document, traces=traces), [by_code("F33")], [CLAIM])
        assert result.outcome is (Outcome.VIOLATION if copies else Outcome.PASS)
        assert result.duration_ns < 5e9


def curve(seed, steps, scatter=0.004):
    """Evaluations of one training: a curve that saturates, above or below others by its seed, with a scatter."""
    draw = random.Random(seed)
    height = 0.7 + draw.gauss(0, scatter)
    return [height * (1 - 0.5 * 0.8**step) + draw.gauss(0, scatter) for step in range(steps)]


def logged(values, name="r"):
    events = tuple(
        Event(i + 1, 1e12 + i * 1e5, "eval_accuracy", "eval", v, float(i * 1000)) for i, v in enumerate(values)
    )
    return Logged(name, Run(), Trace(events, (), f"{name}.txt"))


def near(curves, most=0.1):
    runs = [logged(values, f"r{i}") for i, values in enumerate(curves)]
    return [(pair.left.id, pair.right.id) for pair in near_copies(runs, most)]


@given(st.integers(0, 2**32), st.integers(4, 10), st.integers(9, 40))
@settings(max_examples=60, deadline=None)
def test_runs_that_trained_by_themselves_lie_apart(seed, runs, steps):
    assert near([curve(f"{seed}-{i}", steps) for i in range(runs)]) == []


@given(st.integers(0, 2**32), st.integers(4, 8))
@settings(max_examples=40, deadline=None)
def test_runs_whose_first_evaluations_scatter_most_lie_apart(seed, runs):
    draw = random.Random(seed)
    early = [[draw.gauss(0.3, 0.1), draw.gauss(0.5, 0.02)] for _ in range(runs)]
    assert near([early[i] + curve(f"{seed}-{i}", 10, 0.0005) for i in range(runs)]) == []


@given(st.integers(0, 2**32), st.integers(4, 10))
@settings(max_examples=30, deadline=None, derandomize=True)  # 1 of 1500 draws lies as far apart as strangers do
def test_other_last_digits_or_another_height_make_no_other_run(seed, runs):
    curves = [curve(f"{seed}-{i}", 12) for i in range(runs)]
    draw = random.Random(seed)
    curves[1] = [value + draw.uniform(-5e-5, 5e-5) + 0.002 for value in curves[0]]
    assert ("r0", "r1") in near(curves)


@pytest.mark.parametrize(
    "curves",
    [
        [],
        [[0.7] * 12] * 3,  # too few runs
        [[0.1 * i for i in range(12)]] * 5,  # all alike: no run lies apart from any other
        [curve(i, 5) for i in range(6)],  # too few steps
        [[float("nan")] * 12] * 5,
    ],
)
def test_what_cannot_be_compared_says_nothing(curves):
    assert near(curves) == []


def with_evaluations(judged, curves):
    runs = {}
    for name, values in zip(NAMES, curves, strict=True):
        start = base("suite-training")["arms"][CLAIM]["runs"][name]["events"]["23"]["time_ms"]
        events = {
            str(300 + i): {"key": "eval_error", "value": value, "samples": 1000 * i, "time_ms": start + 1000 * i}
            for i, value in enumerate(values)
        }
        runs[name] = {"events": events}
    return judged("suite-training", "F33", CLAIM, {"arms": {CLAIM: {"runs": runs}}})


def test_a_curve_with_other_last_digits_undermines_the_result(judged):
    curves = [curve(i, 12) for i in range(5)]
    assert with_evaluations(judged, curves).outcome is Outcome.PASS
    curves[3] = [value + (i % 7) * 1e-6 for i, value in enumerate(curves[1])]
    result = with_evaluations(judged, curves)
    assert (result.branch.branch, result.branch.effect.word) == ("c", "undermines")
    assert "result_3.txt change alike" in result.branch.message


TIMES = [0.1 + 0.001 * ((7 * i) % 11) + 1e-7 * i for i in range(20)]
LOSSES = [2.3 / (1 + i) + 1.2345e-5 for i in range(20)]


def trials(first, second, seeds=(1, 2)):
    made = {f"t{i}": None for i in range(1, 6)}
    for name, samples, seed in zip(("t1", "t2"), (first, second), seeds, strict=True):
        made[name] = {"kind": "throughput", "outcome": "completed", "seed": seed, "samples": samples}
    for name in ("t1", "t2"):
        made[name]["iterations_planned"] = 20
    return {"arms": {"a": {"trials": made}}}


OTHER = [time * 1.013 + 3e-7 for time in TIMES]


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (trials({"step_time_s": TIMES}, {"step_time_s": TIMES}), ("a", REFUTES)),
        (trials({"step_time_s": TIMES}, {"step_time_s": [*TIMES[:19], 0.123456]}), ("a", REFUTES)),
        (trials({"step_time_s": TIMES}, {"step_time_s": OTHER}), NOT_APPLICABLE),
        (
            trials({"step_time_s": TIMES, "loss": LOSSES}, {"step_time_s": OTHER, "loss": LOSSES}),
            ("b", CAVEAT),
        ),  # a seed without effect
        (
            trials({"step_time_s": TIMES, "loss": LOSSES}, {"step_time_s": OTHER, "loss": LOSSES}, (3, 3)),
            NOT_APPLICABLE,
        ),  # one seed gives one loss
        (
            trials({"step_time_s": [0.1, 0.2] * 10}, {"step_time_s": [0.1, 0.2] * 10}),
            NOT_APPLICABLE,
        ),  # so coarse that they meet
        (
            trials({"step_time_s": TIMES, "lr": LOSSES}, {"step_time_s": OTHER, "lr": LOSSES}),
            NOT_APPLICABLE,
        ),  # a schedule
    ],
)
def test_trials_with_the_numbers_of_another_trial(judged, patch, expected):
    assert answer(judged("rate", "F33", "rate", patch)) == expected


def test_simulated_times_may_repeat(judged):
    patch = trials({"step_time_s": TIMES}, {"step_time_s": TIMES}) | {"claims": {"rate": {"basis": "simulated"}}}
    assert judged("rate", "F33", "rate", patch).outcome is NOT_APPLICABLE


def short_log(name, begin, *minutes, key="eval_accuracy"):
    """Return a run of a few evaluations that began at some instant; the gaps between them are given in milliseconds."""
    instants = [begin]
    for gap in minutes:
        instants.append(instants[-1] + gap)
    kinds = ["mark", *["eval"] * (len(minutes) - 1), "mark"]
    keys = ["run_start", *[key] * (len(minutes) - 1), "run_stop"]
    rows = zip(keys, instants, kinds, strict=True)
    events = tuple(Event(line=i, key=k, time_ms=float(t), kind=kind) for i, (k, t, kind) in enumerate(rows, 1))
    return Logged(name, Run(role="training"), Trace(events))


GAPS = (573_507, 574_091, 574_363, 600_022)


@pytest.mark.parametrize(
    ("other", "copies"),
    [
        (GAPS, 1),
        (GAPS[:3], 0),
        ((*GAPS[:3], 600_023), 0),
        (tuple(gap // 100 for gap in GAPS), 0),
    ],
    ids=["moved by a minute", "one interval less", "a millisecond more", "seconds"],
)
def test_few_long_intervals_that_all_agree_are_those_of_one_run(other, copies):
    first = tuple(gap // 100 for gap in GAPS) if max(other) < 60_000 else GAPS
    logs = [short_log("a", 1_709_704_807_695, *first), short_log("b", 1_709_707_207_818, *other)]
    assert len(list(short_copies(logs, 5))) == copies
