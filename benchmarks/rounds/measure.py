"""What lint says of published rounds of the MLPerf suites, and whether each accusation was judged to be true.

`DLAUDIT_ROUNDS` names a folder with rounds as their repositories are laid out: `training_results_v5.1/SUBMITTER/`,
`hpc_results_v3.0/SUBMITTER/`, `inference_results_v5.1/DIVISION/SUBMITTER/`. A file `ROUND.missing` beside a round lists
paths that the copy lacks; a result that lacks a file is left out. Each submitter's folder is judged twice: where it
lies, and under a path that names no round, as logs are before they are handed in.

An accusing finding is a violation that refutes or undermines. `findings.jsonl` holds those that were judged from the
files, each with its round, the SHA-256 of the result's path below the folder of rounds (empty for a finding on a
submitter's folder as a whole: then of that folder's path), rule, branch, judgement and the kind of evidence; it names
nobody. A judgement is true; false, where the rule misread or holds a convention that is none; or unfair, where what it
says is right and harmless.

    measure.py                    judge all rounds; print figures by round, and findings that are not judged to be true
    measure.py ROUND ...          judge these rounds alone
    measure.py --write FILE       write every accusing finding with its message, one JSON object a line

What was said before any rule was mended for it stays written in `first_sight.json`, by round.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from dlaudit.audit.lint.lint import Linted
from dlaudit.audit.lint.paths import lint_paths
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.report import Verdict
from dlaudit.schemas.errors import UserError

ROOT = Path(__file__).parents[2]
JUDGED = ROOT / "benchmarks" / "data" / "rounds" / "findings.jsonl"
GRAVE = ("refutes", "undermines")
KNOWN, UNKNOWN = "known", "unknown"


@dataclass(frozen=True, slots=True)
class Accusation:
    """A violation that refutes or undermines.

    Attributes:
        round: name of its repository.
        seen: whether the round was known.
        result: path of the result below the folder of rounds, or of the submitter's folder.
        rule: code.
        branch: letter.
        confidence: C1 to C3.
        message: what was said.
        claim: id in the draft; empty for a finding on the whole.
    """

    round: str
    seen: str
    result: str
    rule: str
    branch: str
    confidence: str
    message: str
    claim: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What the list of judgements knows it by."""
        return self.round, sha256(self.result.encode()).hexdigest(), self.rule, self.branch


@dataclass(frozen=True, slots=True)
class Judged:
    """What is said of a submitter's folder: results and their verdicts, and the accusations."""

    round: str
    seen: str
    verdicts: tuple[str, ...]
    accusations: tuple[Accusation, ...]
    refused: str = ""


def submitters(rounds: Path, wanted: Iterable[str] = ()) -> list[Path]:
    """Return the folders of all submitters, below the folder of rounds."""
    names = set(wanted)
    homes = [home for home in rounds.glob("*_results_v*") if home.is_dir() and (not names or home.name in names)]
    found = [path.parent for home in homes for depth in ("*", "*/*") for path in home.glob(f"{depth}/results")]
    return sorted(path.relative_to(rounds) for path in found)


def missing(rounds: Path, name: str) -> frozenset[str]:
    """Return the folders of a round whose files are not all there."""
    path = rounds / f"{name}.missing"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return frozenset(f"{name}/{line.rpartition('/')[0]}" for line in lines)


def judge(rounds: Path, submitter: Path, seen: str) -> Judged:
    """Lint a submitter's folder, under its own path or under one that names no round."""
    name = submitter.parts[0]
    with tempfile.TemporaryDirectory() as scratch:
        home = rounds / submitter
        if seen == UNKNOWN:
            home = Path(scratch) / "submission" / Path(*submitter.parts[1:])
            shutil.copytree(rounds / submitter, home, copy_function=_linked)
        try:
            linted = lint_paths([str(home)], Settings(today="2026-01-01"))
        except UserError as error:
            return Judged(name, seen, (), (), f"{submitter}: {error}")
    lacking = missing(rounds, name)
    found = [each for item in linted for each in _accusations(item, submitter, seen, lacking)]
    verdicts = [
        Verdict(claim.verdict).words
        for item in linted
        for claim in item.report.claims
        if not _lacks(_folder(item, claim.id, submitter), lacking)
    ]
    refused = [item.report.findings[0].message for item in linted if item.report.verdict is None]
    return Judged(name, seen, tuple(verdicts), tuple(found), f"{submitter}: {refused[0]}" if refused else "")


