"""Archives of generated traces, as if several tools had recorded one run."""
import gzip
import json
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from pathlib import Path

RANKS = 8


def generate(generator, kind, path, size, seed=1):
    subprocess.run([generator, kind, '-o', path, '--size', str(size), '--seed', str(seed)], check=True)


def make_fleet(generator, path, size):
    """Writes a TAR with the gzip profile of each rank of a training job; `size` bytes of JSON in total."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder, tarfile.open(path, 'w') as tar:
        for rank in range(RANKS):
            plain, packed = Path(folder, 'rank.json'), Path(folder, 'rank.json.gz')
            generate(generator, 'kineto-json', plain, size // RANKS, rank + 1)
            with open(plain, 'rb') as source, gzip.GzipFile(packed, 'wb', compresslevel=6, mtime=0) as target:
                shutil.copyfileobj(source, target, 1 << 20)
            tar.add(packed, f'rank{rank}.json.gz')


MIXED = [('app.json', 'chrome-json', 'phone'), ('phone.pftrace', 'track-event', 'phone'),
         ('kernel.pftrace', 'sched', 'phone'), ('server.txt', 'systrace', 'server')]


def make_mixed(generator, path, size):
    """Writes a ZIP of four formats and two machines with a manifest; `size` bytes of traces in total."""
    files = [{'path': name, 'machine': {'name': machine}} for name, _, machine in MIXED]
    files[0]['clocks'] = {'sync_to': {'file': 'phone.pftrace', 'clock': 'BOOTTIME'}, 'offset_ns': 1500000}
    files[3]['clocks'] = {'sync_to': {'file': 'phone.pftrace', 'clock': 'BOOTTIME'}, 'offset_ns': -2500000}
    manifest = {'perfetto_manifest': {'version': 1, 'files': files}}
    with tempfile.TemporaryDirectory(dir=path.parent) as folder, \
            zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr('manifest.json', json.dumps(manifest))
        for name, kind, _ in MIXED:
            plain = Path(folder, name)
            generate(generator, kind, plain, size // len(MIXED))
            archive.write(plain, name)
            plain.unlink()


ARCHIVES = {'fleet': make_fleet, 'mixed': make_mixed}
