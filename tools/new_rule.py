"""Start a new rule: its module, its test and its line in the book. `make rule CODE=M99 NAME=some-flaw` calls this.

The rule's examples and its test fail until the rule is written.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).resolve().parent / "templates"
FOLDERS = {
    **{f"W{number:02}": f"way{number:02}" for number in range(1, 13)},
    "M": "methodology",
    "S": "uncertainty",
    "P": "bounds",
    "E": "energy",
    "L": "serving",
    "F": "forensics",
    "R": "reproducibility",
    "I": "integrity",
    "B": "plots",
    "Q": "suite",
    "D": "document",
}


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
    for path in scaffold(given.code, given.name):
        print(f"wrote {path.relative_to(ROOT)}")
    print(f"write the rule, then: python -m pytest tests/rules -k '{given.code} or {module_of(given.name)}'")
    return 0


def refused(code: str, name: str) -> str:
    """Say why a code or a name cannot be had; empty where both can."""
    if not re.fullmatch(r"W(0[1-9]|1[0-2])[0-9]{2}|[A-Z][0-9]{2}", code) or family(code) not in FOLDERS:
        return f"{code!r} is no code; write a family ({', '.join(FOLDERS)}) and two digits, as in W0199 or M99"
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", name):
        return f"{name!r} is no name; write the flaw in small letters with hyphens, as in option-set-mismatch"
    for path in sorted((ROOT / "rules").glob("*/*.py")):
        taken = set(re.findall(r'^    "([A-Za-z0-9-]+)",$', path.read_text(encoding="utf-8"), re.MULTILINE))
        if {code, name} & taken or path.stem == module_of(name):
            return f"{path.relative_to(ROOT)} has that code or name; `dlaudit rules` lists those that are taken"
    return ""


def family(code: str) -> str:
    """Return the family of a code: W01 to W12, or its leading letter."""
    return code[:3] if code.startswith("W") else code[0]


def module_of(name: str) -> str:
    """Return the name of the module and of the function."""
    return name.replace("-", "_")


def scaffold(code: str, name: str) -> list[Path]:
    """Write the rule, its test and its line in the book; return the files."""
    module, folder = module_of(name), FOLDERS[family(code)]
    rule = ROOT / "rules" / folder / f"{module}.py"
    test = ROOT / "tests" / "rules" / f"test_{module}.py"
    book = ROOT / "rules" / "book.py"
    values = {"code": code, "name": name, "module": module}
    for target, template in ((rule, "rule.py.txt"), (test, "test_rule.py.txt")):
        text = Template((TEMPLATES / template).read_text(encoding="utf-8")).substitute(values)
        target.write_text(text, encoding="utf-8")
    book.write_text(registered(book.read_text(encoding="utf-8"), folder, module), encoding="utf-8")
    return [rule, test, book]


def registered(text: str, folder: str, module: str) -> str:
    """Return the text of the book with one more module, after the last of its folder."""
    head, start, rest = text.partition("MODULES = (\n")
    body, end, tail = rest.partition(")\n")
    lines = body.splitlines(keepends=True)
    own = [number for number, line in enumerate(lines) if line.startswith(f'    "{folder}.')]
    lines.insert(own[-1] + 1 if own else len(lines), f'    "{folder}.{module}",\n')
    return head + start + "".join(lines) + end + tail


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
