"""What the kernel's scheduler and memory management did to a trial's process: counted by the kernel, for nothing."""

from __future__ import annotations

import sys

from .events import ControlRecord

KNOB = "scheduling"


def record(*, children: bool) -> ControlRecord:
    """Return the counters of this process, or of the programs that it started and that have ended."""
    if sys.platform == "win32":
        return ControlRecord(knob=KNOB, verified="unverifiable", evidence="this platform does not count")
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF)
    measured = {
        "involuntary_switches": float(used.ru_nivcsw),
        "voluntary_switches": float(used.ru_nvcsw),
        "major_faults": float(used.ru_majflt),
        "minor_faults": float(used.ru_minflt),
        "user_s": float(f"{used.ru_utime:.6g}"),
        "system_s": float(f"{used.ru_stime:.6g}"),
    }
    evidence = f"getrusage, the whole {'program' if children else 'process'}: put aside {used.ru_nivcsw} times"
    return ControlRecord(
        knob=KNOB, found=used.ru_nivcsw, verified="not_requested", evidence=evidence, measured=measured
    )
