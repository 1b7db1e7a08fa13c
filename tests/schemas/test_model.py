"""Typed models: they agree with their schemas, and every node knows its place."""

import json

import msgspec
import pytest
from dlaudit.schemas import (
    conditions,
    energy,
    evidence,
    manifest,
    operations,
    options,
    ranks,
    requests,
    runs,
    submission,
)
from dlaudit.schemas.model import Node, to_model
from dlaudit.schemas.source import read
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import FOLDER

EXAMPLE = FOLDER.parent / "examples" / "submission.yaml"


def definitions(name):
    schema = json.loads((FOLDER / f"{name}.schema.json").read_bytes())
    found = {key: value for key, value in schema["$defs"].items() if "properties" in value}
    if "properties" in schema:
        found[name] = schema
    return found


def snake(name):
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def models(*modules):
    found = {}
    for module in modules:
        for name, kind in vars(module).items():
            if isinstance(kind, type) and issubclass(kind, Node) and kind.__module__ == module.__name__:
                found[snake(name)] = kind
    return found


@pytest.mark.parametrize(
    ("schema", "modules"),
    [
        ("common", (conditions, energy, evidence, operations, options, ranks, requests, runs)),
        ("submission", (submission,)),
        ("manifest", (manifest,)),
    ],
)
def test_models_have_the_fields_of_their_schemas(schema, modules):
    described = definitions(schema)
    described.pop("not_applicable", None)
    typed = models(*modules)
    assert set(typed) == set(described)
    for name, kind in typed.items():
        own = {field.encode_name for field in msgspec.structs.fields(kind) if field.name != "at"}
        assert own == set(described[name]["properties"]), name
        required = {field.encode_name for field in msgspec.structs.fields(kind) if field.required}
        assert required == set(described[name].get("required", ())), name


def test_every_field_is_described():
    for name in ("common", "submission", "manifest"):
        for key, definition in definitions(name).items():
            for field, value in definition["properties"].items():
                assert value.get("description", "").endswith("."), (key, field)


def test_nodes_know_their_places():
    source = read(EXAMPLE)
    model = to_model(source.value, Submission)
    metric = model.arms["fused"].performance["rate"]
    assert metric.at == "/arms/fused/performance/rate"
    assert metric.place("interval", "low") == "/arms/fused/performance/rate/interval/low"
    evaluation = model.arms["fused"].trials["s1"].evaluations[1]
    assert source.line(source.place(evaluation.at).line).strip().startswith("- {split: test, samples: 80000")


def test_a_whole_number_may_be_written_with_a_fraction():
    value = read(EXAMPLE).value
    value["arms"]["fused"]["devices"] = 1.0
    assert to_model(value, Submission).arms["fused"].devices == 1
