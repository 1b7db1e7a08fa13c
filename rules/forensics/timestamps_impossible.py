"""F17: times of runs that no clock can have shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise
from statistics import median_high

from msgspec import Struct

from ...schemas.evidence import Evaluation
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.runs.files import SCORED
from ..facts.runs.instants import instant_s, run_span
from ..facts.runs.shared_devices import partitioned, shared_devices
from ..facts.runs.times import is_unix
from ..facts.suite.loadgen_times import impossible
from ..facts.suite.result import is_handed_in, quoted, round_entry
from ..facts.training.convergence import in_order
from ..outcome import C1, C2, C3, CAVEAT, REFUTES, UNDERMINES, Branch, Inapplicable, Related, Violation
from ..registry import Threshold, rule
from ..trace import Logged
from ._groups_of_runs import MOST_NAMED, timed_runs
from ._log_order import ended_before, in_seconds, initialised_late

SMALL = 0.01
RESTART = 2.0
"""Times the usual interval between evaluations, or the time of the first one, within which a process that began anew
reaches the next one: it loads and compiles again as the first one did.
"""
DATE = len("2026-02-03")


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    skew: float = Threshold(5, "seconds that clocks may be apart", "judgement")
    log: float = Threshold(1, "seconds between stamps of one process", "measured: no interval of 118 published logs")


@rule(
    "F17",
    "timestamps-impossible",
    effect=REFUTES,
    confidence=C3,
    applies="has(times) or has(curve)",
    origin="J",
    also=("F37",),
    thresholds=Thresholds,
)
def timestamps_impossible(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Runs that end before they start, overlap on one device, or outlast the study that holds them.

    ## What it does
    Reads start and end of every run of the claim's record: its study, or the submission itself. Two runs of one device
    that is not shared must not overlap. Devices are told apart by identities that are unique, or by equal boots of one
    machine; an index alone is no identity. The evaluations of a run are later the further the training was. In a log,
    each stop is later than the start before it, as long as one process wrote both, and the logs of one result count
    time in one unit.

    ## Why it misleads
    Records with impossible times were edited, merged or made up, or a clock was wrong; durations taken from them mean
    nothing.

    ## Branches
    - (a) refutes, C3: by more than 5 s, a run ends before its start, overlaps another one on the same exclusive device,
      has a wall time that its stamps do not hold, or is longer than its study.
    - (b) caveat, C1: a run is older than the stated release of its device or of its software, or younger than the
      publication that reports it.
    - (c) undermines, C3: an evaluation after more steps, samples or epochs has an earlier time, by over 5 s and 1 %,
      which no restart explains.
    - (d) caveat, C1: it has one as of a process that began anew: the time is at most twice the usual interval between
      evaluations or that of the first one, and from it to the next one it is at most twice the usual interval.
    - (e) undermines, C3: a stop in a log is earlier than its start; or the times of one log are in seconds and those of
      the others in milliseconds. A caveat where it is earlier by 1 to 5 s, as the clocks of two nodes may be apart.
    - (f) caveat, C3: the initialisation of a run stands before its start in the log, and ends by its time 5 s after it.
    - (g) undermines, C2: some runs of a result that is handed in to a round of a suite were made after the round was
      published. A caveat where all that tell their time were, and most do: somebody ran again what was published.
    - (h) undermines, C3: the log of a load generator has a line before its own start, a result before its settings, a
      test before the generator was built or days from the stamps around its queries, or an end of them before their
      beginning that no end of summer time explains.
    - not applicable: start, end or device identity of a run is not given, or devices are partitioned, or no release is
      stated that the runs could precede.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"trials": {
       "t1": {"started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:05:00Z", "device_ids": ["GPU-8d1f04c2a911"]},
       "t2": {"started": "2026-02-03T10:04:00Z", "ended": "2026-02-03T10:09:00Z", "device_ids": ["GPU-8d1f04c2a911"]}
    }}}}
    ```

    ## Accepted
    On `rate` for claim `rate`:
    ```json
    {"systems": {"node": {"released": "2020-11-16"}},
     "arms": {"a": {"software": {"released": "2025-01-29"}, "trials": {
       "t1": {"started": "2026-02-03T10:00:00Z", "ended": "2026-02-03T10:05:00Z", "device_ids": ["GPU-8d1f04c2a911"]},
       "t2": {"started": "2026-02-03T10:05:00Z", "ended": "2026-02-03T10:09:00Z", "device_ids": ["GPU-8d1f04c2a911"]},
       "t3": {"started": "2026-02-03T10:10:00Z", "ended": "2026-02-03T10:14:00Z", "device_ids": ["GPU-8d1f04c2a911"]},
       "t4": {"started": "2026-02-03T10:15:00Z", "ended": "2026-02-03T10:19:00Z", "device_ids": ["GPU-8d1f04c2a911"]},
       "t5": {"started": "2026-02-03T10:20:00Z", "ended": "2026-02-03T10:24:00Z", "device_ids": ["GPU-8d1f04c2a911"]}
    }}}}
    ```

    ## How to fix
    Correct the clock or the record, and say which devices the runs shared.

    ## References
    A device that one process holds runs one process at a time.
    """
    side = case.subject(claim)
    if side is None:
        yield Inapplicable("the claim names no runs")
        return
    sides = [other for other in case.sides() if other.study is side.study]
    for other in sides:
        yield from _backwards(other, thresholds.skew)
    yield from _overlapping(sides, thresholds.skew)
    yield from _shorter_than_wall(side, thresholds.skew)
    yield from _beyond_study(side, thresholds.skew)
    yield from _clock_back(side, thresholds.skew)
    yield from _after_publication(case, side)
    yield from _before_release(side)
    yield from _in_logs(case, side, thresholds.log, thresholds.skew)
    yield from _after_round(claim, case, side)
    yield from _of_generator(case, side)
    ran = [trial for trial in side.arm.trials.values() if trial.outcome != "not_run"]
    if not all(trial.started and trial.ended and trial.device_ids for trial in ran) or partitioned(side):
        yield Inapplicable("start, end or device identity of a run is not given, or its device is partitioned")
    if side.system is None or side.system.released is None or _software(side) is None:
        yield Inapplicable("no release of device and software is stated")


