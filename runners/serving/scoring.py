"""What a harness asks of the small server besides answers: its tokens, and how likely it holds a text to be.

The paths and fields are those of vLLM's server, which lm-evaluation-harness knows: `/tokenize`, `/detokenize`,
`/tokenizer_info`, and completions with `echo` and `logprobs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from ..workloads.text_transformer import Decoder
from . import model as models
from .load import VOCABULARY


def tokens(text: str) -> list[int]:
    """Return the numbers of a text's words."""
    return [_number(word) for word in text.split()]


def text(numbers: Sequence[int]) -> str:
    """Return words by their numbers."""
    return " ".join(f"w{number}" for number in numbers)


def prompts(asked: dict[str, Any]) -> list[list[int]]:
    """Return the prompts of a request as tokens: a text or tokens, one or several.

    Raises:
        KeyError, TypeError, ValueError: there is none, or it is neither.
    """
    if "messages" in asked:
        return [tokens(" ".join(str(one["content"]) for one in asked["messages"]))]
    prompt = asked["prompt"]
    if isinstance(prompt, list) and prompt and not isinstance(prompt[0], int):
        return [_row(each) for each in prompt]
    return [_row(prompt)]


def tokenizer() -> dict[str, str]:
    """Return the tokens with a meaning of their own, as `/tokenizer_info` does."""
    return {"tokenizer_class": "words", "eos_token": f"w{models.END}", "bos_token": f"w{models.END}"}


@torch.inference_mode()
def echoed(model: Decoder, rows: Sequence[Sequence[int]]) -> list[dict[str, Any]]:
    """Return each prompt with the log probability of its tokens and of the likeliest one, and one token more."""
    choices = []
    for index, row in enumerate(rows):
        scores = model(torch.tensor([row]))[0].log_softmax(-1)
        best, which = scores.max(-1)
        whole = [*row, int(which[-1])]
        own = scores[range(len(row)), whole[1:]].tolist()
        likeliest = [{f"w{number}": value} for number, value in zip(which.tolist(), best.tolist(), strict=True)]
        for place, number in enumerate(whole[1:]):
            likeliest[place].setdefault(f"w{number}", own[place])
        found = {
            "tokens": [f"w{number}" for number in whole],
            "token_logprobs": [None, *own],
            "top_logprobs": [None, *likeliest],
        }
        choices.append({"index": index, "text": text(whole), "finish_reason": "length", "logprobs": found})
    return choices


def _row(prompt: object) -> list[int]:
    if isinstance(prompt, str):
        return tokens(prompt)
    if not isinstance(prompt, list) or not all(isinstance(number, int) for number in prompt):
        raise TypeError("a prompt is a text or tokens")
    return [number % VOCABULARY for number in prompt]


def _number(word: str) -> int:
    digits = word.removeprefix("w")
    return (int(digits) if digits.isdecimal() else len(word)) % VOCABULARY
