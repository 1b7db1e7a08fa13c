"""The questions about a claim, in plain words, with what each answer writes into a submission."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ...schemas.printed_forms import LOSSES
from .submission import Value

MOST_NUMBERS = 8
"""Numbers of a document from which one is chosen."""


class Change(Struct, frozen=True):
    """What an answer writes: a value at a path of the claim, of an arm behind it, of its number or its quality."""

    of: str
    path: tuple[str, ...]
    value: Any


class Answer(Struct, frozen=True):
    """An answer in words, and what it writes; one that writes nothing leaves all as it is."""

    words: str
    changes: tuple[Change, ...] = ()


class Question(Struct, frozen=True):
    """A question about a claim.

    Attributes:
        field: field of the claim that it is about; empty where it is one of an arm.
        ask: the question.
        tried: answers that are tried out.
        choices: answers to choose from; none where a number is asked for.
        now: the answer that the draft has; empty where it says nothing.
        counted: from a number to what it writes, where one is asked for.
    """

    field: str
    ask: str
    tried: tuple[Answer, ...]
    choices: tuple[Answer, ...] = ()
    now: str = ""
    counted: Callable[[int], tuple[Change, ...]] | None = None


FIELDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "quantity": (
        "Faster in what sense?",
        {"rate": "more work per second", "time": "less time", "latency": "less time until one answer"},
    ),
    "mode": ("Training or inference?", {"training": "training", "inference": "inference", "none": "neither"}),
    "scope": (
        "What does one measurement cover?",
        {
            "step": "a step or batch", "epoch": "an epoch", "training_run": "a whole training",
            "request": "a request", "kernel": "a kernel", "not_stated": "the document does not say",
        },
    ),
    "compares": (
        "What is it compared with?",
        {
            "own_variants": "another version or setting of the same authors", "other_system": "somebody else's system",
            "not_stated": "the document does not say",
        },
    ),
    "purpose": (
        "What is a reader to conclude from it?",
        {
            "hardware_throughput": "how fast the hardware is", "method_speedup": "that the method is faster",
            "time_to_accuracy": "how soon a quality is reached", "serving_objective": "that a service keeps a bound",
        },
    ),
}  # fmt: skip
PRECISIONS = ("fp32", "tf32", "bf16", "fp16", "fp8", "int8", "mixed")
SPLITS = {"test": "test", "validation": "validation", "train": "training data", "held_out": "another part, held out"}
REPEATED = {"training": "iteration", "inference": "request", "none": "iteration"}


def questions_about(value: Value, key: str) -> Iterator[Question]:
    """Yield every question that may be asked about a claim of a draft, the most telling first."""
    claim = value["claims"][key]
    if claim["quantity"] in {"accuracy", *LOSSES}:
        yield from _of_quality(value, claim)
        return
    for name in FIELDS:
        if _is_open(name, claim):
            yield _of_field(name, claim)
    if claim["form"] != "absolute":
        yield from _of_numbers(value, claim)
    yield from _of_quality(value, claim)
    yield from _of_measurement(value, claim)


def _is_open(name: str, claim: Value) -> bool:
    """Whether nothing in the sentence says what a field is to hold, so that a default stands there, or nothing."""
    is_ratio = claim["form"] != "absolute"
    now = claim.get(name)
    return {
        "quantity": is_ratio and now == "time",
        "mode": now == "none",
        "scope": now == "not_stated" and (is_ratio or claim["quantity"] in {"time", "latency"}),
        "compares": is_ratio and not claim.get("comparator") and not (claim.get("base") or {}).get("definition"),
        "purpose": is_ratio and now is None,
    }[name]


def _of_field(name: str, claim: Value) -> Question:
    ask, words = FIELDS[name]
    choices = tuple(Answer(said, (Change("claim", (name,), option),)) for option, said in words.items())
    now = claim.get(name)
    tried = tuple(choice for option, choice in zip(words, choices, strict=True) if option != now)
    return Question(name, ask, tried, choices, words.get(now, "") if isinstance(now, str) else "")


def _of_numbers(value: Value, claim: Value) -> Iterator[Question]:
    """Ask which of the document's numbers a ratio relates."""
    numbers = list(_numbers(value, claim))[:MOST_NUMBERS]
    if len(numbers) < 2:
        return
    none = Answer("none of these, or not stated")
    asks = (
        ("measured", "Which number is the faster, or the claimed, one?"),
        ("base", "Which number is it compared with?"),
    )
    for name, ask in asks:
        ref = claim.get(name) or {}
        if ref.get("metric") is not None or ref.get("value") is not None:
            continue
        choices = tuple(
            Answer(words, (Change("claim", (name, "arm"), arm), Change("claim", (name, "metric"), metric)))
            for arm, metric, words in numbers
        )
        yield Question(name, ask, choices[:4], (*choices, none))