def _backwards(side: Side, skew: float) -> Iterator[Violation]:
    for name, trial in side.arm.trials.items():
        run = run_span(name, trial)
        if run is not None and run.start_s - run.end_s > skew:
            message = f"run {name} of {side.id} ends {run.start_s - run.end_s:g} s before it starts"
            related = (Related(trial.place("started"), "start"),)
            yield Violation("a", REFUTES, C3, message, trial.place("ended"), trial.ended, related=related)


def _overlapping(sides: list[Side], skew: float) -> Iterator[Violation]:
    """Yield runs that begin on a device before an earlier one has left it, one finding for each device."""
    for found in shared_devices(sides, skew):
        message = (
            f"runs {found.left.name} and {found.right.name} overlap by {found.seconds:g} s on device {found.device}"
        )
        yield Violation("a", REFUTES, C3, message, found.right.at, related=(Related(found.left.at, "the other run"),))


def _shorter_than_wall(side: Side, skew: float) -> Iterator[Violation]:
    """Yield runs whose wall time does not fit between their start and their end."""
    for name, trial in side.arm.trials.items():
        run = run_span(name, trial)
        if run is None or trial.wall_s is None or run.end_s < run.start_s:
            continue
        lasted = run.end_s - run.start_s
        if trial.wall_s > lasted + skew and trial.wall_s > (1 + SMALL) * lasted:
            message = f"run {name} has a wall time of {trial.wall_s:g} s between stamps that are {lasted:g} s apart"
            related = (Related(trial.place("ended"), "end"),)
            yield Violation(
                "a", REFUTES, C3, message, trial.place("wall_s"), f"{trial.wall_s:g} s", f"{lasted:g} s", related
            )


