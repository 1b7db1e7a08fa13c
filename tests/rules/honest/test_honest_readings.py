"""Honest reports that a hasty reading would accuse: each beside the neighbour that does have the flaw."""

from pathlib import Path

import pytest
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import read
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import check

PASS, FLAW, OPEN, OUTSIDE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


def answer(result):
    """The effect of a violation, else the outcome."""
    return result.branch.effect if result.outcome is FLAW else result.outcome


def claim(name, **fields):
    return {"claims": {name: fields}}


def arm(name, **fields):
    return {"arms": {name: fields}}


# M01 -----------------------------------------------------------------------------------------------------------------


def timed(scope, discarded, unit, **measurement):
    bare = {"warmup": {"discarded": discarded, "unit": unit}, "scope": scope, **measurement}
    return arm("a", measurement=bare, trials=None, performance={"rate": {"column": None}})


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (timed("epoch", 1, "iteration"), PASS),
        (timed("epoch", 0, "iteration"), CAVEAT),
        (timed("step", 1, "iteration"), UNDERMINES),
        (timed("training_run", 0, "run"), OPEN),
        (timed("training_run", 0, None), OPEN),
        (timed("step", 0, "run"), UNDERMINES),
        (
            timed(
                "step", 0, None, exclusions={"warm_up_run": {"recurs": "per_run", "duration_s": 9.4, "stated": True}}
            ),
            OPEN,
        ),
    ],
)
def test_what_was_discarded_is_counted_in_what_is_timed(judged, patch, expected):
    assert answer(judged("rate", "M01", "rate", patch)) is expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("A cold start takes 2.1 s on one A100.", OUTSIDE),
        ("The first request after a restart takes 2.1 s.", OUTSIDE),
        ("2500 images per second, including the first epoch and compilation.", OUTSIDE),
        ("2500 images per second, not including compilation.", UNDERMINES),
    ],
)
def test_a_number_of_the_start_needs_no_warm_up(judged, statement, expected):
    patch = timed("step", 0, None) | claim("rate", statement=statement)
    assert answer(judged("rate", "M01", "rate", patch)) is expected


# S15 -----------------------------------------------------------------------------------------------------------------


def extreme(statement, value="1.43", low="1.02", high="1.43", **more):
    stated = {"low": low, "high": high, "where": "elsewhere"}
    return claim("speedup", statement=statement, value=value, range=stated, **more)


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (extreme("Training is 1.43 times as fast."), UNDERMINES),
        (extreme("The 1.3B decoder gains most, 1.43 times."), CAVEAT),
        (extreme("The largest speed-up of all is 1.43 times."), CAVEAT),
        (extreme("At the shortest length training runs at 0.97 times the rate.", "0.97", "0.97"), PASS),
    ],
)
def test_the_words_of_the_best_and_the_worst_case(judged, patch, expected):
    assert answer(judged("training-pair", "S15", "speedup", patch)) is expected


def test_a_range_whose_other_end_is_a_claim_hides_nothing(judged):
    loss = {
        "statement": "At 8k tokens it is slower: 1.02 times.", "value": "1.02", "unit": "x", "quantity": "rate",
        "form": "ratio", "scope": "step", "purpose": "method_speedup", "mode": "training", "compares": "own_variants",
    }  # fmt: skip
    patch = extreme("Training is 1.43 times as fast.", unit="x")
    patch["claims"]["loss"] = loss
    assert answer(judged("training-pair", "S15", "speedup", patch)) is PASS


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("EfficientNet-B0 runs 2.00 times as fast.", PASS),
        ("At 224 px B0 of EfficientNet-B0, in all, runs 2.00 times as fast.", PASS),
        ("It runs 2.00 times as fast.", UNDERMINES),
    ],
)
def test_a_row_is_named_by_what_its_label_begins_with(judged, statement, expected):
    rows = {"r1": ("EfficientNet-B0, 224 px", "2.00"), "r2": ("ResNet-50, 224 px", "1.20"), "r3": ("BERT", "1.10")}
    table = {
        "caption": "Rates.", "varies": ["model"], "columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
        "rows": {name: {"label": label, "values": {}, "speedup": gain} for name, (label, gain) in rows.items()},
    }  # fmt: skip
    patch = {"tables": {"t": table}} | claim(
        "speedup", statement=statement, value="2.00", unit="x", range=None, row={"table": "t", "row": "r1"}
    )
    assert answer(judged("training-pair", "S15", "speedup", patch)) is expected


