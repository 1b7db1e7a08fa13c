"""F31, identical-values-across-configs."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.answers import answer

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def repeated(rate, **metric):
    """Two rows of different options with the digits of one rate, whose arms state the scatter of their trials."""
    table, rows, arms = base("strong-scaling")["tables"]["nodes"], {}, {}
    for row in ("r2", "r4"):
        own = {"value": rate, "digits": None, **metric}
        rows[row], arms[table["rows"][row]["arm"]] = {"values": {"rate": rate}}, {"performance": {"rate": own}}
    return {"tables": {"nodes": {"rows": rows}}, "arms": arms}


def within(low, high):
    return {"interval": {"low": low, "high": high, "level": 0.95, "varies": "trials"}, "trials": 5}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ({}, PASS),  # one in 30 by chance
        ({"wall_s": 12.3456}, ("a", CAVEAT)),  # as long as each other, to a tenth of a millisecond
        (within("37000", "39400"), ("a", CAVEAT)),  # equal scatter, too
        (within("38190", "38230"), NOT_APPLICABLE),  # no wider than the digits
        ({"interval": None, "plus_minus": {"value": "600", "label": "sem"}}, ("a", CAVEAT)),
    ],
)
def test_what_else_two_rows_share_tells_a_repeated_rate(judged, metric, expected):
    assert answer(judged("strong-scaling", "F31", "speedup", repeated("38210", **metric))) == expected


@pytest.mark.parametrize(("other", "found"), [({}, True), ({"15": "3.2158"}, False)])
def test_seeds_of_two_trainings_are_not_all_the_same(judged, other, found):
    seeds = {"11": "3.2207", "12": "3.2193", "13": "3.2206", "14": "3.2223", "15": "3.2159"}
    listed = dict.fromkeys(base("training-pair")["arms"]["plain"]["quality"]["loss"]["seeds"])
    losses = {"plain": listed | seeds, "fused": listed | seeds | other}
    patch = {"arms": {name: {"quality": {"loss": {"seeds": values}}} for name, values in losses.items()}}
    assert (answer(judged("training-pair", "F31", "speedup", patch)) == ("a", CAVEAT)) is found


def constant(
    caption="Strong scaling at one batch.", losses=("2.6883",) * 4, seeds=("2.6886", "2.6873", "2.6883", "2.6905")
):
    column = {"quantity": "accuracy", "unit": "nats", "scope": "training_run", "mode": "training"}
    rows = {
        f"n{8 * 2**i}": {"devices": 8 * 2**i, "system": "node", "values": {"loss": loss}}
        for i, loss in enumerate(losses)
    }
    quality = {"metric": "loss", "value": "2.6883", "seeds": {str(i): seed for i, seed in enumerate(seeds)}}
    table = {"caption": caption, "columns": {"loss": column}, "rows": rows}
    return {"tables": {"constant": table}, "arms": {"a": {"quality": {"loss": quality}}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (constant(), VIOLATION),
        (constant(losses=("2.6883", "2.6883")), NOT_APPLICABLE),  # two may agree by chance
        (constant(losses=("2.6883", "2.6871", "2.6883", "2.6890")), NOT_APPLICABLE),
        (constant("Strong scaling at one batch; the loss is that of one run on 64."), NOT_APPLICABLE),
        (constant(seeds=("2.6883", "2.6883", "2.6883")), NOT_APPLICABLE),  # no scatter is stated
        (constant(losses=("2.7",) * 4), NOT_APPLICABLE),
    ],
)
def test_one_training_in_the_cells_of_several(judged, patch, outcome):
    assert judged("rate", "F31", "rate", patch).outcome is outcome


def rates(r2, r4, **row):
    rows = {"r1": {"values": {"rate": "19600.7"}}, "r2": {"values": {"rate": r2}},
            "r4": {"values": {"rate": r4}, **row}, "r8": {"values": {"rate": "129600.5"}}}  # fmt: skip
    return {"tables": {"nodes": {"rows": rows}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (rates("38210.4", "73640.2"), PASS),
        (rates("38210.4", "38210.4"), ("a", CAVEAT)),
        (rates("38210.4", "38210.4", arm="n2"), PASS),  # one arm fills two cells, and says so
        (rates("381e2", "381e2"), NOT_APPLICABLE),  # too few digits
        (rates("38210.4", "38210.4", arm=None), NOT_APPLICABLE),  # no scatter
    ],
)
def test_equal_digits_of_different_configurations(judged, patch, expected):
    assert answer(judged("strong-scaling", "F31", "speedup", patch)) == expected