def _after_publication(case: Case, side: Side) -> Iterator[Violation]:
    """Yield a run that began after the day of the publication that reports it, whatever the time zone."""
    publication = case.submission.publication
    published = publication.date if publication is not None else None
    day = instant_s(f"{published}T00:00:00Z") if published is not None and len(published) == DATE else None
    if day is None or publication is None:
        return
    for name, trial in side.arm.trials.items():
        run = run_span(name, trial)
        if run is not None and run.start_s > day + 2 * 86400:
            message = f"run {name} started on {(trial.started or '')[:10]}; it is reported on {published}"
            at, related = trial.place("started"), (Related(publication.at, "publication"),)
            yield Violation("b", CAVEAT, C1, message, at, (trial.started or "")[:10], published, related)
            return


def _in_logs(case: Case, side: Side, slack: float, skew: float) -> Iterator[Violation]:
    """Yield the first stop before its start, the first initialisation that outlasts the start, and logs in seconds."""
    runs = case.runs_of(side)
    ended = [(run, interval) for run in runs for interval in ended_before(run, slack)]
    ended.sort(key=lambda item: item[1].seconds < skew)
    for run, found in ended[:1]:
        more = f"; {len(ended) - 1} more intervals do so" if len(ended) > 1 else ""
        message = f"{run.name}: {found.stop.key} is {found.seconds:.1f} s earlier than its {found.start.key}{more}"
        related = (Related(run.trace.place(found.start), found.start.key),)
        effect = CAVEAT if all(interval.seconds < skew for _, interval in ended) else UNDERMINES
        yield Violation("e", effect, C3, message, run.trace.place(found.stop), related=related)
    late = [(run, interval) for run in runs if (interval := initialised_late(run, skew)) is not None]
    for run, found in late[:1]:
        more = f"; {len(late) - 1} more logs do so" if len(late) > 1 else ""
        message = f"{run.name}: {found.stop.key} stands before {found.start.key} and is {found.seconds:.1f} s later"
        related = (Related(run.trace.place(found.start), found.start.key),)
        yield Violation("f", CAVEAT, C3, message + more, run.trace.place(found.stop), related=related)
    short = in_seconds(runs)
    for run in short[:1]:
        more = f", and so are those of {len(short) - 1} more" if len(short) > 1 else ""
        message = f"the times of {run.name} are in seconds{more}, those of {len(runs) - len(short)} others in ms"
        message += ": it seems to take a thousandth of its time"
        also = tuple(Related(other.place(), "in seconds, too") for other in short[1:MOST_NAMED])
        yield Violation("e", UNDERMINES, C3, message, run.trace.place(run.trace.in_time[0]), related=also)


