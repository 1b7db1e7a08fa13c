"""The process of one trial: `python -P -m dlaudit.runners.trial.worker ORDER.json`.

It reads its order, streams events to the file that the order names, and never prints to its standard output. Whatever
ends the trial, an error or a signal among them, is written as the last event; only a killed process leaves none.

Exit codes: 0 the trial completed or diverged; 1 it failed; 2 the order cannot be used or the events file not be made.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

import msgspec

from ...schemas.errors import UserError
from ..study import orders as order
from . import address_layout, attempt, clock_offset, command, events, neighbour, pinning, ranks, scenario
from . import execute as trial
from .chunks import Diverged

MESSAGE_LIMIT = 400
SERVING = "serving"


class Interrupted(BaseException):
    """A signal asked the process to end."""


def main(arguments: list[str]) -> int:
    """Run the trial of an order file and return the exit code."""
    began = time.perf_counter()
    if len(arguments) != 1:
        sys.stderr.write("usage: python -P -m dlaudit.runners.trial.worker ORDER.json\n")
        return UserError.exit_code
    try:
        what = order.restarted(order.read(Path(arguments[0])), os.environ.get(order.RESTART))
        place = ranks.place_of(what.ranks)
        address_layout.settle(what.controls.aslr)
        writer = events.EventWriter(ranks.events_of(Path(what.events), place.rank))
        what = msgspec.structs.replace(what, events=str(Path(what.events).resolve()))
        os.chdir(what.folder or ".")
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _interrupt)
    if place.ranks > 1 or "TORCHELASTIC_RUN_ID" in os.environ:
        _end_with_launcher()
    what = msgspec.structs.replace(what, device=ranks.device_of(what.device, place.local_rank))
    progress = trial.Progress()
    outcome, error_record = _guarded(lambda: _run(what, place, writer, progress))
    writer.write(
        events.Ended(
            outcome=outcome,
            error=error_record,
            timer=progress.timer,
            wall_s=time.perf_counter() - began,
            unix_ns=str(time.time_ns()),
            peak_memory_bytes=_peak_memory_bytes(what),
            crossing=progress.crossing,
        )
    )
    writer.close()
    return 1 if outcome == "failed" else 0


def _run(what: order.Order, place: ranks.Place, writer: events.EventWriter, progress: trial.Progress) -> None:
    writer.write(events.Started(pid=os.getpid(), boot_id=_boot_id(), unix_ns=str(time.time_ns())))
    applied = pinning.apply(what.controls)
    ranks.share_threads(place)
    source = what.source()
    published = Path(f"{what.events}.clock")
    with ExitStack() as stack:
        stack.enter_context(clock_offset.answering(published, place.ranks if place.rank == 0 else 1))
        if place.ranks > 1:
            offset = clock_offset.ask(published) if place.rank else clock_offset.Offset(0.0, 0.0, clock_offset.SAME)
            writer.write(ranks.placed(place, what.device, offset))
        stack.enter_context(neighbour.taking(what.interference if place.local_rank == 0 else 0.0))
        if isinstance(source, order.Command):
            command.run(what, source, applied, writer.write, progress, place)
        elif isinstance(source, order.Named) and source.name == scenario.NAME:
            scenario.run(what, source, applied, writer.write)
        elif isinstance(source, order.Named) and source.name == SERVING:
            from ..serving import trial as serving  # it reads a trial's parts, and needs no torch in this process

            serving.run(what, source, applied, writer.write, progress)
        else:
            trial.run(what, source, applied, writer.write, progress, place)


def _end_with_launcher() -> None:
    """Have the kernel end this rank where whoever started it is killed."""
    ask = attempt.die_with(os.getppid())
    if ask is not None:
        ask()


def _guarded(run: Callable[[], None]) -> tuple[events.Outcome, events.TrialError | None]:
    """Run a trial and turn whatever ends it into an outcome; tracebacks go to the log."""
    try:
        run()
    except Diverged as reason:
        return "diverged", events.TrialError(type="Diverged", message=str(reason))
    except Interrupted as reason:
        return "failed", events.TrialError(type="Interrupted", message=f"interrupted by {reason}")
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return "failed", _error(error)
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        found = _error(error)
        return "failed", msgspec.structs.replace(found, type=events.DISCONNECTED) if ranks.is_disconnection(
            error
        ) else found
    return "completed", None


def _error(error: BaseException) -> events.TrialError:
    message = " ".join(str(error).split())
    return events.TrialError(type=type(error).__name__, message=message[:MESSAGE_LIMIT])


def _interrupt(number: int, _frame: FrameType | None) -> None:
    for each in (signal.SIGTERM, signal.SIGINT):  # once is enough: what follows is to be written undisturbed
        signal.signal(each, signal.SIG_IGN)
    raise Interrupted(signal.Signals(number).name)


def _boot_id() -> str | None:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None


def _peak_memory_bytes(what: order.Order) -> int | None:
    """Return the peak of the device's allocator, or of the process that did the work; None where nobody tells."""
    torch = sys.modules.get("torch")
    if what.device.startswith("cuda") and torch is not None and torch.cuda.is_initialized():
        return int(torch.cuda.max_memory_allocated(what.device))
    if sys.platform == "win32" or "url" in what.workload:
        return None
    import resource

    elsewhere = "command" in what.workload or what.workload.get("name") == SERVING
    who = resource.RUSAGE_CHILDREN if elsewhere else resource.RUSAGE_SELF
    return resource.getrusage(who).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def leave(code: int) -> None:
    """End the process without the destructors of torch.

    With a DistributedDataParallel model alive, those of its group abort the process now and then, long after everything
    is written. What Python itself does at an end is done.
    """
    if "torch" not in sys.modules:
        sys.exit(code)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    leave(main(sys.argv[1:]))
