"""W0807: timed with something switched off that the quality needs."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.options import Options
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.document.told import said
from ..facts.document.words import Words, words_in, words_of
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Effect, Inapplicable, Note, NotShown, Related, Violation
from ..registry import rule
from ..words import tta

WORDS = {
    "forced_balanced_routing": "routing forced to be balanced",
    "dropped_tokens": "dropped tokens",
    "zero_learning_rate": "a learning rate of 0",
    "random_weights": "random weights",
    "random_tokens": "random tokens",
    "ignored_end_of_sequence": "the end of sequence ignored",
    "no_loss_scaling_or_clipping": "loss scaling or clipping removed",
}
FIXED = "fixed_output_length"
OF_FIXED = frozenset({FIXED, "ignored_end_of_sequence"})
TIMED_ALIKE = frozenset({"random_weights", "random_tokens", "ignored_end_of_sequence"})
"""Options that leave the time of inference as it is, where the model routes nothing by what it reads."""
TRAINABLE = frozenset({"forced_balanced_routing", "dropped_tokens", "no_loss_scaling_or_clipping"})
"""Options under which a model can be trained: a quality from the same arm shows what they cost."""
PROVIDE = """\
arms:
  server:
    options: {neutralised: [none]}        # or those that hold, such as [fixed_output_length]
"""


@rule(
    "W0807",
    "quality-neutralising-option",
    effect=UNDERMINES,
    confidence=C3,
    applies="quantity in {rate, time, latency, flops, mfu} and not kernel",
    origin="S1.8, MEAS",
)
def quality_neutralising_option(claim: Claim, case: Case) -> Iterator[Branch]:
    """A speed that was taken with an option under which the program is of no use.

    ## What it does
    Reads the options that are declared as neutralising quality, those that were observed, and a learning rate of 0:
    routing forced to be balanced, dropped tokens, random weights at inference, random tokens where the work depends on
    them (experts, speculation, a prefix cache), an ignored end of sequence, removed loss scaling or clipping.

    Initial weights of a training are random by nature, and dense products take as long with random tokens. An output of
    fixed length, which ignores the end of sequence, is the usual way to measure the capacity of a server. A model
    can be trained with dropped tokens: a quality of the same arm then shows what they cost.

    ## Why it misleads
    Such a run is fast because it does not do what it is there for. Its speed cannot be had together with any quality.

    ## Branches
    - not applicable: no such option is stated, and the architecture is none of those whose speed hangs on them.
    - (a) caveat, C3: such an option is declared.
    - (b) undermines, C3: the same, with a quality value paired to it; or one was observed and not declared.
    - (c, instead of the note) caveat, C3: a claim to meet a serving objective carries a quality, its output lengths are
      those of varied traffic, the end of sequence was ignored while it was timed, and no sentence or disclosure says
      so: who is served stops where the model does.
    - pass with note: the only such option is an output of fixed length, and the load does not say that the model's own
      end of sequence ended the outputs.
    - pass with note, instead of (a): a quote beside a claim about inference alone says that weights or tokens were
      random or that the end of sequence was ignored, and the model routes nothing by what it reads.
    - not shown: a model with routed experts, or a server of tokens, does not state whether it had such an option.

    ## Flagged
    On `serving` for claim `rate`:
    ```json
    {"claims": {"rate": {"quality": {"arm": "server", "quality": "exact-match"}}},
     "arms": {"server": {"options": {"neutralised": ["random_weights"]},
                         "quality": {"exact-match": {"metric": "exact match", "value": "0.71", "split": "test"}}}}}
    ```

    ## Accepted
    On `serving` for claim `rate`, which declares its fixed output length.

    ## How to fix
    Add a run without it, or state the loss of speed.

    ## References
    Hoefler, Twelve ways to fool the masses, way 8.
    """
    side = case.subject(claim)
    options = side.arm.options if side is not None else None
    if side is None or options is None:
        if _experts(claim, side, None):
            yield NotShown("options that neutralise quality are not stated", claim.at, provide=PROVIDE)
        else:
            yield Inapplicable("the options are not stated")
        return
    declared = set(_relevant(claim, side, options))
    hidden = {name for seen in _observed(side) for name in _relevant(claim, side, seen)} - declared - {FIXED}
    if hidden:
        message = f"observed and not declared: {_words(hidden)}"
        related = (Related(options.at, "the declared options"),)
        yield Violation("b", UNDERMINES, C3, message, side.arm.at, recomputed=_words(hidden), related=related)
    ended = "ignored_end_of_sequence" in declared and _ended_by_model(side)
    if declared and _told_of_speed_alone(claim, side, declared - {FIXED}):
        yield Note(f"the speed is told to be that of {_words(declared)}: this measures capacity")
    elif declared - OF_FIXED or (declared and FIXED not in declared) or ended:
        yield _declared(claim, case, side, declared - {FIXED})
    elif declared and _of_traffic(side) and _serves_quality(claim, case, declared):
        message = "the speed was taken with the end of sequence ignored, and the quality beside it was not"
        at = options.place("neutralised")
        yield Violation(
            "c", CAVEAT, C3, message, at, related=(Related(claim.place("quality"), "the quality beside it"),)
        )
    elif declared:
        yield Note("the output has a fixed length: this measures capacity")
    elif not options.neutralised:
        yield _unstated(claim, case, side, options)


def _told_of_speed_alone(claim: Claim, side: Side, names: set[str]) -> bool:
    """Whether a claim that promises no quality says itself what is unlike service, and the time is that of service."""
    if claim.mode != "inference" or claim.quality is not None or not 0 < len(names) == len(names & TIMED_ALIKE):
        return False
    return said(claim, "quality_neutralised") and not _depends_on_tokens(claim, side) and not _ended_by_model(side)


def _serves_quality(claim: Claim, case: Case, declared: set[str]) -> bool:
    """Whether a claim of service with a quality rests on ignored ends of sequence that no reader is told of."""
    if claim.purpose != "serving_objective" or claim.quality is None or "ignored_end_of_sequence" not in declared:
        return False
    told = words_of(claim).and_(*((item.at, item.quote) for item in case.submission.disclosures))
    return not told.has("end_of_sequence", "fixed_length", affirmed=False)


def _of_traffic(side: Side) -> bool:
    """Whether a load's output lengths vary as those of real requests do: not the one length of a capacity test."""
    return _lengths(side).has("varying_length")


