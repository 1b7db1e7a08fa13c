"""Start a new importer: its module, a report and the draft of it. `make importer KIND=harness NAME=some-tool`.

The test of the drafts fails until the importer reads the report of that tool.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from string import Template

from dlaudit.audit.importers.index import FOLDERS

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = Path(__file__).resolve().parent / "templates" / "importer.py.txt"
KEY = "samples_per_second"


def main(arguments: list[str]) -> int:
    """Write the files of a new importer; return 2 and change nothing where the name cannot be had."""
    parser = argparse.ArgumentParser(description="Start a new importer.")
    parser.add_argument("kind", choices=FOLDERS, help="the folder of its kind")
    parser.add_argument("name", help="the tool, in small letters with hyphens: some-tool")
    given = parser.parse_args(arguments)
    name = given.name
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        print(f"new_importer: {name!r} is no name; write small letters with hyphens, as in some-tool", file=sys.stderr)
        return 2
    module = ROOT / "audit" / "importers" / given.kind / f"{name.replace('-', '_')}.py"
    if module.exists():
        print(f"new_importer: {module.relative_to(ROOT)} is there already", file=sys.stderr)
        return 2
    for path in scaffold(name, module):
        print(f"wrote {path.relative_to(ROOT)}")
    print("write the importer and its expected draft, then:")
    print(f".venv/bin/python -m pytest tests/audit/importers -k {name}")
    return 0


def scaffold(name: str, module: Path) -> list[Path]:
    """Write the importer, a report, and an empty draft; return the files."""
    text = Template(TEMPLATE.read_text(encoding="utf-8")).substitute(name=name, key=KEY)
    module.write_text(text, encoding="utf-8")
    folder = ROOT / "tests" / "audit" / "importers" / "fixtures" / name / "plain"
    folder.mkdir(parents=True, exist_ok=True)
    report, expected = folder / "report.json", folder / "expected.json"
    report.write_text(json.dumps({"tool": {name: "1.0"}, KEY: 123.40}, indent=1) + "\n", encoding="utf-8")
    expected.write_text("{}\n", encoding="utf-8")
    return [module, report, expected]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
