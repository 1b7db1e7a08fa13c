"""`dlaudit import`: what a report of another tool says, as a submission that a person completes."""  # noqa: N999

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schemas.errors import UserError

if TYPE_CHECKING:
    from ..importers.draft import Draft


@click.command("import")
@click.argument("path", required=False)
@click.argument("file", required=False)
@click.option("--from", "chosen", metavar="NAME", help="Importer to use.  [default: the one whose format it has]")
@click.option("--map", "mapped", metavar="FILE", help="What the columns of a table hold, by heading (YAML).")
@click.option("--list", "listed", is_flag=True, help="List the importers; read nothing.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that read logs.")
@click.option("--config", metavar="FILE", help="Configuration.  [default: dlaudit.toml here or in a folder above]")
def command(
    path: str | None,
    file: str | None,
    chosen: str | None,
    mapped: str | None,
    listed: bool,
    jobs: int,
    config: str | None,
) -> None:
    """Write what a report of another tool, or a folder of logs, says as a submission to complete.

    The draft goes to FILE (.json or .yaml), or to standard output. What the report does not state, it does not state
    either. `dlaudit lint` reads the same reports without a draft.
    """
    from ..config import find, load
    from ..handed_in import bar, handed_in
    from ..importers.registry import importers

    judged = handed_in([path] if path is not None else [])
    bar(judged)
    plugins = bool((load(Path(config)) if config else find(Path.cwd(), judged)).config.plugins)
    if listed:
        found = importers(plugins)
        width = max(len(importer.name) for importer in found)
        click.echo("".join(f"{importer.name:<{width}}  {importer.title}\n" for importer in found), nl=False)
        return
    if path is None:
        raise click.UsageError("Missing argument 'PATH'.")
    from ..lint.reports import read_roles
    from ..report_drafts import draft_text, drafts_of
    from ..workers import processes

    with processes(jobs) as workers:
        found_drafts = drafts_of(path, chosen, plugins, workers, read_roles(mapped))
    if len(found_drafts) != 1:
        names = ", ".join(name for name, _ in found_drafts[:8])
        what = (
            f"this holds {len(found_drafts)} reports of their own: {names}" if found_drafts else "no report is in there"
        )
        raise UserError(what, "give one file, or a folder that is one report", path)
    _, draft = found_drafts[0]
    text = draft_text(draft.value, "json" if file is None or Path(file).suffix == ".json" else "yaml")
    if file is None:
        click.echo(text, nl=False)
    else:
        from ...schemas.files import write_atomic

        if Path(file).exists():
            raise UserError("the file is there already", "give another name", file)
        write_atomic(Path(file), text.encode())
        click.echo(f"wrote {file}; complete it, then: dlaudit lint {file}", err=True)
    _say(draft)


def _say(draft: Draft) -> None:
    """Say what was guessed, in lines that a map of roles may hold, and what was not used."""
    from ..terminal import safe

    if draft.guesses:
        click.echo("guessed from the headings (correct it with --map FILE):", err=True)
    for heading, role in draft.guesses.items():
        inner = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in role.items())
        click.echo(safe(f"  {json.dumps(heading, ensure_ascii=False)}: {{{inner}}}"), err=True)
    for name in dict.fromkeys(draft.unused):
        click.echo(safe(f"not used: {name}"), err=True)
