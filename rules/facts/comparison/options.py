"""Option sets compared in three values, by class of key: a key known on both sides differs, all agree, or unknown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Literal

from msgspec import Struct

from ....schemas.model import Node
from ....schemas.options import Options
from ....schemas.pattern import Pattern
from ...caching import remembered, remembered_of_parts
from ...free_options import names_a_field, plain_name
from ..device.formats import meanings, normalised

KeyClass = Literal["HARD", "STAT", "RECIPE", "LAYOUT", "COSMETIC"]

KEYS: dict[KeyClass, list[str]] = {
    "HARD": [
        *("model", "weights", "dataset", "preprocessing", "input_shape", "input_length"),
        *("precision.compute", "precision.accumulate", "precision.weights", "precision.communication"),
        *("precision.tf32", "precision.reduced_reduction", "precision.fast_math"),
        *("optimizer", "sparsity", "quantisation", "compression", "dropout", "stochastic_depth"),
        *("attention", "staleness", "score_threshold", "suppression_threshold", "decoding"),
        *("routing_mode", "routing_capacity", "cache_format", "output_pruning", "evaluation_view"),
    ],
    "STAT": ["global_batch", "batch_tokens", "batch_schedule", "normalisation_group"],
    "RECIPE": [
        "learning_rate",
        "schedule",
        "warmup_samples",
        "warmup_epochs",
        "weight_decay",
        "momentum",
        "loss_scaling",
        "epochs",
        "steps",
        "augmentation",
    ],
    "LAYOUT": [
        *("micro_batch", "per_device_batch", "accumulation", "data_parallel", "tensor_parallel"),
        *("pipeline_parallel", "context_parallel", "expert_parallel", "devices", "bucketing", "overlap"),
        *("loader_workers", "loader_prefetch", "loader_pinned"),
        *("activation_checkpointing", "sharding", "offload", "compile"),
    ],
    "COSMETIC": ["seed", "logging", "name"],
}
CLASS_OF: dict[str, KeyClass] = {key: group for group, keys in KEYS.items() for key in keys}
FREE = "extra."
LABELS = frozenset(
    {"seed", "name", "id", "tag", "note", "notes", "comment", "date", "time", "path", "file", "log", "user"}
)
"""Words of a free option's name that tell of a label, which changes nothing."""


def class_of(key: str) -> KeyClass:
    """Return the class of a key: a free option may be anything, and counts as one that decides what is computed."""
    return CLASS_OF.get(key, "HARD")


CORE = ("model", "precision.compute", "global_batch")

_BLANKS = Pattern(r"[\s_-]+")
_NAME = Pattern(r"[\w./:@-]+(?: [\w./:@-]+){0,2}$")
"""At most three words without a clause or a bracket: a name, and no description."""
_PART = Pattern(r"[a-z]+|[0-9]+(?:\.[0-9]+)*")
_SEPARATOR = Pattern(r"(?<=[a-z])[\s_-]+(?=[a-z0-9])|(?<=[0-9])[\s_-]+(?=[a-z])")


