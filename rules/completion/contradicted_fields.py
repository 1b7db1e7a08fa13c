"""Fields of a claim that its own words, or its unit, contradict."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case
from ..facts.quantities.numbers import PERCENT
from ..language.comparison import Comparison
from ..language.printed import span
from ..language.reading import Reading, read
from .absent_fields import Text, Words
from .named_statistic import other_statistic, statistic_named
from .reads import Read

OF_DIMENSION = {
    "time": frozenset({"time", "latency", "cost"}),
    "rate": frozenset({"rate"}),
    "data": frozenset({"memory"}),
    "data_rate": frozenset({"rate"}),
    "power": frozenset({"energy"}),
    "energy": frozenset({"energy"}),
    "money": frozenset({"cost"}),
    "work_rate": frozenset({"flops"}),
    "work": frozenset({"flops", "count"}),
}
"""Quantities that a unit of a dimension fits; those of other dimensions fit any."""
QUANTITY = {"time": "time", "rate": "rate", "data": "memory", "data_rate": "rate", "power": "energy",
            "energy": "energy", "money": "cost", "work_rate": "flops", "work": "count"}  # fmt: skip
PER_TIME = frozenset({"s", "min", "h", "d"})
COMPARED = {"time": "time", "memory": "memory", "energy": "energy", "cost": "cost"}
"""Quantity by the dimension of a comparison."""
FASTER = frozenset({"rate", "time", "latency"})
UNCOMPARED = frozenset({"count", "accuracy", "memory", "energy", "cost"})
"""Quantities of which nothing is faster."""
RATIOS = frozenset({"ratio", "percent_more", "percent_less"})
PARTS = frozenset({"kernel", "collective", "layer"})
WHOLES = (("whole_training", "training_run"), ("model_trains", "training_run"), ("whole_request", "request"))
"""What a sentence says of a whole, and the scope that it means; the later ones do not hold beside a layer."""
MACHINE = frozenset({"hardware_throughput", "kernel_benchmark", "leaderboard"})
TIMED = frozenset({"time", "latency"})


class Contradiction(Struct, frozen=True):
    """A field of a claim beside what its words say instead.

    Attributes:
        read: what the words give to the field.
        stated: what the field says.
        strong: whether it changes what the number is taken for.
        taken_for: whether the field decides which rules judge the claim.
    """

    read: Read
    stated: str
    strong: bool
    taken_for: bool = False


def contradictions(claim: Claim, words: Words, case: Case) -> tuple[Contradiction, ...]:
    """Return the fields of a claim that its words contradict; nothing of what they leave open."""
    return (
        *_of_comparison(claim, words.statement, case),
        *_of_unit(claim),
        *_of_scope(claim, words.statement),
        *_of_purpose(claim, words.statement),
        *_of_value(claim, words.statement),
        *_of_statistic(claim, words.statement),
        *_of_label(claim, words.statement),
        *_of_metric(claim, words.statement),
        *_of_split(claim, words.statement, case),
    )


def _of_comparison(claim: Claim, text: Text, case: Case) -> Iterator[Contradiction]:
    """Yield form and quantity where the claim's number is the degree of a comparison: a count, of "100x faster"."""
    frame = _own_frame(claim, text.reading)
    if frame is None or _stands_alone(claim, text.reading, frame):
        return
    if claim.form in {"absolute", "words"} and claim.unit not in PERCENT:
        read_as = text.gives("form", "ratio", "comparison", frame.start, frame.end)
        yield Contradiction(read_as, claim.form, strong=True, taken_for=True)
    quantity = COMPARED.get(frame.dimension)
    if quantity == "time" and not _says_faster(text.reading, frame):
        return
    faster = quantity == "time" and claim.quantity in UNCOMPARED
    if quantity is not None and quantity != claim.quantity and (faster or claim.quantity == "count"):
        metric = case.metric(claim.measured)
        if quantity == "time" and metric is not None and metric.quantity in FASTER:
            quantity = metric.quantity
        read_as = text.gives("quantity", quantity, "comparison", frame.start, frame.end)
        yield Contradiction(read_as, claim.quantity, strong=True, taken_for=True)


def _says_faster(reading: Reading, frame: Comparison) -> bool:
    """Whether a comparison is one of speed by its own words, and not for want of others."""
    return any(frame.start <= item.start < frame.end for item in reading.mentions("faster"))


def _own_frame(claim: Claim, reading: Reading) -> Comparison | None:
    """Return the one comparison whose degree is the claim's number."""
    if claim.value is None:
        return None
    value = Decimal(claim.value)
    frames = [item for item in reading.comparisons() if item.form in RATIOS and value in {item.degree, item.high}]
    return frames[0] if len(frames) == 1 and not frames[0].bare else None


def _stands_alone(claim: Claim, reading: Reading, frame: Comparison) -> bool:
    """Whether a number of the same value stands outside the comparison, too: "2 s, 2x faster"."""
    value = Decimal(claim.value or "0")
    places = [reading.tokens[number.first].start for number in reading.numbers() if value in {number.low, number.high}]
    return any(not frame.start <= place < frame.end for place in places)


