"""Shows the progress of long runs: on a terminal, in a notebook, or by a callable."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, Union

Progress = Union[bool, None, Callable[[str, int, int], object]]
"""None: where a user looks; True, False; or a callable (stage, done, total)."""
Report = Callable[[str, str, int, int], object]

_QUIET_SECONDS = 0.5


def _is_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _line(stage: str, unit: str, done: int, total: int) -> str:
    if total:
        return f"{stage}: {100 * done // total} %"
    if unit == "B":
        return f"{stage}: {done / 1e6:.0f} MB"
    return stage


class Bar:
    """One line, rewritten. Shows nothing within the first half second."""

    def __init__(self, in_notebook: bool) -> None:
        self._begun = time.monotonic()
        self._display: Any = None
        self._in_notebook = in_notebook
        self._is_shown = False

    def __call__(self, stage: str, unit: str, done: int, total: int) -> None:
        if time.monotonic() - self._begun < _QUIET_SECONDS:
            return
        text = _line(stage, unit, done, total)
        self._is_shown = True
        if not self._in_notebook:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            return
        from IPython.display import display  # type: ignore[import-not-found, unused-ignore]
        if self._display is None:
            self._display = display(text, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]
        else:
            self._display.update(text)

    def close(self) -> None:
        if self._is_shown and not self._in_notebook:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


class Reporter:
    """A context manager: what to call with the progress of a run, or None."""

    def __init__(self, progress: Progress) -> None:
        self._bar: Bar | None = None
        self.report: Report | None = None
        if callable(progress):
            call = progress
            self.report = lambda stage, unit, done, total: call(stage, done, total)
            return
        in_notebook = _is_notebook()
        if progress or (progress is None and (in_notebook or sys.stderr.isatty())):
            self._bar = Bar(in_notebook)
            self.report = self._bar

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
