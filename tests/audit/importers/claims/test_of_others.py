"""Numbers that others announced, and what a device has, are no claims of the authors."""

from pathlib import Path

import pytest
from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.reports import of_file
from dlaudit.audit.lint.settings import Settings

SURE = "\n\nOur kernels are 9.75x faster.\n"


def values(text):
    found = of_file("a.md", text.encode(), Path()).draft.value
    return [claim["value"] for claim in found["claims"].values() if claim["value"] != "9.75"]


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("This is consistent with the 1.8x speedup of the data sheet.", []),
        ("The card trains 1.8x faster, as announced by its maker.", []),
        ("The maker speaks of a 1.8x speedup published by Acme.", []),
        ("The loop is 1.8x faster, which is consistent with its profile.", ["1.8"]),
        ("The new card has 3 times more memory per device compared to the old one.", []),
        ("Sharding cuts the memory footprint by 3x.", ["3"]),
    ],
)
def test_what_others_announced_and_what_a_device_has_is_no_claim(sentence, kept):
    assert values(sentence + SURE) == kept


@pytest.mark.parametrize("head", ["1st Token Latency (ms)", "First-token latency (ms)", "First token (ms)"])
def test_a_first_token_is_one_of_a_request(head):
    found = of_file("a.md", f"| Model | {head} |\n|---|---|\n| m7 | 81.5 |\n| m9 | 91.5 |\n".encode(), Path())
    assert {claim["scope"] for claim in found.draft.value["claims"].values()} == {"request"}


def test_a_claim_of_memory_owes_no_accuracy(tmp_path):
    text = "# Training m7\n\nIn training, sharding cuts the memory footprint by 3x over plain training.\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (found,) = read_documents([str(tmp_path / "a.md")])
    assert "W0201" not in {item.code for item in lint(found, Settings()).report.all_findings}
