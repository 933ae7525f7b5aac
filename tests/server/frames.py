"""Decodes frames of tiles: appendix C.1 of docs/spec/viewer.md."""
import struct

HEAD = struct.Struct("<4sHHIIIBBHqII")
SLICES, COUNTER, MARKS, STACKED, FLOWS, SUMMARY, HITS = range(1, 8)
DENSE, INSTANT, UNFINISHED, BEFORE, GOES_ON, HAS_FLOWS, CUT, CPU_TIME = (1 << i for i in range(8))
INCOMPLETE, SOME_CUT, COLD, COARSER = 1, 2, 4, 8
COLUMNS = {
    SLICES: [("start", "I"), ("end", "I"), ("row", "I"), ("name", "I"), ("count", "I"), ("busy", "I"),
             ("line", "H"), ("flags", "B"), ("colour", "B")],
    COUNTER: [("bucket", "I"), ("min", "d"), ("max", "d"), ("last", "d"), ("count", "I")],
    MARKS: [("bucket", "I"), ("count", "I"), ("row", "I"), ("worst", "B")],
    FLOWS: [("out_track", "I"), ("in_track", "I"), ("out_line", "H"), ("in_line", "H"), ("out_ts", "q"),
            ("in_ts", "q"), ("row", "I"), ("count", "I"), ("flags", "B")],
    STACKED: [("bucket", "I"), ("low", "d"), ("high", "d")],
    SUMMARY: [("bucket", "I")],
}
COLUMNS[HITS] = COLUMNS[MARKS]


class Frame:
    """One frame. Columns are lists; `head` is a dictionary of what comes before the columns."""

    def __init__(self, data, at=0):
        (magic, version, self.kind, self.request, self.track, self.generation, self.level, self.flags,
         self.lines, self.first, self.tiles, self.items) = HEAD.unpack_from(data, at)
        assert magic == b"TBT1" and version == 1, (magic, version)
        self.data, self.at, self.head, self.columns = data, at + HEAD.size, {}, {}
        if self.kind == COUNTER:
            for name in ("before", "low", "high"):
                self.head[name] = self.take("d", 1)[0]
        if self.kind == FLOWS:
            self.head["total"] = self.take("I", 1)[0]
        names = 0
        if self.kind == SUMMARY:
            names = self.take("I", 1)[0]
            self.head["names"] = self.take("I", names)
        if self.kind == STACKED:
            self.head["names"] = self.take("I", self.lines)
            self.head["before"] = self.take("d", self.lines)
        for name, kind in COLUMNS[self.kind]:
            self.columns[name] = self.take(kind, self.items)
        if self.kind == STACKED:
            values = self.take("d", self.items * self.lines)
            self.columns["last"] = [values[i * self.lines:(i + 1) * self.lines] for i in range(self.items)]
        if self.kind == SUMMARY:
            shares = self.take("B", self.items * names)
            self.columns["shares"] = [shares[i * names:(i + 1) * names] for i in range(self.items)]
        self.end = self.at

    def take(self, kind, count):
        values = struct.unpack_from(f"<{count}{kind}", self.data, self.at)
        self.at += (struct.calcsize(f"<{count}{kind}") + 7) // 8 * 8
        assert self.at <= len(self.data)
        return list(values)

    def rows(self):
        """The items as dictionaries."""
        names = list(self.columns)
        return [dict(zip(names, values)) for values in zip(*self.columns.values())]


def decode(data):
    """Returns the frames, which must fill the data."""
    frames, at = [], 0
    while at < len(data):
        frames.append(Frame(data, at))
        at = frames[-1].end
    return frames
