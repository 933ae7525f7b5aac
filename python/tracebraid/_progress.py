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


class _Line:
    """One line of a terminal, rewritten."""

    def show(self, stage: str, unit: str, done: int, total: int) -> None:
        sys.stderr.write(f"\r\x1b[K{_line(stage, unit, done, total)}")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


class _Text:
    """One text in a notebook, rewritten."""

    def __init__(self) -> None:
        self._display: Any = None

    def show(self, stage: str, unit: str, done: int, total: int) -> None:
        text = _line(stage, unit, done, total)
        if self._display is not None:
            self._display.update(text)
            return
        from IPython.display import display  # type: ignore[import-not-found, unused-ignore]
        self._display = display(text, display_id=True)  # type: ignore[no-untyped-call, unused-ignore]

    def close(self) -> None:
        pass


class _Widget:
    """A bar of ipywidgets, which disappears at the end."""

    def __init__(self) -> None:
        import ipywidgets  # type: ignore[import-not-found, import-untyped, unused-ignore]
        from IPython.display import display
        self._bar: Any = ipywidgets.FloatProgress(min=0, max=1)
        display(self._bar)  # type: ignore[no-untyped-call, unused-ignore]

    def show(self, stage: str, unit: str, done: int, total: int) -> None:
        self._bar.description = _line(stage, unit, done, total)
        self._bar.value = done / total if total else 0
        self._bar.bar_style = "" if total else "info"

    def close(self) -> None:
        self._bar.close()


def _view(in_notebook: bool) -> _Line | _Text | _Widget:
    if not in_notebook:
        return _Line()
    try:
        return _Widget()
    except ImportError:
        return _Text()


class Bar:
    """Shows the progress where the user looks. Shows nothing within the first half second."""

    def __init__(self, in_notebook: bool) -> None:
        self._begun = time.monotonic()
        self._in_notebook = in_notebook
        self._shown: _Line | _Text | _Widget | None = None

    def __call__(self, stage: str, unit: str, done: int, total: int) -> None:
        if time.monotonic() - self._begun < _QUIET_SECONDS:
            return
        if self._shown is None:
            self._shown = _view(self._in_notebook)
        self._shown.show(stage, unit, done, total)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.close()


class Reporter:
    """A context manager: what to call with the progress of a run, or None."""

    def __init__(self, progress: Progress) -> None:
        self._bar: Bar | None = None
        self.report: Report | None = None
        if callable(progress):
            call = progress
            self.report = lambda stage, unit, done, total: call(stage, done, total)
            return
        if progress is not None and not isinstance(progress, bool):
            raise TypeError("progress is None, True, False or a callable (stage, done, total), not " + type(progress).__name__)
        in_notebook = _is_notebook()
        if progress or (progress is None and (in_notebook or sys.stderr.isatty())):
            self._bar = Bar(in_notebook)
            self.report = self._bar

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
