"""D04: a sentence, a quotation or a number that does not stand where the submission says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...schemas.evidence import NumberAt, PrintedAt
from ...schemas.submission import Claim
from ..case import Case, Published
from ..facts.document.quotations import Squeezed, nearest, quoted, source_texts
from ..outcome import C3, CAVEAT, UNDERMINES, Branch, Note, NotShown, Related, Violation
from ..registry import Threshold, rule
from ._exact_numbers import inexact
from ._numbers_in_files import ITEM, in_files

LONGEST = 200


class Thresholds(Struct, frozen=True):
    """Thresholds of the rule."""

    exact: float = Threshold(0, "1 where a number is to be exactly what its evidence rounds to", "judgement")


@rule(
    "D04",
    "quotation-not-in-source",
    effect=UNDERMINES,
    confidence=C3,
    applies="has(source)",
    origin="trials of a gate: a README that was changed from 2.1x to 3.1x kept its verdict",
    thresholds=Thresholds,
)
def quotation_not_in_source(claim: Claim, case: Case, thresholds: Thresholds) -> Iterator[Branch]:
    """A sentence, a quotation or a number that does not stand in the document or the file that it is said to be from.

    ## What it does
    Reads the document that `source` names, or in which a mark names the claim, and looks for the claim's statement,
    its quotes, and the numbers that say on which line they stand. A marked statement stands in the paragraph after its
    mark; where `source` names the document, a claim that lost its mark is looked for all the same. White space, line
    breaks, typography and marks of format do not count; all else does. `[...]` in a quotation stands for words that
    are left out. Of a statement that is put together from a table (`put_together`) each word must stand somewhere in
    it, and the value on its line.

    A number behind the claim that is said to stand in a file of results is looked up there: at a JSON Pointer, or among
    the numbers of a line. It agrees with the file where the number there lies within what the printed digits of the
    submission allow: 82 and 82.0 agree, and so does 41.6 with 41.63 of the file, which rounds to it; 41.63 does not
    agree with 41.6 of the file. Units are not converted. A number without a value has the one that stands there alone.
    Of a list of numbers that is the `statistic` that the submission names: the mean, the median, the least, the
    greatest or the total; of a list under the name of its `column`, that of the values that follow from it, such as a
    rate of times with its `work_per_iteration`.

    With `exact = 1` in the configuration, the claim's own number is to stand in its sentence, and to be what its
    evidence rounds to at the digits that it prints: 2.1 of 4200.3 against 2000, and neither 2.0 nor 2.2. Where `digits`
    says that zeros at its end do not count, they do not: 2,140 with `digits: 3` is what 2138.68 rounds to. Without
    `exact`, other rules allow what the printed digits leave open.

    ## Why it misleads
    What was judged is then not what is published, or not what was measured: the document or the file was changed after
    the evidence was written down, or it was copied wrongly.

    ## Branches
    - (a) undermines, C3: the statement does not stand in the document, or not at its mark; or a word from which it is
      put together does not.
    - (b) undermines, C3: a quotation beside the number does not stand there.
    - (c) undermines, C3: the statement, a quotation or a number stands on another line than is said, or not at all.
    - (d) caveat, C3: the statement stands in the document that `source` names, and no mark there names the claim,
      though marks name others.
    - (e) undermines, C3: a file of results has another number at the place that is said, no number, or no such place;
      or none that can be read there alone, where the submission states no value.
    - (f) undermines, C3: with `exact = 1`, the claim's number does not stand in its sentence, or its evidence rounds to
      another one.
    - not shown: the document or the file is not there, or is no text, or for a pointer no JSON. Required (the source
      that is named) from the reviewer profile on.

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
    Copy the sentence, or the number, as it stands there now, and correct the claims that rest on it; or correct the
    document or the file.

    ## References
    Whoever keeps a README and its evidence together can have this checked at each change.
    """
    if case.published is not None:
        yield from _in_source(claim, case, case.published)
    yield from in_files(claim, case)
    if thresholds.exact:
        yield from inexact(claim, case)


def _in_source(claim: Claim, case: Case, published: Published) -> Iterator[Branch]:
    texts = source_texts(case)
    name = claim.at.rpartition("/")[2]
    mark = (published.marks or {}).get(name)
    if mark is None and published.marks is not None and not published.is_named:
        return
    if not texts:
        yield NotShown(f"{published.name} is not there, or is no text", claim.place("statement"), ITEM)
        return
    if claim.put_together:
        yield from _of_table(texts, published, claim)
    else:
        yield from _sentence(texts, published, claim, mark)
    for number, said in enumerate(claim.said):
        if quoted(texts, said.quote) is None:
            at = claim.place("said", str(number), "quote")
            yield _missing("b", f"a quotation is not found in {published.name}", at, said.quote, texts[0], 0)
        else:
            yield from _on_line(texts, published, said.quote, said.printed_at, 0)
    for value, printed_at in _numbers(claim, case):
        yield from _on_line(texts, published, _as_printed(texts, value), printed_at, 0)


def _sentence(
    texts: Sequence[Squeezed], published: Published, claim: Claim, mark: int | None
) -> Iterator[Violation | Note]:
    begin, lost = mark or 0, mark is None and published.marks is not None
    line = texts[0].line(begin)
    begins = (begin, *(text.start(line) if begin else 0 for text in texts[1:]))
    pairs = zip(texts, begins, strict=True)
    found = next((place for text, at in pairs if (place := _statement(text, claim.statement, at, mark))), None)
    at = claim.place("statement")
    if found is None:
        where = f"in {published.name}, and no mark there names the claim" if lost else f"in {published.name}"
        message = f"the statement is not found {'at its mark ' if mark is not None else ''}{where}"
        yield _missing("a", message, at, claim.statement, texts[0], begin)
        return
    if lost:
        message = f"no mark in {published.name} names the claim, though marks name others: mark its sentence"
        related = (Related(f"published:{found}", "its sentence"),)
        yield Violation("d", CAVEAT, C3, message, at, related=related)
    yield from _on_line(texts, published, claim.statement, claim.printed_at, begin)
    yield Note(f"the sentence is in {published.name}, line {found}{_label(claim.printed_at)}")


def _of_table(texts: Sequence[Squeezed], published: Published, claim: Claim) -> Iterator[Violation]:
    """Look for what a statement is put together from: each of its words, and the value on its line."""
    own = published.name.rpartition("/")[2]  # stands in a statement where the table has no title
    words = (word for word in claim.statement.split() if word.strip(":,") != own)
    missing = next((word for word in words if _lacks(texts, word)), None)
    if missing is not None:
        message = f"the statement is put together from words of which {missing!r} does not occur in {published.name}"
        yield _missing("a", message, claim.place("statement"), claim.statement, texts[0], 0)
    if claim.value is not None:
        yield from _on_line(texts, published, _as_printed(texts, claim.value), claim.printed_at, 0)


def _lacks(texts: Sequence[Squeezed], word: str) -> bool:
    """Whether a word does not stand in a text; signs that join the parts of a statement need not."""
    bare = word.strip(":,")
    return bool(bare) and quoted(texts, bare) is None and quoted(texts, word) is None


def _statement(text: Squeezed, statement: str, begin: int, mark: int | None) -> int | None:
    """Return the line on which a statement stands; a marked one stands in the paragraph after its mark."""
    found = text.find(statement, begin)
    if found is None or mark is None:
        return text.line(found[0]) if found is not None else None
    paragraph = text.source.find("\n\n", begin + len(text.source[begin:]) - len(text.source[begin:].lstrip()))
    return text.line(found[0]) if paragraph < 0 or found[0] < paragraph else None


def _missing(branch: str, message: str, at: str, quote: str, text: Squeezed, begin: int) -> Violation:
    like = nearest(text, quote, begin)
    line = text.line(like[0]) if like is not None else text.line(begin)
    shown = f", where line {line} reads: {_shortened(like[1])}" if like is not None else ""
    note = "the nearest sentence" if like is not None else "where it was looked for"
    related = (Related(f"published:{line}", note, "what the submission says"),)
    return Violation(branch, UNDERMINES, C3, message + shown, at, related=related)


def _on_line(
    texts: Sequence[Squeezed], published: Published, words: str, printed_at: PrintedAt | NumberAt | None, begin: int
) -> Iterator[Violation]:
    """Look for words on the line that they are said to stand on."""
    if printed_at is None or printed_at.line is None:
        return
    for text in texts:
        there = text.find(words, text.start(printed_at.line))
        if there is not None and text.line(there[0]) == printed_at.line:
            return
    found = quoted(texts, words, begin)
    line = found[0].line(found[1][0]) if found is not None else printed_at.line
    place = f"it is on line {line}" if found is not None else "it does not occur in it at all"
    message = f"`{_shortened(words)}` is cited to line {printed_at.line} of {published.name}; {place}"
    yield Violation(
        "c", UNDERMINES, C3, message, printed_at.at, related=(Related(f"published:{line}", "the document"),)
    )


def _numbers(claim: Claim, case: Case) -> Iterator[tuple[str, NumberAt | None]]:
    """Yield the numbers behind a claim with their places in the source."""
    for number in (case.metric(claim.measured), case.metric(claim.base), case.quality(claim.quality)):
        if number is None or number.value is None:
            continue
        if number.printed_at is None or number.printed_at.file is None:
            yield number.value, number.printed_at


def _as_printed(texts: Sequence[Squeezed], value: str) -> str:
    """Return a value as a document prints it: the schema takes no separators of thousands."""
    grouped = _grouped(value)
    return grouped if quoted(texts, grouped) is not None and quoted(texts, value) is None else value


def _grouped(value: str) -> str:
    whole, point, digits = value.partition(".")
    return f"{int(whole):,}{point}{digits}" if whole.isdecimal() and whole.isascii() else value


def _label(printed_at: PrintedAt | None) -> str:
    return f" ({printed_at.label})" if printed_at is not None and printed_at.label is not None else ""


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
