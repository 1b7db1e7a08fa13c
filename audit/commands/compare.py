"""`dlaudit compare`: whether the new one is better, worse or equivalent, or these trials cannot tell."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click

from ...schemas.errors import UserError

FORMATS = ("text", "json", "markdown", "github")
HOLDS, DIFFERENT, OPEN, BROKEN, INTERRUPTED = 0, 1, 3, 5, 130
USUAL, OF_GATE = 0.05, 0.02
"""Errors of an answer. Of equal revisions half of it is called worse: at 2 % one in a hundred runs."""
FAIL_ON = {"worse": {"worse"}, "different": {"worse", "better"}, "never": set[str]()}


@click.command()
@click.argument("paths", metavar="OLD NEW... | SPEC", nargs=-1, required=True)
@click.option("--revisions", nargs=2, metavar="OLD NEW", help="Measure two git revisions in one job: the arms of SPEC.")
@click.option("--environments", nargs=2, metavar="OLD NEW", help="The same with two virtual environments.")
@click.option("--build", metavar="COMMAND", help="Command that builds each work tree of --revisions, run in its root.")
@click.option(
    "--trials", type=click.IntRange(1), help="Trials of each revision or environment, instead of the spec's number."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for that study [default: the spec's name, with -gate]."
)
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
    help='Error of "better" or "worse" over all metrics.  [default: 0.05; 0.02 where revisions are measured]',
)
@click.option("--metric", "metrics", metavar="NAME", multiple=True, help="Compare only this metric.")
@click.option("--vary", metavar="KEY", multiple=True, help="Option that is meant to differ, such as precision.")
@click.option(
    "--fail-on",
    type=click.Choice(list(FAIL_ON)),
    default="worse",
    show_default=True,
    help="Exit with code 1 on this answer.",
)
@click.option(
    "--format", "formats", metavar="F[:FILE]", multiple=True, help=f"Write as {', '.join(FORMATS)}; to FILE or here."
)
def command(
    paths: tuple[str, ...],
    revisions: tuple[str, str] | None,
    environments: tuple[str, str] | None,
    build: str | None,
    trials: int | None,
    out: Path | None,
    margin: float,
    quality_margin: float,
    alpha: float | None,
    metrics: tuple[str, ...],
    vary: tuple[str, ...],
    fail_on: str,
    formats: tuple[str, ...],
) -> int:
    """Compare studies trial by trial: the first with each of the others.

    OLD and NEW are folders of studies, manifests or submissions, or one arm of
    them as PATH@ARM. With a single PATH its first arm is compared with its others.

    With --revisions or --environments both sides are measured first: SPEC has one
    arm, each side is built in a work tree of its own, and their trials alternate,
    so that a drift of the machine meets both alike.

    The unit is the trial: medians of trials, Welch's t on logarithms, Holm's
    correction over all metrics, equivalence by two one-sided tests.

    \b
    Exit codes: 0 nothing is worse; 1 something is; 2 unreadable or invalid input;
    3 the trials cannot tell, or did not do the same work; 5 a study's digests or
    signature do not hold.
    """  # noqa: D301
    from ..compare.comparison import Terms, compare
    from ..compare.needed import check_statsmodels
    from ..compare.render import render
    from ..compare.revisions import named
    from ..compare.subject import read_subject

    check_statsmodels("compare")
    outputs = [_output(spec) for spec in formats or ("text",)]
    if alpha is None:
        alpha = OF_GATE if revisions or environments else USUAL
    terms = Terms(margin, quality_margin, alpha, frozenset(vary), frozenset(metrics))
    called: dict[str, str] | None = None
    if revisions or environments:
        sides = Sides("revision", revisions) if revisions else Sides("environment", environments or ("", ""))
        if revisions and environments:
            raise UserError("revisions and environments cannot be compared at once", "ask one", "--environments")
        folder, called = _measured(paths, sides, build, trials, out)
        if folder is None:
            return INTERRUPTED
        paths = (str(folder),)
    elif build or trials or out:
        raise UserError("nothing is measured here", "give --revisions or --environments, too", "--out")
    subjects = [read_subject(path) for path in paths]
    problems = [f"{subject.name}: {problem}" for subject in subjects for problem in subject.problems]
    comparisons = compare(subjects, terms)
    if called is not None:
        comparisons = named(comparisons, called)
    for form, file in outputs:
        _write(file, render(form, comparisons, terms, problems))
    outcomes = {comparison.outcome for comparison in comparisons}
    if problems:
        return BROKEN
    if outcomes & FAIL_ON[fail_on]:
        return DIFFERENT
    return OPEN if outcomes & {"cannot tell", "not comparable"} else HOLDS


class Sides(NamedTuple):
    """What is measured: the key that tells the arms apart, and the old one and the new one of its kind."""

    kind: str
    names: tuple[str, str]


def _measured(
    paths: Sequence[str], sides: Sides, build: str | None, trials: int | None, out: Path | None
) -> tuple[Path | None, dict[str, str]]:
    """Measure both sides; what the run prints goes to the standard error.

    Returns:
        the study's folder, or None where the run was interrupted, and what its arms are called.

    Raises:
        UserError: it is not one spec, or it cannot be run.
    """
    from ..compare.revisions import spec_of
    from .run import How, measure

    if len(paths) != 1:
        raise UserError("one spec is needed, which measures both sides", "name one spec after them", " ".join(paths))
    path = Path(paths[0])
    source, called = spec_of(path, sides.kind, sides.names, shlex.split(build or ""), trials)
    folder = out or Path(f"{path.stem}-gate")
    with redirect_stdout(sys.stderr):
        code = measure(source, path, folder, How(unsigned=True))
    return (folder if code != INTERRUPTED else None), called


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
