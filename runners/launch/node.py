"""The agent of one node of a job: `python -P -m dlaudit.runners.launch.node ORDER RANKS NODES TIMEOUT_S`.

It does on its node what the runner does on its own machine: it keeps the facts about it, turns the knobs that the spec
asks for and watches them, reads the sensors, runs the ranks below torchrun, and puts everything back. What it found
lies in the attempt's files: `<attempt>.node-<n>.json`, its log and its readings.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...schemas.errors import UserError
from ...schemas.files import write_atomic
from ...schemas.model import to_model
from ...schemas.source import read as read_source
from ...schemas.spec import Spec
from ..environment import collect, control, load
from ..environment.watch import SAMPLE_S
from ..study import folder as files
from ..study import interruption, orders, sweep
from ..telemetry.session import reading
from ..trial import ranks
from ..trial.attempt import TICK_S, Exit, Started
from .interface import Job
from .local import TORCHRUN, torchrun_arguments
from .supervisor import free_port

MEETING_S = 300.0
"""How long the nodes of a job may start one after the other."""
NODE = "DLAUDIT_NODE"
"""Variable that says which node of its job this is, from 0, where the scheduler has none."""
HEAD = "DLAUDIT_HEAD"
"""Variable that tells the first node its address for the others."""
TIMED_OUT = 124
"""Exit code where the ranks were stopped because their time was up, as timeout(1) has it."""
INTERRUPTED = 130
"""Exit code where the job was cancelled; the knobs have been put back."""


def main(arguments: list[str]) -> int:
    """Run the ranks of this node; return torchrun's exit code."""
    path, count, nodes, timeout_s = Path(arguments[0]), int(arguments[1]), int(arguments[2]), float(arguments[3])
    try:
        order = orders.restarted(orders.read(path), os.environ.get(orders.RESTART))
        spec = _spec(path.parent.parent)
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    number = int(os.environ.get(NODE) or os.environ.get("SLURM_NODEID", "0"))
    stem = Path(order.events.removesuffix(ranks.ENDING))
    job = Job(
        name=order.trial,
        order=path,
        log=_named(stem, number, "log"),
        ranks=count,
        nodes=nodes,
        timeout_s=timeout_s,
        environment=os.environ,
    )
    try:
        with interruption.once():
            ended, record = _run(spec, job, stem, number)
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    files.write_json(stem.with_name(f"{stem.name}.node-{number}.json"), record)
    if ended.timed_out:
        return TIMED_OUT
    return ended.code if ended.code is not None else 1


def _run(spec: Spec, job: Job, stem: Path, number: int) -> tuple[Exit, dict[str, Any]]:
    """Run the ranks with the knobs turned; return how that ended, and the node's record."""
    lines: list[str] = []
    facts = _facts(spec, job.order)
    before, started = load.with_own(Path("/")), _now()
    with control.reserved(spec, lines.append) as reserved, reading(spec) as sensors:
        with control.turned(reserved, f"{job.name}-{number}", lines.append):
            watch = reserved.watch()
            sensors.begin(_named(stem, number, "telemetry.jsonl"))
            arguments = [*TORCHRUN, *_meeting(job, stem, number), *torchrun_arguments(job)]
            tick = watch.sample if watch.samples else None
            begun = Started(arguments, _without_job(job.environment), job.log)
            ended = begun.wait(job.timeout_s, tick, SAMPLE_S if tick is not None else TICK_S)
            sensors.end()
            controls = watch.end()
            if number == 0:
                stem.with_name(f".{stem.name}.port").unlink(missing_ok=True)
        restored = reserved.restorations()
    record = {
        "host": ranks.host(),
        "node": number,
        "environment": facts,
        "started": started,
        "ended": _now(),
        "duration_s": round(ended.duration_s, 6),
        "exit_code": ended.code,
        "exit_signal": ended.signal_name,
        "timed_out": ended.timed_out,
        "load_before": before,
        "load_after": load.with_own(Path("/")),
        "controls": watch.document(controls)["records"] if controls else [],
        "restored": restored,
        "said": lines,
    }
    return ended, record


def _facts(spec: Spec, order: Path) -> str:
    """Keep the facts about this node, once a study; return the path of their file below the study's folder."""
    name = f"node-{''.join(letter if letter.isalnum() or letter in '-_' else '_' for letter in ranks.host())[:60]}.json"
    path = order.parent.parent / files.ENVIRONMENT / name
    if not path.exists():
        uses_torch = not spec.workload.command
        files.write_json(path, collect.collect(uses_torch=uses_torch, device=spec.device).document())
    return f"{files.ENVIRONMENT}/{name}"


def _meeting(job: Job, stem: Path, number: int) -> list[str]:
    """Return where the ranks of all nodes meet: on a port of the first one, which it finds free and tells the others.

    Raises:
        UserError: the first node does not tell.
    """
    told = stem.with_name(f".{stem.name}.port")
    if number == 0:
        head, port = os.environ.get(HEAD, "127.0.0.1"), str(free_port())
        write_atomic(told, f"{head} {port}".encode())
    else:
        given_up = time.monotonic() + MEETING_S
        while not told.exists():
            if time.monotonic() > given_up:
                raise UserError("the first node does not say where the ranks meet", "look at its log", str(told))
            time.sleep(0.1)
        head, port = told.read_text().split()
    found = [f"--nnodes={job.nodes}", f"--node-rank={number}", f"--master-addr={head}", f"--master-port={port}"]
    return [*found, f"--local-addr={head}"] if number == 0 else found


def _without_job(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables without those that would have the ranks' own libraries look for a job of theirs."""
    return {key: value for key, value in environment.items() if not key.startswith(("PMI", "SLURM_PMI"))}


def _named(stem: Path, number: int, ending: str) -> Path:
    """Return a file of this node: the first one's are those of the trial."""
    return stem.with_name(f"{stem.name}.{ending}" if number == 0 else f"{stem.name}.node-{number}.{ending}")


def _spec(folder: Path) -> Spec:
    path = next(path for path in sorted(folder.glob("spec.*")))
    return sweep.expanded(to_model(read_source(path).value, Spec))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