def _of_unit(claim: Claim) -> Iterator[Contradiction]:
    """Yield the quantity where no meaning of the unit is one of it: seconds of a rate."""
    if claim.unit is None or claim.form != "absolute":
        return
    found = read(f"1 {claim.unit}").quantities()
    if len(found) != 1 or (found[0].dimension == "rate" and (found[0].unit or "").partition("/")[2] not in PER_TIME):
        return
    meant = {found[0].dimension, *(item.dimension for item in found[0].also)}
    fitting = [OF_DIMENSION.get(dimension) for dimension in meant]
    if all(fits is not None and claim.quantity not in fits for fits in fitting) and found[0].per is None:
        quantity = QUANTITY[found[0].dimension]
        given = Read("quantity", quantity, "quantity", claim.place("unit"), claim.unit)
        yield Contradiction(given, claim.quantity, strong=True, taken_for=True)


def _of_scope(claim: Claim, text: Text) -> Iterator[Contradiction]:
    """Yield the scope of a part where the sentence is about a whole training or request, and names no part."""
    if claim.scope not in PARTS or text.reading.has("one_kernel", affirmed=False):
        return
    wholes = WHOLES if not text.reading.has("one_layer", affirmed=False) else WHOLES[:1]
    for concept, scope in wholes:
        found = next((item for item in text.reading.mentions(concept) if not item.negated), None)
        if found is not None:
            read_as = text.gives("scope", scope, "scope", *found.span)
            yield Contradiction(read_as, claim.scope, strong=True, taken_for=True)
            return


def _of_purpose(claim: Claim, text: Text) -> Iterator[Contradiction]:
    """Yield the purpose where a time is called one of a machine, and the sentence trains to an accuracy in it."""
    if claim.purpose not in MACHINE or claim.quantity not in TIMED or claim.mode != "training" or claim.suite:
        return
    read_as = text.affirms("until_accuracy", "purpose", "time_to_accuracy")
    if read_as is not None:
        yield Contradiction(read_as, claim.purpose, strong=True, taken_for=True)


def _of_value(claim: Claim, text: Text) -> Iterator[Contradiction]:
    """Yield the value where the one comparison of the sentence spells out another: "twice as fast" of 3x."""
    over_value = claim.base is not None and claim.base.value
    if claim.form != "ratio" or claim.value is None or claim.unit != "x" or over_value:
        return
    reading = text.reading
    frames = [item for item in reading.comparisons() if item.degree is not None]
    if len(frames) != 1 or frames[0].form != "ratio" or frames[0].degree != frames[0].high or not frames[0].degree:
        return
    degree, own = frames[0].degree, span(claim.value, claim.qualifier, claim.digits)
    digits = any(token.value is not None for token in reading.within(frames[0].start, frames[0].end))
    met = any(own.low <= value <= own.high for value in (degree, 1 / degree))
    if not (digits or met or frames[0].qualifier or reading.prints(Decimal(claim.value))):
        read_as = text.gives("value", f"{degree:f}", "comparison", frames[0].start, frames[0].end)
        yield Contradiction(read_as, claim.value, strong=True)


def _of_statistic(claim: Claim, text: Text) -> Iterator[Contradiction]:
    """Yield the statistic of an absolute number, where its sentence names another one."""
    if claim.form != "absolute" or claim.row is not None or claim.statistic is None:
        return
    named = statistic_named(text.reading, claim)
    if other_statistic(named, claim.statistic):
        yield Contradiction(text.gives("statistic", str(named), "statistic"), claim.statistic, strong=True)


def _of_label(claim: Claim, text: Text) -> Iterator[Contradiction]:
    """Yield the scaling label, where the sentence names only the other kind."""
    named = {word.kind: word for word in text.reading.scaling() if word.kind in {"strong", "weak"} and not word.negated}
    if claim.label in {"strong", "weak"} and len(named) == 1 and claim.label not in named:
        ((kind, word),) = named.items()
        yield Contradiction(text.gives("label", kind, "scaling", word.start, word.end), claim.label, strong=False)


def _of_metric(claim: Claim, text: Text) -> Iterator[Contradiction]:
    """Yield the metric of a quality where its number is that of another one in the sentence, better the other way."""
    if claim.quantity != "accuracy" or claim.metric is None or claim.value is None or claim.form != "absolute":
        return
    own = [item for item in text.reading.quantities("quality") if item.metric and item.value == Decimal(claim.value)]
    ours, said = read(claim.metric).higher_is_better(), text.reading.higher_is_better()
    # "costs accuracy" may speak of any quality
    loose = len(own) == 1 and read(own[0].metric or "").is_only("metric.accuracy")
    if len(own) == 1 and not loose and ours is not None and said is (not ours):
        metric = text.gives("metric", own[0].metric or "", "metric", own[0].start, own[0].end)
        yield Contradiction(metric, claim.metric, strong=False)


def _of_split(claim: Claim, text: Text, case: Case) -> Iterator[Contradiction]:
    """Yield the split of the quality that a claim rests on, where its sentence names only another one."""
    quality, named = case.quality(claim.quality), text.reading.splits()
    if claim.quantity != "accuracy" or quality is None or quality.split is None or len(named) != 1:
        return
    stated = read(f"{quality.split} set").splits()
    if len(stated) == 1 and stated != named:
        yield Contradiction(text.gives("split", named[0], "split"), quality.split, strong=False)
