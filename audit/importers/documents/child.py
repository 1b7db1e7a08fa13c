"""Documents that a large parser reads are read in a process of their own, with limits of memory, time and output."""

from __future__ import annotations

import sys
from importlib import import_module

from msgspec import Struct, msgpack

from ....schemas.errors import UserError
from ...apart import Limits, ask, obey
from .blocks import Written

LIMITS = Limits(memory=3 << 30, cpu_s=60, wall_s=120, output=256 << 20)
EXTRA = "pip install 'dlaudit[documents]'"
NAMES = {"docx": "DOCX", "latex": "LaTeX", "pdf": "PDF", "rst": "reStructuredText", "xlsx": "XLSX"}


class Answer(Struct, frozen=True):
    """What the process gives back: the document, or why there is none and what to do about it."""

    written: Written | None = None
    what: str = ""
    todo: str = ""


def read_apart(form: str, data: bytes, name: str) -> Written:
    """Return a document, read in a process of its own.

    Raises:
        UserError: its parser is not installed, cannot read it, or needs more than the limits.
    """
    packed = ask(__name__, (form,), data, LIMITS)
    if packed is None:
        what = f"this {NAMES[form]} cannot be read within {LIMITS}"
        raise UserError(what, "hand in the pages with the claims alone, or their text", name)
    answer = msgpack.decode(packed, type=Answer)
    if answer.written is None:
        raise UserError(answer.what, answer.todo, name)
    return answer.written


def answer_of(form: str, data: bytes) -> Answer:
    """Return what a parser makes of a document; any fault of it is one of the document."""
    from . import archives

    todo = "save it again, or hand in its text"
    try:
        archives.check(form, data)
        return Answer(import_module(f".{form}", __package__).read(data))
    except UserError as error:
        return Answer(None, error.what, error.todo or todo)
    except ModuleNotFoundError as error:
        return Answer(None, f"{NAMES[form]} needs {error.name}, which is not installed", EXTRA)
    except MemoryError:
        return Answer(None, f"this {NAMES[form]} needs more than {LIMITS.memory >> 30} GiB", todo)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"[:200].replace("\n", " ")
        return Answer(None, f"this {NAMES[form]} cannot be read: {why}", todo)


def main() -> None:
    """Read a document from standard input, and write the answer to standard output."""
    obey(LIMITS)
    data = sys.stdin.buffer.read()
    sys.stdout.buffer.write(msgpack.encode(answer_of(sys.argv[1], data)))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
