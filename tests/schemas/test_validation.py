"""Validation: the validator that decides and the one that explains agree, and every problem is one clear sentence."""

import copy
import json
import random

import jsonschema
import pytest
from dlaudit.schemas import validation
from dlaudit.schemas.errors import UserError
from dlaudit.schemas.explanation import LIMIT_PROBLEMS, explain, local_registry
from dlaudit.schemas.source import parse, read
from dlaudit.schemas.validation import FOLDER, InvalidDocument, Problem, kinds, load, validate

EXAMPLES = {path.stem: path for path in (FOLDER.parent / "examples").iterdir()}
BEYOND = ("is too large, or too small", "in the calendar")
"""Of what a schema cannot say."""


def nodes(value, parent=None, step=None):
    """Yield every (container, key) inside a value."""
    if parent is not None:
        yield parent, step
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from nodes(value[key], value, key)


ODD = [None, True, 0, -1, 1.0, 1.5, 1e300, "", "x", "x\n", "٣", "ratio", "2.00", [], [1], ["a", "a"], {}]
ODD += [{"x": 1}, {"not_applicable": "no such thing"}, {"value": "1"}]


def mutated(value, chance):
    """Return a copy of a document with one to three random changes."""
    value = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        places = list(nodes(value))
        if not places:
            break
        parent, key = chance.choice(places)
        other_parent, other_key = chance.choice(places)
        action = chance.randrange(5)
        if action == 0:
            del parent[key]
        elif action == 1:
            parent[key] = copy.deepcopy(other_parent[other_key]) if other_key in dict_or_range(other_parent) else None
        elif action == 2 and isinstance(parent, dict):
            parent[chance.choice(["x", "a b", "statment", key + "s"])] = parent.pop(key)
        elif action == 3 and isinstance(parent[key], str):
            parent[key] += chance.choice(["\n", " ", "x", "0"])
        else:
            parent[key] = copy.deepcopy(chance.choice(ODD))
    return value


def dict_or_range(container):
    return container if isinstance(container, dict) else range(len(container))


