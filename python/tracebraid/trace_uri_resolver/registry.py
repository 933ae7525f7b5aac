"""ResolverRegistry: the resolvers by their prefix."""
from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import BinaryIO, Union, cast

from . import util
from .resolver import TraceContent, TraceGenerator, TraceUri, TraceUriResolver

TraceReference = Union[TraceUriResolver, str, BinaryIO, Generator[bytes, None, None]]
"""A resolver, a path or URI, a binary file object, or the bytes in chunks."""
TraceListReference = Union[TraceReference, Sequence[TraceReference]]

__all__ = ["ResolverRegistry", "TraceContent", "TraceGenerator", "TraceListReference", "TraceReference", "TraceUri"]


class ResolverRegistry:
    """Resolves references to traces. A prefix that no resolver has is a KeyError."""

    @dataclass
    class Result:
        """The bytes of a trace in chunks, and its metadata."""

        generator: TraceGenerator
        metadata: dict[str, str]

    def __init__(self, resolvers: list[type[TraceUriResolver]] | None = None) -> None:
        self.registry: dict[str | None, type[TraceUriResolver]] = {}
        for resolver in resolvers or ():
            self.register(resolver)

    def register(self, provider: type[TraceUriResolver]) -> None:
        """Adds a resolver, or replaces the one of its prefix."""
        self.registry[provider.PREFIX] = provider

    def resolve(self, ref: TraceListReference) -> list[Result]:
        """The traces of a reference, or of a list of them."""
        listed = cast(Sequence[TraceReference], ref) if isinstance(ref, (list, tuple)) else [cast(TraceReference, ref)]
        return [result for each in listed for result in self._resolve_one(each)]

    def _resolve_one(self, ref: TraceReference) -> list[Result]:
        if isinstance(ref, str):
            ref = self._resolver_of(ref)
        if isinstance(ref, TraceUriResolver):
            return [self.Result(inner.generator, util.merge_dicts(outer.metadata, inner.metadata))
                    for outer in ref.resolve() for inner in self.resolve(outer.trace)]
        if hasattr(ref, "read"):
            return [self.Result(util.read_generator(cast(BinaryIO, ref)), {})]
        return [self.Result(ref, {})]

    def _resolver_of(self, uri: str) -> TraceUriResolver:
        prefix, _ = util.parse_trace_uri(uri)
        return self.registry[prefix].from_trace_uri(uri)
