"""Replaying of command-line sessions that stand in Markdown: those of tests/audit/transcripts and of the documentation.

A block ```yaml name.yaml``` (any language with a file name) is a file. A block ```console``` holds commands after `$ `,
each followed by what it prints and, where it is not 0, its exit code as `[exit N]`; a command goes on in the next line
after a backslash. ```console varies``` says that numbers, digests, spaces, the verdict on what was just measured, the
flags of its raw times and what it says of a busy machine differ from run to run: only the rest is compared. Every page
has a folder of its own, printed as `~`, with a copy of examples/. DLAUDIT_UPDATE=1 rewrites what is printed.
"""

import atexit
import gc
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

pytest.register_assert_rewrite("support")  # tests/rules/support, which tests everywhere share

from support.forks import shell_folder  # noqa: E402

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"^```(?P<language>\w+)(?: (?P<name>[\w./-]+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)
FLAGS = re.compile(
    r"^\S+: (?:flagged, nothing discarded|the machine was busy): .*\n|^dlaudit: \d+/\d+ trials, .*\n"
    r"|^  caveat    the machine was busy: .*\n",
    re.MULTILINE,
)
VARYING = re.compile(
    r"(?<=report\.html: )[A-Z ]+|PASS(?: WITH CAVEATS)?|[0-9a-f]{8,64}|\d+(?:[.,]\d+)*(?:e[+-]?\d+)?|\s+"
)
TIMEOUT_S = 500

# Tests start hundreds of programs, each of which would compile the package anew where a shell forbids the caches.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Nor does each find out again, in a home of its own, which fonts there are; workers of a run inherit the answer.
if "MPLCONFIGDIR" not in os.environ:
    os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="dlaudit-fonts-")
    atexit.register(shutil.rmtree, os.environ["MPLCONFIGDIR"], ignore_errors=True)

# The wall-clock time of one example says how busy the machine is; tests of time measure the time of the processor.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what collection makes out of all garbage collections: it stays, and going over it takes most of a second."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def run(command, folder):
    """Run one command in a folder as a person would, and return what it printed."""
    environment = {
        "PATH": f"{shell_folder()}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / ".config"),
        "XDG_STATE_HOME": str(folder / ".state"),
        "COLUMNS": "108",
        "LC_ALL": "C.UTF-8",
        "MPLCONFIGDIR": os.environ["MPLCONFIGDIR"],
        **{name: os.environ[name] for name in ("SLURM_CONF", "RAY_ADDRESS") if name in os.environ},
    }
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIMEOUT_S,
    )
    printed = done.stdout.replace(str(folder), "~")
    code = f"[exit {done.returncode}]\n" if done.returncode else ""
    return printed + ("" if printed.endswith("\n") or not printed else "\n") + code


def replayed_block(block, folder):
    """Run the commands of a console block and return the block as it came out."""
    shown = "\n".join(f"$ {command}\n{run(command, folder)}" for command in COMMAND.findall(block["body"]))
    came_out = f"```console{' varies' if block['name'] else ''}\n{shown}```"
    return block[0] if block["name"] == "varies" and still(came_out) == still(block[0]) else came_out


def still(text):
    """Return a text without what varies from run to run."""
    return VARYING.sub(lambda match: " " if match[0].isspace() else "#", FLAGS.sub("", text))


@pytest.fixture
def replay(tmp_path):
    """Return a function that replays a page and holds what comes out to what stands in it."""

    def replay_page(path):
        text = path.read_text(encoding="utf-8")
        shutil.copytree(ROOT / "examples", tmp_path / "examples")

        def block(match):
            if match["language"] == "console":
                return replayed_block(match, tmp_path)
            if match["name"]:
                target = tmp_path / match["name"]
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(match["body"], encoding="utf-8")
            return match[0]

        came_out = BLOCK.sub(block, text)
        if os.environ.get("DLAUDIT_UPDATE"):
            path.write_text(came_out, encoding="utf-8")
        else:
            assert came_out == text

    return replay_page


def load_fake(name):
    """Return a module of tests/fakes."""
    path = ROOT / "tests" / "fakes" / name
    spec = importlib.util.spec_from_file_location(f"fakes_{path.stem}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def nvml_library(tmp_path_factory):
    """The compiled management library of tests/fakes/nvml."""
    machine = load_fake("nvml/machine.py")
    if machine.compiler() is None:
        pytest.skip("no C compiler")
    return machine, machine.build(tmp_path_factory.mktemp("nvml"))


@pytest.fixture
def gpus(nvml_library, tmp_path):
    """Eight GPUs that are not there, for processes started with `gpus.environment`."""
    pytest.importorskip("pynvml", reason="nvidia-ml-py is not installed")
    machine, library = nvml_library
    return machine.Gpus(library, tmp_path).create()


@pytest.fixture(scope="session")
def slurm(tmp_path_factory):
    """A Slurm of two nodes on this machine; skipped, with the reason, where there can be none."""
    machine = load_fake("slurm/cluster.py")
    reason = machine.why_not()
    if reason is not None:
        pytest.skip(reason)
    cluster = machine.Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        yield cluster.start()
    finally:
        cluster.stop()


@pytest.fixture(scope="session")
def ray_cluster():
    """A Ray cluster of two nodes on this machine."""
    pytest.importorskip("ray", reason="Ray is not installed")
    cluster = load_fake("ray/cluster.py").Cluster()
    try:
        yield cluster
    finally:
        cluster.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests that need a cluster, which is no neighbour of another."""
    for item in items:
        if {"slurm", "ray_cluster"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.alone)
