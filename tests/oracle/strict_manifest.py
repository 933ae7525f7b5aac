"""The manifest of an archive (spec clocks 10.5): machines, trace time and relations between clocks."""
import json
import re

from strict_clocks import PRIVATE, Refused
from strict_wire import Fatal

CLOCKS = {'REALTIME': 1, 'REALTIME_COARSE': 2, 'MONOTONIC': 3, 'MONOTONIC_COARSE': 4, 'MONOTONIC_RAW': 5, 'BOOTTIME': 6}
FIRST_RAW_ID = 1 << 32


def is_manifest(data):
    return re.sub(rb'\s', b'', data[:128]).startswith(b'{"perfetto_manifest"')


class Entry:
    """What the manifest says about one file."""

    def __init__(self):
        self.base, self.remap = None, {}
        self.is_of_one_machine = self.is_pinned = False


class Manifest:
    """`numbers`: the row of trace_file of each file that has a name; names of files in inner archives are bare."""

    def __init__(self, data, whole, number, numbers):
        body = json.loads(data)['perfetto_manifest']
        self.whole, self.by_name, self.entries, self.numbers = whole, {}, {}, numbers
        for entry in body.get('files', []):
            if entry['path'] in self.entries:
                continue  # the first entry of a path applies
            about = self.entries[entry['path']] = Entry()
            about.is_of_one_machine = 'machine' in entry
            about.is_pinned = 'clocks' in entry and 'clock' not in entry['clocks']
            if 'machine' in entry:
                about.base = self.machine(entry['machine']['name'])
            for item in entry.get('machines', []):
                about.remap[item['id']] = self.machine(item['name'])
                if item['id'] == 0:
                    about.base = about.remap[0]
        if 'trace_time' in body:
            chosen = body['trace_time']
            row = self.row(chosen['file'], chosen.get('machine')) if 'file' in chosen else 0
            if not whole.machines:
                whole.machine(0)
            whole.clocks.set_trace_time((CLOCKS[chosen['clock']], 0, 0, row), number)
        for entry in body.get('files', []):
            if 'clocks' in entry:
                self.relate(entry['path'], entry['clocks'])

    def machine(self, name):
        if name not in self.by_name:
            self.by_name[name] = FIRST_RAW_ID + len(self.by_name)
            self.whole.machine(self.by_name[name]).name = name
        return self.by_name[name]

    def row(self, path, machine=None):
        if machine is not None:
            return self.whole.machine(self.by_name[machine]).row
        base = self.entries[path].base
        return self.whole.machine(0 if base is None else base).row

    def node(self, path, clock, machine):
        row = self.row(path, machine)
        if clock:
            return CLOCKS[clock], 0, 0, row
        if path not in self.numbers:
            raise Fatal(f"perfetto_manifest: clocks: could not resolve file '{path}'")
        return PRIVATE, 0, self.numbers[path], row

    def relate(self, path, clocks):
        to, offset = clocks['sync_to'], clocks.get('offset_ns', 0)
        source = self.node(path, clocks.get('clock'), clocks.get('machine'))
        reference = self.node(to['file'], to.get('clock'), to.get('machine'))
        try:
            self.whole.clocks.graph.add([(source, max(0, -offset), 1, False), (reference, max(0, offset), 1, False)])
        except Refused as refused:
            raise Fatal(f'manifest: {refused}') from refused

    def entry(self, name):
        return self.entries.get(name)
