"""What a not-shown finding offers as the missing piece is a valid piece of a submission or of a spec."""

from functools import cache
from importlib.resources import files

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import NotShown
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import parse
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import schema, validate
from support.validity import valid

SENTENCE = {
    "statement": "Our system trains 3.2x faster.",
    "value": "3.2",
    "unit": "x",
    "quantity": "rate",
    "form": "ratio",
    "scope": "step",
    "purpose": "method_speedup",
    "mode": "training",
    "compares": "other_system",
}
CLAIMS = {
    "speedup": SENTENCE,
    "best": {**SENTENCE, "form": "rank", "superlative": "the fastest", "value": "1", "unit": "rank"},
    "parity": {**SENTENCE, "form": "parity", "quantity": "accuracy"},
    "time": {
        **SENTENCE,
        "form": "absolute",
        "unit": "s",
        "quantity": "time",
        "scope": "training_run",
        "compares": "none",
        "target": {"metric": "accuracy", "value": "0.95", "direction": "higher"},
    },
    "ops": {**SENTENCE, "form": "absolute", "unit": "FLOP/s", "quantity": "flops", "compares": "none"},
    "cost": {**SENTENCE, "form": "absolute", "unit": "USD", "quantity": "cost", "scope": "training_run"},
    "energy": {**SENTENCE, "quantity": "energy"},
    "scaling": {**SENTENCE, "points": 8, "compares": "own_variants"},
    "serving": {**SENTENCE, "mode": "inference", "scope": "serving_window", "work": "tokens"},
}


RULES = {rule.code: rule for rule in book() if rule.check or rule.check_document}
DOCUMENTS = ("sentences", *RULES)


def document(name):
    """Sentences without evidence, or the flagged example of a rule."""
    if name == "sentences":
        return {"dlaudit": "submission/1", "title": "sentences", "claims": CLAIMS}
    found = example(sections(RULES[name].doc)["Flagged"])
    return merge_patch(base(found.base), found.patch)


@cache
def not_shown(name):
    """What the rules find not shown in a document: their codes, each with the piece that it offers or None."""
    results = judge(Case(to_model(document(name), Submission)), book())
    branches = ((result.code, result.branch) for result in results)
    return {(code, branch.provide or None) for code, branch in branches if isinstance(branch, NotShown)}


def fits(piece):
    """Return the problems of a piece as part of a submission, or of a spec; empty where it is valid in either."""
    submission = merge_patch(base("training-pair"), piece)
    spec = parse(files("dlaudit.schemas").joinpath("examples/spec.yaml").read_bytes(), "spec.yaml").value
    changed = merge_patch(spec, piece)
    if valid(submission) or valid(changed, "spec"):
        return ()
    return validate("submission", submission), validate("spec", changed)


def on_the_base(piece):
    """Return a piece as a change of things that exist: what it names begins as the base's."""
    arm = base("training-pair")["arms"]["fused"]
    starts = {
        "claims": base("training-pair")["claims"]["speedup"],
        "tables": {"columns": {"rate": {"quantity": "rate", "unit": "tokens/s"}}, "rows": {}},
        "manifests": {"path": "study/manifest.json", "sha256": "0" * 64},
        "systems": {"name": "one A100"},
    }
    inside = {"performance": arm["performance"]["rate"], "quality": arm["quality"]["loss"]}
    grown = {}
    for key, items in piece.items():
        if key in starts:
            grown[key] = {name: merge_patch(starts[key], item) for name, item in items.items()}
        elif key == "arms":
            grown[key] = {name: {**item, **_entries(item, inside)} for name, item in items.items()}
        else:
            grown[key] = items
    return grown


def _entries(arm, inside):
    return {
        key: {name: merge_patch(start, entry) for name, entry in arm[key].items()}
        for key, start in inside.items()
        if key in arm
    }


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_piece_is_valid(name):
    allowed = set(schema("submission")["properties"]) | set(schema("spec")["properties"])
    for code, provide in sorted((code, provide) for code, provide in not_shown(name) if provide):
        piece = parse(provide.encode(), "piece.yaml").value
        assert isinstance(piece, dict)
        assert set(piece) <= allowed, (code, provide)
        problems = fits(on_the_base(piece))
        assert not problems, (code, provide, problems)


def test_most_rules_that_can_be_not_shown_offer_a_piece():
    found = set().union(*(not_shown(name) for name in DOCUMENTS))
    offering = {code for code, provide in found if provide}
    silent = {code for code, provide in found if not provide}
    assert len(silent) <= len(offering) / 4, sorted(silent)
