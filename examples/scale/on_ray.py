"""Judge a folder of submissions with Ray Data: `python examples/scale/on_ray.py submissions/ verdicts/`."""

import sys
from functools import partial
from pathlib import Path

import ray
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.scale.parquet import table
from dlaudit.audit.scale.rows import rows_of_entry


def judged(batch, settings):
    return table([row for path in batch["path"].to_pylist() for row in rows_of_entry(path, settings)])


if __name__ == "__main__":
    paths = [{"path": str(path.resolve())} for path in sorted(Path(sys.argv[1]).iterdir())]
    rows = ray.data.from_items(paths).map_batches(partial(judged, settings=Settings("gate")), batch_format="pyarrow")
    rows.write_parquet(sys.argv[2])
