"""Documents on which a rule once stopped: sets that hold nothing, and names that lead nowhere."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from support.validity import valid

NAMES = frozenset({"arm", "base_row", "metric", "quality", "row", "system", "table", "column"})


def changes(value, path=()):
    """Yield the path of every name of another thing, with a name that nothing has, and of every count of a split."""
    for key, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, dict):
            yield from changes(item, (*path, key))
        elif key in NAMES and isinstance(item, str):
            yield (*path, key), "nowhere"
        elif key == "examples" and "splits" in path:
            yield (*path, key), 0


def changed(value, path, new):
    step, *rest = path
    return {**value, step: changed(value[step], rest, new) if rest else new}


def alone(value):
    """Yield a document as it is, and with each of its claims alone."""
    yield value
    yield from ({**value, "claims": {key: claim}} for key, claim in value["claims"].items())


@pytest.mark.parametrize("name", ["strong-scaling", "suite-training"])
def test_no_name_that_leads_nowhere_and_no_empty_set_stops_a_rule(name):
    for value in alone(base(name)):
        for path, new in changes(value):
            hostile = changed(value, path, new)
            if valid(hostile):
                results = judge(Case(to_model(hostile, Submission)), book())
                assert not [each for each in results if each.outcome is Outcome.ERROR], path
