"""`dlaudit offers`: the offers of a tender side by side."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...schemas.errors import UserError
from ..terminal import safe

if TYPE_CHECKING:
    from ..tender.offers import VendorOffer
    from ..tender.shown import Page
    from ..tender.tender import Issued


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--tender", "tender_path", type=click.Path(path_type=Path), required=True, help="The tender.")
@click.option("--trust", metavar="FILE", help="Trust file: whose signatures count.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Write the page to sign, a page and a letter for each vendor, and an archive into this folder.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(folder: Path, tender_path: Path, trust: str | None, out: Path | None, form: str) -> int:
    """Put the offers of a tender side by side: every vendor, in the tender's order, without ranking or score.

    DIR holds a folder for each vendor, named by its id in the tender: offer.yaml and the studies that were asked for.

    \b
    Exit codes: 0 an offer meets the tender; 1 none does; 2 the tender, the trust
    file or DIR cannot be read.
    """  # noqa: D301
    from ..tender.called import changed
    from ..tender.loads import Loads
    from ..tender.offers import judge_offers, unnamed
    from ..tender.shown import Page, as_json, as_text
    from ..tender.tender import read_tender

    now = datetime.now(UTC)
    issued = read_tender(tender_path)
    if not folder.is_dir():
        raise UserError("there is no such folder", "name the folder with what the vendors handed in", str(folder))
    trusted = None
    if trust is not None:
        from ...schemas.state import state_folder
        from ..handed_in import handed_in, lies_in
        from ..trust.trustfile import load_trust

        inside = lies_in(trust, handed_in([str(folder)]))
        trusted = load_trust(Path(trust), now, state_folder(), is_handed_in=inside)
    day = now.date().isoformat()
    loads = Loads.of(issued)
    offers = judge_offers(folder, issued, loads, trusted, day)
    keys = f"{trusted.content.name}, version {trusted.content.version}" if trusted is not None else ""
    differs = changed(issued)
    warnings = (
        *((f"The tender differs from what was called: {', '.join(differs)}.",) if differs else ()),
        *(f"{each.name} was called alone on {each.called}." for each in issued.content.vendors.values() if each.called),
    )
    page = Page(issued, offers, unnamed(folder, issued), day, keys, warnings, loads.meaning(issued.content))
    click.echo(as_json(page) if form == "json" else as_text(page), nl=False)
    if out is not None:
        for line in _write(page, folder, out, Path(trust) if trust is not None else None):
            click.echo(line, err=form == "json")
    return 0 if any(offer.meets for offer in offers) else 1


def _write(page: Page, folder: Path, out: Path, trust: Path | None) -> list[str]:
    """Write everything, and return a line for each file that a person opens."""
    from ...schemas.files import write_atomic
    from ..tender.archive import packed
    from ..tender.letter import letter
    from ..tender.page import render
    from ..tender.shown import as_json

    issued = page.issued
    files = {"offers.html": render(page).encode(), "offers.json": as_json(page).encode()}
    asked = {"tender/tender.yaml": issued.path.read_bytes()}
    asked |= {f"tender/{issued.content.workloads[name].spec}": data for name, data in issued.specs.items()}
    if trust is not None:
        asked["tender/trust.json"] = trust.read_bytes()
    told = [f"page     {safe(out / 'offers.html')}"]
    for offer in page.offers:
        files[f"{offer.id}/letter.txt"] = letter(issued, offer, page.day).encode()
        if offer.linted:
            files[f"{offer.id}/report.html"] = _report(issued, offer)
        told.append(f"{safe(offer.name)}: {safe(out / offer.id)}/{_opened(offer)}")
    files["archive.zip"] = packed({**files, **asked}, folder)
    for name, data in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomic(out / name, data)
    return ["", *told, f"archive  {safe(out / 'archive.zip')}"]


def _opened(offer: VendorOffer) -> str:
    """Return what a person opens about an offer, with the verdict that stands at the head of its report."""
    verdicts = [item.report.verdict for item in offer.linted if item.report.verdict is not None]
    if not offer.linted:
        return "letter.txt"
    return f"letter.txt and report.html: {max(verdicts).words if verdicts else 'NO VERDICT'}"


def _report(issued: Issued, offer: VendorOffer) -> bytes:
    """Return the page about a hand-in, which its vendor may read."""
    from ..renderers.html import render
    from ..tender.sent import without_nonces

    notes = dict.fromkeys(words for figure in offer.figures.values() if (words := figure.open.disturbed))
    page = without_nonces(issued, offer.id, render(offer.linted, tuple(notes)))
    return page.encode("utf-8", "backslashreplace")
