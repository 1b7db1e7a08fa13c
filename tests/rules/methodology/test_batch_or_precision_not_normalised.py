"""M19, batch-or-precision-not-normalised: A comparison of speeds at different batches or precisions."""

import pytest
from dlaudit.rules.bases import base as submission
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.answers import answer
from support.conditions import both_arms, in_table

PASS, NOT_SHOWN = Outcome.PASS, Outcome.NOT_SHOWN


def options(**values):
    return {"options": values}


SMALL = options(global_batch=8, micro_batch=8)
FULL = options(precision={"compute": "fp32"})


@pytest.mark.parametrize(
    ("plain", "claim", "expected"),
    [
        (SMALL, None, ("a", UNDERMINES)),
        (FULL, None, ("a", UNDERMINES)),
        (options(global_batch=32, micro_batch=8, accumulation=4), None, PASS),
        (options(global_batch=None, micro_batch=8, accumulation=4), None, PASS),
        (SMALL, {"treatment": ["global_batch"]}, PASS),
        (SMALL, {"attribution": "batch"}, PASS),
        (FULL, {"treatment": ["precision.compute"]}, PASS),
        (FULL, {"statement": "Training in bf16 is 1.43x faster."}, PASS),
        (FULL, {"statement": "In bf16 it is 1.43x faster.", "compares": "other_system"}, ("a", UNDERMINES)),
        (FULL, {"statement": "bf16 over fp32: 1.43x.", "compares": "other_system"}, PASS),
        (options(precision={"compute": "mixed"}), None, NOT_SHOWN),
        (options(precision={"compute": "tf32"}), {"statement": "1.43x, mixed over TF32"}, PASS),
        (
            options(precision={"compute": "tf32"}, global_batch=8, micro_batch=8),
            {"statement": "1.43x, mixed over TF32", "attribution": "precision"},
            ("a", UNDERMINES),
        ),
        (options(global_batch=None, micro_batch=None, precision={"compute": None}), None, NOT_SHOWN),
        ({"options": None}, None, NOT_SHOWN),
    ],
)
def test_batch_and_precision(judged, plain, claim, expected):
    assert answer(judged("training-pair", "M19", "speedup", both_arms(plain=plain, claim=claim))) == expected


def test_another_model_brings_its_own_precision(judged):
    theirs = {"arms": {"theirs": options(model="solver 3", precision={"compute": "fp64"})}}
    assert answer(judged("comparison", "M19", "speedup", theirs)) is PASS
    assert answer(judged("comparison", "M19", "speedup", {"arms": {"theirs": FULL}})) == ("a", UNDERMINES)


def judged_options(name, key):
    return submission(name)["arms"][key]["options"]


def test_a_matched_comparison_beside_the_claim_is_enough(judged):
    def variant(batch, attention):
        own = {"options": {"global_batch": batch, "micro_batch": batch, "attention": attention}}
        return own | {"performance": {"rate": {"quantity": "rate", "value": "28000", "unit": "tokens/s"}}}

    matched = {"system": "node", "devices": 1, **variant(8, "exact, fused")}
    matched["options"] = judged_options("training-pair", "plain") | matched["options"]
    patch = both_arms(plain=SMALL)
    patch["arms"]["fused-8"] = matched
    result = judged("training-pair", "M19", "speedup", patch)
    assert answer(result) is PASS
    assert "compares them at equal ones" in result.notes[0]
    elsewhere = {**matched, "options": matched["options"] | {"model": "decoder 350M"}}
    patch["arms"]["fused-8"] = elsewhere
    assert answer(judged("training-pair", "M19", "speedup", patch)) == ("a", UNDERMINES)


