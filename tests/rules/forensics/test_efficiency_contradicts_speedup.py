"""F05, efficiency-contradicts-speedup: A scaling efficiency that is not the speed-up over the growth in devices."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome
from support.answers import answer

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def efficiency(rows=None, **claim):
    return {"claims": {"efficiency": claim}, "tables": {"nodes": {"rows": rows or {}}}}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        (efficiency(), PASS),
        (efficiency(value="0.827", unit=None), PASS),
        (efficiency(value="83"), PASS),
        (efficiency(value="80", qualifier="over"), PASS),
        (efficiency(value="92.7"), ("a", REFUTES)),
        (efficiency(value="83.3"), ("a", CAVEAT)),
        (efficiency({"r8": {"efficiency": "0.945"}}), ("a", REFUTES)),
        (efficiency({"r8": {"efficiency": "82.7"}}), PASS),
        (efficiency({"r8": {"devices": None, "nodes": None, "arm": None}}, measured=None, base=None), NOT_APPLICABLE),
        (efficiency({"r4": {"efficiency": None}}), NOT_APPLICABLE),
    ],
)
def test_an_efficiency_and_its_speedup(judged, patch, expected):
    assert answer(judged("strong-scaling", "F05", "efficiency", patch)) == expected


@pytest.mark.parametrize(
    ("rows", "claims", "expected"),
    [
        ({}, {}, PASS),
        ({"r8": {"efficiency": "0.901"}}, {}, ("b", UNDERMINES)),
        ({"r8": {"efficiency": "0.831"}}, {}, ("b", CAVEAT)),
        ({"r8": {"speedup": None}}, {}, NOT_APPLICABLE),
        ({"r8": {"efficiency": "0.413"}}, {}, PASS),  # relative to four devices
        ({"r8": {"efficiency": "0.901"}}, {"efficiency": {}}, NOT_APPLICABLE),  # that claim has the finding
    ],
)
def test_an_efficiency_beside_the_speedup_of_another_claim(judged, rows, claims, expected):
    ratio = {"row": {"table": "nodes", "row": "r8"}, "form": "ratio", "scope": "step"}
    rows = {"r2": {"devices": 4}, **rows} if rows.get("r8", {}).get("efficiency") == "0.413" else rows
    patch = {"claims": {"speedup": ratio, "efficiency": None, **claims}, "tables": {"nodes": {"rows": rows}}}
    assert answer(judged("strong-scaling", "F05", "speedup", patch)) == expected


def test_swapped_columns_are_one_slip(judged):
    rows = {"r8": {"speedup": "0.827", "efficiency": "6.61"}}
    patch = efficiency(rows, row={"table": "nodes", "row": "r8"}, value="82.7")
    result = judged("strong-scaling", "F05", "efficiency", patch)
    assert result.outcome is VIOLATION
    assert "swapped" in " ".join(item.message for item in (result.branch, *result.others))


def test_an_efficiency_crosses_100_percent_by_no_small_slip(judged):
    rows = {"r8": {"values": {"rate": "156400"}, "efficiency": "1.004", "speedup": "7.98", "arm": None}}
    patch = efficiency(rows, value="100.4", measured=None, base=None)
    assert answer(judged("strong-scaling", "F05", "efficiency", patch)) == ("a", REFUTES)


WEAK = {
    "columns": {"time": {"quantity": "time", "unit": "s", "statistic": "median"}},
    "rows": {
        "one": {"devices": 8, "values": {"time": "0.400"}},
        "eight": {"devices": 64, "values": {"time": "0.440"}, "efficiency": "0.909"},
    },
    "base_row": "one",
    "label": "weak",
    "varies": ["devices"],
}


@pytest.mark.parametrize(("label", "expected"), [("weak", PASS), (None, PASS), ("strong", ("a", REFUTES))])
def test_in_weak_scaling_the_ratio_of_times_is_the_efficiency(judged, label, expected):
    claim = {"value": "90.9", "measured": None, "base": None, "label": label, "row": {"table": "w", "row": "eight",
             "base_row": None}}  # fmt: skip
    patch = {"claims": {"efficiency": claim}, "tables": {"w": WEAK | ({"label": label} if label else {})}}
    if label is None:
        del patch["tables"]["w"]["label"]
    assert answer(judged("strong-scaling", "F05", "efficiency", patch)) == expected
