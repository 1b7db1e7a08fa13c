"""`dlaudit init`: starters that a person completes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from ...schemas.errors import UserError
from ...schemas.files import write_atomic

STARTERS = {"submission": "submission.yaml", "spec": "spec.yaml"}


@click.command()
@click.argument("kind", type=click.Choice(list(STARTERS)))
@click.argument("file", required=False)
def command(kind: str, file: str | None) -> None:
    """Write a starter for a submission or a spec, to FILE (default: submission.yaml or spec.yaml)."""
    target = Path(file or STARTERS[kind])
    if target.exists():
        raise UserError("the file is there already", "give another name", str(target))
    write_atomic(target, files("dlaudit.audit.starters").joinpath(STARTERS[kind]).read_bytes())
    verb = "lint" if kind == "submission" else "run"
    click.echo(f"wrote {target}; complete it, then: dlaudit {verb} {target}")
