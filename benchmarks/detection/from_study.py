"""Makes a self-contained honest base of a study: its drafted claims over its arms, with the raw numbers inlined.

    from_study.py STUDY NAME     writes bases/NAME.yaml

`benchmarks/data/detection/specs/` holds the specs of the studies behind the bases that were measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

BASES = Path(__file__).parents[1] / "data" / "detection" / "bases"
REFERENCES = ("measured", "quality", "base")


def base(study: Path) -> dict[str, Any]:
    """Return the submission of a study with the study's arms in it instead of a citation."""
    submission = json.loads((study / "submission.json").read_text(encoding="utf-8"))
    record = json.loads((study / "manifest.json").read_text(encoding="utf-8"))["predicate"]
    submission.pop("manifests")
    for claim in submission["claims"].values():
        for name in REFERENCES:
            claim.get(name, {}).pop("manifest", None)
    submission["systems"], submission["arms"] = record["systems"], record["arms"]
    for arm in submission["arms"].values():
        arm["software"].pop("packages", None)
        for trial in arm["trials"].values():
            file = trial.pop("samples_file", None)
            if file is None:
                continue
            raw = json.loads((study / file["path"]).read_text(encoding="utf-8"))
            trial["samples"] = {name: values for name, values in raw["columns"].items() if values}
            evaluations = [{k: v for k, v in item.items() if k != "evaluation_s"} for item in raw["evaluations"]]
            trial |= {"evaluations": evaluations} if evaluations and "evaluations" not in trial else {}
    return submission


def main() -> None:
    """Write the base of a study."""
    study, name = Path(sys.argv[1]), sys.argv[2]
    text = yaml.safe_dump(base(study), sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    (BASES / f"{name}.yaml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
