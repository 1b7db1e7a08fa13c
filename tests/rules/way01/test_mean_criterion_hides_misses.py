"""W0108, mean-criterion-hides-misses."""

import json
import os
from pathlib import Path

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
REACHES = "The network reaches 94 % test accuracy in 85.0 s."


def runs(met, missed, *, named=False, unknown=0, statement=REACHES):
    values = ["0.9446"] * met + ["0.9391"] * missed + [None] * unknown
    trials = RUNS | {
        f"r{i}": {"kind": "convergence", "outcome": "completed", **({"final": {"accuracy": v}} if v else {})}
        for i, v in enumerate(values)
    }
    criterion = "mean" if named else None
    claim = {"criterion": "mean", "target": {"criterion": criterion}, "statement": statement}
    if named:
        claim["test"] = {"name": "one-sample t", "p": "0.002"}
    return {"claims": {"time": claim}, "arms": {"trained": {"target": {"criterion": criterion}, "trials": trials}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (runs(8, 2), VIOLATION),
        (runs(9, 1), PASS),
        (runs(8, 1), NOT_APPLICABLE),
        (runs(8, 2, named=True), PASS),
        (runs(6, 2), VIOLATION),
        (runs(8, 2, statement="Mean accuracy reaches 94 % in 85.0 s."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s; 8 of 10 runs reach it."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s, which 80 % of the runs reach."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s; two runs miss it."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s (p = 0.002)."), PASS),
        (runs(8, 2, statement="94 % in 85.0 s, the first of ten runs, best of three."), VIOLATION),
        (runs(8, 1, unknown=1), NOT_SHOWN),
        (runs(7, 2, unknown=1), VIOLATION),
        (runs(0, 10), VIOLATION),
        (runs(7, 3, statement="Mean accuracy reaches 94 % in 85.0 s."), VIOLATION),
        (runs(7, 3, statement="Mean accuracy reaches 94 % in 85.0 s, in seven of ten runs."), PASS),
        (runs(7, 3, named=True, statement="Mean accuracy reaches 94 % in 85.0 s."), PASS),
        (runs(3, 2, statement="94 % in 85.0 s, which five seeds reach on average."), VIOLATION),
        (runs(4, 1, statement="94 % in 85.0 s, which five seeds reach on average."), PASS),
        (runs(0, 0), NOT_APPLICABLE),
    ],
)
def test_misses_behind_a_mean(judged, patch, outcome):
    result = judged("time-to-accuracy", "W0108", "time", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is CAVEAT


def test_a_named_criterion_prints_the_share_and_the_time_divided_by_it(judged):
    result = judged("time-to-accuracy", "W0108", "time", runs(8, 2, named=True))
    assert result.notes == ("8 of 10 runs reach accuracy 0.94; the time divided by that share is 106.25 s",)


@pytest.mark.parametrize("claim", [{}, {"form": "ratio", "unit": "x", "value": "1.29"}])
def test_nothing_is_divided_where_all_runs_reach_it_or_a_ratio_is_claimed(judged, claim):
    patch = runs(8, 2 if claim else 0, named=True)
    patch["claims"]["time"] |= claim
    (note,) = judged("time-to-accuracy", "W0108", "time", patch).notes
    assert "reach accuracy 0.94" in note
    assert "divided" not in note


def test_a_run_that_diverged_did_not_reach_the_target(judged):
    patch = runs(9, 0)
    patch["arms"]["trained"]["trials"] |= {
        name: {"kind": "convergence", "outcome": "diverged"} for name in ("d1", "d2")
    }
    assert judged("time-to-accuracy", "W0108", "time", patch).outcome is VIOLATION


def test_a_criterion_in_a_field_alone_is_read_by_nobody(judged):
    patch = runs(8, 2, named=True)
    del patch["claims"]["time"]["test"]
    assert judged("time-to-accuracy", "W0108", "time", patch).branch.effect is CAVEAT


def test_each_run_is_another_criterion(judged):
    assert judged("time-to-accuracy", "W0108", "time").outcome is NOT_APPLICABLE


@pytest.mark.skipif("DLAUDIT_CORPUS" not in os.environ, reason="DLAUDIT_CORPUS is not set")
def test_a_record_over_forty_runs_with_its_criterion_named(judged):
    """A fifth of the runs lies above the target, the mean criterion is stated and met with margin."""
    path = Path(os.environ["DLAUDIT_CORPUS"]) / "facts" / "modded-nanogpt-rec14-valueembed.json"
    listed = json.loads(path.read_text())["listed_losses"]
    target = {"metric": "loss", "value": "3.28", "direction": "lower", "criterion": "mean"}
    trials = {
        f"r{i}": {"kind": "convergence", "outcome": "completed", "final": {"loss": str(loss)}}
        for i, loss in enumerate(listed)
    }
    claim = {"target": target, "criterion": "mean", "statement": "4.41 minutes to a loss of 3.28", "quality": None}
    claim["test"] = {"name": "one-sample t", "p": "0.001"}
    arm = {"target": target, "quality": None, "trials": RUNS | trials}
    patch = {"claims": {"time": {**claim, "metric": None}}, "arms": {"trained": arm}}
    result = judged("time-to-accuracy", "W0108", "time", patch)
    assert result.outcome is PASS
    assert result.notes[0].startswith(f"{sum(loss <= 3.28 for loss in listed)} of 40 runs reach loss 3.28")
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is PASS
