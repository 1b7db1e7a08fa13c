"""M05, single-process-only: A comparison whose arms were measured in too few fresh processes."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer
from support.series import honest, rate

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN
ONE_PROCESS = {"topic": "one_process", "quote": "in one process"}


@pytest.mark.parametrize(
    ("patch", "profile", "outcome"),
    [
        ({}, "gate", PASS),
        ({"arms": {"plain": {"trials": {"t4": None, "t5": None}}}}, "gate", PASS),
        ({"arms": {"plain": {"trials": {"t4": None, "t5": None}}}}, "publication", NOT_SHOWN),
        ({"arms": {"plain": {"trials": None, "performance": {"rate": {"trials": None}}}}}, "gate", NOT_SHOWN),
        ({"claims": {"speedup": {"base": None}}}, "gate", NOT_SHOWN),
        ({"claims": {"speedup": {"base": None, "said": [ONE_PROCESS]}}}, "gate", PASS),
    ],
)
def test_trials_per_arm(judged, patch, profile, outcome):
    assert judged("training-pair", "M05", "speedup", patch, profile=profile).outcome is outcome


def over(varies, low="2495", high="2505"):
    return {"interval": {"low": low, "high": high, "level": 0.95, "varies": varies}}


@pytest.mark.parametrize(
    ("rows", "varies", "outcome"),
    [
        (1, "iterations", Outcome.NOT_SHOWN),
        (1, "trials", Outcome.PASS),
        (5, "iterations", Outcome.PASS),
    ],
)
def test_an_interval_of_one_process(judged, rows, varies, outcome):
    patch = rate(honest(rows), over(varies))
    patch["claims"] = {"rate": {"interval": None}}
    assert judged("rate", "M05", "rate", patch).outcome is outcome


def one_process(varies):
    interval = {"low": "261.23", "high": "262.11", "method": f"t on logs of {varies}", "varies": varies}
    arm = {"trials": {f"t{n}": None for n in range(2, 6)}, "performance": {"rate": {"interval": interval, "trials": 1}}}
    return {"claims": {"gemm": {"interval": interval}}, "arms": {"n8192": arm}}


def test_an_interval_of_operations_per_second_within_one_process(judged):
    assert answer(judged("kernel", "M05", "gemm")) is PASS
    assert answer(judged("kernel", "M05", "gemm", one_process("iterations"))) is NOT_SHOWN
