"""Signing keys: Ed25519, one file each, readable by their owner only.

A private key lies at `$XDG_CONFIG_HOME/dlaudit/keys/<first 8 characters of its keyid>.key`, mode 0600, in OpenSSH
format: there the number of bcrypt rounds is ours to choose, where PKCS8 as written by `cryptography` is fixed at 2048
rounds of PBKDF2. PKCS8 files made by openssl are read as well. The public key lies beside it as `<keyid8>.pub` (PEM).
A passphrase comes from the terminal, a file or a file descriptor, never from the command line, where every process of
the machine could read it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...schemas.errors import UserError
from ...schemas.source import read_bytes
from .curve import key_flaw
from .dsse import keyid_of

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

BCRYPT_ROUNDS = 64
"""About 1 s on one core of 2023 to try one passphrase; ssh-keygen's own default of 24 takes a third of that."""
MAX_KEY_BYTES = 64 << 10
PASSPHRASE_FILE = "DLAUDIT_KEY_PASSPHRASE_FILE"  # noqa: S105 - the name of a variable


@dataclass(frozen=True, slots=True)
class KeySigner:
    """A private key in memory that signs; it prints without its secret."""

    keyid: str
    public_raw: bytes
    sign: Callable[[bytes], bytes]


def keys_folder() -> Path:
    """Return the folder of private keys; it need not exist."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "dlaudit" / "keys"


def generate(folder: Path, passphrase: bytes | None, rounds: int = BCRYPT_ROUNDS) -> tuple[KeySigner, Path]:
    """Make a key and write `<keyid8>.key` and `<keyid8>.pub`.

    Args:
        folder: where to; made with mode 0700 where it does not exist.
        passphrase: None for a key that is stored unencrypted.
        rounds: bcrypt rounds that protect the passphrase.

    Raises:
        UserError: the files cannot be written.
    """
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    protection: s.KeySerializationEncryption = s.NoEncryption()
    if passphrase is not None:
        protection = s.PrivateFormat.OpenSSH.encryption_builder().kdf_rounds(rounds).build(passphrase)
    text = key.private_bytes(s.Encoding.PEM, s.PrivateFormat.OpenSSH, protection)
    signer = _signer(key)
    path = folder / f"{signer.keyid[:8]}.key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_new(path, text, 0o600)
        _write_new(path.with_suffix(".pub"), public_pem(signer.public_raw), 0o644)
    except OSError as error:
        raise UserError(f"the key cannot be written: {error.strerror}", where=str(path)) from None
    return signer, path


def load_signer(path: Path, ask: Callable[[], bytes]) -> KeySigner:
    """Load a private key, asking for its passphrase only where it has one.

    Args:
        path: an OpenSSH or PKCS8 PEM file.
        ask: called once, where the key is encrypted.

    Raises:
        UserError: unreadable, readable by others, not an Ed25519 private key, or a wrong passphrase.
    """
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    data = _read_private(path)
    ssh = b"-----BEGIN OPENSSH PRIVATE KEY-----" in data
    load = serialization.load_ssh_private_key if ssh else serialization.load_pem_private_key
    try:
        key = load(data, None)
    except TypeError:
        try:
            key = load(data, ask())
        except ValueError:
            raise UserError("the passphrase does not open this key", where=str(path)) from None
    except ValueError:
        raise UserError(
            "this is not a private key in OpenSSH or PKCS8 PEM format", "make one with dlaudit keygen", str(path)
        ) from None
    except Exception as error:
        raise UserError(f"this private key cannot be used ({type(error).__name__})", where=str(path)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise UserError("this is not an Ed25519 key", "make one with dlaudit keygen", str(path))
    return _signer(key)


def load_public(path: Path) -> bytes:
    """Return the 32 bytes of the Ed25519 public key in a PEM file.

    Raises:
        UserError: unreadable, not an Ed25519 public key, or a key that `curve.key_flaw` refuses.
    """
    try:
        return parse_public(read_bytes(path, MAX_KEY_BYTES))
    except ValueError as error:
        raise UserError(str(error), "hand in the .pub file that dlaudit keygen wrote", str(path)) from None


def parse_public(pem: bytes) -> bytes:
    """Return the 32 bytes of a PEM public key.

    Raises:
        ValueError: not the PEM of an Ed25519 public key, or a key that `curve.key_flaw` refuses; the message is for
            the user.
    """
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        raise ValueError("this is not a public key in PEM format") from None
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError("this is not an Ed25519 public key")  # noqa: TRY004 - its text is wrong, not its type
    public_raw = key.public_bytes_raw()
    flaw = key_flaw(public_raw)
    if flaw is not None:
        raise ValueError(flaw)
    return public_raw


def public_pem(public_raw: bytes) -> bytes:
    """Return the PEM of a raw public key."""
    import base64

    from .dsse import spki

    return b"-----BEGIN PUBLIC KEY-----\n" + base64.b64encode(spki(public_raw)) + b"\n-----END PUBLIC KEY-----\n"


def find_key(name: str | None) -> Path:
    """Return the private key that a name means.

    Args:
        name: a path, the beginning of a keyid, or None for the only key in the key folder.

    Raises:
        UserError: no key, or more than one, fits.
    """
    if name is not None and (os.sep in name or name.endswith((".key", ".pem")) or Path(name).is_file()):
        return Path(name)
    folder = keys_folder()
    fitting = [path for path in sorted(folder.glob("*.key")) if name is None or name.startswith(path.stem)]
    if name is not None and not fitting:
        fitting = [path for path in sorted(folder.glob("*.key")) if path.stem.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        names = ", ".join(path.stem for path in fitting)
        raise UserError(f"several keys match: {names}", "name one with --key", str(folder))
    what = "there is no signing key" if name is None else f"no signing key is called {name!r}"
    raise UserError(what, "make one with dlaudit keygen", str(folder))


def passphrase_source(descriptor: int | None, confirm: bool = False) -> Callable[[], bytes]:
    """Return what asks for a passphrase.

    It asks the descriptor, else the file that DLAUDIT_KEY_PASSPHRASE_FILE names, else the terminal.

    Args:
        descriptor: an open file descriptor to read the first line from.
        confirm: whether the terminal asks twice.
    """

    def ask() -> bytes:
        path = os.environ.get(PASSPHRASE_FILE)
        if descriptor is not None:
            return _first_line(descriptor, f"file descriptor {descriptor}")
        if path:
            return _first_line(path, path)
        if not sys.stdin.isatty():
            raise UserError(
                "the key needs a passphrase and there is no terminal to ask on",
                f"set {PASSPHRASE_FILE} or use --passphrase-fd",
            )
        import click

        text: str = click.prompt("Passphrase", hide_input=True, confirmation_prompt=confirm, err=True)
        return text.encode()

    return ask


def _first_line(source: str | int, name: str) -> bytes:
    try:
        with open(source, "rb", closefd=isinstance(source, str)) as file:
            line = file.readline(MAX_KEY_BYTES).rstrip(b"\r\n")
    except OSError as error:
        raise UserError(f"the passphrase cannot be read: {error.strerror}", where=name) from None
    if not line:
        raise UserError("the passphrase is empty", "use --no-passphrase for an unencrypted key", name)
    return line


def _signer(key: Ed25519PrivateKey) -> KeySigner:
    public_raw = key.public_key().public_bytes_raw()
    return KeySigner(keyid_of(public_raw), public_raw, key.sign)


def _read_private(path: Path) -> bytes:
    """Read a private key from a regular file that only its owner can read."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            data = file.read(MAX_KEY_BYTES + 1)
    except OSError as error:
        raise UserError(f"the key cannot be read: {error.strerror}", where=str(path)) from None
    if len(data) > MAX_KEY_BYTES:
        raise UserError("this is too large for a private key", where=str(path))
    if os.name == "posix" and status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        mode = stat.S_IMODE(status.st_mode)
        raise UserError(f"others may read this private key (mode {mode:04o})", f"run chmod 600 {path}", str(path))
    return data


def _write_new(path: Path, data: bytes, mode: int) -> None:
    """Write a file that must not exist yet, with its mode from the first byte on."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
