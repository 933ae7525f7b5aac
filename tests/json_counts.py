#!/usr/bin/env python3
"""Compares the counts of imported JSON events with an independent count.

The events of each real trace are counted with Python's json module, by the rules of the format
(spec json 4), and compared with the rows of `tracebraid query`. Known differences are subtracted by
the stats that count them. The last line is "N passed, N failed".

    json_counts.py --tracebraid build/release/tracebraid [--traces ../shared/data/traces] [FILE...]
"""
import argparse
import gzip
import json
import math
import os
import pathlib
import subprocess
import sys

NANOSECONDS_LIMIT = 2**63 // 1000

QUERY = """
SELECT t.type, t.event_type = 'counter' AS is_counter, count(*) AS n FROM (
  SELECT track_id FROM slice UNION ALL SELECT track_id FROM counter) e
JOIN __intrinsic_track t ON e.track_id = t.id GROUP BY 1, 2;
SELECT name, sum(value) AS n FROM stats GROUP BY name HAVING sum(value) != 0;
SELECT count(*) AS n FROM thread_state
"""


def load(path):
    """Returns the events of a trace file and those of the system trace in it; None for another
    file."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    text = data.decode("utf-8", errors="replace").strip()
    try:
        document = json.loads(text, strict=False)
    except ValueError:
        if not text.startswith("["):
            return None
        try:  # an array without its end
            document = json.loads(text.rstrip(", \r\n") + "]", strict=False)
        except ValueError:
            return None
    system = []
    if isinstance(document, dict):
        inner = document.get("systemTraceEvents")
        system = inner.get("events", []) if isinstance(inner, dict) else []
        document = document.get("traceEvents")
    if not isinstance(document, list):
        return None
    events = [event for event in document if isinstance(event, dict)]
    return (events, system) if any("ph" in event for event in events) else None


def number(value):
    """Returns a time of an event, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return value if abs(value) < NANOSECONDS_LIMIT else None


def is_id(value):
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def has_id(event):
    if event.get("id2") is not None:
        id2 = event["id2"]
        return isinstance(id2, dict) and any(is_id(id2.get(k)) for k in ("local", "global"))
    return is_id(event.get("id"))


def is_sample(value):
    if isinstance(value, bool):
        return False
    if isinstance(value, str):
        return value.strip() == value and number(value) is not None
    return isinstance(value, (int, float))


def count(events, system):
    """Returns the expected rows of the events."""
    n = dict.fromkeys(["thread", "process", "global", "async", "old_async", "steps", "states",
                       "counter", "failures"], 0)
    # A switch gives states of two threads, of one if the other is idle, or of none; a waking of one or none.
    n["system_states"] = sum({"k": 2, "w": 1}.get(event.get("ph"), 0) for event in system)
    for event in events:
        phase = event.get("ph")
        if not isinstance(phase, str) or not phase:
            continue
        phase = phase[0]
        if phase not in "M=" and number(event.get("ts")) is None:
            continue
        dur = number(event.get("dur"))
        if phase == "X" and event.get("dur") is None:
            n["failures"] += 1
        elif phase == "B" or (phase == "X" and dur is not None and dur >= 0):
            n["thread"] += 1
        elif phase in "iIR":
            scope = event.get("s")
            if scope == "g":
                n["global"] += 1
            elif scope == "p":
                n["process" if event.get("pid") is not None else "failures"] += 1
            else:
                owned = event.get("pid") is not None or event.get("tid") is not None
                n["thread" if owned else "failures"] += 1
        elif phase in "bn":
            n["async" if has_id(event) and event.get("pid") is not None else "failures"] += 1
        elif phase == "e":
            n["failures"] += not (has_id(event) and event.get("pid") is not None)
        elif phase == "T" and event.get("dur") is not None:
            n["states"] += dur is not None and dur >= 0
        elif phase in "SFTp":
            if not has_id(event) or event.get("name") is None:
                n["failures"] += 1
            else:
                n["old_async"] += phase == "S"
                n["steps"] += phase in "Tp"
        elif phase == "C":
            args = event.get("args")
            if not isinstance(args, dict) or not args:
                n["failures"] += 1
            else:
                good = sum(is_sample(value) for value in args.values())
                n["counter"] += good
                n["failures"] += len(args) - good
        elif phase == "M":
            n["failures"] += is_bad_metadata(event)
    return n


def is_bad_metadata(event):
    args = event.get("args")
    if not isinstance(args, dict):
        return False
    name = event.get("name")
    if name in ("process_name", "thread_name"):
        return not isinstance(args.get("name"), str) or not args["name"]
    member = {"process_sort_index": "sort_index", "thread_sort_index": "sort_index",
              "process_uptime_seconds": "uptime", "num_cpus": "number"}.get(name)
    if member:
        return number(args.get(member)) is None
    return name == "process_labels" and not isinstance(args.get("labels"), str)


def imported(tracebraid, path):
    run = subprocess.run([tracebraid, "query", str(path), QUERY, "--format", "jsonl"],
                         capture_output=True, text=True, timeout=600)
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip())
    tracks, stats, states = [
        [json.loads(line) for line in part.splitlines()[1:]]
        for part in run.stdout.strip("\n").split("\n\n")]
    return ({name: rows for name, _, rows in tracks}, dict(stats), states[0][0])


def differences(expected, tracks, stats, states):
    """Returns one text for each unexplained count."""
    too_deep = stats.get("slice_max_depth_exceeded", 0)
    old = expected["old_async"] - stats.get("json_async_restart", 0)
    all_async = sum(rows for name, rows in tracks.items() if name.startswith("legacy_async_"))
    checks = [
        ("slices of threads", expected["thread"],
         tracks.get("thread_execution", 0) + tracks.get("thread_overlapping_slice", 0), too_deep),
        ("instants of processes", expected["process"], tracks.get("chrome_process_instant", 0), 0),
        ("global instants", expected["global"], tracks.get("legacy_chrome_global_instants", 0), 0),
        # A step is a slice if its parent exists and is not of the other kind of steps.
        ("async slices", expected["async"] + old + expected["steps"], all_async,
         too_deep + expected["steps"]),
        ("counter samples", expected["counter"], tracks.get("json_counter", 0), 0),
        ("thread states", expected["states"] + expected["system_states"], states,
         expected["system_states"]),
        ("failures", expected["failures"], stats.get("json_parser_failure", 0), 0),
    ]
    return [f"{what}: {want} in the file, {got} imported" for what, want, got, explained in checks
            if not want - explained <= got <= want]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tracebraid", default=os.environ.get("TRACEBRAID", "tracebraid"))
    parser.add_argument("--traces", type=pathlib.Path, default=pathlib.Path("../shared/data/traces"))
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    files = options.files or sorted(
        path for path in options.traces.rglob("*") if path.name.endswith((".json", ".json.gz")))
    passed = failed = 0
    for path in files:
        loaded = load(path)
        if loaded is None:
            continue
        try:
            problems = differences(count(*loaded), *imported(options.tracebraid, path))
        except (RuntimeError, ValueError, subprocess.TimeoutExpired) as error:
            problems = [str(error)]
        passed += not problems
        failed += bool(problems)
        for problem in problems:
            print(f"FAIL {path}\n     {problem}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
