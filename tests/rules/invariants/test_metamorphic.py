"""Said another way, a document means the same: no change of wording that keeps the meaning changes a result."""

import re
from functools import cache
from pathlib import Path

import pytest
from dlaudit.rules.bases import base
from dlaudit.rules.book import book
from dlaudit.rules.case import Case
from dlaudit.rules.documentation import example, merge_patch, sections
from dlaudit.rules.engine import judge
from dlaudit.rules.outcome import Outcome
from dlaudit.schemas.model import to_model
from dlaudit.schemas.source import read
from dlaudit.schemas.submission import Submission
from dlaudit.schemas.validation import validate

RULES = tuple(rule for rule in book() if rule.check or rule.check_document)
BASES = (
    *("accuracy", "comparison", "energy", "kernel", "quantised", "rate", "serving", "serving-comparison"),
    *("strong-scaling", "suite-inference", "suite-training", "time-to-accuracy", "training-flops", "training-pair"),
)


def _swap(*pairs):
    """Return a change that replaces words, each as a whole."""
    found = re.compile("|".join(rf"(?<![\w-]){re.escape(old)}(?![\w-])" for old, _ in pairs))
    return lambda text: found.sub(lambda match: dict(pairs)[match[0]], text)


def _clause(words):
    """Return a change that adds words at the end of a text."""

    def change(text):
        return f"{text[:-1]}, {words}." if text.endswith(".") else f"{text}, {words}"

    return change


def _turned(text):
    """Return a sentence with its leading clause at its end: "On 8 GPUs, it takes 3 s." as "It takes 3 s on 8 GPUs."."""
    match = re.fullmatch(r"((?:On|With|At|In|Over|Using) [^,.:(]+), ([^.;]+)\.", text)
    if match is None:
        return text
    lead, rest = match.groups()
    return f"{rest[0].upper()}{rest[1:]} {lead[0].lower()}{lead[1:]}."


CHANGES = {
    "accelerators": _swap(("GPU", "accelerator"), ("GPUs", "accelerators")),
    "chips": _swap(("GPU", "chip"), ("GPUs", "chips")),
    "memory": _swap(("GPUs", "GPUs with 80 GB of memory each")),
    "power": _swap(("GPUs", "GPUs limited to 400 W each")),
    "dropout": _clause("with dropout"),
    "cutlass": _clause("using CUTLASS"),
    "thousands": lambda text: re.sub(r"(?<![\w.,-])([1-9]\d{0,2})(\d{3})(?![\w.,-]|\.\d)", r"\1,\2", text),
    "plain": lambda text: re.sub(r"(?<![\w.,-])([1-9]\d{0,2}),(\d{3})(?![\w,]|\.\d)", r"\1\2", text),
    "seconds": lambda text: re.sub(r"(?<=\d) s\b", " seconds", text),
    "sec": lambda text: re.sub(r"(?<=\d) (?:s|seconds)\b", " sec", text),
    "times": lambda text: re.sub(r"(?<=\d)x (?=faster|slower|higher|lower)", " times ", text),
    "sign": lambda text: re.sub(r"(?<=\d)x(?= )", "×", text),
    "british": _swap(("optimizer", "optimiser"), ("utilization", "utilisation"), ("normalized", "normalised")),
    "american": _swap(("optimiser", "optimizer"), ("utilisation", "utilization"), ("normalised", "normalized")),
    "turned": _turned,
    "spaces": lambda text: re.sub(r"(?<=\d) (?=%|GB|ms|W\b)", "\u00a0", text),
}


TOGETHER = (
    ("accelerators", "seconds", "times", "thousands", "spaces", "dropout"),
    ("sec", "sign", "plain", "cutlass", "turned", "british"),
    ("chips", "power", "american"),
)
REPORTS = sorted((Path(__file__).parents[3] / "benchmarks" / "data" / "detection" / "bases").glob("*.yaml"))


def said(value, change):
    """Return a submission whose sentences are put another way."""
    claims = {key: claim | {"statement": change(claim["statement"])} for key, claim in value.get("claims", {}).items()}
    return value | {"claims": claims}


def results(value, rules):
    assert not validate("submission", value), validate("submission", value)
    found = judge(Case(to_model(value, Submission)), rules)
    return {
        (result.code, result.claim): (result.outcome, getattr(result.branch, "effect", None))
        for result in found
        if result.outcome is not Outcome.NOT_APPLICABLE
    }


@cache
def documents():
    """Return the name of each document, its submission and the rules that judge it."""
    return tuple(written())


@cache
def as_written(number):
    """Return the results of a document before any change."""
    _, value, rules = documents()[number]
    return results(value, rules)


def written():
    for name in BASES:
        yield name, base(name), RULES
    for rule in RULES:
        parts = sections(rule.doc)
        for heading in ("Flagged", "Accepted"):
            found = example(parts[heading])
            yield f"{rule.code} {heading.casefold()}", merge_patch(base(found.base), found.patch), (rule,)


@pytest.mark.parametrize("change", CHANGES)
def test_another_wording_changes_no_result(change):
    differ = {}
    for number, (name, value, rules) in enumerate(documents()):
        other = said(value, CHANGES[change])
        if other == value:
            continue
        before, after = as_written(number), results(other, rules)
        if before != after:
            keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
            differ[name] = {key: (before.get(key), after.get(key)) for key in keys}
    assert differ == {}


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.stem)
def test_a_report_in_other_words_is_judged_alike(path):
    value = read(str(path)).value
    before = results(value, RULES)
    for changes in TOGETHER:
        other = value
        for change in changes:
            other = said(other, CHANGES[change])
        after = results(other, RULES)
        assert {
            key: (before.get(key), after.get(key)) for key in {**before, **after} if before.get(key) != after.get(key)
        } == {}
