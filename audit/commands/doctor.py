"""`dlaudit doctor`: what this machine can control and verify, what is wrong with it, and what a killed study left."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..terminal import safe, width

if TYPE_CHECKING:
    from ...runners.environment.diagnosis.abilities import Ability
    from ...runners.environment.diagnosis.complaints import Complaint

REFUSED = 4
LIVE = Path("/")
USUAL_WIDTH = 108
NOW_WIDTH = 26


@click.command()
@click.option("--restore", is_flag=True, help="Undo what a killed study left changed on this machine.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option(
    "--sysroot",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=LIVE,
    help="Examine a copy of another machine's /proc, /sys and /etc in this folder, without its processes and GPUs.",
)
def command(restore: bool, as_json: bool, sysroot: Path) -> int:
    """Show what this machine can control and verify, and what is wrong with it right now.

    Changes nothing, unless --restore is given to undo what a killed study left behind. The exit code is 0 whatever
    is found, and 4 if something cannot be undone.
    """
    from ...runners.environment import control, journal
    from ...runners.environment.diagnosis import abilities, complaints

    if restore and sysroot != LIVE:
        raise click.UsageError("--restore works on this machine; leave out --sysroot")
    recovered = journal.recover() if restore else ()
    found, wrong = [*abilities.of_host(sysroot)], [*complaints.of_host(sysroot)]
    left: tuple[str, ...] = ()
    if sysroot == LIVE:
        found = [*abilities.of_process(), *found, *abilities.of_gpus()]
        wrong += complaints.of_gpus()
        left = tuple(
            f"{entry.knob} of {entry.target or 'this machine'} ({path})"
            for path, entries in journal.pending()
            for entry in entries
        )
    told = [control.describe(one) for one in recovered]
    if as_json:
        click.echo(json.dumps(_document(found, wrong, left, told), indent=1, ensure_ascii=False))
    else:
        for line in (*_restored(told, restore), *_left(left), *_tables(found), *_wrong(wrong)):
            click.echo(line)
    failed = any(one.restoration.restored == "failed" for one in recovered)
    return REFUSED if failed or (restore and left) else 0


def _document(
    found: Sequence[Ability], wrong: Sequence[Complaint], left: Sequence[str], told: Sequence[str]
) -> dict[str, Any]:
    import msgspec

    return {
        "dlaudit": "doctor/1",
        "abilities": msgspec.to_builtins(found),
        "complaints": msgspec.to_builtins(wrong),
        "left_by_killed_studies": list(left),
        "restored": list(told),
    }


def _restored(told: Sequence[str], restore: bool) -> Iterator[str]:
    if restore:
        yield from (safe(line) for line in told or ["nothing was left by a killed study"])
        yield ""


def _left(left: Sequence[str]) -> Iterator[str]:
    if left:
        yield click.style("Left changed by a killed study", bold=True)
        yield from (f"  {safe(line)}" for line in left)
        yield "  put back with: dlaudit doctor --restore"
        yield ""


def _tables(found: Sequence[Ability]) -> Iterator[str]:
    """Yield what can be set, then what can only be read."""
    knobs = [one for one in found if one.can_set is not None]
    yield from _table("knob, as in a spec", knobs, "verified by, or what is missing")
    yield ""
    yield from _table("reading", [one for one in found if one.can_set is None], "from, or what is missing")


def _table(head: str, found: Sequence[Ability], by: str) -> Iterator[str]:
    """Yield the rows: name, what it stands at, whether it can be set where that is a question, and how it is known."""
    names = max(len(head), *(len(one.name) for one in found))
    nows = max(NOW_WIDTH // 2, *(min(NOW_WIDTH, len(one.now or "?")) for one in found))
    cans = len("if permitted  ") if any(one.can_set for one in found) else 0
    yield click.style(f"{head:{names}}  {'now':{nows}}  {'can be set' if cans else '':{cans}}{by}", bold=True)
    indent = names + nows + cans + 4
    room = max(width(USUAL_WIDTH) - indent, 40)
    for one in found:
        now = textwrap.shorten(safe(one.now if one.now is not None else "?"), nows, placeholder=" ...")
        told = textwrap.wrap(safe(one.by), room, break_long_words=False) or [""]
        yield f"{safe(one.name):{names}}  {now:{nows}}  {one.can_set or '':{cans}}{told[0]}".rstrip()
        yield from (" " * indent + line for line in told[1:])
        if one.todo:
            yield " " * indent + "to do: " + safe(one.todo)


def _wrong(wrong: Sequence[Complaint]) -> Iterator[str]:
    yield ""
    yield click.style("Wrong right now" if wrong else "Nothing is wrong right now", bold=True)
    for one in wrong:
        yield f"  {safe(one.what)}"
        yield f"      {safe(one.help)}"
