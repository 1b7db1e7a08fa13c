"""The tools as a server of the Model Context Protocol over standard input and output."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from pathlib import Path

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from ... import __version__
from ...schemas.errors import DlauditError
from .tools import Tools

INSTRUCTIONS = (
    "dlaudit checks performance claims about deep learning against their evidence. Begin with `draft` or `questions` "
    "on a document. Hand in a submission only with its source: each statement, quotation, name and number is looked up "
    "there, and what does not stand there is an error. Leave out what the document does not state."
)


def serve(root: Path) -> None:
    """Answer one assistant until it goes away.

    Args:
        root: folder beneath which files are read.
    """
    logging.disable(logging.CRITICAL)  # the words of documents belong into no log
    server_of(root).run("stdio")


def server_of(root: Path) -> MCPServer:
    """Return the server with its tools."""
    server = MCPServer("dlaudit", instructions=INSTRUCTIONS, version=__version__, log_level="CRITICAL")
    tools = Tools(root)
    for tool in (tools.draft, tools.lint, tools.questions, tools.explain, tools.schema):
        server.add_tool(_answering(tool), structured_output=False)
    return server


def _answering(tool: Callable[..., str]) -> Callable[..., str]:
    """Return a tool whose errors are answers: one line, as on the command line."""

    @functools.wraps(tool)
    def answered(*arguments: str, **named: str) -> str:
        try:
            return tool(*arguments, **named)
        except (DlauditError, OSError) as error:
            raise ToolError(str(error)) from None

    return answered
