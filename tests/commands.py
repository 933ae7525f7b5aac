"""Runs commands of tests that build, install and call other programs."""
import re
import shlex
import subprocess
import sys


def run(command, **options):
    """Returns what the command prints. Ends the test with that text if the command fails."""
    done = subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(map(str, command))}\n{done.stdout}\nstatus {done.returncode}")
    return done.stdout


def code_block(page, language):
    """The only block of code of this language in a page."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```", page.read_text(), re.M | re.S)
    return block
