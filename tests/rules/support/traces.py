"""Runs with events, as cases."""

from dlaudit.rules.bases import base
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import merge_patch
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate


def case_of(name, patch=None):
    value = merge_patch(base(name), patch or {})
    assert not validate("submission", value)
    return Case(to_model(value, Submission))


def runs(name, claim, patch=None):
    case = case_of(name, patch)
    return case.runs(case.submission.claims[claim])


def of_run(**events):
    return {"arms": {"retinanet": {"runs": {"result_0": {"events": events}}}}}
