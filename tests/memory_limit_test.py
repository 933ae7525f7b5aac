#!/usr/bin/env python3
"""--memory-limit: less memory, the same rows, and an error that says what to do if the disk is full.

  memory_limit_test.py TRACEBRAID GENERATOR
"""
import gzip
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TRACEBRAID, GENERATE = (os.path.abspath(a) for a in sys.argv[1:3])
SQL = ('SELECT count(*), count(DISTINCT name), sum(dur), sum(arg_set_id) FROM slice;'
       'SELECT * FROM slice ORDER BY dur DESC, ts LIMIT 50;'
       'SELECT flat_key, count(*), min(string_value), sum(int_value) FROM args GROUP BY 1 ORDER BY 1')
INPUT_ERROR, USAGE_ERROR = 3, 2
MEGABYTE = 1 << 20


def peak_of_own_memory(process):
    """Returns the peak in bytes, by polling."""
    peak = [0]

    def look():
        while process.poll() is None:
            try:
                with open(f'/proc/{process.pid}/status', encoding='ascii') as status:
                    kilobytes = [int(line.split()[1]) for line in status if line.startswith('RssAnon')]
            except OSError:
                break
            peak[0] = max([peak[0], *(k << 10 for k in kilobytes)])
            time.sleep(0.002)
    thread = threading.Thread(target=look)
    thread.start()
    return thread, peak


class MemoryLimit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.trace = os.path.join(cls.folder, 'trace.json')
        subprocess.run([GENERATE, 'chrome-json', '--size', '24M', '-o', cls.trace], check=True, capture_output=True)
        cls.whole, cls.peak = cls.query()

    @classmethod
    def query(cls, *options, check=True, trace=None):
        process = subprocess.Popen([TRACEBRAID, 'query', trace or cls.trace, SQL, '-f', 'jsonl', '--no-progress', *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, 'TMPDIR': cls.folder})
        thread, peak = peak_of_own_memory(process)
        out, said = process.communicate(timeout=600)
        thread.join()
        if check and process.returncode != 0:
            raise AssertionError(said)
        return out, peak[0]

    def test_less_memory_and_the_same_rows(self):
        limit = 8
        rows, peak = self.query('--memory-limit', f'{limit}M')
        self.assertEqual(rows, self.whole)
        print(f'peak of memory of its own: {self.peak >> 20} MB, with a limit of {limit} MB {peak >> 20} MB')
        self.assertLess(limit * 2 * MEGABYTE, self.peak, 'the test needs a larger trace')
        # A limit as small as this is hardly more than the program itself needs.
        self.assertLess(peak, self.peak * 2 // 3)
        self.assertEqual(os.listdir(self.folder), ['trace.json'])

    # Formats that are read as one text: the text is far larger than the tables.
    def test_a_compressed_file_that_is_needed_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, 'run.cpuprofile.gz')
            with gzip.open(trace, 'wt', compresslevel=1) as out:
                out.write('{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}],"startTime":5,"samples":[1,1],'
                          '"timeDeltas":[0,9],"ignored":"')
                for _ in range(48):
                    out.write('x' * MEGABYTE)
                out.write('"}')
            whole, peak = self.query(trace=trace)
            limited, limited_peak = self.query('--memory-limit', '8M', trace=trace)
        self.assertEqual(limited, whole)
        self.assertLess(limited_peak, peak - 32 * MEGABYTE)

    def test_a_limit_that_is_not_reached(self):
        self.assertEqual(self.query('--memory-limit', '100G')[0], self.whole)

    def test_a_limit_that_cannot_be_held_is_told(self):
        def said(*options):
            done = subprocess.run([TRACEBRAID, 'query', self.trace, SQL, '-f', 'jsonl', *options], capture_output=True,
                                  text=True, timeout=600, check=True, env={**os.environ, 'TMPDIR': self.folder})
            return done.stderr
        self.assertRegex(said('--memory-limit', '1M'), r'--memory-limit: 1M could not be held; the command used \d+M')
        for options in ([], ['--memory-limit', '100G'], ['--memory-limit', '1M', '--quiet']):
            self.assertNotIn('--memory-limit', said(*options), options)

    def test_one_thread_and_many(self):
        for threads in ('1', '8'):
            self.assertEqual(self.query('--memory-limit', '8M', '--threads', threads)[0], self.whole)

    def run_limited(self, *options, **environment):
        return subprocess.run([TRACEBRAID, 'query', self.trace, SQL, '-f', 'jsonl', '--memory-limit', *options],
                              capture_output=True, text=True, timeout=600, check=False,
                              env={**os.environ, 'TMPDIR': self.folder, **environment},
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (MEGABYTE, MEGABYTE)))

    def test_a_full_disk(self):
        done = self.run_limited('8M')
        self.assertEqual(done.returncode, INPUT_ERROR, done.stderr)
        for text in (self.folder, 'TMPDIR', '--memory-limit'):
            self.assertIn(text, done.stderr)
        self.assertEqual(os.listdir(self.folder), ['trace.json'])

    def test_no_folder_for_the_rest(self):
        done = self.run_limited('8M', TMPDIR='/nowhere')
        self.assertEqual(done.returncode, INPUT_ERROR, done.stderr)
        self.assertIn('/nowhere', done.stderr)

    def test_a_limit_that_makes_no_sense(self):
        for limit in ('2X', '-1', 'much'):
            done = self.run_limited(limit)
            self.assertEqual(done.returncode, USAGE_ERROR, done.stderr)
            self.assertIn('--memory-limit', done.stderr)


if __name__ == '__main__':
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
