"""W0501 and W0503: parts and wholes."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome


@pytest.mark.parametrize(
    ("measured", "claimed", "outcome"),
    [
        ("kernel", "step", Outcome.VIOLATION),
        ("phase", "step", Outcome.VIOLATION),
        ("step", "epoch", Outcome.VIOLATION),
        ("step", "pipeline", Outcome.VIOLATION),
        ("step", "step", Outcome.PASS),
        ("epoch", "step", Outcome.PASS),
        ("pipeline", "step", Outcome.PASS),
        ("request", "step", Outcome.NOT_SHOWN),
        ("serving_window", "training_run", Outcome.NOT_SHOWN),
    ],
)
def test_scopes_are_ordered(judged, measured, claimed, outcome):
    patch = {"arms": {"a": {"measurement": {"scope": measured}}}, "claims": {"rate": {"scope": claimed}}}
    result = judged("rate", "W0501", "rate", patch)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert (result.branch.effect, result.branch.claimed, result.branch.recomputed) == (
            UNDERMINES,
            claimed,
            measured,
        )


def test_serving_has_its_own_order(judged):
    patch = {"arms": {"a": {"measurement": {"scope": "request"}}}, "claims": {"rate": {"scope": "serving_window"}}}
    assert judged("rate", "W0501", "rate", patch).outcome is Outcome.VIOLATION
    narrower = {"arms": {"a": {"measurement": {"scope": "serving_window"}}}, "claims": {"rate": {"scope": "request"}}}
    assert judged("rate", "W0501", "rate", narrower).outcome is Outcome.PASS


@pytest.mark.parametrize("topic", ["scope_narrower", "projection"])
def test_words_beside_the_number_make_it_a_caveat(judged, topic):
    said = [{"topic": topic, "quote": "extrapolated from one layer"}]
    patch = {"arms": {"a": {"measurement": {"scope": "layer"}}}, "claims": {"rate": {"said": said}}}
    result = judged("rate", "W0501", "rate", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)


def test_a_missing_scope_is_not_shown(judged):
    patch = {"arms": {"a": {"measurement": {"scope": None}}}}
    assert judged("rate", "W0501", "rate", patch).outcome is Outcome.NOT_SHOWN


def test_the_numbers_own_scope_wins(judged):
    patch = {"arms": {"a": {"performance": {"rate": {"scope": "layer"}}}}}
    assert judged("rate", "W0501", "rate", patch).outcome is Outcome.VIOLATION


def test_timed_training_runs_cover_the_run(judged):
    patch = {
        "claims": {
            "rate": {
                "quantity": "time",
                "scope": "training_run",
                "unit": "s",
                "value": "1986",
                "measured": {"metric": "run"},
            }
        }
    }
    assert judged("training-pair", "W0501", "rate", patch).outcome is Outcome.PASS


def test_the_column_of_a_table_says_what_was_measured(judged):
    patch = {"claims": {"gemm": {"purpose": None, "measured": None, "row": {"row": "n4096"}, "scope": "step"}}}
    result = judged("kernel", "W0501", "gemm", patch)
    assert result.outcome is Outcome.VIOLATION
    assert result.branch.related[0].at == "/tables/gemm/columns/rate/scope"


def test_kernel_benchmarks_are_outside(judged):
    assert judged("kernel", "W0501", "gemm").outcome is Outcome.NOT_APPLICABLE


def part(speedup, low, high, **claim):
    return {"claims": {"speedup": {"part": {"speedup": speedup, "fraction_low": low, "fraction_high": high}, **claim}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (part("3.0", 0.1, 0.2), Outcome.VIOLATION),
        (part("3.0", 0.2, 0.1), Outcome.VIOLATION),
        (part("3.0", 0.4, 0.5), Outcome.PASS),
        (part("1000000", 0.2, 0.29), Outcome.VIOLATION),
        (part("1000000", 0.2, 0.30), Outcome.PASS),
        (part("2", 1.0, 1.0), Outcome.PASS),
        (part("1e300", 1.0, 1.0), Outcome.PASS),
        (part("0", 0.2, 0.3), Outcome.VIOLATION),
        (part("-1", 0.2, 0.3), Outcome.NOT_APPLICABLE),
        (part("3.0", 0.1, 0.2, qualifier="up_to"), Outcome.NOT_APPLICABLE),
        (part("3.0", 0.1, 0.2, qualifier="over"), Outcome.VIOLATION),
        (part("3.0", 0.1, 0.2, value="43", unit="%"), Outcome.VIOLATION),
        (part("3.0", 0.1, 0.2, value="0.70", unit="x", quantity="time"), Outcome.VIOLATION),
        (part("3.0", 0.4, 0.5, value="0.70", unit="x", quantity="time"), Outcome.PASS),
        (part("3.0", 0.1, 0.2, value="1.00"), Outcome.NOT_APPLICABLE),
    ],
)
def test_amdahl_bounds_the_whole(judged, patch, outcome):
    result = judged("training-pair", "W0503", "speedup", patch)
    assert result.outcome is outcome, result
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is REFUTES


def test_one_stated_fraction_counts_as_rounded(judged):
    """1.425 needs 29.8 % at an infinite gain: "30 %" may be 29.5, "29 %" may be 29.5, "28 %" may not."""
    assert judged("training-pair", "W0503", "speedup", part("1000000", 0.295, 0.295)).outcome is Outcome.PASS
    assert judged("training-pair", "W0503", "speedup", part("1000000", 0.28, 0.28)).outcome is Outcome.VIOLATION


def test_a_sentence_that_gives_the_part_as_the_reason(judged):
    sentence = "A step is 1.43 times as fast, because attention became 3 times faster."
    patch = part("3.0", 0.1, 0.2, statement=sentence, treatment=["attention", "compile"])
    result = judged("training-pair", "W0503", "speedup", patch)
    assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)
    assert "beside it changed: attention, compile" in result.branch.message


@pytest.mark.parametrize(
    "more",
    [
        {"claims": {"speedup": {"treatment": ["attention", "compile"]}}},
        {"claims": {"speedup": {"attribution": "system"}}},
        {"arms": {"plain": {"options": {"compile": False}}}},
    ],
    ids=["two treatments", "whole system", "two options differ"],
)
def test_other_changes_leave_the_part_without_a_bound(judged, more):
    patch = part("3.0", 0.1, 0.2)
    for key, value in more.items():
        patch[key] = (
            {**patch.get(key, {}), **value}
            if key != "claims"
            else {"speedup": {**patch["claims"]["speedup"], **value["speedup"]}}
        )
    assert judged("training-pair", "W0503", "speedup", patch).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("scope", "measured", "expected"),
    [
        ("step", "kernel", Outcome.NOT_SHOWN),
        ("training_run", "layer", Outcome.NOT_SHOWN),
        ("step", "step", Outcome.NOT_APPLICABLE),
        ("step", None, Outcome.NOT_APPLICABLE),
        ("kernel", "kernel", Outcome.NOT_APPLICABLE),
    ],
)
def test_a_gain_of_a_kernel_told_as_that_of_a_training(judged, scope, measured, expected):
    patch = {
        "claims": {"speedup": {"scope": scope, "part": None}},
        "arms": {name: {"performance": {"rate": {"scope": measured}}} for name in ("fused", "plain")},
    }
    assert judged("training-pair", "W0503", "speedup", patch).outcome is expected
