"""W0804, software-stack-mismatch: Performance and quality that were obtained with different software."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome

PASS = Outcome.PASS


def apart(fused=None, plain=None, **claim):
    return {
        "claims": {"speedup": {"quality": {"arm": "plain", "quality": "loss"}, **claim}},
        "arms": {"fused": fused or {}, "plain": plain or {}},
    }


OTHER_DRIVER = {"software": {"driver": "535.104.05"}}


@pytest.mark.parametrize(
    ("purpose", "branch", "effect"),
    [("hardware_throughput", "a", CAVEAT), ("method_speedup", "b", UNDERMINES), ("time_to_accuracy", "b", UNDERMINES)],
)
def test_another_stack_weighs_by_what_is_promised(judged, purpose, branch, effect):
    result = judged("training-pair", "W0804", "speedup", apart(plain=OTHER_DRIVER, purpose=purpose))
    assert (result.branch.branch, result.branch.effect) == (branch, effect)
    assert "550.54.15 against 535.104.05" in result.branch.message


def test_what_the_timed_mode_switches_off(judged):
    patch = {"arms": {"fused": {"measurement": {"switched_off": ["safety filter"]}}}}
    result = judged("training-pair", "W0804", "speedup", patch)
    assert (result.outcome, result.branch.at) == (Outcome.VIOLATION, "/arms/fused/measurement/switched_off")


@pytest.mark.parametrize("side", ["fused", "plain"])
@pytest.mark.parametrize("missing", [None, {"container": None}, {"libraries": {"NCCL": None}}])
def test_an_item_on_one_side_only(judged, side, missing):
    patch = apart(**{side: {"software": missing}})
    result = judged("training-pair", "W0804", "speedup", patch)
    one_container = missing == {"libraries": {"NCCL": None}}
    assert result.outcome is (Outcome.PASS if one_container else Outcome.NOT_SHOWN)


def test_different_devices_are_not_compared(judged):
    patch = apart(plain={**OTHER_DRIVER, "system": "other"})
    patch["systems"] = {"other": {"name": "1x H100", "device": "H100"}}
    assert judged("training-pair", "W0804", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


def test_values_of_one_arm_share_its_stack(judged):
    patch = {"arms": {"fused": {"software": None}}}
    assert judged("training-pair", "W0804", "speedup", patch).outcome is Outcome.PASS


def runs_apart(key, timed, trained):
    trials = {f"t{i}": {key: timed} for i in range(1, 6)} | {f"s{i}": {key: trained} for i in range(1, 6)}
    return {"arms": {"fused": {"trials": trials}}}


def test_software_of_timed_and_of_trained_runs_of_one_arm(judged):
    patch = runs_apart("software", {"framework": "torch 2.6.0"}, {"framework": "torch 2.1.0"})
    assert judged("training-pair", "W0804", "speedup", patch).branch.effect is UNDERMINES
    patch = runs_apart("software", {"framework": "torch 2.6.0"}, {"framework": "torch 2.6"})
    assert judged("training-pair", "W0804", "speedup", patch).outcome is PASS