def _after_round(claim: Claim, case: Case, side: Side) -> Iterator[Violation]:
    """Yield the logs of a result that began two days or more after its round was out, in any time zone."""
    if claim.suite is None or case.submission.folder is None or not is_handed_in(claim, case):
        return
    result = quoted(claim)
    entry = round_entry(result)
    if entry is None or entry.published is None:
        return
    last = instant_s(f"{_last_day(entry.published)}T00:00:00Z")
    runs = case.runs_of(side)
    timed = timed_runs(case, side)
    after = [found for found in timed if last is not None and found.start_ms / 1000 > last + 2 * 86_400]
    if after:
        first = min(after, key=lambda found: found.start_ms)
        day = date(1970, 1, 1) + timedelta(days=first.start_ms // 86_400_000)
        message = f"{len(after)} of {len(runs)} runs began on {day} or later; round v{result.round} was published in "
        message += f"{entry.published}"
        again = len(after) == len(timed) and 2 * len(timed) >= len(runs)
        message += ": they are no part of what was handed in to it" if again else ""
        yield Violation("g", CAVEAT if again else UNDERMINES, C2, message, _start(first.run))


def _start(run: Logged) -> str:
    """Return the place where the log of a run says that it began, else that of the run."""
    started = run.trace.of("run_start", "init_start")
    return run.trace.place(started[0]) if started else run.place()


def _of_generator(case: Case, side: Side) -> Iterator[Violation]:
    """Yield the stamps in logs of a load generator that contradict each other."""
    for run in case.runs_of(side):
        if run.role in SCORED and not is_unix(run):
            for odd in impossible(run):
                related = () if odd.other is None else (Related(run.trace.place(odd.other), odd.other.key),)
                at, shown = run.trace.place(odd.event), str(odd.event.value)[:60]
                yield Violation("h", UNDERMINES, C3, odd.message, at, shown, related=related)


def _last_day(published: str) -> date:
    """Return the last day that a date may mean: "2020-07" is any day of July."""
    if len(published) == DATE:
        return date.fromisoformat(published)
    return (date.fromisoformat(f"{published}-28") + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _clock_back(side: Side, skew: float) -> Iterator[Violation]:
    """Yield runs whose time falls from one evaluation to a later one: first what no restart explains."""
    for name, trial in side.arm.trials.items():
        timed = in_order([item for item in trial.evaluations if item.time_s is not None])
        times = [item.time_s or 0.0 for item in timed]
        falls = []
        for index, (before, after) in enumerate(pairwise(times), 1):
            fell = before - after
            if fell > skew and fell > SMALL * before and (further := _further(timed[index - 1], timed[index])):
                falls.append((_restarted(times, index), index, f"goes back by {fell:g} s while {further}"))
        for restarted, index, what in sorted(falls)[:1]:
            message, at = f"the time of run {name} {what}", f"{timed[index].at}/time_s"
            related = (Related(timed[index - 1].at, "the evaluation before"),)
            if restarted:
                message += ": is it the time of a process that was started again, not of the run?"
                yield Violation("d", CAVEAT, C1, message, at, f"{times[index]:g} s", related=related)
            else:
                yield Violation("c", UNDERMINES, C3, message, at, f"{times[index]:g} s", related=related)


def _restarted(times: list[float], index: int) -> bool:
    """Whether the time of an evaluation, and that from it to the next one, is what a new process takes for it."""
    rises = [after - before for before, after in pairwise([0.0, *times]) if after > before]
    own = times[index]
    following = max(0.0, times[index + 1] - own) if index + 1 < len(times) else 0.0
    usual = median_high(rises)
    return own <= RESTART * max(usual, times[0]) and following <= RESTART * usual


def _further(before: Evaluation, after: Evaluation) -> str:
    """Return in words what grew from one evaluation to another; empty where nothing that both state did."""
    for field in ("samples", "step", "epoch"):
        one, other = getattr(before, field), getattr(after, field)
        if one is not None and other is not None:
            return f"its {field} goes from {one:g} to {other:g}" if other > one else ""
    return ""


def _beyond_study(side: Side, skew: float) -> Iterator[Violation]:
    if side.study is None or side.study.record is None:
        return
    study = side.study.record.study
    begin, end = instant_s(study.started), instant_s(study.ended)
    if begin is None or end is None:
        return
    for name, trial in side.arm.trials.items():
        run = run_span(name, trial)
        if run is not None and run.end_s - run.start_s > end - begin + skew:
            message = f"run {name} takes {run.end_s - run.start_s:g} s in a study of {end - begin:g} s"
            yield Violation("a", REFUTES, C3, message, trial.at, related=(Related(study.at, "the study"),))


def _before_release(side: Side) -> Iterator[Violation]:
    released = {
        "its device": (side.system.released, side.system.place("released")) if side.system is not None else None,
        "its software": _software(side),
    }
    first = min((trial.started for trial in side.arm.trials.values() if trial.started is not None), default=None)
    for what, found in released.items():
        if first is not None and found is not None and found[0] is not None and first[:10] < found[0]:
            message = f"a run started on {first[:10]}, before {what} was released on {found[0]}"
            at = side.arm.place("trials")
            yield Violation("b", CAVEAT, C1, message, at, first[:10], found[0], (Related(found[1], "release"),))


def _software(side: Side) -> tuple[str, str] | None:
    software = side.arm.software
    return (software.released, software.place("released")) if software is not None and software.released else None
