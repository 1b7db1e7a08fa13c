"""`dlaudit schema`: the JSON Schema of a document."""

from __future__ import annotations

import json

import click

from ...schemas.validation import BASE, kinds, local_schema


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema of a document, or the NAMEs of all."""
    names = (*kinds(), "common")
    if name is None:
        click.echo("\n".join(names))
        return
    if name not in names:
        raise click.UsageError(f"there is no schema {name!r}; choose one of: {', '.join(names)}")
    click.echo(json.dumps(local_schema(f"{BASE}{name}.schema.json"), indent=1))
