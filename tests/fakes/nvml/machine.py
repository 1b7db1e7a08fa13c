"""A machine with GPUs that are not there: compiles nvml.c, and reads and writes the devices' state."""

import mmap
import os
import re
import shutil
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("nvml.c")
FIELDS = re.findall(r"^    F_(\w+),", SOURCE.read_text(), re.MULTILINE)
LIMIT = 64


def compiler():
    return shutil.which("cc") or shutil.which("gcc")


def build(folder):
    """Compile the library under the name by which nvidia-ml-py loads it, and return its folder."""
    library = folder / "libnvidia-ml.so.1"
    subprocess.run(
        [compiler(), "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", library, SOURCE], check=True
    )
    return folder


@dataclass(frozen=True)
class Gpus:
    """Fake GPUs, for processes that are started with `environment`."""

    library: Path
    folder: Path
    count: int = 8

    @property
    def environment(self):
        return {
            "LD_LIBRARY_PATH": str(self.library),
            "FAKE_NVML_STATE": str(self.folder / "gpus"),
            "FAKE_NVML_LOG": str(self.folder / "calls"),
            "FAKE_NVML_GPUS": str(self.count),
            "DLAUDIT_LOCKS": str(self.folder),
            "XDG_STATE_HOME": str(self.folder / "state"),
        }

    def create(self):
        """Let the library make the state, as its first caller would."""
        program = "import pynvml; pynvml.nvmlInit()"
        subprocess.run([sys.executable, "-c", program], env=os.environ | self.environment, check=True)
        return self

    def with_sudo(self):
        """Return a folder with a sudo that permits one program, and with that program."""
        folder = self.folder / "bin"
        folder.mkdir()
        smi = f'exec "{sys.executable}" "{SOURCE.with_name("nvidia_smi.py")}" "$@"'
        sudo = f'test "$1 $2" = "-n {folder}/nvidia-smi" || exit 1; shift; unset FAKE_NVML_DENY; exec "$@"'
        for name, line in {"nvidia-smi": smi, "sudo": sudo}.items():
            (folder / name).write_text(f"#!/bin/sh\n{line}\n")
            (folder / name).chmod(0o755)
        return folder

    def uuid(self, gpu):
        return f"GPU-00000000-0000-0000-0000-{gpu:012d}"

    def get(self, gpu, field):
        return self._table()[gpu * len(FIELDS) + FIELDS.index(field)]

    def set(self, field, value, gpu=None):
        """Change a field of one GPU, or of all."""
        with (self.folder / "gpus").open("r+b") as file, mmap.mmap(file.fileno(), 0) as table:
            for one in range(self.count) if gpu is None else [gpu]:
                at = 8 * (one * len(FIELDS) + FIELDS.index(field))
                table[at : at + 8] = struct.pack("<Q", value)

    def settings(self):
        """Return by GPU what knobs change."""
        names = ("persistence_mode", "compute_mode", "power_limit_mw", "locked_sm_mhz", "locked_memory_mhz")
        return [{name: self.get(gpu, name) for name in names} for gpu in range(self.count)]

    def calls(self):
        """Return the changes so far: (function, gpu, value)."""
        path = self.folder / "calls"
        lines = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        return [(function, int(gpu), int(value)) for _, function, gpu, value, _ in lines]

    def _table(self):
        data = (self.folder / "gpus").read_bytes()
        return struct.unpack(f"<{len(data) // 8}Q", data)
