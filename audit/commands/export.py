"""`dlaudit export`: the raw numbers of a study for other tools."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.errors import UserError

FORMATS = ("csv", "parquet", "tensorboard", "mlflow", "wandb")


@click.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(FORMATS), default="csv", show_default=True, help="What to write.")
@click.option("--out", type=click.Path(path_type=Path), help="New folder [default: the study's name, with the format].")
def command(study: Path, form: str, out: Path | None) -> int:
    """Export all samples of a study as tables, or as runs for an experiment tracker.

    STUDY is a study's folder. csv and parquet make four tables: steps,
    evaluations, readings of the sensors, and what each arm states. tensorboard,
    mlflow (a local database) and wandb (offline) make a run for each trial;
    nothing is sent anywhere.
    """
    from ..exports.tables import of_folder
    from ..exports.writers import WRITERS

    found = of_folder(study)
    folder = out if out is not None else Path(f"{study.resolve().name}-{form}")
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise UserError("it exists already", "choose another --out", str(folder)) from None
    except OSError as error:
        raise UserError(f"the folder cannot be made: {error.strerror}", "choose another --out", str(folder)) from None
    WRITERS[form](found, folder)
    click.echo(f"written to {folder}")
    return 0
