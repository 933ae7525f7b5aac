#!/usr/bin/env python3
"""The installed engine serves another project.

    embed_test.py --build BUILD --examples FOLDER [--cmake CMAKE] -- CMAKE-OPTION ...

Installs the component `engine` of a build folder, whose targets must be built, into a temporary
folder, and all components into another one, where the same files must be; builds tests/embed against it by find_package and links it once more by pkg-config; runs the
three programs. The options are those of the build: compiler and flags.
"""
import argparse
import os
import pathlib
import re
import shlex
import sys
import tempfile

from commands import code_block, run

HERE = pathlib.Path(__file__).parent
# A program of the code in docs/library.md. Prints the number of rows.
BLOCK = """#include <cstdio>
#include "engine/connection.h"
#include "engine/engine.h"
#include "engine/trace.h"
using namespace tracebraid;
int main() {
  size_t rows = 0;
%s
  std::printf("%%zu", rows);
}
"""


def check_headers(include):
    """Every header that an installed header includes is installed, or is a system header."""
    for header in include.rglob("*.h"):
        for name in re.findall(r'#include "([^"]+)"', header.read_text()):
            if not (include / name).is_file():
                sys.exit(f"{header} includes {name}, which is not installed")


def files_of(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--examples", type=pathlib.Path, required=True)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    values = dict(option[2:].split("=", 1) for option in given.options)
    with tempfile.TemporaryDirectory() as folder:
        prefix, build = pathlib.Path(folder, "prefix"), pathlib.Path(folder, "build")
        run([given.cmake, "--install", given.build, "--component", "engine", "--prefix", prefix])
        check_headers(prefix / "include/tracebraid/engine")
        beside = [path.name for path in (prefix / "include/tracebraid").iterdir()]
        if beside != ["engine"]:
            sys.exit(f"headers of the engine are beside those of the C interface: {beside}")
        everything = pathlib.Path(folder, "everything")
        run([given.cmake, "--install", given.build, "--prefix", everything])
        missing = files_of(prefix) - files_of(everything)
        if missing:
            sys.exit(f"not installed without a component: {sorted(missing)}")
        run([given.cmake, "-S", HERE / "embed", "-B", build, "-G", "Ninja",
             f"-DCMAKE_PREFIX_PATH={prefix}", *given.options])
        run([given.cmake, "--build", build])

        (pc,) = prefix.rglob("tracebraid-engine.pc")
        flags = run(["pkg-config", "--cflags", "--libs", "tracebraid-engine"],
                    env={**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}).split()
        (made,) = build.rglob("embed.cc.o")
        run([values["CMAKE_CXX_COMPILER"], made, *flags,
             *shlex.split(values.get("CMAKE_CXX_FLAGS", "")),
             *shlex.split(values.get("CMAKE_EXE_LINKER_FLAGS", "")),
             f"-Wl,-rpath,{pc.parent.parent}", "-o", build / "embed_pkg_config"])

        block = pathlib.Path(folder, "block.cc")
        block.write_text(BLOCK % code_block(given.examples.parent / "docs/library.md", "cpp"))
        run([values["CMAKE_CXX_COMPILER"], block, *flags, *shlex.split(values.get("CMAKE_CXX_FLAGS", "")),
             *shlex.split(values.get("CMAKE_EXE_LINKER_FLAGS", "")), f"-Wl,-rpath,{pc.parent.parent}",
             "-o", build / "block"])
        if not int(run([build / "block"], cwd=given.examples)) > 0:
            sys.exit("the code of docs/library.md reads no row")

        traces = [given.examples / "phone.pftrace", given.examples / "watch.pftrace"]
        outputs = {program: run([build / program, *traces])
                   for program in ("embed_engine", "embed_engine_static", "embed_pkg_config")}
        print(*{*outputs.values()}, sep="")
        if len({*outputs.values()}) != 1:
            sys.exit(f"the programs print different rows: {outputs}")


if __name__ == "__main__":
    main()
