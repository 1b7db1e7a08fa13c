"""`dlaudit waive`: draft a waiver for one finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ...schemas.errors import UserError
from ..report import Finding, Report

REASONS = ("false_positive", "accepted_risk", "fixed_elsewhere", "not_reproducible_here", "superseded")


@click.command()
@click.argument("fingerprint")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("--reason", type=click.Choice(REASONS), required=True, help="Why the finding is accepted.")
@click.option("--justification", required=True, help="The reason in words.")
@click.option("--approver", required=True, help="Who accepts it.")
@click.option("--expires", metavar="DAY", required=True, help="Last day on which it holds, as 2027-03-31.")
@click.option("--profile", help="Profile under which the finding was made.")
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option("--out", metavar="FILE", default="waivers.json", show_default=True, help="File to add it to.")
@click.option("--sign", metavar="KEY", help="Sign the file with this private key, as profile procurement asks for.")
def command(
    fingerprint: str, paths: tuple[str, ...], profile: str | None, trust: str | None, sign: str | None, **given: str
) -> None:
    """Add a waiver for the finding with FINGERPRINT (its beginning will do) in PATH to a file of waivers.

    The fingerprint stands in `dlaudit lint --format json`. A waiver holds for this document as it is now.
    """
    from ...schemas.files import write_atomic
    from ..lint.collect import collect
    from ..lint.judged import judged
    from ..lint.settings import Given, in_force

    settings = in_force(Given(profile=profile, trust=trust)).settings
    reports = [judged(found, settings).report for found in collect(paths)]
    report, finding = _the_one(reports, fingerprint)
    out = Path(given.pop("out"))
    waiver = {"rule": finding.code, "document": report.sha256, **given}
    if finding.claim is not None:
        waiver["claim"] = finding.claim
    name = f"{finding.code}-{finding.fingerprint[:8]}"
    data = _with(out, name, waiver)
    write_atomic(out, data if sign is None else _signed(data, sign))
    click.echo(f"added {name} to {out}; use it with: dlaudit lint --waivers {out} {' '.join(paths)}")


def _the_one(reports: list[Report], fingerprint: str) -> tuple[Report, Finding]:
    matching = [
        (report, finding)
        for report in reports
        for finding in report.all_findings
        if finding.fingerprint.startswith(fingerprint)
    ]
    if len(matching) == 1:
        return matching[0]
    what = f"{len(matching)} findings begin" if matching else "no finding begins"
    raise UserError(f"{what} with fingerprint {fingerprint!r}", "take it from `dlaudit lint --format json`")


def _with(out: Path, name: str, waiver: dict[str, Any]) -> bytes:
    """Return a file of waivers, a new one where there is none, with one more in it."""
    from ...schemas.source import parse
    from ...schemas.validation import check
    from ..waivers import read_waivers

    value: Any = read_waivers(out).source.value if out.exists() else {"dlaudit": "waivers/1", "waivers": {}}
    value["waivers"][name] = waiver
    data = (json.dumps(value, indent=1) + "\n").encode()
    check(parse(data, str(out)), "waivers")
    return data


def _signed(data: bytes, key: str) -> bytes:
    from ..trust import dsse, keys

    signer = keys.load_signer(keys.find_key(key), keys.passphrase_source(None))
    return dsse.write(dsse.sign(dsse.WAIVERS_TYPE, data, signer))
