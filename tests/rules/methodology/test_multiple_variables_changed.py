"""M20, multiple-variables-changed: An effect that is attributed to one change while several were made."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer
from support.conditions import both_arms, in_table

PASS, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def options(**values):
    return {"options": values}


def judged_options(name, key):
    return submission(name)["arms"][key]["options"]


ATTRIBUTION = {"purpose": "attribution"}
TWO = options(precision={"compute": "fp32"}, optimizer="SGD")


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (TWO, {}, ("a", UNDERMINES)),
        ({}, {}, PASS),
        (TWO, {"attribution": "system"}, PASS),
        (TWO, {"treatment": ["attention", "precision", "optimizer"]}, PASS),
        (TWO, {"treatment": ["attention"]}, ("a", UNDERMINES)),
        (
            options(attention="exact, fused", precision={"compute": "e4m3", "weights": "e4m3"}, quantisation="fp8"),
            {},
            PASS,
        ),
        (options(attention="exact, fused", micro_batch=8, accumulation=4, devices=2, learning_rate=0.1), {}, PASS),
        (options(attention="exact, fused", global_batch=8, micro_batch=8), {}, PASS),
        (options(model=None), {}, NOT_SHOWN),
        ({"options": None}, {}, NOT_SHOWN),
    ],
)
def test_an_effect_of_several_changes(judged, plain, claim, expected):
    assert (
        answer(judged("training-pair", "M20", "speedup", both_arms(plain=plain, claim=ATTRIBUTION | claim))) == expected
    )


BESIDE = {"attribution": "method", "treatment": ["attention"], "compares": "own_variants"}
SGD = options(attention="exact, unfused", optimizer="SGD")
CHECKPOINTED = options(attention="exact, unfused", activation_checkpointing=True)


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (SGD, BESIDE, ("a", UNDERMINES)),
        (SGD, BESIDE | {"treatment": ["attention", "optimizer"]}, PASS),
        (SGD, BESIDE | {"attribution": "system"}, PASS),
        (SGD, BESIDE | {"attribution": "none"}, PASS),
        (options(optimizer="SGD"), BESIDE | {"treatment": ["our step"]}, PASS),  # what our step is may be the optimizer
        (CHECKPOINTED, BESIDE, ("b", CAVEAT)),
        (CHECKPOINTED, BESIDE | {"treatment": ["attention", "activation checkpointing"]}, PASS),
        (options(activation_checkpointing=True), BESIDE, PASS),  # nothing else differs
        (options(attention="exact, unfused", micro_batch=8, accumulation=4), BESIDE, PASS),
        (options(precision={"compute": "fp32", "weights": "fp32"}), BESIDE | {"attribution": "precision"}, PASS),
        ({"options": None}, BESIDE, NOT_APPLICABLE),
    ],
)
def test_a_change_beside_the_one_that_an_effect_is_put_down_to(judged, plain, claim, expected):
    own = {"attention": "exact, fused", "compile": True, "activation_checkpointing": False}
    base = plain if plain["options"] is None else options(**(own | plain["options"]))
    patch = both_arms(options(**own), base, {"purpose": "method_speedup"} | claim)
    assert answer(judged("training-pair", "M20", "speedup", patch)) == expected


def test_an_ablation_in_single_steps(judged):
    def step(**values):
        found = judged_options("training-pair", "fused") | values
        return {"options": found, "performance": {"rate": {"quantity": "rate", "unit": "tokens/s", "value": "35000"}}}

    patch = both_arms(plain=TWO, claim=ATTRIBUTION)
    patch["arms"]["one"] = step(attention="exact")
    assert answer(judged("training-pair", "M20", "speedup", patch)) == ("a", UNDERMINES)
    patch["arms"]["two"] = step(attention="exact", optimizer="SGD")
    assert answer(judged("training-pair", "M20", "speedup", patch)) is PASS
    del patch["arms"]["two"]["options"]["optimizer"]
    assert answer(judged("training-pair", "M20", "speedup", patch)) == ("a", UNDERMINES)


COLUMNS = {"rate": {"quantity": "rate", "unit": "tokens/s"}}


def row(batch, compute, **more):
    return {"options": {"precision": {"compute": compute}, "global_batch": batch, **more}, "values": {"rate": "1"}}


def test_an_attribution_by_rows(judged):
    rows = {"new": row(32, "bf16", model="m"), "old": row(256, "fp32", model="m")}
    patch = in_table(COLUMNS, rows, ATTRIBUTION, base_row="old")
    assert (
        answer(judged("training-pair", "M20", "speedup", patch)) is NOT_SHOWN
    )  # the base differs in more than one thing
    patch["claims"]["speedup"]["row"] |= {"base_row": "old"}
    assert answer(judged("training-pair", "M20", "speedup", patch)) == ("a", UNDERMINES)


def test_one_option_set_is_no_change(judged):
    one = {"option_set": "sha256:" + "0" * 64}
    assert answer(judged("training-pair", "M20", "speedup", both_arms({**one}, {**one, **TWO}, ATTRIBUTION))) is PASS


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        ({"model": "decoder 1.3B"}, {"treatment": ["pipeline"]}, ("a", UNDERMINES)),
        ({"dataset": "another corpus"}, {"treatment": ["compile"]}, ("a", UNDERMINES)),
        ({"dataset": "synthetic tokens"}, {"treatment": ["pipeline"]}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": ["model"]}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": ["pruning"]}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": ["compile"], "base": {"definition": "the decoder 1.3B"}}, PASS),
        ({"model": "decoder 1.3B"}, {"treatment": []}, NOT_SHOWN),
    ],
)
def test_variants_of_one_author_are_timed_on_one_work(judged, plain, claim, expected):
    told_by = {"purpose": "method_speedup", "attribution": "none", "compares": "own_variants", **claim}
    patch = {"arms": {"plain": {"options": plain}}, "claims": {"speedup": told_by}}
    assert answer(judged("training-pair", "M20", "speedup", patch)) == expected


@pytest.mark.parametrize(
    ("crop", "expected"),
    [("random crop to 160, flip", PASS), ("random crop to 160, flip, mixup", ("a", UNDERMINES))],
)
def test_a_crop_that_the_preprocessing_tells_too_is_one_change(judged, crop, expected):
    fused = {"options": {"preprocessing": crop, "input_shape": [3, 160, 160], "attention": "exact"}}
    plain = {
        "options": {"preprocessing": "random crop to 224, flip", "input_shape": [3, 224, 224], "attention": "exact"}
    }
    patch = {"arms": {"fused": fused, "plain": plain}, "claims": {"speedup": ATTRIBUTION}}
    assert answer(judged("training-pair", "M20", "speedup", patch)) == expected
