import os
import sys

import lightning
import torch
from dlaudit.runners.adapters.lightning import StudyCallback
from small import LOADER, Data, Net, watched

accumulate = int(sys.argv[1])


class Module(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def training_step(self, batch, _number):
        return self.net(**batch)["loss"]

    def validation_step(self, batch, _number):
        self.log("loss", self.net(**batch)["loss"])

    def configure_optimizers(self):
        return watched(torch.optim.SGD(self.parameters(), lr=0.1))


trainer = lightning.Trainer(
    accelerator="cpu",
    max_steps=1000,
    accumulate_grad_batches=accumulate,
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
    num_sanity_val_steps=1,
    limit_val_batches=1.0 if "convergence" in os.environ["DLAUDIT_REQUEST"] else 0,
    check_val_every_n_epoch=1,
    callbacks=[StudyCallback()],
)
trainer.fit(
    Module(),
    torch.utils.data.DataLoader(Data(20), batch_size=4, **LOADER),
    torch.utils.data.DataLoader(Data(8), batch_size=8),
)
