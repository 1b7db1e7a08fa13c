"""B02, values-only-in-figure: A claim that rests on a figure whose values stand nowhere as text or data."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def figure(**changes):
    return {"figures": {"f1": {"caption": "Rate", "kind": "bar", "arms": ["a"], "values_stated": False, **changes}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (figure(), PASS),  # the arm states its value
        (figure(values_stated=None), NOT_APPLICABLE),
        (figure(arms=["other"]), NOT_APPLICABLE),
        (figure(arms=["a", "b"]) | {"arms": {"b": {}}}, PASS),  # the claim is about the other arm
        (figure() | {"arms": {"a": {"performance": {"rate": {"value": None}, "end-to-end": None},
                     "trials": {f"t{i}": None for i in range(1, 6)}}}}, NOT_SHOWN),
    ],
)  # fmt: skip
def test_values_stand_somewhere(judged, patch, expected):
    result = judged("rate", "B02", "rate", patch)
    assert answer(result) == expected


TIMED = {f"t{i}": None for i in range(1, 6)}


def test_a_quality_does_not_stand_for_a_rate_that_only_a_figure_shows(judged):
    left_out = {"performance": {"rate": {"value": None}}, "trials": TIMED}
    patch = figure(arms=["fused", "plain"]) | {"arms": {"fused": left_out, "plain": left_out}}
    patch["tables"] = None
    assert answer(judged("training-pair", "B02", "speedup", patch)) is NOT_SHOWN
    del patch["arms"]["fused"], patch["arms"]["plain"]
    assert answer(judged("training-pair", "B02", "speedup", patch)) is PASS


def test_one_value_at_the_end_is_no_curve(judged):
    curve = figure(kind="line", x_axis="iterations")
    assert answer(judged("rate", "B02", "rate", curve)) is NOT_SHOWN
    log = [{"split": "test", "samples": 1000, "metrics": {"loss": 3.2}}]
    logged = {"s1": {"kind": "convergence", "outcome": "completed", "evaluations": log}}
    assert answer(judged("rate", "B02", "rate", curve | {"arms": {"a": {"trials": logged}}})) is PASS


def nine(caption, statement, **figure):
    drawn = {"caption": caption, "kind": "bar", "values_stated": False, "x_axis": "other", "arms": ["a"], **figure}
    return {"claims": {"rate": {"statement": statement}}, "figures": {"f1": drawn}}


BEST = "The best of the nine variants of figure 1 reaches 2499 samples/s."


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (nine("Rates of the nine variants.", BEST), NOT_SHOWN),
        (nine("Rates of the 9 tested variants.", BEST), NOT_SHOWN),
        (nine("Rates of the nine variants.", BEST, values_stated=True), PASS),
        (nine("Rates of the four variants.", BEST), PASS),  # it may be another choice
        (nine("Rates of the nine variants.", "One of nine variants reaches 2499 samples/s."), PASS),
        (nine("Rates of one machine.", BEST), PASS),
    ],
)
def test_the_variants_that_a_claim_was_picked_from_have_values(judged, patch, expected):
    assert answer(judged("rate", "B02", "rate", patch)) == expected
    table = {
        "columns": {"rate": {"quantity": "rate", "unit": "samples/s"}},
        "rows": {f"v{i}": {"values": {"rate": "2400"}} for i in range(9)},
    }
    assert answer(judged("rate", "B02", "rate", patch | {"tables": {"t": table}})) == PASS


def drawn(points, caption="Rates.", x_axis="devices", **tables):
    figure = {"caption": caption, "kind": "line", "values_stated": False, "arms": ["n1", "n16"], "x_axis": x_axis}
    claim = {"points": points, "row": None}
    return {"figures": {"f1": figure}, "claims": {"efficiency": claim, "speedup": None}, "tables": None, **tables}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (drawn(5), NOT_SHOWN),
        (drawn(2), PASS),
        (drawn(2, "Images/s on 8, 16, 32, 64 and 128 devices."), NOT_SHOWN),
        (drawn(2, "Images/s on 8 and 128 devices."), PASS),
        (drawn(5, x_axis="other"), PASS),
    ],
)
def test_points_between_two_arms_that_a_figure_shows_alone(judged, patch, outcome):
    ends = {
        name: {"performance": {"rate": {"quantity": "rate", "unit": "images/s", "value": "9"}}}
        for name in ("n1", "n16")
    }
    patch["arms"] = {"n1": {"devices": 8, **ends["n1"]}, "n16": {"devices": 128, **ends["n16"]}, "n8": None}
    assert judged("strong-scaling", "B02", "efficiency", patch).outcome is outcome