# W0303, W0305: effort ------------------------------------------------------------------------------------------------

GONE = dict.fromkeys(("trials", "device_hours", "method", "recipe", "defaults_changed"))


def effort(ours, theirs, **fields):
    arms = {"ours": {"search": GONE | ours}, "theirs": {"search": GONE | theirs}}
    return {"arms": arms} | claim("speedup", **fields)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("it picks its tiles itself and has no options to tune", OUTSIDE),
        ("the library is self-tuning", OUTSIDE),
        ("nothing to choose: one plan for each shape", OUTSIDE),
        ("we had no budget to tune it", UNDERMINES),
        ("none", UNDERMINES),
    ],
)
@pytest.mark.parametrize("code", ["W0303", "W0305"])
def test_what_has_nothing_to_tune_was_not_neglected(judged, words, expected, code):
    patch = effort(
        {"trials": 40, "tuned_options": ["compile"]}, {"trials": 0, "method": words, "defaults_stated": True}
    )
    assert answer(judged("comparison", code, "speedup", patch)) is expected


@pytest.mark.parametrize("code", ["W0303", "W0305"])
def test_effort_that_won_nothing_is_no_advantage(judged, code):
    patch = effort({"trials": 40, "tuned_options": ["compile"]}, {"trials": 0, "defaults_stated": True})
    assert answer(judged("comparison", code, "speedup", patch)) is UNDERMINES
    for name, value in (("ours", "201900"), ("theirs", "298800")):
        patch["arms"][name]["performance"] = {"rate": {"value": value}}
    assert answer(judged("comparison", code, "speedup", patch)) is OUTSIDE


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("Ours had 40 trials, theirs 15, since each of ours is shorter.", PASS),
        ("Both were tuned.", CAVEAT),
        ("Ours had 40 trials, theirs 150.", CAVEAT),
    ],
)
def test_budgets_that_are_told_are_no_news(judged, quote, expected):
    patch = effort({"trials": 40}, {"trials": 15})
    patch["disclosures"] = [{"topic": "tuning_effort", "quote": quote}]
    assert answer(judged("comparison", "W0303", "speedup", patch)) is expected


# W0401, W0402: other hardware ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("On one H100 FastLM is 3.1 times as fast as OtherLM.", UNDERMINES),
        ("On one H100 FastLM is 3.1 times as fast as OtherLM was on the V100 of its authors in 2018.", PASS),
        ("FastLM on an H100 is 3.1 times as fast as OtherLM on a V100, which is two generations older.", PASS),
        ("FastLM, written in 2024, is 3.1 times as fast as OtherLM.", UNDERMINES),
    ],
)
def test_an_old_device_that_the_sentence_calls_old(judged, statement, expected):
    patch = claim("speedup", statement=statement, comparator={"device": "V100", "released": "2017-06-21"})
    patch |= {"publication": {"date": "2025-03-01"}, "systems": {"ours": {"device": "H100", "released": "2022-10-01"}}}
    assert answer(judged("comparison", "W0401", "speedup", patch)) is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("on all 128 cores of two EPYC 7763.", {UNDERMINES}),
        ("on all cores of two EPYC 7763; a rented hour costs 3.1 times as much.", {PASS, OPEN}),
        ("on all cores of two EPYC 7763 (400 W against 560 W).", {PASS, OPEN}),
        ("on two EPYC 7763, of which the A100 has 60 times the peak.", {PASS, OPEN}),
    ],
)
def test_the_size_of_two_devices_in_the_sentence(judged, words, expected):
    processor = {
        "name": "2x EPYC 7763", "device": "EPYC 7763", "device_kind": "processor", "host_cores": 128,
        "threads_used": 128, "vectorised": True, "design_power_w": 280, "power_limit_w": 280,
    }  # fmt: skip
    arms = {
        name: {"operations": {"peak_flops": peak, "peak_kind": "dense", "counted": "model"}}
        for name, peak in (("ours", 3.12e14), ("theirs", 5e12))
    }
    patch = {"systems": {"theirs": processor}, "arms": arms} | claim(
        "speedup",
        statement=f"FastLM on one A100 trains 17 times as fast as OtherLM {words}",
        comparator={"device": None},
    )
    assert answer(judged("comparison", "W0402", "speedup", patch)) in expected