def _linked(source: str, target: str) -> None:
    """Link a file where the file system lets us, else copy it."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def _accusations(item: Linted, submitter: Path, seen: str, lacking: frozenset[str]) -> Iterator[Accusation]:
    for finding in item.report.all_findings:
        if finding.outcome == "violation" and finding.effect in GRAVE:
            folder = _folder(item, finding.claim, submitter)
            if not _lacks(folder, lacking):
                how = finding.branch, finding.confidence, finding.message, finding.claim or ""
                yield Accusation(submitter.parts[0], seen, folder, finding.code, *how)


def _folder(item: Linted, claim: str | None, submitter: Path) -> str:
    """Return the path of a claim's result."""
    submission = item.case.submission
    measured = submission.claims[claim].measured if claim is not None else None
    folder = submission.arms[measured.arm].folder if measured is not None else None
    return f"{submitter.as_posix()}/{folder}" if folder else submitter.as_posix()


def _lacks(folder: str, lacking: frozenset[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for path in lacking)


def judgements() -> dict[tuple[str, str, str, str], str]:
    """Return the judgement of every finding that was judged."""
    entries = [json.loads(line) for line in JUDGED.read_text(encoding="utf-8").splitlines()]
    return {(entry["round"], entry["result"], entry["rule"], entry["branch"]): entry["judgement"] for entry in entries}


def measure(rounds: Path, wanted: Iterable[str] = ()) -> list[Judged]:
    """Judge every submitter's folder of some rounds with the round known and unknown."""
    trees = [(path, seen) for seen in (KNOWN, UNKNOWN) for path in submitters(rounds, wanted)]
    with ProcessPoolExecutor(2) as pool:
        paths, seen = zip(*trees, strict=True)
        return list(pool.map(judge, [rounds] * len(trees), paths, seen))


def main() -> int:
    """Judge rounds and print figures.

    Returns:
        1 where a finding that was judged to be true is gone, or one is there that is false, unfair or not judged.
    """
    parser = argparse.ArgumentParser(description="Judge published rounds.")
    parser.add_argument("rounds", nargs="*", help="names of rounds; all that are there where none is named")
    parser.add_argument("--write", metavar="FILE", help="write every accusing finding with its message")
    given = parser.parse_args()
    judged = measure(Path(os.environ["DLAUDIT_ROUNDS"]), given.rounds)
    said = [each for part in judged for each in part.accusations]
    if given.write:
        Path(given.write).write_text("".join(json.dumps(asdict(each)) + "\n" for each in said), encoding="utf-8")
    known = judgements()
    figures = {
        seen: {
            name: _figures([part for part in judged if (part.seen, part.round) == (seen, name)], known)
            for name in sorted({part.round for part in judged})
        }
        for seen in (KNOWN, UNKNOWN)
    }
    print(json.dumps(figures, indent=1))
    for part in judged:
        if part.refused:
            print(f"refused ({part.seen}): {part.refused}")
    bad = [each for each in said if known.get(each.key) != "true"]
    for each in bad:
        how = known.get(each.key, "not judged")
        print(f"{how} ({each.seen}): {each.result} {each.rule} {each.branch} {each.message[:200]}")
    names = {part.round for part in judged}
    there = {each.key for each in said if each.seen == KNOWN}
    gone = [key for key, judgement in known.items() if judgement == "true" and key[0] in names and key not in there]
    for key in gone:
        print(f"gone: {' '.join(key)}")
    return 1 if bad or gone else 0


def _figures(parts: list[Judged], known: dict[tuple[str, str, str, str], str]) -> dict[str, int]:
    verdicts = Counter(words for part in parts for words in part.verdicts)
    keys = {each.key for part in parts for each in part.accusations}
    how = Counter(known.get(key, "not judged") for key in keys)
    return {
        "results": verdicts.total(),
        "fail": verdicts["FAIL"],
        "accusations": len(keys),
        **{words: how[words] for words in ("true", "false", "unfair", "not judged") if how[words]},
    }


if __name__ == "__main__":
    sys.exit(main())
