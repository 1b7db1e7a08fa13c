"""Environment variables that can change speed or numbers. Only names of the allow-list are read, so no secret is."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

from .paths import reduced

ALLOWED = (
    "CUBLAS_WORKSPACE_CONFIG",
    "CUDA_DEVICE_MAX_CONNECTIONS",
    "CUDA_DEVICE_ORDER",
    "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING",
    "CUDA_VISIBLE_DEVICES",
    "CUDNN_*",
    "GOMP_*",
    "KMP_*",
    "LD_PRELOAD",
    "MALLOC_*",
    "MKL_*",
    "NCCL_*",
    "NUMEXPR_*",
    "NVIDIA_DRIVER_CAPABILITIES",
    "NVIDIA_TF32_OVERRIDE",
    "NVIDIA_VISIBLE_DEVICES",
    "OMP_*",
    "OPENBLAS_*",
    "PYTHONHASHSEED",
    "PYTHONOPTIMIZE",
    "PYTORCH_*",
    "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE",
    "TORCH_CUDNN_*",
    "TORCH_LOGS",
    "TORCH_NCCL_*",
    "TORCHDYNAMO_*",
    "TORCHINDUCTOR_*",
)
SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")
LONGEST = 1000


def relevant(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the allowed variables that are set, with paths into the user's home reduced."""
    return {
        name: reduced(value)[:LONGEST]
        for name, value in sorted(environment.items())
        if value
        and any(fnmatchcase(name, pattern) for pattern in ALLOWED)
        and not any(word in name.upper() for word in SECRET)
    }
