"""Conditions and bases that no words of the document carry are not read into it."""

from pathlib import Path

import pytest
from dlaudit.audit.importers.documents.marks import plain
from dlaudit.audit.lint.reports import of_file
from dlaudit.schemas.validation import validate


def read(text):
    found = of_file("a.md", text.encode(), Path()).draft.value
    assert not validate("submission", found)
    return found


@pytest.mark.parametrize(
    "later",
    [
        "We are looking forward to testing it with DeepSpeed as well.",
        "We plan to run the same tests using DeepSpeed.",
        "In future work we will measure it on top of DeepSpeed.",
    ],
)
def test_a_framework_of_future_work_is_not_the_one_that_was_used(later):
    text = f"# Tuning m7\n\nThe tuned loop is 2.25x faster than the plain loop on one A100. {later}\n"
    found = read(text + "\n| Loop | Time (ms) |\n|---|---|\n| plain | 9.5 |\n| tuned | 4.5 |\n")
    assert not any("software" in arm for arm in found["arms"].values())
    used = read(text.replace(later, "All runs were done with DeepSpeed."))
    assert any("DeepSpeed" in arm["software"]["framework"] for arm in used["arms"].values())


@pytest.mark.parametrize(
    ("behind", "batch"),
    [("With a batch size of 96, we got a run of 51 steps.", None), ("All experiments use a batch size of 96.", 96)],
)
def test_a_later_run_tells_nothing_of_the_batch_of_an_earlier_one(behind, batch):
    found = read(
        "# Pre-training\n\nWe ran the same script with the same hyperparameters on one L40S, "
        f"and training took 2 hours and 55 minutes.\n\n{behind}\n"
    )
    (arm,) = found["arms"].values()
    assert arm.get("options", {}).get("global_batch") == batch


@pytest.mark.parametrize(
    ("sentence", "base"),
    [
        ("The card improves speed over the first card and delivers about twice the throughput as an L40S.", "an L40S"),
        ("It delivers three times the training throughput as Nvidia L40S for all models.", "Nvidia L40S"),
        ("The loop improves latency over the old loop and runs 3.5x faster.", None),
    ],
)
def test_a_base_is_no_part_of_a_sentence_that_reaches_over_the_degree(sentence, base):
    (claim,) = read(sentence + "\n")["claims"].values()
    named = claim.get("base", {}).get("definition") or claim.get("comparator", {}).get("name")
    assert named == base


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("(so 8*32=256 in all)", "(so 8*32=256 in all)"),
        ("2*4*8 cards", "2*4*8 cards"),
        ("a * b", "a * b"),
        ("*8* cards and **3.0x**", "8 cards and 3.0x"),
        ("on *8 devices*.", "on 8 devices."),
    ],
)
def test_a_star_between_numbers_is_kept(written, shown):
    assert plain(written) == shown
