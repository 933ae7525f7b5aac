"""The build of the viewer: the same assets from one commit, their size, and builds without node.

Run by `scripts/test ui`:  python3 tests/viewer_build_test.py
"""
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/server"))
from client import Server  # noqa: E402

UI = ROOT / "scripts/ui"


def has_viewer():
    return subprocess.run([UI, "packages"], capture_output=True).returncode == 0


def environment_without_node(folder):
    """Returns an environment whose PATH has the tools of the build except node, and no Python environment."""
    tools = pathlib.Path(folder, "bin")
    tools.mkdir()
    for path in os.environ["PATH"].split(":"):
        for tool in pathlib.Path(path).glob("*"):
            link = tools / tool.name
            if tool.name not in ("node", "npm", "npx", "nodejs") and not link.exists():
                link.symlink_to(tool)
    return {**os.environ, "PATH": str(tools), "XDG_CACHE_HOME": str(pathlib.Path(folder, "cache"))}


def built(folder):
    subprocess.run([UI, "build", folder], check=True, stdout=subprocess.DEVNULL)
    return pathlib.Path(folder)


@unittest.skipUnless(has_viewer(), "neither node nor its Python package is here")
class Assets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folders = []
        for _ in range(2):
            folder = tempfile.TemporaryDirectory()
            cls.addClassCleanup(folder.cleanup)
            cls.folders.append(built(folder.name))

    def test_ui_reproducible(self):
        digests = []
        for folder in self.folders:
            files = sorted(p for p in folder.rglob("*") if p.is_file())
            content = lambda p: p.read_bytes().replace(str(folder).encode(), b"")
            digests.append({str(p.relative_to(folder)): hashlib.sha256(content(p)).hexdigest() for p in files})
        self.assertGreater(len(digests[0]), 10)
        self.assertEqual(digests[0], digests[1])

    def test_bundle_size(self):
        """Compressed: 400 kB for the page that is shown first, 1.2 MB for all."""
        dist = self.folders[0] / "dist"
        sizes = {p.name: len(gzip.compress(p.read_bytes(), 9)) for p in dist.rglob("*") if p.is_file() and p.suffix != ".md"}
        first = sum(size for name, size in sizes.items() if not name.startswith("sql."))
        self.assertTrue(any(name.startswith("sql.") for name in sizes), "CodeMirror loads with its page")
        self.assertLess(first, 400_000, sizes)
        self.assertLess(sum(sizes.values()), 1_200_000, sizes)


def build_folder(source="ui/assets.cc"):
    """Returns a folder of scripts/build that has the program, with a viewer unless `source` is another; the sanitizers' come last."""
    for preset in ("release", "dev", "debug", "coverage", "asan"):
        folder = ROOT / "build" / preset
        if (folder / "tracebraid").exists() and (folder / source).exists():
            return folder
    return None


def link_without_viewer(existing, configured, env, program):
    """Links the program of a build without node.

    The viewer is in two objects of libtb_server.a and in nothing else. So the sources are not compiled again: the
    archive of an existing build gets the object of the folder that was configured without node instead.
    """
    run = lambda *command, **more: subprocess.run(command, check=True, capture_output=True, text=True, env=env, **more).stdout
    run("ninja", "-C", configured, "src/CMakeFiles/tb_server.dir/no_assets.cc.o")
    archive = pathlib.Path(configured, "libtb_server.a")
    shutil.copy(existing / "src/libtb_server.a", archive)
    members = run("ar", "t", archive).split()
    viewer = [m for m in members if m in ("assets.cc.o", "assets.S.o")]
    assert len(viewer) == 2, members
    run("ar", "d", archive, *viewer)
    run("ar", "r", archive, f"{configured}/src/CMakeFiles/tb_server.dir/no_assets.cc.o")
    link = run("ninja", "-C", existing, "-t", "commands", "tracebraid").strip().split("\n")[-1]
    assert " -o tracebraid " in link and " src/libtb_server.a " in link, link
    link = link.replace(" -o tracebraid ", f" -o {program} ").replace(" src/libtb_server.a ", f" {archive} ")
    # Behind the link stand commands for the program's own folder only.
    run("bash", "-c", link, cwd=existing)


