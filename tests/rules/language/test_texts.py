"""Texts of many styles with what is to be read of them, in the conventions of the benchmark of reading."""

import json
from pathlib import Path

import pytest
from dlaudit.rules.language.annotations import annotated

TEXTS = [json.loads(line) for line in Path(__file__).with_name("texts.jsonl").read_text(encoding="utf-8").splitlines()]


def near(a, b):
    if isinstance(a, list) or isinstance(b, list):
        return isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and all(map(near, a, b))
    return a == b if a is None or b is None else abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-9)


@pytest.mark.parametrize("item", TEXTS, ids=lambda item: item["id"])
def test_a_text_is_read_as_annotated(item):
    found = annotated(item["text"], item.get("kind"))
    for layer, value, keys in (
        ("quantities", "value", ("unit", "dimension")),
        ("counts", "value", ("of",)),
        ("comparisons", "degree", ("form", "sense")),
    ):
        expected = list(item[layer])
        for read in found[layer]:
            match = next(
                (
                    e
                    for e in expected
                    if near(e[value], read[value]) and all(e[k] == read[k] for k in keys) and overlaps(e, read)
                ),
                None,
            )
            assert match is not None, (layer, read, item["text"][slice(*read["span"])])
            expected.remove(match)
        assert expected == [], layer


def overlaps(a, b):
    return a["span"][0] < b["span"][1] and b["span"][0] < a["span"][1]
