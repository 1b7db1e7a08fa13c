"""Keep what needs attention of a SARIF log: GitHub makes an alert of every result, those of kind `pass` included."""

import json
import sys
from pathlib import Path

KINDS = {"fail", "open", "review"}


def main(source: str, target: str) -> None:
    """Copy a log without the results that passed or did not apply."""
    log = json.loads(Path(source).read_text(encoding="utf-8"))
    for run in log["runs"]:
        run["results"] = [result for result in run["results"] if result["kind"] in KINDS]
    Path(target).write_text(json.dumps(log), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
