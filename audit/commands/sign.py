"""`dlaudit sign`: sign a study's manifest."""

from __future__ import annotations

from pathlib import Path

import click

from ..terminal import safe


@click.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option("--key", help="Private key: a file, or the beginning of a keyid [default: the only key of this account].")
@click.option("--passphrase-fd", type=int, help="Read the passphrase from this open file descriptor.")
@click.option("--detached", is_flag=True, help="Sign a manifest that was brought here without its raw files.")
def command(study: Path, key: str | None, passphrase_fd: int | None, detached: bool) -> None:
    """Sign STUDY, the folder that `dlaudit run` wrote, or add a signature to it.

    The raw files are first compared with the manifest; a study that does not match is not signed.

    To keep the private key off the machine that measures, measure with `dlaudit run --unsigned`, carry manifest.json
    alone to the machine with the key, sign it there, and carry manifest.dsse.json back into the folder:

    \b
      bench$  dlaudit run spec.yaml --out study --unsigned
      desk$   dlaudit sign --detached manifest.json
      bench$  dlaudit verify study --trust trust.json
    """  # noqa: D301
    from ..trust import keys
    from ..trust.signing import sign_study
    from ..trust.verify import study_folder

    signer = keys.load_signer(keys.find_key(key), keys.passphrase_source(passphrase_fd))
    envelope = sign_study(study_folder(study), signer, detached)
    click.echo(f"signed   {safe(envelope)}")
    click.echo(f"keyid    {signer.keyid}")
