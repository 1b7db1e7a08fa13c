"""The fact `runs.evaluation_events`."""

import math

from dlaudit.rules.facts.runs.evaluation_events import deciding, of_metric
from dlaudit.rules.trace import Event, Logged, Trace
from dlaudit.schemas.evidence import Target
from dlaudit.schemas.runs import Run


def logged(*events):
    return Logged("r", Run(at="/r"), Trace(tuple(events), (), "", "/r"))


def test_the_deciding_evaluation_is_the_first_by_its_counter():
    target = Target(at="", metric="accuracy", value="0.9", direction="higher")
    at_two, at_one = (Event(i, i * 1e3, "eval_accuracy", "eval", 0.95, epoch=e) for i, e in ((1, 2.0), (2, 1.0)))
    missed = Event(3, 3e3, "eval_accuracy", "eval", math.nan, epoch=0.5)
    assert deciding(logged(at_two, at_one, missed), target) is at_one
    assert deciding(logged(missed), target) is None
    assert deciding(logged(), target) is None


def test_two_metrics_under_one_key_are_no_metric():
    two = [Event(i, 0.0, "eval_accuracy", "eval", value, samples=8.0) for i, value in enumerate((88.2, 0.19))]
    assert of_metric(logged(*two), "FID") == ()
    other = [Event(1, 0.0, "eval_loss", "eval", 0.1), Event(2, 0.0, "eval_accuracy", "eval", 0.9)]
    assert of_metric(logged(*other), "mAP") == ()
    assert of_metric(logged(*other), "eval_loss") == (other[0],)
