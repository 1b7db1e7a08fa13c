"""`dlaudit draft`: what a document or a report of another tool says, as the shortest submission, to be completed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schemas.errors import UserError

if TYPE_CHECKING:
    from ..drafts.submission import Value
    from ..importers.draft import Draft


@click.command("draft")
@click.argument("path", required=False)
@click.argument("file", required=False)
@click.option("--evidence", metavar="RESULTS", help="File of results that holds the numbers of the document.")
@click.option("--ask", is_flag=True, help="Ask what the document leaves open: at most six questions a claim.")
@click.option("--from", "chosen", metavar="NAME", help="Importer to use.  [default: the one whose format it has]")
@click.option("--map", "mapped", metavar="FILE", help="What the columns of a table hold, by heading (YAML).")
@click.option("--list", "listed", is_flag=True, help="List the importers; read nothing.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of processes that read logs."
)
@click.option("--config", metavar="FILE", help="Configuration.  [default: dlaudit.toml here or in a folder above]")
def command(
    path: str | None,
    file: str | None,
    evidence: str | None,
    ask: bool,
    chosen: str | None,
    mapped: str | None,
    listed: bool,
    jobs: int,
    config: str | None,
) -> None:
    """Write what a document says, as the shortest submission, with a comment where a person must decide.

    PATH is a document, a report of another tool or a folder of logs; - reads from standard input. The draft goes to
    FILE (.json or .yaml), or to standard output. The draft states nothing that the document does not.
    With --evidence its numbers are tied to those of RESULTS that round to them.
    `dlaudit lint` judges the same documents without a draft.
    """
    from ..config import find, load
    from ..handed_in import bar, handed_in

    judged = handed_in([path] if path is not None else [])
    bar(judged)
    plugins = bool((load(Path(config)) if config else find(Path.cwd(), judged)).config.plugins)
    if listed:
        _list(plugins)
        return
    if path is None:
        raise click.UsageError("Missing argument 'PATH'.")
    if path == "-" and ask:
        raise click.UsageError("--ask reads answers from standard input: name a file.")
    target = Path(file) if file is not None else None
    if target is not None and target.exists():
        todo = "give another name; results that hold the numbers of a document are named with --evidence"
        raise UserError("the file exists already", todo, str(target))
    text = text_of(Path(path), target, ask, chosen, mapped, plugins, jobs, evidence)
    if target is None:
        click.echo(text, nl=False)
        return
    from ...schemas.files import write_atomic

    write_atomic(target, text.encode())
    click.echo(f"wrote {target}; complete it, then: dlaudit lint {target}", err=True)


def _list(plugins: bool) -> None:
    from ..importers.registry import importers

    found = importers(plugins)
    width = max(len(importer.name) for importer in found)
    click.echo("".join(f"{importer.name:<{width}}  {importer.title}\n" for importer in found), nl=False)


def _only(found: tuple[tuple[str, Draft], ...], path: str) -> Draft:
    """Return the draft of a report.

    Raises:
        UserError: there is none, or more than one.
    """
    if len(found) == 1:
        return found[0][1]
    names = ", ".join(name for name, _ in found[:8])
    what = f"this holds {len(found)} reports of their own: {names}" if found else "no report is in there"
    raise UserError(what, "give one file, or a folder that is one report", path)


def text_of(
    path: Path,
    target: Path | None = None,
    ask: bool = False,
    chosen: str | None = None,
    mapped: str | None = None,
    plugins: bool = False,
    jobs: int = 1,
    evidence: str | None = None,
) -> str:
    """Return the draft of a document as it is written, after the answers where there are any.

    Raises:
        UserError: no importer reads it, or it holds several reports.
    """
    from ..drafts.asking import asked
    from ..drafts.decisions import open_decisions
    from ..drafts.judging import judge_in, shortened
    from ..drafts.page import as_json, as_yaml
    from ..drafts.reports import drafts_of
    from ..drafts.submission import submission_of
    from ..lint.reports import read_roles
    from ..workers import processes

    name = str(path)
    with processes(jobs) as workers:
        draft = _only(drafts_of(name, chosen, plugins, workers, read_roles(mapped)), name)
    value, folder = submission_of(draft, name, target), (target or path).parent
    _say_guesses(draft)
    if evidence is not None:
        value = _tied(value, evidence, target or path, plugins)
    judge = judge_in(folder)
    if not draft.traces:  # logs of runs decide by what is in them
        value = shortened(value, folder)
        value = asked(value, judge) if ask else value
    if target is not None and target.suffix == ".json":
        return as_json(value)
    return as_yaml(value, open_decisions(value, judge) if not draft.traces else {}, draft.unused)


def _tied(value: Value, evidence: str, target: Path, plugins: bool) -> Value:
    """Return a submission tied to a file of results, and say of which claims no number, or no single one, is there."""
    from ..drafts.reports import drafts_of
    from ..drafts.submission import submission_of
    from ..drafts.tied import in_words, tied
    from ..terminal import safe

    results = _only(drafts_of(evidence, None, plugins), evidence)
    found = tied(value, submission_of(results, evidence, target))
    for key, choices in found.untied.items():
        claim = value["claims"][key]
        number = f"{claim['value']} {claim.get('unit') or ''}".strip()
        why = f": in {evidence} {in_words(choices)}; name one" if choices else f" is not one number of {evidence}"
        click.echo(safe(f"not tied: {key}: {number}{why}"), err=True)
    return found.value


def _say_guesses(draft: Draft) -> None:
    """Say what was guessed of columns, in lines that a map of roles may hold."""
    from ..terminal import safe

    of_columns = {heading: role for heading, role in draft.guesses.items() if "role" in role}
    if of_columns:
        click.echo("guessed from the headings (correct it with --map FILE):", err=True)
    for heading, role in of_columns.items():
        inner = ", ".join(f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in role.items())
        click.echo(safe(f"  {json.dumps(heading, ensure_ascii=False)}: {{{inner}}}"), err=True)
