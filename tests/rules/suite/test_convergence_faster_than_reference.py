"""Q07, convergence-faster-than-reference."""

import pytest
from dlaudit.rules.outcome import UNDERMINES, Outcome
from dlaudit.rules.statistics.reference_runs import trimmed
from dlaudit.rules.suite.convergence_faster_than_reference import reference_at
from dlaudit.schemas.submission import ReferenceRuns
from support.patches import both

PASS, VIOLATION, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_APPLICABLE


def reference(*samples, batch=256):
    return {
        "claims": {
            "retinanet": {"reference_runs": {f"b{batch}": {"global_batch": batch, "samples_to_target": samples}}}
        }
    }


AROUND = [7.0e6, 7.2e6, 6.8e6, 7.1e6, 6.9e6, 7.0e6, 7.2e6, 6.8e6, 7.1e6, 6.9e6]


def test_convergence_against_the_reference(training):
    assert training("Q07", reference(*AROUND)) == (PASS, None)
    slower = [value * 1.2 for value in AROUND]
    assert training("Q07", reference(*slower)) == (VIOLATION, UNDERMINES)
    assert training("Q07", reference(*AROUND[:9])) == (NOT_APPLICABLE, None)
    assert training("Q07", reference(*[7.5e6] * 10)) == (NOT_APPLICABLE, None)
    assert training("Q07", reference(*slower, batch=512)) == (NOT_APPLICABLE, None)


def test_a_factor_answers_for_runs_that_are_faster_by_chance(training):
    near = reference(*[value * 1.01 for value in AROUND])
    assert training("Q07", near) == (VIOLATION, UNDERMINES)
    corrected = {"claims": {"retinanet": {"factor": {"value": "1.0069"}}}}
    assert training("Q07", both(near, corrected)) == (PASS, None)


def points(**samples):
    return {
        key: ReferenceRuns(at="", global_batch=int(key[1:]), samples_to_target=tuple(found))
        for key, found in samples.items()
    }


def test_the_reference_between_two_batches_lies_on_a_straight_line():
    found = reference_at(points(b100=[9.0, 10.0, 11.0, 12.0], b300=[19.0, 20.0, 21.0, 22.0]), 200)
    assert found.mean == pytest.approx(15.5)
    assert found.runs == 4
    assert reference_at(points(b100=[1.0, 2.0, 3.0]), 200) is None
    assert reference_at({}, 200) is None
    at = reference_at(points(b100=AROUND), 100)
    assert (at.mean, at.spread) == pytest.approx(trimmed(AROUND))
