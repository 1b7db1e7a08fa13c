"""W0505: measured small, claimed large."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from ...schemas.submission import Claim, Row
from ..case import Case, Side
from ..facts.comparison.pairing import headline
from ..facts.document.told import said
from ..facts.document.words import words_around
from ..facts.quantities.numbers import exact
from ..facts.training.configuration import (
    PARALLEL,
    cut_images,
    declared,
    names_a_size,
    names_count,
    names_devices,
    of_row,
    of_run,
    of_statement,
    part_of_model,
    seen,
    smaller,
)
from ..fields import field_of
from ..language.printed import Span, span
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Inapplicable, NotShown, Related, Violation
from ..registry import rule

SAID = frozenset({"proxy_configuration", "projection", "scope_narrower"})
PARTS = frozenset({"kernel", "collective", "layer"})
QUANTITIES = frozenset({"rate", "mfu", "flops", "time"})
PROVIDE = """\
arms:
  large:
    devices: 1024
    options: {model: "decoder 175B", tensor_parallel: 8, pipeline_parallel: 16, data_parallel: 8}
"""


@rule(
    "W0505",
    "proxy-configuration-as-full-scale",
    effect=UNDERMINES,
    confidence=C3,
    applies="quantity in {rate, mfu, flops, time} and not replicated",
    origin="S1.5, MEAS",
    also=("W0105",),
)
def proxy_configuration_as_full_scale(claim: Claim, case: Case) -> Iterator[Branch]:
    """A number of the full configuration that was measured on a smaller one.

    ## What it does
    Compares the configuration to which the number is attributed (its table row, the devices, parameters and length in
    its sentence, the declared options) with the one that ran (the arm behind it, and the options seen in it): devices,
    layers, parameters, parallel sizes. A device count of the caption is no attribution where the row states its own.
    Compares the runs behind the claims of one headline in the same way. A row counts as
    resting on an arm if the arm's number is the row's, as it stands or times the ratio of the device counts.

    ## Why it misleads
    Eight devices of one node do not pay for the network, and four layers fit where ninety-six do not.

    ## Branches
    - (a) undermines, C3: the run had fewer devices or layers, a smaller model, or a parallel size of 1 instead of the
      claimed one; or one headline joins two numbers of runs that differ so.
    - (b, instead of a) caveat, C3: the same, and the words beside the number say so or name the measured device count.
    - (c) caveat, C3: images were cut below the size that the arm states as the model's own, and no words beside the
      number, in a caption or among the disclosures give the size that ran.
    - not shown: a size is claimed, and that of the measured run is not stated.
    - not applicable: the number is projected or simulated, and not said to be measured; or no other size is claimed
      than the one that ran.
    - Silent on layers and model size where the claim is about one layer or kernel.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"claims": {"rate": {"row": {"table": "scale", "row": "large"}}},
     "tables": {"scale": {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}},
                          "rows": {"large": {"devices": 512, "values": {"rate": "2500"}}}}}}
    ```

    ## Accepted
    On `strong-scaling` for claim `speedup`, measured on all 64 devices.

    ## How to fix
    Measure at the claimed scale, or name the measured configuration in the same sentence.

    ## References
    Hoefler, Twelve ways to fool the masses, way 5.
    """
    side, row = case.subject(claim), case.row(claim)
    if field_of("basis", claim, case) in {"projected", "simulated"}:
        yield Inapplicable("the number is not said to be measured")
        return
    rests = row is not None and (side is None or _rests_on(claim, case, side, row))
    stated = _of_words(claim, case, side) | (of_row(row) if row is not None and rests else {})
    if side is None:
        yield _unknown(claim.at) if stated else Inapplicable("no size is claimed, and no run is named")
        return
    run, own, at = of_run(side), declared(side), row.at if row is not None and rests else side.arm.at
    if "devices" in stated and "devices" not in run:
        yield _unknown(side.arm.at)
    joined = list(_joined(claim, case, side, run))
    cut = cut_images(side) if claim.scope not in PARTS else None
    if (
        not joined
        and cut is None
        and part_of_model(side) is None
        and not (stated.keys() & run.keys() or own.keys() & seen(side).keys())
    ):
        yield Inapplicable("no other size than that of the arm is claimed")
    part = part_of_model(side) if claim.scope not in PARTS else None
    if part is not None and part[0] < part[1]:
        run = {**run, "layers": exact(part[0])}
        stated = {**stated, "layers": exact(part[1])}
    found = smaller(run, own | stated, model=claim.scope not in PARTS)
    if found:
        related = (Related(side.arm.at, "what ran"),)
        said = (
            _said(claim)
            or (part is not None and names_devices(claim, part[0]))
            or (
                "devices" in run
                and found.keys() <= {"devices", *PARALLEL}
                and names_devices(claim, int(run["devices"].low))
            )
        )
        message = f"the number is attributed to {_words(found, 1)}, and was measured with {_words(found, 0)}"
        yield _violation(message, claim, at, said, related)
    yield from joined
    if cut is not None and not found and not _said(claim) and not _names_any(claim, case, cut[0]):
        small, own_size = (" x ".join(map(str, shape)) for shape in cut)
        message = f"inputs of {small} were run, where {own_size} is stated as the model's own; no words say so"
        place = side.arm.options.place("input_shape") if side.arm.options is not None else side.arm.at
        yield Violation("c", CAVEAT, C3, message, place, claim.value)


def _of_words(claim: Claim, case: Case, side: Side | None) -> dict[str, Span]:
    """Return the sizes that the words of a claim attribute its number to.

    A device count of a table's caption ("we scale to 512 GPUs") is about the table, where the rows state their own.
    """
    found = of_statement(claim)
    rows = [
        (row, table.caption)
        for table in case.submission.tables.values()
        for row in table.rows.values()
        if side is not None and row.arm == side.id and row.devices is not None
    ]
    if "devices" in found and any(names_count(caption or "", int(found["devices"].low)) for _, caption in rows):
        del found["devices"]
    return found


def _unknown(at: str) -> NotShown:
    return NotShown("the configuration of the measured run is not stated", at, provide=PROVIDE)


def _rests_on(claim: Claim, case: Case, side: Side, row: Row) -> bool:
    """Whether a row's number is that of an arm: equal in digits, or times the ratio of the device counts."""
    table = case.table(claim)
    metric = case.metric(claim.measured) if claim.measured is not None else None
    if metric is None:
        same = [item for item in side.arm.performance.values() if item.quantity in QUANTITIES]
        metric = same[0] if len(same) == 1 else None
    if table is None or metric is None or metric.value is None:
        return False
    own = span(metric.value, digits=metric.digits)
    factor = Decimal(row.devices or 1) / Decimal(side.devices or 1)
    scaled = own * Span(factor, factor)
    for key, column in table.columns.items():
        if column.quantity == metric.quantity and column.unit == metric.unit and key in row.values:
            return span(row.values[key]).meets(own) or span(row.values[key]).meets(scaled)
    return False


def _said(claim: Claim) -> bool:
    return said(claim, *SAID)


def _names_any(claim: Claim, case: Case, shape: tuple[int, ...]) -> bool:
    """Whether the words beside a number, a caption or a disclosure give one of the lengths of a shape."""
    quotes = ((item.at, item.quote) for item in case.submission.disclosures)
    words = words_around(claim, case).and_(("/title", case.submission.title), *quotes)
    return any(text.prints(*map(Decimal, shape[1:])) for text in words)


def _violation(message: str, claim: Claim, at: str, said: bool, related: tuple[Related, ...]) -> Violation:
    branch, effect = ("b", CAVEAT) if said else ("a", UNDERMINES)
    return Violation(branch, effect, C3, message, at, claim.value, related=related)


def _joined(claim: Claim, case: Case, side: Side, run: Mapping[str, Span]) -> Iterator[Branch]:
    """Judge the other claims of a headline: numbers of larger runs, where a sentence does not name its size."""
    for name, other in headline(case, claim.group) if claim.group is not None else ():
        if other is claim or other.quantity not in QUANTITIES:
            continue
        theirs = case.subject(other)
        if theirs is None or theirs.id == side.id:
            continue
        found = smaller(run, of_run(theirs), model=not {claim.scope, other.scope} & PARTS)
        if found and not (names_a_size(claim) and names_a_size(other)):
            message = (
                f"one headline joins this number, measured with {_words(found, 0)}, with `{name}`, measured with "
                f"{_words(found, 1)}"
            )
            related = (Related(other.at, "the other number of the headline"),)
            yield _violation(message, claim, claim.at, _said(claim) or _said(other), related)


def _words(found: Mapping[str, tuple[Span, Span]], which: int) -> str:
    names = {
        "parameters": "about {} parameters",
        "devices": "{} devices",
        "layers": "{} layers",
        "input_length": "sequences of {}",
    }
    return ", ".join(
        names.get(key, key.replace("_", "-") + " size {}").format(pair[which]) for key, pair in sorted(found.items())
    )
