"""`dlaudit lint`: from documents to verdicts."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schemas.errors import UserError
from ..terminal import safe

if TYPE_CHECKING:
    from ..importers.report_file import ColumnRoles
    from ..lint.lint import Linted
    from ..report import Finding, Report

FORMATS = ("text", "json", "sarif", "junit", "github", "markdown", "html", "questions")
FAIL_ON = {"fail": 3, "insufficient": 2, "caveats": 1, "never": 4}
PROFILES = ("reviewer", "gate", "publication", "procurement", "mlperf")


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1)
@click.option("--profile", type=click.Choice(PROFILES), help="What to ask for.  [default: reviewer]")
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
    help="End with exit code 1 at this verdict or a worse one.  [default: insufficient]",
)
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--nonce", metavar="TEXT", help="The nonce that you gave out: every study cited must carry it.")
@click.option("--waivers", metavar="FILE", help="Findings that the gate's owner accepts.")
@click.option("--baseline", metavar="FILE", help="Earlier verdicts as JSON: what they hold does not set the exit code.")
@click.option("--from", "chosen", metavar="NAME", help="Importer of a report.  [default: the one whose format it has]")
@click.option("--map", "mapped", metavar="FILE", help="What the columns of a table hold, by heading (YAML).")
@click.option("--claim", "claims", metavar="ID", multiple=True, help="Judge only this claim.")
@click.option("--config", metavar="FILE", help="Configuration.  [default: dlaudit.toml here or in a folder above]")
@click.option("--no-config", is_flag=True, help="Read no configuration.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of documents to check in parallel."
)
@click.option("--statistics", is_flag=True, help="Say how long each rule took.")
@click.option(
    "--show-settings", is_flag=True, help="Print the settings in force and where each comes from; judge nothing."
)
def command(paths: tuple[str, ...], formats: tuple[str, ...], jobs: int, statistics: bool, **given: Any) -> int:
    """Check claims against their evidence and give a verdict.

    PATH is a submission, a study's manifest, or a folder of them; - reads a submission from standard input.
    A report of another tool, or a folder of logs, goes to the importer that knows it (see dlaudit import).

    \b
    Exit codes: 0 the claims hold; 1 the verdict is that bad or worse; 2 unreadable
    or invalid input; 3 there is no claim to judge; 70 a rule stopped, and nothing
    else decides.
    """  # noqa: D301
    from ..lint.lint import with_notes
    from ..lint.paths import lint_paths
    from ..lint.settings import Given, in_force, shown

    show_settings, mapped, chosen = given.pop("show_settings"), given.pop("mapped"), given.pop("chosen")
    force = in_force(Given(**given, paths=paths))
    if show_settings:
        click.echo(shown(force), nl=False)
        return 0
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'.")
    outputs = [_output(spec) for spec in formats or ("text",)]
    for _, file in outputs:
        if file is not None and any(Path(file).resolve() == Path(path).resolve() for path in paths):
            raise UserError("this is a document to judge, not a place to write to", "give another name", file)
    with_case = any(form == "html" for form, _ in outputs)
    linted = lint_paths(paths, force.settings, 1 if with_case else jobs, _roles(mapped), chosen)
    if not linted:
        what = "no submission, no manifest, and no report that an importer reads"
        click.echo(f"dlaudit: nothing to assess: {what}", err=True)
        return 3
    linted = with_notes(linted, force.notes)
    exit_code = _exit_code(linted, FAIL_ON[force.fail_on], given["baseline"])
    for form, file in outputs:
        _write(file, form, render(form, linted, exit_code, force.settings.plugins, file))
    if any(item.report.left_out for item in linted):
        _tell_what_was_left_out(linted)
    if statistics:
        from ..renderers.timing import render as timing

        click.echo(
            timing([item.times_ns for item in linted], sum(item.decisions for item in linted)), err=True, nl=False
        )
    return exit_code


def _roles(mapped: str | None) -> ColumnRoles | None:
    if mapped is None:
        return None
    from ..lint.reports import read_roles

    return read_roles(mapped)


def _tell_what_was_left_out(linted: list[Linted]) -> None:
    from ..lint.unread import left_out_words

    for item in linted:
        for words in left_out_words(item.report.left_out):
            click.echo(f"dlaudit: {safe(words)}", err=True)


def _output(spec: str) -> tuple[str, str | None]:
    form, _, file = spec.partition(":")
    if form not in FORMATS:
        raise UserError(f"there is no format {form!r}", f"choose one of: {', '.join(FORMATS)}", "--format")
    return form, file or None


def _write(file: str | None, form: str, text: str) -> None:
    if file is None:
        click.echo(text, nl=False)
        return
    from ...schemas.files import write_atomic

    write_atomic(Path(file), (click.unstyle(text) if form == "text" else text).encode("utf-8", "backslashreplace"))


def render(form: str, linted: list[Linted], exit_code: int, plugins: bool, file: str | None = None) -> str:
    """Return the reports in one format; SARIF also tells the program's exit code and all rules that judged.

    Args:
        form: the format.
        linted: what was judged.
        exit_code: of the program.
        plugins: whether rules of installed packages judged.
        file: where it is written; questions for a .md file are Markdown.
    """
    documents, reports = tuple(linted), tuple(item.report for item in linted)
    if form == "json":
        from ..renderers.json import render as as_json

        return as_json(reports)
    if form == "text":
        from ..renderers.text import render as as_text

        several = len(linted) > 1
        return "\n".join(as_text(item.report, item.path if several else "") for item in linted)
    if form == "sarif":
        from ...rules.plugins import rules_in_force
        from ..renderers.sarif import render as as_sarif

        return as_sarif(documents, exit_code, tuple(rule.load() for rule in rules_in_force(plugins)))
    if form == "questions" and file is not None and Path(file).suffix == ".md":
        from ..renderers.questions import render_markdown

        return render_markdown(documents)
    renderer = importlib.import_module(f"dlaudit.audit.renderers.{form}").render
    text = renderer(documents)
    assert isinstance(text, str)
    return text


def _exit_code(linted: list[Linted], fail_at: int, baseline: str | None) -> int:
    reports = [item.report for item in linted]
    if any(report.findings and report.findings[0].code == "D01" for report in reports):
        return 2
    if all(report.verdict is None for report in reports):
        return 3
    bad = [report for report in reports if report.verdict is not None and report.verdict >= fail_at]
    if bad and baseline is not None:
        from ..baseline import has_news, read_baseline

        known = read_baseline(Path(baseline))
        bad = [report for report in bad if has_news(report, known)]
    stopped = [report for report in reports if any(_is_defect(finding) for finding in report.all_findings)]
    if stopped and all(_decided_by_a_defect(report) for report in bad):
        return 70
    return 1 if bad else 0


def _is_defect(finding: Finding) -> bool:
    """Whether a rule stopped that could have decided."""
    return finding.outcome == "error" and finding.decides


def _decided_by_a_defect(report: Report) -> bool:
    """Whether nothing but rules that stopped makes a verdict as bad as it is."""
    return all(_is_defect(finding) for finding in report.all_findings if finding.decides)
