"""Series over devices: what holds for many of their rules."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.patches import both
from support.quality import SPEEDUP
from support.scaling import RUNS, rows


def arms(**options):
    return {"arms": {name: {"options": dict(options)} for name in ("n1", "n2", "n4", "n8")}}


def test_words_for_formats_that_are_none_do_not_accuse(judged):
    patch = rows(r8={"options": {"precision": {"compute": "mixed"}}})
    for code in ("W0101", "W1004"):
        assert judged("strong-scaling", code, "efficiency", patch).outcome is not Outcome.VIOLATION


def test_rows_of_another_model_are_not_this_series(judged):
    other = {"label": "BERT", "devices": 1024, "options": {"model": "BERT-large", "global_batch": 65536}, "values": {}}
    patch = both(rows(bert=other), arms())
    for code in ("W0101", "W1004", "W1101", "W1107"):
        assert judged("strong-scaling", code, "efficiency", patch).outcome is Outcome.PASS, code


@pytest.mark.parametrize("code", ["W0101", "W1101", "W1107", "W1004"])
def test_replicas_of_an_inference_service_are_outside(judged, code):
    patch = {"claims": {"efficiency": {"mode": "inference", "scope": "serving_window", "replicated": True}}}
    assert judged("strong-scaling", code, "efficiency", patch).outcome is Outcome.NOT_APPLICABLE


LARGER = {"tables": {"nodes": {"rows": {"r8": {"options": {"global_batch": 16384, "accumulation": 2}}}}}}


def test_without_the_runs_the_finding_moves_to_w0101_and_w1107(judged):
    gone = {"arms": {"n8": {"target": None, "quality": None, "trials": dict.fromkeys(RUNS)}}}
    patch = {**LARGER, **gone}
    assert judged("strong-scaling", "W1004", "speedup", patch).outcome is Outcome.NOT_APPLICABLE
    for code in ("W0101", "W1107"):
        assert judged("strong-scaling", code, "speedup", patch).outcome is Outcome.NOT_SHOWN


def test_a_point_with_runs_of_its_own_borrows_nothing(judged):
    patch = {"claims": {"speedup": {"statement": f"{SPEEDUP}, accuracy 0.7612."}}}
    for code in ("W0101", "W1004"):
        assert judged("strong-scaling", code, "speedup", patch).outcome is not Outcome.NOT_SHOWN
