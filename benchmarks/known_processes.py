"""Known processes through `dlaudit compare`: how often its interval covers the true ratio, and what it answers.

Two arms are drawn from one process, of which only the level may differ, as trials of 30 to 200 iterations; they become
submissions and go the way that the command goes. Coverage is that of the printed 95 % interval. A false difference is
an answer "better" or "worse" between arms whose levels are equal: with a margin of nothing, where the test stands
alone, and with the usual one. Refused is the share of "cannot tell" with the usual margin.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dlaudit.audit.compare.comparison import ArmComparison, Row, Terms, compare
from dlaudit.audit.compare.render import change
from dlaudit.audit.compare.subject import Subject
from dlaudit.rules.case import Case
from dlaudit.schemas.model import to_model
from dlaudit.schemas.submission import Submission

Draw = Callable[[random.Random, int], list[float]]
"""Times of one trial around 1: from a source and their number."""

LENGTHS = (30, 60, 200)
TRIALS = (3, 5, 10)
WORK = 64
BETWEEN = 0.01
"""Standard deviation of the logarithm of a trial's level: what differs from process to process."""


def dependent(correlation: float, noise: float) -> Draw:
    """Return lognormal times whose logarithms are a stationary AR(1)."""

    def draw(source: random.Random, n: int) -> list[float]:
        state, values = source.gauss(0, 1), []
        for _ in range(n):
            values.append(math.exp(noise * state))
            state = correlation * state + math.sqrt(1 - correlation**2) * source.gauss(0, 1)
        return values

    return draw


def two_modes(share: float, slower: float) -> Draw:
    """Return times of which a share is slower by a factor, both modes with a scatter of 1 %."""

    def draw(source: random.Random, n: int) -> list[float]:
        return [(slower if source.random() < share else 1.0) * math.exp(0.01 * source.gauss(0, 1)) for _ in range(n)]

    return draw


def drifting(change_: float) -> Draw:
    """Return times that rise by a share from the first to the last, with a scatter of 2 %."""

    def draw(source: random.Random, n: int) -> list[float]:
        return [(1 + change_ * index / n) * math.exp(0.02 * source.gauss(0, 1)) for index in range(n)]

    return draw


PROCESSES: Mapping[str, Draw] = {
    "lognormal, 10 %": dependent(0.0, 0.1),
    "lognormal, 50 %": dependent(0.0, 0.5),
    "two modes, 85/15, +30 %": two_modes(0.15, 1.3),
    "two modes, 50/50, +10 %": two_modes(0.5, 1.1),
    "AR(1) .3, 10 %": dependent(0.3, 0.1),
    "AR(1) .6, 10 %": dependent(0.6, 0.1),
    "AR(1) .6, 50 %": dependent(0.6, 0.5),
    "drift of 10 %": drifting(0.1),
    "spikes, 2 % of them x3": two_modes(0.02, 3.0),
}


def arm_of(trials: Sequence[Sequence[float]], order: Sequence[int]) -> dict[str, Any]:
    """Return trials as an arm of a document, with their places in the executed order."""
    return {
        "options": {"model": "known"},
        "performance": {
            "rate": {
                "quantity": "rate",
                "unit": "samples/s",
                "column": "step_time_s",
                "work_per_iteration": WORK,
            }
        },
        "trials": {
            f"t{place}": {
                "kind": "throughput",
                "outcome": "completed",
                "order": place,
                "samples": {"step_time_s": list(values)},
            }
            for place, values in zip(order, trials, strict=True)
        },
    }


def subject(name: str, arms: Mapping[str, dict[str, Any]]) -> Subject:
    """Return arms as a side of a comparison, as if read from a submission."""
    case = Case(to_model({"dlaudit": "submission/1", "title": name, "claims": {}, "arms": arms}, Submission))
    return Subject(name, case, {side.id: side for side in case.sides()}, (), name)


def trials_of(draw: Draw, source: random.Random, level: float, trials: int, n: int) -> list[list[float]]:
    """Draw the trials of an arm, each with a level of its own around that of the arm."""
    found = []
    for _ in range(trials):
        own = level * math.exp(BETWEEN * source.gauss(0, 1))
        found.append([float(f"{own * value:.6g}") for value in draw(source, n)])
    return found


def compared(sides: Sequence[Subject], margin: float) -> tuple[ArmComparison, Row]:
    """Compare two sides, or the two arms of one, as the command does."""
    (found,) = compare(sides, Terms(margin=margin))
    (row,) = found.rows
    return found, row


