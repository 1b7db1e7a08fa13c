"""`dlaudit reproduce`: measure a study again, and say of each claim whether it holds here."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schemas.errors import UserError
from ..terminal import safe

if TYPE_CHECKING:
    from ..compare.comparison import Terms
    from ..reproduce.original import Original
    from ..tender.tender import Issued
    from ..trust.trustfile import Trust

CODES = {"reproduced": 0, "contradicted": 1, "cannot tell": 3}


@click.command()
@click.argument("manifest", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), default="reproduction", show_default=True, help="Where to write."
)
@click.option(
    "--code",
    type=click.Path(path_type=Path),
    help="Folder of the program that the spec names; review it first.  [default: that of the tender]",
)
@click.option(
    "--margin", type=click.FloatRange(0, 1), help="Relative difference that does not matter.  [default: 0.05]"
)
@click.option(
    "--quality-margin", type=click.FloatRange(0), help="Difference of a quality that does not matter.  [default: 0.005]"
)
@click.option("--tender", metavar="FILE", help="Take the margins from this tender: its acceptance test.")
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count on the first study.")
@click.option("--key", help="Private key: a file, or the beginning of a keyid [default: the only key of this account].")
@click.option("--passphrase-fd", type=int, help="Read the passphrase from this open file descriptor.")
@click.option("--unsigned", is_flag=True, help="Do not sign.")
@click.option("--ledger", type=click.Path(path_type=Path), help="Ledger of plans and starts [default: this account's].")
@click.option(
    "--measured", type=click.Path(path_type=Path), help="Use this second study, which exists already; run nothing."
)
def command(
    manifest: Path,
    out: Path,
    code: Path | None,
    margin: float | None,
    quality_margin: float | None,
    tender: str | None,
    trust: str | None,
    key: str | None,
    passphrase_fd: int | None,
    unsigned: bool,
    ledger: Path | None,
    measured: Path | None,
) -> int:
    """Measure a study again and say of each claim: reproduced, contradicted, or cannot tell.

    MANIFEST is a study's folder or its manifest.json. The spec that it ran runs here, byte for byte, with the same
    code. A claim is reproduced if two one-sided tests put the new trials within the margin of its number, and
    contradicted if they lie beyond it on a machine of the same kind. With a tender, what it asks for decides. The
    answer cites the first manifest and is signed. A program that belongs to the study runs only if --code or the
    tender names its folder.

    \b
    Exit codes: 0 every claim that counts is reproduced; 1 one is contradicted; 2 unreadable or
    invalid input; 3 one cannot be decided; 4 this machine does not grant a control.
    """  # noqa: D301
    from ...schemas.files import write_atomic
    from ...schemas.source import read_bytes
    from ..compare.comparison import compare
    from ..compare.subject import MANIFEST_LIMIT_BYTES, read_subject
    from ..reproduce.again import measure
    from ..reproduce.answers import answer_all, overall
    from ..reproduce.counted import counted
    from ..reproduce.original import read_original
    from ..reproduce.statement import ENVELOPE, STATEMENT, as_value, lines, surroundings
    from ..tender.tender import read_tender
    from ..trust import dsse, keys
    from ..trust.ledger import default_path

    issued = read_tender(Path(tender)) if tender is not None else None
    terms = _terms(margin, quality_margin, issued)
    original = read_original(manifest, _trust(trust, manifest))
    signer = None if unsigned else keys.load_signer(keys.find_key(key), keys.passphrase_source(passphrase_fd))
    study = measured or out / "study"
    if (out / STATEMENT).exists():
        raise UserError("there is already an answer here", "give another --out", str(out / STATEMENT))
    if measured is None:
        measure(original, study, _home(original, code, issued), ledger or default_path(), signer)
    new = read_subject(str(study))
    comparisons = compare((original.subject, new), terms)
    of = counted(original, issued)
    answers = answer_all(of.claims, comparisons, original.subject, new, terms, of.margins)
    answered = tuple(replace(item, counts=item.claim in of.deciding) for item in answers)
    around = surroundings(original.subject, new, comparisons)
    again = read_bytes(study / "manifest.json", MANIFEST_LIMIT_BYTES)
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    value = as_value(original, again, new, answered, around, terms, now)
    out.mkdir(parents=True, exist_ok=True)
    payload = json.dumps(value, indent=1, sort_keys=True, allow_nan=False).encode()
    write_atomic(out / STATEMENT, payload)
    if signer is not None:
        write_atomic(out / ENVELOPE, dsse.write(dsse.sign(dsse.STATEMENT_TYPE, payload, signer)))
    for line in lines(value):
        click.echo(safe(line))
    click.echo(f"statement  {safe(out / STATEMENT)}")
    click.echo(f"signature  {safe(out / ENVELOPE)} by {signer.keyid}" if signer is not None else "signature  none")
    return CODES[overall(answered)]


def _terms(margin: float | None, quality_margin: float | None, issued: Issued | None) -> Terms:
    """Return the margins: those of the command line, else those of the tender, else the usual ones."""
    from ..compare.comparison import Terms

    usual = Terms()
    if issued is not None:
        acceptance = issued.content.acceptance
        usual = Terms(acceptance.margin, acceptance.quality_margin, acceptance.alpha)
    return Terms(
        usual.margin if margin is None else margin,
        usual.quality_margin if quality_margin is None else quality_margin,
        usual.alpha,
    )


def _home(original: Original, code: Path | None, issued: Issued | None) -> Path:
    """Return the folder of the code that is to run.

    Raises:
        UserError: the spec is none of the tender's, or starts a program that nobody said may run here.
    """
    from ..reproduce.original import own_programs
    from ..tender.tender import nearest

    where = f"{original.folder}/{original.record.study.spec}"
    if issued is not None and (changed := nearest(issued, original.spec_bytes, where)[1]):
        raise UserError(
            f"this is not a spec of the tender: different {', '.join(changed)}", "leave out --tender", where
        )
    if code is None and issued is not None:
        return issued.path.parent
    programs = own_programs(original)
    if code is None and programs:
        what = f"the spec starts a program of its own here: {'; '.join(programs)[:400]}"
        raise UserError(what, "look at it, then name its folder with --code", where)
    return code or Path()


def _trust(path: str | None, judged: Path) -> Trust | None:
    if path is None:
        return None
    from ...schemas.state import state_folder
    from ..handed_in import handed_in, lies_in
    from ..trust.trustfile import load_trust

    inside = lies_in(path, handed_in([judged]))
    return load_trust(Path(path), datetime.now(UTC), state_folder(), is_handed_in=inside)
