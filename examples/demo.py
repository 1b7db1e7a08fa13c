"""The whole path once: measure the quickstart, sign, verify, lint it, then lint a doctored copy.

Run by `make demo`. Everything lands in out/demo; the key lives there too and is worth nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
OUT = Path("out") / "demo"
TOOL = str(Path(sys.executable).with_name("dlaudit"))


def dlaudit(*arguments: str | Path, expect: int = 0) -> None:
    """Run one command as a user would, and stop where it does not end as expected."""
    words = [str(argument) for argument in arguments]
    print(f"\n$ dlaudit {' '.join(words)}", flush=True)
    environment = {**os.environ, "XDG_CONFIG_HOME": str(OUT / "config"), "XDG_STATE_HOME": str(OUT / "state")}
    done = subprocess.run([TOOL, *words], env=environment, check=False)
    if done.returncode != expect:
        sys.exit(f"demo: that ended with exit code {done.returncode}, expected {expect}")


def doctored(study: Path, copy: Path) -> None:
    """Copy a study and make its rate three times better, in the manifest and in the submission that cites it."""
    shutil.copytree(study, copy)
    submission = json.loads((copy / "submission.json").read_text())
    manifest = json.loads((copy / "manifest.json").read_text())
    claim = next(item for item in submission["claims"].values() if item["quantity"] == "rate")
    arm = manifest["predicate"]["arms"][claim["measured"]["arm"]]
    better = f"{3 * float(claim['value']):.6g}"
    claim["statement"] = claim["statement"].replace(claim["value"], better)
    claim["value"] = arm["performance"][claim["measured"]["metric"]]["value"] = better
    (copy / "manifest.json").write_text(json.dumps(manifest, indent=1, sort_keys=True))
    (copy / "submission.json").write_text(json.dumps(submission, indent=1))


def main() -> None:
    """Run the demo and say where the reports lie."""
    start = time.monotonic()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    study, copy, trust = OUT / "study", OUT / "doctored", OUT / "trust.json"
    dlaudit("keygen", "--no-passphrase", "--out", OUT / "keys")
    private, public = next((OUT / "keys").glob("*.key")), next((OUT / "keys").glob("*.pub"))
    dlaudit("trust", "init", trust)
    dlaudit("trust", "add", trust, public, "--owner", "this demo")
    dlaudit("run", HERE / "quickstart.yaml", "--out", study, "--key", private, "--ledger", OUT / "ledger.jsonl")
    dlaudit("verify", study, "--trust", trust)
    html = f"html:{OUT / 'report.html'}"
    dlaudit("lint", study, "--trust", trust, "--format", "text", "--format", html, "--fail-on", "insufficient")
    doctored(study, copy)
    html = f"html:{OUT / 'doctored.html'}"
    dlaudit("lint", copy, "--trust", trust, "--format", "text", "--format", html, expect=1)
    print(f"\ndemo: done in {time.monotonic() - start:.0f} s")
    print(f"  the study and its signature   {study}")
    print(f"  its report                    {OUT / 'report.html'}")
    print(f"  the doctored copy's report    {OUT / 'doctored.html'}")


if __name__ == "__main__":
    main()
