"""R10: a document that asks to be spared a rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from ...schemas.options import Options
from ...schemas.pattern import Pattern
from ..book import entries
from ..case import Case
from ..facts.runs.names import is_waiver_name
from ..language.reading import read
from ..outcome import C3, CAVEAT, Branch, Related, Violation
from ..registry import document_rule

LEAST_WORDS = 4
"""Words of a value that is a sentence to somebody, and no setting."""
_RULE = Pattern(r"(?<![A-Za-z0-9])(?:W\d{4}|[MSPELFRIBQD]\d{2})(?![A-Za-z0-9])")
_NAME = Pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@document_rule("R10", "waiver-self-granted", effect=CAVEAT, confidence=C3, origin="MEAS, ML")
def waiver_self_granted(case: Case) -> Iterator[Branch]:
    """A submission that brings its own waivers, or asks in its options to skip a rule.

    ## What it does
    Looks for files of waivers beside the submission or in its folder that the reader did not choose, and, in the free
    options and environment variables of its arms, for keys or values that ask to skip, ignore or waive a rule of this
    book, by its code or its name, and for sentences that tell whoever checks the claims to leave something out. A file
    of waivers is known by its name or, beside the submission, by its first line. None of them has any effect: each rule
    says what it would have said.

    ## Why it misleads
    Only the reader may decide which findings do not matter. A submission that excuses itself hopes that nobody looks.

    ## Branches
    - (a) caveat, C3: such a file or key is there.

    ## Flagged
    On `rate`:
    ```json
    {"arms": {"a": {"options": {"extra": {"dlaudit.skip": "W0601"}}}}}
    ```

    ## Accepted
    On `rate`, which asks for nothing.

    ## How to fix
    Hand the reader your reasons; the reader's own waiver file accepts them.

    ## References
    A waiver inside a submission counts for nothing.
    """
    found = [(at, asked) for at, asked in case.waivers_inside]
    found += [(at, asked) for at, asked in _inside(case)]
    files = case.submission.folder.files if case.submission.folder is not None else {}
    found += [(file.at, f"{path} in the folder") for path, file in files.items() if is_waiver_name(path)]
    if found:
        at, asked = found[0]
        more = f", and {len(found) - 1} more" if len(found) > 1 else ""
        message = f"the submission excuses itself ({asked}{more}): without effect, the rules say what they find"
        related = tuple(Related(place, words) for place, words in found[1:6])
        yield Violation("a", CAVEAT, C3, message, at, related=related)


def _inside(case: Case) -> Iterator[tuple[str, str]]:
    for side in case.sides():
        for options in (side.arm.options, side.arm.observed):
            yield from _of_options(options)
        if side.arm.environment is not None:
            yield from _of(side.arm.environment.place("variables"), side.arm.environment.variables)
    for table in case.submission.tables.values():
        for row in table.rows.values():
            yield from _of_options(row.options)


def _of_options(options: Options | None) -> Iterator[tuple[str, str]]:
    if options is not None and options.extra:
        yield from _of(options.place("extra"), options.extra)


def _of(at: str, values: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield entries that ask to skip something and name a rule or this program."""
    for key, value in values.items():
        text = f"{key}={value}"
        if _asks(text) or _tells(key, value):
            yield f"{at}/{key.replace('~', '~0').replace('/', '~1')}", text[:120]


def _asks(text: str) -> bool:
    """Whether a setting asks to skip something and names a rule, by its code or its name, or this program."""
    if not read(text).has("asks_to_skip", affirmed=False):
        return False
    return bool(_RULE.search(text) or "dlaudit" in text.casefold()) or _names_a_rule(text)


def _names_a_rule(text: str) -> bool:
    """Whether a text holds the name of a rule as the book writes it; one of a single word is a word like any other."""
    words = {word for word in _NAME.findall(text.casefold().replace("_", "-")) if "-" in word}
    return bool(words) and not words.isdisjoint(_rule_names())


@cache
def _rule_names() -> frozenset[str]:
    return frozenset(entry.name for entry in entries())


def _tells(key: str, value: object) -> bool:
    """Whether a value is a sentence that tells who checks the claims to leave something out."""
    if not isinstance(value, str) or len(value.split()) < LEAST_WORDS:
        return False
    reading = read(f"{key}: {value}")
    return reading.has("told_to_leave_out", affirmed=False) and reading.has("claim_checker", affirmed=False)
