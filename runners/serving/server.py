"""A small real server: the decoder behind an OpenAI-compatible streaming API, on this machine alone.

`python -P -m dlaudit.runners.serving.server '{...parameters of serving...}'` trains its model, prints its port and
answers until it is ended. Its words are w0 to w23, one token each; other words of a prompt count as one of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import asdict
from typing import Any

import msgspec
import torch
from aiohttp import web

from ..workloads.parameters import Serving
from . import model as models
from . import scoring
from .engine import Engine, Sequence

LIMIT_BYTES = 1 << 24
DEFAULT_TOKENS = 16
REFERENCE = "reference"
Stream = asyncio.Queue[tuple[int, bool]]


class Server:
    """Engines by the name of their model, and who waits for their tokens."""

    def __init__(self, asked: Serving) -> None:
        reference = models.trained(asked)
        served = models.rounded(reference, asked.quantisation)
        self.engines = {asked.model: Engine(served, asked.batch), REFERENCE: Engine(reference, asked.batch)}
        self.length = asked.length
        self.facts = {"weights": models.digest(served), "reference": models.digest(reference)}
        self.streams: dict[int, Stream] = {}
        self.wake = asyncio.Event()

    async def work(self) -> None:
        """Step the engines while there is something to do; a thread computes, so that answers leave meanwhile."""
        loop = asyncio.get_running_loop()
        while True:
            await self.wake.wait()
            self.wake.clear()
            while busy := [engine for engine in self.engines.values() if not engine.idle]:
                for engine in busy:
                    for sequence, token, last in await loop.run_in_executor(None, engine.step):
                        if (stream := self.streams.get(id(sequence))) is not None:
                            stream.put_nowait((token, last))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a completion or a chat, as a stream or whole."""
        try:
            asked = await request.json()
            engine = self.engines[asked.get("model")]
            words, *others = rows = scoring.prompts(asked)
            count = int(asked.get("max_tokens") or DEFAULT_TOKENS)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            return web.json_response({"error": {"message": "no such model, or no prompt"}}, status=400)
        if not all(rows) or count < 1 or max(map(len, rows)) + count > self.length:
            return web.json_response({"error": {"message": "prompt and answer are too long"}}, status=400)
        if asked.get("echo"):
            loop = asyncio.get_running_loop()
            return web.json_response({"choices": await loop.run_in_executor(None, scoring.echoed, engine.model, rows)})
        if others:
            return web.json_response({"error": {"message": "an answer is to one prompt"}}, status=400)
        end = None if asked.get("ignore_eos") else models.END
        sequence, stream = Sequence(words, count, end), Stream()
        self.streams[id(sequence)] = stream
        engine.add(sequence)
        self.wake.set()
        try:
            return await _stream(request, stream, asked, len(words), chat=request.path.endswith("chat/completions"))
        finally:
            del self.streams[id(sequence)]
            engine.drop(sequence)


async def _stream(
    request: web.Request, stream: Stream, asked: dict[str, Any], given: int, *, chat: bool
) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    streamed, text, made, last = bool(asked.get("stream")), [], 0, False
    kind = {"object": "chat.completion.chunk" if chat else "text_completion"}
    if streamed:
        await response.prepare(request)
    while not last:
        token, last = await stream.get()
        made += 1
        text.append(f" w{token}")
        if streamed:
            await response.write(_event(kind | {"choices": [_choice(text[-1], last, chat=chat)]}))
    usage = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
    if not streamed:
        whole = "".join(text)
        message = {"message": {"role": "assistant", "content": whole}} if chat else {"text": whole}
        return web.json_response({"choices": [{"index": 0, "finish_reason": "stop", **message}], "usage": usage})
    if (asked.get("stream_options") or {}).get("include_usage"):
        await response.write(_event(kind | {"choices": [], "usage": usage}))
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _choice(text: str, last: bool, *, chat: bool) -> dict[str, Any]:
    said = {"delta": {"content": text}} if chat else {"text": text}
    return {"index": 0, "finish_reason": "stop" if last else None, **said}


def _event(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


async def _main(asked: Serving) -> None:
    if "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)  # its matrices are small, and the load generator needs a processor, too
    server = Server(asked)
    application = web.Application(client_max_size=LIMIT_BYTES)
    application.router.add_post("/v1/completions", server.answer)
    application.router.add_post("/v1/chat/completions", server.answer)

    async def facts(_: web.Request) -> web.Response:
        return web.json_response({"data": [{"id": name} for name in server.engines], **server.facts})

    async def work(_: web.Request) -> web.Response:
        from ..accounting.ceilings import ceilings

        engine = server.engines[asked.model]
        phases = {"prefill": asdict(engine.prefilled), "decode": asdict(engine.decoded)}
        return web.json_response({**phases, "ceilings": msgspec.to_builtins(ceilings("cpu", ("fp32",)))})

    async def tokenize(request: web.Request) -> web.Response:
        return web.json_response({"tokens": scoring.tokens(str((await request.json())["prompt"]))})

    async def detokenize(request: web.Request) -> web.Response:
        return web.json_response({"prompt": scoring.text((await request.json())["tokens"])})

    async def tokenizer(_: web.Request) -> web.Response:
        return web.json_response(scoring.tokenizer())

    application.router.add_post("/tokenize", tokenize)
    application.router.add_post("/detokenize", detokenize)
    application.router.add_get("/tokenizer_info", tokenizer)
    application.router.add_get("/v1/models", facts)
    application.router.add_get("/work", work)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    sys.stdout.write(f"{runner.addresses[0][1]}\n")
    sys.stdout.flush()
    await server.work()


if __name__ == "__main__":
    asyncio.run(_main(msgspec.json.decode(sys.argv[1], type=Serving)))
