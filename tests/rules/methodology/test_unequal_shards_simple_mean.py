"""M22, unequal-shards-simple-mean: An aggregate that counts parts of different sizes alike."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from support.answers import answer

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def shards(value, *parts, **more):
    found = {f"rank-{i}": {"value": v} | ({"size": n} if n is not None else {}) for i, (v, n) in enumerate(parts)}
    return {"arms": {"fused": {"quality": {"loss": {"value": value, "shards": found, **more}}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (shards("3.22", ("3.18", 1900), ("3.26", 100)), ("a", REFUTES)),
        (shards("3.18", ("3.18", 1900), ("3.26", 100)), PASS),
        (shards("3.22", ("3.18", 1000), ("3.26", 1000)), PASS),
        (shards("3.22", ("3.18", 1900), ("3.26", None)), NOT_SHOWN),
        (shards("3.22", ("3.18", None), ("3.26", None)), NOT_SHOWN),
        (shards("3.90", ("3.18", None), ("3.26", None)), NOT_APPLICABLE),
        (shards("3.90", ("3.18", 1900), ("3.26", 100)), NOT_APPLICABLE),
        (shards("3.2", ("3.18", 1900), ("3.26", 100)), PASS),  # the printed digits do not tell
        (shards("3.22", ("3.18", 1900), ("3.26", 100), averaging="macro over tasks"), PASS),
        (shards("3.22", ("3.18", 0), ("3.26", 0)), PASS),
        (shards(None, ("3.18", 1900), ("3.26", 100)), NOT_APPLICABLE),
        (shards("3.22", ("3.18", 1900)), NOT_APPLICABLE),  # one part is the whole
        (shards("3.90", ("3.18", None), ("3.26", None), averaging="mean over both ranks"), ("b", REFUTES)),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="weighted mean of the shards"), ("b", REFUTES)),
        (shards("3.28", ("3.18", 1900), ("3.26", 100), averaging="average across ranks"), ("b", CAVEAT)),
        (shards("3.3", ("3.18", 1900), ("3.26", 100), averaging="average across ranks"), NOT_APPLICABLE),
        (shards("3.90", ("3.18", None), ("3.26", None), averaging="mean over tasks"), PASS),  # the parts are ranks
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="mean over 19 classes"), NOT_APPLICABLE),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="mean over seeds of the ranks"), NOT_APPLICABLE),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="mean of the slowest of the ranks"), NOT_APPLICABLE),
        (shards("3.10", ("3.18", 1900), ("3.26", 100), averaging="weighted mean"), NOT_APPLICABLE),  # over what?
        (shards("3.25", ("3.18", None), ("3.26", None), averaging="mean over tasks"), PASS),  # other weights
    ],
)
def test_means_of_parts(judged, patch, expected):
    assert answer(judged("training-pair", "M22", "speedup", patch)) == expected


def test_a_percentile_over_parts_is_no_mean(judged):
    parts = {"a": {"value": "40000", "size": 9}, "b": {"value": "42600", "size": 1}}
    metric = {"value": "41300", "shards": parts}
    patch = {"arms": {"fused": {"performance": {"rate": metric}}}}
    assert answer(judged("training-pair", "M22", "rate", patch)) is NOT_APPLICABLE  # a median
    metric["statistic"] = "mean"
    assert answer(judged("training-pair", "M22", "rate", patch)) == ("a", REFUTES)
    for metric["value"] in ("82600", "39000"):  # their sum over the ranks, or their slowest, and the mean over steps
        assert answer(judged("training-pair", "M22", "rate", patch)) is NOT_APPLICABLE
