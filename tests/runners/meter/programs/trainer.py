import os
import sys

from dlaudit.runners.adapters.hugging_face import StudyCallback
from small import CHECKPOINTS, LOADER, Data, made
from transformers import Trainer, TrainingArguments

accumulate = int(sys.argv[1])
model, optimizer = made()
arguments = TrainingArguments(
    output_dir=sys.argv[2],
    per_device_train_batch_size=4,
    gradient_accumulation_steps=accumulate,
    max_steps=1000,
    use_cpu=True,
    report_to=[],
    save_strategy="no",
    disable_tqdm=True,
    eval_strategy="steps" if "convergence" in os.environ["DLAUDIT_REQUEST"] else "no",
    eval_steps=4,
    logging_steps=4,
    gradient_checkpointing=CHECKPOINTS,
    dataloader_pin_memory=False,
    **{f"dataloader_{name}": value for name, value in LOADER.items()},
)
Trainer(
    model=model,
    args=arguments,
    train_dataset=Data(20),
    eval_dataset=Data(8),
    optimizers=(optimizer, None),
    callbacks=[StudyCallback()],
).train()