class Same(Enum):
    """Whether two option sets agree."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class Comparison(Struct, frozen=True):
    """Two option sets side by side.

    Attributes:
        different: keys known on both sides with different values, as (key, left, right).
        unknown: keys known on one side only, or whose values do not tell: "mixed" beside bf16, or another group of
            batch statistics, which may or may not change what is learned.
        equal: keys known on both sides and equal.
        one: both sides are the same run, or carry the same digest.
    """

    different: tuple[tuple[str, object, object], ...]
    unknown: tuple[str, ...]
    equal: tuple[str, ...]
    one: bool = False

    def within(self, *groups: KeyClass) -> Same:
        """Return the answer for the keys of some classes.

        EQUAL needs every key known on either side to be known on both, and the model, the compute precision and the
        global batch (as far as the classes hold them) to be among them; one run or one digest is EQUAL by itself.
        """
        if self.one:
            return Same.EQUAL
        if any(class_of(key) in groups for key, _, _ in self.different):
            return Same.DIFFERENT
        core = [key for key in CORE if class_of(key) in groups]
        if any(class_of(key) in groups for key in self.unknown) or not set(core) <= set(self.equal):
            return Same.UNKNOWN
        return Same.EQUAL

    def stat(self) -> Same:
        """Return whether the two share the statistics of training: HARD and STAT keys."""
        return self.within("HARD", "STAT")

    def without(self, key: str) -> Comparison:
        """Return the comparison with one differing key counted as equal."""
        kept = tuple(item for item in self.different if item[0] != key)
        return Comparison(kept, self.unknown, (*self.equal, key), self.one)

    def differing(self, *groups: KeyClass) -> tuple[tuple[str, object, object], ...]:
        """Return the differing keys of some classes."""
        return tuple(item for item in self.different if class_of(item[0]) in groups)


def flat(options: Options | None) -> dict[str, object]:
    """Return the stated keys of an option set, nested ones dotted, `extra` and `neutralised` left out."""
    return dict(_flat(options)) if options is not None else {}


@remembered_of_parts(4096)
def _flat(options: Options) -> dict[str, object]:
    found: dict[str, object] = {}
    for name in options.__struct_fields__:
        value = getattr(options, name)
        if value is None or value == () or name in {"at", "extra", "neutralised"}:
            continue
        if name == "precision":
            found |= {
                f"precision.{key}": item
                for key in value.__struct_fields__
                if key != "at" and (item := getattr(value, key)) is not None
            }
        else:
            found[name] = _comparable(value)
    return with_global_batch(found)


def with_global_batch(found: dict[str, object]) -> dict[str, object]:
    """Add the global batch where micro batch, accumulation and data-parallel size give it.

    Accumulation is never assumed to be 1: without it the product is not known.
    """
    if "global_batch" not in found:
        per_step = found.get("micro_batch", found.get("per_device_batch"))
        factors = (per_step, found.get("accumulation"), found.get("data_parallel"))
        if all(isinstance(factor, int) for factor in factors):
            product = 1
            for factor in factors:
                assert isinstance(factor, int)
                product *= factor
            found = {**found, "global_batch": product}
    return found


def _comparable(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(_comparable(item) for item in value)
    if isinstance(value, Node):
        return tuple(getattr(value, name) for name in value.__struct_fields__ if name != "at")
    return value


def compare(
    left: Options | None, right: Options | None, digests: tuple[str | None, str | None] = (None, None)
) -> Comparison:
    """Compare two option sets key by key, after numeric and naming normalisation.

    Args:
        left: one option set.
        right: the other.
        digests: digests of the effective option sets; equal ones decide by themselves.
    """
    if left is right and left is not None:
        return Comparison((), (), tuple(flat(left)), one=True)
    if digests[0] is not None and digests[0] == digests[1]:
        return Comparison((), (), (), one=True)
    return _compared(left, right)


@remembered_of_parts(256)
def _compared(left: Options | None, right: Options | None) -> Comparison:
    return compare_flat(_with_free(left), _with_free(right))


@remembered_of_parts(4096)
def _with_free(options: Options | None) -> dict[str, object]:
    """Return the stated keys, and behind `extra.` the free options that are no labels and stand for no field."""
    extra = options.extra if options is not None else {}
    return flat(options) | {
        f"{FREE}{key}": value
        for key, value in extra.items()
        if value is not None and not names_a_field(key) and LABELS.isdisjoint(plain_name(key).split("_"))
    }


def compare_flat(left: Mapping[str, object], right: Mapping[str, object]) -> Comparison:
    """Compare two flattened option sets."""
    if left == right:
        return Comparison((), (), tuple(_ordered(left, right)))
    different, unknown, equal = [], [], []
    for key in _ordered(left, right):
        answer = same_value(key, left[key], right[key]) if key in left and key in right else Same.UNKNOWN
        if answer is Same.UNKNOWN:
            unknown.append(key)
        elif answer is Same.EQUAL:
            equal.append(key)
        else:
            different.append((key, left[key], right[key]))
    return Comparison(tuple(different), tuple(unknown), tuple(equal))


def _ordered(left: Mapping[str, object], right: Mapping[str, object]) -> Iterable[str]:
    yield from (key for key in CLASS_OF if key in left or key in right)
    yield from sorted({key for key in (*left, *right) if key.startswith(FREE)})


def same_value(key: str, left: object, right: object) -> Same:
    """Return whether two values of a key mean the same: 32 = 32.0, "half" = "fp16", "ResNet-50" = "resnet 50".

    UNKNOWN where the words do not tell: a format that is no single one ("mixed", "fp8"), and two groups of batch
    statistics, since only layers with such statistics feel the difference.
    """
    if isinstance(left, str) and isinstance(right, str):
        if left == right or plain_value(left) == plain_value(right):
            return Same.EQUAL
        if key.startswith("precision."):
            return _same_format(normalised(left), normalised(right))
    elif left == right:
        return Same.EQUAL
    if key == "activation_checkpointing" and isinstance(left, str) is not isinstance(right, str):
        return _same_recomputation(left, right)
    return Same.UNKNOWN if key == "normalisation_group" else Same.DIFFERENT


def exclude_each_other(key: str, left: object, right: object) -> bool:
    """Whether two values that differ cannot be of one setting: numbers, switches, formats, or two names.

    A description in free words may be of the same thing as any other, and a name that holds every word and number of
    the other may be the same name in full. What was timed on one data set may well be judged on another.
    """
    if key == "dataset":
        return False
    if not (isinstance(left, str) and isinstance(right, str)) or key.startswith("precision."):
        return True
    if not (_NAME.match(left.strip()) and _NAME.match(right.strip())):
        return False
    one, other = ({part.group() for part in _PART.finditer(text.casefold())} for text in (left, right))
    return not (one <= other or other <= one)


def _same_recomputation(left: object, right: object) -> Same:
    """Compare a plain yes or no with which activations are recomputed: "on" may be either of two."""
    plain, named = (left, right) if isinstance(right, str) else (right, left)
    if plain:
        return Same.DIFFERENT if named == "none" else Same.UNKNOWN
    return Same.EQUAL if named == "none" else Same.DIFFERENT


def _same_format(left: str, right: str) -> Same:
    if left == right:
        return Same.EQUAL
    ours, theirs = meanings(left), meanings(right)
    return Same.DIFFERENT if ours and theirs and ours.isdisjoint(theirs) else Same.UNKNOWN


@remembered(4096)
def plain_value(text: str) -> str:
    """Return the value of an option without what two spellings of one name differ in."""
    return _BLANKS.sub(" ", _SEPARATOR.sub("", text.casefold().strip()))


def printed(value: object) -> str:
    """Return an option's value as a reader writes it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return "x".join(printed(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def differences(items: Iterable[tuple[str, object, object]]) -> str:
    """Return differing keys as words: `precision.compute bf16 against fp32, global_batch 256 against 32`."""
    return ", ".join(f"{key} {printed(left)} against {printed(right)}" for key, left, right in items)


_FORMATS = ("bf", "fp", "tf", "int", "mxfp", "nvfp")
_EIGHT_BITS = ("e4m3", "e5m2")


def in_words(items: Iterable[tuple[str, object, object]]) -> str:
    """Return differing options for a reader, precisions first: `FP8 (e4m3) against BF16 (compute)`."""
    ordered = sorted(items, key=lambda item: not item[0].startswith("precision."))
    return ", ".join(f"{_named(left)} against {_named(right)} ({_what(key)})" for key, left, right in ordered)


def _named(value: object) -> str:
    text = printed(value)
    if text.startswith(_EIGHT_BITS):
        return f"FP8 ({text})"
    stem = text.rstrip("0123456789")
    return text.upper() if stem != text and stem in _FORMATS else text


def _what(key: str) -> str:
    return key.removeprefix("precision.").replace("_", " ").replace(".", " ")
