"""Q06: a benchmark that its round does not have."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case
from ..facts.suite.result import Quoted, is_handed_in, members, quoted
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Note, Violation
from ..registry import rule
from ..tables import mlperf
from ..tables.datasets import plain
from ..tables.mlperf_common import common
from ..tables.suites import suites

_PARTS = Pattern(r"[-_\s]+")
_SIZE = Pattern(r"\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?[bm]")


@rule("Q06", "benchmark-not-in-round", effect=UNDERMINES, confidence=C3, applies="suite", origin="POL")
def benchmark_not_in_round(claim: Claim, case: Case) -> Iterator[Branch]:
    """A result of a benchmark that the named round of the suite did not hold.

    ## What it does
    Looks for the named benchmark, under any of the names that results use, among the members of the named round.

    ## Why it misleads
    There is no such result. Round or benchmark is another one, and with it target and data.

    ## Branches
    - (a) undermines, C3: the closed division of the round has no such benchmark.
    - pass with note: a result of the open division, whose model stands for a benchmark under its own name.
    - not applicable: benchmark or round is not stated, the round is not in the table, or the division is not stated; or
      a publication names what no round calls a benchmark, in words of its own. A model of a size that no round has, in
      a family of which rounds have other sizes, is no such word.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"suite_result": {"benchmark": "gpt3", "round": "v5.1"}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`, a member of round v5.0.

    ## How to fix
    Name the round from which the result is.

    ## References
    Members of the rounds, as the suite's tools list them.
    """
    result = quoted(claim)
    held = members(result.part, result.round)
    if result.named is None or not held:
        yield Inapplicable("benchmark and a round that the table knows are not both stated")
    elif result.benchmark is not None:
        return
    elif result.division == "open":
        yield Note(f"{result.named} is no benchmark of round v{result.round}; an open result may stand for one")
    elif _extends_known(result):
        yield Inapplicable(f"{result.named} extends the name of a benchmark: an implementation of it")
    elif not result.closed:
        yield Inapplicable("the division is not stated")
    elif not (is_handed_in(claim, case) or _is_known(result) or _is_of_another_size(result)):
        yield Inapplicable(f"no round has a benchmark {result.named}: the words may stand for one")
    else:
        message = f"round v{result.round} has no benchmark {result.named}; it has {', '.join(sorted(held))}"
        place = claim.suite_result.place("benchmark") if claim.suite_result is not None else claim.at
        yield Violation("a", UNDERMINES, C3, message, place, result.named, ", ".join(sorted(held)))


def _is_known(result: Quoted) -> bool:
    """Whether another round has a benchmark of that name."""
    wanted = plain(result.named or "")
    return any(plain(name) == wanted for name in _known(result))


def _extends_known(result: Quoted) -> bool:
    """Whether a name goes on behind that of a benchmark: "ssd-mobilenet-quantized"; a size makes it another one."""
    parts = (result.named or "").casefold().split("-")
    known = {plain(name) for name in _known(result)} | mlperf.names(result.part).keys()
    begins = any(plain("-".join(parts[:n])) in known for n in range(1, len(parts)))
    return begins and not any(_SIZE.fullmatch(part) for part in parts)


def _is_of_another_size(result: Quoted) -> bool:
    """Whether rounds have models of the named family, and none of the named size: Llama 2 70B, but never 7B."""
    wanted = _sized(result.named or "")
    sizes = {size for family, size in map(_sized, _known(result)) if family and family == wanted[0]}
    return bool(sizes) and wanted[1] not in sizes


def _sized(name: str) -> tuple[str, str]:
    """Return family and size of a model's name, "llama2" and "70b" of "llama2-70b-99"; both empty without a size."""
    parts = [part for part in _PARTS.split(name.strip().casefold()) if part]
    for index, part in enumerate(parts):
        if index and _SIZE.fullmatch(part):
            return "".join(parts[:index]).replace(".", ""), part
    return "", ""


def _known(result: Quoted) -> Iterator[str]:
    """Yield the benchmarks of all rounds of the suites of its part."""
    for suite in suites().values():
        if suite.title in common().suites[result.part]:
            for entry in suite.rounds.values():
                yield from entry.members
