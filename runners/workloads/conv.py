"""`conv`: a square two-dimensional convolution without bias that keeps the image's size.

Parameters: `batch` (8), `channels` (32, in), `filters` (32, out), `image` (edge, 32), `window` (odd edge of the filter,
3). Operations: 2 batch filters image^2 channels window^2, the padded border counted as if it were inside. Values moved:
batch channels image^2 + filters channels window^2 + batch filters image^2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from torch.nn import functional

from . import parameters
from .interface import Workload
from .kernel import Kernel, KernelWorkload

NAME = "conv"


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    size = parameters.read(given, parameters.Conv, NAME)
    images = (size.batch, size.channels, size.image, size.image)
    filters = (size.filters, size.channels, size.window, size.window)
    pixels = size.image**2
    weights = size.filters * size.channels * size.window**2
    return KernelWorkload(
        Kernel(
            name=NAME,
            label=f"conv-b{size.batch}-c{size.channels}-f{size.filters}-i{size.image}-w{size.window}",
            shapes=(images, filters),
            run=lambda inputs, weight: functional.conv2d(inputs, weight, padding=size.window // 2),
            operations=2 * size.batch * pixels * weights,
            formula="2 batch filters image^2 channels window^2 operations; inputs + weights + outputs values moved",
            dimensions=msgspec.structs.asdict(size),
            values_moved=size.batch * (size.channels + size.filters) * pixels + weights,
        )
    )
