#!/usr/bin/env python3
"""Fails when a stat is declared elsewhere than where it is counted, or differently from the reference.

A stat is declared in the stats.h nearest to the code that counts it. Stats that several readers or stages count are declared
in format/common, kernel or event, and stats that nothing counts in merge/uncounted_stats.h.
Stats with a key of the reference have its name, shape, severity, source and scope (docs/spec/data/stats.tsv).

  tools/check_stats.py [ROOT]
"""
import collections
import pathlib
import re
import sys

SPACE = r",[\s\\]*"
STAT = re.compile(r"STAT\((\d+)" + (SPACE + r"(\w+)") * 6)
USE = re.compile(r"\bstats::(\w+)")
UNCOUNTED = "merge/uncounted_stats.h"
SHARED = ("event", "format/common", "kernel")
SOURCES = {"trace": "Trace", "analysis": "Analysis"}
SEVERITIES = {"info": "Info", "notice": "Notice", "data_loss": "DataLoss", "error": "Error"}
SCOPES = {"global": "Global", "machine+trace": "MachineAndFile"}


def declared(src):
    """(key, name, attributes, header below src) of each stat."""
    for file in [*sorted(src.rglob("stats.h")), src / UNCOUNTED]:
        for key, name, *attributes, _ in STAT.findall(file.read_text()):
            yield int(key), name, attributes, file.relative_to(src)


def uses(src):
    """The files that count a stat, by its name; reports only read them."""
    found = collections.defaultdict(set)
    for file in src.rglob("*"):
        if "report" not in file.relative_to(src).parts and file.suffix in (".cc", ".h") and not file.stem.endswith("_test"):
            for name in USE.findall(file.read_text()):
                found[name].add(file.relative_to(src))
    return found


def is_below(file, folder):
    return folder in file.parents


def placed_wrongly(header, files, headers):
    """Why a stat should not be declared in this header; empty if it should."""
    if str(header) == UNCOUNTED:
        return f"is counted in {sorted(files)[0]}" if files else ""
    if not files:
        return f"is counted nowhere; move it to {UNCOUNTED} or remove it"
    folder = header.parent
    if str(folder) not in SHARED and not all(is_below(file, folder) for file in files):
        return f"is counted outside of {folder}"
    better = [other for other in headers if other != header and str(other.parent) not in SHARED
              and all(is_below(file, other.parent) for file in files)
              and (is_below(other, folder) or str(folder) in SHARED)]
    return f"is counted only below {better[0].parent}" if better else ""


def main(root):
    src = root / "src"
    rows = [line.split("\t") for line in (root / "docs/spec/data/stats.tsv").read_text().splitlines()[1:]]
    reference = [[name, ("Single", "Indexed")[int(indexed)], SEVERITIES[severity], SOURCES[source], SCOPES[scope]]
                 for name, indexed, severity, source, scope in rows]
    counted, stats = uses(src), list(declared(src))
    headers = {header for *_, header in stats if str(header) != UNCOUNTED}
    problems = []
    for key, name, attributes, header in stats:
        why = placed_wrongly(header, counted[name], headers)
        if not why and key < len(reference) and reference[key] != [name, *attributes]:
            why = f"differs from the reference: {' '.join(reference[key])}"
        if why:
            problems.append(f"src/{header}: {name} {why}")
    print("\n".join(problems) or f"stats: {len(stats)} are declared where they are counted")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)))
