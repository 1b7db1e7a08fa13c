"""Every rule's flagged and accepted example is executed, and every base submission stays quiet under every rule."""

from functools import cache
from importlib.resources import files

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case, Published, Study
from dlaudit.rules.documentation import Example, example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.manifest import Predicate
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

RULES = {rule.code: rule for rule in book() if rule.check or rule.check_document}
BASES = [
    "training-pair",
    *sorted(p.name[:-5] for p in files("dlaudit.rules.bases").iterdir() if p.name.endswith(".yaml")),
]


RECORD = {
    "dlaudit": "study/1",
    "tool": {"name": "dlaudit", "version": "1"},
    "libraries": {},
    "study": {
        "id": "s",
        "title": "s",
        "spec_sha256": "0" * 64,
        "spec": "",
        "started": "2026-01-01T00:00:00Z",
        "ended": "2026-01-01T01:00:00Z",
        "complete": True,
    },
    "plan": [],
}


def studies(value, signature, nonce=None):
    """The studies that a submission cites, holding its own arms, as verification hands them on."""

    def study(name):
        record = RECORD | {"systems": value.get("systems", {}), "arms": value.get("arms", {})}
        record["study"] = RECORD["study"] | ({"nonce": nonce} if nonce is not None else {})
        readable = None if signature == "invalid" else to_model(record, Predicate, f"{name}:")
        return Study(name, readable, signature, ("its payload was changed",) if signature == "invalid" else ())

    return {name: study(name) for name in value.get("manifests", {})}


PLAIN = Example("", None, {})


def case_of(value, found=PLAIN):
    assert not validate("submission", value), validate("submission", value)
    carried, wanted = found.nonce
    cited = studies(value, found.study or "absent", carried)
    published = Published("README.md", found.source, "0" * 64) if found.source is not None else None
    return Case(to_model(value, Submission), cited, nonce=wanted, published=published)


def outcomes(value, rule, found=PLAIN):
    return {result.claim: result for result in judge(case_of(value, found), [rule])}


def chosen(results, claim):
    return [results[claim]] if claim is not None else list(results.values())


@pytest.mark.parametrize("code", RULES)
def test_flagged_example_is_flagged(code):
    found = example(sections(RULES[code].doc)["Flagged"])
    results = outcomes(merge_patch(base(found.base), found.patch), RULES[code], found)
    assert {Outcome.VIOLATION, Outcome.NOT_SHOWN} & {r.outcome for r in chosen(results, found.claim)}, results


@pytest.mark.parametrize("code", RULES)
def test_accepted_example_passes(code):
    found = example(sections(RULES[code].doc)["Accepted"])
    results = outcomes(merge_patch(base(found.base), found.patch), RULES[code], found)
    assert Outcome.PASS in {r.outcome for r in chosen(results, found.claim)}, results
    assert not {Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.ERROR} & {r.outcome for r in results.values()}, results


@pytest.mark.parametrize("code", RULES)
def test_flagged_example_reaches_the_declared_effect(code):
    """The strongest effect that a rule declares is the one its flagged example shows."""
    rule = RULES[code]
    found = example(sections(rule.doc)["Flagged"])
    results = chosen(outcomes(merge_patch(base(found.base), found.patch), rule, found), found.claim)
    effects = [r.branch.effect for r in results if r.outcome is Outcome.VIOLATION]
    assert (max(effects) if effects else None) == rule.effect


@cache
def as_submitted(name):
    """A base as it is judged, which no rule changes."""
    return case_of(base(name))


@pytest.mark.parametrize("code", RULES)
def test_bases_are_quiet(code):
    for name in BASES:
        for result in judge(as_submitted(name), [RULES[code]]):
            assert result.outcome not in {Outcome.VIOLATION, Outcome.ERROR}, (name, result)
