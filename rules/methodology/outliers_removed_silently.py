"""M10: recorded values that are missing without a word."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Case
from ..facts.series.discards import discards
from ..facts.series.kept_series import related_sides
from ..outcome import C3, UNDERMINES, Branch, Inapplicable, Violation
from ..registry import rule


@rule(
    "M10",
    "outliers-removed-silently",
    effect=UNDERMINES,
    confidence=C3,
    applies="timing",
    origin="HB15",
)
def outliers_removed_silently(claim: Claim, case: Case) -> Iterator[Branch]:
    """Fewer values used than recorded after the warm-up, without a rule and without a count.

    ## What it does
    Takes the units that an arm recorded, less its warm-up, and compares them with the units that entered its number.
    The counts may be those of one trial or of all.

    ## Why it misleads
    Values are rarely removed because they are too good.

    ## Branches
    - (a) undermines, C3: fewer units were used than recorded after the warm-up, and neither a rule nor the number of
      excluded units is stated.
    - not applicable: what was recorded, used or discarded as warm-up is not stated.

    ## Flagged
    On `rate` for claim `rate`:
    ```json
    {"arms": {"a": {"measurement": {"raw_count": 75, "used_count": 60}}}}
    ```

    ## Accepted
    On `training-pair` for claim `rate`: 35 recorded, 5 of them warm-up, 30 used.

    ## How to fix
    Keep all values and report the median; or state the rule, fixed before, and how many it removed.

    ## References
    Hoefler and Belli, Scientific benchmarking of parallel computing systems (2015), section on outliers.
    """
    for side, metric in related_sides(claim, case):
        found = discards(side, metric) if side is not None else None
        if side is None or found is None or found.beyond_warmup is None or found.missing is None:
            yield Inapplicable("what was recorded, used and discarded as warm-up is not stated")
            continue
        if found.beyond_warmup and found.rule is None and not found.excluded:
            message = (
                f"arm {side.id} recorded {found.recorded} units, discarded {found.warmup} as warm-up and used "
                f"{found.used}: {found.beyond_warmup} are missing without a word"
            )
            yield Violation("a", UNDERMINES, C3, message, found.at, str(found.used), str(found.beyond_warmup))
