"""Documents that a large parser reads are read in a process of their own, with limits of memory, time and output."""

from __future__ import annotations

import subprocess
import sys
import threading
from importlib import import_module

from msgspec import Struct, msgpack

from ....schemas.errors import UserError
from .blocks import Written

LIMIT_MEMORY = 3 << 30
LIMIT_CPU_S = 60
LIMIT_S = 120
LIMIT_OUTPUT = 256 << 20
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
    command = [sys.executable, "-I", "-m", __name__, form]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    assert process.stdout is not None
    timer = threading.Timer(LIMIT_S, process.kill)
    timer.start()
    try:
        try:
            process.stdin.write(data)
            process.stdin.close()
        except BrokenPipeError:
            packed = b""
        else:
            packed = process.stdout.read(LIMIT_OUTPUT + 1)
    finally:
        timer.cancel()
        process.kill()
        process.stdout.close()
        process.wait()
    if not packed or len(packed) > LIMIT_OUTPUT:
        what = f"this {NAMES[form]} cannot be read within {LIMIT_CPU_S} s and {LIMIT_MEMORY >> 30} GiB"
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
        return Answer(None, f"this {NAMES[form]} needs more than {LIMIT_MEMORY >> 30} GiB", todo)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"[:200].replace("\n", " ")
        return Answer(None, f"this {NAMES[form]} cannot be read: {why}", todo)


def main() -> None:
    """Read a document from standard input, and write the answer to standard output."""
    import resource

    for limit, most in (
        (resource.RLIMIT_AS, LIMIT_MEMORY),
        (resource.RLIMIT_CPU, LIMIT_CPU_S),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, most))
    data = sys.stdin.buffer.read()
    sys.stdout.buffer.write(msgpack.encode(answer_of(sys.argv[1], data)))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
