"""`dlaudit mcp`: the tools for assistant programs."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.errors import UserError


@click.command("mcp")
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path(),
    help="Folder beneath which files are read.  [default: the current one]",
)
def command(root: Path) -> None:
    """Offer draft, lint, questions, explain and schema to an assistant, over standard input and output.

    Speaks the Model Context Protocol. What an assistant hands in must stand in the document that it names. Nothing is
    written, and nothing leaves this machine.
    """
    try:
        from ..assistants.server import serve
    except ModuleNotFoundError as error:
        raise UserError(f"this needs {error.name}, which is not installed", "pip install 'dlaudit[mcp]'") from None
    serve(root)
