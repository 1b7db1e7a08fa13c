"""`dlaudit serve`: studies and verdicts of a folder in the browser."""

from __future__ import annotations

import threading
from pathlib import Path

import click

from ...schemas.errors import UserError
from ..terminal import safe
from .lint import PROFILES


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="Port to listen on; 0 picks a free one.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on; beyond loopback, others can read."
)
@click.option("--profile", type=click.Choice(PROFILES), help="What to ask for.  [default: reviewer]")
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--upload", is_flag=True, help="Accept dropped documents and pasted tables; nothing of them is kept.")
def command(folder: Path, port: int, host: str, profile: str | None, trust: str | None, upload: bool) -> None:
    """Show studies, verdicts and comparisons of DIR in the browser, on this machine only. Ctrl-C stops it.

    Nothing in DIR is changed. Pages run no script and load nothing from elsewhere. With --upload a reviewer can
    drop a paper or paste a table and get the questions; it is read in a process that cannot write anything.
    """
    from ..lint.settings import Given, in_force
    from ..serve.server import Server, Shelf, is_loopback

    if not folder.is_dir():
        raise UserError("there is no such folder", "name a folder of studies", str(folder))
    settings = in_force(Given(profile=profile, trust=trust, paths=(str(folder),))).settings
    try:
        server = Server(host, port, Shelf(folder, settings), folder.resolve().name, settings.profile, upload)
    except OSError as error:
        raise UserError(
            f"cannot listen there: {error.strerror}", "give another --port or --host", f"{host}:{port}"
        ) from None
    if not is_loopback(host):
        click.echo("dlaudit: whoever reaches this address can read the folder's studies and verdicts", err=True)
    click.echo(f"{server.address}/  (Ctrl-C ends it)")
    click.echo(f"shows {safe(folder)}" + ("; documents can be dropped" if upload else ""))
    threading.Thread(target=server.shelf.library, daemon=True).start()  # so that the first page need not wait
    try:
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        click.echo("ended")
    finally:
        server.server_close()
