"""What lint says of hand-written results of the MLPerf suites, and of faults that are hidden in them.

`bases/` holds honest folders: results of training and inference as they are handed in, and statements about results.
`faults/*.yaml` hold lists of faults, written from what a reviewer of such a folder checks by people who saw no rule:

    base      name of the honest folder
    family    what the fault is about
    flaw      one sentence: what was done
    change    by path in the base (`*` matches): remove, copy (another file of the base), write, patch (RFC 7396),
              replace ([[OLD, NEW], ...]), sub ([[PATTERN, NEW], ...]), shift_ms (of every "time_ms"), append
    disputed  why no reader of the files could know it, or why it is allowed: judged afterwards, listed, not counted

A fault is seen where something is said that is not said of the honest folder, numbers apart: a violation, that
something is not shown, or that there is nothing to assess. It passes where a document's verdict is still PASS.

What was seen of a file before any rule was mended for it stays written in `first_sight.json`.

    measure.py            judge everything and print the table
    measure.py --write    write docs/suite_results.json too, which a page shows
    measure.py --only F   print what is said of the faults of one file, and of their bases
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from dlaudit.audit.cli import run
from dlaudit.rules.documentation import merge_patch

ROOT = Path(__file__).parents[2]
DATA = ROOT / "benchmarks" / "data" / "suite_results"
BASES, FAULTS, FIRST_SIGHT = DATA / "bases", DATA / "faults", DATA / "first_sight.json"
WRITTEN = ROOT / "docs" / "suite_results.json"
GRAVE = ("refutes", "undermines")
_NUMBER = re.compile(r"[0-9][0-9.,:-]*")
_TIME = re.compile(r'("time_ms": *)([0-9.]+)')


@dataclass(frozen=True, slots=True)
class Fault:
    """A flaw in one base."""

    base: str
    family: str
    flaw: str
    change: Mapping[str, Mapping[str, Any]]
    disputed: str = ""
    file: str = ""
    """Name of the list that it is of."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a folder.

    Attributes:
        exit_code: of the command.
        complaint: what it said beside the report.
        words: code, outcome and message without its numbers.
        counts: how often each code has each outcome.
        grave: claims and codes of violations that refute or undermine.
        verdicts: of the documents.
    """

    exit_code: int
    complaint: str
    words: frozenset[tuple[str, str, str]]
    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    grave: tuple[str, ...] = ()
    verdicts: frozenset[str] = frozenset()


def faults(path: Path) -> list[Fault]:
    """Read the faults of a file."""
    return [Fault(**entry, file=path.stem) for entry in yaml.load(path.read_bytes(), yaml.CSafeLoader)]


def hide(fault: Fault, folder: Path) -> Path:
    """Write a base with a fault in it beneath a folder, and return it.

    Raises:
        ValueError: the base does not hold what is to be changed.
    """
    target = folder / fault.base
    shutil.copytree(BASES / fault.base, target)
    for pattern, how in fault.change.items():
        paths = sorted(target.glob(pattern)) if "*" in pattern else [target / pattern]
        if not paths:
            raise ValueError(f"{fault.base} holds no {pattern}")
        for path in paths:
            _change(path, how, BASES / fault.base)
    return target


def _change(path: Path, how: Mapping[str, Any], base: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if "remove" in how:
        path.unlink()
        return
    if "copy" in how:
        shutil.copyfile(base / how["copy"], path)
    if "write" in how:
        path.write_text(how["write"], encoding="utf-8")
    if "patch" in how:
        path.write_text(json.dumps(merge_patch(json.loads(path.read_text("utf-8")), how["patch"]), indent=1), "utf-8")
    text = path.read_text(encoding="utf-8")
    for old, new in how.get("replace", ()):
        if old not in text:
            raise ValueError(f"{path.name} does not hold {old!r}")
        text = text.replace(old, new)
    for pattern, new in how.get("sub", ()):
        text, count = re.subn(pattern, new, text, flags=re.MULTILINE)
        if not count:
            raise ValueError(f"{path.name} holds nothing like {pattern!r}")
    if "shift_ms" in how:
        text = _TIME.sub(lambda found: f"{found[1]}{_later(found[2], how['shift_ms'])}", text)
    path.write_text(text + how.get("append", ""), encoding="utf-8")


def _later(time: str, shift: float) -> str:
    return repr(float(time) + shift) if "." in time else str(int(time) + int(shift))


def judge(folder: Path) -> Said:
    """Lint a folder through the command line and gather what is said.

    Raises:
        RuntimeError: the linter broke.
    """
    heard, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(complaints):
        code = run(["lint", str(folder), "--no-config", "--format", "json"])
    if code not in {0, 1, 2, 3} or "Traceback" in complaints.getvalue():
        raise RuntimeError(f"exit code {code}: {complaints.getvalue()[-2000:]}")
    documents = json.loads(heard.getvalue())["documents"] if heard.getvalue() else []
    found = [
        (name, item)
        for document in documents
        for name, items in [("", document["findings"])]
        + [(name, claim["findings"]) for name, claim in document["claims"].items()]
        for item in items
    ]
    said = [(item["code"], item["outcome"], item["message"]) for _, item in found]
    said += [(part["code"], "not-shown", part["message"]) for _, item in found for part in item.get("members", ())]
    if any(item["outcome"] == "error" for _, item in found):
        raise RuntimeError("a rule broke")
    return Said(
        code,
        complaints.getvalue().strip(),
        frozenset((code, outcome, _NUMBER.sub("#", message)) for code, outcome, message in said),
        Counter((code, outcome) for code, outcome, _ in said),
        tuple(
            f"{name}: {item['code']} {item['message']}"
            for name, item in found
            if item["outcome"] == "violation" and item["effect"] in GRAVE
        ),
        frozenset(str(document["verdict"]) for document in documents),
    )


@cache
def honest(name: str) -> Said:
    """Return what is said of a base."""
    return judge(BASES / name)


def attempt(fault: Fault) -> tuple[Said, tuple[str, ...]]:
    """Hide a fault; return what is said of it, and what of that is not said of the honest folder."""
    with tempfile.TemporaryDirectory() as folder:
        said = judge(hide(fault, Path(folder)))
    base = honest(fault.base)
    new = {(code, outcome) for code, outcome, _ in said.words - base.words} | set(said.counts - base.counts)
    words = [f"{code} {outcome}" if outcome != "violation" else code for code, outcome in sorted(new)]
    if said.exit_code in {2, 3} and said.exit_code != base.exit_code:
        words.append("nothing to assess" if said.exit_code == 3 else "refused")
    return said, tuple(words)


def show(path: Path) -> None:
    """Print what is said of the faults of a file and of their bases."""
    listed = faults(path)
    for name in dict.fromkeys(fault.base for fault in listed):
        said = honest(name)
        print(f"== {name}: {', '.join(sorted(said.verdicts)) or 'no verdict'}")
        print("".join(f"   accused: {words}\n" for words in said.grave), end="")
    for number, fault in enumerate(listed):
        try:
            said, new = attempt(fault)
        except (ValueError, OSError) as error:
            print(f"{number:3} CANNOT BE APPLIED: {error}")
            continue
        verdict = ", ".join(sorted(said.verdicts)) or said.complaint[:60]
        print(f"{number:3} {'seen' if new else 'NOT SEEN':8} {verdict:22} {fault.flaw}\n      {', '.join(new) or '-'}")


def main() -> int:
    """Judge the honest folders and the faults, and print how many were seen, by family.

    Returns:
        1 where an honest folder is accused, or the verdict on a fault that nobody disputes is PASS; else 0.
    """
    if "--only" in sys.argv:
        show(FAULTS / Path(sys.argv[sys.argv.index("--only") + 1]).name)
        return 0
    every = [fault for path in sorted(FAULTS.glob("*.yaml")) for fault in faults(path)]
    names = sorted(path.name for path in BASES.iterdir())
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        bases = dict(zip(names, pool.map(honest, names), strict=True))
        tried = list(zip(every, pool.map(attempt, every, chunksize=4), strict=True))
    accused = [f"{name}: {words}" for name, said in bases.items() for words in said.grave]
    counted = [(fault, said, new) for fault, (said, new) in tried if not fault.disputed]
    passed = [fault for fault, said, _ in counted if "PASS" in said.verdicts]
    missed = [fault for fault, _, new in counted if not new]
    written = {
        "bases": len(bases),
        "accused": sorted({words.split(":")[0] for words in accused}),
        "passed": len(passed),
        "disputed": len(tried) - len(counted),
        "lists": {
            name: _tally([new for fault, _, new in counted if fault.file == name])
            for name in sorted({fault.file for fault in every})
        },
        "first_sight": json.loads(FIRST_SIGHT.read_text(encoding="utf-8")),
    }
    print(json.dumps(written, indent=1))
    for family in sorted({fault.family for fault, _, _ in counted}):
        print(f"{family}: {_tally([new for fault, _, new in counted if fault.family == family])}")
    for words, listed in (("accused", accused), ("passed", _named(passed)), ("not seen", _named(missed))):
        print("".join(f"{words}: {item}\n" for item in listed), end="")
    if "--write" in sys.argv:
        WRITTEN.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return 1 if accused or passed else 0


def _tally(found: list[tuple[str, ...]]) -> dict[str, int]:
    """Return how many faults there are, how many were seen, and of how many it is only said what is not shown."""
    seen = [new for new in found if new]
    shown = sum(all("not-shown" in word for word in new) for new in seen)
    return {"faults": len(found), "seen": len(seen), "as_not_shown": shown}


def _named(listed: list[Fault]) -> list[str]:
    return [f"{fault.base}: {fault.flaw}" for fault in listed]


if __name__ == "__main__":
    sys.exit(main())
