"""Print the tests that a change touches, nearest first. `make check` runs them.

A test is near a file where it stands as the file does (rules/way01/x.py, tests/rules/way01/test_x.py), where it imports
it, or where it names the code of its rule. What imports the file follows, then what imports that.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("schemas", "rules", "runners", "audit")
MOST = 20
"""How many files of tests are printed, unless told otherwise: as many as run in half a minute."""

IMPORT = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)", re.MULTILINE)
CODE = re.compile(r'^@\w*rule\(\s*"([A-Z]\d+)"', re.MULTILINE)


def main(arguments: list[str]) -> int:
    """Print the tests of what differs from the main branch, committed or not; return 0."""
    parser = argparse.ArgumentParser(description="Print the tests that a change touches, nearest first.")
    parser.add_argument("files", nargs="*", help="files to take for changed, in place of what git says")
    parser.add_argument("--most", type=int, default=MOST, help="print so many files at most")
    given = parser.parse_args(arguments)
    found = touched(given.files or changed(ROOT), sources(ROOT))
    print("\n".join(found[: given.most]))
    if len(found) > given.most:
        print(f"{len(found) - given.most} more files of tests are left to make test", file=sys.stderr)
    return 0


def changed(root: Path) -> list[str]:
    """Return the files that differ from where the branch left main, those that git does not know yet included."""

    def git(*command: str) -> list[str]:
        done = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=False)
        return done.stdout.split("\n")[:-1] if done.returncode == 0 else []

    base = (git("merge-base", "main", "HEAD") or ["HEAD"])[0]
    return sorted({*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")})


def sources(root: Path) -> dict[str, str]:
    """Return the text of every Python file of the floors, the tools, the benchmarks and the tests, by its path."""
    folders = (*FLOORS, "tools", "benchmarks", "tests")
    paths = (path for folder in folders for path in (root / folder).rglob("*.py"))
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def touched(files: Iterable[str], texts: Mapping[str, str]) -> list[str]:
    """Return the files of tests that a change of some files touches: theirs, then those of what imports them."""
    importers = _importers(texts)
    tests: dict[str, None] = {}
    level, seen = [_module(name, texts) for name in files], set()
    while level:
        seen.update(level)
        for name in level:
            tests.update(dict.fromkeys(near(name, texts)))
        level = sorted({user for name in level for user in importers.get(name, ())} - seen)
    return list(tests)


def near(name: str, texts: Mapping[str, str]) -> list[str]:
    """Return the tests that stand as a file does, and those that name the code of a rule in it."""
    path = PurePosixPath(name)
    if path.parts[0] == "tests":
        if path.name == "conftest.py":
            return sorted(test for test in texts if _is_test(test) and path.parent in PurePosixPath(test).parents)
        return [name] if _is_test(name) and name in texts else []
    stem = re.compile(rf"test_{re.escape(path.stem)}(_\w+)?\.py")
    own = [
        test
        for test in sorted(texts)
        if stem.fullmatch(PurePosixPath(test).name) and PurePosixPath(test).parent in _folders(path)
    ]
    codes = [f'"{code}"' for code in CODE.findall(texts.get(name, ""))]
    rules = [test for test in sorted(texts) if _is_test(test) and test.startswith("tests/rules/")]
    return own + [test for test in rules if any(code in texts[test] for code in codes)]


def _folders(path: PurePosixPath) -> list[PurePosixPath]:
    """Return the folders of tests that mirror the folder of a file and those above it."""
    return [PurePosixPath("tests") / folder for folder in path.parents if folder.parts]


def _is_test(name: str) -> bool:
    return name.startswith("tests/") and PurePosixPath(name).name.startswith("test_")


def _module(name: str, texts: Mapping[str, str]) -> str:
    """Return the module that reads a file of data: of word lists the reader, else the one beside it of its name."""
    if name.startswith("rules/tables/lexicon/"):
        return "rules/language/lexicon.py"
    beside = PurePosixPath(name).with_suffix(".py").as_posix()
    return beside if beside in texts else name


def _importers(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """Return the files that import a file, by its path."""
    found: dict[str, set[str]] = {}
    for name, text in texts.items():
        for origin, names in IMPORT.findall(text):
            for target in _targets(name, origin, re.findall(r"\w+", names), texts):
                found.setdefault(target, set()).add(name)
    return found


def _targets(name: str, origin: str, names: Iterable[str], texts: Mapping[str, str]) -> list[str]:
    """Return the files that a line `from origin import names` of a file reads."""
    dots = len(origin) - len(origin.lstrip("."))
    steps = [step for step in origin.lstrip(".").split(".") if step]
    if dots:
        steps = [*PurePosixPath(name).parts[:-dots], *steps]
    elif steps[:1] == ["dlaudit"]:
        steps = steps[1:]
    elif steps[:1] == ["support"]:
        steps = ["tests", "rules", *steps]
    folder = "/".join(steps)
    inside = [f"{folder}/{item}.py" for item in names]
    return [path for path in (f"{folder}.py", *inside) if path in texts]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
