"""W1101, scaling-mode-undeclared-or-wrong."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.scaling import NAMES, batches, unknown

UNNAMED = "Eight nodes train 6.61x faster than one."
"""A sentence that names no kind of scaling."""


@pytest.mark.parametrize(
    ("label", "sizes", "violated"),
    [
        ("strong", (8192, 8192, 8192, 8192), False),
        ("strong", (8192, 8192, 8192, 8270), False),
        ("strong", (8192, 8192, 8192, 8280), True),
        ("weak", (1024, 2048, 4096, 8192), False),
        ("weak", (1024, 2048, 4096, 8000), True),
        ("weak", (8192, 8192, 8192, 8192), True),
        ("mixed", (1024, 2048, 4096, 4096), False),
    ],
)
def test_labels_against_batches(judged, label, sizes, violated):
    result = judged("strong-scaling", "W1101", "speedup", batches(*sizes, label=label))
    assert result.outcome is (Outcome.VIOLATION if violated else Outcome.PASS)
    if violated:
        assert (result.branch.branch, result.branch.effect) == ("a", UNDERMINES)


@pytest.mark.parametrize(
    ("sizes", "mode"),
    [
        ((8192, 8192, 8192, 8192), "strong"),
        ((1024, 2048, 4096, 8192), "weak"),
        ((1024, 2048, 2048, 2048), "mixed"),
    ],
)
def test_without_a_label_the_mode_is_inferred(judged, sizes, mode):
    patch = batches(*sizes, label=None, statement=UNNAMED)
    patch["tables"]["nodes"]["caption"] = UNNAMED
    result = judged("strong-scaling", "W1101", "speedup", patch)
    assert (result.branch.branch, result.branch.effect, result.branch.recomputed) == ("b", CAVEAT, mode)
    assert f"inferred {mode}" in result.branch.message


def test_the_claims_label_goes_before_the_tables(judged):
    patch = batches(1024, 2048, 4096, 8192, label="strong", claim_label="weak")
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.PASS


def test_without_label_and_batches_the_mode_is_not_shown(judged):
    patch = unknown("r4", "r8")
    patch["tables"]["nodes"] |= {"label": None, "caption": UNNAMED}
    patch["claims"] = {"speedup": {"label": None, "statement": UNNAMED}}
    result = judged("strong-scaling", "W1101", "speedup", patch)
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "scaling label or global batch")


def test_with_a_label_unknown_batches_decide_nothing(judged):
    result = judged("strong-scaling", "W1101", "speedup", unknown(*NAMES))
    assert (result.outcome, result.branch.item) == (Outcome.NOT_SHOWN, "")


def test_accumulation_is_never_assumed(judged):
    """Micro batch and data-parallel size alone give no global batch."""
    options = {"global_batch": None, "accumulation": None, "micro_batch": 128, "data_parallel": 64}
    arms = {name: {"options": {"global_batch": None, "accumulation": None}} for name in ("n1", "n2", "n4", "n8")}
    rows = {name: {"options": options} for name in NAMES}
    patch = {"arms": arms, "tables": {"nodes": {"label": None, "rows": rows}}, "claims": {"speedup": {"label": None}}}
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_accumulation_gives_the_global_batch(judged):
    def row(accumulation, data_parallel):
        given = {"micro_batch": 128, "accumulation": accumulation, "data_parallel": data_parallel}
        return {"options": {"global_batch": None, **given}}

    arms = {name: {"options": {"global_batch": None}} for name in ("n1", "n2", "n4", "n8")}
    rows = {"r1": row(8, 8), "r2": row(8, 16), "r4": row(8, 32), "r8": row(8, 64)}
    patch = {"arms": arms, "tables": {"nodes": {"rows": rows}}}
    result = judged("strong-scaling", "W1101", "speedup", patch)
    assert (result.branch.effect, "8192 at 8 devices and 65536 at 64" in result.branch.message) == (UNDERMINES, True)


def test_two_series_in_one_table_are_two_series(judged):
    """Batch 8192 and 16384, each at two device counts."""
    extra = {"label": "large", "devices": 8, "options": {"global_batch": 16384}}
    more = {"label": "large", "devices": 64, "options": {"global_batch": 16384}}
    patch = {"tables": {"nodes": {"rows": {"x1": extra, "x8": more}}}}
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.PASS


def test_a_model_that_grows_is_not_judged_by_its_batch(judged):
    rows = {name: {"parameters": 1e9 * 2**i} for i, name in enumerate(NAMES)}
    patch = {"tables": {"nodes": {"rows": rows, "label": "weak"}}, "claims": {"speedup": {"label": "weak"}}}
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is not Outcome.VIOLATION


PEAK = {"value": "312", "unit": "TFLOP/s", "definition": "data-sheet peak", "devices": 1, "arm": None, "metric": None}


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"quantity": "mfu", "base": PEAK}, Outcome.NOT_APPLICABLE),
        ({"quantity": "mfu", "base": None}, Outcome.NOT_APPLICABLE),
        ({"quantity": "flops", "base": PEAK}, Outcome.NOT_APPLICABLE),
        ({"quantity": "rate", "base": PEAK}, Outcome.NOT_APPLICABLE),
        ({"quantity": "rate", "base": {**PEAK, "devices": 8}}, Outcome.NOT_SHOWN),
        ({"quantity": "rate", "base": {**PEAK, "devices": None}}, Outcome.NOT_SHOWN),
        ({"quantity": "rate", "base": None}, Outcome.NOT_SHOWN),
        ({"quantity": "rate", "base": PEAK, "points": 4}, Outcome.NOT_SHOWN),
    ],
)
def test_the_share_of_a_peak_is_no_scaling(judged, claim, outcome):
    efficiency = {"form": "efficiency", "value": "39.9", "unit": "%", **claim}
    patch = {"claims": {"speedup": efficiency}, "arms": {"fused": {"devices": 1, "options": {"devices": None}}}}
    assert judged("training-pair", "W1101", "speedup", patch).outcome is outcome


@pytest.mark.parametrize(
    ("statement", "question"),
    [
        ("64 GPUs reach 82.7 % of eight times the throughput of 8 GPUs.", True),
        ("The parallel efficiency on eight nodes is 82.7 %.", False),
    ],
)
def test_an_efficiency_per_device_that_says_its_sizes_is_asked(judged, statement, question):
    claim = {"statement": statement, "purpose": "hardware_throughput", "label": None, "target": None, "row": None}
    points = {"measured": {"arm": "n8"}, "base": {"arm": "n1", "metric": None, "value": None}}
    arms = {name: {"options": None, "target": None} for name in ("n1", "n2", "n4", "n8")}
    patch = {"claims": {"efficiency": {**claim, **points}}, "arms": arms, "tables": None}
    assert judged("strong-scaling", "W1101", "efficiency", patch).branch.question is question


def test_one_point_of_a_table_says_nothing_of_scaling(judged):
    absolute = {"form": "absolute", "unit": "samples/s", "value": "6610", "statement": "64 GPUs train 6610 samples/s."}
    patch = batches(1024, 2048, 4096, 8192, label=None, **absolute)
    patch["tables"]["nodes"]["caption"] = UNNAMED
    assert judged("strong-scaling", "W1101", "speedup", patch).outcome is Outcome.NOT_APPLICABLE
