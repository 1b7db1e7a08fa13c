"""`dlaudit run` with workloads of two ranks: what the manifest holds of them, and what lint says of it."""

import importlib.util
import json
import os

import pytest
from dlaudit.schemas.validation import validate
from support.forks import dlaudit

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed"),
]
SPEC = {
    "dlaudit": "spec/1",
    "title": "two ranks",
    "workload": {"name": "all-reduce"},
    "arms": {
        "exchange": {"workload": {"name": "all-reduce", "parameters": {"sweep_bytes": [4096, 65536]}}},
        "training": {"workload": {"name": "data-parallel"}},
    },
    "throughput": {"warmup": 5, "iterations": 10, "trials": 1},
    "controls": {"threads": 1},
}


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks")
    (folder / "spec.json").write_text(json.dumps(SPEC))
    environment = {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": f"{folder}/c", "XDG_STATE_HOME": f"{folder}/s"}
    done = dlaudit(["run", "spec.json", "--out", "out", "--unsigned"], folder, environment)
    assert done.returncode == 0, done.stderr
    return folder / "out", done.stdout


def test_both_bandwidths_stand_in_the_manifest_and_in_the_closing_line(study):
    out, printed = study
    manifest = json.loads((out / "manifest.json").read_bytes())
    assert validate("manifest", manifest) == ()
    arm = manifest["predicate"]["arms"]["exchange"]
    found = arm["operations"]["collective"]
    rate = float(arm["performance"]["rate"]["value"])
    assert found["algorithm_bytes_per_s"] == found["bus_bytes_per_s"] == rate  # two ranks: a factor of 1
    assert (found["backend"], found["ranks"], found["message_bytes"]) == ("gloo", 2, 1 << 20)
    assert len(found["sweep"]) == 2
    assert (arm["measurement"]["scope"], arm["performance"]["rate"]["unit"]) == ("collective", "bytes/s")
    assert f"on the bus {found['bus_bytes_per_s']:g} bytes/s between 2 ranks (gloo)" in printed


def test_the_sizes_of_a_parallel_training_agree(study):
    out, _ = study
    arm = json.loads((out / "manifest.json").read_bytes())["predicate"]["arms"]["training"]
    assert arm["devices"] == arm["options"]["devices"] == arm["options"]["data_parallel"] == 2
    assert arm["measurement"]["rank_aggregation"].startswith("rank 0")
    verdict = json.loads((out / "verdict.json").read_bytes())["documents"][0]
    assert "parallelism-product-mismatch" not in json.dumps(verdict["claims"])
    claims = json.loads((out / "submission.json").read_bytes())["claims"]
    assert (claims["exchange-rate"]["purpose"], claims["exchange-rate"]["mode"]) == ("kernel_benchmark", "none")


def test_ranks_share_the_processors_where_nobody_says_how_many_threads(tmp_path):
    spec = {key: value for key, value in SPEC.items() if key not in ("arms", "controls")}
    (tmp_path / "spec.json").write_text(json.dumps(spec | {"workload": {"name": "data-parallel"}}))
    environment = {key: value for key, value in os.environ.items() if not key.endswith("_NUM_THREADS")}
    environment |= {"HOME": str(tmp_path), "XDG_STATE_HOME": f"{tmp_path}/s"}
    done = dlaudit(["run", "spec.json", "--out", "out", "--unsigned"], tmp_path, environment)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "out/manifest.json").read_bytes())
    (trial,) = manifest["predicate"]["arms"]["base"]["trials"].values()
    threads = trial["controls"]["threads"]
    assert (threads["verified"], threads["found"]) == ("not_requested", max(1, len(os.sched_getaffinity(0)) // 2))
