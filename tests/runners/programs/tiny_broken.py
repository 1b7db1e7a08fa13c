"""A module that is there and imports one that is not."""

import something_absent  # noqa: F401
