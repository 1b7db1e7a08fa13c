"""W1205, metric-defined-by-claimant."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome


def defined(units=None, **metric):
    """The headline's metric as defined, in another unit on both sides."""
    arms = {name: {"performance": {"rate": {"unit": units}}} for name in ("ours", "theirs")} if units else {}
    tables = {"systems": {"columns": {"rate": {"unit": units}}}} if units else {}
    claim = {"metric_defined": metric or None, **({"base": {"unit": units}} if units else {})}
    return {"claims": {"speedup": claim}, "arms": arms, "tables": tables}


SECOND = {"quantity": "time", "value": "0.84", "unit": "s"}


@pytest.mark.parametrize(
    "unit", ["tokens/s", "s", "TFLOP/s", "samples/J", "J", "GiB", "tokens/s/GPU", "queries/s", "QPS"]
)
def test_usual_metrics_need_no_definition(judged, unit):
    assert judged("comparison", "W1205", "speedup", defined(unit)).outcome is Outcome.PASS


def test_an_unknown_metric_needs_one(judged):
    assert judged("comparison", "W1205", "speedup", defined("AI points")).outcome is Outcome.NOT_SHOWN


def test_goodput_under_a_bound_of_ones_own_needs_one(judged):
    patch = {"claims": {"speedup": {"purpose": "serving_objective"}}}
    assert judged("comparison", "W1205", "speedup", patch).outcome is Outcome.NOT_SHOWN


@pytest.mark.parametrize(
    ("metric", "second", "outcome"),
    [
        ({"kind": "listed"}, False, Outcome.PASS),
        ({"kind": "custom", "set_by": "buyer"}, False, Outcome.PASS),
        ({"kind": "custom", "set_by": "benchmark", "thresholds_declared_before": False}, False, Outcome.PASS),
        ({"kind": "custom"}, False, Outcome.NOT_SHOWN),
        ({"kind": "custom", "set_by": "claimant"}, False, Outcome.VIOLATION),
        ({"kind": "custom", "thresholds_declared_before": True}, False, Outcome.VIOLATION),
        ({"kind": "custom", "thresholds_declared_before": True}, True, Outcome.PASS),
        ({"kind": "custom", "thresholds_declared_before": False}, True, Outcome.VIOLATION),
        ({"kind": "custom", "set_by": "claimant"}, True, Outcome.NOT_SHOWN),
    ],
)
def test_custom_metrics(judged, metric, second, outcome):
    patch = defined(None, **metric)
    if second:
        patch["arms"] = {name: {"performance": {"step": SECOND}} for name in ("ours", "theirs")}
    result = judged("comparison", "W1205", "speedup", patch)
    assert result.outcome is outcome
    if outcome is Outcome.VIOLATION:
        assert result.branch.effect is CAVEAT


@pytest.mark.parametrize(
    ("metric", "second", "outcome"),
    [
        (None, False, Outcome.NOT_APPLICABLE),
        ({"kind": "listed"}, False, Outcome.NOT_APPLICABLE),
        ({"kind": "custom", "set_by": "claimant", "thresholds_declared_before": False}, True, Outcome.VIOLATION),
        ({"kind": "custom", "set_by": "claimant", "thresholds_declared_before": True}, False, Outcome.VIOLATION),
        ({"kind": "custom", "set_by": "claimant", "thresholds_declared_before": True}, True, Outcome.PASS),
        ({"kind": "custom", "set_by": "buyer"}, False, Outcome.PASS),
    ],
)
def test_a_measure_of_ones_own_without_a_rival(judged, metric, second, outcome):
    """A headline may be ahead of nobody, and its measure chosen after the runs all the same."""
    others = {} if second else {"performance": {"latency": None}}
    patch = {"claims": {"rate": {"metric_defined": metric}}, "arms": {"server": others}}
    assert judged("serving", "W1205", "rate", patch).outcome is outcome


@pytest.mark.parametrize(("metric", "outcome"), [("test loss", Outcome.PASS), ("niceness", Outcome.NOT_SHOWN)])
def test_scores_are_known_by_their_names(judged, metric, outcome):
    patch = {
        "claims": {"speedup": {"quantity": "accuracy", "metric": metric, "quality": None, "measured": {"metric": None}}}
    }
    patch["arms"] = {"ours": {"performance": {"step": SECOND}}}
    assert judged("comparison", "W1205", "speedup", patch).outcome is outcome
