"""Defining models: time to define 60 frozen classes of ten fields as slots dataclasses and as msgspec Structs.

Every start of the program pays for the classes of the modules that it imports, so this is start-up time.
"""

from __future__ import annotations

import subprocess
import sys

CLASSES, FIELDS, ROUNDS = 60, 10, 9
HEADS = {
    "dataclass": "from dataclasses import dataclass",
    "msgspec.Struct": "from msgspec import Struct",
}
CLASS = {
    "dataclass": "@dataclass(frozen=True, slots=True, kw_only=True)\nclass {name}:\n",
    "msgspec.Struct": "class {name}(Struct, frozen=True, kw_only=True):\n",
}


def program(kind: str) -> str:
    """Return a program that defines the classes and prints how long that took, imports not included."""
    fields = "".join(f"    field_{index}: str | None = None\n" for index in range(FIELDS))
    classes = "".join(CLASS[kind].format(name=f"Model{index}") + fields for index in range(CLASSES))
    timed = f"code = compile({classes!r}, 'models', 'exec')\nstart = time.perf_counter()\nexec(code)\n"
    return (
        f"from __future__ import annotations\nimport time\n{HEADS[kind]}\n{timed}print(time.perf_counter() - start)\n"
    )


def main() -> None:
    """Print the least of some fresh processes for both, and their ratio."""
    least = {}
    for kind in HEADS:
        times = [
            float(subprocess.run([sys.executable, "-c", program(kind)], check=True, capture_output=True).stdout)
            for _ in range(ROUNDS)
        ]
        least[kind] = min(times)
        print(f"{CLASSES} classes as {kind:<15}{least[kind] * 1e3:7.1f} ms")
    print(f"ratio {least['dataclass'] / least['msgspec.Struct']:.0f}")


if __name__ == "__main__":
    main()
