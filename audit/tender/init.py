"""Beginning a procurement: the tender with its specs and programs, then for each vendor a folder to send."""

from __future__ import annotations

import json
import secrets
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import __version__
from ...runners.study import plan as planning
from ...runners.study import program, sweep
from ...runners.study.homes import Home
from ...runners.study.progress import duration
from ...schemas.digest import sha256_hex
from ...schemas.errors import UserError
from ...schemas.files import open_beneath, sha256_file, write_atomic
from ...schemas.model import to_model
from ...schemas.source import Source, parse
from ...schemas.spec import Spec
from ...schemas.tender import Tender, TenderPrice
from ...schemas.validation import load
from .called import keep
from .examples import of_arm
from .loads import is_offered
from .numbers import SERVING, Number, of_spec
from .seeds import TO_TARGET, few
from .tender import NAME, Issued, check_dates, check_price, made_id, read_tender, with_nonce

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent / "templates"
CALL = "call"
SERVICE = "service.yaml"
DATA = ("test_set", "trace")
"""Parameters of `serving` that name a file."""
WIDTH = 119
PROGRAM_LIMIT_BYTES = 16 << 20
EXTRAS = {"serving": "serving", "loadgen": "loadgen"}
TIERS_FOR_VENDORS = {
    "T1": "the number is stated",
    "T2": "we recompute it from the files of a study",
    "T3": "it stands in the record of a study that your key signed",
    "T4": "we recompute it from the raw samples of a study that your key signed; no evidence is stronger",
}
PLAIN = frozenset({"id", "kind", "tier", "widest", "limit", "load", "few"})
"""Keys of a number that a tender has without quotation marks."""
WIDEST = 0.1
"""How far the interval of a number without a limit may reach from it, in a tender that is begun."""
WIDEST_OF_TAILS = "1"
"""A percentile near the end rests on few requests, and is less well known than a rate."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the buyer says of a procurement."""

    title: str
    buyer: str
    issued: str
    closes: str | None
    contact: str | None
    currency: str
    per: str
    basis: str
    vendors: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Workload:
    id: str
    source: Source
    spec: Spec
    files: dict[str, str]
    data: dict[str, str]
    """Digests of what the spec reads, such as a test set."""
    numbers: Mapping[str, tuple[Number, ...]]
    loaded: frozenset[str]
    """Arms that serve a load of the buyer's choice."""


def begin(folder: Path, specs: Sequence[Path], facts: Facts) -> Issued:
    """Write a tender with its specs and their programs.

    Args:
        folder: where to write; it must not exist, or be empty.
        specs: what vendors are to measure.
        facts: what the buyer says.

    Raises:
        UserError: the folder holds something, a spec is not valid or carries a nonce, or two names are one.
    """
    check_price(TenderPrice(currency=facts.currency, per=facts.per, basis=facts.basis), "--basis")
    check_dates(facts.issued, facts.closes, "--closes")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError("the folder is not empty, and a tender is written once", "give another folder", str(folder))
    workloads = [_workload(path) for path in specs]
    vendors = [{"id": made_id(name), "name": name, "nonce": secrets.token_hex(16)} for name in facts.vendors]
    for kind, names in (("workload", [item.id for item in workloads]), ("vendor", [item["id"] for item in vendors])):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise UserError(f"two of the {kind}s are called {twice!r}", "give each a name of its own", str(folder))
    files: dict[str, bytes] = {}
    for workload in workloads:
        files[_file(workload)] = workload.source.data
        _add_programs(files, Path(workload.source.name).parent, workload.files | workload.data)
    files[NAME] = _document(facts, workloads, vendors).encode()
    _write(folder, files)
    return read_tender(folder / NAME)


def begin_service(folder: Path, url: str, model: str, facts: Facts) -> Issued:
    """Write a tender for a server by its address, with a spec of it to complete.

    Raises:
        UserError: as `begin`.
    """
    words = {"title": f"{model} by its address", "url": url, "model": model}
    quoted = {name: json.dumps(text, ensure_ascii=False) for name, text in words.items()}
    with tempfile.TemporaryDirectory() as home:
        spec = Path(home, SERVICE)
        spec.write_text(_environment().get_template(f"{SERVICE}.j2").render(quoted), encoding="utf-8")
        return begin(folder, (spec,), facts)


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / name, data)


