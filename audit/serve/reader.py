"""A document that somebody dropped on the page is read and judged in a process of its own, which can write nothing.

The process gets the bytes on its standard input and gives questions back on its standard output. It has limits of
memory, time and output, may write to no file, and looks up nothing: what the document cites is not followed.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, msgpack

from ...schemas.errors import UserError
from ..apart import Limits, ask, obey

if TYPE_CHECKING:
    from ..lint.document import Document
    from ..report import ClaimReport

LIMITS = Limits(memory=4 << 30, cpu_s=90, wall_s=150, output=8 << 20)
NOWHERE = Path("/dev/null/nowhere")
"""A folder that cannot be: what a document cites is not found."""
SUFFIXES = frozenset(
    {"md", "html", "tex", "rst", "pdf", "docx", "xlsx", "csv", "tsv", "txt", "json", "yaml", "yml", "ipynb"}
)


class Given(Struct, frozen=True):
    """What was handed over."""

    name: str
    data: bytes


class Asked(Struct, frozen=True):
    """One question, in the words of the page."""

    topic: str
    kind: str
    ask: str
    quoted: str
    place: str
    seen: tuple[str, ...]
    why: str
    settle: str
    decides: bool


class Answer(Struct, frozen=True):
    """What the process gives back: questions, or why there are none."""

    title: str = ""
    verdict: str = ""
    claims: int = 0
    holds: tuple[str, ...] = ()
    questions: tuple[Asked, ...] = ()
    problem: str = ""


def read_apart(given: Given) -> Answer:
    """Return the questions about a document, read in a process of its own; nothing of it is kept."""
    packed = ask(__name__, (), msgpack.encode(given), LIMITS)
    if packed is None:
        return Answer(problem=f"this cannot be read within {LIMITS}")
    return msgpack.decode(packed, type=Answer)


def answer_of(given: Given) -> Answer:
    """Return the questions about a document; any fault is one of the document."""
    from ..lint.lint import lint
    from ..lint.settings import Settings
    from ..renderers.asked import asked

    try:
        linted = lint(_document(given), Settings())
    except UserError as error:
        return Answer(problem=str(error))
    except MemoryError:
        return Answer(problem=f"this needs more than {LIMITS.memory >> 30} GiB")
    except Exception as error:
        return Answer(problem=f"this cannot be read ({type(error).__name__})")
    report = linted.report
    if report.verdict is None:
        return Answer(
            title=report.title, problem=report.findings[0].message if report.findings else "no claim is in it"
        )
    found = asked(linted)
    holds = tuple(f"{each.words} ({_numbers(each.claims)})" for each in found.holds)
    questions = tuple(
        Asked(
            question.cause.topic,
            question.kind,
            question.cause.ask,
            question.claims[0].statement[:400] if question.claims else "",
            question.place,
            question.seen[:3] if question.kind != "open" or question.decides else (),
            question.cause.why,
            question.cause.settle,
            question.decides,
        )
        for question in found.questions
    )
    return Answer(report.title, report.verdict.words, len(report.claims), holds, questions)


def _numbers(claims: tuple[ClaimReport, ...]) -> str:
    return ", ".join(dict.fromkeys(claim.value for claim in claims[:5] if claim.value)) or "as stated"


def _document(given: Given) -> Document:
    from ...schemas.source import parse
    from ..lint.document import Document, kind_of
    from ..lint.reports import of_file

    if b"dlaudit" in given.data[: 1 << 16] and given.name.endswith((".json", ".yaml", ".yml")):
        source = parse(given.data, given.name)
        kind = kind_of(source)
        if kind is not None:
            return Document(source, kind, NOWHERE)
    return of_file(given.name, given.data, NOWHERE)


def main() -> None:
    """Read what was handed over from standard input, and write the answer to standard output."""
    obey(LIMITS)
    given = msgpack.decode(sys.stdin.buffer.read(), type=Given)
    sys.stdout.buffer.write(msgpack.encode(answer_of(given)))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
