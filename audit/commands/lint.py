"""`dlaudit lint`: from documents to verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schemas.errors import UserError
from ..lint.collect import Found, collect

if TYPE_CHECKING:
    from ..lint.lint import Linted, Settings
    from ..trust.trustfile import Trust

FORMATS = ("text", "json", "html")
FAIL_ON = {"fail": 3, "insufficient": 2, "caveats": 1, "never": 4}
PROFILES = ("reviewer", "gate", "publication", "procurement")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--profile", type=click.Choice(PROFILES), default="reviewer", show_default=True, help="What to ask for.")
@click.option(
    "--format",
    "formats",
    metavar="F[:FILE]",
    multiple=True,
    help=f"Write as {', '.join(FORMATS)}, to standard output or to FILE. May be given several times.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(FAIL_ON)),
    default="insufficient",
    show_default=True,
    help="End with exit code 1 at this verdict or a worse one.",
)
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--claim", "claims", metavar="ID", multiple=True, help="Judge only this claim.")
def command(
    paths: tuple[str, ...],
    profile: str,
    formats: tuple[str, ...],
    fail_on: str,
    trust: str | None,
    claims: tuple[str, ...],
) -> int:
    """Take claims and their evidence apart and give a verdict.

    PATH is a submission, a study's manifest, or a folder of them; - reads a submission from standard input.

    \b
    Exit codes: 0 the claims hold; 1 the verdict is that bad or worse; 2 unreadable
    or invalid input; 3 there is no claim to judge.
    """  # noqa: D301
    from ..lint.lint import Settings

    outputs = [_output(spec) for spec in formats or ("text",)]
    settings = Settings(profile, {}, _trust(trust), claims)
    linted = [judged(found, settings) for found in collect(paths)]
    if not linted:
        click.echo("dlaudit: nothing to assess: no submission and no manifest in there", err=True)
        return 3
    for form, file in outputs:
        _write(form, file, linted)
    return _exit_code(linted, FAIL_ON[fail_on])


def judged(found: Found, settings: Settings) -> Linted:
    """Judge one document; an invalid one becomes a report without a verdict, with a finding for every place."""
    from ...schemas.validation import validate
    from ..lint.invalid import invalid_report
    from ..lint.lint import lint

    problems = validate(found.kind, found.source.value)
    if problems:
        return invalid_report(found.source, problems, settings)
    if found.kind == "manifest":
        from ..lint.implied import implied

        return lint(implied(found.source, found.folder), found.folder, settings)
    return lint(found.source, found.folder, settings)


def _output(spec: str) -> tuple[str, str | None]:
    form, _, file = spec.partition(":")
    if form not in FORMATS:
        raise UserError(f"there is no format {form!r}", f"choose one of: {', '.join(FORMATS)}", "--format")
    return form, file or None


def _trust(path: str | None) -> Trust | None:
    if path is None:
        return None
    from datetime import UTC, datetime

    from ..trust.ledger import state_folder
    from ..trust.trustfile import load_trust

    return load_trust(Path(path), datetime.now(UTC), state_folder())


def _write(form: str, file: str | None, linted: list[Linted]) -> None:
    text = render(form, linted)
    if file is None:
        click.echo(text, nl=False)
        return
    from ...schemas.files import write_atomic

    write_atomic(Path(file), (click.unstyle(text) if form == "text" else text).encode())


def render(form: str, linted: list[Linted]) -> str:
    """Return the reports in one format."""
    if form == "html":
        from ..renderers.html import render as as_html

        return as_html(tuple(linted))
    reports = tuple(item.report for item in linted)
    if form == "json":
        from ..renderers.json import render as as_json

        return as_json(reports)
    from ..renderers.text import render as as_text

    return "\n".join(as_text(report) for report in reports)


def _exit_code(linted: list[Linted], fail_at: int) -> int:
    verdicts = [item.report.verdict for item in linted]
    if any(item.report.findings and item.report.findings[0].code == "D01" for item in linted):
        return 2
    if any(verdict is not None and verdict >= fail_at for verdict in verdicts):
        return 1
    return 3 if all(verdict is None for verdict in verdicts) else 0
