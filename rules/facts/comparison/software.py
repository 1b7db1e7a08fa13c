"""Software stacks compared: container, framework, runtime, libraries, driver, as far as both sides state them."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ....schemas.conditions import Software
from ....schemas.pattern import Pattern
from ...caching import remembered
from ...language.lexicon import classes, table, words
from ...language.reading import Reading, read
from ...language.tokens import NUMBER, WORD
from .options import Same
from .wording import same_version

_DIGEST = Pattern(r"sha256:([0-9a-f]+)")
_RELEASE = Pattern(r"v?[0-9]+(?:\.[0-9]+)+(?:-[a-z0-9]+)?")
MOST_OF_A_NAME = 8
ENDS = frozenset(",;()")
JOINS = frozenset({"=", "==", "@", ":", "-", "v"})


class Stacks(Struct, frozen=True):
    """Two software stacks side by side.

    Attributes:
        different: what both state and differs, as (item, left, right).
        unknown: items that only one of them states, or that cannot be compared.
        equal: items that both state and that agree.
    """

    different: tuple[tuple[str, str, str], ...]
    unknown: tuple[str, ...]
    equal: tuple[str, ...]


def compare_stacks(left: Software, right: Software) -> Stacks:
    """Compare two stacks item by item. One container, by digest, fixes all but the driver."""
    answers: dict[str, tuple[Same, str, str]] = {}
    container = _texts(left.container, right.container)
    if container is not None:
        answers["container"] = (_same_container(*container), *container)
    whole = container is not None and _digest(container[0]) is not None and answers["container"][0] is Same.EQUAL
    if not whole:
        for name in ("framework", "runtime"):
            pair = _texts(getattr(left, name), getattr(right, name))
            if pair is not None:
                answers[name] = (_same_items(*pair), *pair)
        for key in sorted(left.libraries.keys() | right.libraries.keys()):
            pair = _texts(left.libraries.get(key), right.libraries.get(key))
            assert pair is not None
            answers[key] = (same_version(*pair) if all(pair) else Same.UNKNOWN, *pair)
    driver = _texts(left.driver, right.driver)
    if driver is not None:
        answers["driver"] = (_same_driver(*driver), *driver)
    return Stacks(
        tuple((name, mine, other) for name, (same, mine, other) in answers.items() if same is Same.DIFFERENT),
        tuple(name for name, (same, _, _) in answers.items() if same is Same.UNKNOWN),
        tuple(name for name, (same, _, _) in answers.items() if same is Same.EQUAL),
    )


@cache
def _alone() -> tuple[frozenset[str], ...]:
    """Return names of which a program uses one: two different ones are two stacks, others may be layers of one."""
    return tuple(frozenset(group.split()) for group in table("frameworks")["alone"])


def _texts(left: object, right: object) -> tuple[str, str] | None:
    """Return both texts, empty where one is not stated; None where neither is, or where one does not apply."""
    if (left is not None and not isinstance(left, str)) or (right is not None and not isinstance(right, str)):
        return None
    return (left or "", right or "") if left or right else None


def _digest(container: str) -> str | None:
    found = _DIGEST.search(container)
    return found[1] if found is not None else None


def _same_container(left: str, right: str) -> Same:
    """Return whether two images are one: by digest, else by name and tag without the registry, or by tags alone."""
    if not left or not right:
        return Same.UNKNOWN
    digests = _digest(left), _digest(right)
    if digests[0] is not None and digests[1] is not None:
        shorter = min(len(digests[0]), len(digests[1]))
        return Same.EQUAL if digests[0][:shorter] == digests[1][:shorter] else Same.DIFFERENT
    if digests != (None, None):
        return Same.UNKNOWN
    names = [text.strip().rsplit("/", 1)[-1].casefold() for text in (left, right)]
    if names[0] == names[1]:
        return Same.EQUAL
    longer = names[0].startswith(names[1]) or names[1].startswith(names[0])
    named = all(":" in name for name in names) or all(_RELEASE.fullmatch(name) for name in names)
    return Same.DIFFERENT if named and not longer else Same.UNKNOWN


def _same_items(left: str, right: str) -> Same:
    """Return whether two texts name one version of what both name: "torch 2.6.0, cuBLAS 12.4" and "PyTorch 2.6"."""
    ours, theirs = _items(left), _items(right)
    shared = ours.keys() & theirs.keys()
    answers = [same_version(ours[name], theirs[name]) for name in shared]
    if Same.DIFFERENT in answers:
        return Same.DIFFERENT
    if any(ours.keys() & group and theirs.keys() & group and not shared & group for group in _alone()):
        return Same.DIFFERENT
    return Same.EQUAL if answers and Same.UNKNOWN not in answers else Same.UNKNOWN


@remembered(1024)
def _items(text: str) -> dict[str, str]:
    """Return the versions in a text by what they are of: "torch==2.6.0+cu124, cuBLAS 12.4"."""
    reading, found, at = read(text), dict[str, str](), 0
    tokens = reading.tokens
    while at < len(tokens):
        last = at
        if tokens[at].kind == NUMBER:
            while last + 1 < len(tokens) and not tokens[last + 1].gap and tokens[last + 1].text not in ENDS:
                last += 1
            name = _name_before(reading, at)
            if name:
                found[classes("frameworks", "called").get(name, name)] = text[tokens[at].start : tokens[last].end]
        at = last + 1
    return found


def _name_before(reading: Reading, at: int) -> str:
    """Return the words before a version in lower case, up to a comma or a word such as "with"."""
    tokens, end = reading.tokens, at
    while end and tokens[end - 1].low in JOINS:
        end -= 1
    first = end
    while (
        first and at - first < MOST_OF_A_NAME and (tokens[first - 1].kind == WORD or tokens[first - 1].text in "_+.-")
    ):
        if tokens[first - 1].low in words("nouns", "stops"):
            break
        first -= 1
    return reading.source[tokens[first].start : tokens[end - 1].end].strip(" -_.").casefold() if first < end else ""


def _same_driver(left: str, right: str) -> Same:
    """Return whether two drivers are of one branch: patch levels do not count."""
    numbers = ((token.text for token in read(text).tokens if token.kind == NUMBER) for text in (left, right))
    branches = [next(found, "").partition(".")[0] for found in numbers]
    if not all(branches):
        return Same.UNKNOWN
    return Same.EQUAL if branches[0] == branches[1] else Same.DIFFERENT
