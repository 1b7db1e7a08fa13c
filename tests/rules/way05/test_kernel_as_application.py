"""W0501, kernel-as-application: The timed region covers less than the statement does."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome


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


@pytest.mark.parametrize(
    ("measured", "claimed", "outcome"),
    [
        ("kernel", "request", Outcome.VIOLATION),
        ("layer", "serving_window", Outcome.VIOLATION),
        ("collective", "request", Outcome.VIOLATION),
        ("request", "layer", Outcome.PASS),
        ("step", "request", Outcome.NOT_SHOWN),  # a step of decoding may be a request's only one
    ],
)
def test_a_request_holds_its_kernels(judged, measured, claimed, outcome):
    patch = {"arms": {"a": {"measurement": {"scope": measured}}}, "claims": {"rate": {"scope": claimed}}}
    assert judged("rate", "W0501", "rate", patch).outcome is outcome
