"""S06, S12, S14: claims that nothing differs, and claims that quality is better."""

import pytest
from dlaudit.rules.outcome import C2, CAVEAT, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)


def trials(*steps):
    kept = {f"t{i}": {"samples": {"step_time_s": [step]}} for i, step in enumerate(steps, 1)}
    return {**{f"t{i}": None for i in range(1, 6)}, **kept}


def parity(fused=None, plain=None, margin="5", statement="Both attentions are equally fast.", **claim):
    arms = {}
    if fused is not None:
        arms = {"fused": {"trials": trials(*fused)}, "plain": {"trials": trials(*plain)}}
    more = {"form": "parity", "value": None, "unit": None, "statement": statement, "interval": None, **claim}
    more["margin"] = {"value": margin} if margin is not None else None
    return {"claims": {"speedup": more}, "arms": arms}


TIGHT = ([1.0, 1.001, 0.999, 1.002, 0.998], [1.003, 1.001, 1.0, 1.002, 1.001])
WIDE = ([1.0, 1.08, 0.93], [1.02, 0.95, 1.09])


@pytest.mark.parametrize(
    ("patch", "outcome", "item"),
    [
        (parity(*TIGHT), PASS, None),
        (parity(*WIDE), NOT_SHOWN, ""),
        (parity(*TIGHT, margin=None), NOT_SHOWN, "margin"),
        (parity(TIGHT[0][:2], TIGHT[1][:2]), NOT_SHOWN, ""),
        (parity(*TIGHT, base=None), NOT_SHOWN, "numbers of both arms"),
        (parity(*TIGHT, margin=None, base=None), NOT_SHOWN, "numbers of both arms"),
        (parity(*TIGHT, measured=None, base=None), NOT_SHOWN, "numbers of both arms"),
    ],
)
def test_parity(judged, patch, outcome, item):
    result = judged("training-pair", "S06", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is PASS or result.branch.item == item


@pytest.mark.parametrize("margin", ["5", None])
def test_an_interval_wholly_outside_the_margin_contradicts_parity(judged, margin):
    slower = [1.2, 1.21, 1.19, 1.2, 1.2]
    result = judged("training-pair", "S06", "speedup", parity(slower, TIGHT[1], margin))
    assert (result.outcome, result.branch.branch, result.branch.effect) == (VIOLATION, "a", UNDERMINES)
    assert result.branch.confidence is C2
    faster = judged("training-pair", "S06", "speedup", parity([0.8, 0.81, 0.79], TIGHT[1], margin))
    assert faster.outcome is VIOLATION


def test_no_loss_is_not_contradicted_by_something_better(judged):
    patch = parity([0.8, 0.81, 0.79], TIGHT[1], statement="The change brings no slowdown.")
    assert judged("training-pair", "S06", "speedup", patch).outcome is PASS
    worse = parity([1.2, 1.21, 1.19], TIGHT[1], statement="The change brings no slowdown.")
    assert judged("training-pair", "S06", "speedup", worse).outcome is VIOLATION


def test_identical_outputs_are_parity(judged):
    patch = parity(margin=None, quantity="accuracy", metric="loss", base=None, outputs={"compared": 500})
    patch["claims"]["speedup"]["outputs"]["identical"] = 500
    assert judged("training-pair", "S06", "speedup", patch).outcome is PASS
    patch["claims"]["speedup"]["outputs"]["identical"] = 499
    assert judged("training-pair", "S06", "speedup", patch).outcome is NOT_SHOWN


def quality(value, margin="2"):
    seeds = None if value is None else {"value": value}
    return {
        "claims": {"parity": {"margin": {"value": margin} if margin else None}},
        "arms": {"int8": {"quality": {"accuracy": seeds or {}}}},
    }


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (quality("68.37"), PASS),
        (quality("68.37", "0.5"), NOT_SHOWN),  # 14,042 examples cannot tell half a percent
        (quality("70.10"), PASS),  # better is no loss
        (quality("64.00"), VIOLATION),
        (quality("64.00", None), VIOLATION),
        (quality("68.37", None), NOT_SHOWN),
    ],
)
def test_quality_of_fixed_weights_is_judged_over_examples(judged, patch, outcome):
    assert judged("quantised", "S06", "parity", patch).outcome is outcome


def test_one_training_run_a_side_tests_nothing(judged):
    one = {"value": "3.22", "seeds": None, "n": {"planned": 1, "completed": 1}}
    gone = {f"s{i}": None for i in range(1, 6)}
    arms = {name: {"quality": {"loss": one}, "trials": gone} for name in ("fused", "plain")}
    patch = {**parity(quantity="accuracy", metric="loss"), "arms": arms}
    assert judged("training-pair", "S06", "speedup", patch).outcome is NOT_SHOWN
    assert judged("training-pair", "S12", "speedup", patch).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        (parity(*TIGHT), PASS),
        (parity(*WIDE), VIOLATION),
        (parity(*WIDE, margin=None), VIOLATION),
        (parity(*WIDE, margin="40"), PASS),
        (parity(WIDE[0][:2], WIDE[1][:2]), NOT_SHOWN),
        (parity(*TIGHT, base=None), NOT_SHOWN),
    ],
)
def test_power(judged, patch, outcome):
    result = judged("training-pair", "S12", "speedup", patch)
    assert result.outcome is outcome
    assert outcome is not VIOLATION or (result.branch.effect, result.branch.confidence) == (CAVEAT, C2)


def test_power_of_shares(judged):
    assert judged("quantised", "S12", "parity", quality("68.37", "2")).outcome is PASS
    assert judged("quantised", "S12", "parity", quality("68.37", "0.5")).outcome is VIOLATION
    assert judged("quantised", "S12", "speedup").outcome is NOT_APPLICABLE


def test_a_weak_test_speaks_for_parity_that_it_contradicts():
    from dlaudit.rules.bases import base
    from dlaudit.rules.book import by_code
    from dlaudit.rules.case import Case
    from dlaudit.rules.documentation import merge_patch
    from dlaudit.rules.engine import judge
    from dlaudit.schemas.model import to_model
    from dlaudit.schemas.submission import Submission

    value = merge_patch(base("training-pair"), parity([1.5, 1.4, 1.6], [1.0, 1.05, 0.95], "1"))
    rules = [by_code("S06"), by_code("S12")]
    results = {result.code: result for result in judge(Case(to_model(value, Submission)), rules, ["speedup"])}
    assert results["S12"].also == ("S06",)
    assert results["S12"].branch.effect is UNDERMINES
    assert results["S06"].outcome is NOT_APPLICABLE


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


@pytest.mark.parametrize("code", ["S06", "S12", "S14"])
def test_nothing_but_a_sentence_is_not_shown(judged, code):
    form = "absolute" if code == "S14" else "parity"
    claim = {"form": form, "quantity": "accuracy", "value": "76", "unit": "%", "measured": None, "base": None}
    result = judged("training-pair", code, "speedup", {"claims": {"speedup": {**claim, "quality": None}}, "arms": {}})
    assert result.outcome is NOT_SHOWN
