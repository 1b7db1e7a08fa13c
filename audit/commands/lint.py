"""`dlaudit lint`: from documents to verdicts."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ...schemas.errors import UserError
from ..terminal import safe

if TYPE_CHECKING:
    from ..importers.report_file import ColumnRoles
    from ..lint.lint import Linted
    from ..lint.settings import Given, InForce
    from ..report import Finding, Report
    from ..scale.rows import Row

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
    help="Exit with code 1 on this verdict or a worse one.  [default: insufficient; never for questions alone]",
)
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--nonce", metavar="TEXT", help="The nonce that you gave out: every study cited must carry it.")
@click.option("--waivers", metavar="FILE", help="Waivers: findings that the gate's owner accepts.")
@click.option(
    "--baseline", metavar="FILE", help="Earlier verdicts as JSON; findings that they hold do not affect the exit code."
)
@click.option(
    "--write-baseline", metavar="FILE", help="Write today's findings, but for those that are waived, as a baseline."
)
@click.option("--from", "chosen", metavar="NAME", help="Importer to use.  [default: the one whose format it has]")
@click.option("--map", "mapped", metavar="FILE", help="What the columns of a table hold, by heading (YAML).")
@click.option("--claim", "claims", metavar="ID", multiple=True, help="Judge only this claim.")
@click.option("--config", metavar="FILE", help="Configuration.  [default: dlaudit.toml here or in a folder above]")
@click.option("--no-config", is_flag=True, help="Read no configuration.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Number of documents to check in parallel."
)
@click.option(
    "-v", "--verbose", is_flag=True, help="In text output, quote every line, name every item, and say what to provide."
)
@click.option(
    "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours.  [default: on a terminal]"
)
@click.option(
    "--out", metavar="FILE", help="Write one row per claim as Parquet, and print one summary of all documents."
)
@click.option(
    "--engine",
    type=click.Choice(("processes", "ray")),
    default="processes",
    show_default=True,
    help="What judges each file and folder in PATH separately, with one summary of all.",
)
@click.option("--statistics", is_flag=True, help="Show how long each rule took.")
@click.option(
    "--show-settings", is_flag=True, help="Print the settings in force and where each comes from; judge nothing."
)
def command(
    paths: tuple[str, ...],
    formats: tuple[str, ...],
    jobs: int,
    statistics: bool,
    out: str | None,
    engine: str,
    **given: Any,
) -> int:
    """Check claims against their evidence and give a verdict.

    PATH is a submission, a study's manifest, or a folder of them; - reads a submission from standard input.
    A report of another tool, or a folder of logs, is read by the importer for its format (see dlaudit draft).
    With --out or --engine ray, PATH is also a bucket: s3://BUCKET/PREFIX or gs://BUCKET/PREFIX.

    \b
    Exit codes: 0 the claims hold; 1 the verdict is as bad as --fail-on says, or
    worse; 2 unreadable or invalid input; 3 there is no claim to judge; 70 a rule
    stopped with an error, and nothing else decides.
    """  # noqa: D301
    from ..lint.settings import Given, in_force, shown

    verbose, color = given.pop("verbose"), given.pop("color")
    if color != "auto":
        click.get_current_context().color = color == "always"
    show_settings, mapped, chosen = given.pop("show_settings"), given.pop("mapped"), given.pop("chosen")
    asking = bool(formats) and all(_output(spec)[0] == "questions" for spec in formats)
    said = Given(**given, paths=paths, asking=asking)
    if show_settings:
        click.echo(shown(in_force(said)), nl=False)
        return 0
    if not paths:
        raise click.UsageError("Missing argument 'PATH...'.")
    if out is not None or engine == "ray":
        alone = {"--format": formats, "--map": mapped, "--from": chosen, "--baseline": said.baseline}
        alone["--write-baseline"] = said.write_baseline
        return _at_scale(paths, in_force(said), jobs, out, engine, [name for name, value in alone.items() if value])
    if addresses := [path for path in paths if "://" in path and not Path(path).exists()]:
        todo = "judge a bucket with --out FILE or --engine ray, and download anything else"
        raise UserError("only files and folders of this machine have a report each", todo, addresses[0])
    outputs = _outputs(formats, paths, verbose=verbose)
    try:
        return _judge(said, outputs, jobs, mapped, chosen, statistics=statistics)
    except UserError as error:
        _write_refusal(outputs, error, said)
        raise


def _judge(
    said: Given, outputs: Sequence[Output], jobs: int, mapped: str | None, chosen: str | None, *, statistics: bool
) -> int:
    """Judge what lies in the paths, write every format, and return the exit code."""
    from ..lint.lint import with_notes
    from ..lint.paths import lint_paths
    from ..lint.settings import in_force

    force, written = in_force(said), _baseline_to(said)
    with_case = any(output.form == "html" for output in outputs)
    linted = lint_paths(said.paths, force.settings, 1 if with_case else jobs, _roles(mapped), chosen)
    if not linted:
        what = "no submission, no manifest, and no report that an importer reads"
        click.echo(f"dlaudit: nothing to assess: {what}", err=True)
        return 3
    fail_at = FAIL_ON[force.fail_on]
    linted = _against(linted, said.baseline, written, fail_at)
    exit_code = _exit_code(linted, fail_at)
    told = with_notes(linted, force.notes)
    for output in outputs:
        _write(output, render(output, told, exit_code, force.settings.plugins, fail_at))
    if any(item.report.left_out for item in linted):
        _tell_what_was_left_out(linted)
    if statistics:
        from ..renderers.timing import render as timing

        click.echo(
            timing([item.times_ns for item in linted], sum(item.decisions for item in linted)), err=True, nl=False
        )
    return exit_code


def _write_refusal(outputs: Iterable[Output], error: UserError, said: Given) -> None:
    """Write in every format but text that nothing was judged, and why: no file of an earlier run is left in its place.

    Text on the standard output is spared it, for the error itself is printed.
    """
    from ..lint.cases import NOTHING
    from ..lint.invalid import refused_report
    from ..lint.lint import Linted

    path, report = refused_report(error, said.paths, said.profile or "reviewer")
    for output in outputs:
        if output.form != "text" or output.file is not None:
            _write(output, render(output, [Linted(report, NOTHING, path=path)], error.exit_code, plugins=False))


def _at_scale(
    paths: tuple[str, ...], force: InForce, jobs: int, out: str | None, engine: str, others: list[str]
) -> int:
    """Judge what lies in the paths apart and print one summary; return the exit code."""
    from ..scale.engines import ENGINES, entries
    from ..scale.rows import UNREADABLE
    from ..scale.summary import Summary, render

    if others:
        raise UserError(f"{others[0]} is about single reports", "leave it out with --out and --engine ray")
    found, summary = entries(paths), Summary()
    with _rows_to(out) as write:
        for rows in ENGINES[engine](found, force.settings, jobs):
            summary.add(rows)
            write(rows)
    for note in force.notes:
        click.echo(f"dlaudit: {safe(note)}", err=True)
    click.echo(render(summary), nl=False)
    if summary.documents[UNREADABLE]:
        return 2
    worst = summary.worst
    return 3 if worst is None else 1 if worst >= FAIL_ON[force.fail_on] else 0


def _rows_to(out: str | None) -> AbstractContextManager[Callable[[Sequence[Row]], None]]:
    if out is None:
        return nullcontext(lambda rows: None)
    from ..scale.parquet import writing

    return writing(Path(out))


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


class Output(NamedTuple):
    """How reports are written.

    Attributes:
        form: the format.
        file: where; None for the standard output. Questions for a .md file are Markdown.
        verbose: text in full.
    """

    form: str
    file: str | None = None
    verbose: bool = False


def _outputs(formats: Iterable[str], paths: Sequence[str], *, verbose: bool) -> tuple[Output, ...]:
    outputs = tuple(Output(*_output(spec), verbose) for spec in tuple(formats) or ("text",))
    for output in outputs:
        if output.file is not None and Path(output.file).resolve() in {Path(path).resolve() for path in paths}:
            raise UserError("this is a document to judge, not a place to write to", "give another name", output.file)
    return outputs


def _output(spec: str) -> tuple[str, str | None]:
    form, _, file = spec.partition(":")
    if form not in FORMATS:
        from ..nearest import meant

        raise UserError(f"there is no format {form!r}", meant(form, FORMATS), "--format")
    return form, file if file not in {"", "-", "/dev/stdout"} else None


def _write(output: Output, text: str) -> None:
    if output.file is None:
        click.echo(text, nl=False)
        return
    data = (click.unstyle(text) if output.form == "text" else text).encode("utf-8", "backslashreplace")
    if output.file.startswith("/dev/fd/"):
        with Path(output.file).open("wb") as stream:
            stream.write(data)
        return
    from ...schemas.files import write_atomic

    write_atomic(Path(output.file), data)


def render(
    output: Output, linted: list[Linted], exit_code: int, plugins: bool, fail_at: int = FAIL_ON["insufficient"]
) -> str:
    """Return the reports in one format; SARIF also tells the program's exit code and all rules that judged."""
    form = output.form
    documents, reports = tuple(linted), tuple(item.report for item in linted)
    if form == "json":
        from ..renderers.json import render as as_json

        return as_json(reports)
    if form == "text":
        from ..renderers.places import relative
        from ..renderers.text import render as as_text

        several = len(linted) > 1
        names = [item.path if several else relative(item.path) for item in linted]
        pairs = zip(linted, names, strict=True)
        return "\n".join(as_text(item.report, name, brief=not output.verbose) for item, name in pairs)
    if form == "sarif":
        from ...rules.plugins import rules_in_force
        from ..renderers.sarif import render as as_sarif

        return as_sarif(documents, exit_code, tuple(rule.load() for rule in rules_in_force(plugins)), fail_at)
    if form == "github":
        from ..renderers.github import render as as_commands

        return as_commands(documents, fail_at)
    if form == "questions" and output.file is not None and Path(output.file).suffix == ".md":
        from ..renderers.questions import render_markdown

        return render_markdown(documents)
    renderer = importlib.import_module(f"dlaudit.audit.renderers.{form}").render
    text = renderer(documents)
    assert isinstance(text, str)
    return text


