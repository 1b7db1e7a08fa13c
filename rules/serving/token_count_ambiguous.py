"""L07: tokens per second, without saying which tokens."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.evidence import Load
from ...schemas.submission import Claim
from ..case import Case
from ..facts.comparison.options import Same
from ..facts.comparison.pairing import other_model
from ..facts.comparison.wording import same_words
from ..facts.document.words import words_of
from ..facts.quantities.per_second import work_per_second
from ..facts.serving.records import records
from ..language.reading import read
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import Threshold, rule

ITEM = "meaning of tokens"
PROVIDE = """\
arms:
  server:
    performance:
      rate:
        load: {tokens_counted: output, tokenizer: "BPE 128256, the model's own"}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    counts: float = Threshold(0.05, "share of the tokens", "judgement")


@rule(
    "L07",
    "token-count-ambiguous",
    effect=UNDERMINES,
    confidence=C3,
    applies="llm and rate",
    origin="J",
    thresholds=Thresholds,
)
def token_count_ambiguous(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A rate of tokens that does not say which ones, or that compares tokens of two tokenizers.

    ## What it does
    Reads which tokens a rate counts (prompt, output or both) in the load or the sentence, and the tokenizer of every
    arm. In training every processed token counts, and only the tokenizers matter.

    ## Why it misleads
    Prompt tokens are read ten times as fast as output tokens are written: a total flatters long prompts. And a
    tokenizer that cuts a text into 20 % more pieces is 20 % faster by that measure.

    ## Branches
    - (a) undermines, C3: the arms are counted by different tokenizers, or count different tokens.
    - (b) undermines, C3: the server's count of the recorded outputs and the tokenizer's differ by more than 5 %, and
      the load names no tokenizer.
    - not shown: it is not stated which tokens are counted, of either arm, or the sentence about a service does not say
      that prompts are among them (required, meaning of tokens, from the gate profile on); or
      the tokenizer of an arm is not stated and the models are not known to be one.
    - not applicable: the rate is not one of tokens; or one model stands on both sides, and with it one tokenizer.

    ## Flagged
    On `serving-comparison` for claim `speedup`:
    ```json
    {"arms": {"ours": {"performance": {"rate": {"load": {"tokenizer": "BPE of 128256 pieces"}}}},
              "theirs": {"performance": {"rate": {"load": {"tokenizer": "BPE of 32000 pieces"}}}}}}
    ```

    ## Accepted
    On `serving-comparison` for claim `speedup`, output tokens of one model on both sides.

    ## How to fix
    Count output tokens, and normalise by bytes or characters where tokenizers differ.

    ## References
    MLPerf inference rules for language models; judgement.
    """
    metric = case.metric(claim.measured)
    unit = work_per_second(metric.unit if metric is not None else claim.unit)
    if unit is None or not unit.word.startswith("token"):
        yield Inapplicable("the rate is not one of tokens")
        return
    load = metric.load if metric is not None else None
    words = read(claim.statement).has("tokens_named")
    if claim.mode != "training" and (load is None or load.tokens_counted is None) and not words:
        yield NotShown("it is not stated which tokens the rate counts", claim.at, ITEM, PROVIDE)
    elif load is not None and load.tokens_counted in {"total", "input"} and not _says_prompts(claim):
        message = f"the rate counts {load.tokens_counted} tokens, and the sentence does not say that prompts count"
        yield NotShown(message, load.at, ITEM, PROVIDE)
    if load is not None and load.tokenizer is None:
        yield from _two_counts(claim, case, thresholds)
    if claim.compares != "none" or claim.form == "ratio":
        yield from _compared(claim, case, load)


def _two_counts(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Yield that a tokenizer counts other tokens than the server in the recorded outputs."""
    side = case.subject(claim)
    told = [record.tokens for record in records(case, side) if record.tokens is not None] if side is not None else []
    server, tokenizer = sum(one for one, _ in told), sum(other for _, other in told)
    if side is not None and tokenizer > 0 and abs(server / tokenizer - 1) > thresholds.counts:
        message = f"the server counts {server:,.0f} output tokens, the tokenizer {tokenizer:,.0f}; which is not stated"
        yield Violation("b", UNDERMINES, C3, message, side.arm.place("trials"), f"{server:,.0f}", f"{tokenizer:,.0f}")


def _says_prompts(claim: Claim) -> bool:
    """Whether a claim of inference says that prompts count; of another it need not."""
    words = words_of(claim).and_((claim.place("unit"), claim.unit))
    return claim.mode != "inference" or words.has("prompts_counted", affirmed=False)


def _compared(claim: Claim, case: Case, load: Load | None) -> Iterator[Branch]:
    other = case.metric(claim.base)
    theirs = other.load if other is not None else None
    if load is not None and theirs is not None:
        for name, ours, base in _different(load, theirs):
            message = f'the {name} of the arms differ: "{ours}" against "{base}"'
            related = (Related(theirs.at, "the other arm"),)
            yield Violation("a", UNDERMINES, C3, message, load.at, ours, base, related)
        counted = [load.tokens_counted, theirs.tokens_counted]
        words = read(claim.statement).has("tokens_named") and "output" in counted
        if claim.mode != "training" and counted.count(None) == 1 and not words:
            silent = theirs if theirs.tokens_counted is None else load
            yield NotShown("it is not stated which tokens the rate of one of the arms counts", silent.at, ITEM, PROVIDE)
    named = [side.tokenizer for side in (load, theirs) if side is not None and side.tokenizer is not None]
    if len(named) == 2 and not (other_model(case.subject(claim), case.base(claim)) and "own" in " ".join(named)):
        return
    if _one_model(claim, case):
        yield Inapplicable("both arms hold one model, and with it one tokenizer")
    else:
        yield NotShown("the tokenizers of both arms are not stated", claim.at, "", PROVIDE)


def _one_model(claim: Claim, case: Case) -> bool:
    """Whether both arms are known to hold the same model."""
    sides = case.subject(claim), case.base(claim)
    models = [side.arm.options.model if side is not None and side.arm.options is not None else None for side in sides]
    return models[0] is not None and models[1] is not None and not other_model(*sides)


def _different(load: Load, other: Load) -> Iterator[tuple[str, str, str]]:
    ours, theirs = load.tokens_counted, other.tokens_counted
    if ours is not None and theirs is not None and ours != theirs:
        yield "counted tokens", ours, theirs
    own, base = load.tokenizer, other.tokenizer
    if own is not None and base is not None and same_words(own, base) is Same.DIFFERENT:
        yield "tokenizers", own, base
