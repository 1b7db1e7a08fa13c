"""Q23 to Q31: results of the suites, quoted and compared."""

import pytest
from dlaudit.rules.outcome import CAVEAT, REFUTES, UNDERMINES, Outcome

PASS, NOT_SHOWN, NOT_APPLICABLE, VIOLATION = (
    Outcome.PASS,
    Outcome.NOT_SHOWN,
    Outcome.NOT_APPLICABLE,
    Outcome.VIOLATION,
)
FOOTNOTE = "MLPerf Training v5.0 closed, entry 5.0-0042, mlcommons.org, 1 July 2025; verified. A trademark."


@pytest.fixture
def quoted(judged):
    def judge(code, claim=None, **document):
        patch = {"claims": {"retinanet": claim or {}}} | document
        found = judged("suite-training", code, "retinanet", patch)
        effect = getattr(found.branch, "effect", None) if found.outcome is VIOLATION else None
        return found.outcome, effect

    return judge


def against(other=None, *, statement=None, suite="training", own=None):
    claim = {"compares": "other_system", "comparator": {"suite": suite}}
    if other is not None:
        claim["comparator"]["suite_result"] = {"benchmark": "retinanet", "round": "v5.0", "division": "closed"} | other
    if statement is not None:
        claim["statement"] = statement
    if own is not None:
        claim["suite_result"] = own
    return claim


@pytest.mark.parametrize("code", ["Q23", "Q24"])
def test_a_result_as_it_was_handed_in_is_no_quotation(quoted, code):
    assert quoted(code, {"statement": "38.1 min"}, publication=None) == (NOT_APPLICABLE, None)


@pytest.mark.parametrize(
    ("result", "outcome"),
    [
        ({"id": "5.0-0042", "footnote": FOOTNOTE}, PASS),
        ({"id": "5.0-0042", "footnote": FOOTNOTE.replace(" A trademark.", "")}, NOT_SHOWN),
        ({"id": "5.0-0042", "footnote": FOOTNOTE.replace("5.0-0042", "the entry")}, NOT_SHOWN),
        ({"id": "5.0-0042"}, NOT_SHOWN),
        ({"id": "number 42", "footnote": FOOTNOTE}, VIOLATION),
        ({"id": "4.1-0042", "footnote": FOOTNOTE}, VIOLATION),
        ({"id": "5.0-0042.A", "footnote": FOOTNOTE.replace("5.0-0042", "5.0-0042.A")}, PASS),
        ({"verified": False, "footnote": FOOTNOTE.replace("entry 5.0-0042", "unverified")}, PASS),
    ],
)
def test_footnotes(quoted, result, outcome):
    assert quoted("Q23", {"suite_result": {"verified": None} | result})[0] is outcome


SENTENCE = "Result not verified by MLCommons Association."


@pytest.mark.parametrize(
    ("statement", "fields", "outcome"),
    [
        (f"38.1 min (unverified). {SENTENCE}", {}, PASS),
        (f"38.1 min. {SENTENCE}", {}, PASS),
        ("38.1 min (unverified).", {}, NOT_SHOWN),
        ("38.1 min.", {}, NOT_SHOWN),
        ("An official result: 38.1 min.", {}, VIOLATION),
        ("A verified result: 38.1 min.", {}, VIOLATION),
        ("This is not an official result; unverified.", {}, NOT_SHOWN),
        ("An official result: 38.1 min.", {"id": "5.0-0042"}, PASS),
        ("38.1 min.", {"verified": True}, VIOLATION),
    ],
)
def test_verified_or_not(quoted, statement, fields, outcome):
    claim = {"statement": statement, "suite_result": {"verified": None} | fields}
    assert quoted("Q24", claim)[0] is outcome


@pytest.mark.parametrize(
    ("own", "other", "outcome"),
    [
        ({}, {"round": "v2.0"}, PASS),
        ({}, {"benchmark": "ssd", "round": "v4.1"}, PASS),
        ({}, {"benchmark": "ssd", "round": "v1.1"}, NOT_APPLICABLE),
        ({"benchmark": "rnnt", "round": "v1.1"}, {"benchmark": "rnnt", "round": "v1.0"}, VIOLATION),
        ({"benchmark": "maskrcnn", "round": "v0.6"}, {"benchmark": "maskrcnn", "round": "v0.5"}, VIOLATION),
        ({"benchmark": "rgat"}, {"benchmark": "gnn", "round": "v4.1"}, PASS),
        ({}, {"round": None}, NOT_APPLICABLE),
        ({}, {"round": "v9.0"}, NOT_APPLICABLE),
        ({}, {"benchmark": "bert"}, NOT_APPLICABLE),
    ],
)
def test_rounds_that_go_together(quoted, own, other, outcome):
    assert quoted("Q25", against(other, own=own))[0] is outcome


def test_scenarios_and_the_benchmarks_of_one_document(judged):
    claim = {"compares": "own_variants", "base": {"arm": "offline", "metric": "rate"}}
    found = judged("suite-inference", "Q25", "server", {"claims": {"server": claim}})
    assert (found.outcome, found.branch.effect) == (VIOLATION, REFUTES)
    assert "Server" in found.branch.message


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        (against(suite="none"), VIOLATION),
        (against({}), PASS),
        ({"compares": "other_system", "comparator": {"name": "theirs", "suite": None}}, NOT_SHOWN),
        ({"compares": "other_system", "comparator": {"name": "theirs", "result_id": "5.0-0007"}}, PASS),
        ({"compares": "none"}, NOT_APPLICABLE),
    ],
)
def test_where_the_other_side_is_from(quoted, claim, outcome):
    assert quoted("Q26", claim)[0] is outcome