def _workload(path: Path) -> _Workload:
    source = load(path, "spec")
    with_nonce(source.data, "0" * 32, str(path))
    spec = sweep.expanded(to_model(source.value, Spec))
    plan = planning.make(spec, sha256_hex(source.data), str(path))
    programs = program.of_plan(plan, dict.fromkeys(plan.arms, Home(folder=path.parent))).values()
    files = {name: digest for each in programs for name, digest in each.files.items()}
    named = {str(arm.workload[key]) for arm in plan.arms.values() for key in DATA if arm.workload.get(key)}
    data = {name: _digest(path.parent, name) for name in sorted(named)}
    loaded = frozenset(name for name, arm in plan.arms.items() if is_offered(arm.workload))
    return _Workload(made_id(path.stem), source, spec, files, data, of_spec(spec, source.data, str(path)), loaded)


def _digest(folder: Path, name: str) -> str:
    """Return the digest of a file that a spec reads.

    Raises:
        UserError: it does not lie beside the spec.
    """
    try:
        with open_beneath(folder, name) as file:
            return sha256_file(file)
    except UserError as error:
        todo = "put it beside the spec, and name it by its path from there"
        raise UserError(f"{name} cannot be sent: {error.what}", todo, str(folder)) from None


def _file(workload: _Workload) -> str:
    return f"{workload.id}.{workload.source.format}"


