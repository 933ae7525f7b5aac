#!/usr/bin/env python3
"""Fails when a file under src/ includes a folder that is not below its own.

src/LAYERS lists the folders, one layer a line, lowest first. An include may go
down. It may not go up, and not sideways: two folders on a line do not know each
other, and neither do two formats.
"""
import pathlib
import re
import sys


def violations(src):
    level = {}
    for number, line in enumerate((src / "LAYERS").read_text().splitlines()):
        level.update((folder, number) for folder in line.split())
    for file in sorted(src.rglob("*")):
        if file.suffix not in (".h", ".cc", ".inc"):
            continue
        parts = file.relative_to(src).parts
        for number, text in enumerate(file.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s+"([^"]+)"', text)
            if not include:
                continue
            there = include[1].split("/")
            at = f"{file}:{number}: "
            if there[0] not in level:
                yield at + f'"{include[1]}" does not start with a folder of src/'
            elif there[0] != parts[0] and level[there[0]] >= level[parts[0]]:
                yield at + f"{parts[0]} may not include {there[0]}"
            elif (parts[0] == there[0] == "format" and len(there) > 2
                  and (len(parts) < 3 or there[1] not in (parts[1], "common"))):
                yield at + f"{'/'.join(parts[:-1])} may not include the format {there[1]}"


if __name__ == "__main__":
    bad = list(violations(pathlib.Path(sys.argv[1])))
    print("\n".join(bad) or "layers: no include goes up or sideways")
    sys.exit(bool(bad))
