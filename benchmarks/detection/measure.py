"""What the rule book finds of faults that are hidden in honest submissions, and what it says of the honest ones.

`bases/` holds honest submissions: a file NAME.yaml, or a folder NAME of files that are handed in together.
`faults/CODE.yaml` holds a list of faults meant for one rule, written by people who saw the rule's name and the sentence
it comes from, never its code:

    base      name of the honest submission
    claim     the claim that the fault is about; absent where it is about the document
    size      small, medium or large
    flaw      one sentence: what was done
    patch     a JSON merge patch (RFC 7396) over the base, or
    change    for folders, by relative path: {patch: ...}, {write: TEXT}, {replace: [[OLD, NEW], ...]},
              {copy: PATH} (from another file of the base) or {remove: true}
    disputed  why the document does not hold the flaw that is meant, or holds it in an accepted form: judged after the
              rules had been read, listed, and left out of the recall
    options   arguments for `dlaudit lint`, such as [--profile, gate]; the honest base is judged with the same

`faults/second/CODE.yaml` and `faults/third/CODE.yaml` hold later sets of the same form, by other people, each written
after the rules had been mended on those before. What the book found of a set before any rule was mended for it stays
written in `first_sight.json`: the estimate for faults that nobody thought of. So does in `honest_first_sight.json`
which rules accused an honest submission by a violation that refutes or undermines, before they were mended for it, one
set after the other; null stands for those on which the rules were developed.

A fault is found by a rule that says of the document with the fault what it does not say of the honest one: a violation,
or that something is not shown, in a finding, in a member of the completeness finding, or in a claim's coverage. Where
the rule misses evidence in the honest base, too, the fault counts as found only if the rule says something else of it;
these are counted apart, and so are faults that only another rule found.

    measure.py            judge everything and print the tables
    measure.py --write    write docs/detection.json too, which the rules' pages show
    measure.py --first    judge what first_sight.json does not hold yet of the later sets, and write it there
    measure.py --check F  only see that the faults of a file can be applied and stay valid documents
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from dlaudit.audit.cli import run
from dlaudit.rules.book import book
from dlaudit.rules.documentation import merge_patch

ROOT = Path(__file__).parents[2]
DATA = ROOT / "benchmarks" / "data" / "detection"
BASES, FAULTS, WRITTEN = DATA / "bases", DATA / "faults", ROOT / "docs" / "detection.json"
LATER, FIRST_SIGHT = ("second", "third"), DATA / "first_sight.json"
HONEST_FIRST_SIGHT = DATA / "honest_first_sight.json"
SIZES = ("small", "medium", "large")
GRAVE = ("refutes", "undermines")
INVALID = "D01"
"""The rule on documents that do not fit their schema: it speaks by exit code 2, and no other rule speaks then."""


class Unreadable(RuntimeError):
    """What was handed in is not readable or not valid."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault meant for one rule, hidden in an honest base."""

    code: str
    base: str
    size: str
    flaw: str
    claim: str | None = None
    patch: Mapping[str, Any] = field(default_factory=dict)
    change: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    disputed: str = ""
    later: str = ""
    """The later set that it is of; empty for the first."""


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of one document: (claim or "", code, outcome, message), and the grave violations among them."""

    words: frozenset[tuple[str, str, str, str]]
    grave: frozenset[tuple[str, str]]
    verdicts: frozenset[str]

    @property
    def codes(self) -> frozenset[tuple[str, str, str]]:
        """The same without the messages."""
        return frozenset(word[:3] for word in self.words)


@dataclass(frozen=True, slots=True)
class Tried:
    """A fault with the codes of the rules that found it."""

    fault: Fault
    found_by: frozenset[str]
    by_words: frozenset[str]
    """Those that say the same of the honest base in other words only."""
    passes: bool
    """Whether the verdict is PASS in spite of the fault."""

    @property
    def found(self) -> bool:
        """Whether the rule that it was meant for found it."""
        return self.fault.code in self.found_by


def faults(path: Path) -> tuple[Fault, ...]:
    """Read the faults of a file.

    Raises:
        ValueError: a fault has an unknown field, base or size.
    """
    read = []
    for number, entry in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")) or []):
        options = tuple(entry.pop("options", ()))
        later = path.parent.name if path.parent.name in LATER else ""
        fault = Fault(code=path.stem, options=options, later=later, **entry)
        if fault.size not in SIZES or not _base(fault.base).exists():
            raise ValueError(f"{path.name}, fault {number}: size {fault.size!r} or base {fault.base!r} is unknown")
        read.append(fault)
    return tuple(read)


def _base(name: str) -> Path:
    file = BASES / f"{name}.yaml"
    return file if file.exists() else BASES / name


def hide(fault: Fault, folder: Path) -> Path:
    """Write a base with a fault in it beneath an empty folder and return what to hand in."""
    base = _base(fault.base)
    if base.is_file():
        target = folder / base.name
        document = merge_patch(yaml.safe_load(base.read_text(encoding="utf-8")), fault.patch)
        target.write_text(json.dumps(document, indent=1), encoding="utf-8")
        return target
    target = folder / fault.base
    shutil.copytree(base, target)
    for path, how in fault.change.items():
        _change(target / path, how, base)
    return target


def _change(path: Path, how: Mapping[str, Any], base: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if "remove" in how:
        path.unlink()
    if "copy" in how:
        shutil.copyfile(base / how["copy"], path)
    if "write" in how:
        path.write_text(how["write"], encoding="utf-8")
    if "patch" in how:
        path.write_text(json.dumps(merge_patch(json.loads(path.read_text("utf-8")), how["patch"])), encoding="utf-8")
    for old, new in how.get("replace", ()):
        text = path.read_text(encoding="utf-8")
        if old not in text:
            raise ValueError(f"{path.name} does not hold {old!r}")
        path.write_text(text.replace(old, new), encoding="utf-8")


def judge(path: Path, options: tuple[str, ...]) -> Said:
    """Lint what is handed in, through the command line, and gather what was said.

    Raises:
        Unreadable: the document is not readable or not valid.
        RuntimeError: the linter broke.
    """
    heard, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(complaints):
        code = run(["lint", str(path), "--no-config", "--format", "json", *options])
    if code == 2:
        raise Unreadable(complaints.getvalue())
    if code not in {0, 1, 3} or not heard.getvalue():
        raise RuntimeError(f"exit code {code}: {complaints.getvalue()}{heard.getvalue()[:2000]}")
    documents = json.loads(heard.getvalue())["documents"]
    words = frozenset(word for document in documents for word in _words(document))
    grave = frozenset(
        (name, finding["code"])
        for document in documents
        for name, finding in _findings(document)
        if finding["outcome"] == "violation" and finding["effect"] in GRAVE
    )
    return Said(words, grave, frozenset(str(document["verdict"]) for document in documents))


def _findings(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for finding in document["findings"]:
        yield "", finding
    for name, claim in document["claims"].items():
        for finding in claim["findings"]:
            yield name, finding


def _words(document: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    spoken = set()
    for name, finding in _findings(document):
        for code in (finding["code"], *finding["also"]):
            spoken.add((name, code))
            yield name, code, finding["outcome"], finding["message"]
        for member in finding.get("members", ()):
            spoken.add(("", member["code"]))
            yield "", member["code"], "not-shown", member["message"]
    for name, claim in document["claims"].items():
        for code in claim["coverage"]["not_shown"]:
            if not spoken & {(name, code), ("", code)}:
                yield name, code, "not-shown", ""


@cache
def honest(name: str, options: tuple[str, ...] = ()) -> Said:
    """Return what is said of an honest base."""
    return judge(_base(name), options)


def attempt(fault: Fault) -> Tried:
    """Hide a fault and see who finds it.

    Raises:
        Unreadable: the document with the fault is not valid, and the fault is not meant to make it so.
    """
    with tempfile.TemporaryDirectory() as folder:
        try:
            said = judge(hide(fault, Path(folder)), fault.options)
        except Unreadable:
            if fault.code != INVALID:
                raise
            return Tried(fault, frozenset({INVALID}), frozenset(), passes=False)
    base = honest(fault.base, fault.options)
    in_words = {code for _, code, _, _ in said.words - base.words}
    anew = {code for _, code, _ in said.codes - base.codes}
    return Tried(fault, frozenset(in_words | anew), frozenset(in_words - anew), said.verdicts == {"PASS"})


def check(path: Path) -> None:
    """Print which faults of a file cannot be applied, or leave no valid document."""
    for number, fault in enumerate(faults(path)):
        with tempfile.TemporaryDirectory() as folder:
            try:
                judge(hide(fault, Path(folder)), fault.options)
            except (RuntimeError, ValueError, OSError) as error:
                if fault.code != INVALID or not isinstance(error, Unreadable):
                    print(f"{path.name}, fault {number}: {error}")


def attempts(every: list[Fault]) -> list[Tried]:
    """Hide every fault, on all processors."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(attempt, every, chunksize=8))


