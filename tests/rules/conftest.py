"""What the tests of single rules share: one rule judges one claim of a patched base submission.

Patches and readings that several tests need lie in support/, which pytest finds through `pythonpath` in pyproject.toml.
"""

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate


def _judged(name, code, claim, patch=None, **settings):
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value), validate("submission", value)
    (result,) = judge(Case(to_model(value, Submission), **settings), [by_code(code)], [claim])
    return result


def _outcome_and_effect(result):
    effect = getattr(result.branch, "effect", None) if result.outcome is Outcome.VIOLATION else None
    return result.outcome, effect


@pytest.fixture
def judged():
    """Return judged(base, code, claim, patch, **case fields): the rule's result on one claim of a patched base."""
    return _judged


@pytest.fixture
def logged_training(judged):
    """Return logged_training(code, patch): the rule's result on a training result with its logs."""
    return lambda code, patch: judged("suite-training", code, "retinanet", patch)


@pytest.fixture
def training(judged):
    """Return training(code, patch, **case fields): outcome, and effect of a violation, of a training result."""

    def judge(code, patch=None, **case):
        return _outcome_and_effect(judged("suite-training", code, "retinanet", patch or {}, **case))

    return judge


@pytest.fixture
def inference(judged):
    """Return inference(code, patch, claim, **case fields): the same of an inference result."""

    def judge(code, patch=None, claim="offline", **case):
        return _outcome_and_effect(judged("suite-inference", code, claim, patch or {}, **case))

    return judge


@pytest.fixture
def quoted(judged):
    """Return quoted(code, claim, **document): the same of a result that a claim quotes."""

    def judge(code, claim=None, **document):
        patch = {"claims": {"retinanet": claim or {}}} | document
        return _outcome_and_effect(judged("suite-training", code, "retinanet", patch))

    return judge