def _baseline_to(said: Given) -> Output | None:
    """Return where a baseline is written; None where none is."""
    if said.write_baseline is None:
        return None
    if said.baseline is not None:
        raise UserError("a baseline is judged against or written", "leave one of the two out", "--write-baseline")
    if said.claims:
        raise UserError("a baseline holds the findings of all claims", "leave --claim out", "--write-baseline")
    (output,) = _outputs([f"json:{said.write_baseline}"], said.paths, verbose=False)
    return output


def _against(linted: list[Linted], read: str | None, written: Output | None, fail_at: int) -> list[Linted]:
    """Return the reports as they stand against a baseline that is read, or written of them; as they are without one."""
    if read is None and written is None:
        return linted
    from ..baseline import against, known_of, read_baseline, taken_in_words

    if read is not None:
        return against(linted, read_baseline(Path(read)), fail_at)
    assert written is not None
    if any(_is_invalid(item.report) for item in linted):
        click.echo(f"dlaudit: no baseline is written to {safe(written.file or '-')}: a document is not valid", err=True)
        return linted
    _write(written, render(written, linted, 0, plugins=False))
    for words in taken_in_words(linted):
        click.echo(f"dlaudit: {safe(written.file or 'the baseline')} {safe(words)}", err=True)
    return against(linted, known_of(linted), fail_at)


def _exit_code(linted: list[Linted], fail_at: int) -> int:
    reports = [item.report for item in linted]
    if any(_is_invalid(report) for report in reports):
        return 2
    if all(report.verdict is None for report in reports):
        return 3
    bad = [report for report in reports if _fails(report, fail_at)]
    stopped = [report for report in reports if any(_is_defect(finding) for finding in report.all_findings)]
    if stopped and all(_decided_by_a_defect(report) for report in bad):
        return 70
    return 1 if bad else 0


def _is_invalid(report: Report) -> bool:
    return bool(report.findings) and report.findings[0].code == "D01"


def _fails(report: Report, fail_at: int) -> bool:
    """Whether a document fails the gate: by its verdict, and under a baseline by what is new."""
    if report.against is not None:
        return report.against.fails
    return report.verdict is not None and report.verdict >= fail_at


def _is_defect(finding: Finding) -> bool:
    """Whether a rule stopped that could have decided."""
    return finding.outcome == "error" and finding.decides


def _decided_by_a_defect(report: Report) -> bool:
    """Whether nothing but rules that stopped makes a verdict as bad as it is."""
    return all(_is_defect(finding) for finding in report.all_findings if finding.decides)