def answers(
    draw: Draw, seed: int, each: int, trials: int, ratio: float = 1.0, lengths: Sequence[int] = LENGTHS
) -> dict[str, float]:
    """Return the shares of a process: covered, false (margin of nothing), false with the margin, refused.

    Args:
        draw: the process.
        seed: of the simulation.
        each: number of comparisons.
        trials: trials in each of both arms.
        ratio: true ratio of the rates, new over old; "false" means something for 1 alone.
        lengths: numbers of iterations of a trial, of which each comparison draws one.
    """
    source, places = random.Random(seed), range(trials)
    found = []
    for _ in range(each):
        n = source.choice(lengths)
        old, new = (trials_of(draw, source, level, trials, n) for level in (0.1, 0.1 / ratio))
        found.append([subject(name, {"arm": arm_of(raw, places)}) for name, raw in (("old", old), ("new", new))])
    return _shares(found, ratio)


def session(seed: int, each: int, trials: int, rise: float, interleaved: bool) -> dict[str, float]:
    """Return the same shares for two equal arms of one session, during which the machine becomes slower by a share.

    Interleaved, a round holds one trial of each arm in an order drawn by chance; else one arm follows the other. "said"
    is the share of answers beside which it stands that the arms were measured one after the other.
    """
    source, sides = random.Random(seed), []
    for _ in range(each):
        order = [0, 1] * trials if interleaved else [0] * trials + [1] * trials
        for first in range(0, 2 * trials if interleaved else 0, 2):
            order[first : first + 2] = source.sample((0, 1), 2)
        raw: tuple[list[list[float]], list[list[float]]] = ([], [])
        for place, which in enumerate(order):
            level = 0.1 * (1 + rise * place / len(order))
            raw[which].extend(trials_of(PROCESSES["lognormal, 10 %"], source, level, 1, 60))
        places = [[place for place, which in enumerate(order) if which == arm] for arm in (0, 1)]
        arms = {name: arm_of(raw[which], places[which]) for which, name in enumerate(("old", "new"))}
        sides.append([subject("session", arms)])
    return _shares(sides, 1.0)


def _shares(sides: Sequence[Sequence[Subject]], ratio: float) -> dict[str, float]:
    counts = dict.fromkeys(("covered", "false", "false with margin", "refused", "said"), 0)
    for each in sides:
        bare, row = compared(each, 0.0)
        interval = change(row)
        counts["covered"] += interval is not None and interval[1] <= ratio <= interval[2]
        counts["false"] += bare.outcome in ("better", "worse")
        usual, _ = compared(each, Terms().margin)
        counts["false with margin"] += usual.outcome in ("better", "worse")
        counts["refused"] += usual.outcome == "cannot tell"
        counts["said"] += "one after the other" in usual.sessions
    return {name: count / len(sides) for name, count in counts.items()}


def main() -> None:
    """Print the tables; the argument is the number of comparisons in each cell."""
    each = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    start = time.process_time()
    print(f"{each} comparisons a line; trials of {', '.join(map(str, LENGTHS))} iterations whose levels differ by")
    print(f"{100 * BETWEEN:g} %; covered: the 95 % interval of new/old holds the true ratio, of 1 and of 1.1")
    print("process                  trials  covered  at 1.1  false  with margin  refused")
    for name, draw in PROCESSES.items():
        for trials in TRIALS:
            same = answers(draw, 1, each, trials)
            other = answers(draw, 2, each, trials, 1.1)
            print(
                f"{name:24s} {trials:6d}  {same['covered']:7.1%}  {other['covered']:6.1%}  {same['false']:5.1%}"
                f"  {same['false with margin']:11.1%}  {same['refused']:7.1%}",
                flush=True,
            )
    print("a machine that becomes 10 % slower during the session, 5 trials an arm")
    for interleaved in (True, False):
        found = session(4, each, 5, 0.1, interleaved)
        name = "interleaved" if interleaved else "one after the other"
        print(
            f"{name:24s}      5  {found['covered']:7.1%}          {found['false']:5.1%}"
            f"  {found['false with margin']:11.1%}  {found['refused']:7.1%}  said in {found['said']:.0%}"
        )
    print("fewer than three trials an arm, ratio 1.1: refused")
    for name, draw in PROCESSES.items():
        shares = [answers(draw, 3, max(1, each // 10), trials, 1.1) for trials in (1, 2)]
        print(f"{name:24s} " + "  ".join(f"{share['refused']:.0%}" for share in shares))
    print(f"{time.process_time() - start:.0f} s CPU")


if __name__ == "__main__":
    main()
