"""No printed number, however large, small or negative, makes a rule of statistics, energy or serving stumble."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.validity import valid

RULES = {rule.code: rule for rule in book() if rule.check is not None and rule.code[0] in "SEL"}
NUMBERS = ["9" * 40, "1e999", "-1e999", "1e-999", "1e160", "0." + "0" * 37 + "1", "0", "-0", "-3"]


def printed(value, path=()):
    """Yield the path of every text that is a number, and of every number outside a list."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from printed(item, (*path, key))
    elif isinstance(value, str) and value.replace(".", "", 1).lstrip("-").isdigit():
        yield path


def with_number(value, path, number):
    step, *rest = path
    return {**value, step: with_number(value[step], rest, number) if rest else number}


@pytest.mark.parametrize("code", RULES)
def test_no_number_makes_a_rule_stumble(code):
    found = example(sections(RULES[code].doc)["Flagged"])
    value = merge_patch(base(found.base), found.patch)
    paths = [path for path in printed(value) if path[0] in {"claims", "tables"} or "quality" in path or "rate" in path]
    for path in paths[:60]:
        for number in NUMBERS:
            hostile = with_number(value, path, number)
            if not valid(hostile):
                continue
            results = judge(Case(to_model(hostile, Submission)), [RULES[code]])
            assert not [result for result in results if result.outcome is Outcome.ERROR], (path, number, results)
