"""Declared options beside those that were seen on the live objects or read from logs, key by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...schemas.options import Options
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.options import KEYS, Same, class_of, flat, printed, same_value
from ..facts.comparison.wording import same_words
from ..facts.device.formats import normalised
from ..facts.training.dataset import dataset_table
from ..language import lexicon
from ..language.reading import read

NOT_SEEN = frozenset({"unverifiable", "unknown", "not_permitted", "not permitted", "n/a"})
NARROW = frozenset({"fp16", "bf16", "mixed", "amp", "e4m3", "e5m2", "fp8"})
GUESSED = frozenset({"amp", "amp_run", "use_amp", "mixed_precision", "autocast", "fp16", "bf16"})
OFF = frozenset({"false", "off", "no", "none", "0", "disabled"})


class Difference(Struct, frozen=True):
    """A declared option that was seen to be another one.

    Attributes:
        key: the option.
        declared: as declared.
        observed: as seen.
        declared_at: place of the declaration.
        at: place of the observation.
        guessed: whether what was seen was taken for this option by the name of its key alone.
    """

    key: str
    declared: object
    observed: object
    declared_at: str
    at: str
    guessed: bool = False


class Declared(Struct, frozen=True):
    """The options that a document declares for a number, each with its place."""

    values: Mapping[str, object]
    places: Mapping[str, str]


def declared_options(claim: Claim, case: Case, side: Side) -> Declared:
    """Return the options of an arm, those of the claim's row before them; a column's format is its compute format."""
    values = flat_stated(side.arm.options)
    places = {key: _place(side.arm.options, key) for key in values if side.arm.options is not None}
    if "devices" not in values and side.arm.devices is not None:
        values["devices"], places["devices"] = side.arm.devices, side.arm.place("devices")
    row, table = case.row(claim), case.table(claim)
    if row is not None and row.options is not None and row.arm in {None, side.id}:
        of_row = flat_stated(row.options)
        values |= of_row
        places |= {key: _place(row.options, key) for key in of_row}
    for column in table.columns.values() if table is not None and row is not None else ():
        if column.format is not None and column.quantity == claim.quantity and "precision.compute" not in values:
            values["precision.compute"], places["precision.compute"] = column.format, column.place("format")
    return Declared(values, places)


def flat_stated(options: Options | None) -> dict[str, object]:
    """Return the options as stated: a global batch that only follows from others is none."""
    found = flat(options)
    if options is None or options.global_batch is None:
        found.pop("global_batch", None)
    return found


def observations(claim: Claim, side: Side) -> Iterator[tuple[Options, str | None]]:
    """Yield what was seen in the arm, and in each trial of the kind that the claim rests on, with the trial's id."""
    if side.arm.observed is not None:
        yield side.arm.observed, None
    kind = "convergence" if claim.quantity == "accuracy" or claim.scope == "training_run" else "throughput"
    for name, trial in side.arm.trials.items():
        if trial.observed is not None and trial.kind == kind:
            yield trial.observed, name


def differences_seen(declared: Declared, observed: Options, case: Case, trial: str | None) -> Iterator[Difference]:
    """Yield the declared options that were seen to be others."""
    seen = flat(observed)
    for key, value in seen.items():
        if key not in declared.values or (trial is not None and class_of(key) == "COSMETIC"):
            continue
        if _same(key, declared.values, seen, case) is Same.DIFFERENT:
            yield Difference(key, declared.values[key], value, declared.places[key], _place(observed, key))
    yield from _guessed(declared, observed, seen)


def not_seen(declared: Declared, observed: Options) -> tuple[str, ...]:
    """Return the declared options of what is computed, and of the statistics of training, that were not seen."""
    seen = flat(observed)
    wanted = {*KEYS["HARD"], *KEYS["STAT"]}
    return tuple(key for key in declared.values if key in wanted and _text(seen.get(key)) in {*NOT_SEEN, ""})


