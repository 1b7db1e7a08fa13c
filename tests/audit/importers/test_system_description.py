"""System descriptions of MLPerf results: sizes, versions, and systems that share a name."""

import json
import shutil
from pathlib import Path

import pytest
from dlaudit.audit.importers.drafting import Drafting
from dlaudit.audit.importers.mlperf.system_description import describe, description
from dlaudit.audit.lint.read import read_documents

FOLDER = Path(__file__).parent / "fixtures" / "mlperf-training" / "folder" / "report_example"
SYSTEM = {
    "system_name": "Aurelia",
    "number_of_nodes": "32",
    "accelerators_per_node": "4",
    "accelerator_model_name": "NVIDIA A100-SXM4-40GB",
    "host_processor_model_name": "AMD EPYC 7763",
}


def drafted(*changes):
    """The draft of arms a0, a1, ... with a description each."""
    draft = Drafting("")
    for index, change in enumerate(changes):
        arm = draft.put_arm(f"a{index}", {})
        found = description(f"{index}.json", json.dumps(SYSTEM | change).encode())
        assert found is not None
        describe(arm, found, "folder", 1)
    return draft.value


@pytest.mark.parametrize(
    ("text", "gib"),
    [
        ("80 GB", 80),
        ("80G", 80),
        ("256 GB DDR4", 256),
        ("143771 MiB", 140.4014),
        ("2.0 TB", 2048),
        ("2x 16 GB", None),
        ("32 x 64 GB", None),
        ("40 gigantic", None),
        ("0 GB", None),
        ("SSD", None),
        ("", None),
    ],
)
def test_sizes_of_memory(text, gib):
    systems = drafted({"accelerator_memory_capacity": text, "host_memory_capacity": text})["systems"]
    assert systems["Aurelia"].get("device_memory_gib") == gib
    assert systems["Aurelia"].get("host_memory_gib") == gib


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        (
            {"cuda_version": "12.8.0", "cuda_driver_version": "570.86.15", "python_version": "3.12.3"},
            {"runtime": "CUDA 12.8.0", "driver": "570.86.15", "language": "Python 3.12.3"},
        ),
        (
            "cuda 11.0.167, cudnn 8.0.1.13, nccl 2.7.5, cuda driver 450.36.06",
            {"runtime": "CUDA 11.0.167", "driver": "450.36.06"},
        ),
        ({"python": "3.10.12", "ROCm": "6.1"}, {"runtime": "ROCm 6.1", "language": "Python 3.10.12"}),
        ([{"cuda_version": "13.0"}], {"runtime": "CUDA 13.0"}),
        ({"cuda_version": "", "cublas_version": "12.1"}, {}),
        ("POD-SW 2.3.0, V-IPU 1.15.0", {}),
        ("", {}),
    ],
)
def test_versions_in_the_software_stack(stack, expected):
    software = drafted({"other_software_stack": stack})["arms"]["a0"].get("software", {})
    assert {name: software[name] for name in ("runtime", "driver", "language") if name in software} == expected


def test_two_systems_of_one_name_are_two_where_they_differ():
    draft = drafted({}, {"number_of_nodes": "80"}, {"framework": "PyTorch 2.0.1"}, {"number_of_nodes": "80"})
    assert [arm["system"] for arm in draft["arms"].values()] == ["Aurelia", "Aurelia-2", "Aurelia", "Aurelia-2"]
    assert [system["nodes"] for system in draft["systems"].values()] == [32, 80]


def test_results_of_a_folder_keep_their_own_system(tmp_path):
    folder = Path(shutil.copytree(FOLDER, tmp_path / "hpc_results_v3.0"))
    shutil.copytree(folder / "results" / "box_8xh100", folder / "results" / "two_boxes")
    (entry,) = (folder / "systems").glob("box_8xh100.json")
    entry.with_name("two_boxes.json").write_text(json.dumps(json.loads(entry.read_text()) | {"number_of_nodes": "2"}))
    (found,) = read_documents([str(folder)])
    value = found.draft.value
    nodes = {name: value["systems"][arm["system"]]["nodes"] for name, arm in value["arms"].items()}
    assert nodes == {name: 2 if name.startswith("two_boxes") else 1 for name in nodes}
    assert len(nodes) == 2
    assert value["title"].endswith("results of MLPerf HPC")
