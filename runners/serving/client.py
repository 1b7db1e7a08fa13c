"""The load generator: planned requests to an OpenAI-compatible endpoint, each stamped as it is sent and answered.

One thread and one event loop. What comes is stamped at once and understood only when its request is over, so that
reading one answer delays no other. A request that is due is sent, whatever became of those before it; only in a closed
loop a client waits for its last answer. Latencies begin when a request was due: a client that is late hides no wait.
"""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from ...schemas.requests import Requests
from .load import Planned

EARLY_S = 0.0012
"""The event loop sleeps to the millisecond: for the rest it yields, and stays awake."""
NUMBER = "X-Request-Id"
LIMIT_BYTES = 1 << 24
"""Bytes of an answer that are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where requests go."""

    url: str
    """Without the path of the API."""
    model: str
    api: str
    timeout_s: float
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Answer:
    """What became of one request; times of the monotonic clock."""

    due_s: float
    sent_s: float | None = None
    chunks: list[tuple[float, bytes]] = field(default_factory=list)
    ended_s: float | None = None
    outcome: str = "not_sent"


@dataclass(slots=True)
class Understood:
    """What the chunks of an answer say."""

    first_chunk_s: float | None = None
    content_s: list[float] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    finished: bool = False


def run(endpoint: Endpoint, planned: Sequence[Planned], concurrency: int | None) -> list[Answer]:
    """Send the requests and return what became of them, in their order.

    Args:
        endpoint: where to.
        planned: the requests.
        concurrency: clients of a closed loop; None for an open loop.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        return asyncio.run(_run(endpoint, planned, concurrency))
    finally:
        gc.enable()
        gc.unfreeze()


async def _run(endpoint: Endpoint, planned: Sequence[Planned], concurrency: int | None) -> list[Answer]:
    answers = [Answer(0.0) for _ in planned]
    timeout = aiohttp.ClientTimeout(total=endpoint.timeout_s)
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=60)
    trace = aiohttp.TraceConfig()
    trace.on_request_chunk_sent.append(_left)
    async with aiohttp.ClientSession(
        connector=connector, timeout=timeout, headers=endpoint.headers, trace_configs=[trace]
    ) as session:

        async def send(index: int) -> None:
            await _send(session, endpoint, planned[index], answers[index], index)

        if concurrency is None:
            await _open(planned, answers, send)
        else:
            await _closed(answers, send, concurrency)
    return answers


async def _left(_session: aiohttp.ClientSession, context: Any, _sent: aiohttp.TraceRequestChunkSentParams) -> None:
    """Stamp a request when its body is handed to the connection: what the client spent before is its own."""
    context.trace_request_ctx.sent_s = time.monotonic()


async def _open(planned: Sequence[Planned], answers: list[Answer], send: Callable[[int], Any]) -> None:
    began, running = time.monotonic() + 0.05, []
    for index, one in enumerate(planned):
        answers[index].due_s = began + one.due_s
        left_s = answers[index].due_s - time.monotonic()
        if left_s > EARLY_S:
            await asyncio.sleep(left_s - EARLY_S)
        while time.monotonic() < answers[index].due_s:
            await asyncio.sleep(0)
        running.append(asyncio.create_task(send(index)))
        await asyncio.sleep(0)  # it starts now, not when the next one is due
    await asyncio.gather(*running)


async def _closed(answers: list[Answer], send: Callable[[int], Any], concurrency: int) -> None:
    left = iter(range(len(answers)))

    async def client() -> None:
        for index in left:
            answers[index].due_s = time.monotonic()
            await send(index)

    await asyncio.gather(*(client() for _ in range(concurrency)))


async def _send(session: aiohttp.ClientSession, to: Endpoint, one: Planned, answer: Answer, index: int) -> None:
    path, body = _body(to, one)
    answer.sent_s, answer.outcome = time.monotonic(), "failed"
    try:
        where, headers = to.url.rstrip("/") + path, {NUMBER: str(index)}
        async with session.post(where, data=body, headers=headers, trace_request_ctx=answer) as response:
            if response.status == 200:
                answer.outcome, size = "completed", 0
                async for chunk in response.content.iter_any():
                    answer.chunks.append((time.monotonic(), chunk))
                    size += len(chunk)
                    if size > LIMIT_BYTES:
                        answer.outcome = "cut_off"
                        break
    except TimeoutError:
        answer.outcome = "timed_out"
    except (aiohttp.ClientError, OSError, ValueError):  # ValueError: what came is no HTTP, or the URL is none
        answer.outcome = "cut_off" if answer.chunks else "failed"
    answer.ended_s = answer.chunks[-1][0] if answer.outcome == "completed" and answer.chunks else time.monotonic()


def _body(to: Endpoint, one: Planned) -> tuple[str, bytes]:
    value: dict[str, Any] = {
        "model": to.model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": one.output_tokens,
        "temperature": 0,
        "ignore_eos": True,
    }
    if to.api == "chat":
        return "/v1/chat/completions", json.dumps(
            value | {"messages": [{"role": "user", "content": one.prompt}]}
        ).encode()
    return "/v1/completions", json.dumps(value | {"prompt": one.prompt}).encode()


def understood(chunks: Sequence[tuple[float, bytes]]) -> Understood:
    """Return what the chunks of an answer say; an event is of the time at which its last byte came."""
    found, rest = Understood(), b""
    for when, chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line.startswith(b"data:"):
                _take(found, when, line[5:].strip())
    return found


def _take(found: Understood, when: float, data: bytes) -> None:
    if found.first_chunk_s is None:
        found.first_chunk_s = when
    if data == b"[DONE]":
        found.finished = True
        return
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        return
    usage, choices = value.get("usage"), value.get("choices")
    if isinstance(usage, dict):
        found.input_tokens = _count(usage.get("prompt_tokens"))
        found.output_tokens = _count(usage.get("completion_tokens"))
        details = usage.get("prompt_tokens_details")
        found.cached_tokens = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    text = choice.get("text")
    if isinstance(delta := choice.get("delta"), dict):
        text = delta.get("content") or delta.get("reasoning_content") or delta.get("reasoning")
    if isinstance(text, str) and text:
        found.content_s.append(when)
        found.text.append(text)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 40 else None


def table(planned: Sequence[Planned], answers: Sequence[Answer], count: Callable[[str], int] | None) -> Requests:
    """Return the requests in columns.

    Args:
        planned: what was sent.
        answers: what became of it.
        count: a tokenizer's count of a text; None where there is none.
    """
    read = [understood(answer.chunks) for answer in answers]
    pairs = list(zip(answers, read, strict=True))
    outcomes = [
        "cut_off" if answer.outcome == "completed" and not one.finished else answer.outcome for answer, one in pairs
    ]
    return Requests(
        scheduled_s=tuple(answer.due_s for answer in answers),
        sent_s=tuple(answer.sent_s for answer in answers),
        first_chunk_s=tuple(one.first_chunk_s for one in read),
        first_content_s=tuple(one.content_s[0] if one.content_s else None for one in read),
        content_s=tuple(tuple(one.content_s) for one in read),
        ended_s=tuple(answer.ended_s for answer in answers),
        outcome=tuple(outcomes),
        input_tokens=_known(one.input_tokens for one in read),
        output_tokens=_known(one.output_tokens for one in read),
        tokenizer_input_tokens=tuple(count(one.prompt) for one in planned) if count else (),
        tokenizer_output_tokens=tuple(count("".join(one.text)) for one in read) if count else (),
        asked_output_tokens=tuple(one.output_tokens for one in planned),
        cached_tokens=_known(one.cached_tokens for one in read),
        prompt=tuple(one.number for one in planned),
    )


def _known(values: Any) -> tuple[int | None, ...]:
    """Return a column, or nothing where no request tells it."""
    column = tuple(values)
    return column if any(value is not None for value in column) else ()
