"""`dlaudit compare`: whether the new one is better, worse or equivalent, or these trials cannot tell."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.errors import UserError

FORMATS = ("text", "json", "markdown", "github")
HOLDS, DIFFERENT, OPEN, BROKEN = 0, 1, 3, 5
FAIL_ON = {"worse": {"worse"}, "different": {"worse", "better"}, "never": set[str]()}


@click.command()
@click.argument("paths", metavar="OLD NEW...", nargs=-1, required=True)
@click.option(
    "--margin",
    type=click.FloatRange(0, 1),
    default=0.05,
    show_default=True,
    help="Relative difference that does not matter.",
)
@click.option(
    "--quality-margin",
    type=click.FloatRange(0),
    default=0.005,
    show_default=True,
    help="Difference of a quality metric that does not matter, in its unit.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 0.5, min_open=True),
    default=0.05,
    show_default=True,
    help='Error of "better" or "worse" over all metrics.',
)
@click.option("--metric", "metrics", metavar="NAME", multiple=True, help="Compare only this metric.")
@click.option("--vary", metavar="KEY", multiple=True, help="Option that is meant to differ, such as precision.")
@click.option(
    "--fail-on",
    type=click.Choice(list(FAIL_ON)),
    default="worse",
    show_default=True,
    help="End with exit code 1 at this answer.",
)
@click.option(
    "--format", "formats", metavar="F[:FILE]", multiple=True, help=f"Write as {', '.join(FORMATS)}; to FILE or here."
)
def command(
    paths: tuple[str, ...],
    margin: float,
    quality_margin: float,
    alpha: float,
    metrics: tuple[str, ...],
    vary: tuple[str, ...],
    fail_on: str,
    formats: tuple[str, ...],
) -> int:
    """Compare studies trial by trial: the first with each of the others.

    OLD and NEW are folders of studies, manifests or submissions, or one arm of
    them as PATH@ARM. With a single PATH its first arm is compared with its others.

    The unit is the trial: medians of trials, Welch's t on logarithms, Holm's
    correction over all metrics, equivalence by two one-sided tests.

    \b
    Exit codes: 0 nothing is worse; 1 something is; 2 unreadable or invalid input;
    3 these trials cannot tell, or it was not the same work; 5 a study's digests or
    signature do not hold.
    """  # noqa: D301
    from ..compare.comparison import Terms, compare
    from ..compare.needed import check_statsmodels
    from ..compare.render import render
    from ..compare.subject import read_subject

    check_statsmodels("compare")
    outputs = [_output(spec) for spec in formats or ("text",)]
    terms = Terms(margin, quality_margin, alpha, frozenset(vary), frozenset(metrics))
    subjects = [read_subject(path) for path in paths]
    problems = [f"{subject.name}: {problem}" for subject in subjects for problem in subject.problems]
    comparisons = compare(subjects, terms)
    for form, file in outputs:
        _write(file, render(form, comparisons, terms, problems))
    outcomes = {comparison.outcome for comparison in comparisons}
    if problems:
        return BROKEN
    if outcomes & FAIL_ON[fail_on]:
        return DIFFERENT
    return OPEN if outcomes & {"cannot tell", "not comparable"} else HOLDS


def _output(spec: str) -> tuple[str, str | None]:
    form, _, file = spec.partition(":")
    if form not in FORMATS:
        raise UserError(f"there is no format {form!r}", f"choose one of: {', '.join(FORMATS)}", "--format")
    return form, file or None


def _write(file: str | None, text: str) -> None:
    if file is None:
        click.echo(text, nl=False)
        return
    from ...schemas.files import write_atomic

    write_atomic(Path(file), text.encode("utf-8", "backslashreplace"))
