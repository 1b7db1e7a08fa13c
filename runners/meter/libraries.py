"""What the objects of training libraries say of themselves, as keys of an option set; what they do not say is left out.

They are known by what they have, so that none of the libraries need be there.
"""

from __future__ import annotations

from typing import Any

SIZES = {"tensor_parallel": "tp_size", "context_parallel": "cp_size"}


def of_loader(loader: Any) -> dict[str, Any]:
    """Return how a `torch.utils.data.DataLoader`, or one around it, loads."""
    inner = getattr(loader, "base_dataloader", loader)
    workers = getattr(inner, "num_workers", None)
    if not isinstance(workers, int):
        return {}
    ahead, kept = getattr(inner, "prefetch_factor", None), getattr(inner, "persistent_workers", None)
    return {
        "loader_workers": workers,
        "loader_prefetch": ahead if isinstance(ahead, int) else 0,
        "loader_pinned": bool(getattr(inner, "pin_memory", False)),
        **({"extra": {"persistent_workers": kept}} if isinstance(kept, bool) else {}),
    }


def of_scaler(scaler: Any) -> dict[str, Any]:
    """Return whether a `torch.amp.GradScaler`, or None, scales the loss."""
    return {"loss_scaling": "dynamic" if scaler is not None and scaler.is_enabled() else "none"}


def of_accelerator(accelerator: Any) -> dict[str, Any]:
    """Return how an `accelerate.Accelerator` trains."""
    return of_scaler(getattr(accelerator, "scaler", None)) | of_sizes(getattr(accelerator, "parallelism_config", None))


def of_sizes(config: Any) -> dict[str, Any]:
    """Return the sizes of an `accelerate.ParallelismConfig`; None says nothing."""
    found = {key: getattr(config, name, None) for key, name in SIZES.items()}
    return {key: size for key, size in found.items() if isinstance(size, int)}
