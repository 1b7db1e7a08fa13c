"""Where the code of an arm lies: in a work tree of its revision, in an environment of its own, or beside the spec.

The work trees of a study are made before its first trial and taken away after its last one. They lie side by side in
one folder, under names of one length: the length of a path can move a program in memory, and so its speed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec

from ...schemas.errors import UserError
from ...schemas.spec import ArmRequest, Spec

TIMEOUT_S = 120
BUILD_S = 3600
LAST_LINES = 5
PACKAGES = (
    "import importlib.metadata as m, json, platform; "
    "print(json.dumps([platform.python_version(), {d.metadata['Name'].lower(): d.version for d in m.distributions()}]))"
)


class Home(msgspec.Struct, frozen=True, kw_only=True):
    """Where the code of one arm lies, and what its trials find in their environment."""

    folder: Path
    """Folder to which the paths of a command are relative."""
    variables: dict[str, str] = {}
    """Variables of its trials beside those of this process."""
    roots: tuple[str, ...] = ()
    """Folders in which its modules are looked for before all others."""
    commit: str | None = None
    """Commit of its work tree."""
    start: Path | None = None
    """Folder that its trials run in: in a work tree the one that this process is in beside it."""
    worker: tuple[str, ...] = ()
    """Command of its trials where they run in an interpreter of their own; a program of the user's own is started by
    ours, and finds its interpreter on the path."""
    environment: str | None = None
    """Name of its environment."""
    language: str | None = None
    """Interpreter of its environment."""
    packages: dict[str, str] = {}
    """Packages of its environment."""


Homes = Mapping[str, Home]


@contextmanager
def made(spec: Spec, spec_folder: Path) -> Iterator[Homes]:
    """Give the homes of all arms; those that name neither a revision nor an environment have that of the spec.

    Args:
        spec: the spec.
        spec_folder: its folder.

    Raises:
        UserError: there is no such revision or environment, or the build failed.
    """
    with ExitStack() as stack:
        commits: dict[str, str] = {}
        for name, arm in spec.arms.items():
            if arm.revision is not None:
                commits[name] = commit_of(arm.revision, spec_folder, f"/arms/{name}/revision")
        trees = stack.enter_context(_work_trees(commits, spec_folder)) if commits else {}
        homes = {name: _home(spec, name, spec_folder, trees.get(name), commits.get(name)) for name in spec.arms}
        for name in trees:
            _build(spec, name, trees[name], homes[name])
        yield homes


def commit_of(revision: str, folder: Path, where: str = "") -> str:
    """Return the full id of a revision's commit.

    Raises:
        UserError: the folder is in no repository, or there is no such revision.
    """
    found = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if found.returncode:
        _top(folder)
        raise UserError(f"there is no revision {revision!r}", "name a branch, a tag or a commit", where)
    return found.stdout.strip()


def _top(folder: Path) -> Path:
    """Return the root of the repository that holds a folder.

    Raises:
        UserError: there is none.
    """
    found = _git(folder, "rev-parse", "--show-toplevel")
    if found.returncode:
        raise UserError("the spec lies in no git repository", "revisions are compared inside one", str(folder))
    return Path(found.stdout.strip())


@contextmanager
def _work_trees(commits: Mapping[str, str], spec_folder: Path) -> Iterator[dict[str, Path]]:
    top = _top(spec_folder)
    inside = spec_folder.resolve().relative_to(top.resolve())
    base = Path(tempfile.mkdtemp(prefix="dlaudit-"))
    trees = {name: base / f"{number:02}" for number, name in enumerate(commits)}
    try:
        for name, tree in trees.items():
            added = _git(top, "worktree", "add", "--quiet", "--detach", str(tree), commits[name])
            if added.returncode:
                why = (added.stderr.strip().splitlines() or ["git does not tell why"])[-1]
                raise UserError(f"no work tree could be made of {commits[name][:12]}: {why}", "see git worktree", name)
            if not (tree / inside).is_dir():
                raise UserError(
                    f"{commits[name][:12]} has no folder {inside}", "keep the spec where both have it", name
                )
        yield {name: tree / inside for name, tree in trees.items()}
    finally:
        for tree in trees.values():
            _git(top, "worktree", "remove", "--force", str(tree))
        shutil.rmtree(base, ignore_errors=True)
        _git(top, "worktree", "prune")


def _home(spec: Spec, name: str, spec_folder: Path, folder: Path | None, commit: str | None) -> Home:
    home = Home(folder=spec_folder)
    if folder is not None:
        roots = _roots(folder, spec_folder)
        variables = {"PYTHONPATH": os.pathsep.join((*roots, *_elsewhere(spec_folder)))}
        start = _beside(folder, spec_folder)
        home = Home(folder=folder, variables=variables, roots=roots, start=start, commit=commit)
    if spec.arms[name].environment is None:
        return home
    python, language, packages = _environment(spec.arms[name], spec_folder)
    places = os.pathsep.join((str(python.parent), os.environ.get("PATH", os.defpath)))
    variables = {**home.variables, "PATH": places, "VIRTUAL_ENV": str(python.parent.parent)}
    worker: tuple[str, ...] = ()
    if not (spec.arms[name].workload or spec.workload).command:
        if "dlaudit" not in packages:
            what = f"dlaudit is not installed in {spec.arms[name].environment}"
            raise UserError(what, "install it there, or give the workload as a command", f"/arms/{name}/environment")
        worker = (str(python), "-P", "-m", "dlaudit.runners.trial.worker")
    return msgspec.structs.replace(
        home,
        variables=variables,
        worker=worker,
        environment=python.parent.parent.name,
        language=language,
        packages=packages,
    )


def _beside(folder: Path, spec_folder: Path) -> Path:
    """Return the folder of a work tree that this process would be in; that of the spec where it is in no such."""
    top, here = _top(spec_folder).resolve(), Path.cwd()
    tree = _top(folder)
    inside = tree / here.relative_to(top) if here.is_relative_to(top) else folder
    return inside if inside.is_dir() else folder


def _roots(folder: Path, spec_folder: Path) -> tuple[str, ...]:
    """Return where a work tree's modules are: its spec's folder, its root, its `src`, and what PYTHONPATH had of it."""
    top = _top(spec_folder).resolve()
    tree = _top(folder)
    listed = [Path(one).resolve() for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    mapped = [tree / one.relative_to(top) for one in listed if one.is_relative_to(top)]
    found = [folder, *mapped, tree, tree / "src"]
    return tuple(dict.fromkeys(str(one) for one in found if one.is_dir()))


def _elsewhere(spec_folder: Path) -> list[str]:
    top = _top(spec_folder).resolve()
    listed = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one]
    return [one for one in listed if not Path(one).resolve().is_relative_to(top)]


def _environment(arm: ArmRequest, spec_folder: Path) -> tuple[Path, str, dict[str, str]]:
    """Return interpreter, version and packages of an arm's environment.

    Raises:
        UserError: there is no interpreter, or it does not run.
    """
    place = spec_folder / (arm.environment or "")
    python = place / "bin" / "python" if place.is_dir() else place
    try:
        told = subprocess.run([python, "-I", "-c", PACKAGES], capture_output=True, timeout=TIMEOUT_S, check=True)
        language, packages = json.loads(told.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        raise UserError(
            f"there is no Python in {arm.environment}", "name the folder of an environment", f"{arm.at}/environment"
        ) from None
    return Path(os.path.abspath(python)), f"Python {language}", packages  # noqa: PTH100  it stays a link


def _build(spec: Spec, name: str, folder: Path, home: Home) -> None:
    """Build a work tree, in its root, with the variables of its trials.

    Raises:
        UserError: the build failed.
    """
    if not spec.build:
        return
    environment = {**os.environ, **home.variables}
    try:
        done = subprocess.run(
            spec.build,
            cwd=_top(folder),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=BUILD_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        why = error.strerror if isinstance(error, OSError) else f"it took more than {BUILD_S} s"
        raise UserError(f"arm {name} cannot be built: {why}", "correct the build", "/build") from None
    if done.returncode:
        lines = done.stdout.decode("utf-8", "replace").splitlines()[-LAST_LINES:]
        told = "".join(f"\n  {line[:200]}" for line in lines)
        raise UserError(f"arm {name} cannot be built: code {done.returncode}", f"no trial has run{told}", "/build")


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-c", "core.hooksPath=/dev/null", "-C", str(folder), *arguments]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT_S, env=inherited, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise UserError("git is not installed, or does not answer", "install it", str(folder)) from None
