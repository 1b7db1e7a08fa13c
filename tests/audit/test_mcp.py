"""Assistants over the Model Context Protocol: the SDK's own client speaks with the program over its pipes."""

import asyncio
import sys
from pathlib import Path

import pytest
from dlaudit.audit.assistants.grounding import Document, numbers_in, ungrounded
from dlaudit.schemas.source import parse

pytest.importorskip("mcp")
from mcp import Client, StdioServerParameters

POST = """\
# Quicker fine-tuning with Kestrel 2.1

Fine-tuning Llama-2 7B on 8 A100 80GB GPUs is **up to 1.9x** faster than with release 2.0 (Table 1).
All numbers are means of three runs.

| release | BF16 tokens/s | FP8 tokens/s |
|---|---|---|
| 2.0 | 21,400 | 30,100 |
| 2.1 | 38,900 | 57,200 |

Training took 33 hr 13 min with 34.08M parameters.
"""
SUBMISSION = """\
dlaudit: submission/1
title: Quicker fine-tuning
claims:
  speedup:
    statement: "Fine-tuning Llama-2 7B on 8 A100 80GB GPUs is up to 1.9x faster than with release 2.0 (Table 1)."
    value: "1.9"
    unit: x
    qualifier: up_to
    quantity: rate
    form: ratio
    scope: step
    mode: training
    compares: own_variants
    measured: {arm: new, metric: rate}
    base: {arm: old, metric: rate, definition: release 2.0 in FP8}
    said: [{topic: other, quote: means of three runs}]
arms:
  new:
    devices: 8
    options: {model: Llama-2 7B}
    performance: {rate: {quantity: rate, value: "57200", unit: tokens/s, n: {unit: training_run, completed: 3}}}
  old:
    performance: {rate: {quantity: rate, value: "30100", unit: tokens/s}}
"""
OFFLINE = (
    "import sys\n"
    "def refuse(event, arguments):\n"
    "    if event in {'socket.connect', 'socket.bind', 'socket.getaddrinfo'}:\n"
    "        sys.stderr.write('NETWORK ' + event); sys.stderr.flush(); raise SystemExit(9)\n"
    "sys.addaudithook(refuse)\n"
    "from dlaudit.audit.cli import run\n"
    "sys.exit(run(['mcp', '--root', sys.argv[1]]))\n"
)


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Return what the tools of one server answer to a list of calls, as (is an error, text), in one session."""
    root = tmp_path_factory.mktemp("root")
    (root / "post.md").write_text(POST)
    (root / "own.yaml").write_text(SUBMISSION + "source: {file: post.md}\n")
    (root.parent / "secret.md").write_text("We are 3x faster.\n")
    told = {}

    async def session(calls):
        server = StdioServerParameters(command=sys.executable, args=["-c", OFFLINE, str(root)])
        async with Client(server) as client:
            told["tools"] = {tool.name for tool in (await client.list_tools()).tools}
            for name, (tool, arguments) in calls.items():
                result = await client.call_tool(tool, arguments)
                told[name] = (bool(result.is_error), "".join(part.text for part in result.content))

    asyncio.run(session(CALLS))
    return told


CALLS = {
    "draft": ("draft", {"path": "post.md"}),
    "lint a document": ("lint", {"path": "post.md"}),
    "lint": ("lint", {"submission": SUBMISSION, "source": "post.md"}),
    "lint a file": ("lint", {"path": "own.yaml"}),
    "questions": ("questions", {"submission": SUBMISSION, "source": "post.md"}),
    "another sentence": (
        "lint",
        {"submission": SUBMISSION.replace("up to 1.9x faster than", "2.9x faster than"), "source": "post.md"},
    ),
    "another value": ("lint", {"submission": SUBMISSION.replace('"1.9"', '"2.9"'), "source": "post.md"}),
    "another number": ("lint", {"submission": SUBMISSION.replace("57200", "58200"), "source": "post.md"}),
    "another quote": ("questions", {"submission": SUBMISSION.replace("three runs", "five runs"), "source": "post.md"}),
    "another count": ("lint", {"submission": SUBMISSION.replace("devices: 8", "devices: 64"), "source": "post.md"}),
    "another model": ("lint", {"submission": SUBMISSION.replace(": Llama-2 7B", ": Mistral"), "source": "post.md"}),
    "no source": ("lint", {"submission": SUBMISSION}),
    "no submission": ("lint", {"submission": "dlaudit: submission/1\ntitle: no\n", "source": "post.md"}),
    "elsewhere": ("lint", {"path": "../secret.md"}),
    "absolute": ("draft", {"path": "/etc/passwd"}),
    "its source elsewhere": ("lint", {"submission": SUBMISSION, "source": "../secret.md"}),
    "explain": ("explain", {"rule": "W0801"}),
    "explain nothing": ("explain", {"rule": "W9999"}),
    "schema": ("schema", {}),
    "nothing": ("lint", {}),
}  # fmt: skip


def test_the_tools_are_offered(answers):
    assert answers["tools"] == {"draft", "lint", "questions", "explain", "schema"}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("draft", 'value: "1.9"'),
        ("lint a document", "claim line-3"),
        ("lint", "claim speedup"),
        ("lint a file", "claim speedup"),
        ("questions", "Questions about"),
        ("explain", "option-set-mismatch"),
        ("schema", '"properties"'),
    ],
)
def test_a_tool_answers(answers, name, says):
    is_error, text = answers[name]
    assert not is_error, text
    assert says in text


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("another sentence", "/claims/speedup/statement: 'Fine-tuning"),
        ("another value", "/claims/speedup/value: the number 2.9 does not stand in the claim's statement"),
        ("another number", "/arms/new/performance/rate/value: the number 58200 does not stand in post.md"),
        ("another quote", "/claims/speedup/said/0/quote: 'means of five runs' does not stand in post.md"),
        ("another count", "/arms/new/devices: the number 64 does not stand in post.md"),
        ("another model", "/arms/new/options/model: 'Mistral' does not stand in post.md"),
        ("no source", "does not name the document"),
        ("no submission", "write"),
        ("elsewhere", "outside the folder"),
        ("absolute", "outside the folder"),
        ("its source elsewhere", "secret.md"),
        ("explain nothing", "there is no rule 'W9999'"),
        ("nothing", "a path or a submission"),
    ],
)
def test_what_is_not_grounded_is_an_error_that_names_it(answers, name, says):
    is_error, text = answers[name]
    assert is_error
    assert says in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("57,200 tokens", "57200"),
        ("34.08M parameters", "34080000"),
        ("took 33 hr 13 min", "1993"),
        ("in 4m30s", "270"),
        ("three seeds", "3"),
        ("is twice as fast", "2"),
        ("at 78 %", "0.78"),
        ("a rate of 1e-3", "0.001"),
    ],
)
def test_a_number_is_found_as_it_is_printed(text, number):
    from decimal import Decimal

    assert Decimal(number).normalize() in numbers_in(text)


def test_a_draft_is_grounded_in_its_document(tmp_path):
    from dlaudit.audit.commands.draft import text_of

    (tmp_path / "post.md").write_text(POST)
    value = parse(text_of(tmp_path / "post.md").encode(), "draft.yaml").value
    assert not ungrounded(value, Document("post.md", (POST,)))


def test_without_the_sdk_one_line_says_what_to_install(monkeypatch, capsys):
    from dlaudit.audit.cli import run

    for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "dlaudit.audit.assistants.server", raising=False)
    assert run(["mcp", "--root", str(Path())]) == 2
    assert "pip install 'dlaudit[mcp]'" in capsys.readouterr().err
