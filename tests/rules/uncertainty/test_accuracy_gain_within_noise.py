"""S14, accuracy-gain-within-noise: A gain of quality that another seed, or another test set, would give or take."""

import pytest
from dlaudit.rules.outcome import Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def gain(ours, theirs="76.13", examples=50000, seeds=None, **claim):
    def arm(value, values):
        accuracy = {"metric": "accuracy", "value": value, "unit": "%", "direction": "higher", "split": "test"}
        accuracy |= {"examples": examples, "counted": True, "seeds": values or {}}
        return {"quality": {"loss": None, "accuracy": accuracy}, "trials": {f"s{i}": None for i in range(1, 6)}}

    changed = {"quantity": "accuracy", "metric": "accuracy", "form": "absolute", "value": ours, "unit": "%", **claim}
    changed["quality"] = {"arm": "fused", "quality": "accuracy"}
    changed.setdefault("statement", f"Fused attention reaches {ours} %, better than {theirs} % without.")
    values = seeds or (None, None)
    return {"claims": {"speedup": changed}, "arms": {"fused": arm(ours, values[0]), "plain": arm(theirs, values[1])}}


def of_seeds(*values):
    return {str(i): value for i, value in enumerate(values)}


CLOSE = (of_seeds("76.1", "76.4", "76.3"), of_seeds("76.0", "76.5", "76.2"))
APART = (of_seeds("77.1", "77.2", "77.0"), of_seeds("76.1", "76.2", "76.0"))


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (gain("76.50"), NOT_SHOWN),  # 0.37 points on 50,000 images a side
        (gain("77.00"), PASS),
        (gain("77.00", examples=None), NOT_SHOWN),
        (gain("76.27", "76.23", seeds=CLOSE), NOT_SHOWN),
        (gain("77.10", "76.10", seeds=APART), PASS),
        (gain("75.00"), NOT_SHOWN),
        (gain("75.00", statement="The accuracy drops to 75.00 %."), NOT_APPLICABLE),
        (gain("77.00", form="parity"), NOT_APPLICABLE),
        (gain("77.00", base=None), PASS),  # the only other arm
        (gain("76.50", base=None), NOT_SHOWN),
        (gain("76.50", outputs={"compared": 50000, "only_subject_right": 900, "only_base_right": 715}), PASS),
        (gain("76.50", outputs={"compared": 50000, "only_subject_right": 50, "only_base_right": 40}), NOT_SHOWN),
        (gain("76.50", outputs={"compared": 50000, "only_subject_right": 715, "only_base_right": 900}), NOT_SHOWN),
        (gain("76.50", outputs={"compared": 9, "only_subject_right": 0, "only_base_right": 0}), NOT_SHOWN),
    ],
)
def test_gains_of_quality(judged, patch, outcome):
    result = judged("training-pair", "S14", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is not NOT_SHOWN or result.branch.item == "interval of a quality gain"


@pytest.mark.parametrize(
    "statement",
    [
        "Test accuracy is 75.90 % with fused attention and 76.13 % without.",
        "Fused attention ends slightly worse: 75.90 % against 76.13 %.",
        "Accuracy: 75.90 % (fused) and 76.13 % (plain); the memory pays for it.",
    ],
)
@pytest.mark.parametrize("base", [{}, {"base": None}])
def test_a_worse_quality_that_is_reported_is_no_gain(judged, statement, base):
    patch = gain("75.90", statement=statement, **base)
    assert judged("training-pair", "S14", "speedup", patch).outcome is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("76.27 % against 76.23 %: six seeds cannot tell the two apart.", NOT_APPLICABLE),
        (
            "It reaches 76.27 % (76.23 %); the difference is within the scatter of the seeds.",
            NOT_APPLICABLE,
        ),
        ("Fused attention reaches 76.27 %, which may well be chance.", NOT_APPLICABLE),
        ("Fused attention is 0.04 points better, no matter which seed.", NOT_SHOWN),
        ("Fused attention reaches 76.27 %, within 24 hours, against 76.23 %.", NOT_SHOWN),
    ],
)
def test_a_sentence_may_call_its_difference_chance(judged, statement, outcome):
    patch = gain("76.27", "76.23", seeds=CLOSE, statement=statement)
    assert judged("training-pair", "S14", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("quoted", "statement", "outcome"),
    [
        ("77.2", "We reach 77.00 % (published: 77.2 %).", NOT_APPLICABLE),
        ("0.772", "We reach 77.00 % (published: 77.2 %).", NOT_APPLICABLE),
        ("76.2", "We reach 77.00 % (published: 76.2 %).", NOT_SHOWN),
        ("77.2", "We improve on the published accuracy with 77.00 %.", NOT_SHOWN),
    ],
)
def test_a_quality_below_a_quoted_one_is_no_gain(judged, quoted, statement, outcome):
    patch = gain("77.00", base=None, comparator={"name": "a paper", "quality": quoted}, statement=statement)
    patch["arms"]["plain"] = {"quality": {"loss": None}, "trials": {f"s{i}": None for i in range(1, 6)}}
    assert judged("training-pair", "S14", "speedup", patch).outcome is outcome


def test_the_other_side_is_read_at_the_split_of_the_claim(judged):
    patch = gain("75.90", base=None, statement="75.90 % against 76.13 % on the test set.")
    plain = patch["arms"]["plain"]["quality"]
    plain["dev"] = {**plain["accuracy"], "split": "validation", "value": "70.00"}
    assert judged("training-pair", "S14", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_gain_between_splits_is_no_gain(judged):
    patch = gain("77.00")
    patch["arms"]["plain"]["quality"]["accuracy"]["split"] = "validation"
    assert judged("training-pair", "S14", "speedup", patch).outcome is NOT_APPLICABLE


def test_a_metric_that_is_no_share_needs_intervals(judged):
    def rouge(low, high):
        claim = {"quantity": "accuracy", "metric": "ROUGE-1", "form": "absolute", "value": "38.72", "unit": "%"}
        claim["statement"] = "INT8 reaches 38.72, better than BF16."
        interval = {"low": low, "high": high, "level": 0.95}
        return {"claims": {"speedup": claim}, "arms": {"int8": {"quality": {"rouge": {"interval": interval}}}}}

    assert judged("quantised", "S14", "speedup", rouge("38.6", "38.9")).outcome is NOT_SHOWN
    assert judged("quantised", "S14", "speedup", rouge("39.1", "39.4")).outcome is PASS