# W0502 ---------------------------------------------------------------------------------------------------------------


def evaluated(selection, scope="training_run", **options):
    out = {"evaluation": {"recurs": "per_run", "duration_s": 100, "stated": True}}
    time = {"quantity": "time", "unit": "s", "value": "600", "scope": scope}
    patch = arm(
        "fused",
        measurement={"exclusions": out},
        performance={"run": time},
        quality={"loss": {"selection": selection}},
        options=options,
        target=None,
    )
    return patch | claim("speedup", scope=scope, quantity="time", measured={"metric": "run"})


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (evaluated({"policy": "final", "evaluations": 1}), PASS),
        (evaluated({"policy": "best_on_validation", "evaluations": 1}), CAVEAT),
        (evaluated({"policy": "final", "evaluations": 20}), CAVEAT),
        (evaluated({"policy": "final", "evaluations": 20}, "epoch", epochs=1), PASS),
        (evaluated({"policy": "final", "evaluations": 20}, "epoch"), PASS),
    ],
)
def test_an_evaluation_that_decides_nothing_may_stand_outside(judged, patch, expected):
    assert answer(judged("training-pair", "W0502", "speedup", patch)) is expected


# W0104 ---------------------------------------------------------------------------------------------------------------


def test_two_ways_to_run_a_model_that_print_one_quality(judged):
    quality = {"value": "3.22", "seeds": None, "interval": None, "n": None}
    bare = {"quality": {"loss": quality}, "trials": None}
    patch = {"arms": {"fused": bare, "plain": bare}} | claim("speedup", mode="training")
    assert answer(judged("training-pair", "W0104", "speedup", patch)) is OPEN
    patch["claims"]["speedup"] |= {"mode": "inference", "scope": "request", "quantity": "latency"}
    assert answer(judged("training-pair", "W0104", "speedup", patch)) is PASS


# W0106 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("After 85.0 s the network is trained to 94 %.", UNDERMINES),
        ("It crosses 94 % after 85.0 s; the final accuracy is 93.88 %, below 94 % again.", CAVEAT),
        ("It crosses 94 % after 85.0 s, though the final model does not keep 94 %.", CAVEAT),
        ("94 % is first seen after 85.0 s; final accuracies of 93.9 % fall short of 94 %.", CAVEAT),
    ],
)
def test_a_report_that_says_itself_that_the_target_is_lost(judged, statement, expected):
    curve = [(1474560, 85.0, 0.9402), (1572864, 95.3, 0.9391), (1671168, 100.5, 0.9388)]
    log = [
        {"split": "test", "samples": samples, "time_s": time_s, "examples": 10000, "metrics": {"accuracy": value}}
        for samples, time_s, value in curve
    ]
    trials = {f"s{i}": {"evaluations": log} if i == 1 else None for i in range(1, 6)}
    patch = arm("trained", quality=None, trials=trials) | claim("time", statement=statement)
    assert answer(judged("time-to-accuracy", "W0106", "time", patch)) is expected


# W0203 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("looks", "expected"), [(3, OPEN), (9, UNDERMINES)])
def test_the_best_of_few_looks_may_be_the_one_that_validation_chose(judged, looks, expected):
    def log(best):
        values = [0.93] * (looks - 2) + [best, 0.944]
        return [
            {"split": "test", "samples": k * 1000000, "epoch": k, "examples": 10000, "metrics": {"accuracy": value}}
            for k, value in enumerate(values, start=1)
        ]

    runs = {f"s{i}": {"evaluations": log(0.945 + i / 10000), "final": None} for i in range(1, 4)}
    stated = {"value": "94.52", "seeds": None, "selection": {"policy": "best_on_validation", "evaluations": looks}}
    stated["checkpoint"] = "the epoch that is best on images held out from training"
    patch = arm("trained", quality={"accuracy": stated}, trials=runs | {"s4": None, "s5": None})
    patch |= claim("accuracy", value="94.52")
    assert answer(judged("accuracy", "W0203", "accuracy", patch)) is expected


# W0806 ---------------------------------------------------------------------------------------------------------------


