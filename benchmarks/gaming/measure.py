"""Whether an author who knows the rules can talk dlaudit out of a verdict.

`benchmarks/data/gaming/bases/` holds flawed and honest documents; `edits.jsonl` holds changes to them, written from the
pages of the documentation by somebody who saw no code and never ran a changed document:

    id, base   a name, and the folder that is changed
    honest     whether an honest author makes the change
    kind       what is changed: fields, words, links, files, configuration, disclosures, numbers, evidence, ...
    what       one line: what is done, and why it should look better
    edit       operations on files: patch (RFC 6902), replace [OLD, NEW], write, write_base64, move, remove, link
    run        "folder" (started inside it), "folder-from-above", or {"file": NAME}
    options    what the reader adds to the command line
    disputed   why the change is no better verdict for the same claim: judged afterwards, listed, not counted

A dishonest change succeeds where the verdict or the exit code gets better. An honest one is punished where either gets
worse. What happened before any rule was mended for it stays written in `first_sight.json`.

    measure.py            judge everything and print the table
    measure.py --write    write docs/gaming.json too, which a page shows
    measure.py --only ID  print the reports before and after one change
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlaudit.audit.cli import run
from dlaudit.schemas.source import parse

ROOT = Path(__file__).parents[2]
DATA = ROOT / "benchmarks" / "data" / "gaming"
WRITTEN = ROOT / "docs" / "gaming.json"
VERDICTS = ("FAIL", "INSUFFICIENT EVIDENCE", "PASS WITH CAVEATS", "PASS")
NOTHING_TO_ASSESS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a base."""

    id: str
    base: str
    honest: bool
    kind: str
    what: str
    edit: Sequence[Mapping[str, Any]]
    run: str | Mapping[str, str] = "folder"
    options: Sequence[str] = ()
    disputed: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """The worst verdict of what was handed in, and the exit code."""

    verdict: str
    exit_code: int

    @property
    def rank(self) -> tuple[int, int]:
        """How good it looks: refused documents look as bad as failed ones, an exit code of 0 better than any other."""
        unread = "INSUFFICIENT EVIDENCE" if self.exit_code == NOTHING_TO_ASSESS else "FAIL"
        return VERDICTS.index(self.verdict or unread), int(self.exit_code == 0)


def changes() -> list[Change]:
    """Read every change."""
    lines = (DATA / "edits.jsonl").read_text(encoding="utf-8").splitlines()
    return [Change(**json.loads(line)) for line in lines]


def apply(change: Change, folder: Path) -> None:
    """Change the files of a copied base.

    Raises:
        ValueError: the base does not hold what is to be changed.
        OSError: a file cannot be changed.
    """
    for operation in change.edit:
        path = folder / operation["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if "patch" in operation:
            _patch(path, operation["patch"])
        elif "replace" in operation:
            old, new = operation["replace"]
            text = path.read_text(encoding="utf-8")
            if text.count(old) != 1:
                raise ValueError(f"{path.name} holds {old!r} {text.count(old)} times")
            path.write_text(text.replace(old, new), encoding="utf-8")
        elif "write" in operation:
            path.write_text(operation["write"], encoding="utf-8")
        elif "write_base64" in operation:
            path.write_bytes(base64.b64decode(operation["write_base64"]))
        elif "move" in operation:
            target = folder / operation["move"]
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)
        elif "link" in operation:
            path.symlink_to(operation["link"])
        elif "remove" in operation:
            path.unlink()
        else:
            raise ValueError(f"unknown operation: {sorted(operation)}")


def _patch(path: Path, operations: Sequence[Mapping[str, Any]]) -> None:
    """Apply a JSON Patch (RFC 6902) to a file; YAML is written back as JSON."""
    document: Any = parse(path.read_bytes(), path.name).value
    for operation in operations:
        value = operation.get("value")
        if "from" in operation:
            holder, last = _holder(document, operation["from"])
            value = deepcopy(holder[last])
            if operation["op"] == "move":
                del holder[last]
        holder, last = _holder(document, operation["path"])
        if operation["op"] == "remove":
            del holder[last]
        elif isinstance(holder, list) and operation["op"] != "replace":
            holder.insert(last, value)
        else:
            holder[last] = value
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")


