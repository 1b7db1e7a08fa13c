"""A tender as it stands on disk: read, checked against its specs, and the spec of each vendor made from it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath
from ...schemas.model import to_model
from ...schemas.source import parse
from ...schemas.tender import Tender, TenderPrice
from ...schemas.validation import check, load

SPEC_LIMIT_BYTES = 1 << 20
NAME = "tender.yaml"
OTHER = re.compile(r"[^A-Za-z0-9._-]+")
EACH = frozenset({"per", "each", "every"})
PRICED = frozenset({"device", "gpu", "accelerator", "card", "hour", "node", "server", "system"})
"""What a price may be for."""


@dataclass(frozen=True, slots=True)
class Issued:
    """A tender with the specs that it names."""

    path: Path
    sha256: str
    content: Tender
    specs: dict[str, bytes]
    """Bytes of each workload's spec, without a nonce."""

    def nonced(self, workload: str, vendor: str) -> bytes:
        """Return the spec that one vendor runs: the workload's, with that vendor's nonce."""
        return with_nonce(
            self.specs[workload], self.content.vendors[vendor].nonce, self.content.workloads[workload].spec
        )

    @property
    def code(self) -> frozenset[str]:
        """Digests of the program files that the buyer has."""
        return frozenset(digest for each in self.content.workloads.values() for digest in each.files.values())


def read_tender(path: Path) -> Issued:
    """Read a tender and the specs that it names.

    Raises:
        UserError: one cannot be read, is not valid, or is not the one that was issued.
    """
    source = load(path, "tender")
    content = to_model(source.value, Tender)
    specs = {name: _spec(path.parent, each.spec, each.sha256) for name, each in content.workloads.items()}
    for name, metric in content.metrics.items():
        if metric.workload not in content.workloads:
            place = source.place(f"/metrics/{name}/workload")
            where = f"{path}:{place.line}:{place.column}"
            raise UserError(f"there is no workload {metric.workload!r}", "name one of the tender's", where)
        if content.price.per == "hour" and "cost" in metric.per and not metric.unit.endswith("/s"):
            what = f"prices are per hour, and {metric.unit} per cost of an hour is no rate"
            raise UserError(what, "leave cost out", f"{path}, metrics.{name}.per")
    check_price(content.price, f"{path}, price.basis")
    check_dates(content.issued, content.closes, f"{path}, closes")
    return Issued(path, sha256_hex(source.data), content, specs)


def check_price(price: TenderPrice, where: str) -> None:
    """Make sure that nothing but the field says what a price is for.

    Raises:
        UserError: the words on what it covers say that, too.
    """
    words = price.basis.replace(",", " ").replace("-", " ").split()
    found = next((pair for pair in pairwise(words) if pair[0].lower() in EACH and pair[1].lower() in PRICED), None)
    if found is None:
        return
    said = " ".join(found)
    if found[1].lower() == price.per:
        raise UserError(f"per says {price.per} already", f"take {said!r} out of the basis", where)
    todo = f"take it out: per: {price.per} says what a price is for, and another of its values something else"
    raise UserError(f"basis says {said!r}, and per says {price.per}", todo, where)


def check_dates(issued: str, closes: str | None, where: str) -> None:
    """Make sure that offers close after the tender is issued.

    Raises:
        UserError: they close before.
    """
    if closes is not None and closes < issued:
        what = f"offers close on {closes}, before the tender is issued on {issued}"
        raise UserError(what, "correct one of the two", where)


def _spec(folder: Path, relative: str, sha256: str) -> bytes:
    with open_beneath(folder, relative) as file:
        data = file.read(SPEC_LIMIT_BYTES)
    if sha256_hex(data) != sha256:
        raise UserError(
            "this spec is not the one that the tender was issued with: its SHA-256 differs",
            "put it back; another spec is another tender",
            f"{folder}/{relative}",
        )
    check(parse(data, f"{folder}/{relative}"), "spec")
    return data


def with_nonce(data: bytes, nonce: str, name: str) -> bytes:
    """Return the bytes of a spec with a nonce, which it must not carry yet.

    Raises:
        UserError: it carries one.
    """
    value: Any = parse(data, name).value
    if "nonce" in value:
        raise UserError("this spec carries a nonce", "remove it: each vendor gets one of its own", name)
    appended = data.rstrip(b"\n") + f"\nnonce: {json.dumps(nonce)}\n".encode()
    wanted = {**value, "nonce": nonce}
    if not data.lstrip().startswith(b"{"):
        try:
            if parse(appended, name).value == wanted:
                return appended
        except UserError:
            pass
    return json.dumps(wanted, indent=1).encode() + b"\n"


def id_of(name: str) -> str:
    """Return the id that is made of a name; nothing where there is neither a letter nor a digit in it."""
    return OTHER.sub("-", name).strip("-._").lower()[:64]


def made_id(name: str) -> str:
    """Return the id that is made of a name.

    Raises:
        UserError: none can be made.
    """
    made = id_of(name)
    if not made:
        raise UserError(f"no id can be made of the name {name!r}", "use letters or digits", "")
    return made


def differences(asked: bytes, ran: bytes, free: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return the keys in which the spec that a study ran is not the one that was asked for.

    Args:
        asked: bytes of the tender's spec.
        ran: bytes of the study's.
        free: keys that a vendor may set.
        name: what messages call it.
    """
    try:
        values: list[Any] = [parse(asked, name).value, parse(ran, name).value]
    except UserError:
        return ("a spec that cannot be read",)
    left, right = values
    keys = sorted((left.keys() | right.keys()) - {"nonce", *free})
    return tuple(key for key in keys if left.get(key) != right.get(key))


def nearest(issued: Issued, ran: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the workload of a tender that a study ran, and what differs from its spec; nothing where it is that spec.

    Args:
        issued: the tender.
        ran: bytes of the spec that the study ran.
        name: what messages call it.
    """
    workloads = issued.content.workloads.items()
    found = [(key, differences(issued.specs[key], ran, each.free, name)) for key, each in workloads]
    return min(found, key=lambda item: len(item[1]))
