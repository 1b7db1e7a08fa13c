"""Judge a folder or bucket of submissions with Ray Data: `python examples/scale/on_ray.py submissions/ verdicts/`."""

import sys
from functools import partial
from pathlib import Path

import ray
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.scale.engines import entries
from dlaudit.audit.scale.parquet import table
from dlaudit.audit.scale.rows import rows_of_entry


def judged(batch, settings):
    return table([row for path in batch["path"].to_pylist() for row in rows_of_entry(path, settings)])


if __name__ == "__main__":
    named = sys.argv[1] if "://" in sys.argv[1] else str(Path(sys.argv[1]).resolve())
    paths = [{"path": path} for path in entries([named])]
    rows = ray.data.from_items(paths).map_batches(partial(judged, settings=Settings("gate")), batch_format="pyarrow")
    rows.write_parquet(sys.argv[2])
