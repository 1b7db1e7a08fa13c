"""Judges and asks torch as `dlaudit` does: what that loads, reads and finds out is then there in every fork."""

import contextlib
import io
from functools import cache
from pathlib import Path

from dlaudit.audit.cli import run
from dlaudit.runners.environment import software

EXAMPLES = Path(__file__).parents[3] / "examples"
FORMATS = ("text", "json", "html", "questions")

with contextlib.redirect_stdout(io.StringIO()):
    for path in (EXAMPLES / "honest" / "study", EXAMPLES / "fooling" / "way08"):
        run(["lint", str(path), "--no-config", *(f"--format={form}" for form in FORMATS)])

software.torch = cache(software.torch)
software.torch("cpu")
