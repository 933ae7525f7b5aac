"""PseudoTerminal: runs the program in a pseudo terminal, as a user does. For test cases with a folder `self.dir`."""
import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
ESCAPES = re.compile(r'\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>78M]')


class PseudoTerminal:
    def start(self, *args, width=80, height=50, env=None):
        self.start_command([PROGRAM, *args], width, height, env)

    def start_command(self, command, width=80, height=50, env=None):
        try:
            pid, fd = pty.fork()
        except OSError as error:
            self.skipTest(f'no pseudo terminal: {error}')
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', height, width, 0, 0))
            os.environ.update(TERM='xterm', XDG_STATE_HOME=self.dir, HOME=self.dir, LC_ALL='C.UTF-8', **(env or {}))
            os.chdir(self.dir)
            os.execvp(command[0], command)
        self.pid, self.fd, self.seen = pid, fd, ''
        self.decoder = codecs.getincrementaldecoder('utf-8')('replace')
        self.addCleanup(os.close, fd)

    def read_some(self, seconds):
        """Returns False after the program has closed the terminal."""
        ready, _, _ = select.select([self.fd], [], [], max(0, seconds))
        if not ready:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.fail(f'nothing more after {self.seen!r}')
        try:
            self.seen += self.decoder.decode(os.read(self.fd, 4096))
        except OSError:
            return False
        return True

    def expect(self, pattern, seconds=60):
        """Waits for the pattern. Returns the text before it."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            if not self.read_some(end - time.monotonic()):
                self.assertRegex(self.seen, pattern)
        match = re.search(pattern, self.seen)
        before, self.seen = self.seen[:match.start()], self.seen[match.end():]
        return before

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self):
        """Returns the exit status."""
        for _ in range(200):
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.1)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return self.fail('the program did not end')

    def output(self, *args, status=0, **options):
        """Runs the program to its end. Returns the lines on the terminal, without escape sequences and erased text."""
        self.start(*args, **options)
        while self.read_some(60):
            pass
        self.assertEqual(self.wait(), status, self.seen)
        return [line.rstrip('\r').split('\r')[-1] for line in ESCAPES.sub('', self.seen).split('\n')]

    def await_editor(self):
        """Waits for the line editor, which starts after the prompt is shown: only the editor completes words."""
        self.expect(r'tracebraid> ')
        self.type('sel\t')
        self.expect(r'ect ')  # "select"; the cursor moves in between
        self.type('\x15')  # delete the line again

    def leave(self):
        self.await_editor()
        self.type('\x04')
        return self.wait()
