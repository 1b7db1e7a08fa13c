"""Lint in bulk: documents and (rule x claim) decisions a second, beside validating the same document with jsonschema.

The document is the example of the schemas with its claims doubled and its raw numbers left out: four claims in at most
10 KB. One process first, the least of some passes; then a folder of copies through the command with `--jobs 2`, with
its start-up.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dlaudit.audit.lint.lint import lint
from dlaudit.audit.lint.read import read_documents
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.renderers.text import render
from dlaudit.rules.book import entries
from dlaudit.schemas.source import read
from dlaudit.schemas.validation import FOLDER, schema
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

COPIES, PASSES = 600, 40
EXAMPLE = FOLDER.parent / "examples" / "submission.yaml"


def reference() -> dict[str, Any]:
    """Return the document."""
    value = read(EXAMPLE).value
    assert isinstance(value, dict)
    arms = {
        name: {key: item for key, item in arm.items() if key not in {"trials", "plan"}}
        for name, arm in value["arms"].items()
    }
    claims = value["claims"] | {f"{name}-again": claim for name, claim in value["claims"].items()}
    return {**value, "arms": arms, "claims": claims}


def least_s(work: Callable[[], object], passes: int) -> float:
    """Return the shortest of some passes, in seconds."""
    times = []
    for _ in range(passes):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def peer(value: object) -> Callable[[], object]:
    """Return a call of jsonschema that validates the document against our schema."""
    schemas = [json.loads(path.read_bytes()) for path in FOLDER.glob("*.schema.json")]
    registry = Registry().with_resources((item["$id"], Resource.from_contents(item)) for item in schemas)
    validator = Draft202012Validator(schema("submission"), registry=registry)
    return lambda: validator.is_valid(value)


def folder_s(folder: Path) -> float:
    """Return the seconds of one lint of a folder in two processes."""
    tool = str(Path(sys.executable).with_name("dlaudit"))
    command = [tool, "lint", "--jobs", "2", "--fail-on", "never", "--no-config", str(folder)]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Print the figures."""
    value, settings = reference(), Settings()
    data = json.dumps(value).encode()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(COPIES):
            (folder / f"{number:03}.json").write_bytes(data)
        one = str(folder / "000.json")
        linted = lint(read_documents([one])[0], settings)
        lint_s = least_s(lambda: render(lint(read_documents([one])[0], settings).report), PASSES)
        peer_s = least_s(peer(value), PASSES)
        bulk_s = min(folder_s(folder) for _ in range(2))
    decisions, claims = linted.decisions, len(value["claims"])
    print(f"{len(data):,} bytes, {claims} claims, {len(entries())} rules, {decisions} decisions")
    print(f"  one process  {1 / lint_s:6.0f} documents/s  {decisions / lint_s:9,.0f} decisions/s (least of {PASSES})")
    print(f"  --jobs 2     {COPIES / bulk_s:6.0f} documents/s ({COPIES} copies, start-up included)")
    print(f"  jsonschema   {1 / peer_s:6.0f} documents/s validated, {peer_s / lint_s:.1f} x the time of the lint")


if __name__ == "__main__":
    main()