def _ended_by_model(side: Side) -> bool:
    """Whether a load is said to end its outputs where the model does, so that they had no fixed length."""
    return any(text.has("ended_by_model") and not text.has("switched_off") for text in _lengths(side))


def _lengths(side: Side) -> Words:
    """Return the words that say how long a load's outputs are."""
    loads = (metric.load for metric in side.arm.performance.values())
    return words_in(*(load.output_length for load in loads if load is not None))


def _unstated(claim: Claim, case: Case, side: Side, options: Options) -> Branch:
    if _experts(claim, side, options) or (claim.work == "tokens" and claim.scope in {"request", "serving_window"}):
        return NotShown("whether an option neutralised quality is not stated", options.at, provide=PROVIDE)
    return Inapplicable("no option that neutralises quality is stated, and none is usual for this architecture")


def _declared(claim: Claim, case: Case, side: Side, names: set[str]) -> Violation:
    assert side.arm.options is not None
    good = case.side(claim.quality)
    paired = good is not None or tta(claim, case)
    shown = good is not None and good.id == side.id and names <= TRAINABLE
    branch, effect = _weight(paired and not shown)
    message = f"the speed was taken with {_words(names)}"
    related = (Related(claim.place("quality"), "the quality beside it"),) if good is not None else ()
    return Violation(branch, effect, C3, message, side.arm.options.place("neutralised"), _words(names), related=related)


def _weight(paired: bool) -> tuple[str, Effect]:
    return ("b", UNDERMINES) if paired else ("a", CAVEAT)


def _relevant(claim: Claim, side: Side, options: Options) -> Iterator[str]:
    """Yield the options that neutralise quality in this kind of program."""
    for name in options.neutralised:
        if name == "none" or (name == "random_weights" and claim.mode == "training"):
            continue
        if name == "random_tokens" and not _depends_on_tokens(claim, side):
            continue
        yield name
    # Of a running program the rate is that of a moment: at the start of a warm-up it is 0.
    if options is side.arm.options and options.learning_rate == 0 and claim.mode == "training":
        yield "zero_learning_rate"


def _observed(side: Side) -> Iterator[Options]:
    if side.arm.observed is not None:
        yield side.arm.observed
    for trial in side.arm.trials.values():
        if trial.kind == "throughput" and trial.observed is not None:
            yield trial.observed


def _depends_on_tokens(claim: Claim, side: Side) -> bool:
    loads = [metric.load for metric in side.arm.performance.values() if metric.load is not None]
    guessing = any(load.prefix_cache or load.speculation not in {None, "none"} for load in loads)
    return guessing or _experts(claim, side, side.arm.options)


def _experts(claim: Claim, side: Side | None, options: Options | None) -> bool:
    """Whether a model routes tokens to experts, by its options or its name."""
    if options is not None and (options.routing_mode or options.routing_capacity or (options.expert_parallel or 1) > 1):
        return True
    label = side.arm.label if side is not None else None
    return words_in(claim.statement, label, options.model if options is not None else None).has("moe")


def _words(names: set[str]) -> str:
    return ", ".join(WORDS[name] for name in WORDS if name in names)
