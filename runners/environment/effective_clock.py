"""The clock at which a processor really runs, by a chain of additions of which each waits for the one before.

An addition of two registers takes one cycle on every processor of the last decades, so that additions per second are
cycles per second. /proc/cpuinfo and cpufreq tell a nominal or a requested clock; in a virtual machine nothing else
tells the real one. The program is a few lines of C, compiled when it is first asked.
"""

from __future__ import annotations

import ctypes
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .fact import Fact, unverifiable

COMPILE_S = 30.0
RUNS = 60
"""Runs of some 0.3 ms each; the fastest one counts, so that being put aside by the scheduler does not."""
# Registers, not constants: some cores add a constant without taking a cycle.
ADDITIONS = {
    "x86_64": "add %1, %0",
    "amd64": "add %1, %0",
    "aarch64": "add %0, %0, %1",
    "arm64": "add %0, %0, %1",
}
SOURCE = """
#include <stdint.h>
#include <time.h>
double cycles_per_s(int runs) {
    double best = 0;
    for (int run = 0; run < runs; run++) {
        uint64_t sum = 1, one = 3;
        struct timespec began, ended;
        clock_gettime(CLOCK_MONOTONIC, &began);
        for (int i = 0; i < 10000; i++)
            __asm__ volatile(".rept 100\\n\\tADDITION\\n\\t.endr" : "+r"(sum) : "r"(one));
        clock_gettime(CLOCK_MONOTONIC, &ended);
        double took_s = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
        if (took_s > 0 && 1e6 / took_s > best) best = 1e6 / took_s;
    }
    return best;
}
"""


def ghz() -> Fact:
    """Return the clock of the processor that this thread runs on, in GHz to 4 digits, or why it is not known."""
    probe = _probe()
    if isinstance(probe, str):
        return unverifiable(probe)
    return Fact(float(f"{probe(RUNS) / 1e9:.4g}"))


@cache
def _probe() -> Callable[[int], float] | str:
    """Compile and load the program; return it, or why that is not possible."""
    addition = ADDITIONS.get(platform.machine().lower())
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if addition is None:
        return f"there is no probe for {platform.machine() or 'this processor'}"
    if compiler is None:
        return "there is no C compiler (cc) to build the probe with"
    with tempfile.TemporaryDirectory(prefix="dlaudit-") as folder:
        source, library = Path(folder) / "clock.c", Path(folder) / "clock.so"
        source.write_text(SOURCE.replace("ADDITION", addition))
        try:
            subprocess.run(
                [compiler, "-O2", "-shared", "-fPIC", "-o", str(library), str(source)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=COMPILE_S,
                check=True,
            )
            function = ctypes.CDLL(str(library)).cycles_per_s
        except (OSError, subprocess.SubprocessError):
            return f"{compiler} does not build the probe"
    function.argtypes, function.restype = [ctypes.c_int], ctypes.c_double
    measure: Callable[[int], float] = function
    return measure
