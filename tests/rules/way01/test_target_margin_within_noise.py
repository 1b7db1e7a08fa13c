"""W0107, target-margin-within-noise."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, Outcome
from support.patches import both
from support.quality import RUNS

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def seeds(*values):
    return {str(i): value for i, value in enumerate(values, start=11)}


def margin(*values, **quality):
    gone = dict.fromkeys(("101", "102", "103", "104", "105"))
    stated = {"seeds": gone | seeds(*values), "n": None, "interval": None, "value": values[0] if values else None}
    return {"arms": {"trained": {"quality": {"accuracy": stated | quality}, "trials": RUNS}}}


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (margin("0.9444", "0.9449", "0.9449"), PASS),
        (margin("0.9401", "0.9400", "0.9409"), VIOLATION),
        (margin("0.9400", "0.9400", "0.9400"), PASS),
        (margin("0.93", "0.95", "0.95"), VIOLATION),
        (margin("0.9390", "0.9391", "0.9392"), NOT_APPLICABLE),
        (margin("0.9402"), VIOLATION),
        (margin("0.9402", "0.9403"), VIOLATION),
        (margin("0.9450"), PASS),
        (margin("0.9402", counted=False), NOT_APPLICABLE),
        (margin("0.9402", counted=None), NOT_SHOWN),
        (margin("0.9402", examples=None) | {}, VIOLATION),
        (margin("94.02", unit="%"), VIOLATION),
        (margin("94.50", unit="%"), PASS),
    ],
)
def test_a_margin_within_the_noise(judged, patch, outcome):
    result = judged("time-to-accuracy", "W0107", "time", patch)
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert (result.branch.effect, result.branch.confidence) == (CAVEAT, C2)


def test_the_margin_is_given_in_examples(judged):
    result = judged("time-to-accuracy", "W0107", "time", margin("0.9402"))
    assert "by 2 of 10000 examples; chance alone moves it by 39.1" in result.branch.message


def test_neither_seeds_nor_examples(judged):
    patch = margin("0.9402", examples=None)
    patch["arms"]["trained"]["splits"] = None
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is NOT_SHOWN


def test_a_median_is_less_certain_than_a_mean(judged):
    values = ("0.9402", "0.9403", "0.9404", "0.9405", "0.9409")
    patch = margin(*values)
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is PASS
    scattered = both(
        margin("0.9401", "0.9402", "0.9403", "0.9405", "0.9412"), {"claims": {"time": {"criterion": "median"}}}
    )
    assert judged("time-to-accuracy", "W0107", "time", scattered).outcome is VIOLATION
    scattered["claims"]["time"]["criterion"] = "mean"
    assert judged("time-to-accuracy", "W0107", "time", scattered).outcome is PASS


def test_a_direction_of_less_is_better(judged):
    target = {"metric": "loss", "value": "3.22", "direction": "lower", "declared_before": True}
    tta = {"quantity": "time", "scope": "training_run", "form": "absolute", "unit": "s", "target": target}
    patch = {"claims": {"speedup": tta}}
    assert judged("training-pair", "W0107", "speedup", patch).outcome is VIOLATION
    target["value"] = "3.30"
    assert judged("training-pair", "W0107", "speedup", patch).outcome is PASS


def test_counted_shares_were_not_rounded(judged):
    """The bound lies 0.00003 short of the target: within half a digit, which counts of 10000 do not have."""
    patch = margin("0.9402", "0.9401", "0.9404")
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is VIOLATION
    patch = margin("0.9402", "0.9401", "0.9404", examples=None, counted=None)
    assert judged("time-to-accuracy", "W0107", "time", patch).outcome is not VIOLATION


def test_one_finding_per_document(judged):
    time = margin("0.9402")
    other = {"statement": "It reaches 94 % in 86 s.", "value": "86", "unit": "s", "quantity": "time"}
    other |= {"form": "absolute", "scope": "training_run", "mode": "training", "compares": "none"}
    other |= {"target": {"metric": "accuracy", "value": "0.94", "direction": "higher"}, "measured": {"arm": "trained"}}
    patch = both(time, {"claims": {"again": other}})
    assert judged("time-to-accuracy", "W0107", "again", patch).outcome is VIOLATION
    result = judged("time-to-accuracy", "W0107", "time", patch)
    assert (result.outcome, "claim `again`" in result.reason) == (NOT_APPLICABLE, True)
