"""Settings that make the other side of an inference slower than it has to be: no batches, wider numbers."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.submission import Claim
from ..case import Side
from ..facts.comparison.options import flat
from ..facts.device.formats import meanings, surely_holds
from ..language.reading import read

BATCHES = ("per_device_batch", "global_batch")
PRECISION = "precision.compute"
WIDE = frozenset({"fp32", "fp64"})


def weaker_settings(claim: Claim, side: Side, base: Side) -> Iterator[tuple[str, str]]:
    """Yield how another system was held back, as words with their place; not where the claim is about just that.

    Only of an inference: in a training the batch and the format decide what is learned, and are no one's favour.
    """
    if claim.mode != "inference" or claim.compares != "other_system":
        return
    ours, theirs, words = flat(side.arm.options), flat(base.arm.options), read(claim.statement)
    for key in BATCHES:
        mine, its = ours.get(key), theirs.get(key)
        studied = key in claim.treatment or words.says("batch")
        if isinstance(mine, int) and its == 1 and mine > 1 and not studied:
            yield f"runs one by one and not in batches of {mine}", base.arm.place("options", key)
            return
    one, other = str(ours.get(PRECISION, "")), str(theirs.get(PRECISION, ""))
    studied = claim.attribution == "precision" or "precision" in claim.treatment or bool(words.formats())
    if other in WIDE and meanings(one) and not surely_holds(one, other) and not studied:
        yield f"computes in {other} against {one}", base.arm.place("options", "precision")
