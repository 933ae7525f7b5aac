"""Clock: converts times between clocks, with bounds."""
from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core

_UNBOUNDED = 2**63 - 1


def _convert(source: object, target: object, values: Any, count: int) -> tuple[array[int], array[int], bytearray]:
    out, bounds = array("q", bytes(8 * count)), array("q", bytes(8 * count))
    valid = bytearray((count + 7) // 8)
    if count:
        _core.clock_convert(source, target, values, out, bounds, valid)
    return out, bounds, valid


class Clock:
    """A clock of a trace. Found by `Trace.clock()` and `Trace.timeline`."""

    def __init__(self, handle: object, timeline: object) -> None:
        self._handle = handle
        self._timeline = timeline

    @property
    def label(self) -> str:
        """The name of the clock and of its machine: "REALTIME of watch"."""
        return _core.clock_label(self._handle)

    def __repr__(self) -> str:
        return f"<Clock {self.label}>"

    def convert(self, values: Any, to: Clock | None = None) -> tuple[Any, Any]:
        """Converts times of this clock, in ns, to another one, by default trace time.

        Returns the times and by how much each is off at most, in ns. Values are an int, a sequence, a NumPy array of
        int64 or datetime64[ns], or a pyarrow array, and the results are the same kind. None, or a mask, stands for a
        time that nothing relates, and for a bound that is not known."""
        if to is not None and not isinstance(to, Clock):
            raise TypeError(f"to is a Clock, as Trace.clock() returns it, not {type(to).__name__}")
        target = self._timeline if to is None else to._handle
        if isinstance(values, int) and not isinstance(values, bool):
            times, bounds = self._of_sequence([values], target)
            return times[0], bounds[0]
        if type(values).__module__.split(".")[0] == "pyarrow":
            return self._of_arrow(values, target)
        if hasattr(values, "__array_interface__") or hasattr(values, "__array__"):
            return self._of_numpy(values, target)
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError("values are an int, a sequence of ints, a NumPy array or a pyarrow array, not "
                            + type(values).__name__)
        return self._of_sequence(list(values), target)

    def _of_sequence(self, values: Sequence[int], target: object) -> tuple[list[int | None], list[int | None]]:
        for value in values:
            if not hasattr(value, "__index__"):
                raise TypeError(f"a time is an int, in ns, not {type(value).__name__}")
        try:
            ts = array("q", values)
        except OverflowError:
            raise OverflowError("a time does not fit into 64 bits") from None
        out, bounds, valid = _convert(self._handle, target, ts, len(ts))
        is_valid = [bool(valid[i // 8] >> i % 8 & 1) for i in range(len(ts))]
        return ([value if ok else None for value, ok in zip(out, is_valid, strict=True)],
                [bound if ok and bound != _UNBOUNDED else None for bound, ok in zip(bounds, is_valid, strict=True)])

    def _of_numpy(self, values: Any, target: object) -> tuple[Any, Any]:
        import numpy as np
        given = np.asarray(values)
        is_date = given.dtype.kind == "M"
        ts = np.ascontiguousarray(given.astype("datetime64[ns]") if is_date else given).view("int64") \
            if is_date or given.dtype == np.int64 else np.ascontiguousarray(given.astype("int64", casting="safe"))
        flat = ts.reshape(-1)
        out, bounds, valid = _convert(self._handle, target, flat, flat.size)
        lost = np.unpackbits(np.frombuffer(valid, "uint8"), count=flat.size, bitorder="little") == 0
        times = np.frombuffer(out, "int64").reshape(given.shape)
        limits = np.frombuffer(bounds, "int64").reshape(given.shape)
        lost = lost.reshape(given.shape)
        times = times.view("datetime64[ns]") if is_date else times
        unbounded = limits == _UNBOUNDED
        return (np.ma.MaskedArray(times, lost) if lost.any() else times,
                np.ma.MaskedArray(limits, unbounded) if unbounded.any() else limits)

    def _of_arrow(self, values: Any, target: object) -> tuple[Any, Any]:
        import numpy as np
        import pyarrow as pa  # type: ignore[import-untyped, unused-ignore]
        times, bounds = self._of_numpy(values.cast(pa.int64()).to_numpy(zero_copy_only=False), target)
        converted, limits = (pa.array(np.ma.getdata(column), mask=np.ma.getmaskarray(column), type=pa.int64())
                             for column in (times, bounds))
        return converted, limits
