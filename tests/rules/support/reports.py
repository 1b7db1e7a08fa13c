"""Small reports: a claim or two with what is really written beside them, judged by one rule."""

from dlaudit.rules.book import by_code
from dlaudit.rules.case import Case
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

RATE = {
    "statement": "The trainer reaches 5000 images per second.",
    "value": "5000",
    "unit": "images/s",
    "quantity": "rate",
    "form": "absolute",
    "scope": "step",
    "mode": "training",
    "compares": "none",
    "purpose": "hardware_throughput",
    "measured": {"arm": "timed", "metric": "rate"},
}
EFFICIENCY = RATE | {
    "statement": "Scaling efficiency on 256 devices is 88 %.",
    "value": "88",
    "unit": "%",
    "form": "efficiency",
    "compares": "own_variants",
}
SPEED = {"rate": {"quantity": "rate", "value": "5000", "unit": "images/s"}}
TIMED = {"options": {"model": "net-a"}, "performance": SPEED}
ACCURACY = {"metric": "accuracy", "value": "76.1", "unit": "%", "direction": "higher"}


def report(code, claim, arms=None, **parts):
    """Judge the only claim of a small report by one rule."""
    value = {
        "dlaudit": "submission/1",
        "title": "A report",
        "claims": {"it": claim},
        "arms": {"timed": TIMED} if arms is None else arms,
        **parts,
    }
    assert not validate("submission", value), validate("submission", value)
    (result,) = judge(Case(to_model(value, Submission)), [by_code(code)], ["it"])
    return result


def outcome(result):
    return result.outcome, getattr(result.branch, "question", None)


MISSING, ASKED = (Outcome.NOT_SHOWN, False), (Outcome.NOT_SHOWN, True)
