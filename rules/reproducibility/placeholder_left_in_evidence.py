"""R12: evidence with blanks that nobody filled in."""

from __future__ import annotations

from collections.abc import Iterator

from ...schemas.model import Node
from ..case import Case
from ..facts.document.placeholders import is_blank
from ..outcome import C3, CAVEAT, Branch, Related, Violation
from ..registry import document_rule


@document_rule("R12", "placeholder-left-in-evidence", effect=CAVEAT, confidence=C3, origin="MEAS")
def placeholder_left_in_evidence(case: Case) -> Iterator[Branch]:
    """A description of system, software, environment or tuning that still holds the template's blanks.

    ## What it does
    Looks through the texts that describe systems, software, environment, tuning, comparators and publication, and
    through a system description as it was handed in to a suite, field by field, for TODO, TBD,
    PLACEHOLDER, CHANGEME and UNSET as whole words in capitals, for names of blanks such as SUBMITTER_NAME_HERE,
    PLATFORM_PLACEHOLDER and YOUR_NAME, for a text that is "tbd" or "todo" alone or begins with
    two question marks, and for blanks in angle brackets. Longer texts are prose and may speak of them. Of a suite's
    result it reads the names of organisation, system and benchmark, as its logs give them. One finding for the whole
    document.

    ## Why it misleads
    A field with a blank counts as filled in until somebody reads it.

    ## Branches
    - (a) caveat, C3: such a blank is there.

    ## Flagged
    On `rate`:
    ```json
    {"systems": {"node": {"host_processor": "TODO"}}, "arms": {"a": {"software": {"driver": "<driver version>"}}}}
    ```

    ## Accepted
    On `rate`, with every field filled in.

    ## How to fix
    Fill them in.

    ## References
    System descriptions of published benchmark results, some of which hold them.
    """
    found = list(dict.fromkeys(item for node in _evidence(case) for item in _blanks(node)))
    if found:
        at, text = found[0]
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        message = f'a blank of a template was not filled in: "{text}"{more}'
        related = tuple(Related(place, words) for place, words in found[1:6])
        yield Violation("a", CAVEAT, C3, message, at, text, related=related)


def _evidence(case: Case) -> Iterator[Node]:
    yield from case.submission.systems.values()
    if case.submission.publication is not None:
        yield case.submission.publication
    for study in case.studies.values():
        if study.record is not None:
            yield from study.record.systems.values()
    for side in case.sides():
        for node in (side.arm.software, side.arm.environment, side.arm.search, side.arm.description):
            if node is not None:
                yield node
    for claim in case.submission.claims.values():
        if claim.comparator is not None:
            yield claim.comparator
        if claim.suite_result is not None:
            yield claim.suite_result


def _blanks(node: Node) -> Iterator[tuple[str, str]]:
    """Yield place and text of every blank in the texts of a node, and in its maps but the variables."""
    for name in node.__struct_fields__:
        value = getattr(node, name)
        if isinstance(value, str) and name != "at" and is_blank(value):
            yield node.place(name), value
        elif isinstance(value, dict) and name != "variables":
            yield from ((node.place(name, key), text) for key, text in value.items() if is_blank(text))
        elif isinstance(value, Node):
            yield from _blanks(value)
