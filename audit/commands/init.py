"""`dlaudit init`: a starter that a person completes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click

from ...schemas.errors import UserError
from ...schemas.files import write_atomic


@click.command()
@click.argument("kind", type=click.Choice(["spec"]))
@click.argument("file", required=False)
def command(kind: str, file: str | None) -> None:
    """Write a starter spec to FILE (default: spec.yaml); `dlaudit draft` writes submissions."""
    target = Path(file or f"{kind}.yaml")
    if target.exists():
        raise UserError("the file exists already", "give another name", str(target))
    write_atomic(target, files("dlaudit.audit.starters").joinpath(f"{kind}.yaml").read_bytes())
    click.echo(f"wrote {target}; complete it, then: dlaudit run {target}")
