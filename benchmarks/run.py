"""Run every benchmark of this folder in turn; each prints its own figures."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run the scripts beside this one, in the order of their names."""
    for path in sorted(Path(__file__).parent.glob("*.py")):
        if path.name != Path(__file__).name:
            print(f"-- {path.name}", flush=True)
            subprocess.run([sys.executable, "-P", str(path)], check=True)


if __name__ == "__main__":
    main()
