"""E07, speed-bought-with-power: A speed-up on as many devices that draw much more power, without a word on it."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer
from support.patches import arm, both, claim

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


def meters(ours, theirs, kinds=("device", "device")):
    return both(
        arm("fused", energy={"boundary": kinds[0], "mean_power_w": ours}),
        arm("plain", energy={"boundary": kinds[1], "mean_power_w": theirs}),
    )


def limits(ours, theirs):
    return both(arm("fused", environment={"power_limit_w": ours}), arm("plain", environment={"power_limit_w": theirs}))


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (meters(400, 250), ("a", CAVEAT)),
        (meters(360, 250), PASS),
        (meters(250, 400), PASS),
        (meters(400, 250, ("device", "node")), NOT_APPLICABLE),
        (meters(400, None), NOT_APPLICABLE),  # a limit is no reading beside the one that is lacking
        (limits(700, 350), ("a", CAVEAT)),
        (limits(400, 350), PASS),
        (limits(700, None), NOT_APPLICABLE),
    ],
)
def test_the_power_of_both_sides(judged, patch, expected):
    assert answer(judged("training-pair", "E07", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Training is 1.43x faster with fused attention.", ("a", CAVEAT)),
        ("Training is 1.43x faster, at 1.6x the power.", PASS),
        ("1.43x faster: a raised power limit pays for most of it.", PASS),
        ("1.43x faster, and 0.9x the energy efficiency.", PASS),
    ],
)
def test_words_on_power(judged, statement, expected):
    patch = both(meters(400, 250), claim("speedup", statement=statement))
    assert answer(judged("training-pair", "E07", "speedup", patch)) == expected


def test_more_devices_draw_more(judged):
    patch = both(meters(800, 250), arm("fused", devices=2))
    assert answer(judged("training-pair", "E07", "speedup", patch)) == NOT_APPLICABLE


def test_a_slow_down_buys_nothing(judged):
    patch = both(meters(400, 250), claim("speedup", value="0.9", statement="Training is 0.9x as fast."))
    assert answer(judged("training-pair", "E07", "speedup", patch)) == NOT_APPLICABLE
