"""What the raw times of an arm show of themselves, in words: for the closing lines of a run and for reports."""

from __future__ import annotations

from collections.abc import Sequence

from ..schemas.evidence import ArmAnalysis, SeriesAnalysis


def in_words(arm: ArmAnalysis, trials: Sequence[SeriesAnalysis]) -> tuple[str, ...]:
    """Return a clause for every raised flag; empty where none is.

    Args:
        arm: the analysis of the arm.
        trials: those of its trials.
    """
    clauses = {
        "warmup_retained": _slow,
        "autocorrelated": _dependent,
        "drift": _drifting,
        "multimodal": _several,
    }
    return tuple(
        clauses[flag](
            f"{arm.flagged.get(flag, 0)} of {arm.trials} trials", [one for one in trials if flag in one.flags]
        )
        for flag in arm.flags
    )


def _slow(count: str, trials: Sequence[SeriesAnalysis]) -> str:
    longest = max((one.warmup_end or 0 for one in trials), default=0)
    return f"{count} begin slow, for up to {longest} iterations after the warm-up"


def _dependent(count: str, trials: Sequence[SeriesAnalysis]) -> str:
    worst = min(trials, key=lambda one: one.effective_n or one.read, default=None)
    weigh = f": {worst.read} iterations weigh as {worst.effective_n:.3g}" if worst and worst.effective_n else ""
    return f"iterations depend on those before in {count}{weigh}"


def _drifting(count: str, trials: Sequence[SeriesAnalysis]) -> str:
    change = max((one.drift or 0.0 for one in trials), key=abs, default=0.0)
    return f"{count} drift, by up to {100 * change:+.3g} % of the step time"


def _several(count: str, trials: Sequence[SeriesAnalysis]) -> str:
    return f"{count} have several modes" if trials else "the trials together have several modes"
