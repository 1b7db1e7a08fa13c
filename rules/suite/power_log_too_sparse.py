"""Q33: a power log that cannot carry the energy that is claimed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from ...schemas.energy import Energy, MeterReadings, MeterSession
from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.suite.result import quoted
from ..language.printed import short
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, NotShown, Violation
from ..registry import Threshold, rule
from ..tables.mlperf import since
from ..tables.mlperf_common import common

STEADY, NEARLY = 2, 0.1
"""Samples of a meter that is read and then waits: none lies twice what is due from the next, few are missing."""
PROVIDE = """\
arms:
  server:
    energy: {updates: 1200, duration_s: 601.2, nodes: 1, uncertainty: 0.008, ranging_power_w: 6580}
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    counted: float = Threshold(0.05, "share of the samples asked for", "judgement")
    gap: float = Threshold(10, "seconds without a sample", "judgement")
    unread: float = Threshold(0.01, "share of lines that hold no sample", "judgement")
    lead: float = Threshold(
        86400, "seconds from the ranging run to the run", "judgement: the suite's tool runs both at once"
    )


@rule(
    "Q33",
    "power-log-too-sparse",
    effect=UNDERMINES,
    confidence=C3,
    applies="suite and energy",
    origin="POL",
    thresholds=Thresholds,
)
def power_log_too_sparse(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """An energy from too few samples of power, too few nodes, or a meter in the wrong range.

    ## What it does
    In training, counts the samples of power in the window and the nodes that were measured. In inference, compares the
    run with the one that set the meter's range, reads the meter's uncertainty, and compares the clocks of the system
    and of the meter, by which samples are taken to lie in the run.

    ## Why it misleads
    A sample every ten seconds misses the peaks, and a meter in the wrong range its own precision.

    ## Branches
    - (a) undermines, C3: training: less than one sample a second, fewer than 60, or not all nodes; a caveat where
      less than a tenth is missing and no two samples are more than two seconds apart. Inference: no sample in the
      window, a run more than 5 % shorter than the ranging run, a mean power more than 5 % below it, clocks more
      than half a second apart, ten seconds without a sample, more than 1 % of lines that hold none or of samples
      that are not later than those before, samples asked for less often than each second or more numerous than
      asked for, a range left to the meter, or a ranging run that ended after the run began, or more than a day
      before. A caveat where the meter's program warned of an uncertainty above 1 %, where a run is no shorter than half
      the ranging run, and where the mean power is below that of the ranging run in a round before the suite compared
      the two, or in none that is stated.
    - not shown: the samples of power are not given.

    ## Flagged
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"quantity": "energy", "unit": "kWh"}},
     "arms": {"retinanet": {"energy": {"method": "sampled", "boundary": "node", "updates": 200, "duration_s": 2286}}}}
    ```

    ## Accepted
    On `suite-training` for claim `retinanet`:
    ```json
    {"claims": {"retinanet": {"quantity": "energy", "unit": "kWh"}},
     "arms": {"retinanet": {"energy": {"method": "sampled", "boundary": "node", "updates": 2290, "duration_s": 2286}}}}
    ```

    ## How to fix
    Measure again: at one sample a second or more, on every node, with a meter whose range was set for this run.

    ## References
    Rules of the suites on power measurement; the check of power logs of MLPerf Inference, which warns of a run shorter
    than half the ranging run and, since round v3.1, refuses a mean power more than 5 % below that of the ranging run.
    """
    side = case.subject(claim)
    energy = side.arm.energy if side is not None else None
    if side is None or energy is None or energy.updates is None:
        yield NotShown("how often power was sampled is not given", claim.at, provide=PROVIDE)
    elif claim.suite == "training":
        yield from _training(side, energy, energy.updates)
    if energy is not None and claim.suite == "inference":
        yield from _ranged(energy, quoted(claim).round)
        yield from _inference(energy, thresholds)


def _training(side: Side, energy: Energy, updates: int) -> Iterator[Branch]:
    longest = energy.readings.longest_gap_s if energy.readings is not None else None
    steady = longest is not None and longest * common().power.per_second <= STEADY
    for found in _few(energy, updates, 0.0):
        near = steady and not any(_few(energy, updates, NEARLY))
        yield structs.replace(found, effect=CAVEAT) if near else found
    nodes = side.system.nodes if side.system is not None else None
    if nodes is not None and energy.nodes is not None and energy.nodes < nodes:
        yield _violation(energy, "nodes", f"the power of {energy.nodes} of {nodes} nodes was measured")


def _inference(energy: Energy, thresholds: Thresholds) -> Iterator[Branch]:
    if energy.updates == 0:
        yield _violation(energy, "updates", "no sample of power lies in the window")
    elif energy.updates is not None:
        yield from _few(energy, energy.updates, thresholds.counted)
    if energy.uncertainty is not None and energy.uncertainty > common().power.uncertainty:
        warned = f"the meter's program warned of an uncertainty of {energy.uncertainty:.2%}"
        yield structs.replace(_violation(energy, "uncertainty", warned), effect=CAVEAT)
    if energy.session is not None:
        yield from _session(energy, energy.session, thresholds)
    if energy.readings is not None:
        yield from _readings(energy.readings, thresholds)


def _ranged(energy: Energy, round_name: str | None) -> Iterator[Branch]:
    """Compare a run with the one that set the meter's range."""
    policy = common().power
    took, ranging = energy.duration_s, energy.ranging_duration_s
    if took is not None and ranging is not None and took < ranging * (1 - policy.shorter_than_ranging):
        message = f"the run took {short(took)} s, shorter than the ranging run's {short(ranging)} s"
        found = _violation(energy, "duration_s", message)
        yield found if 2 * took < ranging else structs.replace(found, effect=CAVEAT)
    mean, ranged = energy.mean_power_w, energy.ranging_power_w
    if mean is not None and ranged is not None and mean < ranged * (1 - policy.below_ranging):
        message = f"the mean power is {short(mean)} W, that of the ranging run {short(ranged)} W"
        found = _violation(energy, "mean_power_w", message)
        compared = round_name is not None and since(round_name, policy.compared_from_round)
        yield found if compared else structs.replace(found, effect=CAVEAT)


def _session(energy: Energy, session: MeterSession, thresholds: Thresholds) -> Iterator[Branch]:
    apart, interval, lead = session.clock_offset_s, session.interval_s, session.ranging_lead_s
    if apart is not None and apart > common().power.clocks_s:
        yield _violation(session, "clock_offset_s", f"the clocks of system and meter are {short(apart)} s apart")
    if interval is not None and interval * common().power.per_second > 1:
        message = f"the meter was asked for a sample every {short(interval)} s; one a second is due"
        yield _violation(session, "interval_s", message)
    took, updates = energy.duration_s, energy.updates
    if interval is not None and took is not None and updates is not None:
        most = took / interval * (1 + thresholds.counted) + 2
        if updates > most:
            message = (
                f"{updates} samples of power in {short(took)} s; the meter was asked for one every {short(interval)} s"
            )
            yield _violation(energy, "updates", message)
    if session.is_ranged is False:
        yield _violation(session, "is_ranged", "the meter's range was left to the meter")
    if lead is not None and not -1 < lead <= thresholds.lead:
        when = f"{short(lead)} s before" if lead > 0 else f"{short(-lead)} s after"
        message = f"the run that set the meter's range ended {when} the run began"
        yield _violation(session, "ranging_lead_s", message)


def _readings(readings: MeterReadings, thresholds: Thresholds) -> Iterator[Branch]:
    gap, count = readings.longest_gap_s, readings.count or 0
    if gap is not None and gap > thresholds.gap:
        yield _violation(readings, "longest_gap_s", f"no sample of power for {short(gap)} s of the run")
    for name, number, words in (
        ("unread", readings.unread, "lines of the power log hold no sample that can be read"),
        ("disordered", readings.disordered, "samples of power are not later than those before"),
    ):
        if number and number > thresholds.unread * (count + number):
            yield _violation(readings, name, f"{number} {words}")


def _few(energy: Energy, updates: int, slack: float) -> Iterator[Violation]:
    """Yield too few samples of power, or fewer in a second than asked for by more than a share."""
    policy, took = common().power, energy.duration_s
    if updates < policy.samples:
        yield _violation(energy, "updates", f"{updates} samples of power; {policy.samples} are due")
    elif took is not None and updates + 1 < policy.per_second * took * (1 - slack):
        rate = short(updates / took)
        yield _violation(energy, "updates", f"{rate} samples of power a second; {policy.per_second:g} is due")


def _violation(node: Energy | MeterSession | MeterReadings, field: str, message: str) -> Violation:
    return Violation("a", UNDERMINES, C3, message, node.place(field))
