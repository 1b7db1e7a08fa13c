"""`dlaudit ledger`: show and check the ledger of planned and started trials."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.errors import VerificationFailed
from ..terminal import safe

LEDGER = click.option(
    "--ledger", "path", type=click.Path(path_type=Path), help="Ledger file [default: this account's]."
)


@click.group()
def command() -> None:
    """Show and check the ledger of planned and started trials."""


@command.command()
@LEDGER
@click.option("--study", help="Only entries of this study.")
def show(path: Path | None, study: str | None) -> None:
    """Print the ledger's entries, one per line."""
    from ..trust import ledger

    chain = ledger.read(path or ledger.default_path())
    for entry in chain.entries:
        if study is None or entry.study == study:
            rest = {key: entry.value.get(key) for key in ("trial", "outcome", "reason", "trials", "origin")}
            words = [f"{key}={value}" for key, value in rest.items() if value is not None]
            line = [f"{entry.seq:6}", str(entry.value["time"])[:19], f"{entry.event:7}", entry.study, *words]
            click.echo(safe(" ".join(line).rstrip()))


@command.command()
@LEDGER
def check(path: Path | None) -> None:
    """Verify the chain of entries, and name trials that never ended. Exit code: 0 it holds, 5 it is broken."""
    from ..trust import chain as chains
    from ..trust import ledger

    path = path or ledger.default_path()
    chain = ledger.read(path)
    if not chain.entries and chain.break_line is None:
        click.echo(f"{safe(path)}: there is no ledger yet; dlaudit run begins it")
        return
    if chain.break_line is not None:
        raise VerificationFailed(safe(f"{path}:{chain.break_line}: the ledger is broken: {chain.break_what}"))
    if chain.cut_bytes:
        number = len(chain.entries) + 1
        click.echo(
            safe(
                f"{path}:{number}: the last line is incomplete ({chain.cut_bytes} bytes): its write was cut off. "
                "Nothing relied on it; the next entry takes its place and says so."
            )
        )
    for entry in chains.open_starts(chain.entries):
        click.echo(safe(f"no end yet: trial {entry.trial} of study {entry.study}, started {entry.value['time']}"))
    lost = sum(entry.event == "lost" for entry in chain.entries)
    studies = len({entry.study for entry in chain.entries if entry.event == "plan"})
    click.echo(f"{len(chain.entries)} entries, {studies} planned studies, {lost} lost trials; head {chain.head}")
    click.echo("The chain holds. It is unwitnessed: whoever owns the file could have written all of it anew.")
