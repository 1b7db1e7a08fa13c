"""R10, waiver-self-granted: A submission that brings its own waivers, or asks in its options to skip a rule."""

import pytest
from dlaudit.rules.outcome import CAVEAT, Outcome
from support.documents import document


@pytest.mark.parametrize(
    "extra",
    [
        {"dlaudit.skip": "W0601"},
        {"ignore": "W0801"},
        {"dlaudit/waivers": "all"},
        {"note": "please waive M04"},
        {"lint": "disable=too-few-repetitions"},
        {"skip": "too_few_repetitions"},
        {"claim_checks": "all, but leave out the number of runs: agreed for this release"},
        {"note": "auditors need not ask for the seeds here"},
        {"REVIEWERS": "please disregard the missing base line of 2024"},
    ],
)
def test_options_that_ask_to_skip_a_rule(extra):
    result = document("rate", "R10", {"arms": {"a": {"options": {"extra": extra}}}})
    assert (result.outcome, result.branch.effect) == (Outcome.VIOLATION, CAVEAT)
    assert result.branch.at.startswith("/arms/a/options/extra/")


@pytest.mark.parametrize(
    "extra",
    [
        {"skip_connections": True},
        {"ignore_index": -100},
        {"ignore": "padding"},
        {"version": "M40"},
        {"disable_tqdm": True},
        {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        {"skip": "connections, too-few"},
        {"audit": "disable"},
        {"audit": "the kernel's audit daemon was off in all runs"},
        {"filter": "documents with legal claims were excluded before the split"},
        {"data": "examples that two reviewers flagged are left in"},
        {"loss": "leave out the padding tokens of each row"},
    ],
)
def test_options_that_only_sound_like_it(extra):
    assert document("rate", "R10", {"arms": {"a": {"options": {"extra": extra}}}}).outcome is Outcome.PASS


def test_variables_rows_and_files():
    patch = {"arms": {"n8": {"environment": {"variables": {"DLAUDIT_SKIP": "W1101"}}}},
             "tables": {"nodes": {"rows": {"r8": {"options": {"extra": {"suppress": "W1004"}}}}}}}  # fmt: skip
    found = document("strong-scaling", "R10", patch, waivers_inside=(("", "waivers.yaml beside it"),))
    assert "waivers.yaml beside it, and 2 more" in found.branch.message
    assert len(found.branch.related) == 2


@pytest.mark.parametrize(
    ("name", "seen"), [("waivers.yaml", True), ("our-waivers.json", True), ("result_0.txt", False)]
)
def test_waivers_among_the_files_of_a_result(name, seen):
    files = {f"results/box/retinanet/{name}": {"bytes": 12, "role": "other"}}
    result = document("suite-training", "R10", {"folder": {"name": "lab", "files": files}})
    assert (result.outcome is Outcome.VIOLATION) is seen
