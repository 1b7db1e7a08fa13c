"""M29: a measuring tool with changes of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...schemas.pattern import Pattern
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.device.conditions import arms_of
from ..language.reading import read
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Violation
from ..registry import rule

UNTRACKED = "??"
SOURCE = Pattern(r"\.(?:py|pyx|c|cc|cpp|cxx|h|hh|hpp|cu|cuh|hip|rs|go|java|kt|js|ts|jl|rb|sh|pl|m|f90|proto)$")


@rule(
    "M29",
    "measuring-tool-modified",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(tool_state)",
    origin="MEAS",
)
def measuring_tool_modified(claim: Claim, case: Case) -> Iterator[Branch]:
    """A number from a measuring tool that differs from its release.

    ## What it does
    Reads whether the tool's own tree was modified, and which files differ, as the tool or its log says. A changed
    source file takes part in timing or scoring if a word of its path says so (timer, latency, accuracy, score, ...);
    documentation and tests do not. Files that the tree does not track change no tool.

    ## Why it misleads
    The name of a known benchmark vouches for its clock and its scores. With changes in them it is another benchmark.

    ## Branches
    - (a) caveat, C3: the tool's tree was modified.
    - (b) undermines, C3: a changed file takes part in timing or scoring.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"software": {"tool_dirty": true, "tool_changed_files": ["M src/bench/timer.py"]}}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"software": {"tool_dirty": false}}}}
    ```

    ## How to fix
    Measure with a release, or publish the change.

    ## References
    Measured on published suite results, whose logs print the state of the load generator's tree.
    """
    for side in arms_of(claim, case):
        for at, dirty, files in _states(side):
            changed = [name for name in files if not name.strip().startswith(UNTRACKED)]
            if not changed and (files or not dirty):
                continue
            telling = [name for name in changed if _takes_part(name)]
            if telling:
                message = f"arm {side.id} was measured by a tool whose {telling[0].split()[-1]} was changed"
                yield Violation("b", UNDERMINES, C3, message, at, ", ".join(telling[:5]))
            else:
                which = f" ({', '.join(changed[:3])})" if changed else ""
                message = f"the source of the tool that measured arm {side.id} was modified{which}"
                yield Violation("a", CAVEAT, C3, message, at)


def _states(side: Side) -> Iterator[tuple[str, bool, Sequence[str]]]:
    """Yield the states of the tool's tree: place, whether it is called modified, and its changed files."""
    software = side.arm.software
    if software is not None and (software.tool_dirty is not None or software.tool_changed_files):
        yield software.place("tool_dirty"), bool(software.tool_dirty), software.tool_changed_files
    for run in side.arm.runs.values():
        if run.tool is not None and run.tool.changed_files:
            yield run.tool.place("changed_files"), True, run.tool.changed_files


def _takes_part(name: str) -> bool:
    path = name.split()[-1] if name.split() else ""
    words = read(path.replace("/", " "))
    return SOURCE.search(path) is not None and not words.has("beside_the_tool") and words.has("part_of_timing")