def _place(path: Path) -> tuple[str, str]:
    return path.stem, path.parent.name


def seen_at_first() -> dict[str, dict[str, dict[str, bool]]]:
    """Return whether the faults of the later sets were found at first sight, by set, rule and flaw."""
    seen: dict[str, dict[str, dict[str, bool]]] = json.loads(FIRST_SIGHT.read_text("utf-8"))
    return seen


def accused_at_first() -> list[dict[str, list[str] | None]]:
    """Return, for each set of honest submissions, which rules accused one at first sight, by its name."""
    sets: list[dict[str, list[str] | None]] = json.loads(HONEST_FIRST_SIGHT.read_text("utf-8"))
    return sets


def first_sight() -> None:
    """Judge the later faults and honest submissions that were never judged, and write down what was said of them."""
    seen = seen_at_first()
    for later in LATER:
        known = seen.setdefault(later, {})
        meant = [fault for path in sorted((FAULTS / later).glob("*.yaml")) for fault in faults(path)]
        for item in attempts([fault for fault in meant if fault.flaw not in known.get(fault.code, {})]):
            known.setdefault(item.fault.code, {})[item.fault.flaw] = item.found
    FIRST_SIGHT.write_text(json.dumps(seen, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    sets = accused_at_first()
    fresh = sorted({path.stem for path in BASES.iterdir()}.difference(*sets))
    sets += [{name: sorted({code for _, code in honest(name).grave}) for name in fresh}] if fresh else []
    HONEST_FIRST_SIGHT.write_text(json.dumps(sets, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def main() -> None:
    """Judge the bases and the faults; print what was found."""
    if "--check" in sys.argv:
        for name in sys.argv[sys.argv.index("--check") + 1 :]:
            check(Path(name))
        return
    if "--first" in sys.argv:
        first_sight()
        return
    bases = {name: honest(name) for name in sorted(path.stem for path in BASES.iterdir())}
    tried = attempts([fault for path in sorted(FAULTS.rglob("*.yaml"), key=_place) for fault in faults(path)])
    table = _by_rule(tried, bases)
    _print(table, tried, bases)
    if "--write" in sys.argv:
        counted = [item for item in tried if not item.fault.disputed]
        written = {
            "bases": len(bases),
            "faults": len(counted),
            "found": sum(item.found for item in counted),
            "in_other_words": sum(item.fault.code in item.by_words for item in counted),
            "passed": sum(item.passes for item in counted),
            "disputed": len(tried) - len(counted),
            "first_sight": _at_first(counted),
            "honest_first_sight": _honest_at_first(),
            "accused": sorted({f"{name}: {code}" for name, said in bases.items() for _, code in said.grave}),
            "rules": table,
        }
        WRITTEN.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def _at_first(counted: list[Tried]) -> dict[str, dict[str, int]]:
    """Return, by later set, how many undisputed faults it has and how many of them were found at first sight."""
    seen = seen_at_first()
    found: dict[str, list[bool]] = {later: [] for later in LATER}
    for item in counted:
        looked = seen.get(item.fault.later, {}).get(item.fault.code, {})
        if item.fault.flaw in looked:
            found[item.fault.later].append(looked[item.fault.flaw])
    return {later: {"faults": len(each), "found": sum(each)} for later, each in found.items()}


def _honest_at_first() -> list[dict[str, int]]:
    """Return, for each later set of honest submissions, how many were judged at first sight, and how many accused."""
    _, *later = accused_at_first()
    return [{"submissions": len(each), "accused": sum(bool(codes) for codes in each.values())} for each in later]


def _print(table: Mapping[str, Mapping[str, int]], tried: list[Tried], bases: Mapping[str, Said]) -> None:
    print(f"{len(bases)} honest bases, {len(tried)} faults for {len(table)} rules\n")
    print("| rule | faults | found | found only by another rule | violations on honest bases |\n|---|---|---|---|---|")
    for code, row in table.items():
        print(f"| {code} | {row['faults']} | {row['found']} | {row['by_another']} | {row['false_violations']} |")
    disputed = [item for item in tried if item.fault.disputed]
    tried = [item for item in tried if not item.fault.disputed]
    print(f"\nrecall {sum(item.found for item in tried) / max(1, len(tried)):.3f} of {len(tried)} faults")
    for later, first in _at_first(tried).items():
        print(f"of the {later} set {first['found']} of {first['faults']} were found at first sight")
    for each in _honest_at_first():
        print(f"of {each['submissions']} later honest submissions {each['accused']} were accused at first sight")
    doubtful = sum(item.fault.code in item.by_words for item in tried)
    print(f"of these {doubtful} where the rule misses evidence in the honest base, too, and says so in other words")
    print(f"verdict PASS in spite of the fault: {sum(item.passes for item in tried)}")
    weak = [code for code, row in table.items() if 3 * row["found"] < 2 * row["faults"]]
    print(f"rules below 2 of 3: {', '.join(weak) or 'none'}")
    bare = [rule.code for rule in book() if rule.code not in table]
    print(f"rules without a fault: {', '.join(bare) or 'none'}")
    for name, said in bases.items():
        for claim, code in sorted(said.grave):
            print(f"false violation on {name}, claim {claim or 'none'}: {code}")
    for item in disputed:
        print(f"disputed for {item.fault.code}: {item.fault.flaw} [{item.fault.disputed}]")
    for item in tried:
        if not item.found:
            fault, others = item.fault, ", ".join(sorted(item.found_by)) or "nobody"
            print(f"missed by {fault.code} ({fault.size}, on {fault.base}): {fault.flaw} [found by {others}]")


def _by_rule(tried: list[Tried], bases: Mapping[str, Said]) -> dict[str, dict[str, int]]:
    accused = Counter(code for said in bases.values() for _, code, outcome, _ in said.words if outcome == "violation")
    rows: dict[str, dict[str, int]] = {}
    for item in tried:
        if item.fault.disputed:
            continue
        row = rows.setdefault(
            item.fault.code,
            {"faults": 0, "found": 0, "by_another": 0, "false_violations": accused[item.fault.code]},
        )
        row["faults"] += 1
        row["found"] += item.found
        row["by_another"] += not item.found and bool(item.found_by)
    return rows


if __name__ == "__main__":
    main()
