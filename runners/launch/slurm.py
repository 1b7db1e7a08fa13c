"""`slurm`: every attempt at a trial is a job of its own; on each of its nodes an agent runs torchrun with the ranks.

What a later process of the runner needs lies beside the order file: `<attempt>.job.json` names the job as soon as it is
submitted, so that a runner that was killed finds it again, whatever became of it meanwhile. What Slurm prints lies
there, too.

A job that loses its nodes (NODE_FAIL, PREEMPTED), or is cancelled by somebody else, is a lost attempt, whatever its
ranks say of it. Where Slurm itself starts the job again, each start counts as a further attempt.
"""

from __future__ import annotations

import math
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from ...schemas.errors import EnvironmentRefused, UserError
from ...schemas.spec import Slurm as Asked
from ..study.orders import RESTART
from ..trial.attempt import MARK, Exit
from .interface import Job, Tick
from .node import TIMED_OUT
from .submitted import Submitted, beside, keep, kept, stem

AGENT = (sys.executable, "-P", "-m", "dlaudit.runners.launch.node")
NEEDED = ("sbatch", "srun", "scontrol", "scancel")
TAKEN = {
    "NODE_FAIL": "a node of its job failed",
    "BOOT_FAIL": "a node of its job did not boot",
    "PREEMPTED": "its job was preempted",
    "CANCELLED": "its job was cancelled",
    "REVOKED": "its job was revoked",
}
GOING = (
    "PENDING",
    "CONFIGURING",
    "RUNNING",
    "COMPLETING",
    "SUSPENDED",
    "REQUEUED",
    "RESIZING",
    "SIGNALING",
    "STAGE_OUT",
)
NEVER = (
    "PartitionTimeLimit",
    "PartitionNodeLimit",
    "BadConstraints",
    "AccountNotAllowed",
    "InvalidAccount",
    "InvalidQOS",
    "QOSNotAllowed",
)
"""Why a job waits that will wait for ever, unless somebody changes it or the cluster."""
REFUSED_S = 120.0
"""How long Slurm's controller may be away."""
POLL_S = (0.2, 5.0)
GRACE_MIN = 2
"""Minutes beyond the trial's own timeout, which is the agent's to enforce, that a job may take."""
FIELD = re.compile(r"(?:^|\s)([A-Za-z/:]+)=(\S*)")


class Slurm:
    """A cluster, by its commands.

    Args:
        asked: what the spec asks for.

    Raises:
        UserError: there are no such commands here.
    """

    here = False

    def __init__(self, asked: Asked) -> None:
        missing = [name for name in NEEDED if shutil.which(name) is None]
        if missing:
            raise UserError(
                f"this machine has no {', '.join(missing)}", "start it on a login node of the cluster", "/launcher/kind"
            )
        self._asked = asked

    def start(self, job: Job) -> SlurmJob:
        """Submit a job.

        Raises:
            UserError: Slurm refuses it.
        """
        number = self._submitted(script(job, self._asked), job)
        return SlurmJob(job, keep(job.order, Submitted(id=number, attempt_of=stem(job.order))))

    def start_array(self, jobs: Sequence[Job], most: int) -> None:
        """Submit independent attempts of one size as a job array.

        Args:
            jobs: the attempts.
            most: how many may run at the same time.

        Raises:
            UserError: Slurm refuses it.
        """
        number = self._submitted(array_script(jobs, self._asked, most), jobs[0])
        for index, job in enumerate(jobs):
            keep(job.order, Submitted(id=f"{number}_{index}", attempt_of=stem(job.order)))

    def _submitted(self, text: str, job: Job) -> str:
        """Submit a script, which names where Python lies and so is kept nowhere, and return the job's number."""
        environment = {key: value for key, value in job.environment.items() if key != MARK}
        done = _command(["sbatch", "--parsable"], environment, text)
        if done.returncode:
            raise UserError(f"sbatch: {_first_line(done.stderr)}", "correct the launcher", "/launcher/slurm")
        return done.stdout.strip().partition(";")[0]

    def found(self, job: Job) -> SlurmJob | None:
        """Return the job that an earlier process submitted for this attempt."""
        submitted = kept(job.order)
        return SlurmJob(job, submitted) if submitted is not None else None


