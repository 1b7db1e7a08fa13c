"""M29, measuring-tool-modified: A number from a measuring tool that differs from its release."""

import pytest
from dlaudit.rules.outcome import CAVEAT, UNDERMINES, Outcome
from support.answers import answer

PASS, NOT_APPLICABLE = Outcome.PASS, Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("software", "expected"),
    [
        ({"tool_dirty": False}, PASS),
        ({"tool_dirty": True}, ("a", CAVEAT)),
        ({"tool_dirty": True, "tool_changed_files": ["M README.md"]}, ("a", CAVEAT)),
        ({"tool_dirty": True, "tool_changed_files": ["?? notes.py", "?? out/timer.py"]}, PASS),
        ({"tool_dirty": True, "tool_changed_files": ["M src/timer.cc"]}, ("b", UNDERMINES)),
        ({"tool_dirty": True, "tool_changed_files": ["src/accuracy-imagenet.py"]}, ("b", UNDERMINES)),
        ({"tool_dirty": True, "tool_changed_files": ["M docs/timing.md", "M tests/test_timer.py"]}, ("a", CAVEAT)),
        ({}, NOT_APPLICABLE),
    ],
)
def test_the_tool_s_own_tree(judged, software, expected):
    assert answer(judged("rate", "M29", "rate", {"arms": {"a": {"software": software}}})) == expected


def test_a_log_may_tell_of_the_tool(judged):
    run = {"role": "performance", "tool": {"name": "loadgen", "changed_files": [" M loadgen/logging.cc"]}}
    result = judged("rate", "M29", "rate", {"arms": {"a": {"runs": {"r1": run}}}})
    assert answer(result) == ("b", UNDERMINES)
    assert "loadgen/logging.cc" in result.branch.message
