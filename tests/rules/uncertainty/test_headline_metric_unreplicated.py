"""S16, headline-metric-unreplicated."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
GONE = {f"s{i}": None for i in range(1, 6)}


def timed(completed, trials=None, gone=GONE, interval=None, **quality):
    time = {"trials": trials, "interval": interval}
    time["n"] = {"planned": completed, "completed": completed} if completed is not None else None
    arm = {"performance": {"time": time}, "trials": gone, "quality": {"accuracy": quality}}
    return {"claims": {"time": {"interval": interval}}, "arms": {"trained": arm}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (timed(1), NOT_SHOWN),
        (timed(2), NOT_SHOWN),
        (timed(3), PASS),
        (timed(None), NOT_SHOWN),
        (timed(None, 5), PASS),
        (timed(1, seeds=None, n={"planned": 1, "completed": 1}), PASS),
        (timed(1, gone={}), PASS),  # five runs are shown
    ],
)
def test_runs_behind_a_headline(judged, patch, outcome):
    result = judged("time-to-accuracy", "S16", "time", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == "n of the headline metric"


def test_a_group_is_one_headline(judged):
    patch = timed(1)
    patch["claims"]["time"] |= {"group": "headline", "quality": None, "target": None, "scope": "training_run"}
    alone = judged("time-to-accuracy", "S16", "time", patch)
    assert alone.outcome is NOT_APPLICABLE
    patch["claims"]["rate"] = {"group": "headline"}
    assert judged("time-to-accuracy", "S16", "time", patch).outcome is NOT_SHOWN
    assert judged("time-to-accuracy", "S16", "rate", patch).outcome is PASS


def test_a_time_that_is_constant_to_its_digits_needs_no_repetition(judged):
    crossings = {f"s{i}": {"crossing": {"reached": True, "time_s": 85.0}} for i in range(1, 6)}
    assert judged("time-to-accuracy", "S16", "time", timed(1, gone=crossings)).outcome is PASS


def test_a_rate_of_one_process_beside_the_quality_of_five_runs(judged):
    seeds = {str(seed): "0.76" for seed in range(5)}
    quality = {"top1": {"metric": "top-1 accuracy", "value": "0.76", "seeds": seeds}}
    patch = {
        "claims": {"rate": {"quality": {"arm": "a", "quality": "top1"}}},
        "arms": {"a": {"quality": quality, "trials": {f"t{n}": None for n in range(2, 6)}}},
    }
    metric = {"performance": {"rate": {"n": {"unit": "iteration", "completed": 60}, "trials": 1}}}
    assert answer(judged("rate", "S16", "rate", patch)) is PASS
    patch["arms"]["a"] |= metric
    assert answer(judged("rate", "S16", "rate", patch)) is NOT_SHOWN


def test_runs_without_a_time_are_not_timed(judged):
    untimed = {f"s{i}": {"crossing": {"time_s": None}, "wall_s": None} for i in range(2, 6)}
    metric = {"n": {"planned": 1, "completed": 1}, "trials": 1, "interval": None}
    patch = {
        "claims": {"time": {"interval": None}},
        "arms": {"trained": {"trials": untimed, "performance": {"time": metric}}},
    }
    assert judged("time-to-accuracy", "S16", "time", patch).outcome is NOT_SHOWN
    assert judged("time-to-accuracy", "S16", "time").outcome is PASS


def test_a_headline_whose_runs_nobody_counts_is_not_judged(judged):
    side = {"performance": {"rate": {"quantity": "rate", "value": "1000", "unit": "images/s", "scope": "step"}}}
    second = {"statement": "1000 images/s.", "value": "1000", "unit": "images/s", "quantity": "rate"}
    second |= {"form": "absolute", "scope": "step", "mode": "training", "compares": "none", "group": "headline"}
    claims = {name: second | {"measured": {"arm": name}} for name in ("x", "y")}
    patch = {"claims": {"rate": None, **claims}, "arms": {"x": side, "y": side}}
    assert judged("rate", "S16", "x", patch).outcome is NOT_APPLICABLE
