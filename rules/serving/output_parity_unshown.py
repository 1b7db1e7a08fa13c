"""L13: faster than another system, at answers that nobody compared."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.pairing import has_value
from ..facts.training.stated_quality import same_metric
from ..outcome import Branch, NotShown
from ..registry import Threshold, rule

ITEM = "output parity"
PROVIDE = """\
claims:
  speedup:
    outputs: {compared: 200, identical: 187}    # greedy outputs of both systems on the same prompts
"""


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    prompts: float = Threshold(100, "inputs whose outputs were compared", "judgement")


@rule(
    "L13",
    "output-parity-unshown",
    applies="comparison and inference and compares=other_system and not (hosted or kernel)",
    origin="S1.2, S1.12, MEAS",
    thresholds=Thresholds,
)
def output_parity_unshown(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """Inference of another system is outrun, and nothing shows that both give the same answers.

    ## What it does
    Looks for evidence that outputs or quality agree: outputs of both on at least 100 inputs compared one by one, or a
    score of one metric for both sides, in arms, with the comparator or in the table.

    ## Why it misleads
    Another format, another sampling, a shorter answer or a bug all make inference faster. A system that answers
    differently does other work.

    ## Branches
    - not shown: no evidence that outputs or quality agree. Required (output parity) of quantised inference that is
      compared, from the publication profile on.

    ## Flagged
    On `serving-comparison` for claim `speedup`:
    ```json
    {"claims": {"speedup": {"outputs": null, "comparator": {"quality": null}}},
     "arms": {"theirs": {"quality": null}}}
    ```

    ## Accepted
    On `serving-comparison` for claim `speedup`, whose outputs were compared.

    ## How to fix
    Compare greedy outputs on at least 100 prompts, or give one score for each arm.

    ## References
    Hoefler, Twelve ways to fool the masses, ways 2 and 12; accuracy runs of the MLPerf inference benchmark.
    """
    outputs = claim.outputs
    compared = outputs is not None and outputs.compared >= thresholds.prompts and outputs.identical is not None
    if not (compared or _scored(claim, case) or _in_table(claim, case)):
        yield NotShown("nothing shows that the outputs or the quality of both systems agree", claim.at, ITEM, PROVIDE)


def _scored(claim: Claim, case: Case) -> bool:
    """Whether both sides state a score of one metric."""
    side, base = case.subject(claim), case.base(claim)
    ours = _metrics(side) if side is not None else []
    theirs = _metrics(base) if base is not None else []
    if any(same_metric(left, right) for left in ours for right in theirs):
        return True
    return bool(ours) and claim.comparator is not None and claim.comparator.quality is not None


def _metrics(side: Side) -> list[str]:
    return [quality.metric for quality in side.arm.quality.values() if has_value(quality)]


def _in_table(claim: Claim, case: Case) -> bool:
    """Whether the claim's row and its base's hold a column of quality."""
    table, row = case.table(claim), case.row(claim)
    name = (claim.row.base_row if claim.row is not None else None) or (table.base_row if table is not None else None)
    if table is None or row is None or name not in table.rows or name is None:
        return False
    columns = {key for key, column in table.columns.items() if column.quantity == "accuracy"}
    return bool(columns & set(row.values) & set(table.rows[name].values))
