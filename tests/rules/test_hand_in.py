"""I01, I02, I03, R01, R04, B01, Q22: what was handed in, and whose it is."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.case import Study
from dlaudit.rules.outcome import CAVEAT, REFUTES, Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
REFERENCE = {"manifest": "s"}
CITED = {"manifests": {"s": {"path": "s/manifest.json", "sha256": "0" * 64}}}


def signed(*claims, **references):
    return {
        **CITED,
        "claims": {name: dict.fromkeys(references or ["measured"], REFERENCE) for name in claims},
    }


def study(signature, *problems):
    return {"s": Study("s", None, signature, tuple(problems))}


@pytest.mark.parametrize(
    ("signature", "problems", "outcome"),
    [
        ("trusted", (), PASS),
        ("unlisted", (), PASS),
        ("absent", (), PASS),
        ("invalid", (), VIOLATION),
        ("invalid", ("the digest of trials/t1.samples.json differs",), VIOLATION),
        ("unread", ("no such file",), NOT_APPLICABLE),
    ],
)
def test_signatures(judged, signature, problems, outcome):
    result = judged("rate", "I01", "rate", signed("rate"), studies=study(signature, *problems))
    assert (result.outcome, getattr(result.branch, "effect", None)) == (
        outcome,
        REFUTES if outcome is VIOLATION else None,
    )
    if outcome is VIOLATION:
        assert result.branch.at == "/manifests/s"


def test_an_invalid_study_that_a_claim_does_not_cite(judged):
    assert judged("rate", "I01", "rate", CITED, studies=study("invalid")).outcome is NOT_APPLICABLE


@pytest.mark.parametrize("signature", ["unlisted", "absent", "invalid", "unread"])
def test_only_a_listed_key_counts(judged, signature):
    result = judged("rate", "I02", "rate", signed("rate"), studies=study(signature))
    assert (result.outcome, result.branch.item) == (NOT_SHOWN, "signature under the trust file")
    assert judged("rate", "I02", "rate", signed("rate"), studies=study("trusted")).outcome is PASS


def test_every_side_of_a_ratio_must_be_signed(judged):
    half = signed("speedup")
    assert judged("training-pair", "I02", "speedup", half, studies=study("trusted")).outcome is NOT_SHOWN
    whole = signed("speedup", measured=1, base=1, quality=1)
    assert judged("training-pair", "I02", "speedup", whole, studies=study("trusted")).outcome is PASS
    assert judged("training-pair", "I02", "speedup", whole).outcome is NOT_SHOWN


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        ({"claims": {"rate": {"measured": {"arm": "nowhere"}}}}, NOT_SHOWN),
        ({"arms": {"a": {"options": None}}}, NOT_SHOWN),
        ({"arms": {"a": {"options": None, "option_set": "sha256:" + "0" * 64}}}, PASS),
        ({"arms": {"a": {"performance": None, "trials": None}}}, NOT_SHOWN),
    ],
)
def test_links(judged, patch, outcome):
    assert judged("rate", "I03", "rate", patch).outcome is outcome


def test_a_row_of_an_imported_table_links_itself(judged):
    table = {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": {"r": {"values": {"rate": "2500"}}}}
    patch = {"claims": {"rate": {"measured": None, "row": {"table": "t", "row": "r"}}}, "tables": {"t": table}}
    assert judged("rate", "I03", "rate", patch).outcome is PASS


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ({}, PASS),
        (None, NOT_SHOWN),
        ({"url": None}, NOT_SHOWN),
        ({"commit": None}, VIOLATION),
        ({"commit": "main"}, VIOLATION),
        ({"commit": None, "url": "https://git.example.org/rn50/tree/77aa9c2ab17d02c5d0a3f2b1e04c5d9f2a7b8c1d"}, PASS),
        ({"commit": None, "url": "https://doi.org/10.5281/zenodo.1"}, PASS),
        ({"commit": None, "url": "https://git.example.org/rn50/releases/tag/v1.2"}, PASS),
        ({"commit": None, "url": "https://git.example.org/rn50/tree/main"}, VIOLATION),
    ],
)
def test_code(judged, code, outcome):
    result = judged("rate", "R01", "rate", {"arms": {"a": {"software": {"code": code}}}})
    assert result.outcome is outcome
    if outcome is VIOLATION:
        assert result.branch.effect is CAVEAT


@pytest.mark.parametrize(
    ("patch", "outcome"),
    [
        ({}, PASS),
        ({"arms": {"plain": {"trials": None}}}, NOT_SHOWN),
        ({"arms": {"fused": {"trials": None}}}, NOT_SHOWN),
        ({"claims": {"speedup": {"base": None}}}, NOT_SHOWN),
    ],
)
def test_raw_values_of_both_sides(judged, patch, outcome):
    assert judged("training-pair", "R04", "speedup", patch).outcome is outcome


def test_an_empty_column_holds_no_raw_values(judged):
    empty = {"a": {"trials": {f"t{i}": {"samples": {"step_time_s": []}} for i in range(1, 6)}}}
    assert judged("rate", "R04", "rate", {"arms": empty}).outcome is NOT_SHOWN


def test_evaluations_are_no_raw_values_of_a_rate(judged):
    log = [{"split": "test", "samples": 1000, "time_s": 9.1, "metrics": {"loss": 3.2}}]
    trained = {"s1": {"kind": "convergence", "outcome": "completed", "evaluations": log}}
    trials = {f"t{i}": None for i in range(1, 6)} | trained
    assert judged("rate", "R04", "rate", {"arms": {"a": {"trials": trials}}}).outcome is NOT_SHOWN


def test_what_feeds_a_run_that_waits_for_data(judged):
    waits = {"measurement": {"pipeline": {"kind": "real", "data_wait_share": 0.2}}}
    bare = {"systems": {"node": {"storage": None}}, "arms": {"a": waits}}
    result = judged("rate", "R02", "rate", bare)
    assert (result.outcome, result.branch.item, "storage" in result.branch.message) == (NOT_SHOWN, "", True)
    told = {"systems": {"node": {"storage": "local NVMe", "host_processor": "EPYC 7763"}}, "arms": {"a": waits}}
    assert judged("rate", "R02", "rate", told).outcome is PASS


def test_raw_values_in_a_signed_study_count(judged):
    value = base("rate")
    record = to_model(
        {
            "dlaudit": "study/1",
            "tool": {"name": "dlaudit", "version": "1"},
            "libraries": {},
            "study": {
                **dict.fromkeys(("id", "title", "spec", "started", "ended"), "s"),
                "spec_sha256": "0" * 64,
                "complete": True,
            },
            "systems": value["systems"],
            "arms": value["arms"],
            "plan": [],
        },
        Predicate,
        "s:",
    )
    cited = {"s": Study("s", record, "trusted")}
    result = judged("rate", "R04", "rate", {**signed("rate"), "arms": None}, studies=cited)
    assert result.outcome is PASS


def figure(**changes):
    known = {"caption": "c", "kind": "bar", "axis_start": 0, "connects_categories": False, "intervals_drawn": True}
    return {"figures": {"f": {**known, "arms": ["a"], **changes}}}


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, PASS),
        ({"axis_start": 2400}, VIOLATION),
        ({"axis_start": 2400, "log_axis": True}, PASS),
        ({"axis_start": 2400, "kind": "line"}, PASS),
        ({"connects_categories": True}, VIOLATION),
        ({"axis_start": None}, NOT_APPLICABLE),
        ({"kind": None}, NOT_APPLICABLE),
        ({"intervals_drawn": False}, NOT_APPLICABLE),
        ({"axis_start": 2400, "arms": ["other"]}, NOT_APPLICABLE),
        ({"axis_start": 2400, "arms": None}, VIOLATION),
    ],
)
def test_figures(judged, changes, outcome):
    assert judged("rate", "B01", "rate", figure(**changes)).outcome is outcome


@pytest.mark.parametrize(("low", "outcome"), [("2300", VIOLATION), ("2480", PASS)])
def test_a_scatter_that_is_not_drawn(judged, low, outcome):
    interval = {"a": {"performance": {"rate": {"interval": {"low": low, "high": "2520"}}}}}
    assert judged("rate", "B01", "rate", {**figure(intervals_drawn=False), "arms": interval}).outcome is outcome


FULL = {"organisation": "Example Lab", "benchmark": "ResNet-50", "round": "v4.1", "system": "8x A100"}


@pytest.mark.parametrize(
    ("claim", "missing"),
    [
        ({"suite_result": FULL}, ""),
        ({"suite_result": {**FULL, "organisation": None}}, "organisation"),
        ({"suite_result": {**FULL, "round": None}}, "version or round"),
        ({"suite_result": {**FULL, "benchmark": None}}, "benchmark"),
        ({"suite_result": {**FULL, "benchmark": None, "division": "closed"}}, ""),
        ({"suite_result": {**FULL, "benchmark": None}, "division": "closed"}, ""),
        ({}, "organisation, benchmark, version or round, system"),
    ],
)
def test_quoted_suite_results(judged, claim, missing):
    result = judged("rate", "Q22", "rate", {"claims": {"rate": {"suite": "training", **claim}}})
    assert result.outcome is (NOT_SHOWN if missing else PASS)
    assert not missing or missing in result.branch.message


@pytest.mark.parametrize(
    ("axis", "batch", "outcome"),
    [("iterations", 2048, VIOLATION), ("samples", 2048, NOT_APPLICABLE), ("iterations", 1024, NOT_APPLICABLE)],
)
def test_curves_of_different_batches_over_iterations(judged, axis, batch, outcome):
    drawn = {
        "caption": "Loss",
        "kind": "line",
        "connects_categories": False,
        "x_axis": axis,
        "arms": ["fused", "plain"],
    }
    options = {"fused": {"options": {"global_batch": 1024}}, "plain": {"options": {"global_batch": batch}}}
    assert judged("training-pair", "B01", "speedup", {"figures": {"f1": drawn}, "arms": options}).outcome is outcome


@pytest.mark.parametrize("code", ["R02", "R04", "R05", "R06"])
def test_a_quality_is_linked_to_its_arm(judged, code):
    claim = {"measured": None, "row": None, "quality": {"arm": "trained", "quality": "accuracy"}}
    claim |= {"quantity": "accuracy", "unit": None, "value": "0.9450", "target": None, "criterion": None}
    assert judged("time-to-accuracy", code, "time", {"claims": {"time": claim}}).outcome is PASS
