"""The settings in force: the command line's, else the configuration's, else the default; each with its origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ...rules.free_options import plain_name
from ...rules.plugins import installed
from ...rules.tables.own import OwnTable
from ...schemas.errors import UserError
from ..config import EMPTY, Loaded, find, load
from ..handed_in import bar, handed_in, lies_in
from ..renderers.places import relative
from ..tables import read_table
from ..waivers import WaiverFile, read_waivers, require_reviewer

if TYPE_CHECKING:
    from ..trust.trustfile import Trust

DEFAULT, COMMAND_LINE = "default", "command line"


class Settings(Struct, frozen=True):
    """How to judge.

    Attributes:
        profile: reviewer, gate, publication, procurement or mlperf.
        thresholds: by rule code and option name.
        trust: whose signatures count.
        claims: ids of the claims to judge; all where empty.
        waivers: findings that the gate's owner accepts.
        mandatory: codes of rules that no waiver silences.
        today: ISO 8601 day on which waivers must hold.
        nonce: what the reader gave out before the runs; none where empty.
        plugins: whether rules of installed packages judge too.
        tables: tables of devices and data sets whose entries replace ours.
        cosmetic: plain names of free options that change nothing that is measured.
        code: SHA-256 of program files that whoever judges has.
    """

    profile: str = "reviewer"
    thresholds: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    trust: Trust | None = None
    claims: tuple[str, ...] = ()
    waivers: WaiverFile | None = None
    mandatory: tuple[str, ...] = ()
    today: str = ""
    nonce: str = ""
    plugins: bool = False
    tables: tuple[OwnTable, ...] = ()
    cosmetic: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()


class Given(Struct, frozen=True):
    """What the command line says; None where it says nothing."""

    profile: str | None = None
    fail_on: str | None = None
    trust: str | None = None
    waivers: str | None = None
    claims: tuple[str, ...] = ()
    config: str | None = None
    no_config: bool = False
    nonce: str | None = None
    waiving: bool = False
    """Whether waivers are to be written: those there are do not judge."""
    baseline: str | None = None
    write_baseline: str | None = None
    paths: tuple[str, ...] = ()
    """What is judged: nothing in it is a setting unless the command line names it."""
    asking: bool = False
    """Whether only questions are written: they fail nothing unless somebody says so."""


class InForce(Struct, frozen=True):
    """Settings with their origins.

    Attributes:
        settings: how to judge.
        fail_on: verdict from which on the exit code is 1.
        origins: (setting, value, where it comes from).
        config: the configuration's file, or None.
        waivers: path of the waivers that the configuration or the command line names; empty where neither does.
        notes: what of the folders that are judged was passed over, or counts because somebody named it.
    """

    settings: Settings
    fail_on: str
    origins: tuple[tuple[str, str, str], ...]
    config: Path | None = None
    waivers: str = ""
    notes: tuple[str, ...] = ()


def in_force(given: Given) -> InForce:
    """Return the settings in force.

    Raises:
        UserError: a file that a setting names cannot be read.
    """
    judged = handed_in(given.paths)
    barred = bar(judged)
    loaded = EMPTY if given.no_config else load(Path(given.config)) if given.config else find(Path.cwd(), judged)
    config, origins = loaded.config, []

    def choose(name: str, on_line: str | None, in_file: str | None, default: str) -> str:
        value, origin = (
            (on_line, COMMAND_LINE) if on_line else (in_file, str(loaded.path)) if in_file else (default, DEFAULT)
        )
        origins.append((name, value or "none", origin))
        return value or ""

    profile = choose("profile", given.profile, config.profile, "reviewer")
    fail_on = choose("fail_on", given.fail_on, config.fail_on, "never" if given.asking else "insufficient")
    trust = choose("trust", given.trust, _beside(loaded, config.trust), "")
    nonce = choose("nonce", given.nonce, None, "")
    waivers = choose("waivers", given.waivers, _beside(loaded, config.waivers), "")
    tables = tuple(read_table(loaded.beside(path)) for path in config.tables)
    origins += _of_config(loaded, tables)
    now = datetime.now(UTC)
    trusted = _trust(trust, now, judged) if trust else None
    if waivers and not given.waiving and not given.waivers and not Path(waivers).exists():
        todo = "`dlaudit waive` makes it with the first waiver; until then remove it from the configuration"
        raise UserError(f"there are no waivers yet, though {loaded.path} names them", todo, waivers)
    judging = waivers if not given.waiving else ""
    if judging and profile == "procurement":
        require_reviewer(Path(waivers), trusted, now)
    settings = Settings(
        profile=profile,
        thresholds=config.rules,
        trust=trusted,
        claims=given.claims,
        waivers=read_waivers(Path(judging)) if judging else None,
        mandatory=config.mandatory,
        today=now.date().isoformat(),
        nonce=nonce,
        plugins=bool(config.plugins),
        tables=tables,
        cosmetic=frozenset(map(plain_name, config.cosmetic)),
    )
    named = (given.config, trust, judging, given.baseline, *(table.name for table in tables))
    notes = _notes(loaded.passed_over, barred, [name for name in named if name and lies_in(name, judged)])
    return InForce(settings, fail_on, tuple(origins), loaded.path, waivers, notes)


def _notes(passed_over: Iterable[Path], barred: Iterable[str], named: Iterable[str]) -> tuple[str, ...]:
    """Return a sentence for each way in which what is handed in would have a say in how it is judged."""
    here = ", ".join(map(relative, map(str, passed_over)))
    code, chosen = ", ".join(barred), ", ".join(dict.fromkeys(map(relative, named)))
    sentences = (
        f"ignored, because it is part of what is being judged: {here}; if it is yours, name it with --config",
        f"no module is imported from what is judged: {code} is left out of the search",
        f"in force because you named it, though whoever changes what is judged can change it, too: {chosen}",
    )
    return tuple(words for words, said in zip(sentences, (here, code, chosen), strict=True) if said)


def _of_config(loaded: Loaded, tables: tuple[OwnTable, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield the settings that only a configuration has."""
    config, where = loaded.config, str(loaded.path)
    if config.plugins:
        yield from ((f"plugin {rule.code}", rule.name, where) for rule in installed())
    yield from ((f"mandatory {code}", "no waiver can silence it", where) for code in config.mandatory)
    for code, options in config.rules.items():
        yield from ((f"rules.{code}.{name}", f"{value:g}", where) for name, value in options.items())
    yield from (("table", table.name, where) for table in tables)
    yield from ((f"cosmetic {name}", "counts in no comparison of options", where) for name in config.cosmetic)


def _beside(loaded: Loaded, relative: str | None) -> str | None:
    return str(loaded.beside(relative)) if relative is not None else None


def _trust(path: str, now: datetime, judged: Iterable[Path]) -> Trust:
    from ...schemas.state import state_folder
    from ..trust.trustfile import load_trust

    return load_trust(Path(path), now, state_folder(), is_handed_in=lies_in(path, judged))


def shown(force: InForce) -> str:
    """Return the settings as lines: name, value, origin."""
    width = max(len(name) for name, _, _ in force.origins)
    lines = [f"{name:<{width}}  {value}  ({origin})\n" for name, value, origin in force.origins]
    return "".join([*lines, *(f"{note}\n" for note in force.notes)])
