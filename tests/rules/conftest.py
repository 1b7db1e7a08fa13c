"""What the tests of single rules share: one rule judges one claim of a patched base submission."""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate


def _judged(name, code, claim, patch=None, **settings):
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value), validate("submission", value)
    (result,) = judge(Case(to_model(value, Submission), **settings), [by_code(code)], [claim])
    return result


@pytest.fixture
def judged():
    """Return judged(base, code, claim, patch, **case fields): the rule's result on one claim of a patched base."""
    return _judged
