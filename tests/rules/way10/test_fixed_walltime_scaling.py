"""W1001, fixed-walltime-scaling: A speed-up or a quality over device counts that all trained for the same time."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.scaling import RUNS

NOT_APPLICABLE = Outcome.NOT_APPLICABLE
TRAINING = {"quantity": "time", "scope": "training_run"}


def series(walls, samples, **claim):
    rows = {
        name: {"wall_s": wall, "samples": count}
        for name, wall, count in zip(("r1", "r2", "r4", "r8"), walls, samples, strict=False)
    }
    return {"tables": {"nodes": {"rows": rows}}, "claims": {"speedup": {**TRAINING, **claim}}}


@pytest.mark.parametrize(
    ("walls", "samples", "outcome"),
    [
        ((600, 601, 605), (1e6, 2e6, 4e6), Outcome.VIOLATION),
        ((600, 606, 612), (1e6, 1.2e6, 1.5e6), Outcome.VIOLATION),
        ((600, 606, 613), (1e6, 2e6, 4e6), Outcome.PASS),
        ((600, 601, 605), (1e6, 1.2e6, 1.49e6), Outcome.PASS),
        ((600, 601), (1e6, 4e6), Outcome.NOT_APPLICABLE),
    ],
)
def test_equal_times_with_unequal_work(judged, walls, samples, outcome):
    result = judged("strong-scaling", "W1001", "speedup", series(walls, samples))
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is UNDERMINES


def test_windows_of_a_fixed_length_measure_a_rate(judged):
    patch = series((600, 600, 600, 600), (1e6, 2e6, 4e6, 8e6), quantity="rate", scope="step")
    assert judged("strong-scaling", "W1001", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("eight nodes train on 6.61x as many images as one in the same two minutes.", Outcome.NOT_SHOWN),
        ("in a fixed time of 600 s eight nodes do 6.61x more steps than one.", Outcome.NOT_SHOWN),
        ("eight nodes process 6.61x as many images/s as one, each timed for the same 600 s.", Outcome.NOT_APPLICABLE),
        ("eight nodes train on 6.61x as many images as one.", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_speed_up_in_work_done_when_the_time_was_up(judged, words, outcome):
    untrained = {"n8": {"target": None, "quality": None, "trials": dict.fromkeys(RUNS)}}
    patch = {"claims": {"speedup": {"statement": f"At one batch, {words}"}}, "arms": untrained}
    assert judged("strong-scaling", "W1001", "speedup", patch).outcome is outcome
    del patch["arms"]
    assert judged("strong-scaling", "W1001", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def fixed_time(samples, **claim):
    rows = {f"r{n}": {"wall_s": 1800, "samples": count} for n, count in zip((1, 2, 4, 8), samples, strict=True)}
    return {"claims": {"speedup": claim}, "tables": {"nodes": {"rows": rows}}}


def test_rates_over_a_fixed_time_count_where_the_words_give_what_was_reached(judged):
    samples = (1e6, 2e6, 4e6, 8e6)
    words = {"statement": "In a fixed time of 1800 s, 8 devices see 7.6 times as many images and are at 0.71 top-1."}
    assert judged("strong-scaling", "W1001", "speedup", fixed_time(samples, **words)).branch.effect is UNDERMINES
    words = {"statement": "In windows of 1800 s, 8 devices process 7.6 times as many images per second."}
    assert judged("strong-scaling", "W1001", "speedup", fixed_time(samples, **words)).outcome is NOT_APPLICABLE


def ends(ours, theirs, **claim):
    """Return a patch: the times of two trainings of these steps, without a target."""
    told = {"quantity": "time", "scope": "training_run", "target": None, "quality": None, **claim}
    gone = {"trials": None, "quality": None, "target": None, "option_set": None}
    arms = {
        name: {**gone, "executed_steps": steps, "options": {"steps": steps, "epochs": None}}
        for name, steps in (("fused", ours), ("plain", theirs))
    }
    return {"claims": {"speedup": told, "rate": None}, "arms": arms}


def test_two_trainings_of_other_lengths_owe_what_they_reached(judged):
    result = judged("training-pair", "W1001", "speedup", ends(20000, 65000))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "quality at chosen ends")


@pytest.mark.parametrize(
    "patch",
    [ends(20000, 20000), ends(20000, 65000, target={"metric": "loss", "value": "1.9", "direction": "lower"})],
    ids=["one length", "a target"],
)
def test_one_length_or_a_target_owes_nothing(judged, patch):
    assert judged("training-pair", "W1001", "speedup", patch).outcome is not Outcome.NOT_SHOWN
