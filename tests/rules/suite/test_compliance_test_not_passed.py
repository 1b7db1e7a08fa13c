"""Q18, compliance-test-not-passed: A closed result whose compliance tests did not all pass."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.patches import both
from support.suite_results import result, run

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE
SKIPPED = "First token check pass: Skipped; EOS check pass: True; Sample length check pass: True"


@pytest.mark.parametrize(
    ("claim", "words", "outcome"),
    [
        ("offline", SKIPPED, PASS),
        ("server", SKIPPED, VIOLATION),
        ("server", SKIPPED.replace("Skipped", "True"), PASS),
        ("offline", SKIPPED.replace("EOS check pass: True", "EOS check pass: False"), VIOLATION),
        ("offline", "TEST FAIL", VIOLATION),
        ("offline", "it went well", NOT_SHOWN),
    ],
)
def test_verdicts_of_compliance_tests(inference, claim, words, outcome):
    assert inference("Q18", run(claim, "TEST01", verdict={"words": words}), claim)[0] is outcome


def test_both_records_of_the_fallback_answer_for_a_failed_comparison(inference):
    failed = run(name="TEST01", verdict={"valid": False, "words": "TEST FAIL; TEST PASS"})
    assert inference("Q18", failed) == (VIOLATION, UNDERMINES)
    one = both(failed, run(name="TEST01", summary={"baseline_accuracy": "handed in"}))
    assert inference("Q18", one) == (VIOLATION, UNDERMINES)
    two = both(one, run(name="TEST01", summary={"compliance_accuracy": "handed in"}))
    assert inference("Q18", two) == (PASS, None)


def test_tests_of_a_round_without_figures(inference):
    assert inference("Q18", {"arms": {"offline": {"runs": {"TEST04": None}}}}) == (NOT_SHOWN, None)
    old = result("offline", round="v0.5")
    assert inference("Q18", both(old, run(name="TEST01", verdict={"words": "TEST FAIL"}))) == (VIOLATION, UNDERMINES)
    assert (
        inference("Q18", both(old, {"arms": {"offline": {"runs": {"TEST01": None, "TEST04": None}}}}))[0]
        is NOT_APPLICABLE
    )


def test_half_a_test_has_its_verdict_in_the_other_half(inference):
    halves = both(
        {"arms": {"offline": {"runs": {"TEST04": None}}}},
        run(name="TEST04-A", role="compliance", verdict={"words": "TEST PASS"}),
        run(name="TEST04-B", role="compliance"),
    )
    assert inference("Q18", halves) == (PASS, None)


@pytest.mark.parametrize(
    ("benchmark", "round_name", "effect"),
    [
        ("retinanet", "v2.1", CAVEAT),
        ("retinanet", None, CAVEAT),
        ("bert-99", "v1.1", CAVEAT),
        ("resnet", "v2.1", UNDERMINES),
        ("resnet", None, UNDERMINES),
    ],
)
def test_a_failed_test_that_the_round_does_not_ask_for_is_a_caveat(inference, benchmark, round_name, effect):
    printed = "reference score = 166.16\ntest score = 240.59\nTEST FAIL: Test score invalid"
    handed_in = both(
        result("offline", round=round_name, benchmark=benchmark),
        run(name="TEST04", role="compliance", verdict={"valid": False, "words": printed}),
    )
    assert inference("Q18", handed_in) == (VIOLATION, effect)


def compliance(**summary):
    return run(name="TEST01", summary=summary)


@pytest.mark.parametrize(
    ("patch", "effect"),
    [
        (compliance(num_perf_log_data_mismatch="0"), None),
        (compliance(num_perf_log_data_mismatch="3"), UNDERMINES),
        (compliance(reference_score="93945.8", test_score="90100"), None),
        (compliance(reference_score="93945.8", test_score="103300"), None),
        (compliance(reference_score="93945.8", test_score="103500"), UNDERMINES),
        (compliance(reference_score="93945.8", test_score="84500"), UNDERMINES),
        (compliance(reference_score="0", test_score="84500"), None),
        (compliance(reference_score="nan", test_score="84500"), None),
        (
            both(compliance(num_perf_log_data_mismatch="3"), run(name="TEST01", verdict={"words": "TEST FAIL"})),
            UNDERMINES,
        ),
        # the test that looks for caches fails of a better score only
        (run(name="TEST04", summary={"reference_score": "93945.8", "test_score": "60000"}), None),
        (run(name="TEST04", summary={"reference_score": "93945.8", "test_score": "110000"}), UNDERMINES),
        # a result that was run again after its tests
        (compliance(reference_score="91500", test_score="91600"), None),
        (compliance(reference_score="82000", test_score="82100"), CAVEAT),
        (compliance(reference_score="93945.8", test_score="93000", samples_per_second="93001"), None),
        (compliance(reference_score="93945.8", test_score="93000", samples_per_second="71000"), CAVEAT),
    ],
)
def test_a_verdict_is_held_against_its_own_figures(inference, patch, effect):
    timed = run(summary={"samples_per_second": "93945.8"})
    outcome, found = inference("Q18", both(timed, patch))
    assert found == effect
    assert outcome is (PASS if effect is None else VIOLATION)


def test_a_compliance_log_that_is_the_performance_log(inference):
    timed = base("suite-inference")["arms"]["offline"]["runs"]["performance"]["file"]
    assert inference("Q18", run(name="TEST01", file={"sha256": timed["sha256"]})) == (VIOLATION, UNDERMINES)
    assert inference("Q18", run(name="TEST01", file={"sha256": timed["sha256"], "bytes": 0}))[0] is PASS
