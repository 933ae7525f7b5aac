"""PathUriResolver: the trace at a path."""
from __future__ import annotations

from . import util
from .resolver import TraceUriResolver


class PathUriResolver(TraceUriResolver):
    """Resolves a path. The metadata has it as `_path`."""

    PREFIX: str | None = None

    def __init__(self, path: str) -> None:
        self.path = path

    def resolve(self) -> list[TraceUriResolver.Result]:
        """The file at the path, which is opened when it is read."""
        return [TraceUriResolver.Result(util.file_generator(self.path), {"_path": self.path})]

    @classmethod
    def from_trace_uri(cls, args_str: str) -> PathUriResolver:
        """The resolver of a path."""
        return cls(util.parse_trace_uri(args_str)[1])
