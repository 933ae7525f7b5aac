#!/usr/bin/env python3
"""The Debian packages install, and a program that is built with them runs.

    packages_test.py --build BUILD --source SOURCE

cpack makes the packages of a build folder, whose targets must be built. dpkg installs them into an empty root, where pkg-config
finds the library and a C example is built. Without cpack, dpkg or the rights of dpkg the test is counted as skipped. Faults that
lintian finds are faults, if it is there.
"""
import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

from commands import run

NAMES = {"libtracebraid-dev", "libtracebraid1", "tracebraid"}


def field(package, name):
    return run(["dpkg-deb", "--field", package, name]).strip()


def check_fields(packages):
    names = {field(package, "Package"): package for package in packages}
    if set(names) != NAMES:
        sys.exit(f"the packages are {sorted(names)}")
    for name in ("libtracebraid1", "tracebraid"):
        depends = field(names[name], "Depends")
        if not re.search(r"libc6 .*libsqlite3-0", depends):
            sys.exit(f"{name} depends on {depends}")
    if not field(names["libtracebraid-dev"], "Depends").startswith("libtracebraid1 (= "):
        sys.exit("libtracebraid-dev does not need its library")


def install(packages, root):
    """Installs the packages into a root that has no others."""
    admin = root / "var/lib/dpkg"
    for folder in ("updates", "info", "triggers"):
        (admin / folder).mkdir(parents=True)
    (admin / "status").touch()
    run(["dpkg", f"--root={root}", "--force-depends", "--force-script-chrootless", "--log=/dev/null", "--install", *packages])
    installed = run(["dpkg-query", f"--admindir={admin}", "--show", "--showformat=${Package} ${Status}\n"]).splitlines()
    if {line.split()[0] for line in installed if "installed" in line} != NAMES:
        sys.exit(f"installed: {installed}")


def build_example(source, root, folder):
    """Builds an example with the headers and the library of the root. Returns the program."""
    (pc,) = root.rglob("tracebraid.pc")
    env = {**os.environ, "PKG_CONFIG_PATH": str(pc.parent)}  # its paths are relative to itself
    flags = run(["pkg-config", "--cflags", "--libs", "tracebraid"], env=env).split()
    if not all(str(root) in flag for flag in flags if flag.startswith(("-I", "-L"))):
        sys.exit(f"pkg-config gives {flags}")
    run(["cc", source / "docs/examples/c/query.c", *flags, f"-Wl,-rpath,{pc.parent.parent}", "-o", folder / "query"])
    return folder / "query"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True)
    given = parser.parse_args()
    missing = [name for name in ("cpack", "dpkg", "dpkg-shlibdeps") if not shutil.which(name)]
    if missing or os.geteuid() != 0:
        print(f"skipped: there is no {missing[0]}" if missing else "skipped: dpkg installs as root only")
        return
    trace = given.source / "examples/phone.pftrace"
    with tempfile.TemporaryDirectory() as name:
        folder, root = pathlib.Path(name), pathlib.Path(name, "root")
        run(["cpack", "--config", pathlib.Path(given.build, "CPackConfig.cmake"), "-B", folder / "packages"])
        packages = sorted((folder / "packages").glob("*.deb"))
        check_fields(packages)
        install(packages, root)
        program = root / "usr/bin/tracebraid"
        count = run([program, "query", trace, "SELECT count(*) AS n FROM slice", "--format", "csv", "--quiet"]).split()
        rows = run([build_example(given.source, root, folder), trace]).splitlines()
        if count[0].strip('"') != "n" or int(count[1]) < 100 or len(rows) < 3:
            sys.exit(f"the programs print {count} and {rows}")
        if shutil.which("lintian"):
            run(["lintian", "--fail-on", "error", *packages])
        else:
            print("lintian: skipped, it is not installed")
        print(f"{len(packages)} packages, {sum(package.stat().st_size for package in packages) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
