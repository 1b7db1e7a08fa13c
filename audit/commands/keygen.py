"""`dlaudit keygen`: make a signing key."""

from __future__ import annotations

from pathlib import Path

import click

from ...schemas.errors import UserError
from ..terminal import safe


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for the key [default: the key folder of this account]."
)
@click.option("--passphrase-fd", type=int, help="Read the passphrase from this open file descriptor.")
@click.option("--no-passphrase", is_flag=True, help="Store the key unencrypted: whoever reads the file can sign.")
def command(out: Path | None, passphrase_fd: int | None, no_passphrase: bool) -> None:
    """Make an Ed25519 signing key.

    Keep the .key file to yourself; give the .pub file to those who are to check your signatures. The passphrase is
    asked for, or read from the file that DLAUDIT_KEY_PASSPHRASE_FILE names.
    """
    from ..trust import keys

    passphrase = None if no_passphrase else keys.passphrase_source(passphrase_fd, confirm=True)()
    if passphrase == b"":
        raise UserError("the passphrase is empty", "use --no-passphrase for an unencrypted key")
    signer, path = keys.generate(out or keys.keys_folder(), passphrase)
    click.echo(f"keyid    {signer.keyid}")
    click.echo(f"private  {safe(path)}" + (" (unencrypted)" if no_passphrase else ""))
    click.echo(f"public   {safe(path.with_suffix('.pub'))}")
