"""F13, affine-copy-of-series: Times of one run that are those of another one, times a factor or plus a constant."""

import math

import pytest
from dlaudit.rules.outcome import REFUTES, Outcome
from support.answers import strength
from support.series import honest, noisy, rate, trials


def test_a_stretched_copy_refutes_across_arms(judged):
    base = [noisy(seed, 30, 1.13) for seed in range(3)]
    made = [[float(f"{0.7 * x + 0.002:.6g}") for x in base[0]], noisy(8, 30, 0.8), noisy(9, 30, 0.8)]
    patch = {"arms": {"plain": trials(base), "fused": trials(made)}}
    found = judged("training-pair", "F13", "speedup", patch)
    assert strength(found) == ("a", REFUTES)
    assert float(found.branch.recomputed) == pytest.approx(1 / 0.7, rel=1e-3)
    assert judged("training-pair", "F12", "speedup", patch).outcome is Outcome.PASS


def test_a_part_that_is_a_stretched_copy_refutes(judged):
    rows = [[round(x, 6) for x in row] for row in honest(3)]
    rows[2][32:52] = [round(1.02 * x - 0.001, 6) for x in rows[0][32:52]]
    found = judged("rate", "F13", "rate", rate(rows))
    assert strength(found) == ("a", REFUTES)
    assert "the values 33 to 49 of t3 of arm a" in found.branch.message


def test_two_runs_that_settle_alike_are_no_copies(judged):
    """Both get faster step by step over the first 20 steps, on one curve."""
    rows = honest(3)
    for row, factor in zip(rows, (1.0, 1.3, 0.8), strict=True):
        row[:20] = [float(f"{factor * (0.1 + 0.5 * math.exp(-k / 4)):.4g}") for k in range(20)]
    assert judged("rate", "F13", "rate", rate(rows)).outcome is Outcome.PASS


def test_a_mirrored_copy_refutes(judged):
    rows = [noisy(0), [float(f"{0.2048 - x:.8g}") for x in noisy(0)]]
    assert strength(judged("rate", "F13", "rate", rate(rows))) == ("a", REFUTES)


def test_a_pause_at_one_place_makes_no_copy(judged):
    """Both runs write a checkpoint at the same step: their correlation is nearly 1, and they are two runs."""
    rows = honest(3)
    for row in rows:
        row[20] = 900.0
    assert judged("rate", "F13", "rate", rate(rows)).outcome is Outcome.PASS


def test_runs_on_equal_data_correlate_and_are_no_copies(judged):
    shared = noisy(50, noise=0.05)
    rows = [[x * y / 0.1024 for x, y in zip(shared, noisy(seed, noise=0.002), strict=True)] for seed in range(4)]
    assert judged("rate", "F13", "rate", rate(rows)).outcome is Outcome.PASS
