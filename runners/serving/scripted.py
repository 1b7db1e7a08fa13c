"""A server that answers by a script and stamps what it does: with no delays, the null server.

`python -P -m dlaudit.runners.serving.scripted '{"ttft_s": 0.02, "gap_s": 0.005}'` prints its port. Every answer has as
many tokens as are asked for. `GET /stamps` tells, by the request's own number, when it was received and when each token
was written, on the monotonic clock that all processes share.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import dataclass, field

import msgspec


class Script(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the server answers."""

    ttft_s: float = 0.0
    gap_s: float = 0.0
    role_first: bool = False
    """Whether a chunk without content comes at once."""
    per_chunk: int = 1
    """Tokens in each chunk."""
    fail_every: int = 0
    """Every so many requests one is refused; 0, none."""
    stall_every: int = 0
    """Every so many requests one stops after its first token and never ends."""
    pause_every: int = 0
    """Every so many requests the whole server stands still; 0, never."""
    pause_s: float = 0.0
    break_every: int = 0
    """Every so many requests one ends in the middle."""
    cut_to: float = 1.0
    """Share of the asked tokens that an answer has."""
    cached: int = 0
    """Tokens of the prompt that the server says it found in its cache."""


@dataclass(slots=True)
class Server:
    """A server with its stamps."""

    script: Script
    stamps: dict[str, list[float]] = field(default_factory=dict)
    seen: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                first, *lines = head.decode("latin-1").split("\r\n")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                received = time.monotonic()
                if first.startswith("GET /stamps"):
                    _plain(writer, json.dumps(self.stamps).encode())
                elif not body:
                    _plain(writer, json.dumps({"data": [{"id": "scripted"}]}).encode())
                elif not await self._answer(writer, headers.get("x-request-id", ""), body, received):
                    return
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, number: str, body: bytes, received: float) -> bool:
        """Answer one request; return whether the connection goes on."""
        script = self.script
        self.seen += 1
        if _due(self.seen, script.fail_every):
            _plain(writer, b"{}", "503 Service Unavailable")
            return True
        if _due(self.seen, script.pause_every):
            time.sleep(script.pause_s)
        asked = json.loads(body)
        kind = {"object": "chat.completion.chunk" if "messages" in asked else "text_completion"}
        tokens = max(1, round(int(asked.get("max_tokens", 16)) * script.cut_to))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        if script.role_first:
            writer.write(_event(kind | {"choices": [{"index": 0, "delta": {"role": "assistant"}, "text": ""}]}))
        stamps = self.stamps[number] = [received]
        due = received + script.ttft_s
        for sent in range(0, tokens, script.per_chunk):
            await _until(due)
            text = "".join(f" w{index % 10}" for index in range(sent, min(tokens, sent + script.per_chunk)))
            stamps.append(time.monotonic())
            writer.write(_event(kind | {"choices": [{"index": 0, "text": text, "delta": {"content": text}}]}))
            due = stamps[-1] + script.gap_s
            if _due(self.seen, script.stall_every):
                await asyncio.sleep(3600)
            if _due(self.seen, script.break_every) and sent >= tokens // 2:
                return False
        usage: dict[str, object] = {"prompt_tokens": _words(asked), "completion_tokens": tokens}
        if script.cached:
            usage["prompt_tokens_details"] = {"cached_tokens": script.cached}
        writer.write(_event(kind | {"choices": [], "usage": usage}) + _chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")
        return True


def _words(asked: dict[str, object]) -> int:
    messages = asked.get("messages")
    prompt = asked.get("prompt", "") if not isinstance(messages, list) else messages[-1].get("content", "")
    return len(str(prompt).split())


def _due(number: int, every: int) -> bool:
    return every > 0 and number % every == 0


async def _until(due: float) -> None:
    left_s = due - time.monotonic()
    if left_s > 0:
        await asyncio.sleep(left_s)


def _event(value: object) -> bytes:
    return _chunk(b"data: " + json.dumps(value).encode() + b"\n\n")


def _chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def _plain(writer: asyncio.StreamWriter, body: bytes, status: str = "200 OK") -> None:
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)


async def _main(script: Script) -> None:
    server = await asyncio.start_server(Server(script).serve, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main(msgspec.json.decode(sys.argv[1] if len(sys.argv) > 1 else "{}", type=Script)))