class SlurmJob:
    """A job that was submitted."""

    def __init__(self, job: Job, submitted: Submitted) -> None:
        self._job, self.submitted = job, submitted

    def wait(self, _timeout_s: float, tick: Tick, tick_s: float) -> Exit:
        """Wait until it is over. Its time limit, the queue not counted, is Slurm's to enforce.

        Raises:
            UserError: it will never be started.
        """
        begun, next_tick, pause_s = time.monotonic(), time.monotonic() + tick_s, POLL_S[0]
        while _is_going(told := _told(self.submitted.id)):
            if told.get("JobState") == "PENDING" and told.get("Reason", "").strip("()") in NEVER:
                raise UserError(
                    f"Slurm will never start job {self.submitted.id}: {told['Reason']}",
                    "ask for less time, other nodes, or as another account",
                    "/launcher/slurm",
                )
            time.sleep(pause_s)
            pause_s = min(POLL_S[1], pause_s * 1.2)
            if tick is not None and time.monotonic() >= next_tick:
                tick()
                next_tick = time.monotonic() + tick_s
        state = told.get("JobState", "UNKNOWN")
        restarts = int(told.get("Restarts", "0")) if told.get("Restarts", "0").isdecimal() else 0
        self.submitted = keep(self._job.order, msgspec.structs.replace(self.submitted, state=state, restarts=restarts))
        code, _, number = told.get("ExitCode", "").partition(":")
        return Exit(
            code=int(code) if code.isdecimal() else None,
            signal_name=f"signal {number}" if number.isdecimal() and int(number) else None,
            timed_out=state in ("TIMEOUT", "DEADLINE") or code == str(TIMED_OUT),
            duration_s=time.monotonic() - begun,
            log_left_out_bytes=0,
            taken=_taken(state, self.submitted.id),
            restarts=restarts,
        )

    def cancel(self) -> None:
        """Cancel it, and wait until it is gone."""
        with suppress(OSError, EnvironmentRefused):
            _command(["scancel", self.submitted.id])
            given_up = time.monotonic() + REFUSED_S
            while _is_going(_told(self.submitted.id)) and time.monotonic() < given_up:
                time.sleep(POLL_S[0])


def script(job: Job, asked: Asked) -> str:
    """Return the script of a job; everything in it that comes from a spec is quoted."""
    return _script(job, asked, [], [f"order={shlex.quote(str(job.order))}"])


def array_script(jobs: Sequence[Job], asked: Asked, most: int) -> str:
    """Return the script of an array of jobs, each with an order of its own."""
    orders = " ".join(shlex.quote(str(job.order)) for job in jobs)
    chosen = [f"orders=({orders})", "order=${orders[$SLURM_ARRAY_TASK_ID]}"]
    return _script(jobs[0], asked, [f"--array=0-{len(jobs) - 1}%{most}"], chosen)


def _script(job: Job, asked: Asked, more: list[str], chosen: list[str]) -> str:
    minutes = asked.time_limit_min or math.ceil(job.timeout_s / 60) + GRACE_MIN
    wanted = {
        "job-name": job.name,
        "nodes": job.nodes,
        "ntasks-per-node": 1,
        "cpus-per-task": asked.cpus_per_task * job.ranks_per_node if asked.cpus_per_task else None,
        "time": minutes,
        "output": beside(job.order, "job%a.log" if more else "job.log"),
        "open-mode": "append",
        "account": asked.account,
        "partition": asked.partition,
        "constraint": asked.constraint,
        "gpus-per-node": asked.gpus_per_node,
    }
    options = [f"--{key}={value}" for key, value in wanted.items() if value is not None]
    options += ["--exclusive"] if asked.exclusive else []
    options += ["--requeue" if asked.requeue else "--no-requeue"]
    return "\n".join(
        [
            "#!/bin/bash",
            *(f"#SBATCH {shlex.quote(option)}" for option in [*options, *more, *asked.options]),
            f"unset {MARK}",
            *chosen,
            f"export {RESTART}=${{SLURM_RESTART_COUNT:-0}}",
            'first=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)',
            'DLAUDIT_HEAD=$(scontrol show node -o "$first" | sed -n "s/.* NodeAddr=\\([^ ]*\\).*/\\1/p")',
            "export DLAUDIT_HEAD",
            f'exec {shlex.join(_srun(job, asked))} "$order" {job.ranks} {job.nodes} {job.timeout_s}',
            "",
        ]
    )


def _srun(job: Job, asked: Asked) -> list[str]:
    """Return the command that starts the agents, without what they are told."""
    processors = asked.cpus_per_task * job.ranks_per_node if asked.cpus_per_task else None
    options = {"cpu-bind": asked.cpu_bind, "gpu-bind": asked.gpu_bind, "cpus-per-task": processors}
    given = [f"--{key}={value}" for key, value in options.items() if value is not None]
    return ["srun", "--kill-on-bad-exit=1", *given, *asked.srun_options, *AGENT]


def _told(number: str) -> dict[str, str]:
    """Return what Slurm says of a job; a job that it has forgotten is over.

    Raises:
        EnvironmentRefused: its controller is away for long.
    """
    given_up = time.monotonic() + REFUSED_S
    while True:
        done = _command(["scontrol", "show", "job", "-o", number])
        if done.returncode == 0:
            return dict(FIELD.findall(done.stdout))
        if "Invalid job id" in done.stderr:
            return {"JobState": "FORGOTTEN"}
        if time.monotonic() > given_up:
            raise EnvironmentRefused(f"Slurm does not answer: {_first_line(done.stderr)}")
        time.sleep(POLL_S[1])


def _is_going(told: dict[str, str]) -> bool:
    return told.get("JobState", "UNKNOWN") in GOING


def _taken(state: str, number: str) -> str | None:
    why = TAKEN.get(state.partition("+")[0])
    return f"{why} (Slurm job {number}, {state})" if why is not None else None


def _command(
    arguments: list[str], environment: Mapping[str, str] | None = None, text: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, env=environment, input=text, check=False)


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "it does not say why")