def _holder(document: Any, pointer: str) -> tuple[Any, Any]:
    """Return what holds the value at a JSON Pointer, and its key or number there."""
    *parts, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in parts:
        document = document[int(part) if isinstance(document, list) else part]
    if isinstance(document, list):
        return document, len(document) if last == "-" else int(last)
    return document, last


def judge(base: str, change: Change, changed: bool) -> tuple[Judged, str]:
    """Lint a copy of a base as the change says, changed or not; return the outcome and what was printed.

    Raises:
        ValueError, OSError: the change cannot be applied.
    """
    with tempfile.TemporaryDirectory() as root:
        os.environ["XDG_STATE_HOME"] = os.environ["XDG_CONFIG_HOME"] = str(Path(root) / "home")
        folder = Path(root) / "handed" / base
        shutil.copytree(DATA / "bases" / base, folder, symlinks=True)
        if changed:
            apply(change, folder)
        inside = change.run != "folder-from-above"
        what = change.run["file"] if isinstance(change.run, Mapping) else "." if inside else base
        with contextlib.chdir(folder if inside else folder.parent):
            return _lint([what, *change.options])


def _lint(arguments: Sequence[str]) -> tuple[Judged, str]:
    heard, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(complaints):
        code = run(["lint", *arguments, "--format", "json"])
    printed = heard.getvalue()
    documents = json.loads(printed)["documents"] if printed.startswith("{") else []
    verdicts = [each["verdict"] for each in documents if each.get("verdict") in VERDICTS]
    worst = min(verdicts, key=VERDICTS.index) if verdicts else ""
    return Judged(worst, code), printed + complaints.getvalue()


def attempt(change: Change) -> tuple[Judged, Judged]:
    """Return what is said before and after a change."""
    return judge(change.base, change, changed=False)[0], judge(change.base, change, changed=True)[0]


def moved(before: Judged, after: Judged) -> int:
    """Return 1 where verdict or exit code got better, -1 where one got worse and neither better, else 0."""
    pairs = tuple(zip(before.rank, after.rank, strict=True))
    return 1 if any(new > old for old, new in pairs) else -1 if any(new < old for old, new in pairs) else 0


def main() -> int:
    """Judge every base and change, and print how many dishonest changes succeed and honest ones are punished, by kind.

    Returns:
        1 where an undisputed dishonest change succeeds or an honest one is punished, else 0.
    """
    every = changes()
    if "--only" in sys.argv:
        wanted = sys.argv[sys.argv.index("--only") + 1]
        for change in (each for each in every if each.id == wanted):
            for changed in (False, True):
                print(*judge(change.base, change, changed), sep="\n")
        return 0
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        tried = list(zip(every, pool.map(attempt, every, chunksize=4), strict=True))
    wrong = [(change, *pair) for change, pair in tried if moved(*pair) == (-1 if change.honest else 1)]
    counted = [change for change in every if not change.disputed]
    tables = {}
    for name, honest in (("dishonest", False), ("honest", True)):
        kinds = Counter(change.kind for change in counted if change.honest is honest)
        failed = Counter(change.kind for change, *_ in wrong if change.honest is honest and not change.disputed)
        tables[name] = {kind: {"changes": kinds[kind], "wrong": failed[kind]} for kind in sorted(kinds)}
        print(f"{name}: {failed.total()} of {kinds.total()} " + ("punished" if honest else "got a better verdict"))
        for kind, numbers in tables[name].items():
            print(f"  {kind:24} {numbers['wrong']:3} of {numbers['changes']}")
    for change, before, after in wrong:
        mark = " (disputed)" if change.disputed else ""
        print(f"{change.id}{mark}: {_said(before)} -> {_said(after)}: {change.what}")
    if "--write" in sys.argv:
        sight = json.loads((DATA / "first_sight.json").read_text(encoding="utf-8"))
        disputed = sum(bool(change.disputed) for change in every)
        written = {**tables, "disputed": disputed, "first_sight": sight}
        WRITTEN.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    return int(any(not change.disputed for change, *_ in wrong))


def _said(judged: Judged) -> str:
    return f"{judged.verdict or 'no verdict'} ({judged.exit_code})"


if __name__ == "__main__":
    sys.exit(main())
