"""`dlaudit plan`: how many trials and seeds the next study needs, from the spread that this one measured."""

from __future__ import annotations

import click

from ..terminal import safe

CANNOT_TELL = 3


@click.command()
@click.argument("path", metavar="STUDY")
@click.option(
    "--difference",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    help="Relative difference to detect.",
)
@click.option(
    "--quality-difference",
    type=click.FloatRange(0, min_open=True),
    default=0.005,
    show_default=True,
    help="Difference of a quality metric to detect, in its unit.",
)
@click.option("--alpha", type=click.FloatRange(0, 0.5, min_open=True), default=0.05, show_default=True)
@click.option(
    "--power", type=click.FloatRange(0.5, 0.999), default=0.8, show_default=True, help="Probability of detecting it."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(path: str, difference: float, quality_difference: float, alpha: float, power: float, as_json: bool) -> int:
    """Estimate how many trials per arm a comparison needs, from the spread between the trials of a pilot STUDY.

    STUDY is a study's folder, a manifest or a submission, or one arm of it as PATH@ARM. At least three trials of a
    kind are needed. The spread of a few trials is itself uncertain: take the number as a lower bound.

    \b
    Exit codes: 0 planned; 2 unreadable or invalid input; 3 no metric has three trials.
    """  # noqa: D301
    import json

    from ..compare.comparison import Terms
    from ..compare.needed import check_statsmodels
    from ..compare.pilot import needs
    from ..compare.subject import read_subject

    check_statsmodels("plan")
    terms = Terms(difference, quality_difference, alpha)
    found = needs(read_subject(path), terms, power)
    if as_json:
        click.echo(json.dumps([item.as_value() for item in found], indent=1))
        return 0 if found else CANNOT_TELL
    if not found:
        click.echo("dlaudit: no metric has values of three trials: measure a pilot of three or more", err=True)
        return CANNOT_TELL
    click.echo(f"trials an arm that find {100 * difference:g} % (qualities: {quality_difference:g}) ", nl=False)
    click.echo(f"with probability {power:g} at {100 * alpha:g} % error")
    rows = [("arm", "metric", "pilot", "spread", "trials an arm")]
    rows += [item.cells() for item in found]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        click.echo("  ".join(safe(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0
