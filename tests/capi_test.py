#!/usr/bin/env python3
"""The installed C interface serves another project.

    capi_test.py --build BUILD --source SOURCE [--cmake CMAKE] -- CMAKE-OPTION ...

Installs the component `library`, whose targets must be built, into a temporary folder. There, the
header compiles alone as C11 and C++17; each of its functions has a comment; the shared library
exports these functions and nothing else, and needs no symbol of the engine. Builds tests/capi and
docs/examples/c by find_package, and one example by pkg-config, and runs them.
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap

from commands import code_block, run

HERE = pathlib.Path(__file__).parent
# A program of the code in docs/library.md. Prints the number of columns.
BLOCK = """#include <stdio.h>
#include <string.h>
#include <tracebraid/tracebraid.h>
int main(void) {
%s
  struct ArrowSchema schema;
  if (rows.get_schema(&rows, &schema)) return 1;
  printf("%%d", (int)schema.n_children);
  schema.release(&schema);
  rows.release(&rows);
  tracebraid_trace_release(trace);
  tracebraid_options_free(options);
  return 0;
}
"""


def declared_functions(header):
    """Names of the functions. Each declaration follows a comment."""
    names = []
    for comment, declaration in re.findall(
            r"(/\*(?:(?!\*/).)*\*/)?\n((?:const )?\w+\*? tracebraid_\w+\([^;{]*\);)",
            header, re.S):
        name = re.search(r"tracebraid_\w+(?=\()", declaration)[0]
        if not comment:
            sys.exit(f"{name} has no comment")
        names.append(name)
    return names


def check_symbols(prefix, names):
    (library,) = prefix.rglob("libtracebraid.so")
    lines = run(["nm", "-D", "--defined-only", "--format=posix", library]).splitlines()
    exported = sorted(line.split()[0].split("@")[0] for line in lines if " A " not in line)
    if exported != sorted(names):
        sys.exit(f"declared and exported differ: {set(exported) ^ set(names)}")
    listed = (HERE / "capi/symbols.txt").read_text().split()
    if listed != sorted(names):
        sys.exit(f"tests/capi/symbols.txt differs: {set(listed) ^ set(names)}")
    soname = re.search(r"SONAME\s+(\S+)", run(["objdump", "-p", library]))[1]
    if soname != "libtracebraid.so.1":
        sys.exit(f"the soname is {soname}")


def check_header(header, values):
    """The header compiles with the compilers of the build, and with others that are here."""
    compilers = [(values.get("CMAKE_C_COMPILER", "cc"), values["CMAKE_CXX_COMPILER"]), ("gcc", "g++"), ("clang", "clang++"),
                 ("clang-19", "clang++-19")]
    found = [pair for pair in compilers if all(map(shutil.which, pair))]
    for c, cxx in found:
        check_header_with(header, c, cxx)
    print(f"the header compiles with {', '.join(pathlib.Path(c).name for c, _ in found)}")


def check_header_with(header, c, cxx):
    warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]
    run([c, "-x", "c", "-std=c11", *warnings, header])
    run([cxx, "-x", "c++", "-std=c++17", *warnings, header])
    run([cxx, "-x", "c++", "-std=c++17", *warnings, header.with_suffix(".hpp")])
    run([cxx, "-x", "c++", "-std=c++17", "-fno-exceptions", "-DTRACEBRAID_NO_EXCEPTIONS", *warnings, header.with_suffix(".hpp")])


def check_cancel(program, trace):
    process = subprocess.Popen([program, trace], text=True, stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    if output != "cancelled\n" or process.returncode != 0:
        sys.exit(f"{program}: {output!r}, status {process.returncode}")


def check_no_memory(program, folder, traces):
    folder.mkdir()
    printed = run([program, folder, *traces]).splitlines()
    if not printed[-1].startswith("fine: "):
        sys.exit(f"{program} did not end well")
    print(f"no memory: {printed[-1].removeprefix('fine: ')}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    values = dict(option[2:].split("=", 1) for option in given.options)
    is_sanitized = "-fsanitize" in values.get("CMAKE_C_FLAGS", "")
    traces = [given.source / "examples" / name for name in ("phone.pftrace", "watch.pftrace")]
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "build")
        run([given.cmake, "--install", given.build, "--component", "library", "--prefix", prefix])
        header = prefix / "include/tracebraid/tracebraid.h"
        names = declared_functions(header.read_text())
        check_symbols(prefix, names)
        check_header(header, values)
        examples = given.source / "docs/examples/c"
        run([given.cmake, "-S", HERE / "capi", "-B", build, "-G", "Ninja",
             f"-DCMAKE_PREFIX_PATH={prefix}", f"-DEXAMPLES={examples}", *given.options])
        run([given.cmake, "--build", build])
        (pc,) = prefix.rglob("tracebraid.pc")
        flags = run(["pkg-config", "--cflags", "--libs", "tracebraid"],
                    env={**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}).split()
        run([values.get("CMAKE_C_COMPILER", "cc"), examples / "query.c", *flags,
             *shlex.split(values.get("CMAKE_C_FLAGS", "")), *shlex.split(values.get("CMAKE_EXE_LINKER_FLAGS", "")),
             f"-Wl,-rpath,{pc.parent.parent}", "-o", build / "query_pkg_config"])

        block = pathlib.Path(folder, "block.c")
        block.write_text(BLOCK % textwrap.indent(code_block(given.source / "docs/library.md", "c"), "  "))
        run([values.get("CMAKE_C_COMPILER", "cc"), "-Wall", "-Wextra", "-Werror", block, *flags,
             *shlex.split(values.get("CMAKE_C_FLAGS", "")), *shlex.split(values.get("CMAKE_EXE_LINKER_FLAGS", "")),
             f"-Wl,-rpath,{pc.parent.parent}", "-o", build / "block"])
        if run([build / "block"], cwd=given.source / "examples") != "3":
            sys.exit("the code of docs/library.md does not read three columns")

        for program in ("boundary", "layer", "layer_static", "layer_no_exceptions"):
            if run([build / program, traces[0]]) != "fine\n":
                sys.exit(f"{program} did not end well")
        rows = {run([build / program, *traces])
                for program in ("query", "query_static", "query_pkg_config")}
        if len(rows) != 1 or len(rows.copy().pop().splitlines()) < 3:
            sys.exit(f"the programs print different rows: {rows}")
        at = run([build / "convert", "phone", "1795176332000169866", *traces])
        if "147757169866 ns, off by at most" not in at:
            sys.exit(f"converted to {at}")
        run([build / "export", "json", pathlib.Path(folder, "out.json"), *traces])
        if not pathlib.Path(folder, "out.json").read_bytes():
            sys.exit("nothing was exported")
        check_cancel(build / "cancel", traces[0])
        if is_sanitized:  # which have an allocator of their own
            print("skipped: no_memory, under sanitizers")
        else:
            check_no_memory(build / "no_memory", pathlib.Path(folder, "files"), traces)
        print(f"{len(names)} functions; 3 programs print the same rows")


if __name__ == "__main__":
    main()
