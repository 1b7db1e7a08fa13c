"""How much an arm was tuned, as its search block says."""

from __future__ import annotations

from collections.abc import Mapping

from ....schemas.evidence import Search
from ....schemas.submission import Claim
from ...case import Case, Side
from ...language.reading import read

KINDS = {"trials": "tuning trials", "device_hours": "device-hours"}


def search_of(side: Side | None) -> Search | None:
    """Return the search block of an arm."""
    return side.arm.search if side is not None else None


def quotes_on_tuning(claim: Claim, case: Case) -> list[str]:
    """Return what the publication says of its tuning: beside the claim's number, then elsewhere."""
    quotes = [item.quote for item in claim.said if item.topic == "tuning_effort"]
    return quotes + [item.quote for item in case.submission.disclosures if item.topic == "tuning_effort"]


def uncounted_search(quote: str) -> bool:
    """Whether a quote tells of a search for hyper-parameters, and of no number that says how long or how wide."""
    words = read(quote)
    return words.has("tuned_training") and not words.numbers()


def unchanged_recipe(search: Search | None) -> bool:
    """Whether an arm runs a cited recipe as it stands: someone else tuned it, for everyone."""
    return search is not None and bool(search.recipe) and search.defaults_changed is not True


def budget(search: Search | None) -> Mapping[str, float]:
    """Return the tuning effort by kind, as far as it is stated; an unchanged recipe cost nothing here."""
    if search is None:
        return {}
    stated = {kind: value for kind in KINDS if (value := getattr(search, kind)) is not None}
    return dict.fromkeys(KINDS, 0.0) | stated if unchanged_recipe(search) else stated


def effort_stated(search: Search | None) -> bool:
    """Whether trials or device-hours of the search are stated, or that a cited recipe was used unchanged.

    Where options were searched beside the recipe, it is their search that has to be counted.
    """
    if search is None or search.trials is not None or search.device_hours is not None:
        return search is not None
    searched = bool(search.tuned_options) or (search.method or "none").strip().casefold() != "none"
    return unchanged_recipe(search) and not searched


def tuned(search: Search | None) -> bool:
    """Whether something was searched or set for performance."""
    return search is not None and (bool(search.tuned_options) or any(value > 0 for value in budget(search).values()))


def untuned(search: Search | None) -> bool:
    """Whether it is stated that nothing was tuned."""
    if search is None or search.tuned_options:
        return False
    stated = budget(search).values()
    return not any(value > 0 for value in stated) and (bool(stated) or search.defaults_stated is True)


def nothing_to_tune(search: Search | None) -> bool:
    """Whether an arm is said to have no options that could be tuned."""
    if search is None or search.tuned_options:
        return False
    return any(
        text is not None and read(text).has("nothing_to_tune", affirmed=False)
        for text in (search.recipe, search.method, search.space)
    )


def is_treatment(search: Search | None, claim: Claim) -> bool:
    """Whether all that was tuned is the difference under study."""
    options = search.tuned_options if search is not None else ()
    return bool(options) and set(options) <= set(claim.treatment)


def words(kind: str, value: float) -> str:
    """Return an effort as words: `24 tuning trials`."""
    return f"{value:g} {KINDS[kind]}"
