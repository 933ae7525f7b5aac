"""The exception of the compatible interface."""
from __future__ import annotations


class PerfettoException(Exception):
    """A trace cannot be opened, or a statement fails. `__cause__` is the tracebraid.Error, if there is one."""

    def __init__(self, message: object) -> None:
        super().__init__(message)


TraceProcessorException = PerfettoException
