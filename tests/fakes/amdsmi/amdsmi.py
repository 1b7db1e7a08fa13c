"""Two AMD GPUs that are not there: what the runner calls of amdsmi, its state in the file FAKE_AMDSMI_STATE."""

import enum
import json
import os
import time
from pathlib import Path

STATE = Path(os.environ["FAKE_AMDSMI_STATE"])
FRESH = {"cap": 750_000_000, "level": "AMDSMI_DEV_PERF_LEVEL_AUTO", "limit": 0, "busy": 1}


class AmdSmiException(Exception):
    pass


class AmdSmiLibraryException(AmdSmiException):
    def __init__(self, code):
        super().__init__(f"Error code:\n\t{code}")
        self.err_code = code


class AmdSmiClkType(enum.IntEnum):
    GFX = 0


class AmdSmiDevPerfLevel(enum.IntEnum):
    AUTO = 0
    HIGH = 2
    DETERMINISM = 8


def _state():
    return json.loads(STATE.read_text()) if STATE.exists() else [dict(FRESH), dict(FRESH)]


def _set(gpu, **changes):
    if os.environ.get("FAKE_AMDSMI_DENY"):
        raise AmdSmiLibraryException(10)
    state = _state()
    state[gpu] |= changes
    STATE.write_text(json.dumps(state))


def amdsmi_init():
    if os.environ.get("FAKE_AMDSMI_ABSENT"):
        raise AmdSmiLibraryException(34)


def amdsmi_get_processor_handles():
    return [0, 1]


def amdsmi_get_gpu_device_uuid(gpu):
    return f"{gpu:02x}ff0000-0000-1000-8000-000000000000"


def amdsmi_get_power_cap_info(gpu):
    return {"power_cap": _state()[gpu]["cap"], "min_power_cap": 0, "max_power_cap": 750_000_000}


def amdsmi_set_power_cap(gpu, sensor, cap):
    _set(gpu, cap=cap)


def amdsmi_get_clock_info(gpu, kind):
    return {"clk": _state()[gpu]["limit"] or 2100}


def amdsmi_get_gpu_activity(gpu):
    return {"gfx_activity": 95 if _state()[gpu]["busy"] else 0}


def amdsmi_get_power_info(gpu):
    return {"current_socket_power": 500 if _state()[gpu]["busy"] else 100, "average_socket_power": "N/A"}


def amdsmi_get_energy_count(gpu):
    """Count 500 W in units of 15.3 microjoules; `stuck` in the state stops it."""
    counted = int(time.monotonic() * 500e6 / 15.3)
    return {"energy_accumulator": 7 if _state()[gpu].get("stuck") else counted, "counter_resolution": 15.3}


def amdsmi_get_gpu_perf_level(gpu):
    return _state()[gpu]["level"]


def amdsmi_set_gpu_perf_determinism_mode(gpu, clock):
    _set(gpu, limit=clock, level="AMDSMI_DEV_PERF_LEVEL_DETERMINISM")


def amdsmi_set_gpu_perf_level(gpu, level):
    _set(gpu, limit=0, level=f"AMDSMI_DEV_PERF_LEVEL_{level.name}")