def test_every_example_is_of_a_kind():
    assert set(EXAMPLES) <= set(kinds())


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_examples_are_valid(kind):
    assert validate(kind, load(EXAMPLES[kind], kind).value) == ()


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_both_validators_judge_mutated_examples_alike(kind):
    example = read(EXAMPLES[kind]).value
    explainer = jsonschema.Draft202012Validator(validation.schema(kind), registry=local_registry())
    chance = random.Random(kind)
    verdicts = []
    for _ in range(120):
        value = mutated(example, chance)
        problems = validate(kind, value)
        verdicts.append(not problems)
        problems = [problem for problem in problems if not problem.what.endswith(BEYOND)]
        assert explainer.is_valid(value) == (not problems), json.dumps(value)
        source = parse(json.dumps(value).encode(), "x.json")
        for problem in problems:
            assert problem.what
            assert "not a valid" not in problem.what, json.dumps(value)
            assert len(validation.format_problem(source, problem)) < 1000
    assert False in verdicts


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.name)
def test_schemas_are_valid_local_and_named_by_their_files(path):
    schema = json.loads(path.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"] == validation.BASE + path.name
    for parent, key in nodes(schema):
        if key == "$ref":
            assert parent[key].startswith(("#/$defs/", "common.schema.json#/$defs/")), parent[key]
        if key == "pattern":
            # A dollar sign accepts a trailing line feed in one of the validators; \d other digits.
            assert parent[key].endswith(r"(?![\s\S])"), parent[key]
            assert "\\d" not in parent[key], parent[key]


def test_a_remote_reference_is_refused():
    with pytest.raises(ValueError, match="no schema of dlaudit"):
        validation.local_schema("https://example.org/common.schema.json")
    for name in ("../errors.py", "nope.schema.json", "", "..\\x"):
        with pytest.raises(ValueError, match="no schema of dlaudit"):
            validation.local_schema(validation.BASE + name)
    with pytest.raises(KeyError):
        validation.schema("common")


def problems(kind="submission", **changes):
    example = read(EXAMPLES[kind]).value
    example.update(changes)
    return {problem.pointer: (problem.what, problem.todo) for problem in validate(kind, example)}


def test_an_unknown_field_is_met_with_the_nearest_known_one():
    assert problems(coverge="full") == {"/coverge": ("unknown field 'coverge'", "did you mean 'coverage'?")}
    what, todo = problems(zzz=1)["/zzz"]
    assert what == "unknown field 'zzz'"
    assert todo.startswith("remove it; the fields here are: dlaudit, title")


def test_all_problems_come_at_once():
    example = read(EXAMPLES["submission"]).value
    name, claim = next(iter(example["claims"].items()))
    del claim["statement"], example["title"]
    claim["form"], claim["statment"], claim["value"] = "rato", "x", 3.2
    found = {(problem.pointer, problem.what, problem.todo) for problem in validate("submission", example)}
    at = f"/claims/{name}"
    assert ("", "missing field 'title'", "add it: Title.") in found
    assert (at, "missing field 'statement'", "add it: The sentence as printed.") in found
    assert (f"{at}/statment", "unknown field 'statment'", "did you mean 'statement'?") in found
    forms = "absolute, ratio, efficiency, rank, parity, words"
    assert (f"{at}/form", f"'rato' is not one of: {forms}", "did you mean 'ratio'?") in found
    assert (f"{at}/value", "expected a string, got the number 3.2", "write it in quotes") in found
    assert len(found) == 5


def test_types_and_bounds_are_said_in_words():
    systems = {"s": {"name": "x", "nodes": 0, "devices_per_node": "8", "device_memory_gib": True}}
    found = problems(systems=systems)
    assert found["/systems/s/nodes"][0] == "0 is not at least 1"
    assert found["/systems/s/devices_per_node"] == ("expected a whole number, got a string", "write a whole number")
    assert found["/systems/s/device_memory_gib"] == ("expected a number, got true", "write a number")


def test_alternatives_name_only_what_was_meant():
    example = read(EXAMPLES["spec"]).value
    for name in ("throughput", "convergence"):
        example.pop(name, None)
    (problem,) = validate("spec", example)
    assert problem == Problem("", "one of these fields is needed: 'throughput' or 'convergence'", "add one of them")


def test_another_kind_of_document_is_one_problem():
    (problem,) = validate("submission", read(EXAMPLES["spec"]).value)
    assert problem == Problem("/dlaudit", "a spec document, where a submission is needed", "give a submission")


def test_the_error_shows_every_problem_with_its_place(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{\n "dlaudit": "submission/1",\n "title": "",\n "claims": [],\n "\\u001b[31m": 1\n}\n')
    with pytest.raises(InvalidDocument) as caught:
        load(path, "submission")
    lines = str(caught.value).splitlines()
    assert lines[0] == "not a valid submission document, 3 problems:"
    assert lines[1] == f"{path}:3:11 (/title): expected at least 1 characters, got 0; expected: Text."
    assert lines[2] == f"{path}:4:12 (/claims): expected an object, got a list; write an object"
    assert lines[3].startswith(f"{path}:5:16 (/\\x1b[31m): unknown field '\\x1b[31m'; ")
    assert len(caught.value.problems) == 3
    assert isinstance(caught.value, UserError)
    assert caught.value.source.value["title"] == ""


def test_messages_stay_short_and_few_for_huge_documents():
    huge = {"dlaudit": "submission/1", "title": "x" * 500_000, "coverage": "y" * 500_000, "claims": ["z" * 500_000]}
    huge |= {f"field{index}": [0] * 100 for index in range(1000)}
    found = validate("submission", huge)
    assert len(found) == LIMIT_PROBLEMS + 1
    assert found[-1].what == f"more than {LIMIT_PROBLEMS} problems; the rest is not shown"
    assert max(len(problem.what) + len(problem.todo) for problem in found) < 400


def test_a_long_list_without_order_is_searched_for_repetitions_once():
    """Comparing each with each would take 10^10 steps."""
    items = [{"a": index} if index % 2 else str(index) for index in range(100_000)]
    (problem,) = explain({"uniqueItems": True}, [*items, {"a": 1}])
    assert problem == Problem("/100000", "an object is given twice in the list", "keep one of the two")


@pytest.mark.parametrize("kind", kinds())
def test_no_function_of_ours_runs_while_a_validator_is_made(monkeypatch, kind):
    """A signal that arrived in one would come back as an error of the schema."""
    validation.schema(kind)
    validation._shared()

    def called(uri):
        raise AssertionError(f"{uri} is fetched")

    monkeypatch.setattr(validation, "local_schema", called)
    validation._decider.__wrapped__(kind)
