"""Reports that look suspicious and are not: no rule on options, work, scaling, comparison or hand-in accuses them."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

CODES = (
    *("W0801", "W0803", "W0804", "W0805", "W0806", "W0807", "W0901", "W0903", "W0904", "W1001", "W1102", "W1106"),
    *("W1108", "W1202", "W1203", "W1204", "W1205", "W1206", "R02", "R05", "R06", "R07", "R10", "R12", "I04"),
)
NO_PLAIN_RUNS = {f"s{index}": None for index in range(1, 6)}


def outcomes(name, patch, codes=CODES):
    value = merge_patch(base(name), patch)
    assert not validate("submission", value), validate("submission", value)
    found = judge(Case(to_model(value, Submission)), [by_code(code) for code in codes])
    return {(result.code, result.claim): result for result in found}


LAYOUT = {"options": {"micro_batch": 64, "accumulation": 4, "data_parallel": 32}}
TARGET_AT_LARGE_BATCH = {
    "arms": {"n8": {"options": {"global_batch": 65536, "accumulation": 8}}},
    "tables": {"nodes": {"label": "weak", "rows": {"r8": {"options": {"global_batch": 65536, "accumulation": 8}}}}},
    "claims": {
        "speedup": {"label": "weak", "statement": "Eight nodes give 6.62 times the throughput (weak scaling)."},
        "efficiency": {"label": "weak"},
    },
}
THREE_TIMES_FASTER = {
    "claims": {"best": {"statement": "FastLM is the fastest trainer in this comparison."}},
    "tables": {"systems": {"rows": {"theirs": {"values": {"rate": "103900", "loss": "3.04"}}}}},
    "arms": {"theirs": {"quality": {"loss": {"value": "3.04"}}}},
}
WINDOWS = {
    "tables": {"nodes": {"rows": {name: {"wall_s": 600} for name in ("r1", "r2", "r4", "r8")}}},
}
MEAN_OVER_RUNS = {
    "claims": {"time": {"criterion": "mean", "target": {"criterion": "mean"}, "statistic": "mean"}},
    "arms": {
        "trained": {
            "target": {"criterion": "mean"},
            "trials": {
                name: {"evaluations": [{"split": "test", "samples": 1966080, "metrics": {"accuracy": 0.939}}],
                       "crossing": None, "final": {"accuracy": "0.939"}}
                for name in ("s1", "s2")
            },
        }
    },
}  # fmt: skip
TUNING = {
    "arms": {
        "trained": {
            "label": "tuning runs over the peak rate",
            "trials": {name: {"outcome": "diverged", "evaluations": None, "crossing": None, "final": None}
                       for name in ("s1", "s2", "s3")},
        }
    },
}  # fmt: skip
UNLABELLED = {
    "tables": {"nodes": {"label": None}},
    "claims": {"speedup": {"label": None}, "efficiency": {"label": None}},
}
HARDWARE_TABLE = {
    "claims": {
        name: {"purpose": "hardware_throughput", "quality": None, "label": None, "attribution": None}
        for name in ("speedup", "efficiency")
    },
    "arms": {"n8": {"quality": None, "target": None, "trials": NO_PLAIN_RUNS}},
    "tables": {"nodes": {"label": "weak", "rows": {
        name: {"options": {"global_batch": 1024 * size, "accumulation": 1}}
        for name, size in (("r1", 1), ("r2", 2), ("r4", 4), ("r8", 8))
    }}},
}  # fmt: skip
REPLICAS = {
    "claims": {
        "speedup": None,
        "efficiency": {"mode": "inference", "scope": "serving_window", "replicated": True,
                       "purpose": "hardware_throughput", "label": None},
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "patch"),
    [
        pytest.param(
            "strong-scaling", {"tables": {"nodes": {"rows": {"r8": LAYOUT}}}}, id="another layout of one batch"
        ),
        pytest.param("strong-scaling", TARGET_AT_LARGE_BATCH, id="target reached at a large batch with unchanged rate"),
        pytest.param("comparison", THREE_TIMES_FASTER, id="a little worse and three times as fast"),
        pytest.param("strong-scaling", WINDOWS, id="windows of 600 s at several device counts"),
        pytest.param("time-to-accuracy", MEAN_OVER_RUNS, id="a mean over runs of which some miss"),
        pytest.param("time-to-accuracy", TUNING, id="tuning runs that miss the target"),
        pytest.param("strong-scaling", UNLABELLED, id="scaling without a label at a constant batch"),
        pytest.param("strong-scaling", HARDWARE_TABLE, id="a table of throughput"),
        pytest.param("strong-scaling", REPLICAS, id="replicas of a service"),
    ],
)
def test_no_rule_accuses(name, patch):
    for key, result in outcomes(name, patch).items():
        assert result.outcome not in {Outcome.VIOLATION, Outcome.ERROR}, (key, result)


@pytest.mark.parametrize(("patch", "code"), [(MEAN_OVER_RUNS, "R07"), (TUNING, "R07")])
def test_runs_that_are_judged_together_or_searched_are_outside(patch, code):
    assert outcomes("time-to-accuracy", patch, (code,))[code, "time"].outcome is Outcome.NOT_APPLICABLE


def test_a_table_of_throughput_holds_no_pair_and_no_recipe():
    found = outcomes("strong-scaling", HARDWARE_TABLE)
    for claim in ("speedup", "efficiency"):
        assert found["W0803", claim].outcome is Outcome.NOT_APPLICABLE
        assert found["W1102", claim].outcome in {Outcome.NOT_APPLICABLE, Outcome.PASS}


def test_replicas_scale_nothing():
    found = outcomes("strong-scaling", REPLICAS)
    for code in ("W1102", "W1106"):
        assert found[code, "efficiency"].outcome is Outcome.NOT_APPLICABLE
