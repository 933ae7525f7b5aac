"""The build backend of the Python package (PEP 517). Needs no other package and no network.

Builds the libraries and the program by CMake, as scripts/build release does and in the same folder, so that nothing is
compiled twice, and packs them with python/tracebraid into a wheel. With auditwheel installed (environment variable
TRACEBRAID_AUDITWHEEL: its command), the wheel brings the libraries of the system that it needs, else it is for this
system. TRACEBRAID_BUILD names another build folder, which must be configured.
"""
from __future__ import annotations

import base64
import ctypes
import ctypes.util
import functools
import hashlib
import io
import os
import pathlib
import platform
import re
import shlex
import shutil
import struct
import subprocess
import tarfile
import tempfile
import tomllib
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ["tracebraid", "tracebraid-c", "tracebraid_core"]
NAME = "tracebraid"


def _version():
    return re.search(r"project\(tracebraid VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _metadata():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = ["Metadata-Version: 2.1", f"Name: {NAME}", f"Version: {_version()}",
             f"Summary: {project['description']}", f"Requires-Python: {project['requires-python']}"]
    lines += [f"Classifier: {text}" for text in project["classifiers"]]
    for extra, packages in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {package}; extra == "{extra}"' for package in packages]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()]
    scripts = "".join(f"{name} = {value}\n" for name, value in project["scripts"].items())
    return {"METADATA": "\n".join(lines), "entry_points.txt": f"[console_scripts]\n{scripts}"}


def _build():
    """Builds the targets, and returns their folder."""
    build = pathlib.Path(os.environ.get("TRACEBRAID_BUILD", ROOT / "build/release"))
    if not (build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", build, "--target", *TARGETS], cwd=ROOT, check=True)
    return build


def _stripped(path):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, path.name)
        shutil.copy(path, copy)
        subprocess.run(["strip", "--strip-unneeded", copy], check=False)
        return copy.read_bytes()


def _files():
    """The files of the wheel: contents and modes by name."""
    build = _build()
    files = {path.relative_to(ROOT / "python").as_posix(): (path.read_bytes(), 0o644)
             for package in (NAME, "pyspark_tracebraid") for path in sorted((ROOT / "python" / package).rglob("*"))
             if path.suffix in (".py", ".pyi") or path.name == "py.typed"}
    (core,) = build.rglob("_core.abi3.so")
    files[f"{NAME}/_core.abi3.so"] = (_stripped(core), 0o755)
    files[f"{NAME}/libtracebraid.so.1"] = (_stripped((build / "libtracebraid.so.1").resolve()), 0o755)
    files[f"{NAME}/bin/tracebraid"] = (_stripped(build / "tracebraid"), 0o755)
    return files


def _tag():
    return f"cp311-abi3-linux_{platform.machine()}"


@functools.cache
def _libdeflate():
    """libdeflate, which the build needs anyway, and a compressor; None where its library is not found."""
    name = ctypes.util.find_library("deflate")
    if name is None:
        return None
    library = ctypes.CDLL(name)
    library.libdeflate_alloc_compressor.restype = ctypes.c_void_p
    compress = library.libdeflate_deflate_compress
    compress.restype = ctypes.c_size_t
    compress.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    return functools.partial(compress, library.libdeflate_alloc_compressor(12))


def _deflated(content):
    """The content as deflate, which libdeflate makes 3 % smaller than zlib."""
    if _libdeflate() is not None:
        out = ctypes.create_string_buffer(len(content) + 64)
        size = _libdeflate()(content, len(content), out, len(out))
        if size:
            return out.raw[:size]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(content) + packer.flush()


def _write_zip(path, files):
    """Writes contents and modes by name. zipfile compresses by zlib only."""
    directory = b""
    with open(path, "wb") as archive:
        for name, (content, mode) in files.items():
            packed, stored = _deflated(content), name.encode()
            kind, packed = (8, packed) if len(packed) < len(content) else (0, content)
            # Version 2.0, names in UTF-8, 1 January 1980.
            fields = struct.pack("<HHHHHIIIHH", 20, 0x800, kind, 0, 0x21, zlib.crc32(content), len(packed), len(content), len(stored), 0)
            directory += (b"PK\1\2" + struct.pack("<H", 3 << 8 | 20) + fields
                          + struct.pack("<HHHII", 0, 0, 0, (0o100000 | mode) << 16, archive.tell()) + stored)
            archive.write(b"PK\3\4" + fields + stored + packed)
        begin = archive.tell()
        archive.write(directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(directory), begin, 0))


def repack(path):
    """Writes a wheel anew, as small as possible."""
    with zipfile.ZipFile(path) as wheel:
        files = {info.filename: (wheel.read(info), info.external_attr >> 16 & 0o777) for info in wheel.infolist() if not info.is_dir()}
    _write_zip(path, files)


def _write_wheel(path, files):
    folder = f"{NAME}-{_version()}.dist-info"
    files = dict(files)
    for name, text in _metadata().items():
        files[f"{folder}/{name}"] = (text.encode(), 0o644)
    files[f"{folder}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\n"
                                f"Tag: {_tag()}\n".encode(), 0o644)
    record = ""
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{folder}/RECORD"] = (f"{record}{folder}/RECORD,,\n".encode(), 0o644)
    _write_zip(path, files)


def _repair(path, folder):
    """Adds the libraries that the wheel needs. Returns the name of the repaired wheel."""
    command = os.environ.get("TRACEBRAID_AUDITWHEEL")
    if not command:
        return path.name
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([*shlex.split(command), "repair", "-w", made, path], check=True)
        (repaired,) = pathlib.Path(made).glob("*.whl")
        repack(repaired)
        path.unlink()
        shutil.copy(repaired, folder)
        return repaired.name


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    path = pathlib.Path(wheel_directory, f"{NAME}-{_version()}-{_tag()}.whl")
    _write_wheel(path, _files())
    return _repair(path, wheel_directory)


def build_sdist(sdist_directory, config_settings=None):
    """Packs the files that git knows."""
    name = f"{NAME}-{_version()}"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(pathlib.Path(sdist_directory, f"{name}.tar.gz"), "w:gz") as archive:
        for path in filter(None, listed.decode().split("\0")):
            if (ROOT / path).exists():
                archive.add(ROOT / path, f"{name}/{path}", recursive=False)
        text = _metadata()["METADATA"].encode()
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        info.size = len(text)
        archive.addfile(info, io.BytesIO(text))
    return f"{name}.tar.gz"
