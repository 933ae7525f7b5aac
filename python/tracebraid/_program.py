"""The command `tracebraid`: runs the program that the package brings."""
from __future__ import annotations

import os
import sys


def path() -> str:
    """The path of the program."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tracebraid")


def main() -> None:
    """Replaces this process by the program."""
    os.execv(path(), ["tracebraid", *sys.argv[1:]])
