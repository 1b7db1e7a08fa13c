"""JSONTestSuite: whatever must be refused is, and whatever must be accepted is, but for repeated keys."""

import json

from dlaudit.schemas import strict_json
from dlaudit.schemas.errors import UserError

REPEATED_KEYS = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}
UNDERFLOWS = {"i_number_double_huge_neg_exp.json", "i_number_real_underflow.json"}


def accepted(path):
    data = path.read_bytes()
    try:
        value = strict_json.loads(data, path.name)
    except UserError as error:
        refusal = error
    else:
        assert value == json.loads(data)
        return True
    assert refusal.where.startswith(path.name + ":"), refusal
    assert refusal.todo, refusal
    return False


def test_invalid_texts_are_refused(conformance):
    files = sorted(conformance.glob("json-parsing/n_*.json"))
    assert len(files) >= 180
    assert [path.name for path in files if accepted(path)] == []


def test_valid_texts_are_accepted_but_for_repeated_keys(conformance):
    files = sorted(conformance.glob("json-parsing/y_*.json"))
    assert len(files) >= 90
    assert {path.name for path in files if not accepted(path)} == REPEATED_KEYS


def test_what_the_standard_leaves_open_is_refused_but_for_underflow(conformance):
    files = sorted(conformance.glob("json-parsing/i_*.json"))
    assert len(files) >= 30
    assert {path.name for path in files if accepted(path)} == UNDERFLOWS
