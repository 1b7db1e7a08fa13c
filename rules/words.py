"""The words that a predicate may use, each a test over a claim."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from ..schemas.submission import Claim
from .case import Case
from .facts.comparison.pairing import paired_quality
from .facts.comparison.tuning import search_of, uncounted_search
from .facts.comparison.tuning import tuned as was_tuned
from .fields import DEVICES, field_of
from .language.reading import read


def _is(name: str, *values: str) -> Callable[[Claim, Case], bool]:
    return lambda claim, case: field_of(name, claim, case) in values


def training(claim: Claim, case: Case) -> bool:
    """Whether a claim is about training as a whole step or more."""
    return claim.mode == "training" and claim.scope in {"step", "epoch", "training_run", "pipeline"}


def training_time(claim: Claim, case: Case) -> bool:
    """Whether a claim is a time of a whole training."""
    return claim.scope == "training_run" and claim.quantity == "time"


def tta(claim: Claim, case: Case) -> bool:
    """Whether a claim is a time to a stated accuracy."""
    return training_time(claim, case) and target_of(claim, case) is not None


def target_of(claim: Claim, case: Case) -> object:
    """Return the target of a claim: its own, else that of the arm behind it."""
    side = case.subject(claim)
    return claim.target or (side.arm.target if side is not None else None)


def scaling(claim: Claim, case: Case) -> bool:
    """Whether a claim relates training at several device counts."""
    points = field_of("points", claim, case)
    if not (isinstance(points, int) and points >= 2 and claim.mode == "training"):
        return False
    table = case.table(claim)
    return (
        claim.form in {"efficiency", "ratio", "words"}
        or claim.label is not None
        or (table is not None and (table.label is not None or not DEVICES.isdisjoint(table.varies)))
    )


def speedup(claim: Claim, case: Case) -> bool:
    """Whether a claim is a ratio of rates or times."""
    return claim.form == "ratio" and claim.quantity in {"rate", "time", "latency"}


def small_ratio(claim: Claim, case: Case) -> bool:
    """Whether a claimed ratio, or its inverse, is below 1.3."""
    if claim.form != "ratio" or claim.value is None:
        return False
    value = abs(Decimal(claim.value))
    if claim.unit == "%":
        value = 1 + value / 100
    return value > 0 and max(value, 1 / value) < Decimal("1.3")


def best(claim: Claim, case: Case) -> bool:
    """Whether a claim is a superlative."""
    return claim.form == "rank" or claim.superlative is not None


def measured(claim: Claim, case: Case) -> bool:
    """Whether a claim rests on a measurement that could come out otherwise."""
    return field_of("basis", claim, case) == "measured" and claim.quantity != "count"


def timing(claim: Claim, case: Case) -> bool:
    """Whether a claim is a measured rate, time or latency."""
    return measured(claim, case) and claim.quantity in {"rate", "time", "latency"}


def serving(claim: Claim, case: Case) -> bool:
    """Whether a claim is about a service that answers requests."""
    return claim.mode == "inference" and claim.scope in {"request", "serving_window"}


def quantised(claim: Claim, case: Case) -> bool:
    """Whether a claim is about inference with weights or activations of at most 8 bits."""
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    if claim.mode != "inference" or options is None:
        return False
    formats = [options.precision.compute, options.precision.weights] if options.precision is not None else []
    return any(name in {"e4m3", "e5m2", "fp8", "e3m2", "e2m3", "fp6", "e2m1", "int8", "int4"} for name in formats) or (
        options.quantisation is not None and options.quantisation != "none"
    )


def kernel(claim: Claim, case: Case) -> bool:
    """Whether a claim is about a kernel, a collective or a layer."""
    return claim.scope in {"kernel", "collective", "layer"}


def quality_at_stake(claim: Claim, case: Case) -> bool:
    """Whether a claim asks the reader to believe that quality is kept or reached."""
    return (
        claim.quantity == "accuracy"
        or tta(claim, case)
        or field_of("purpose", claim, case) in {"method_speedup", "time_to_accuracy"}
        or (best(claim, case) and not kernel(claim, case))
    )


def verified_entry(claim: Claim, case: Case) -> bool:
    """Whether a claim quotes a published entry of a suite that was verified: by its id, one of the stated round.

    What the suite's review saw of such a result (how often it ran, accuracy and compliance runs, the other scenarios)
    is part of the entry, and no quotation repeats it. The result as it is handed in to that review is none.
    """
    result, submission = claim.suite_result, case.submission
    if result is None or result.verified is not True or result.id is None or claim.basis in {"projected", "simulated"}:
        return False
    if submission.publication is None or case.runs(claim):
        return False
    from .tables import mlperf

    return mlperf.round_of_id(result.id.strip()) == (result.round or "").strip().casefold().removeprefix("v")


def tuned(claim: Claim, case: Case) -> bool:
    """Whether a training was tuned, as its sentence, a quote beside it or the search behind its arm says."""
    if claim.mode != "training":
        return False
    side = case.subject(claim)
    search = search_of(side)
    searched = search is not None and (search.defaults_changed is True or was_tuned(search))
    quoted = any(item.topic == "tuning_effort" and uncounted_search(item.quote) for item in claim.said)
    return searched or quoted or read(claim.statement).has("tuned_training")


def pairing(claim: Claim, case: Case) -> bool:
    """Whether the document puts a performance and a quality value of one model into one sentence or headline."""
    return paired_quality(claim, case) is not None


WORDS: dict[str, Callable[[Claim, Case], bool]] = {
    "any": lambda claim, case: True,
    "folder": lambda claim, case: case.submission.folder is not None,
    "rate": _is("quantity", "rate"),
    "time": _is("quantity", "time"),
    "latency": _is("quantity", "latency"),
    "flops": _is("quantity", "flops"),
    "mfu": _is("quantity", "mfu"),
    "energy": _is("quantity", "energy"),
    "cost": _is("quantity", "cost"),
    "accuracy": _is("quantity", "accuracy"),
    "ratio": _is("form", "ratio"),
    "parity": _is("form", "parity"),
    "words": _is("form", "words"),
    "training": training,
    "inference": _is("mode", "inference"),
    "kernel": kernel,
    "part": _is("scope", "kernel", "collective", "layer", "phase"),
    "training_time": training_time,
    "tta": tta,
    "scaling": scaling,
    "speedup": speedup,
    "small_ratio": small_ratio,
    "comparison": lambda claim, case: claim.compares != "none",
    "best": best,
    "measured": measured,
    "timing": timing,
    "serving": serving,
    "llm": _is("work", "tokens"),
    "quantised": quantised,
    "accelerator": _is("device", "accelerator"),
    "hosted": _is("site", "hosted"),
    "replicated": lambda claim, case: claim.replicated is True,
    "pairing": pairing,
    "tuned": tuned,
    "quality_at_stake": quality_at_stake,
    "suite": _is("suite", "training", "inference"),
    "suite_training": _is("suite", "training"),
    "suite_inference": _is("suite", "inference"),
    "closed": _is("division", "closed"),
    "verified_entry": verified_entry,
}
