"""What an installation may replace: the resolvers, and where programs are."""
from __future__ import annotations

import socket

from .._program import path as program_path
from ..trace_uri_resolver.path import PathUriResolver
from ..trace_uri_resolver.registry import ResolverRegistry


class PlatformDelegate:
    """Set `tracebraid.trace_processor.api.PLATFORM_DELEGATE` to a class derived from this one."""

    def default_resolver_registry(self) -> ResolverRegistry:
        """The resolvers of a configuration without any."""
        return ResolverRegistry([PathUriResolver])

    def get_shell_path(self, bin_path: str | None, fetch_latest: bool = False) -> str:
        """The path of the program: that of the package, unless one is given."""
        del fetch_latest
        return bin_path or program_path()

    def get_bind_addr(self, port: int) -> tuple[str, int]:
        """A local address: that of the port, or for 0 of a free one."""
        if port:
            return "localhost", port
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as free:
            free.bind(("localhost", 0))
            return "localhost", int(free.getsockname()[1])
