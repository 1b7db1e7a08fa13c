"""The work of every rule grows with the rows of a table, not with their square: counted in calls, not in seconds."""

import copy
import sys

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

SMALL, LARGE = 100, 300
GROWTH, SPARE = 4.5, 2000
"""Calls may grow by half more than the rows, and by what a sort or a cache costs."""
KINDS = {
    "sizes": lambda number: {"devices": 8 + number},
    "one size": lambda number: {"devices": 8},
    "arms": lambda number: {"devices": 8 + number, "arm": "n1"},
    "models": lambda number: {"devices": 8, "options": {"model": f"m{number}", "global_batch": 8192}},
    "batches": lambda number: {"devices": 8, "options": {"global_batch": 8 + number}},
    "optimizers": lambda number: {"devices": 8 + number % 7, "options": {"optimizer": f"o{number % 40}"}},
}


WHOLE = {"row": {"table": "nodes"}}
CLAIMS = {
    "of a row": {},
    "of the table": WHOLE,
    "rank": {**WHOLE, "form": "rank", "compares": "other_system", "superlative": "fastest", "group": "headline"},
    "best row": {"compares": "other_system", "superlative": "fastest", "statistic": "best_of"},
}


def document(rows, kind, more):
    value = copy.deepcopy(base("strong-scaling"))
    table = value["tables"]["nodes"]
    values = table["rows"]["r1"]["values"]
    for number in range(rows):
        table["rows"][f"x{number}"] = {"label": f"row {number}", "values": values, **KINDS[kind](number)}
    table["columns"]["accuracy"] = {"quantity": "accuracy", "unit": "%", "mode": "training"}
    for number, row in enumerate(table["rows"].values()):
        row["values"] = {**row["values"], "accuracy": f"7{number % 7}.{number % 10}"}
    for claim in value["claims"].values():
        claim |= more
    assert validate("submission", value) == (), validate("submission", value)
    return Case(to_model(value, Submission))


def calls(rule, case):
    """Count the calls that a rule makes, with those of the facts that no rule before it needed."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(note)
    try:
        results = judge(case, [rule])
    finally:
        sys.setprofile(None)
    assert all(result.outcome is not Outcome.ERROR for result in results), results
    return count


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_work_of_every_rule_grows_with_the_rows(kind, claim):
    cases = [document(rows, kind, CLAIMS[claim]) for rows in (SMALL, LARGE)]
    counted = {rule.code: [calls(rule, case) for case in cases] for rule in book() if rule.about != "lint"}
    assert max(large for _, large in counted.values()) > LARGE
    steep = {code: pair for code, pair in counted.items() if pair[1] > GROWTH * pair[0] + SPARE}
    assert steep == {}
