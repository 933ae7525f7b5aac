#!/usr/bin/env python3
"""Measures tracebraid on big made-up traces and writes bench/README.md's figures.

  scripts/bench            builds release, then runs this
  bench/run.py --size 30M --dry    a quick look; README.md stays as it is

Inputs are generated once, into build/bench. Nothing else should run meanwhile.
"""
import argparse
import datetime
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
INPUTS = ROOT / "build/bench"
README = ROOT / "bench/README.md"
KINDS = ("chrome-json", "track-event", "sched")
RUNS = 3  # of each import; the median counts
REPEATS = 5  # of a statement within one run
IMPORT = "select count(*) from slice"
EVENTS = ("select (select count(*) from slice) + (select count(*) from counter)"
          " + (select count(*) from sched)")
SLICE_QUERIES = {
    "time by name": "select name, count(*), sum(dur) from slice group by name order by 3 desc limit 10",
    "longest slices with their thread":
        "select s.name, t.name, s.dur from slice s join thread_track k on s.track_id = k.id"
        " join thread t using (utid) order by s.dur desc limit 20",
    "slices within 1 ms":
        "select count(*) from slice where ts between trace_start() + 1000000 and trace_start() + 2000000",
    "parent and child":
        "select count(*) from slice c join slice p on c.parent_id = p.id where p.dur > 1000000",
}
SCHED_QUERIES = {
    "CPU time by thread":
        "select t.name, sum(s.dur) from sched s join thread t using (utid) group by utid order by 2 desc limit 10",
    "time runnable by state": "select state, count(*), sum(dur) from thread_state group by state",
    "switches within 1 ms":
        "select count(*) from sched where ts between trace_start() + 1000000 and trace_start() + 2000000",
}


def run(command):
    """Standard output, seconds and peak resident bytes of a command."""
    with tempfile.TemporaryFile() as output:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}")
        output.seek(0)
        return output.read().decode(), seconds, usage.ru_maxrss * 1024


def query(program, file, sql):
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        script.write(sql)
        script.flush()
        return run([program, "query", file, "--sql-file", script.name, "--format", "csv", "--quiet",
                    "--no-progress"])


def generated(generator, kind, size):
    INPUTS.mkdir(parents=True, exist_ok=True)
    file = INPUTS / f"{kind}-{size}"
    if not file.exists():
        part = file.with_suffix(".part")
        subprocess.run([generator, kind, "--size", size, "-o", part], check=True)
        part.rename(file)
    return file


def measure_import(program, file):
    runs = [run([program, "query", file, IMPORT, "--no-progress"])[1:] for _ in range(RUNS)]
    seconds = statistics.median(seconds for seconds, _ in runs)
    events = int(query(program, file, EVENTS)[0].split()[-1])
    size = file.stat().st_size
    return (f"{size / 1e6:.0f} MB", f"{seconds:.2f} s", f"{size / 1e6 / seconds:.0f}",
            f"{events / 1e6:.2f} M", f"{events / 1e6 / seconds:.2f} M",
            f"{max(rss for _, rss in runs) / size:.1f}")


def measure_query(program, file, statement):
    """Seconds of one statement: runs with it and without it differ by REPEATS of it."""
    without = min(query(program, file, "select 1")[1] for _ in range(2))
    with_it = min(query(program, file, f"{statement};\n" * REPEATS)[1] for _ in range(2))
    return max(0.0, (with_it - without) / REPEATS)


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|---" + "|--:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo")
                  if line.startswith("model name")), "unknown processor")
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    return f"{model}, {len(os.sched_getaffinity(0))} cores, {memory:.0f} GiB of memory"


def figures(program, files):
    imports = [(kind, *measure_import(program, file)) for kind, file in files.items()]
    queries = [(kind, name, f"{measure_query(program, file, sql) * 1e3:.0f} ms")
               for kind, file in files.items()
               for name, sql in (SCHED_QUERIES if kind == "sched" else SLICE_QUERIES).items()]
    load = os.getloadavg()[1]
    return "\n\n".join([
        f"Measured {datetime.date.today()} on {machine()}; load of the last 5 minutes {load:.1f}.",
        table(("Input", "Size", "Time", "MB/s", "Events", "Events/s", "Peak RSS / size"), imports),
        table(("Input", "Query", "Time"), queries)])


def write_figures(text):
    """Replaces what stands between the two marks."""
    begin, end = "<!-- figures: bench/run.py writes them -->", "<!-- end of figures -->"
    page = README.read_text()
    head, rest = page.split(begin)
    README.write_text(f"{head}{begin}\n\n{text}\n\n{end}{rest.split(end)[1]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="300M", help="of each input")
    parser.add_argument("--build", default=ROOT / "build/release", type=pathlib.Path,
                        help="folder of the programs")
    parser.add_argument("--dry", action="store_true", help="print only; leave README.md")
    args = parser.parse_args()
    files = {kind: generated(args.build / "tracebraid-generate", kind, args.size) for kind in KINDS}
    text = figures(args.build / "tracebraid", files)
    print(text)
    if not args.dry:
        write_figures(text)


if __name__ == "__main__":
    main()