def test_each_arm_at_its_best_batch_with_both_curves(judged):
    patch = both_arms(plain=SMALL)
    for key, attention, best in (("fused", "exact, fused", 41300), ("plain", "exact", 28900)):
        for batch, share in ((4, 0.7), (16, 0.9)):
            patch["arms"][f"{key}-{batch}"] = {
                "system": "node",
                "devices": 1,
                "software": {"framework": "torch 2.6.0"},
                "options": judged_options("training-pair", key)
                | {"global_batch": batch, "micro_batch": batch, "attention": attention},
                "performance": {"rate": {"quantity": "rate", "value": str(round(best * share)), "unit": "tokens/s"}},
            }
    assert answer(judged("training-pair", "M19", "speedup", patch)) is PASS
    patch["arms"]["plain-16"]["performance"]["rate"]["value"] = "39000"
    assert answer(judged("training-pair", "M19", "speedup", patch)) == ("a", UNDERMINES)


COLUMNS = {"rate": {"quantity": "rate", "unit": "tokens/s"}}


def row(batch, compute, **more):
    return {"options": {"precision": {"compute": compute}, "global_batch": batch, **more}, "values": {"rate": "1"}}


@pytest.mark.parametrize(
    ("rows", "table", "expected"),
    [
        ({"new": row(32, "bf16"), "old": row(32, "bf16")}, {"base_row": "old"}, PASS),
        ({"new": row(256, "bf16"), "old": row(32, "bf16")}, {"base_row": "old"}, ("a", UNDERMINES)),
        ({"new": row(256, "bf16"), "old": row(32, "bf16")}, {"base_row": "old", "varies": ["global_batch"]}, PASS),
        ({"new": row(32, "bf16"), "old": row(32, "fp32")}, {"base_row": "old", "varies": ["precision"]}, PASS),
        ({"new": row(32, "bf16"), "old": {"values": {"rate": "1"}}}, {"base_row": "old"}, NOT_SHOWN),
        ({"new": row(32, "bf16"), "old": row(32, "bf16")}, {}, NOT_SHOWN),
    ],
)
def test_rows_at_one_batch_and_precision(judged, rows, table, expected):
    assert answer(judged("training-pair", "M19", "speedup", in_table(COLUMNS, rows, **table))) == expected


def test_a_speedup_column_of_mixed_over_tf32(judged):
    columns = {name: {"quantity": "rate", "unit": "tokens/s", "format": name} for name in ("mixed", "tf32")}
    rows = {"new": {"options": {"global_batch": 32}, "values": {"mixed": "143", "tf32": "100"}, "speedup": "1.43"}}
    assert answer(judged("training-pair", "M19", "speedup", in_table(columns, rows))) is PASS


def two_models(system, **options):
    theirs = {"system": system, "options": {"model": "another network", **options}}
    return {"claims": {"speedup": {"statement": "Ours is faster.", "treatment": ["model"]}}, "arms": {"theirs": theirs}}


@pytest.mark.parametrize(
    ("system", "options", "expected"),
    [
        ("theirs", {"precision": {"compute": "fp32"}}, PASS),
        ("ours", {"precision": {"compute": "fp32"}}, ("a", UNDERMINES)),
        ("ours", {}, PASS),
    ],
)
def test_two_models_on_one_machine_could_run_in_one_precision(judged, system, options, expected):
    assert answer(judged("comparison", "M19", "speedup", two_models(system, **options))) == expected


@pytest.mark.parametrize(
    ("mode", "options", "expected"),
    [
        ("inference", {"micro_batch": 8}, ("a", UNDERMINES)),
        ("inference", {"micro_batch": 8, "pipeline_parallel": 2, "per_device_batch": 32}, PASS),
        ("inference", {"global_batch": 4096}, PASS),
        ("training", {"micro_batch": 8, "accumulation": 4}, PASS),
    ],
)
def test_in_inference_the_batch_is_what_passes_through_the_model(judged, mode, options, expected):
    own = {"micro_batch": 32, "per_device_batch": 32, "global_batch": 512}
    patch = {
        "claims": {"speedup": {"mode": mode, "scope": "step", "statement": "Fused is faster."}},
        "arms": {"fused": {"options": own}, "plain": {"options": own | options}},
    }
    assert answer(judged("training-pair", "M19", "speedup", patch)) == expected
