"""F12, duplicated-samples-across-runs."""

import math
import random

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import strength
from support.series import honest, noisy, rate, trials


def test_a_copied_trial_refutes(judged):
    rows = [*honest(4), noisy(0)]
    found = judged("rate", "F12", "rate", rate(rows))
    assert strength(found) == ("a", REFUTES)
    assert "t1 of arm a and t5 of arm a share 60 consecutive values" in found.branch.message


def test_a_copied_part_refutes_wherever_it_stands(judged):
    rows = honest(3)
    rows[2][40:55] = rows[0][3:18]
    found = judged("rate", "F12", "rate", rate(rows))
    assert "share 15 consecutive values" in found.branch.message


@pytest.mark.parametrize(
    "rows",
    [
        [[0.1024] * 60] * 3,
        [[0.10, 0.11, 0.12] * 20] * 3,
        [[0.1, 0.2, 0.3, 0.4, 0.5]] * 2,
        [noisy(1)],
    ],
    ids=["constant", "pattern", "short", "alone"],
)
def test_equal_values_that_prove_nothing(judged, rows):
    assert judged("rate", "F12", "rate", rate(rows)).outcome is Outcome.NOT_APPLICABLE


def test_a_series_that_begins_again_as_a_whole_is_a_caveat(judged):
    """A device whose every cycle is fixed takes the same times for the same inputs."""
    row = {seed: [x * math.pi / 3 for x in noisy(seed)] for seed in range(5)}
    found = judged("rate", "F12", "rate", rate([2 * row[seed][:30] for seed in range(5)]))
    assert strength(found) == ("e", CAVEAT)
    assert "repeats its first 30 values" in found.branch.message
    rows = [2 * row[seed][:30] for seed in range(4)]
    later = [row[4][:40] + row[4][:20] + row[4][50:]]
    assert strength(judged("rate", "F12", "rate", rate(rows + later))) == ("c", UNDERMINES)


def test_short_trials_of_fixed_inputs_agree_by_chance_at_each_place(judged):
    source = random.Random(3)
    levels = [0.01234567, 0.02345678, 0.01987654, 0.03141592, 0.02718281]
    ticks = [[round(x + source.choice([0, 0, 1, 2, 3]) * 1e-8, 8) for x in levels] for _ in range(60)]
    assert len({tuple(row) for row in ticks}) < len(ticks)
    assert judged("rate", "F12", "rate", rate(ticks)).outcome is not Outcome.VIOLATION
    fine = [[round(x * math.exp(source.gauss(0, 0.01)), 8) for x in levels] for _ in range(20)]
    assert judged("rate", "F12", "rate", rate(fine)).outcome is not Outcome.VIOLATION
    assert strength(judged("rate", "F12", "rate", rate(fine[:16] + fine[:4]))) == ("d", REFUTES)
    failed = rate(fine[:16] + fine[:4])
    for k in range(17, 21):
        failed["arms"]["a"]["trials"][f"t{k}"]["outcome"] = "failed"
    assert judged("rate", "F12", "rate", failed).outcome is not Outcome.VIOLATION


def test_one_run_listed_under_two_arms_is_no_copy(judged):
    """One baseline run that two comparisons cite."""
    run = trials([noisy(3, 30, 1.13)], seed=1, order=0, warmup=5, iterations_planned=30)
    patch = {"arms": {"plain": run, "fused": trials([noisy(4, 30, 0.8)]), "cited": {"options": None, **run}}}
    patch["arms"]["cited"] |= {"system": "node", "performance": {}}
    assert judged("training-pair", "F12", "speedup", patch).outcome is Outcome.PASS
    patch["arms"]["cited"] |= {"options": {"model": "another"}}
    assert judged("training-pair", "F12", "speedup", patch).outcome is Outcome.VIOLATION


def trained(values, seeds=(1, 2, 3, 4, 5)):
    """A patch of the training runs of an arm: these curves under these seeds."""
    runs = {
        f"s{k}": {
            "kind": "convergence", "outcome": "completed", "seed": seed, "crossing": None,
            "evaluations": [
                {"split": "test", "step": 100 * at, "metrics": {"accuracy": value}} for at, value in enumerate(row)
            ],
        }
        for k, (row, seed) in enumerate(zip(values, seeds, strict=False), start=1)
    }  # fmt: skip
    return {"arms": {"trained": {"trials": dict.fromkeys(("s1", "s2", "s3", "s4", "s5")) | runs}}}


def curve(seed, n=12):
    source = random.Random(seed)
    return [round(0.95 - 0.5 * math.exp(-k / 3) + source.gauss(0, 0.002), 4) for k in range(n)]


TWO_ALIKE = [curve(1), curve(2), curve(1), curve(4), curve(5)]


@pytest.mark.parametrize(
    ("values", "seeds", "found"),
    [
        (TWO_ALIKE, (1, 2, 3, 4, 5), True),
        (TWO_ALIKE, (1, 2, 1, 4, 5), False),  # one program under one seed
        (TWO_ALIKE, (1, 2, None, 4, 5), False),
        ([curve(seed) for seed in range(5)], (1, 2, 3, 4, 5), False),
        ([row[:5] for row in TWO_ALIKE], (1, 2, 3, 4, 5), False),
        ([[round(x, 1) for x in row] for row in TWO_ALIKE], (1, 2, 3, 4, 5), False),  # too coarse
        ([curve(1)] * 5, (1, 2, 3, 4, 5), False),  # the seed changes nothing
        ([curve(1), curve(1)], (1, 2), False),  # nothing tells how near two seeds come
        ([curve(1), curve(2), curve(1)[:6] + curve(3)[6:]], (1, 2, 3), False),  # one beginning
    ],
    ids=["copy", "one seed", "no seed", "apart", "short", "coarse", "no effect", "two", "fork"],
)
def test_a_curve_of_another_seed_refutes(judged, values, seeds, found):
    result = judged("accuracy", "F12", "accuracy", trained(values, seeds))
    assert (result.outcome is Outcome.VIOLATION) is found, result
    if found:
        assert strength(result) == ("b", REFUTES)
        assert "runs s1 and s3 of arm trained" in result.branch.message
