"""The build of the viewer: the same assets from one commit, their size, and builds without node.

Run by `scripts/test ui`:  python3 tests/viewer_build_test.py
"""
import gzip
import hashlib
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
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
    def test_ui_reproducible(self):
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            digests = []
            for folder in (built(a), built(b)):
                files = sorted(p for p in folder.rglob("*") if p.is_file())
                content = lambda p: p.read_bytes().replace(str(folder).encode(), b"")
                digests.append({str(p.relative_to(folder)): hashlib.sha256(content(p)).hexdigest() for p in files})
            self.assertGreater(len(digests[0]), 10)
            self.assertEqual(digests[0], digests[1])

    def test_bundle_size(self):
        """Compressed: 400 kB for the page that is shown first, 1.2 MB for all."""
        with tempfile.TemporaryDirectory() as folder:
            dist = built(folder) / "dist"
            sizes = {p.name: len(gzip.compress(p.read_bytes(), 9)) for p in dist.rglob("*") if p.is_file() and p.suffix != ".md"}
            first = sum(size for name, size in sizes.items() if not name.startswith("sql."))
            self.assertTrue(any(name.startswith("sql.") for name in sizes), "CodeMirror loads with its page")
            self.assertLess(first, 400_000, sizes)
            self.assertLess(sum(sizes.values()), 1_200_000, sizes)


class NoNode(unittest.TestCase):
    def test_no_node_build(self):
        with tempfile.TemporaryDirectory() as folder:
            env = environment_without_node(folder)
            told = subprocess.run([UI, "packages"], env=env, capture_output=True, text=True)
            self.assertEqual(told.returncode, 1)
            self.assertEqual(told.stderr.count("\n"), 1, told.stderr)
            self.assertIn("the build goes on without the viewer", told.stderr)
            configure = ["cmake", "-S", str(ROOT), "-B", f"{folder}/build", "-G", "Ninja", "-DTRACEBRAID_ARROW=OFF",
                         "-DCMAKE_CXX_COMPILER=clang++-19", "-DCMAKE_C_COMPILER=clang-19"]
            auto = subprocess.run(configure, env=env, capture_output=True, text=True)
            self.assertEqual(auto.returncode, 0, auto.stderr)
            self.assertIn("Viewer: no;", auto.stdout)
            plan = subprocess.run(["ninja", "-C", f"{folder}/build", "-n", "tracebraid"], env=env, capture_output=True, text=True)
            self.assertEqual(plan.returncode, 0, plan.stderr)
            self.assertNotIn("scripts/ui", plan.stdout)
            on = subprocess.run([*configure, "-DTRACEBRAID_UI=ON"], env=env, capture_output=True, text=True)
            self.assertNotEqual(on.returncode, 0)
            self.assertIn("no node 22.12", on.stderr.replace("\n", " ").replace("  ", " "))


if __name__ == "__main__":
    unittest.main(verbosity=2)
