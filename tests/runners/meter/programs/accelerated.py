import sys

import dlaudit
import torch
from accelerate import Accelerator
from small import LOADER, Data, made

accelerator = Accelerator(cpu=True, gradient_accumulation_steps=int(sys.argv[1]))
plain, own = made()
model, optimizer, loader = accelerator.prepare(
    plain, own, torch.utils.data.DataLoader(Data(20), batch_size=4, **LOADER)
)
held_out = torch.utils.data.DataLoader(Data(8), batch_size=8)
with dlaudit.study(model=model, optimizer=optimizer) as m:
    for _epoch in range(1000):
        for batch in m.steps(loader, accelerator=accelerator):
            with accelerator.accumulate(model):
                accelerator.backward(model(**batch)["loss"])
                optimizer.step()
                optimizer.zero_grad()
            if m.evaluation_due:
                with m.evaluation(examples=8) as found:
                    model.eval()
                    found["loss"] = sum(float(model(**batch)["loss"]) for batch in held_out)
                    model.train()
        if m.over:
            break
