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
                about.remap[int(item['id'])] = self.machine(item['name'])
                if int(item['id']) == 0:
                    about.base = about.remap[0]
        for entry in body.get('files', []):
            if 'clocks' in entry:
                self.check_clocks(entry['path'], entry['clocks'])
        if 'machine' in body.get('trace_time', {}) and 'file' not in body['trace_time']:
            raise Fatal(f"perfetto_manifest: trace_time: machine '{body['trace_time']['machine']}' needs trace_time: file too")
        if 'trace_time' in body and 'file' in body['trace_time']:
            self.check_reference('trace_time: ', **{k: v for k, v in body['trace_time'].items() if k in ('file', 'machine')})
        if 'trace_time' in body:
            chosen = body['trace_time']
            row = self.row(chosen['file'], chosen.get('machine')) if 'file' in chosen else 0
            if not whole.machines:
                whole.machine(0)
            whole.clocks.set_trace_time((CLOCKS[chosen['clock']], 0, 0, row), number)
        for entry in body.get('files', []):
            if 'clocks' in entry:
                self.relate(entry['path'], entry['clocks'])

    # Rows 35 to 39 of spec clocks 10.4.
    def declares(self, path, machine):
        entry = self.entries[path]
        return self.by_name.get(machine) in (entry.base, *entry.remap.values()) and machine in self.by_name

    def check_reference(self, field, file, machine=None):
        if file not in self.entries:
            raise Fatal(f"perfetto_manifest: {field}file names unknown file '{file}'.")
        if machine is None and self.entries[file].remap:
            raise Fatal(f"perfetto_manifest: {field}file '{file}' is a multi-machine trace")
        if machine is not None and not self.declares(file, machine):
            raise Fatal(f"perfetto_manifest: {field}machine '{machine}' is not a machine declared by file '{file}'.")

    def check_clocks(self, path, clocks):
        if 'machine' in clocks and not self.declares(path, clocks['machine']):
            raise Fatal(f"perfetto_manifest: clocks: machine '{clocks['machine']}' is not a machine declared by file '{path}'.")
        if 'machine' not in clocks and self.entries[path].remap:
            raise Fatal(f"perfetto_manifest: clocks: file '{path}' is a multi-machine trace")
        to = clocks['sync_to']
        self.check_reference('clocks: sync_to.', to['file'], to.get('machine'))

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
            raise Fatal('') from refused  # of no fixed text

    def entry(self, name):
        return self.entries.get(name)
