"""The command line without verdict and drawing, which take longer than the studies of the tests."""

import sys

from dlaudit.audit import cli
from dlaudit.audit.commands import run

run._judge = lambda out: None
sys.exit(cli.run(sys.argv[1:]))
