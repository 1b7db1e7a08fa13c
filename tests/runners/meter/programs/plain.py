import sys

import dlaudit
import torch
from small import LOADER, Data, made

accumulate = int(sys.argv[1])
model, optimizer = made()
loader = torch.utils.data.DataLoader(Data(20), batch_size=4, **LOADER)
held_out = torch.utils.data.DataLoader(Data(8), batch_size=8)
with dlaudit.study(model=model, optimizer=optimizer, accumulate=accumulate) as m:
    number = 0
    while not m.over and number < 1000:
        for batch in m.steps(loader):
            number += 1
            (model(**batch)["loss"] / accumulate).backward()
            if number % accumulate == 0:
                optimizer.step()
                optimizer.zero_grad()
            if m.evaluation_due:
                with m.evaluation(examples=8) as found:
                    model.eval()
                    found["loss"] = sum(float(model(**batch)["loss"]) for batch in held_out)
                    model.train()
