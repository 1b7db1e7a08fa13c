"""D04: a sentence, a quotation or a number that does not stand where the submission says."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.evidence import PrintedAt
from ...schemas.submission import Claim
from ..case import Case, Published
from ..facts.document.quotations import Squeezed, nearest, source_text
from ..outcome import C3, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import rule

ITEM = "the source that is named"
LONGEST = 200


@rule(
    "D04",
    "quotation-not-in-source",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(source)",
    origin="trials of a gate: a README that was changed from 2.1x to 3.1x kept its verdict",
)
def quotation_not_in_source(claim: Claim, case: Case) -> Iterator[Branch]:
    """A sentence, a quotation or a number that does not stand in the document that it is said to be taken from.

    ## What it does
    Reads the document that `source` names, or in which a mark names the claim, and looks for the claim's statement,
    its quotes, and the numbers that say on which line they stand. White space, line breaks, typography and marks of
    format do not count; all else does. `[...]` in a quotation stands for words that are left out.

    ## Why it misleads
    What was judged is then not what is published: the document was changed after its evidence was written down, or it
    was copied wrongly.

    ## Branches
    - (a) undermines, C3: the statement does not stand in the document, or not at its mark.
    - (b) undermines, C3: a quotation beside the number does not stand there.
    - (c) undermines, C3: the statement, a quotation or a number stands on another line than is said, or not at all.
    - not shown: the document is not there or is no text. Required (the source that is named) from the reviewer
      profile on.

    ## Flagged
    On `rate` for claim `rate` where its source reads `Training reaches 3,140 images per second.`:
    ```json
    {"claims": {"rate": {"statement": "Training reaches 2,140 images per second.", "said": null}}}
    ```

    ## Accepted
    On `rate` for claim `rate` where its source reads `Training reaches 2,140 images per second.`:
    ```json
    {"claims": {"rate": {"statement": "Training reaches 2,140 images per second.", "said": null}}}
    ```

    ## How to fix
    Copy the sentence as it is published now, and bring its evidence up to date; or correct the document.

    ## References
    Whoever keeps a README and its evidence together can have this checked at each change.
    """
    published, text = case.published, source_text(case)
    assert published is not None
    name = claim.at.rpartition("/")[2]
    if published.marks is not None and name not in published.marks:
        return
    if text is None:
        yield NotShown(f"{published.name} is not there, or is no text", claim.place("statement"), ITEM)
        return
    begin = (published.marks or {}).get(name, 0)
    found = _statement(text, claim.statement, begin, published.marks is not None)
    if found is None:
        message = f"the statement does not stand {'at its mark ' if published.marks else ''}in {published.name}"
        yield _missing("a", message, claim.place("statement"), claim.statement, text, begin)
    else:
        yield from _on_line(text, published, claim.statement, claim.printed_at, begin)
        line = text.line(found[0])
        yield Note(f"the sentence stands in {published.name}, line {line}{_label(claim.printed_at)}")
    for number, said in enumerate(claim.said):
        if text.find(said.quote) is None:
            at = claim.place("said", str(number), "quote")
            yield _missing("b", f"a quotation does not stand in {published.name}", at, said.quote, text, 0)
        else:
            yield from _on_line(text, published, said.quote, said.printed_at, 0)
    for value, printed_at in _numbers(claim, case):
        # the schema takes no separators of thousands, which a document may print
        grouped = _grouped(value)
        shown = grouped if text.find(grouped) is not None and text.find(value) is None else value
        yield from _on_line(text, published, shown, printed_at, 0)


def _statement(text: Squeezed, statement: str, begin: int, marked: bool) -> tuple[int, int] | None:
    """Return where a statement stands; a marked one stands in the paragraph after its mark."""
    found = text.find(statement, begin)
    if found is None or not marked:
        return found
    paragraph = text.source.find("\n\n", begin + len(text.source[begin:]) - len(text.source[begin:].lstrip()))
    return found if paragraph < 0 or found[0] < paragraph else None


def _missing(branch: str, message: str, at: str, quote: str, text: Squeezed, begin: int) -> Violation:
    like = nearest(text, quote, begin)
    line = text.line(like[0]) if like is not None else text.line(begin)
    shown = f", where line {line} reads: {_shortened(like[1])}" if like is not None else ""
    note = "the nearest sentence" if like is not None else "where it was looked for"
    related = (Related(f"published:{line}", note),)
    return Violation(branch, UNDERMINES, C3, message + shown, at, related=related)


def _on_line(
    text: Squeezed, published: Published, words: str, printed_at: PrintedAt | None, begin: int
) -> Iterator[Violation]:
    """Look for words on the line that they are said to stand on."""
    if printed_at is None or printed_at.line is None:
        return
    there = text.find(words, text.start(printed_at.line))
    if there is not None and text.line(there[0]) == printed_at.line:
        return
    found = text.find(words, begin)
    line = text.line(found[0]) if found is not None else printed_at.line
    place = f"it stands on line {line}" if found is not None else "it does not stand in it at all"
    message = f"`{_shortened(words)}` is said to stand on line {printed_at.line} of {published.name}; {place}"
    yield Violation(
        "c", UNDERMINES, C3, message, printed_at.at, related=(Related(f"published:{line}", "the document"),)
    )


def _numbers(claim: Claim, case: Case) -> Iterator[tuple[str, PrintedAt | None]]:
    """Yield the numbers behind a claim with their places."""
    for number in (case.metric(claim.measured), case.metric(claim.base), case.quality(claim.quality)):
        if number is not None and number.value is not None:
            yield number.value, number.printed_at


def _grouped(value: str) -> str:
    whole, point, digits = value.partition(".")
    return f"{int(whole):,}{point}{digits}" if whole.isdecimal() and whole.isascii() else value


def _label(printed_at: PrintedAt | None) -> str:
    return f" ({printed_at.label})" if printed_at is not None and printed_at.label is not None else ""


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
