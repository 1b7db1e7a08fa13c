"""What holds for every rule on convergence, targets, runs and scaling: no missing value and no order helps a claim."""

import copy

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.validity import valid

CODES = (
    *("W0101", "W0102", "W0103", "W0105", "W0202", "W0302", "W0304"),
    *("W1001", "W1002", "W1004", "W1101", "W1103", "W1107"),
    *("W0104", "W0106", "W0107", "W0108", "W0203", "W0204", "W0301", "W0303", "W0305", "W0306", "W1003", "W1005"),
)
LEAVES = 40


def flagged(code):
    found = example(sections(by_code(code).doc)["Flagged"])
    return merge_patch(base(found.base), found.patch), found.claim


def result(code, value, claim):
    (found,) = judge(Case(to_model(value, Submission)), [by_code(code)], [claim])
    return found


def leaves(value, path=()):
    """Yield the path of every leaf outside raw columns and single evaluations, of which there are hundreds alike."""
    if not isinstance(value, dict):
        yield path
        return
    for key, item in value.items():
        if key not in {"samples", "evaluations"} or not isinstance(item, dict | list):
            yield from leaves(item, (*path, key))


def without(value, path):
    changed = copy.deepcopy(value)
    node = changed
    for step in path[:-1]:
        node = node[step]
    del node[path[-1]]
    return changed


@pytest.mark.parametrize("code", CODES)
def test_deleting_a_value_never_turns_a_finding_into_a_pass(code):
    value, claim = flagged(code)
    paths = list(leaves(value))
    every = max(1, len(paths) // LEAVES)
    tried = 0
    for path in paths[CODES.index(code) % every :: every]:
        changed = without(value, path)
        if not valid(changed):
            continue
        tried += 1
        outcome = result(code, changed, claim).outcome
        assert outcome not in {Outcome.PASS, Outcome.ERROR}, path
    assert tried > 20


def reversed_order(value):
    """Turn every map around, and the evaluations of every run: identity is by key, order by counter."""
    if isinstance(value, dict):
        return {
            key: reversed_order(item[::-1] if key == "evaluations" and isinstance(item, list) else item)
            for key, item in reversed(value.items())
        }
    return [reversed_order(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("code", CODES)
def test_order_changes_nothing(code):
    value, claim = flagged(code)
    before, after = result(code, value, claim), result(code, reversed_order(value), claim)
    assert (after.outcome, after.reason) == (before.outcome, before.reason)
    if before.branch is not None:
        assert (after.branch.at, after.branch.message) == (before.branch.at, before.branch.message)
