#!/usr/bin/env python3
"""Fails when an include goes up or sideways between folders, or in a cycle within one.

Folders: src/LAYERS lists them, one layer per line, lowest first. An include may go
down. It may not go up or sideways: two folders on a line do not include each other, and
neither do two formats.

Front ends: they include only the engine, base, and themselves.

Calls: functions that the library must not call (tools/forbidden_calls.py).

Units: a unit is a header and the source of the same name. Units of one folder of
src/, subfolders included, must not depend on each other in a cycle.
"""
import pathlib
import re
import sys

from forbidden_calls import forbidden_calls

# Folders outside the library, and the folders that each may include besides itself.
FRONT_ENDS = {"cli": {"engine", "base", "fleet", "server"}, "server": {"engine", "base"},
              "capi": {"engine", "base"}}
# The headers of a front end that other front ends may include.
DOORS = {"server": {"server/serve.h"}}


def includes(file):
    """Yields the included files, each with its line number."""
    for number, text in enumerate(file.read_text().splitlines(), 1):
        include = re.match(r'\s*#\s*include\s+"([^"]+)"', text)
        if include:
            yield number, include[1]


def sources(src):
    return [file for file in sorted(src.rglob("*")) if file.suffix in (".h", ".cc", ".inc")]


def violations(src):
    level = {}
    for number, line in enumerate((src / "LAYERS").read_text().splitlines()):
        level.update((folder, number) for folder in line.split())
    for file in sources(src):
        parts = file.relative_to(src).parts
        for number, name in includes(file):
            there = name.split("/")
            at = f"{file}:{number}: "
            if there[0] not in level:
                yield at + f'"{name}" does not start with a folder of src/'
            elif there[0] != parts[0] and level[there[0]] >= level[parts[0]]:
                yield at + f"{parts[0]} may not include {there[0]}"
            elif there[0] not in FRONT_ENDS.get(parts[0], level) and there[0] != parts[0]:
                yield at + f"the front end {parts[0]} may not include {there[0]}"
            elif there[0] != parts[0] and name not in DOORS.get(there[0], {name}):
                yield at + f"{parts[0]} may not include {name}, only " + " ".join(DOORS[there[0]])
            elif (parts[0] == there[0] == "format" and len(there) > 2
                  and (len(parts) < 3 or there[1] not in (parts[1], "common"))):
                yield at + f"{'/'.join(parts[:-1])} may not include the format {there[1]}"


def unit_of(path):
    return str(pathlib.PurePath(path).with_suffix(""))


def unit_graphs(src):
    """Maps each folder of src/ to its units, and each unit to the units of the folder that it includes."""
    graphs = {}
    for file in sources(src):
        path = file.relative_to(src)
        if len(path.parts) < 2:
            continue
        folder, unit = path.parts[0], unit_of(path)
        to = graphs.setdefault(folder, {}).setdefault(unit, set())
        to.update(unit_of(name) for _, name in includes(file)
                  if name.split("/")[0] == folder and unit_of(name) != unit)
    for graph in graphs.values():
        for unit, to in graph.items():
            graph[unit] = sorted(to & graph.keys())
    return graphs


def cycles(graph):
    """Returns the strongly connected components of more than one unit (Tarjan's algorithm)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []
    for root in sorted(graph):
        if root in index:
            continue
        work = [(root, iter(graph[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            unit, edges = work[-1]
            for to in edges:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on_stack.add(to)
                    work.append((to, iter(graph[to])))
                    break
                if to in on_stack:
                    low[unit] = min(low[unit], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[unit])
                if low[unit] == index[unit]:
                    component = []
                    while not component or component[-1] != unit:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    if len(component) > 1:
                        found.append(sorted(component))
    return found


def circle(graph, component):
    """Returns the units of a shortest cycle of a component."""
    members, best = set(component), None
    for start in component:
        before, queue = {start: None}, [start]
        for unit in queue:
            for to in graph[unit]:
                if to == start:
                    path = [start]
                    while unit is not None:
                        path.append(unit)
                        unit = before[unit]
                    path = path[::-1]
                    if best is None or len(path) < len(best):
                        best = path
                    queue.clear()
                    break
                if to in members and to not in before:
                    before[to] = unit
                    queue.append(to)
            else:
                continue
            break
    return best


def check_units(src):
    """Returns the faults, and a summary line."""
    faults, units, in_cycles = [], 0, {}
    for folder, graph in sorted(unit_graphs(src).items()):
        units += len(graph)
        components = cycles(graph)
        count = sum(map(len, components))
        if count:
            in_cycles[folder] = count
        for component in components:
            faults.append(f"{src}/{folder}: {len(component)} units include each other in a "
                          f"circle: {' > '.join(circle(graph, component))}")
    line = f"units: {sum(in_cycles.values())} of {units} are in cycles"
    if in_cycles:
        line += " (" + ", ".join(f"{folder} {count}" for folder, count in in_cycles.items()) + ")"
    return faults, line


if __name__ == "__main__":
    src = pathlib.Path(sys.argv[1])
    bad = list(violations(src))
    print("\n".join(bad) or "layers: no include goes up or sideways")
    calls = list(forbidden_calls(src))
    print("\n".join(calls) or "calls: the library leaves the process of its host alone")
    faults, line = check_units(src)
    print("\n".join([*faults, line]))
    if "--all" in sys.argv:  # prints a shortest cycle of each component
        for graph in unit_graphs(src).values():
            for component in cycles(graph):
                print(" > ".join(circle(graph, component)), "; all:", ", ".join(component))
    sys.exit(bool(bad or calls or faults))
