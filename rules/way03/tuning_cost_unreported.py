"""W0301: tuning that nobody counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...schemas.submission import Claim
from ..case import Case, Side
from ..facts.comparison.tuning import effort_stated, quotes_on_tuning, search_of, uncounted_search
from ..outcome import Branch, Note, NotShown
from ..registry import rule

ITEM = "tuning effort"
PROVIDE = """\
arms:
  trained:
    search: {trials: 24, device_hours: 0.8, method: grid, space: "peak rate and weight decay"}
    # or, where nothing was tuned: {trials: 0, recipe: "the published recipe, unchanged", defaults_changed: false}
"""


@rule(
    "W0301",
    "tuning-cost-unreported",
    applies="tta or tuned or (cost and training) or (comparison and training)",
    origin="S1.3",
)
def tuning_cost_unreported(claim: Claim, case: Case) -> Iterator[Branch]:
    """A training result without the runs that found its hyper-parameters.

    ## What it does
    Looks for the tuning trials or device-hours of the claim's arm and of its base, or for a cited recipe that was used
    unchanged.

    ## Why it misleads
    The last run is the cheapest part. A method that needs a hundred runs to find its rate is slower than one that
    works as published, whatever the hundred-and-first takes.

    ## Branches
    - not shown: hyper-parameters differ from the cited recipe, or none is cited, and neither trials nor device-hours
      are given. Required (tuning effort) of times to accuracy, costs and comparisons from the publication profile on,
      and from the reviewer profile on where the sentence, a quote beside it or the search behind the arm says that
      something was tuned. A quote that tells of a search, and of no number, tells no effort.
    - not shown: tuning trials are counted, and not the device-hours that they took.
    - pass with note: the publication speaks of its tuning in words.

    ## Flagged
    On `time-to-accuracy` for claim `time`:
    ```json
    {"arms": {"trained": {"search": null}}}
    ```

    ## Accepted
    On `time-to-accuracy` for claim `time`, with 24 trials and 0.8 device-hours.

    ## How to fix
    Report trials and device-hours, and the cost including tuning beside the headline.

    ## References
    Hoefler, Twelve ways to fool the masses, way 3.
    """
    sides = {side.id: side for side in (case.subject(claim), case.base(claim)) if side is not None}
    silent = [side for side in sides.values() if not effort_stated(search_of(side))]
    if sides and not silent:
        yield from _cost(sides.values())
        return
    quotes = quotes_on_tuning(claim, case)
    told = next((quote for quote in quotes if not uncounted_search(quote)), None)
    if told is not None:
        yield Note(f'of its tuning the publication says: "{told}"')
        return
    if quotes:
        message = f'the publication tells of a search ("{quotes[0]}"), and neither of its runs nor of its cost'
        yield NotShown(message, claim.at, ITEM, PROVIDE)
        return
    yield NotShown(_message(silent), silent[0].arm.at if silent else claim.at, ITEM, PROVIDE)


def _cost(sides: Iterable[Side]) -> Iterator[Branch]:
    for side in sides:
        search = search_of(side)
        if search is not None and search.trials and search.device_hours is None:
            message = f"{search.trials} tuning trials of `{side.id}`, and not what they cost"
            yield NotShown(message, search.at, "", PROVIDE)


def _message(silent: list[Side]) -> str:
    if not silent:
        return "how much tuning the training took is not stated"
    search = search_of(silent[0])
    if search is not None and search.recipe and search.defaults_changed:
        return f"the hyper-parameters differ from {search.recipe}, and how much tuning that took is not stated"
    return f"what it took to tune `{silent[0].id}` is not stated, and no recipe is cited that it follows unchanged"
