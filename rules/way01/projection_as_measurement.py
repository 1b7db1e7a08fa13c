"""W0105: a number that nobody measured."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.runs.tally import trained
from ..facts.training.extrapolation import PART_OF_A_RUN, ran_whole, whole_training
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule
from ..words import training

ITEM = "measurement behind the number"
PROVIDE = """\
claims:
  speedup:
    basis: measured
    measured: {arm: large, metric: rate}
"""


@rule(
    "W0105",
    "projection-as-measurement",
    effect=CAVEAT,
    confidence=C3,
    applies="not suite and not basis=quoted",
    origin="S1.1, ML, MEAS",
)
def projection_as_measurement(claim: Claim, case: Case) -> Iterator[Branch]:
    """A projected or simulated number that reads like a measured one.

    ## What it does
    Asks whether the number was measured, and where: its stated basis, and whether the runs behind it used the devices
    that the claim is about. For a computed number it asks whether the sentence says so ("we project", "estimated").
    Conversions of units, and a price times a measured time, are not projections; a quote about one beside a comparison
    whose own number is stated is about the other side, of which W0403 asks. The time of a training computed from a
    short run on the same devices is W0102's.

    ## Why it misleads
    A projection is as good as its author's assumptions. Contention, stragglers and lost convergence appear only when
    the machine is there.

    ## Branches
    - (a) caveat, C3: projected, simulated, or run on another device model or count, and the statement says so.
    - (b) caveat, C3: the time of a whole training that did not take place, derived from a rate of other devices; or
      its energy, worked out from a rate or from steps. An energy without the idle power or with the host's is metered.
    - not shown: the same as (a), and the statement does not say so; or the basis is not stated and no run is linked.
      Required (measurement behind the number) of projected and simulated numbers, from the reviewer profile on.

    ## Flagged
    On `strong-scaling` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"basis": "projected", "statement": "We project a speed-up of 6.61x on eight nodes."}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, measured on every number of nodes in its table.

    ## How to fix
    Measure it, or label it as a projection, with its formula and the intervals of its inputs.

    ## References
    Hoefler, Twelve ways to fool the masses, way 1.
    """
    said = _said(claim)
    elsewhere = _other_devices(claim, case)
    number = case.metric(claim.measured)
    own = claim.compares != "none" and number is not None and number.value is not None
    quoted = not own and any(item.topic == "projection" for item in claim.said)
    if claim.basis in {"projected", "simulated"} or elsewhere is not None or (quoted and claim.basis is None):
        what = elsewhere.note if elsewhere is not None else f"the number is {claim.basis or 'projected'}, not measured"
        related = (elsewhere,) if elsewhere is not None else ()
        if said is not None:
            yield Violation("a", CAVEAT, C3, f'{what}, as the statement says ("{said}")', claim.at, related=related)
        else:
            message = f"{what}, and the statement does not say so"
            yield NotShown(message, claim.place("statement"), ITEM, PROVIDE, related)
        return
    if claim.basis == "derived" and claim.scope == "training_run" and claim.quantity in {"time", "energy"}:
        yield from _derived(claim, case)
        return
    if claim.basis is None and not _linked(claim, case):
        message = "whether this was measured is not stated, and no run is linked"
        yield NotShown(message, claim.at, ITEM, PROVIDE)


def _derived(claim: Claim, case: Case) -> Iterator[Branch]:
    if whole_training(claim, case):
        return
    if claim.quantity == "energy":
        yield from _of_energy(claim, case)
        return
    if claim.quantity == "time" and training(claim, case) and case.metric(claim.measured) is not None:
        yield Inapplicable("a training time computed from a short run on the same devices: see W0102")
        return
    message = "the training did not take place: its time is work divided by a rate"
    yield Violation("b", CAVEAT, C3, message, claim.place("basis"))


def _of_energy(claim: Claim, case: Case) -> Iterator[Branch]:
    """Judge a derived energy of a training: what ran whole was metered, less its idle power or with its host's."""
    metric, side = case.metric(claim.measured), case.subject(claim)
    if side is not None and (ran_whole(side) or trained(side)):
        return
    part = metric is not None and (metric.quantity == "rate" or metric.scope in PART_OF_A_RUN)
    if metric is not None and part and metric.quantity != "energy":
        message = f"the training did not take place: its energy is worked out from a {metric.quantity}"
        yield Violation("b", CAVEAT, C3, message, claim.place("basis"))
    elif part or metric is None:
        message = "whether this energy was metered over a whole training is not stated"
        yield NotShown(message, claim.place("basis"), provide=PROVIDE)


def _said(claim: Claim) -> str | None:
    quote = next((item.quote for item in claim.said if item.topic == "projection"), None)
    if quote is not None:
        return quote
    return next((item.text for item in read(claim.statement).mentions("told_as_projection") if not item.negated), None)


def _other_devices(claim: Claim, case: Case) -> Related | None:
    """Return where the runs behind a row used another device model or count than the row states."""
    row, side = case.row(claim), case.subject(claim)
    if row is None or side is None:
        return None
    if row.devices is not None and side.devices is not None and row.devices != side.devices:
        note = f"the claim is about {row.devices} devices, the runs used {side.devices}"
        return Related(side.arm.at, note)
    system = case.submission.systems.get(row.system or "")
    devices = [item.device for item in (system, side.system) if item is not None]
    if len(devices) == 2 and all(isinstance(device, str) for device in devices) and devices[0] != devices[1]:
        return Related(side.arm.at, f"the claim is about {devices[0]}, the runs used {devices[1]}")
    return None


def _linked(claim: Claim, case: Case) -> bool:
    """Whether a claim names an arm, in itself or through its table; a deterministic count needs none."""
    table = case.table(claim)
    rows = table.rows.values() if table is not None else ()
    named = case.subject(claim) or case.side(claim.quality)
    return named is not None or any(row.arm is not None for row in rows) or claim.quantity == "count"