def _guessed(declared: Declared, observed: Options, seen: Mapping[str, object]) -> Iterator[Difference]:
    """A switch of mixed precision that was seen off, beside a narrow format, where no format was seen itself."""
    compute = declared.values.get("precision.compute")
    weights = declared.values.get("precision.weights")
    if not isinstance(compute, str) or normalised(compute) not in NARROW or "precision.compute" in seen:
        return
    if isinstance(weights, str) and normalised(weights) == normalised(compute):
        return
    for key, value in observed.extra.items():
        if key.casefold() in GUESSED and _text(value) in OFF:
            place, at = declared.places["precision.compute"], observed.place("extra", key)
            yield Difference("precision.compute", compute, f"{key}: {printed(value)}", place, at, guessed=True)


def _same(key: str, declared: Mapping[str, object], seen: Mapping[str, object], case: Case) -> Same:
    left, right = declared[key], seen[key]
    if _text(right) in NOT_SEEN:
        return Same.UNKNOWN
    tf32 = key == "precision.compute" and normalised(str(left)) == "fp32" and right == "tf32"
    if tf32 and declared.get("precision.tf32") is not False:
        return Same.UNKNOWN  # a format within what "fp32" is often taken to allow
    if key == "precision.tf32":
        # Allowed and not used is no contradiction: only what was seen on and declared off is.
        return Same.DIFFERENT if left is False and right is True else Same.UNKNOWN
    if key == "learning_rate" and isinstance(left, float | int) and isinstance(right, float | int):
        # A schedule passes through every rate below its peak.
        return Same.DIFFERENT if right > 1.01 * left else Same.UNKNOWN
    if key == "global_batch" and _of_one_rank(left, right, declared):
        return Same.EQUAL
    if isinstance(left, tuple) and isinstance(right, tuple) and sorted(map(str, left)) == sorted(map(str, right)):
        return Same.EQUAL
    if isinstance(left, str) and isinstance(right, str) and not key.startswith("precision."):
        return _same_text(key, left, right, case)
    return same_value(key, left, right)


def _of_one_rank(left: object, right: object, declared: Mapping[str, object]) -> bool:
    """Whether a batch seen by one process is the declared one of all processes."""
    ranks = [declared.get("data_parallel"), declared.get("devices")]
    if not isinstance(left, int) or not isinstance(right, int):
        return False
    return any(isinstance(count, int) and right * count == left for count in ranks)


def _same_text(key: str, left: str, right: str, case: Case) -> Same:
    """Compare words: other wording is no other option, another number or another known name is."""
    if class_of(key) == "COSMETIC":
        return same_value(key, left, right)
    if key == "optimizer":
        ours, theirs = _optimizer(left), _optimizer(right)
        if ours is not None and theirs is not None:
            return Same.EQUAL if ours == theirs else Same.DIFFERENT
    if key == "dataset":
        table = dataset_table(case)
        ours, theirs = table.named(left), table.named(right)
        if ours is not None and theirs is not None:
            return Same.EQUAL if ours == theirs else Same.DIFFERENT
        made_up = [read(text).has("made_up_data") for text in (left, right)]
        if made_up[0] != made_up[1] and (ours or theirs):
            return Same.DIFFERENT
    return same_words(left, right)


def _optimizer(text: str) -> str | None:
    """Return the one optimizer that a text names, "FusedLAMB" and "SGD with momentum" among them; else None."""
    words = {token.low.removeprefix("fused") for token in read(text).tokens}
    found = words & lexicon.words("optimizers", "bases")
    return found.pop() if len(found) == 1 else None


def _text(value: object) -> str:
    return "" if value is None or value == () else str(value).strip().casefold()


def _place(options: Options | None, key: str) -> str:
    assert options is not None
    head, _, rest = key.partition(".")
    if rest and options.precision is not None:
        return options.precision.place(rest)
    return options.place(head)