class NoNode(unittest.TestCase):
    def test_no_node_build(self):
        """Without node and network: the build goes on and says so in one line, the program works, ON is an error."""
        with tempfile.TemporaryDirectory() as folder:
            env = environment_without_node(folder)
            told = subprocess.run([UI, "packages"], env=env, capture_output=True, text=True)
            self.assertEqual(told.returncode, 1)
            self.assertEqual(told.stderr.count("\n"), 1, told.stderr)
            self.assertIn("the build goes on without the viewer", told.stderr)
            build = f"{folder}/build"
            configure = ["cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", "-DTRACEBRAID_ARROW=OFF",
                         "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON",
                         "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_C_COMPILER=clang-19"]
            auto = subprocess.run(configure, env=env, capture_output=True, text=True)
            self.assertEqual(auto.returncode, 0, auto.stderr)
            self.assertIn("Viewer: no;", auto.stdout)
            plan = subprocess.run(["ninja", "-C", build, "-t", "commands", "tracebraid"], env=env, capture_output=True, text=True)
            self.assertEqual(plan.returncode, 0, plan.stderr)
            self.assertNotIn("scripts/ui", plan.stdout)
            self.assertIn("no_assets.cc.o", plan.stdout)
            existing = build_folder()
            without = build_folder("src/no_assets.cc")
            if existing is not None:
                program = pathlib.Path(folder, "tracebraid")
                link_without_viewer(existing, build, env, program)
                self.program_works(program, existing / "vectors", env, folder)
            elif without is not None:
                self.program_works(without / "tracebraid", without / "vectors", env, folder)
            else:
                print("skipped: the program without the viewer, because build/ has none")
            on = subprocess.run([*configure, "-DTRACEBRAID_UI=ON"], env=env, capture_output=True, text=True)
            self.assertNotEqual(on.returncode, 0)
            self.assertIn("no node 22.12", on.stderr.replace("\n", " ").replace("  ", " "))

    def program_works(self, program, vectors, env, folder):
        example = str(ROOT / "examples/app.json")
        rows = subprocess.run([program, "query", example, "SELECT count(*) AS n FROM slice", "--format", "csv"], env=env, capture_output=True, text=True)
        self.assertEqual(rows.returncode, 0, rows.stderr)
        self.assertGreater(int(rows.stdout.split()[-1]), 0)
        # ctest makes the vectors.
        scripts = ["docs_test.py", "cli/command_line_test.py"] if vectors.is_dir() else ["docs_test.py"]
        for script in scripts:
            tests = subprocess.run([sys.executable, str(ROOT / "tests" / script)], capture_output=True, text=True,
                                   env={**env, "TRACEBRAID": str(program), "TRACEBRAID_VECTORS": str(vectors)})
            self.assertEqual(tests.returncode, 0, tests.stderr[-3000:])
        spool = pathlib.Path(folder, "spool")
        spool.mkdir()
        with Server(example, program=program, spool=str(spool)) as server:
            status, headers, page = server.request("GET", "/", with_token=False)
            self.assertEqual(status, 200)
            self.assertTrue(headers["Content-Type"].startswith("text/plain"))
            self.assertIn("no viewer", page.decode())
            self.assertEqual(server.json("GET", "/status")["api"], 1)


class Demo(unittest.TestCase):
    @unittest.skipIf(build_folder() is None, "no folder of build/ has the program with a viewer")
    def test_last_line_opens_the_example(self):
        """scripts/demo, whose build is one that exists: its last line is a command that serves the examples."""
        with tempfile.TemporaryDirectory() as folder:
            tree = pathlib.Path(folder)
            (tree / "scripts").mkdir()
            (tree / "build/release").mkdir(parents=True)
            shutil.copy(ROOT / "scripts/demo", tree / "scripts/demo")
            for stub in ("install-deps", "build"):
                (tree / "scripts" / stub).write_text("#!/bin/sh\n")
                (tree / "scripts" / stub).chmod(0o755)
            (tree / "examples").symlink_to(ROOT / "examples")
            (tree / "build/release/tracebraid").symlink_to(build_folder() / "tracebraid")
            demo = subprocess.run([tree / "scripts/demo"], capture_output=True, text=True)
            self.assertEqual(demo.returncode, 0, demo.stderr)
            last = demo.stdout.rstrip("\n").split("\n")[-1]
            self.assertEqual(last, "build/release/tracebraid open examples/*")
            command = last.replace(" open ", f" open --no-browser --port 0 --spool {folder} ")
            server = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            try:
                address, token = server.stdout.readline().strip().split("#token=")
                with urllib.request.urlopen(address) as page:
                    self.assertIn('<div id="app">', page.read().decode())
                request = urllib.request.Request(f"{address}api/v1/traces", headers={"Authorization": f"Bearer {token}"})
                with urllib.request.urlopen(request) as traces:
                    self.assertEqual(len(json.load(traces)["traces"][0]["inputs"]), 4)
            finally:
                server.terminate()
                server.wait()
                server.stdout.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
