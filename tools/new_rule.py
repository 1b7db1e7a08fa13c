"""Start a new rule: its module and its test. `make rule CODE=M99 NAME=some-flaw` calls this.

Both work as they are, on a flaw that stands for the real one; what is to be written is in capitals.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from string import Template

from dlaudit.rules.book import FOLDERS
from dlaudit.rules.registry import family_of

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).resolve().parent / "templates"


def main(arguments: list[str]) -> int:
    """Write the files of a new rule; return 2 and change nothing where the code or the name cannot be had."""
    parser = argparse.ArgumentParser(description="Start a new rule.")
    parser.add_argument("code", help="family and number: W0199, M99")
    parser.add_argument("name", help="the flaw, in words with hyphens: some-flaw")
    given = parser.parse_args(arguments)
    problem = refused(given.code, given.name)
    if problem:
        print(f"new_rule: {problem}", file=sys.stderr)
        return 2
    rule, test = (path.relative_to(ROOT) for path in scaffold(given.code, given.name))
    print(f"wrote {rule}\nwrote {test}\nwrite both, then:")
    tests = f"tests/rules/test_book.py tests/rules/test_examples.py {test}"
    print(f".venv/bin/python -m pytest {tests} -k '{given.code} or {rule.stem}'")
    return 0


def refused(code: str, name: str) -> str:
    """Say why a code or a name cannot be had; empty where both can."""
    if not re.fullmatch(r"W[0-9]{4}|[A-Z][0-9]{2}", code) or family_of(code) not in FOLDERS:
        return f"{code!r} is no code; write a family ({', '.join(FOLDERS)}) and two digits, as in W0199 or M99"
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", name):
        return f"{name!r} is no name; write the flaw in small letters with hyphens, as in option-set-mismatch"
    for path in sorted((ROOT / "rules").glob("*/*.py")):
        taken = set(re.findall(r'^    "([A-Za-z0-9-]+)",$', path.read_text(encoding="utf-8"), re.MULTILINE))
        if {code, name} & taken or path.stem == module_of(name):
            return f"{path.relative_to(ROOT)} has that code or name; `dlaudit rules` lists those that are taken"
    return ""


def module_of(name: str) -> str:
    """Return the name of the module and of the function."""
    return name.replace("-", "_")


def scaffold(code: str, name: str) -> tuple[Path, Path]:
    """Write the rule and its test; return the files."""
    module, folder = module_of(name), FOLDERS[family_of(code)]
    rule = ROOT / "rules" / folder / f"{module}.py"
    test = ROOT / "tests" / "rules" / folder / f"test_{module}.py"
    for path, template in ((rule, "rule.py.txt"), (test, "test_rule.py.txt")):
        text = Template((TEMPLATES / template).read_text(encoding="utf-8"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.substitute(code=code, name=name, module=module), encoding="utf-8")
    return rule, test


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
