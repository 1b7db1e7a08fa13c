"""The quality of what is served: held-out examples, answered by the same server under the same options.

Each example is a prompt and what follows it. The answer ends by itself here, so that its length can be held against
that of the reference on the same prompt.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiohttp
import msgspec

from ...schemas.errors import UserError
from ..trial import events
from ..workloads import grammar
from ..workloads.parameters import Serving

if TYPE_CHECKING:
    from .client import Endpoint

PROMPT_WORDS = 24
AT_ONCE = 8


class Example(msgspec.Struct, frozen=True):
    """A prompt and the answer that counts as correct."""

    prompt: str
    answer: str


class Given(msgspec.Struct, frozen=True):
    """An answer, and its tokens by the server's count."""

    text: str
    tokens: int


def measured(asked: Serving, to: Endpoint) -> Iterator[events.Evaluation | events.Outputs]:
    """Yield the accuracy on the test set, and the outputs' lengths beside those of the reference.

    Raises:
        UserError: the test set cannot be read, or an example is not answered.
    """
    if not asked.test_examples and asked.test_set is None:
        return
    examples, whole = _examples(asked)
    began = time.perf_counter()
    given = asyncio.run(_answers(to, to.model, examples, asked))
    correct = sum(one.text.split()[:1] == [two.answer] for one, two in zip(given, examples, strict=True))
    if asked.test_set is not None:
        correct = sum(one.text.strip().startswith(two.answer) for one, two in zip(given, examples, strict=True))
    yield events.Evaluation(
        split="test" if len(examples) == whole else "held_out",  # a part of the test set is not the test set
        samples=0,
        step=0,
        time_s=0.0,
        evaluation_s=time.perf_counter() - began,
        examples=len(examples),
        metrics={"accuracy": correct / len(examples)},
        correct=correct,
    )
    if asked.url is None or asked.reference_url is not None:
        other = msgspec.structs.replace(asked, url=asked.reference_url) if asked.reference_url else asked
        reference = asyncio.run(_answers(_other(to, asked), asked.reference_model, examples, other))
        means = [sum(one.tokens for one in each) / len(each) for each in (given, reference)]
        yield events.Outputs(generated=means[0], reference=means[1])


def _other(to: Endpoint, asked: Serving) -> Endpoint:
    from .client import Endpoint

    return Endpoint(
        url=asked.reference_url or to.url, model=to.model, api=to.api, timeout_s=to.timeout_s, headers=to.headers
    )


def _examples(asked: Serving) -> tuple[list[Example], int]:
    """Return the examples that are asked, and how many the test set has."""
    if asked.test_set is None:
        size = PROMPT_WORDS + 1
        text = [
            f"w{word}"
            for word in grammar.seeded(**grammar.GRAMMAR).sample(grammar.TEST_SEED, asked.test_examples * size)
        ]
        rows = [text[first : first + size] for first in range(0, len(text), size)]
        return [Example(" ".join(row[:-1]), row[-1]) for row in rows], len(rows)
    try:
        lines = [line for line in Path(asked.test_set).read_text("utf-8").splitlines() if line.strip()]
        examples = [msgspec.json.decode(line, type=Example) for line in lines]
    except (OSError, ValueError) as error:
        todo = "name a file of JSON lines with prompt and answer"
        raise UserError(f"the test set cannot be read: {error}", todo, asked.test_set) from None
    if not examples:
        raise UserError("the test set is empty", "name a file of JSON lines", asked.test_set)
    return examples[: asked.test_examples or None], len(examples)


async def _answers(to: Endpoint, model: str, examples: Sequence[Example], asked: Serving) -> list[Given]:
    limit = asyncio.Semaphore(AT_ONCE)
    timeout = aiohttp.ClientTimeout(total=to.timeout_s)
    async with aiohttp.ClientSession(timeout=timeout, headers=to.headers) as session:

        async def ask(one: Example) -> Given:
            async with limit:
                return await _ask(session, to, model, one, asked.output_tokens)

        return list(await asyncio.gather(*map(ask, examples)))


async def _ask(session: aiohttp.ClientSession, to: Endpoint, model: str, one: Example, most: int) -> Given:
    body: dict[str, Any] = {"model": model, "max_tokens": most, "temperature": 0}
    body |= {"messages": [{"role": "user", "content": one.prompt}]} if to.api == "chat" else {"prompt": one.prompt}
    path = "/v1/chat/completions" if to.api == "chat" else "/v1/completions"
    try:
        async with session.post(to.url.rstrip("/") + path, data=json.dumps(body)) as response:
            value = await response.json()
        choice = value["choices"][0]
        text = choice["message"]["content"] if to.api == "chat" else choice["text"]
        return Given(str(text), int(value["usage"]["completion_tokens"]))
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError, KeyError, IndexError, TypeError) as error:
        what = f"an example was not answered: {type(error).__name__}"
        raise UserError(what, "see the server's log", to.url) from None
