"""Runs `dlaudit run` in a folder of its own and returns what came out."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.forks import dlaudit

PROGRAMS = Path(__file__).parent / "programs"
DLAUDIT = str(Path(sys.executable).parent / "dlaudit")
TIMED = {"warmup": 2, "iterations": 6, "trials": 1}
WAIT_S = 500


def environment_of(folder, **more):
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_NUM_THREADS")}
    places = {"HOME": str(folder), "XDG_CONFIG_HOME": f"{folder}/c", "XDG_STATE_HOME": f"{folder}/s"}
    return kept | places | {"PYTHONPATH": str(PROGRAMS)} | more


def written(folder, **spec):
    whole = {"dlaudit": "spec/1", "title": "ranks", "telemetry": False, "throughput": TIMED} | spec
    (folder / "spec.json").write_text(json.dumps(whole))
    return ["run", "spec.json", "--out", "out", "--unsigned"]


def outcome(folder, done=None):
    manifest = folder / "out" / "manifest.json"
    predicate = json.loads(manifest.read_bytes())["predicate"] if manifest.exists() else None
    return SimpleNamespace(
        folder=folder,
        out=folder / "out",
        code=done.returncode if done is not None else None,
        printed=done.stdout + done.stderr if done is not None else "",
        predicate=predicate,
        arms=predicate["arms"] if predicate is not None else {},
    )


@contextmanager
def launching(folder, usual, **variables):
    """Give what starts `dlaudit run`, its spec laid over the usual one; what still runs in the end is killed."""
    running = []

    def start(*more, **spec):
        arguments = [*written(folder, **(usual | spec)), *more]
        environment = environment_of(folder, **variables)
        with (folder / "printed").open("ab") as printed:
            running.append(
                subprocess.Popen([DLAUDIT, *arguments], cwd=folder, env=environment, stdout=printed, stderr=printed)
            )
        return running[-1]

    yield start
    for process in running:
        if process.poll() is None:
            process.kill()
            process.wait()


def ended(process, folder):
    process.wait(WAIT_S)
    found = outcome(folder)
    found.code, found.printed = process.returncode, (folder / "printed").read_text()
    return found


def trial_of(found):
    (trial,) = found.arms["base"]["trials"].values()
    return trial


def wait_for(there, folder):
    given_up = time.monotonic() + WAIT_S
    while not there():
        assert time.monotonic() < given_up, (folder / "printed").read_text()
        time.sleep(0.05)


def steps_begun(folder, attempt="base-t1"):
    """Wait until the ranks of an attempt make steps."""
    path = folder / "out" / "trials" / f"{attempt}.rank-1.events.jsonl"
    wait_for(lambda: path.exists() and b"placed" in path.read_bytes(), folder)
    time.sleep(0.5)


@pytest.fixture
def study(tmp_path):
    """Run a study; `spec` is laid over the usual one."""

    def run(**spec):
        return outcome(tmp_path, dlaudit(written(tmp_path, **spec), tmp_path, environment_of(tmp_path)))

    return run
