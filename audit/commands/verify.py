"""`dlaudit verify`: check a study's signature, raw files and ledger."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..terminal import safe

if TYPE_CHECKING:
    from ..trust.verify import Verification

EXIT_HOLDS = 0
EXIT_FAILED = 5


@click.command()
@click.argument("study", type=click.Path(path_type=Path))
@click.option("--trust", "trust_path", type=click.Path(path_type=Path), help="Trust file: whose signatures count.")
@click.option("--root", type=click.Path(path_type=Path), help="Public key (PEM) that must have signed the trust file.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(study: Path, trust_path: Path | None, root: Path | None, as_json: bool) -> int:
    """Check STUDY, the folder that `dlaudit run` wrote.

    Without a trust file any genuine signature is accepted, and the result says that nobody you trust signed. An
    unsigned study holds if nothing contradicts it, and the result calls it unsigned. Exit code: 0 it holds, 5 it
    does not, 2 it cannot be read.
    """
    from ...schemas.state import state_folder
    from ..handed_in import handed_in, lies_in
    from ..trust import keys
    from ..trust.trustfile import load_trust
    from ..trust.verify import verify_study

    now = datetime.now(UTC)
    if root is not None and trust_path is None:
        raise click.UsageError("--root goes with --trust")
    trust = None
    if trust_path is not None:
        root_key = None if root is None else keys.load_public(root)
        inside = lies_in(trust_path, handed_in([study]))
        trust = load_trust(trust_path, now, state_folder(), root_key, is_handed_in=inside)
    result = verify_study(study, trust, now)
    enough = "valid_unlisted" if trust is None else "valid_trusted"
    holds = result.is_intact and (result.signature == enough or (trust is None and _is_unsigned(result)))
    if as_json:
        click.echo(json.dumps(as_value(result, holds), indent=1, sort_keys=True))
    else:
        _print(result, holds)
    return EXIT_HOLDS if holds else EXIT_FAILED


def as_value(result: Verification, holds: bool) -> dict[str, Any]:
    """Return a verification as a JSON value."""
    return {
        "holds": holds,
        "signature": result.signature,
        "keyids": result.keyids,
        "owners": result.owners,
        "tier_ceiling": result.tier_ceiling,
        "ledger": result.ledger,
        "plans_of_spec": result.plans_of_spec,
        "plans_of_options": result.plans_of_options,
        "lost": result.lost,
        "not_signed": result.not_signed,
        "problems": [
            {"code": item.code, "message": item.message, "weight": item.weight, "where": item.where}
            for item in result.problems
        ],
    }


def _print(result: Verification, holds: bool) -> None:
    for problem in result.problems:
        click.echo(f"{'broken' if problem.weight == 'broken' else 'note'}: {safe(problem.message)} [{problem.code}]")
        if problem.where:
            click.echo(f"  at {safe(problem.where)}")
    click.echo(f"signature  {_signature(result)}")
    click.echo(f"raw files  {_raw_files(result)}")
    if result.not_signed:
        click.echo(f"not signed {', '.join(result.not_signed)}: no signature covers what these say")
    click.echo(f"ledger     {_ledger(result)}")
    click.echo(f"tier       {TIERS[result.tier_ceiling]}")
    unsigned = "unsigned, " if holds and _is_unsigned(result) else ""
    click.echo(f"{safe(result.folder)}: {unsigned}{'holds' if holds else 'does NOT hold'}")


def _is_unsigned(result: Verification) -> bool:
    """Whether there is no envelope at all; one whose signature nobody can check is another matter."""
    return any(problem.code == "signature-absent" for problem in result.problems)


TIERS = {
    "T4": "up to T4: what is recomputed from these raw files stands under a signature that you trust",
    "T2": "up to T2: nobody whom you trust signed these numbers",
    "T1": "T1: the study contradicts itself, so its numbers are mere statements",
}


def _signature(result: Verification) -> str:
    names = ", ".join(keyid[:16] for keyid in result.keyids)
    if result.signature == "valid_trusted":
        return f"genuine, by {safe(', '.join(result.owners))} ({names})"
    if result.signature == "valid_unlisted":
        return f"genuine, by a key that no trust file vouches for ({names})"
    return "none that can be checked" if result.signature == "absent" else "INVALID"


def _raw_files(result: Verification) -> str:
    if any(problem.code.startswith("manifest-") for problem in result.problems) and result.value is None:
        return "not checked"
    wrong = sum(problem.code.startswith("subject-") for problem in result.problems)
    if wrong:
        return f"{wrong} problem{'s' if wrong > 1 else ''}"
    if any(problem.code == "manifest-invalid" for problem in result.problems):
        return "not checked: the manifest is not valid"
    return f"{len(result.value['subject'])} files, all as the manifest says"


def _ledger(result: Verification) -> str:
    if result.ledger == "absent":
        return "none: whether other runs were made and left out cannot be told"
    if result.ledger == "broken":
        return "BROKEN"
    lost = f"; lost trials: {safe(', '.join(result.lost))}" if result.lost else ""
    plans = f"{result.plans_of_spec} plan{'' if result.plans_of_spec == 1 else 's'} of this spec"
    return f"consistent, {plans}{lost}; unwitnessed: its owner could have written it anew"
