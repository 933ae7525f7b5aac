"""Report: how files were placed on the timeline. Info: what each file contains."""
from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, overload

from . import _core
from ._errors import CheckFailed
from ._facts import Facts, Placement, Problem
from ._html import escaped


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    def line(tag: str, cells: Sequence[object]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escaped('' if c is None else str(c))}</{tag}>" for c in cells) + "</tr>"
    return f"<table>{line('th', head)}{''.join(line('td', row) for row in rows)}</table>"


# The graph scrolls if it is wide, and is dark in the dark themes of JupyterLab, VS Code and Colab.
_GRAPH_STYLE = """.tracebraid-graph { overflow-x: auto }
[data-jp-theme-light="false"] .tracebraid-graph svg, .vscode-dark .tracebraid-graph svg,
[theme="dark"] .tracebraid-graph svg { filter: invert(1) hue-rotate(180deg) }"""


def _bound(placement: Placement) -> str:
    if placement.stated:
        return "stated"
    return "not bounded" if placement.uncertainty_ns is None else f"{placement.uncertainty_ns:,}"


class Report(Sequence[Placement]):
    """The placement report, as `tracebraid check` prints it; in a notebook, HTML with the clock graph."""

    def __init__(self, trace: object) -> None:
        self._trace = trace
        self._placements: Facts[Placement] = Facts(trace, "placement", Placement)
        self._json = _core.report(trace, "json", "check", 0)
        self._document: dict[str, Any] = json.loads(self._json)

    @overload
    def __getitem__(self, index: int) -> Placement: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Placement, ...]: ...
    def __getitem__(self, index: int | slice) -> Placement | tuple[Placement, ...]:
        return self._placements[index]

    def __len__(self) -> int:
        return len(self._placements)

    def __iter__(self) -> Iterator[Placement]:
        return iter(self._placements)

    @property
    def ok(self) -> bool:
        """Whether all traces line up on the timeline."""
        return bool(self._document["lines_up"])

    @property
    def trouble(self) -> list[str]:
        """Why a strict check fails, one phrase each."""
        return list(self._document["trouble"])

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the inputs."""
        return tuple(Problem(item["file"], item["level"], item["message"]) for item in self._document["problems"])

    @property
    def lost(self) -> int:
        """The number of events that are on no row."""
        return int(self._document["lost"])

    def to_pandas(self) -> Any:
        """The placements as a pandas frame."""
        return self._placements.to_pandas()

    def to_polars(self) -> Any:
        """The placements as a polars frame."""
        return self._placements.to_polars()

    def to_arrow(self) -> Any:
        """The placements as a pyarrow table."""
        return self._placements.to_arrow()

    def to_json(self) -> bytes:
        """What `tracebraid check --json` prints."""
        return self._json.encode()

    def explain(self, file: str) -> str:
        """How the events of one file were placed, in words."""
        return _core.report(self._trace, "explain", file, 0)

    def graph(self, format: str = "svg") -> str:
        """The clocks and their relations as "svg" or "dot"."""
        return _core.report(self._trace, "graph", format, 0)

    def raise_if_strict(self, strict: bool | str) -> None:
        """Raises CheckFailed where `check --strict` exits 1; "all": where `--strict=all` does."""
        if strict not in (True, False, "all"):
            raise ValueError(f"strict is True, False or 'all', not {strict!r}")
        reasons = list(self._document["trouble"])
        if strict == "all":
            reasons += [f"{loss['stat']}: {loss['count']}" for loss in self._document["losses"]
                        if loss["level"] == "assumed"]
        if strict and reasons:
            raise CheckFailed("; ".join(reasons))

    def __repr__(self) -> str:
        return _core.report(self._trace, "text", "check", 0)

    def _repr_html_(self) -> str:
        head = ("file", "machine", "clock", "placed by", "offset (ns)", "off by (ns)", "placed", "lost")
        rows = [(p.file, p.machine, p.clock if p.sequence is None else f"{p.clock} of sequence {p.sequence}", p.rule,
                 "" if p.offset_start_ns is None else f"{p.offset_start_ns:,}", _bound(p), f"{p.placed:,}", f"{p.lost:,}")
                for p in self]
        verdict = "All traces line up." if self.ok else "; ".join(self.trouble) or "Not all traces line up."
        problems = _table(("file", "level", "problem"),
                          [(p.file, p.level, p.message) for p in self.problems]) if self.problems else ""
        svg = self.graph()
        return (f"<div>{_table(head, rows)}<p>{escaped(verdict)}</p>{problems}"
                f"<style>{_GRAPH_STYLE}</style><div class='tracebraid-graph'>{svg[svg.find('<svg'):]}</div></div>")


class Info:
    """What each file contains, as `tracebraid info` prints it."""

    def __init__(self, trace: object) -> None:
        self._text = _core.report(trace, "text", "info", 0)
        self._json = _core.report(trace, "json", "info", 0)

    def to_json(self) -> bytes:
        """What `tracebraid info --json` prints."""
        return self._json.encode()

    def to_dict(self) -> Any:
        """The document of to_json()."""
        return json.loads(self._json)

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self._text)}</pre>"
