"""`resnet`: a small residual network with group normalisation on synthetic images.

Parameters: `width` (16; a multiple of 8), `blocks` (residual blocks in each of three stages, 1), `image` (edge in
pixels, 32), `classes` (10). Defaults of the options: global_batch 32, sgd at a learning rate of 0.01.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from . import parameters
from .interface import Workload
from .synthetic import SyntheticClassifier

NAME = "resnet"
GROUPS = parameters.RESNET_GROUPS


def make(given: Mapping[str, Any]) -> Workload:
    """Make the workload.

    Raises:
        UserError: a parameter is unknown or unusable.
    """
    chosen = parameters.read(given, parameters.ResNet, NAME)
    model = f"resnet-w{chosen.width}-b{chosen.blocks}-groupnorm"
    shape = (3, chosen.image, chosen.image)
    return SyntheticClassifier(NAME, model, lambda: network(chosen), shape, chosen.classes)


def network(sizes: parameters.ResNet) -> nn.Module:
    """Return the network for [n, 3, image, image]: a stem, three stages that halve the image, a linear layer."""
    layers: list[nn.Module] = [nn.Conv2d(3, sizes.width, 3, padding=1, bias=False)]
    channels = sizes.width
    for stage in range(3):
        wider = sizes.width * 2**stage
        for block in range(sizes.blocks):
            layers.append(Block(channels, wider, stride=2 if stage and not block else 1))
            channels = wider
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, sizes.classes))


class Block(nn.Module):
    """Two convolutions added to their input, which a 1 x 1 convolution brings into shape where it must."""

    def __init__(self, channels: int, wider: int, stride: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, wider, 3, stride=stride, padding=1, bias=False)
        self.second = nn.Conv2d(wider, wider, 3, padding=1, bias=False)
        self.norms = nn.ModuleList([nn.GroupNorm(GROUPS, wider), nn.GroupNorm(GROUPS, wider)])
        same = stride == 1 and channels == wider
        self.shortcut = nn.Identity() if same else nn.Conv2d(channels, wider, 1, stride=stride, bias=False)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the block's output."""
        inner = functional.relu(self.norms[0](self.first(images)))
        result: torch.Tensor = functional.relu(self.norms[1](self.second(inner)) + self.shortcut(images))
        return result