def _document(facts: Facts, workloads: Sequence[_Workload], vendors: Sequence[Mapping[str, str]]) -> str:
    def quoted(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    return (
        _environment()
        .get_template("tender.yaml.j2")
        .render(
            title=quoted(facts.title),
            buyer=quoted(facts.buyer),
            issued=quoted(facts.issued),
            closes=quoted(facts.closes) if facts.closes else "",
            contact=quoted(facts.contact) if facts.contact else "",
            widest=WIDEST,
            currency=facts.currency,
            per=facts.per,
            basis=quoted(facts.basis),
            workloads=[
                {
                    "id": item.id,
                    "spec": quoted(_file(item)),
                    "sha256": quoted(sha256_hex(item.source.data)),
                    "files": quoted(item.files) if item.files else "",
                    "data": quoted(item.data) if item.data else "",
                }
                for item in workloads
            ],
            metrics=[
                {key: value if key in PLAIN else quoted(value) for key, value in metric.items()}
                for item in workloads
                for metric in _metrics(item)
            ],
            vendors=[
                {"id": item["id"], "name": quoted(item["name"]), "nonce": quoted(item["nonce"])} for item in vendors
            ],
        )
    )


def _metrics(workload: _Workload) -> Iterator[dict[str, str]]:
    """Yield what a tender asks of the arms of a spec."""
    several = len(workload.numbers) > 1
    for arm, given in workload.numbers.items():
        of = f"{workload.id} {arm}" if several else workload.id
        for number in given:
            if number.counts:
                name = number.name.removesuffix("_to_target").replace("_", "-")
                yield {
                    "workload": workload.id,
                    "arm": arm,
                    "id": made_id(f"{of} {name}"),
                    "label": number.label.replace("{of}", of),
                    "unit": number.unit or "samples/s",
                    "better": number.better,
                    "kind": "quality" if number.is_quality else "metric",
                    "name": number.name,
                    "tier": "T4" if number.claimed else "T3",
                    "widest": WIDEST_OF_TAILS if "_p" in number.name and not number.claimed else "",
                    "load": "open" if arm in workload.loaded else "",
                    "few": _few(workload.spec, number),
                    "limit": "0.94" if number.is_quality else "1000",
                }


def _few(spec: Spec, number: Number) -> str:
    if spec.convergence is None or not number.name.endswith(TO_TARGET):
        return ""
    return few(len(spec.convergence.planned_seeds()), WIDEST)


def call(issued: Issued) -> tuple[Path, ...]:
    """Write the folders that the vendors get, and return them; nothing in one tells another vendor's nonce.

    Raises:
        UserError: they are there already, or a program is not the one of the tender.
    """
    folder = issued.path.parent / CALL
    if folder.exists():
        raise UserError(
            "the call is written already", "what was sent stands; for changes begin a new tender", str(folder)
        )
    sent = {vendor: _files(issued, vendor) for vendor in issued.content.vendors}
    for vendor, files in sent.items():
        _write(folder / vendor, files)
    keep(issued)
    return tuple(folder / vendor for vendor in sent)


def write_folder(issued: Issued, vendor: str) -> Path:
    """Write the folder that one vendor gets, and return it.

    Raises:
        UserError: a program is not the one of the tender.
    """
    folder = issued.path.parent / CALL / vendor
    _write(folder, _files(issued, vendor))
    return folder


def _files(issued: Issued, vendor: str) -> dict[str, bytes]:
    """Return what one vendor gets, by its path."""
    content, specs = issued.content, []
    files: dict[str, bytes] = {}
    for name, workload in content.workloads.items():
        data = issued.nonced(name, vendor)
        specs.append(_sent(name, data))
        files[specs[-1].file] = data
        _add_programs(files, issued.path.parent, workload.files | workload.data)
    text = (
        _environment()
        .get_template("call.txt.j2")
        .render(
            tender=content,
            vendor=content.vendors[vendor],
            id=vendor,
            specs=specs,
            tiers=TIERS_FOR_VENDORS,
            asked={metric.tier for metric in content.metrics.values()},
            examples=list(_examples(issued)),
            energy=any("joule" in metric.per for metric in content.metrics.values()),
            extras=",".join(dict.fromkeys(("run", *(each.extra for each in specs if each.extra)))),
            accepted=textwrap.fill(_accepted(content), WIDTH, break_on_hyphens=False),
            version=__version__,
        )
    )
    return {**files, "READ-ME-FIRST.txt": text.encode()}


def _accepted(tender: Tender) -> str:
    """Say by how much what is delivered may differ."""
    own = [metric for metric in tender.metrics.values() if metric.margin]
    margins = "".join(f"; {metric.label or metric.metric}: {100 * (metric.margin or 0):g} %" for metric in own)
    terms = tender.acceptance
    return (
        "What is delivered is measured again with the same specs (dlaudit reproduce). A number that differs by more "
        f"than {100 * terms.margin:g} %, or a quality by more than {terms.quality_margin:g}, is not accepted{margins}."
    )


def _examples(issued: Issued) -> Iterator[str]:
    """Yield in a line for each quality of a service what its examples are."""
    for metric in issued.content.metrics.values():
        if metric.quality is None:
            continue
        spec = sweep.expanded(to_model(parse(issued.specs[metric.workload], metric.workload).value, Spec))
        workload = planning.make(spec, "", metric.workload).arms[metric.arm].workload
        asked = of_arm(workload, issued.path.parent) if workload.get("name") == SERVING else None
        if asked is not None:
            yield f"{metric.label or metric.quality}: {asked.words}."


@dataclass(frozen=True, slots=True)
class _Sent:
    """A spec as a vendor gets it."""

    id: str
    file: str
    trials: int
    longest: str
    """How long a trial may take."""
    trains: bool
    extra: str
    """Part of the installation that it needs beside `run`."""


def _sent(name: str, data: bytes) -> _Sent:
    spec = sweep.expanded(to_model(parse(data, name).value, Spec))
    plan = planning.make(spec, sha256_hex(data), name)
    extra = next((EXTRAS[arm.workload["name"]] for arm in plan.arms.values() if arm.workload.get("name") in EXTRAS), "")
    file = f"{name}.{'json' if data.startswith(b'{') else 'yaml'}"
    return _Sent(name, file, len(plan.trials), duration(spec.trial_timeout_s), spec.convergence is not None, extra)


def _add_programs(files: dict[str, bytes], source: Path, programs: Mapping[str, str]) -> None:
    """Add the files of a program to what is written; a module that lies elsewhere is for the vendor to install.

    Raises:
        UserError: one is not the file that its digest says, or there is another file of that name.
    """
    for name, digest in programs.items():
        try:
            with open_beneath(source, name) as file:
                data = file.read(PROGRAM_LIMIT_BYTES)
        except UserError:
            continue
        if sha256_hex(data) != digest:
            raise UserError(
                "this is not the file that the tender names: its SHA-256 differs", "put it back", f"{source}/{name}"
            )
        if files.setdefault(name, data) != data:
            raise UserError("two workloads have different files of this name", "rename one", f"{source}/{name}")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader(FOLDER)
    return Environment(  # noqa: S701 - plain text
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
