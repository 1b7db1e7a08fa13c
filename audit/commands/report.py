"""`dlaudit report`: documents as one page to send."""

from __future__ import annotations

from pathlib import Path

import click

from ..lint.read import read_documents
from .lint import PROFILES


@click.command()
@click.argument("path", metavar="PATH")
@click.option("--profile", type=click.Choice(PROFILES), help="What to ask for.  [default: reviewer]")
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--out", metavar="FILE", help="Where to write; report.html beside PATH, or in it, where not given.")
def command(path: str, profile: str | None, trust: str | None, out: str | None) -> int:
    """Write the verdict with its evidence as one self-contained HTML file.

    PATH is a submission, a study's manifest, or a folder of them; - reads a submission from standard input.

    \b
    Exit codes: 0 the report is written, whatever the verdict; 2 unreadable or
    invalid input; 3 there is nothing to judge.
    """  # noqa: D301
    from ...schemas.files import write_atomic
    from ..lint.lint import lint, with_notes
    from ..lint.settings import Given, in_force
    from ..renderers.html import render

    force = in_force(Given(profile=profile, trust=trust, paths=(path,)))
    documents = read_documents((path,), drafts=False)
    linted = tuple(with_notes([lint(document, force.settings) for document in documents], force.notes))
    if not linted:
        click.echo("dlaudit: nothing to assess: no submission and no manifest in there", err=True)
        return 3
    target = Path(out) if out is not None else _beside(path)
    write_atomic(target, render(linted).encode())
    for item in linted:
        verdict = item.report.verdict
        click.echo(f"{item.report.file}: {verdict.words if verdict is not None else 'no verdict'}")
    click.echo(f"written to {target}")
    return 2 if any(finding.code == "D01" for item in linted for finding in item.report.findings) else 0


def _beside(path: str) -> Path:
    if path == "-":
        return Path("report.html")
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    return folder / "report.html"
