"""M21, run-order-confounded: A comparison in which one arm ran first and the other afterwards."""

import random

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.series import at

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def timed(starts, **fields):
    return {"trials": {f"t{index}": {"started": start, **fields} for index, start in enumerate(starts, 1)}}


def both(fused, plain, **claim):
    return {"arms": {"fused": fused, "plain": plain}, "claims": {"speedup": claim}}


FIRST, LATER = [at(2, 8, m) for m in range(5)], [at(2, 9, m) for m in range(5)]
IN_TURN = [at(2, 8, 2 * m + 1) for m in range(5)]


def steps(slope, seed):
    draw = random.Random(seed)
    return [round(0.75 + slope * index + draw.uniform(-0.01, 0.01), 4) for index in range(60)]


def with_steps(starts, slope):
    trials = {
        f"t{index}": {"started": start, "samples": {"step_time_s": steps(slope, index)}}
        for index, start in enumerate(starts, 1)
    }
    return {"trials": trials}


@pytest.mark.parametrize(
    ("fused", "plain", "expected"),
    [
        (timed(FIRST), timed(LATER), ("a", CAVEAT)),
        (timed(LATER), timed(FIRST), ("a", CAVEAT)),
        (timed([at(2, 8, 2 * m) for m in range(5)]), timed(IN_TURN), PASS),
        (with_steps(FIRST, 0.004), timed(LATER), ("b", UNDERMINES)),
        (with_steps(FIRST, 0.0), with_steps(LATER, 0.0), ("a", CAVEAT)),
        (timed(FIRST), timed(LATER[:4]), NOT_APPLICABLE),  # one trial does not say when
        (timed(FIRST), {}, NOT_APPLICABLE),
        (timed(FIRST[:1]), timed(LATER), NOT_APPLICABLE),
        (timed(FIRST, ended=at(2, 10)), timed(LATER), PASS),  # still running when the other began
        (timed(FIRST) | {"environment": {"host": "node-18"}}, timed(LATER), NOT_APPLICABLE),
        (timed(FIRST, boot_id="aa"), timed(LATER, boot_id="aa"), ("a", CAVEAT)),
    ],
)
def test_run_order(judged, fused, plain, expected):
    assert answer(judged("training-pair", "M21", "speedup", both(fused, plain))) == expected


def placed(places, order=None):
    found = {f"t{index}": {"started": None, "order": place} for index, place in enumerate(places, 1)}
    return {"measurement": {"order": order}, "trials": found}


@pytest.mark.parametrize(
    ("fused", "plain", "expected"),
    [
        (placed(range(5)), placed(range(5, 10)), ("a", CAVEAT)),
        (placed(range(0, 10, 2)), placed(range(1, 10, 2)), PASS),
        (placed([None] * 5), placed(range(5)), NOT_APPLICABLE),
        (placed([None] * 5, "unknown"), placed([None] * 5, "unknown"), NOT_SHOWN),
        (placed([None] * 5, "interleaved"), placed([None] * 5, "interleaved"), NOT_APPLICABLE),
        (placed(range(0, 10, 2), "unknown"), placed(range(1, 10, 2)), PASS),
    ],
)
def test_places_tell_the_order_where_no_time_is_given(judged, fused, plain, expected):
    assert answer(judged("training-pair", "M21", "speedup", both(fused, plain))) == expected


def test_arms_on_machines_of_their_own_have_no_order(judged):
    unnamed = {"environment": {"host": None}}
    apart = both(timed(FIRST, boot_id="aa") | unnamed, timed(LATER, boot_id="bb") | unnamed)
    assert answer(judged("training-pair", "M21", "speedup", apart)) is NOT_APPLICABLE


def test_arms_on_systems_of_their_own_have_no_order(judged):
    def arms(**fields):
        unnamed = {"environment": {"host": None}} | fields
        return {"arms": {"ours": timed(FIRST) | unnamed, "theirs": timed(LATER) | unnamed}}

    assert answer(judged("comparison", "M21", "speedup", arms())) is NOT_APPLICABLE  # two systems
    assert answer(judged("comparison", "M21", "speedup", arms(system="ours"))) == ("a", CAVEAT)


def test_two_trials_an_arm_are_no_order(judged):
    drop = {f"t{index}": None for index in (3, 4, 5)}
    fused, plain = timed(FIRST[:2]), timed(LATER[:2])
    patch = both({"trials": fused["trials"] | drop}, {"trials": plain["trials"] | drop})
    assert answer(judged("training-pair", "M21", "speedup", patch)) is NOT_APPLICABLE
