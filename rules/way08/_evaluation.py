"""How a quality value was computed: the options of its evaluation, and whether two values share them."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ...schemas.evidence import Quality
from ..case import Side
from ..facts.comparison.options import Same
from ..facts.comparison.wording import same_words
from ..facts.training.convergence import HELD_OUT

SIZE = 0.01
"""Sizes of one split that differ by at most this share are one: the last batch is dropped or filled up."""

TEXTS = ("metric", "evaluation_input", "prompts", "weight_averaging", "test_time_augmentation", "harness")
OPTIONS = ("decoding", "score_threshold", "suppression_threshold", "evaluation_view")


class Setup(Struct, frozen=True):
    """The evaluation behind a quality value: what is stated of it, and its place."""

    stated: Mapping[str, object]
    at: str


class Setups(Struct, frozen=True):
    """Two evaluations side by side.

    Attributes:
        different: options that both state and that differ, as (option, left, right).
        unknown: options that only one states, or whose words do not tell.
        equal: options that agree.
    """

    different: tuple[tuple[str, object, object], ...]
    unknown: tuple[str, ...]
    equal: tuple[str, ...]


def setup_of(side: Side, quality: Quality | None, metric: str | None) -> Setup | None:
    """Return the evaluation of a quality value; without one, what the evaluations of the arm's runs tell."""
    options = side.arm.options
    extra = {name: getattr(options, name) for name in OPTIONS if options is not None}
    if quality is not None:
        stated = {name: getattr(quality, name) for name in (*TEXTS, "split", "examples")}
        return Setup(_known(stated | extra), quality.at)
    runs = [
        item
        for trial in side.arm.trials.values()
        for item in trial.evaluations
        if item.split != "train" and (metric is None or metric in item.metrics)
    ]
    if not runs:
        return None
    splits, sizes = {item.split for item in runs}, {item.examples for item in runs}
    stated = {
        "metric": metric,
        "split": splits.pop() if len(splits) == 1 else None,
        "examples": sizes.pop() if len(sizes) == 1 else None,
    }
    return Setup(_known(stated | extra), side.arm.place("trials"))


def _known(stated: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in stated.items() if value is not None}


def compare_setups(left: Setup, right: Setup) -> Setups:
    """Compare two evaluations option by option."""
    answers = {
        name: _same(name, left.stated, right.stated)
        for name in (*TEXTS, "split", "examples", *OPTIONS)
        if name in left.stated or name in right.stated
    }
    return Setups(
        tuple((name, left.stated[name], right.stated[name]) for name in answers if answers[name] is Same.DIFFERENT),
        tuple(name for name, answer in answers.items() if answer is Same.UNKNOWN),
        tuple(name for name, answer in answers.items() if answer is Same.EQUAL),
    )


def _same(name: str, left: Mapping[str, object], right: Mapping[str, object]) -> Same:
    if name not in left or name not in right:
        return Same.UNKNOWN
    if left[name] == right[name]:
        return Same.EQUAL
    if name == "split":
        return _same_split(left, right)
    if isinstance(left[name], str):
        return same_words(str(left[name]), str(right[name]))
    return Same.DIFFERENT


def _same_split(left: Mapping[str, object], right: Mapping[str, object]) -> Same:
    """An official validation split may be called the test split: names of one size tell no difference."""
    one_size = "examples" in left and left["examples"] == right.get("examples")
    return Same.UNKNOWN if {left["split"], right["split"]} <= HELD_OUT and one_size else Same.DIFFERENT
