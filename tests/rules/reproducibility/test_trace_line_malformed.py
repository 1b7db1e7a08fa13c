"""R09, trace-line-malformed."""

import pytest
from dlaudit.rules.outcome import Outcome
from support.training_logs import training_arm


def broken(text, **line):
    malformed = {"95": {"column": 31, "expected": "a comma", "text": text} | line}
    return training_arm(runs={"result_1": {"malformed": malformed}})


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (':::MLLOG {"key": "eval_accuracy", "value": 0.3', Outcome.NOT_SHOWN),
        (':::MLLOG {"key": "score" 38.115', Outcome.VIOLATION),
        (':::MLLOG {"key": "score" 138.115', Outcome.NOT_SHOWN),
        (':::MLLOG {"key": "score" 38.1150', Outcome.NOT_SHOWN),
        ("", Outcome.NOT_SHOWN),
    ],
)
def test_broken_lines(judged, text, outcome):
    result = judged("suite-training", "R09", "retinanet", broken(text) if text else broken(None))
    assert result.outcome is outcome
    assert result.branch.at == "/arms/retinanet/runs/result_1/malformed/95"


def test_a_short_declared_number_is_a_coincidence(judged):
    patch = broken(':::MLLOG {"key": "score" 38')
    patch["claims"] = {"retinanet": {"value": "38"}}
    assert judged("suite-training", "R09", "retinanet", patch).outcome is Outcome.NOT_SHOWN