def _numbers(value: Value, claim: Value) -> Iterator[tuple[str, str, str]]:
    wanted = {"time", "latency", "rate"} if claim["quantity"] in {"time", "latency", "rate"} else {claim["quantity"]}
    for arm, fields in value.get("arms", {}).items():
        for name, metric in fields.get("performance", {}).items():
            if metric.get("value") is not None and metric["quantity"] in wanted:
                yield arm, name, f"{metric['value']} {metric['unit']}: {fields.get('label', arm)}"


def _of_quality(value: Value, claim: Value) -> Iterator[Question]:
    arms = value.get("arms", {})
    ref = claim.get("quality")
    if ref is None and claim["mode"] == "training":
        found = [
            (arm, name, f"{quality['metric']} {quality['value']}: {fields.get('label', arm)}")
            for arm, fields in arms.items()
            for name, quality in fields.get("quality", {}).items()
            if quality.get("value") is not None
        ][:MOST_NUMBERS]
        choices = tuple(
            Answer(words, (Change("claim", ("quality",), {"arm": arm, "quality": name}),)) for arm, name, words in found
        )
        if choices:
            none = Answer("none of these, or not stated")
            ask = "Which quality did the measured model reach?"
            yield Question("quality", ask, choices[:4], (*choices, none))
    if ref is not None and arms.get(ref.get("arm"), {}).get("quality", {}).get(ref.get("quality"), {"split": ""}):
        quality = arms[ref["arm"]].get("quality", {}).get(ref.get("quality"), {})
        if quality.get("split") is None:
            choices = tuple(Answer(said, (Change("quality", ("split",), name),)) for name, said in SPLITS.items())
            ask = f"On which data was {quality.get('metric', 'the quality')} measured?"
            yield Question("quality", ask, choices, (*choices, Answer("not stated")))


def _of_measurement(value: Value, claim: Value) -> Iterator[Question]:
    arm = value.get("arms", {}).get((claim.get("measured") or {}).get("arm"))
    if arm is None:
        return
    metric = arm.get("performance", {}).get((claim.get("measured") or {}).get("metric"))
    options = arm.get("options", {})
    if arm.get("devices") is None and options.get("devices") is None:
        yield _counted("On how many devices was it measured?", lambda n: (Change("arm", ("devices",), n),), (1, 8))
    if (options.get("precision") or {}).get("compute") is None:
        choices = tuple(
            Answer(name, (Change("arm", ("options", "precision", "compute"), name),)) for name in PRECISIONS
        )
        ask = "In which number format did it compute?"
        yield Question("", ask, choices[2:5], (*choices, Answer("not stated")))
    if options.get("global_batch") is None:
        ask = "How many samples were there in a batch, over all devices?"
        yield _counted(ask, lambda n: (Change("arm", ("options", "global_batch"), n),), (1, 256))
    if metric is not None and metric.get("n") is None:
        unit = "training_run" if claim["scope"] == "training_run" else REPEATED[claim["mode"]]
        ask = f"How many {unit.replace('_', ' ')}s are behind it?"
        yield _counted(ask, lambda n: (Change("number", ("n",), {"unit": unit, "completed": n}),), (1, 10, 100))
    if metric is not None and metric.get("trials") is None:
        ask = "How many fresh processes are behind it?"
        yield _counted(ask, lambda n: (Change("number", ("trials",), n),), (1, 5))


def _counted(ask: str, changes: Callable[[int], tuple[Change, ...]], tried: tuple[int, ...]) -> Question:
    return Question("", ask, tuple(Answer(str(n), changes(n)) for n in tried), counted=changes)
