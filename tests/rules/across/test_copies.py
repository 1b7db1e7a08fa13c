"""Copies: what one rule on copied runs leaves to another."""

from dlaudit.rules.bases import base
from support.answers import found


def test_one_file_behind_two_results_is_no_duplicate(judged):
    """The 99 and the 99.9 % variant of a benchmark, an inferred scenario."""
    patch = {"arms": {"server": base("suite-inference")["arms"]["offline"]}}
    for code in ("F34", "F35"):
        assert found(judged("suite-inference", code, "server", patch)) == "pass"
