"""A service behind a URL: each example is the body of a POST, in JSON; the answer is a document or a stream of events.

Of a stream in the form of OpenAI's (`data: {...}` lines) the first chunk with text is the first token. Tokens are those
of `usage`, else the chunks with text.
"""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from ...schemas.errors import UserError
from ..workloads.interface import Evaluation
from .subject import About, Answer

LONGEST = 1 << 24
"""Bytes of an answer, and of one line of a stream."""
ANSWERED = range(200, 300)
SCHEMES = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}


class Endpoint:
    """A service.

    Args:
        url: where examples are sent.
        bodies: by example what is sent.
        expected: by example the text that is right; empty where nothing tells.
        timeout_s: time after which a request is given up.

    Raises:
        UserError: the URL cannot be used.
    """

    def __init__(self, url: str, bodies: Sequence[Any], expected: Sequence[str], timeout_s: float) -> None:
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES or not parts.hostname:
            raise UserError(f"{url} is not the address of a service", "write http://host:port/path", "/workload/url")
        self._connect = partial(SCHEMES[parts.scheme], parts.hostname, parts.port, timeout=timeout_s)
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._bodies = [json.dumps(body).encode() for body in bodies]
        self._first = bodies[0] if bodies else None
        self._expected = expected
        self._own = threading.local()
        self.examples, self.scored = len(bodies), bool(expected)

    def about(self) -> About:
        """Return the model that the bodies name."""
        model = self._first.get("model") if isinstance(self._first, dict) else None
        return About(effective={"model": model} if isinstance(model, str) else {})

    def answer(self, numbers: Sequence[int], first: Callable[[int], None]) -> list[Answer]:
        """Send these examples one after the other."""
        return [self._ask(number, partial(first, position)) for position, number in enumerate(numbers)]

    def score(self, answers: Mapping[int, bytes]) -> Evaluation:
        """Count the answers that are what is expected, blanks around them apart."""
        pairs = [(answers.get(number, b""), text) for number, text in enumerate(self._expected)]
        correct = sum(data.decode(errors="replace").strip() == text.strip() for data, text in pairs)
        share = correct / len(pairs)
        return Evaluation(split="test", examples=len(pairs), metrics={"accuracy": share}, correct=correct)

    def _ask(self, number: int, first: Callable[[], None]) -> Answer:
        """Send one request over this thread's connection, which is made anew after a failure."""
        try:
            connection: http.client.HTTPConnection = getattr(self._own, "connection", None) or self._connect()
            self._own.connection = connection
            headers = {"Content-Type": "application/json"}
            connection.request("POST", self._path, self._bodies[number], headers)
            response = connection.getresponse()
            found = _read(response, first)
        except TimeoutError:
            self._drop()
            return Answer(data=b"", outcome="timed_out")
        except (OSError, http.client.HTTPException, ValueError):
            self._drop()
            return Answer(data=b"", outcome="failed")
        if response.will_close or not response.isclosed():
            self._drop()
        return found

    def _drop(self) -> None:
        connection = getattr(self._own, "connection", None)
        if connection is not None:
            connection.close()
            self._own.connection = None


def _read(response: http.client.HTTPResponse, first: Callable[[], None]) -> Answer:
    """Read one answer.

    Raises:
        ValueError: it is too long, or no JSON where it says so.
    """
    if response.status not in ANSWERED:
        response.read(LONGEST)
        return Answer(data=b"", outcome="failed")
    if (response.getheader("Content-Type") or "").startswith("text/event-stream"):
        return _stream(response, first)
    data = response.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise ValueError("the answer is too long")
    first()
    if not (response.getheader("Content-Type") or "").startswith("application/json"):
        return Answer(data=data)
    value = json.loads(data)
    text, usage = _text(value), _usage(value)
    return _counted(text.encode() if text is not None else data, "completed", usage)


def _stream(response: http.client.HTTPResponse, first: Callable[[], None]) -> Answer:
    parts: list[str] = []
    usage: dict[str, int] = {}
    length, done = 0, False
    while line := response.readline(LONGEST):
        length += len(line)
        if length > LONGEST:
            raise ValueError("the answer is too long")
        if not line.startswith(b"data:"):
            continue
        data = line[len(b"data:") :].strip()
        if data == b"[DONE]":
            done = True
            continue
        value = json.loads(data)
        usage = _usage(value) or usage
        text = _text(value)
        if text:
            if not parts:
                first()
            parts.append(text)
    outcome = "completed" if done and parts else "cut_off"
    return _counted("".join(parts).encode(), outcome, {"completion_tokens": len(parts)} | usage)


def _counted(data: bytes, outcome: str, usage: Mapping[str, int]) -> Answer:
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens")
    return Answer(data=data, outcome=outcome, input_tokens=prompt, output_tokens=completion)


def _text(value: Any) -> str | None:
    """Return the text of a completion, a chat, or a chunk of either; None where the document is another."""
    choices = value.get("choices") if isinstance(value, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    part = choice.get("delta") or choice.get("message") or choice
    text = part.get("content", part.get("text")) if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def _usage(value: Any) -> dict[str, int]:
    usage = value.get("usage") if isinstance(value, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    names = ("prompt_tokens", "completion_tokens")
    return {name: counts[name] for name in names if isinstance(counts.get(name), int) and counts[name] >= 0}
