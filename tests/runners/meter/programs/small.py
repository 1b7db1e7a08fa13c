"""A small model whose forward pass naps, data for it, and a stopwatch of its own on the optimizer."""

import json
import os
import time
from pathlib import Path

import torch
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
NAP_S, EVALUATION_S = 0.02, 0.2
CLASSES = 4
LOADER = json.loads(os.environ.get("LOADER", "{}"))
CHECKPOINTS = "CHECKPOINTS" in os.environ


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(8, CLASSES)

    def gradient_checkpointing_enable(self, *_, **__):
        pass

    def forward(self, x=None, labels=None):
        time.sleep(NAP_S if self.training else EVALUATION_S)
        logits = checkpoint(self.inner, x, use_reentrant=False) if CHECKPOINTS else self.inner(x)
        if labels is None:
            return logits
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


class Data(torch.utils.data.Dataset):
    def __init__(self, length):
        self.x = torch.randn(length, 8, generator=torch.Generator().manual_seed(0))

    def __len__(self):
        return len(self.x)

    def __getitem__(self, index):
        return {"x": self.x[index], "labels": int(self.x[index].sum() > 0)}


def watched(optimizer):
    """Note when each optimizer step ends, in the file that STOPWATCH names."""
    ends = []

    def note(*_):
        ends.append(time.perf_counter())
        Path(os.environ["STOPWATCH"]).write_text(json.dumps(ends))

    optimizer.register_step_post_hook(note)
    return optimizer


def made():
    model = Net()
    return model, watched(torch.optim.SGD(model.parameters(), lr=0.1))
