"""What a number or a word says by what stands around it: names, settings, rules and aims compare and count nothing."""

import pytest
from dlaudit.rules.language.annotations import annotated

COMPARED = {
    "a good speed-up (typically a factor of x3)": [(3, "ratio", "better")],
}
COUNTED = {}
MEASURED = {
    "split as 2:2:2": [],
    "ran for 1:02:03": [(3723, "s")],
    "31.25 ± 0.50": [],
    "31.25 ± 0.50 BLEU": [(31.25, None)],
    "the RegNe(X)t family": [],
    "speedup (x)": [],
    "takes over an hour": [(1, "h")],
    "collected over a week": [],
    "by a factor of x3": [(3, "x")],
    "~2M raw FPS": [(2_000_000, "frames/s")],
    "bpc = 1.12": [(1.12, None)],
}
HEADED = {"MACs [G]": ("MAC", "work"), "MACs (M)": ("MAC", "work")}


@pytest.mark.parametrize("text", COMPARED)
def test_compared(text):
    found = annotated(text, None)["comparisons"]
    assert [(c["degree"], c["form"], c["sense"]) for c in found] == COMPARED[text]


@pytest.mark.parametrize("text", COUNTED)
def test_counted(text):
    assert [(c["value"], c["of"]) for c in annotated(text, None)["counts"]] == COUNTED[text]


@pytest.mark.parametrize("text", MEASURED)
def test_measured(text):
    found = [(q["value"], q["unit"]) for q in annotated(text, None)["quantities"] if q["value"] is not None]
    assert found == MEASURED[text]


@pytest.mark.parametrize("text", HEADED)
def test_units_of_headers(text):
    assert [(q["unit"], q["dimension"]) for q in annotated(text, "header")["quantities"]] == [HEADED[text]]
