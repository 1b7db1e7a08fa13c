"""Q20, availability-category-invalid."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from support.patches import both
from support.suite_results import result

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *[
            (words, PASS)
            for words in (
                "available",
                "Available on-premise",
                "RDI",
                "onprem",
                "Research, Development, or Internal (RDI)",
            )
        ],
        ("preview", NOT_SHOWN),
        ("prototype", VIOLATION),
        (None, NOT_SHOWN),
    ],
)
def test_categories_of_availability(inference, status, outcome):
    assert inference("Q20", {"arms": {"offline": {"description": {"fields": {"status": status}}}}})[0] is outcome


def test_words_of_early_rounds_are_no_accusation(inference):
    old = both(
        result("offline", round="v0.7"), {"arms": {"offline": {"description": {"fields": {"status": "in lab"}}}}}
    )
    assert inference("Q20", old)[0] is NOT_APPLICABLE


def test_a_preview_has_to_become_available(inference):
    shown = {"arms": {"offline": {"description": {"fields": {"status": "preview"}}}}}
    assert inference("Q20", both(shown, result("offline", round="v3.0", available="2023-06-01")))[0] is PASS
    late = result("offline", round="v3.0", available="2024-06-01")
    assert inference("Q20", both(shown, late)) == (VIOLATION, UNDERMINES)
    assert inference("Q20", both(shown, late, result("offline", round="v6.0")))[0] is NOT_SHOWN


@pytest.mark.parametrize(("shift_ms", "outcome"), [(0, VIOLATION), (-40_000_000_000, NOT_APPLICABLE)])
def test_a_category_that_no_round_has_by_the_clock_of_the_runs(judged, shift_ms, outcome):
    runs = {f"result_{i}": {"window": {"start_ms": 1744012941843 + shift_ms}} for i in range(5)}
    patch = {
        "claims": {"retinanet": {"suite_result": {"round": None}}},
        "arms": {"retinanet": {"description": {"fields": {"status": "shipping soon"}}, "runs": runs}},
    }
    assert judged("suite-training", "Q20", "retinanet", patch).outcome is outcome