ALIKE = {"verified": False}


@pytest.mark.parametrize(
    ("own", "other", "statement", "outcome"),
    [
        ({}, {}, "Faster.", PASS),
        ({}, {"round": "v4.1"}, "Faster.", VIOLATION),
        ({}, {"round": "v4.1"}, "Faster than in the previous round.", PASS),
        ({}, {"round": "v4.1"}, "v5.0 is faster than v4.1.", PASS),
        ({"devices": 8}, {"devices": 16}, "Faster.", VIOLATION),
        ({"devices": 8}, {"devices": 16}, "8 devices are faster than 16.", PASS),
        ({"devices": 8}, {"devices": 16}, "8.16 times faster.", VIOLATION),
        ({"devices": 8}, {"devices": 16}, "Faster per chip.", PASS),
        ({"devices": 8}, {}, "Faster.", NOT_SHOWN),
        ({}, {"verified": True}, "Faster.", VIOLATION),
        ({}, {"verified": True}, "Faster (unverified).", PASS),
        ({"category": "Available"}, {"category": "available"}, "Faster.", PASS),
        ({"category": "preview"}, {"category": "available"}, "Faster.", VIOLATION),
    ],
)
def test_differences(quoted, own, other, statement, outcome):
    assert quoted("Q27", against(ALIKE | other, own=own, statement=statement))[0] is outcome


def test_open_against_closed(quoted):
    other = {"division": "open"}
    assert quoted("Q28", against(other)) == (VIOLATION, UNDERMINES)
    assert (
        quoted("Q28", against(other, statement="The open one prunes, since that is not allowed in closed."))[0] is PASS
    )
    plain = "The closed box is 1.06x as fast as the open one."
    assert quoted("Q28", against(other, statement=plain)) == (VIOLATION, UNDERMINES)
    assert quoted("Q28", against({})) == (PASS, None)
    assert quoted("Q28", against(suite="none"))[0] is NOT_APPLICABLE


@pytest.mark.parametrize(
    ("statement", "energy", "outcome"),
    [
        ("12 kWh.", {"method": "meter", "boundary": "node"}, PASS),
        ("12 kWh, on boards of 700 W TDP.", {"method": "meter", "boundary": "node"}, PASS),
        ("12 kWh by the TDP of the boards.", None, VIOLATION),
        ("12 kWh, measured, not the TDP.", None, NOT_SHOWN),
        ("12 kWh.", {"method": "modelled", "boundary": "node"}, VIOLATION),
        ("12 kWh.", {"method": "counter", "boundary": "device"}, VIOLATION),
        ("12 kWh.", {"source": "rated power of the supply"}, VIOLATION),
        ("12 kWh.", {"mean_power_w": 5000}, NOT_SHOWN),
        ("12 kWh.", {"method": "sampled", "boundary": "node", "source": "another run of the same day"}, VIOLATION),
        ("12 kWh.", {"method": "sampled", "boundary": "node", "source": "IPMI of the node"}, PASS),  # training may
    ],
)
def test_where_the_power_is_from(quoted, statement, energy, outcome):
    claim = {"quantity": "energy", "unit": "kWh", "statement": statement}
    assert quoted("Q29", claim, arms={"retinanet": {"energy": energy}})[0] is outcome


@pytest.mark.parametrize(
    ("claim", "outcome"),
    [
        ({"unit": "min"}, NOT_APPLICABLE),
        ({"unit": "samples/s/GPU", "statement": "384 samples/s per GPU."}, VIOLATION),
        ({"unit": "samples/s/GPU", "statement": "384 samples/s per GPU, derived from entry 5.0-0042."}, PASS),
        ({"unit": "samples/s/W", "statement": "A derived, official 0.4 samples/s/W."}, VIOLATION),
        ({"unit": "samples/s/W", "statement": "Derived: 0.4 samples/s/W, not an official metric."}, PASS),
        ({"unit": "samples/J", "statement": "MLPerf score: 5 samples/J, verified."}, VIOLATION),
        ({"unit": "samples/J", "statement": "5 samples/J, derived by us (result verified by MLCommons)."}, PASS),
        (
            {"form": "ratio", "basis": "derived", "unit": "x", "statement": "2x; both results verified by MLCommons."},
            PASS,
        ),
        ({"basis": "derived", "unit": "min", "statement": "Interpolated 40 min, not official."}, PASS),
    ],
)
def test_derived_figures(quoted, claim, outcome):
    assert quoted("Q30", claim)[0] is outcome


@pytest.mark.parametrize(
    ("day", "authors", "verified", "outcome"),
    [
        ("2024-10-31", "Example Lab", True, VIOLATION),
        ("2024-11-30", "Example Lab", True, PASS),
        ("2024-11-10", "A journal", True, VIOLATION),
        ("2024-11-30", "A journal", True, PASS),
        ("2024-01-30", "A journal", False, VIOLATION),  # the dates hold for unverified results, too
        ("2024-11-30", "A journal", False, PASS),
    ],
)
def test_results_have_a_date(quoted, day, authors, verified, outcome):
    claim = {"suite_result": {"verified": verified, "round": "v4.1"}}
    found = quoted("Q31", claim, publication={"date": day, "authors": authors})
    assert found == (outcome, CAVEAT if outcome is VIOLATION else None)


def test_a_publication_without_a_day(quoted):
    assert quoted("Q31", {"suite_result": {"verified": True}}, publication={"date": None})[0] is NOT_APPLICABLE
