"""Sentences alone: what no rule may make of them."""

from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

VIOLATION = Outcome.VIOLATION


def test_a_sentence_alone_is_never_accused():
    claim = {"statement": "Up to 3x", "value": "3", "unit": "x", "quantity": "rate", "form": "ratio", "scope": "step"}
    claim |= {"mode": "training", "compares": "other_system", "group": "g", "statistic": "mean"}
    value = merge_patch({"dlaudit": "submission/1", "title": "a sentence"}, {"claims": {"speedup": claim}})
    results = judge(Case(to_model(value, Submission)), [rule for rule in book() if rule.code[0] in "SEL"])
    assert not [result for result in results if result.outcome in {VIOLATION, Outcome.ERROR}]
