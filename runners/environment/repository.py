"""Commit and state of a git working tree."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .fact import Fact, Facts, unverifiable

TIMEOUT_S = 20


def state(folder: Path, *, root: bool = False) -> Facts:
    """Return the commit of the tree that holds `folder`, whether tracked files have changes, and the untracked files.

    The repository's own hooks, filters and monitors are not run.

    Args:
        folder: a folder of the tree.
        root: whether `folder` must be the tree's own root: what is installed inside somebody else's tree has no commit.
    """
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top.known and root and Path(str(top.value)).resolve() != folder.resolve():
        top = unverifiable("not a git working tree")
    commit = _git(folder, "rev-parse", "--verify", "HEAD^{commit}") if top.known else top
    if not commit.known:
        return {"commit": commit, "dirty": commit, "untracked": commit}
    changes = _git(folder, "status", "--porcelain", "--untracked-files=normal", "--ignore-submodules=all")
    if not changes.known:
        return {"commit": commit, "dirty": changes, "untracked": changes}
    lines = str(changes.value).splitlines()
    untracked = sum(line.startswith("??") for line in lines)
    return {"commit": commit, "dirty": Fact(len(lines) > untracked), "untracked": Fact(untracked)}


def _git(folder: Path, *arguments: str) -> Fact:
    # Two settings that let a repository's configuration run a program of its choice.
    quiet = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment = {**inherited, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        answer = subprocess.run(
            ["git", *quiet, "-C", str(folder), *arguments],
            capture_output=True,
            timeout=TIMEOUT_S,
            env=environment,
            check=False,
        )
    except FileNotFoundError:
        return unverifiable("git is not installed")
    except subprocess.TimeoutExpired:
        return unverifiable(f"git did not answer in {TIMEOUT_S} s")
    if answer.returncode != 0:
        why = answer.stderr.decode("utf-8", "replace")
        return unverifiable("not a git working tree" if "not a git repository" in why else "git does not tell")
    return Fact(answer.stdout.decode("utf-8", "replace").strip())
