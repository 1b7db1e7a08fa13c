"""What nobody wrote accuses nobody: what a number covers is known from words, and else not stated."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings

RATES = """# Training ViT

| Run | Throughput (images/s) |
|---|---|
| eager loop | 812.4 |
| graph loop | 2031.5 |

Overall, the total training time falls, and the throughput is 2.5x higher compared to the eager loop.
"""
PARTS = """# Notes

| Run | forward time (ms) |
|---|---|
| baseline | 81.2 |
| fused | 32.5 |

We see a speed-up of 2.498x over the baseline.
"""


def graves(tmp_path, text):
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / "a.md")])
    violations = (item for item in lint(found, Settings()).report.all_findings if item.outcome == "violation")
    return {item.code for item in violations if item.effect != "caveat"}


@pytest.mark.parametrize("text", [RATES, PARTS])
def test_a_scope_that_no_words_give_undermines_nothing(tmp_path, text):
    found = of_file("a.md", text.encode(), Path()).draft.value
    (linked,) = (claim for name, claim in found["claims"].items() if name.startswith("line-"))
    assert "metric" in linked["measured"], "the claim is linked to its cell"
    assert not graves(tmp_path, text)


def test_a_scope_that_words_give_does(tmp_path):
    epoch = RATES.replace("Throughput (images/s)", "Epoch time (s)").replace("812.4", "91.4").replace("2031.5", "36.56")
    whole = "Overall, the total training time is 2.5x lower compared to the eager loop."
    assert graves(tmp_path, epoch.replace(RATES.splitlines()[-1], whole)) == {"W0501"}


def test_a_number_covers_what_its_heading_says_and_nothing_else():
    def scopes(text):
        found = of_file("a.md", text.encode(), Path()).draft.value
        arms = found["arms"].values()
        return {number.get("scope") for arm in arms for number in arm.get("performance", {}).values()}

    assert scopes(RATES) == {None}
    assert scopes(PARTS) == {"phase"}
    assert scopes("# Notes\n\nWe reach 512 tokens/s on one A100.\n") == {None}
    assert scopes("# Notes\n\nOne training epoch takes 161 s.\n") == {"epoch"}
