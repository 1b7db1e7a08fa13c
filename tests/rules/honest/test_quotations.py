"""Quotations of suite results in many wordings: no rule accuses honest ones, the fitting one accuses doctored ones."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome, Violation
from dlaudit.rules.required import requirements
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate
from msgspec import to_builtins

QUOTING = ("Q06", "Q08", "Q16", "Q22", "Q23", "Q24", "Q25", "Q26", "Q27", "Q28", "Q30", "F20", "F28")
FOOTNOTE = (
    "MLPerf {} closed, entry {}, mlcommons.org, 1 July 2025. Result verified by MLCommons Association. A trademark."
)


def entry(part="Training", number="5.0-0031", **fields):
    """Return the identity of a published result."""
    of_part = {"Training": {"benchmark": "llama2_70b_lora"}, "Inference": {"benchmark": "llama2-70b-99"}}[part]
    scenario = {"scenario": "Offline"} if part == "Inference" else {}
    return {
        "organisation": "Fjord Compute",
        "round": f"v{number.split('-')[0]}",
        "division": "closed",
        "system": "FC-880 (8x H100)",
        "devices": 8,
        "verified": True,
        "id": number,
        "category": "available",
        "footnote": FOOTNOTE.format(part, number),
        **of_part,
        **scenario,
        **fields,
    }


def document(claim, part="Training", metric=None):
    """Return a publication with one claim on one arm of eight devices."""
    training = part == "Training"
    quantity, unit, value = ("time", "min", "28.412") if training else ("rate", "tokens/s", "35142.6")
    scope = "training_run" if training else "serving_window"
    n = {"n": {"unit": "training_run", "completed": 10}} if training else {}
    common = {
        "value": value,
        "unit": unit,
        "quantity": quantity,
        "form": "absolute",
        "scope": scope,
        "mode": part.casefold(),
        "compares": "none",
        "suite": part.casefold(),
        "division": "closed",
        "work": "tokens",
        "measured": {"arm": "a", "metric": "score"},
        "suite_result": entry(part, "5.0-0031" if training else "5.1-0069"),
    }
    score = {"quantity": quantity, "value": value, "unit": unit, "scope": scope, **n}
    value = {
        "dlaudit": "submission/1",
        "title": "Results of one FC-880",
        "coverage": "full",
        "publication": {"where": "https://example.org/results", "date": "2026-01-05", "authors": "Fjord Compute"},
        "claims": {"c": common},
        "arms": {"a": {"devices": 8, "performance": {"score": merge_patch(score, metric or {})}}},
    }
    value = merge_patch(value, {"claims": {"c": claim}})
    assert not validate("submission", value), validate("submission", value)
    return Case(to_model(value, Submission))


def accused(case, codes=QUOTING):
    """Return code, branch and effect of every violation."""
    results = judge(case, [by_code(code) for code in codes], ["c"])
    return [(found.code, found.branch.branch, found.branch.effect) for found in results if _is_violation(found)]


def _is_violation(result):
    return result.outcome is Outcome.VIOLATION and isinstance(result.branch, Violation)


def against(statement, value="1.09", own=None, **other):
    """Return a claim of a ratio of the result and another one of the same round."""
    return {
        "statement": statement,
        "value": value,
        "unit": "x",
        "form": "ratio",
        "basis": "derived",
        "compares": "other_system",
        "suite_result": own or {},
        "base": {"value": "30.877", "unit": "min", "devices": 8},
        "comparator": {
            "name": "T4",
            "suite": "training",
            "suite_result": entry(number="5.0-0058", organisation="Tarn Works", system="T4 (8x H200)") | other,
        },
    }


BOTH = "28.412 min are 1.09 times faster than the 30.877 min of Tarn Works (5.0-0058);"
HONEST_RATIOS = [
    f"{BOTH} both MLPerf Training v5.0, closed, verified by MLCommons Association. "
    "The ratio is derived from the two official times.",
    f"{BOTH} results verified by MLCommons Association.",
    f"{BOTH} the factor is the quotient of the official MLPerf scores, calculated by us.",
    "Entry 5.0-0031 (verified by MLCommons Association) is 1.09x as fast as entry 5.0-0058, verified by MLCommons "
    "Association. The factor is derived.",
    "Derived from verified entries 5.0-0031 and 5.0-0058: 1.09x.",
    "The ratio of 1.09 is ours; it is computed from their verified MLPerf Training v5.0 times.",
    f"{BOTH} the ratio of the two results that are verified by MLCommons is derived and not official.",
    "All times are official results verified by MLCommons; 1.09x is derived from them.",
]


@pytest.mark.parametrize("statement", HONEST_RATIOS)
def test_honest_ratios_of_verified_results(statement):
    assert accused(document(against(statement))) == []


DOCTORED_RATIOS = [
    ("An official 1.09x over Tarn Works.", {}, {}, ("Q30", "a", UNDERMINES)),
    ("The derived ratio of 1.09 is verified by MLCommons Association.", {}, {}, ("Q30", "a", UNDERMINES)),
    ("1.09x, a verified factor, derived from two results.", {}, {}, ("Q30", "a", UNDERMINES)),
    (f"{BOTH} both MLPerf Training.", {"round": "v4.1", "id": "4.1-0058"}, {}, ("Q27", "a", UNDERMINES)),
    (
        "28.412 min (entry 5.0-0031) against 30.877 min (entry 4.1-0058) is 1.09x; both MLPerf Training.",
        {"round": "v4.1", "id": "4.1-0058"},
        {},
        ("Q27", "b", CAVEAT),
    ),
    (f"{BOTH} both verified by MLCommons.", {"verified": False, "id": None}, {}, ("Q27", "a", UNDERMINES)),
    (f"{BOTH} Tarn Works trained RetinaNet.", {"benchmark": "RetinaNet"}, {}, ("Q25", "a", REFUTES)),
    (f"{BOTH} an open-source stack, closed division.", {"division": "open"}, {}, ("Q28", "a", UNDERMINES)),
    (f"{BOTH} both verified by MLCommons.", {}, {"verified": False}, ("Q24", "a", UNDERMINES)),
]


@pytest.mark.parametrize(("statement", "other", "own", "found"), DOCTORED_RATIOS)
def test_doctored_ratios(statement, other, own, found):
    assert found in accused(document(against(statement, own=own, **other)))


@pytest.mark.parametrize(
    ("statement", "other"),
    [
        (
            "MLPerf Training v5.0, 28.412 min, is 1.09x faster than 30.877 min in v4.1.",
            {"round": "v4.1", "id": "4.1-0058"},
        ),
        ("28.412 min in v5.0, 1.09x faster than the unverified 30.877 min of T4.", {"verified": False, "id": None}),
        ("1.09x faster than in our own runs on a T4; only the FC-880's is verified.", {"verified": False, "id": None}),
        ("1.09x faster than T4, which has never been verified.", {"verified": False, "id": None}),
        ("Of the closed and the open division: 1.09x, since the open entry prunes.", {"division": "open"}),
        ("1.09x", {"benchmark": "Llama 2 70B LoRA"}),
    ],
)
def test_differences_that_are_said(statement, other):
    assert accused(document(against(statement, **other))) == []


PER = {"basis": "derived", "value": "4392.8", "unit": "tokens/s/accelerator"}
HONEST_EACH = [
    ("Divided by its 8 accelerators, the Offline result is 4392.8 tokens/s per accelerator; derived.", {}),
    ("Divided by its 8 accelerators, the Offline result is 4392.8 tokens/s; derived.", {"unit": "tokens/s"}),
    ("4,392.8 tokens/s for each GPU, calculated from the verified Offline result.", {"unit": "tokens/s per GPU"}),
    ("Derived: 4.3928 ktokens/s/GPU, our own quotient.", {"unit": "ktokens/s/GPU", "value": "4.3928"}),
    (
        "Per card we computed 4393 tokens/s (derived, not an official metric).",
        {"unit": "tokens/s/card", "value": "4393"},
    ),
    ("About 4400 tokens/s per chip, derived by us.", {"unit": "tokens/s/chip", "value": "4400", "qualifier": "about"}),
    ("The official result of entry 5.1-0069, divided by 8: 4392.8 tokens/s per device.", {"unit": "tokens/s/device"}),
]


@pytest.mark.parametrize(("statement", "fields"), HONEST_EACH)
def test_honest_numbers_per_device(statement, fields):
    assert accused(document(PER | {"statement": statement} | fields, "Inference")) == []


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"value": "4932.8"}, ("F20", "a", REFUTES)),
        ({"value": "4932.8", "unit": "tokens/s per accelerator"}, ("F20", "a", REFUTES)),
        ({"value": "4932.8", "unit": "tokens/s/card"}, ("F20", "a", REFUTES)),
        ({"value": "4.9328", "unit": "ktokens/s/GPU"}, ("F20", "a", REFUTES)),
        ({"value": "8785.7", "unit": "tokens/s"}, ("F20", "a", REFUTES)),
        ({"value": "35142.6"}, ("F20", "a", REFUTES)),
    ],
)
def test_doctored_numbers_per_device(fields, found):
    value = (PER | fields)["value"]
    statement = f"Divided by its 8 accelerators, {value} tokens/s per accelerator in Offline; derived."
    assert found in accused(document(PER | fields | {"statement": statement}, "Inference"))


def test_a_derived_number_without_a_derivation_is_its_metric():
    claim = {"basis": "derived", "value": "4392.8", "statement": "A derived result, Offline: 4392.8 tokens/s."}
    assert ("F28", "a", UNDERMINES) in accused(document(claim, "Inference"))


def test_two_counts_of_devices_divide_nothing():
    claim = PER | {
        "value": "2196.4",
        "statement": "2196.4 tokens/s per accelerator, derived.",
        "suite_result": {"devices": 16},
    }
    assert accused(document(claim, "Inference"), ("F20",)) == []


@pytest.mark.parametrize(
    "statement",
    [
        "28.412 min with the official reference code (unverified; Result not verified by MLCommons Association.)",
        "28.412 min. Result not verified by MLCommons Association. The target is that of the official rules.",
        "28.412 min; this result has not been reviewed. Result not verified by MLCommons Association (unverified).",
    ],
)
@pytest.mark.parametrize("number", [None, "5.0-0031"])
def test_unverified_results_beside_official_things(statement, number):
    result = {"verified": False, "id": number, "footnote": None}
    assert accused(document({"statement": statement, "suite_result": result})) == []


@pytest.mark.parametrize(
    ("statement", "footnote"),
    [
        ("28.412 min (entry 5.0-0031, verified by MLCommons Association).", None),
        ("28.412 min, an official result.", None),
        ("28.412 min.", FOOTNOTE.format("Training v5.0", "5.0-0031")),
    ],
)
def test_an_unverified_entry_that_is_called_verified(statement, footnote):
    result = {"verified": False, "footnote": footnote}
    assert accused(document({"statement": statement, "suite_result": result})) == [("Q24", "a", UNDERMINES)]


@pytest.mark.parametrize(
    ("statement", "statistic", "found"),
    [
        ("FC-880: 28.412 min.", "min", [("Q08", "b", UNDERMINES)]),
        ("FC-880: 28.412 min.", "best_of", [("Q08", "b", UNDERMINES)]),
        ("FC-880: 28.412 min.", "median", [("Q08", "b", UNDERMINES)]),
        ("The fastest of our ten runs took 28.412 min.", "min", []),
        ("FC-880: 28.412 min.", "mean", []),
        ("FC-880: 28.412 min.", "trimmed_mean", []),
        ("FC-880: 28.412 min.", "unspecified", []),
    ],
)
def test_which_of_several_runs_the_result_is(statement, statistic, found):
    claim = {"statement": statement, "statistic": statistic}
    assert accused(document(claim, metric={"statistic": statistic})) == found


@pytest.mark.parametrize(
    ("statement", "scenario", "missing"),
    [
        ("35142.6 tokens/s on an XL-8.", None, True),
        ("35142.6 tokens/s on an XL-8.", "Offline", False),
        ("35142.6 tokens/s offline on an XL-8.", None, False),
        ("35142.6 tokens/s on our server XL-8.", None, True),
        ("35142.6 tokens/s in the server scenario.", None, False),
        ("llama2-70b-99, Server: 35142.6 tokens/s.", None, False),
        ("35142.6 tokens/s, multi-stream.", None, False),
    ],
)
def test_an_inference_result_is_one_of_a_scenario(statement, scenario, missing):
    case = document({"statement": statement, "suite_result": {"scenario": scenario}}, "Inference")
    (found,) = judge(case, [by_code("Q22")], ["c"])
    assert found.outcome is (Outcome.NOT_SHOWN if missing else Outcome.PASS)
    assert not missing or found.branch.lacking == "scenario"


@pytest.mark.parametrize(
    ("bound", "division", "found"),
    [
        ({"value": "2000", "unit": "ms", "percentile": "99", "part": "first_token"}, "closed", []),
        ({"value": "2", "unit": "s", "percentile": "99.9", "part": "first_token"}, "closed", []),
        ({"value": "200", "unit": "ms", "part": "per_output_token"}, "closed", []),
        ({"value": "60", "unit": "s", "percentile": "90"}, "closed", []),
        (
            {"value": "2000", "unit": "ms", "percentile": "90", "part": "first_token"},
            "closed",
            [("Q16", "b", UNDERMINES)],
        ),
        (
            {"value": "4.5", "unit": "s", "percentile": "99", "part": "first_token"},
            "closed",
            [("Q16", "b", UNDERMINES)],
        ),
        ({"value": "2000", "unit": "ms", "percentile": "90", "part": "first_token"}, "open", []),
    ],
)
def test_the_bound_that_a_quotation_states(bound, division, found):
    result = {"scenario": "Server", "division": division}
    claim = {"statement": "Server: 35142.6 tokens/s.", "latency_bound": bound, "suite_result": result}
    claim["purpose"] = "serving_objective"
    assert accused(document(claim, "Inference"), ("Q16",)) == found


WITHHELD = [
    ({}, False),
    ({"suite_result": {"verified": False}}, True),
    ({"suite_result": {"verified": None}}, True),
    ({"suite_result": {"id": None}}, True),
    ({"suite_result": {"id": "number 69"}}, True),
    ({"suite_result": {"id": "5.0-0069"}}, True),
]


@pytest.mark.parametrize(("claim", "required"), WITHHELD)
@pytest.mark.parametrize("code", ["M04", "R13", "Q14", "Q17", "Q18"])
def test_what_a_quotation_of_a_verified_entry_owes(claim, required, code):
    case = document({"statement": "Offline: 35142.6 tokens/s."} | claim, "Inference")
    (quoted,) = case.submission.claims.values()
    assert bool(requirements(code, quoted, case)) is required
    assert requirements("Q22", quoted, case)


def test_a_result_with_its_logs_owes_all_evidence():
    verified = {"verified": True, "id": "5.0-0042"}
    value = merge_patch(base("suite-inference"), {"claims": {"offline": {"suite_result": verified}}})
    case = Case(to_model(value, Submission))
    assert requirements("M04", case.submission.claims["offline"], case)


@pytest.mark.parametrize(
    ("value", "found"),
    [("4392.8", []), ("4393", []), ("35142.6", []), ("4932.8", [("F28", "a", UNDERMINES)])],
)
def test_a_measured_number_of_each_device(value, found):
    statement = f"Offline: {value} tokens/s on each GPU." if value != "35142.6" else "Offline: 35142.6 tokens/s."
    claim = {"basis": "measured", "unit": "tokens/s", "value": value, "statement": statement}
    assert accused(document(claim, "Inference"), ("F20", "F28")) == found


@pytest.mark.parametrize(
    ("coverage", "label", "found"),
    [
        ("excerpt", "v4.1, 8 GPUs", []),
        ("excerpt", "the older one", [("Q27", "a", UNDERMINES)]),
        (
            "full",
            "v4.1, 8 GPUs",
            [("Q27", "a", UNDERMINES)],
        ),  # a label of the document, which is not what was published
    ],
)
def test_heads_of_a_table_say_in_what_its_sides_differ(coverage, label, found):
    """Both sides are numbers of the document; what stands with them is read with the ratio."""
    case = document({"statement": "1.09x, derived.", "form": "ratio", "compares": "own_variants", "basis": "derived"})
    value = to_builtins(case.submission)
    claim = value["claims"]["c"] | {"base": {"arm": "b", "metric": "score"}, "value": "1.09", "unit": "x"}
    older = value["claims"]["c"] | {
        "statement": "30.9 min.",
        "form": "absolute",
        "compares": "none",
        "value": "30.9",
        "measured": {"arm": "b", "metric": "score"},
        "suite_result": entry(number="4.1-0031"),
    }
    arm = value["arms"]["a"]
    value["claims"], value["coverage"] = {"c": claim, "older": older}, coverage
    value["arms"] = {"a": arm | {"label": "v5.0"}, "b": arm | {"label": label}}
    assert accused(Case(to_model(value, Submission)), ("Q27",)) == found