def test_a_quality_is_compared_with_its_namesake_beside_others_of_its_metric(judged):
    same = {"value": "3.05", "split": "test", "examples": 2620, "metric": "loss", "direction": "lower"}
    other = same | {"value": "3.01", "split": "validation", "examples": 5567}
    patch = {name: {"quality": {"test_loss": same, "dev_loss": other, "loss": None}} for name in ("ours", "theirs")}
    patch = {"arms": patch} | claim(
        "speedup",
        statement="FastLM is better.",
        quantity="accuracy",
        metric="loss",
        base={"metric": None},
        measured=None,
        quality={"arm": "ours", "quality": "test_loss"},
    )
    assert answer(judged("comparison", "W0806", "speedup", patch)) in {PASS, OPEN}
    patch["arms"]["theirs"]["quality"]["test_loss"] = same | {"examples": 1310}
    assert judged("comparison", "W0806", "speedup", patch).outcome is FLAW


# W0901 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Training sustains 1.20 PFLOP/s on sequences of 131072 tokens.", UNDERMINES),
        ("Extending the context from 2048 to 131072 tokens sustains 1.20 PFLOP/s.", OUTSIDE),
        ("Long-context training at 131072 tokens sustains 1.20 PFLOP/s.", OUTSIDE),
    ],
)
def test_a_training_for_long_contexts_has_long_examples(judged, statement, expected):
    patch = arm("a", options={"input_length": 131072}) | claim("flops", statement=statement)
    assert answer(judged("training-flops", "W0901", "flops", patch)) is expected


# W1108 ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base_kind", "row_kind", "statement", "expected"),
    [
        ("synthetic", "real", "It runs at 0.91 of the bound, one synthetic batch on the device.", PASS),
        ("synthetic", "real", "It runs at 0.91 of that.", UNDERMINES),
        ("real", "synthetic", "With synthetic data it runs 6.61 times as fast.", UNDERMINES),
    ],
)
def test_a_bound_without_loading_has_no_data_set(judged, base_kind, row_kind, statement, expected):
    synthetic = {"dataset": "random values", "preprocessing": "none"}
    real = {"dataset": "a corpus", "preprocessing": "tokenised while training"}
    kinds = {"n1": base_kind, "n8": row_kind}
    arms = {
        name: {
            "options": synthetic if kind == "synthetic" else real,
            "measurement": {"pipeline": {"kind": kind, "label": kind}},
        }
        for name, kind in kinds.items()
    }
    patch = {"arms": arms} | claim("speedup", statement=statement)
    assert answer(judged("strong-scaling", "W1108", "speedup", patch)) is expected


# M18, M19, M30 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("treatment", "expected"),
    [
        ("card", {PASS, OPEN}),
        ("instance type", {PASS, OPEN}),
        ("server", {PASS, OPEN}),
        ("inference server", {UNDERMINES}),
        ("instance normalisation", {UNDERMINES}),
    ],
)
def test_hardware_by_other_names_may_be_the_treatment(judged, treatment, expected):
    patch = claim("speedup", treatment=[treatment], statement="The newer ones train 1.43 times as fast.")
    patch["systems"] = {
        "old": {"name": "one V100", "device": "V100", "device_kind": "accelerator", "devices_per_node": 1, "nodes": 1}
    }
    patch["arms"] = {"plain": {"system": "old"}}
    assert answer(judged("training-pair", "M18", "speedup", patch)) in expected


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Without stored activations 64 instead of 32 sequences fit: training is 1.43 times as fast.", PASS),
        ("Without stored activations training is 1.43 times as fast.", UNDERMINES),
    ],
)
def test_two_batches_in_the_sentence_by_what_they_hold(judged, statement, expected):
    patch = claim("speedup", statement=statement, treatment=["activation_checkpointing"])
    patch |= arm("fused", options={"global_batch": 64, "micro_batch": 64})
    assert answer(judged("training-pair", "M19", "speedup", patch)) is expected


