"""`dlaudit waive`: draft a waiver for one finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...schemas.errors import UserError
from ..report import Finding
from ..terminal import safe

if TYPE_CHECKING:
    from ..lint.lint import Linted
    from ..lint.settings import InForce

MOST_TOLD = 6
REASONS = ("false_positive", "accepted_risk", "fixed_elsewhere", "not_reproducible_here", "superseded")


@click.command()
@click.argument("finding", metavar="FINDING")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--claim", metavar="ID", help="Claim that the finding is about, if a rule found it of several.")
@click.option("--reason", type=click.Choice(REASONS), required=True, help="Why the finding is accepted.")
@click.option("--justification", required=True, help="The reason in words.")
@click.option("--approver", required=True, help="Who accepts it.")
@click.option("--expires", metavar="DAY", required=True, help="Last day on which it is valid, such as 2027-03-31.")
@click.option("--profile", help="Profile that the finding was made under.")
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--config", metavar="FILE", help="Configuration.  [default: dlaudit.toml here or in a folder above]")
@click.option("--out", metavar="FILE", help="File to add it to.  [default: the configuration's, else waivers.json]")
@click.option("--sign", metavar="KEY", help="Sign the file with this private key, as the procurement profile requires.")
def command(
    finding: str,
    paths: tuple[str, ...],
    claim: str | None,
    profile: str | None,
    trust: str | None,
    config: str | None,
    sign: str | None,
    **given: str,
) -> None:
    """Add a waiver for a finding in PATH to a file of waivers.

    FINDING is the code of a rule, such as M04, or the beginning of a fingerprint, which every output of
    `dlaudit lint` shows. A waiver holds for this document as it is now, one of D04 or D05 for its source as that
    is now, and one of D04 for the files of results that its numbers stand in.
    """
    from ...schemas.files import write_atomic
    from ..lint.lint import lint
    from ..lint.read import read_documents
    from ..lint.settings import Given, in_force
    from ..waivers import behind

    chosen, expires = given.pop("out"), given["expires"]
    force = in_force(Given(profile=profile, trust=trust, config=config, waiving=True, paths=paths))
    for note in force.notes:
        click.echo(f"dlaudit: {safe(note)}", err=True)
    found = [lint(item, force.settings) for item in read_documents(paths, drafts=False)]
    document, chosen_one = _the_one(found, finding, claim)
    _check(chosen_one.code, expires, force)
    out = Path(chosen or _shown(force.waivers) or "waivers.json")
    read = behind(document.case).read_by(chosen_one.code)
    taken_from = {name: digest for name in ("source", "results") if (digest := getattr(read, name))}
    waiver = {"rule": chosen_one.code, "document": document.report.sha256, **taken_from}
    waiver |= {**_of_file(document.path), **given}
    if chosen_one.claim is not None:
        waiver["claim"] = chosen_one.claim
    name = f"{chosen_one.code}-{chosen_one.fingerprint[:8]}"
    data, name, before = _with(out, name, waiver)
    write_atomic(out, data if sign is None else _signed(data, sign))
    in_use = force.waivers and Path(force.waivers).resolve() == out.resolve()
    use = "in force here" if in_use else f"use it with: dlaudit lint --waivers {out} {' '.join(paths)}"
    done = f"added {name} to" if before is None else f"replaced {name} ({before}) in"
    click.echo(f"{done} {out}; {use}")
    if expires < force.settings.today:
        click.echo(f"dlaudit: {name} ended on {expires} already and no longer applies", err=True)


def _check(code: str, expires: str, force: InForce) -> None:
    """Make sure that a waiver can count for something.

    Raises:
        UserError: the rule is mandatory, or there is no such day.
    """
    from ..waivers import NO_DAY, is_day

    if code in force.settings.mandatory:
        what = f"{code} is mandatory ({force.config}): no waiver can silence it"
        raise UserError(what, "correct what was found, or remove the rule from the configuration")
    if not is_day(expires):
        raise UserError(f"there is no day {expires!r}", NO_DAY, "--expires")


def _of_file(path: str) -> dict[str, str]:
    return {"file": _shown(path)} if path != "<stdin>" else {}


def _shown(path: str) -> str:
    """Return a path relative to the working folder where it lies beneath it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path


def _the_one(documents: list[Linted], named: str, claim: str | None) -> tuple[Linted, Finding]:
    """Return the finding that a code or the beginning of a fingerprint names.

    Raises:
        UserError: there is none, or there are several.
    """
    of_claim = [
        (document, finding)
        for document in documents
        for finding in document.report.all_findings
        if claim is None or finding.claim == claim
    ]
    matching = [pair for pair in of_claim if pair[1].code == named.upper()]
    matching = matching or [pair for pair in of_claim if pair[1].fingerprint.startswith(named)]
    if len({(document.path, finding.code, finding.claim) for document, finding in matching}) == 1:
        # a waiver holds for all that its rule finds of its claim
        return matching[0]
    about = f" of claim {claim!r}" if claim is not None else ""
    if not matching:
        hint = "`dlaudit lint` shows code, claim and fingerprint of each"
        raise UserError(f"no finding{about} has the code or the fingerprint {named!r}", hint)
    told = [f"{finding.fingerprint[:8]} (claim {finding.claim})" for _, finding in matching[:MOST_TOLD]]
    more = f" and {len(matching) - MOST_TOLD} more" if len(matching) > MOST_TOLD else ""
    raise UserError(
        f"{len(matching)} findings{about} are called {named!r}",
        f"name one by --claim or by its fingerprint: {', '.join(told)}{more}",
    )


def _with(out: Path, name: str, waiver: dict[str, Any]) -> tuple[bytes, str, str | None]:
    """Return a file of waivers, a new one where there is none, with one more in it; its name, and what it replaces.

    The same finding of two documents has one fingerprint: the second one's waiver is named by its document, too.
    """
    from ...schemas.source import parse
    from ...schemas.validation import check
    from ..waivers import read_waivers

    value: Any = read_waivers(out).source.value if out.exists() else {"dlaudit": "waivers/1", "waivers": {}}
    old = value["waivers"].get(name)
    if old is not None and old["document"] != waiver["document"] and old.get("file") != waiver.get("file"):
        name = f"{name}-{waiver['document'][:8]}"
        old = value["waivers"].get(name)
    before = None if old is None else f"by {old['approver']} until {old['expires']}, {old['reason'].replace('_', ' ')}"
    value["waivers"][name] = waiver
    data = (json.dumps(value, indent=1) + "\n").encode()
    check(parse(data, str(out)), "waivers")
    return data, name, before


def _signed(data: bytes, key: str) -> bytes:
    from ..trust import dsse, keys

    signer = keys.load_signer(keys.find_key(key), keys.passphrase_source(None))
    return dsse.write(dsse.sign(dsse.WAIVERS_TYPE, data, signer))
