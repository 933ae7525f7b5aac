#!/usr/bin/env python3
"""Builds the wheel of the Python package, installs it into an empty environment, and runs tests/python there: alone,
and with each of pandas, polars, pyarrow and duckdb.

    python_test.py --build BUILD --packages PYTHON [--spark PYTHON]

The libraries come from the environment of PYTHON (scripts/python-env), so no network is needed; those that it lacks are
counted as skipped. mypy checks the package if it is there. With --spark, only the tests of fleets run, with pyspark of that
environment (scripts/python-env --spark).
"""
import argparse
import os
import pathlib
import re
import shutil
import sys
import tarfile
import tempfile
import venv

from commands import run

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The library under test, and what it needs.
LIBRARIES = {"pandas": ["pandas", "numpy", "dateutil", "six", "six.py", "pytz", "tzdata"],
             "polars": ["polars", "_polars_runtime_32"], "pyarrow": ["pyarrow"],
             "duckdb": ["duckdb", "_duckdb"]}
# The package that the compatible packages are compared with, and the libraries that both use.
SIDE_BY_SIDE = ["perfetto", "google", *LIBRARIES["pandas"], *LIBRARIES["polars"], *LIBRARIES["pyarrow"]]


def site_packages(python):
    return pathlib.Path(run([python, "-c", "import sysconfig; print(sysconfig.get_paths()['platlib'])"]).strip())


def link(names, source, target):
    """Makes packages of one environment visible in a folder. Returns whether the first is there."""
    target.mkdir()
    for name in names:
        for path in source.glob(f"{name}*"):
            if path.name.split(".")[0].split("-")[0] in names and not (target / path.name).exists():
                (target / path.name).symlink_to(path)
    return (target / names[0]).exists()


def run_tests(python, extra, script="package_test.py"):
    env = {**os.environ, "TRACEBRAID_EXAMPLES": str(ROOT / "examples"), "PYTHONPATH": str(extra or "")}
    printed = run([python, ROOT / "tests/python" / script], env=env)
    return re.search(r"Ran \d+ tests", printed)[0]


def test_spark(python, packages):
    """Runs the tests of Spark, or counts those that are skipped."""
    reasons = [text for text, is_met in (("pyspark is not installed", (packages / "pyspark").exists()),
                                         ("there is no Java", shutil.which("java"))) if not is_met]
    if reasons:
        count = (ROOT / "tests/python/spark_test.py").read_text().count("    def test_")
        print(f"with Spark: {count} tests skipped, {', '.join(reasons)}")
    else:
        print(f"with Spark: {run_tests(python, packages, 'spark_test.py')}")


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
        from backend import build_wheel
        wheel = folder / build_wheel(folder)
        check_sdist(folder)
        venv.create(folder / "env", with_pip=True)
        python = folder / "env/bin/python"
        run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", wheel])
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
        if spark:
            print(f"fleets, with pyarrow: {run_tests(python, packages, 'fleet_test.py')}")
            return test_spark(python, spark)
        print(f"alone: {run_tests(python, None)}")
        print(f"fleets, alone: {run_tests(python, None, 'fleet_test.py')}")
        for library, names in LIBRARIES.items():
            if link(names, packages, folder / library):
                print(f"with {library}: {run_tests(python, folder / library)}")
            else:
                print(f"with {library}: skipped, {given.packages} does not have it")
        test = "compatibility_test.py"
        print(f"compatible packages, alone: {run_tests(python, None, test)}")
        if link(SIDE_BY_SIDE, packages, folder / "side_by_side"):
            print(f"beside perfetto: {run_tests(python, folder / 'side_by_side', test)}")
        else:
            print(f"beside perfetto: skipped, {given.packages} does not have it")
        if (packages / "mypy").exists():
            print(run([given.packages, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", folder / "mypy",
                       ROOT / "python/tracebraid"]).strip())
        else:
            print(f"mypy: skipped, {given.packages} does not have it")


if __name__ == "__main__":
    main()