@pytest.mark.parametrize(("skipped", "expected"), [(None, PASS), (3, UNDERMINES)])
def test_runs_that_are_evaluated_by_the_clock(judged, skipped, expected):
    def log(speed, skip):
        values = (0.81, 0.9, 0.93, 0.9411, 0.9432, 0.9435)
        return [
            {
                "split": "test", "samples": int(400000 * speed * k), "time_s": 20.0 * k + speed, "examples": 10000,
                "metrics": {"accuracy": value},
            }
            for k, value in enumerate(values, start=1)
            if k != skip
        ]  # fmt: skip

    speeds = {"s1": 0.94, "s2": 0.97, "s3": 1.0, "s4": 1.03, "s5": 1.06}
    trials = {name: {"evaluations": log(speed, skipped if name == "s2" else None)} for name, speed in speeds.items()}
    assert answer(judged("time-to-accuracy", "M30", "time", arm("trained", trials=trials))) is expected


# P01, P13, P15 -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("dense-equivalent: zeros that are skipped are counted", OUTSIDE),
        ("counted as the direct convolution, though F(4x4, 3x3) runs", OUTSIDE),
        ("2mnk of the unpruned matrix", OUTSIDE),
        ("2mnk, no causal mask", FLAW),
        ("2mnk, FMA = 2", FLAW),
    ],
)
def test_operations_that_were_not_all_done_are_no_impossible_rate(judged, method, expected):
    fast = {"operations": {"method": method}, "performance": {"time": {"value": "3.040"}}}
    patch = arm("n8192", **fast) | claim("gemm", value="361.7", statement="The product runs at 361.7 TFLOP/s.")
    assert judged("kernel", "P01", "gemm", patch).outcome is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Eight nodes are 9.00 times as fast as one.", FLAW),
        ("Eight nodes are 9.00 times as fast as one, which must offload its optimizer state to the host.", PASS),
        ("9.00 times: activation checkpointing is needed on the single node alone.", PASS),
        ("9.00 times; it is superlinear because one node pages its embedding tables.", PASS),
        ("9.00 times: the rate of the single node is limited by its disk.", PASS),
    ],
)
def test_why_more_devices_can_gain_more_than_their_number(judged, words, expected):
    patch = claim("speedup", statement=words, value="9.00", interval={"low": "8.90", "high": "9.10"})
    assert judged("strong-scaling", "P13", "speedup", patch).outcome is expected
    told = claim("speedup", value="9.00", interval={"low": "8.90", "high": "9.10"})
    told["disclosures"] = [{"topic": "scope_narrower", "quote": words.replace("as one", "as one node")}]
    assert judged("strong-scaling", "P13", "speedup", told).outcome is expected


TWO_FORMATS = {
    "n2048": ("fp32", "4.202"),
    "n4096": ("bf16", "5.202"),
}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The matrix product runs at 261.7 TFLOP/s.", FLAW),
        ("In bf16 the product is slower.", FLAW),
        ("In bf16 the product is slower, since it falls back to a kernel without tensor cores.", PASS),
        ("The bf16 product is 0.81 times as fast: the conversion of its operands is in the clock.", PASS),
    ],
)
def test_a_lower_format_that_is_slower_with_a_reason(judged, statement, expected):
    rows = {
        name: {
            "options": {"model": "g", "precision": {"compute": compute}, "global_batch": 1},
            "values": {"m": "8192", "n": "8192", "k": "8192", "time": time, "rate": "210.0"},
        }
        for name, (compute, time) in TWO_FORMATS.items()
    }
    patch = {"tables": {"gemm": {"rows": rows}}} | claim("gemm", statement=statement)
    assert judged("kernel", "P15", "gemm", patch).outcome is expected


# Whole reports -------------------------------------------------------------------------------------------------------

REPORTS = Path(__file__).parents[3] / "benchmarks" / "data" / "detection" / "bases"
OWN = [
    *("M01", "S15", "W0305", "W0303", "W1108", "W0806", "W0502", "W0106", "W0203", "W0901", "M18", "M19", "M30"),
    *("P01", "P13", "P15"),
]


@pytest.mark.parametrize(
    "name",
    [
        "optimizer-speech-five-seeds",
        "compiler-release-latency",
        "loader-epochs-real-cached-synthetic",
        "kitchen-table-lora",
        "kernel-attention-lengths",
        "pruned-resnet-phone",
    ],
)
def test_careful_reports_of_people_who_know_no_rule(name):
    submission = to_model(check(read(REPORTS / f"{name}.yaml"), "submission").value, Submission)
    found = [item for item in judge(Case(submission), [by_code(code) for code in OWN]) if item.outcome is FLAW]
    assert [(item.code, item.claim, item.branch.message) for item in found] == []
