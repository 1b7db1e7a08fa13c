"""The fact `comparison.software`."""

import pytest
from dlaudit.rules.facts.comparison.software import compare_stacks
from dlaudit.schemas.evidence import Software


@pytest.mark.parametrize(
    ("left", "right", "different", "unknown"),
    [
        ({"driver": "550.54.15"}, {"driver": "550.90.07"}, [], []),
        ({"driver": "550.54.15"}, {"driver": "535.104.05"}, ["driver"], []),
        ({"framework": "torch 2.6.0"}, {"framework": "jax 0.4.30"}, ["framework"], []),
        ({"framework": "torch 2.6.0, cuBLAS 12.4.5"}, {"framework": "PyTorch 2.6"}, [], []),
        ({"framework": "torch 2.6.0"}, {"framework": "Megatron-LM 0.7"}, [], ["framework"]),
        ({"runtime": "CUDA 12.4"}, {"runtime": "ROCm 6.1"}, ["runtime"], []),
        ({"libraries": {"NCCL": "2.21.5"}}, {"libraries": {"NCCL": "2.18.1"}}, ["NCCL"], []),
        ({"libraries": {"NCCL": "2.21.5"}}, {"libraries": {}}, [], ["NCCL"]),
        ({"container": "a/lm:24.05"}, {"container": "b/lm:24.05"}, [], []),
        ({"container": "a/lm:24.05"}, {"container": "a/lm:24.05-py3"}, [], ["container"]),
        ({"container": "a/lm:24.05"}, {"container": "a/lm@sha256:0f3a"}, [], ["container"]),
        ({"container": "a/lm:24.05"}, {"container": "a/lm:23.01"}, ["container"], []),
        ({"container": "a/lm@sha256:0f3a"}, {"container": "a/lm@sha256:0f3ab1"}, [], []),
    ],
)
def test_stacks(left, right, different, unknown):
    found = compare_stacks(Software(**left), Software(**right))
    assert [name for name, _, _ in found.different] == different
    assert list(found.unknown) == unknown


def test_one_container_fixes_all_but_the_driver():
    image = {"container": "a/lm@sha256:0f3a"}
    found = compare_stacks(
        Software(**image, framework="torch 2.6.0", driver="550.1"), Software(**image, framework="x 9", driver="535.1")
    )
    assert [name for name, _, _ in found.different] == ["driver"]
