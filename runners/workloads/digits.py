"""The handwritten digits that scikit-learn carries: 1,797 real images of 8 x 8 pixels with 17 grey levels.

The division is a property of each image: one whose pixels' SHA-256, read as a number from its first 8 bytes, is
divisible by 5 is held out. It depends on no seed, and equal images fall on the same side.

Source: E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998
(its test part), as bundled by scikit-learn. Its file is read without scikit-learn, which takes a second to import.
"""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from ...schemas.errors import UserError
from .streams import split_record

LEVELS = 16
"""Largest pixel value."""
HELD_OUT_OF = 5


@dataclass(frozen=True, slots=True)
class Split:
    """Images, uint8 [n, 8, 8], and their classes, int64 [n]."""

    images: torch.Tensor
    classes: torch.Tensor

    def contents(self) -> list[bytes]:
        """Return the bytes of every example: 64 pixels, then the class."""
        pairs = zip(self.images.numpy(), self.classes.tolist(), strict=True)
        return [image.tobytes() + bytes([number]) for image, number in pairs]


def load() -> tuple[Split, Split]:
    """Return the training and the test split.

    Raises:
        UserError: scikit-learn is not installed.
    """
    rows = torch.from_numpy(np.loadtxt(_file(), delimiter=",", dtype=np.uint8))
    images, classes = rows[:, :-1].reshape(-1, 8, 8).contiguous(), rows[:, -1].to(torch.int64)
    held_out = torch.tensor([_is_held_out(image.tobytes()) for image in images.numpy()])
    return Split(images[~held_out], classes[~held_out]), Split(images[held_out], classes[held_out])


def split_records(train: Split, test: Split) -> dict[str, Any]:
    """Return the record of both splits."""
    seen = train.contents()
    return {"train": split_record(seen), "test": split_record(test.contents(), set(seen))}


def prepare(images: torch.Tensor, device: str) -> torch.Tensor:
    """Return images as the model takes them: fp32 [n, 1, 8, 8] in [-1, 1], on the device."""
    return (images.to(device).to(torch.float32) * (2 / LEVELS) - 1).unsqueeze(1)


def _file() -> Path:
    """Return the file of scikit-learn with a line for each image: 64 pixels and the class."""
    found = importlib.util.find_spec("sklearn")
    if found is None or found.origin is None:
        todo = "pip install '.[run]' in the checkout of dlaudit"
        raise UserError("scikit-learn is not installed here", todo, "/workload")
    return Path(found.origin).with_name("datasets") / "data" / "digits.csv.gz"


def _is_held_out(pixels: bytes) -> bool:
    return int.from_bytes(hashlib.sha256(pixels).digest()[:8], "big") % HELD_OUT_OF == 0
