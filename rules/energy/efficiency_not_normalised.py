"""E04: saved energy, without the work that it was for."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..outcome import Branch, Inapplicable, NotShown
from ..registry import rule
from ._work_per_joule import against_energy, normalised, of_base, of_subject

COMPARED = frozenset({"ratio", "words", "rank"})
ITEM = "work per joule"
PROVIDE = """\
arms:
  limited:
    energy: {energy_j: 228426, work: 1920000}    # joules, and the samples or tokens done for them
"""


@rule("E04", "efficiency-not-normalised", applies="energy", origin="S0")
def efficiency_not_normalised(claim: Claim, case: Case) -> Iterator[Branch]:
    """A ratio, a rank or a word about energy without the work per joule of both sides.

    ## What it does
    Looks for samples, tokens or operations per joule (or joules per unit of work, or energy with the work done for it)
    of the claim's arm and of what it is compared with. A single number is asked for it where it is an efficiency by its
    unit, and sets a quality, a price or a machine against the energy instead of work.

    ## Why it misleads
    A device that takes half the power and three times as long uses more energy for the same work. "Half the power" and
    "half the energy of a run" say nothing until the work is named.

    ## Branches
    - not shown: the work per joule of a side is not given; or the number is an efficiency without work, such as
      accuracy points per kilojoule. Required (work per joule) of comparisons from the gate profile on.
    - not applicable: one energy, or one efficiency by its work, that is compared with nothing.

    ## Flagged
    On `energy` for claim `gain`:
    ```json
    {"arms": {"full": {"energy": {"work": null},
                       "performance": {"per-joule": {"unit": "J", "work_per_iteration": null}}}}}
    ```

    ## Accepted
    On `energy` for claim `gain`, with images per joule of both arms.

    ## How to fix
    Give samples or tokens per joule of both sides.

    ## References
    Green500 methodology; MLPerf power measurement rules.
    """
    if against_energy(claim.unit) and not normalised(claim.unit):
        yield NotShown(
            f"{claim.value or 'the number'} {claim.unit} sets no work against the energy", claim.at, ITEM, PROVIDE
        )
        return
    if claim.form not in COMPARED:
        yield Inapplicable("an energy that is compared with nothing")
        return
    sides = {"the claim's arm": of_subject(claim, case), "what it is compared with": of_base(claim, case)}
    lacking = [name for name, given in sides.items() if not given]
    if lacking:
        yield NotShown(f"the work per joule of {' and of '.join(lacking)} is not given", claim.at, ITEM, PROVIDE)
