"""`dlaudit tender`: begin a procurement."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from ...schemas.errors import UserError
from ..terminal import safe


@click.group()
def command() -> None:
    """Begin a procurement: what vendors measure, what counts, and what to send them."""


@command.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--spec",
    "specs",
    type=click.Path(path_type=Path),
    multiple=True,
    help="What every vendor measures; may be given several times.",
)
@click.option("--url", help="In place of a spec: a server of an OpenAI-compatible API, as vendors reach theirs.")
@click.option("--model", help="The model that the server of --url is to serve, by the name that it answers to.")
@click.option("--vendor", "vendors", metavar="NAME", multiple=True, required=True, help="Who is asked.")
@click.option("--title", required=True, help="What is bought, in one line.")
@click.option("--buyer", required=True, help="Who buys.")
@click.option("--closes", type=click.DateTime(["%Y-%m-%d"]), help="Last day for offers.")
@click.option("--contact", help="Whom vendors answer, such as a name with an address.")
@click.option("--currency", default="EUR", show_default=True, help="Currency of prices.")
@click.option(
    "--per",
    type=click.Choice(["system", "device", "hour"]),
    default="system",
    show_default=True,
    help="What a price is for: the system that is measured, one of its devices, or an hour of the system.",
)
@click.option("--basis", default="net, delivered and installed", show_default=True, help="What a price covers.")
def init(
    folder: Path,
    specs: tuple[Path, ...],
    url: str | None,
    model: str | None,
    vendors: tuple[str, ...],
    title: str,
    buyer: str,
    closes: datetime | None,
    contact: str | None,
    currency: str,
    per: str,
    basis: str,
) -> None:
    """Write a tender into FOLDER: its specs and programs, the numbers that they give, and a nonce for each vendor.

    Complete tender.yaml (limits, conditions, margins); `dlaudit tender call` then writes what to send.
    """
    from ..tender.init import Facts, begin, begin_service

    if bool(specs) == bool(url) or bool(url) != bool(model):
        raise UserError("what vendors measure is not clear", "give --spec, or --url with --model", "tender init")
    last = closes.date().isoformat() if closes is not None else None
    facts = Facts(title, buyer, datetime.now(UTC).date().isoformat(), last, contact, currency, per, basis, vendors)
    issued = begin_service(folder, url, model, facts) if url and model else begin(folder, specs, facts)
    click.echo(
        f"{safe(issued.path)}: complete limits, conditions and margins, then: dlaudit tender call {safe(issued.path)}"
    )


@command.command()
@click.argument("tender", type=click.Path(path_type=Path))
@click.option("--again", metavar="VENDOR", help="Call one vendor of the tender again, by its id, with a new nonce.")
@click.option("--late", metavar="NAME", help="Call a vendor who is not in the tender yet.")
def call(tender: Path, again: str | None, late: str | None) -> None:
    """Write, for each vendor of TENDER, the folder to send: its specs with its nonce, the programs, and what to do.

    --again is for a call that was lost or that others saw, --late for a vendor who asks to take part: what the others
    were sent stands.
    """
    from ..tender import seeds
    from ..tender.askable import check
    from ..tender.init import call as write
    from ..tender.tender import read_tender

    if again is not None and late is not None:
        raise UserError("--again and --late are two calls", "give one of them", "tender call")
    issued = read_tender(tender)
    if again is not None or late is not None:
        from ..tender.again import call_again, call_late

        day = datetime.now(UTC).date().isoformat()
        called = call_again(issued, again, day) if again is not None else call_late(issued, late or "", day)
        click.echo(f"send  {safe(called.folder)}")
        if called.replaced is not None:
            click.echo(f"a study by the earlier call counts no more; that folder is now {safe(called.replaced)}")
        return
    check(issued)
    for line in seeds.words(issued):
        click.echo(line, err=True)
    for folder in write(issued):
        click.echo(f"send  {safe(folder)}")
    if not any(metric.least or metric.most for metric in issued.content.metrics.values()):
        click.echo("no number of this tender has a limit (least, most): any number that is shown meets it", err=True)
