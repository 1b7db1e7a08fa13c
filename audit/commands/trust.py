"""`dlaudit trust`: make and change a trust file."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from ..terminal import safe

FILE = click.argument("file", type=click.Path(path_type=Path))
ROLES = ("lab", "witness", "reviewer", "tsa")


@click.group()
def command() -> None:
    """Make and change a trust file: whose signatures count, for what and how long."""


@command.command()
@FILE
@click.option("--name", help="Name of the list; versions are counted for each name [default: a random one].")
@click.option("--days", type=click.IntRange(1, 3650), default=365, show_default=True, help="Days until it expires.")
@click.option(
    "--lab", type=click.IntRange(1, 16), default=1, show_default=True, help="Lab signatures that a study needs."
)
@click.option(
    "--witness", type=click.IntRange(0, 16), default=0, show_default=True, help="Witness signatures that it needs."
)
def init(file: Path, name: str | None, days: int, lab: int, witness: int) -> None:
    """Make an empty trust list."""
    from ..trust import trustedit

    rules = {"lab": lab, **({"witness": witness} if witness else {})}
    trust = trustedit.init(file, name, datetime.now(UTC), timedelta(days=days), rules)
    click.echo(f"{safe(file)}: version {trust.content.version} of {safe(trust.content.name)}, without keys")


@command.command()
@FILE
@click.argument("key", type=click.Path(path_type=Path))
@click.option("--owner", required=True, help="Whose key it is.")
@click.option("--role", "roles", type=click.Choice(ROLES), multiple=True, default=("lab",), show_default=True)
@click.option(
    "--days", type=click.IntRange(1, 3650), default=365, show_default=True, help="Days for which it is valid."
)
def add(file: Path, key: Path, owner: str, roles: tuple[str, ...], days: int) -> None:
    """Add the public key in the PEM file KEY, or renew its entry, and raise the version."""
    from ..trust import keys, trustedit

    public_raw = keys.load_public(key)
    keyid, trust = trustedit.add(file, public_raw, owner, roles, datetime.now(UTC), timedelta(days=days))
    click.echo(
        f"{safe(file)}: version {trust.content.version} lists {keyid[:16]} of {safe(owner)} as {', '.join(roles)}"
    )


@command.command()
@FILE
@click.argument("keyid")
@click.option("--reason", required=True, help="Why its signatures no longer count.")
def revoke(file: Path, keyid: str, reason: str) -> None:
    """Withdraw the key whose keyid begins with KEYID, and raise the version."""
    from ..trust import trustedit

    full, trust = trustedit.revoke(file, keyid, reason, datetime.now(UTC))
    click.echo(f"{safe(file)}: version {trust.content.version} revokes {full[:16]}")


@command.command()
@FILE
@click.option("--key", help="Private root key: a file, or the beginning of a keyid.")
@click.option("--passphrase-fd", type=int, help="Read the passphrase from this open file descriptor.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The signed trust file.")
def sign(file: Path, key: str | None, passphrase_fd: int | None, out: Path) -> None:
    """Sign a trust list with a root key. Hand out the signed file; keep and change the unsigned one."""
    from ..trust import keys, trustedit

    signer = keys.load_signer(keys.find_key(key), keys.passphrase_source(passphrase_fd))
    trust = trustedit.sign(file, signer, out)
    click.echo(
        f"{safe(out)}: version {trust.content.version} of {safe(trust.content.name)}, signed by {signer.keyid[:16]}"
    )


@command.command()
@FILE
def show(file: Path) -> None:
    """Print a trust file: its keys, what they count for, and until when."""
    from ..trust.trustfile import load_trust

    trust = load_trust(file, datetime.now(UTC), None)
    content = trust.content
    rules = ", ".join(f"{number} {role}" for role, number in sorted(content.rules.submission.items()))
    click.echo(safe(f"{content.name}, version {content.version}, issued {content.issued}, expires {content.expires}"))
    click.echo(safe(f"root key {trust.root}" if trust.root else "not signed by a root key"))
    click.echo(safe(f"a submission needs {rules}"))
    for keyid, key in sorted(content.keys.items()):
        state = f"revoked {key.revoked_at} ({key.revocation_reason})" if key.revoked_at else f"until {key.not_after}"
        click.echo(safe(f"{keyid[:16]}  {', '.join(key.roles):14}  {key.owner}, from {key.not_before}, {state}"))
