"""The command `tracebraid`: runs the program that the package brings."""
from __future__ import annotations

import os
import sys


def path() -> str:
    """The path of the program."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tracebraid")


def main() -> None:
    """Runs `fleet`, which is part of the package; replaces this process by the program for all other commands."""
    if sys.argv[1:2] == ["fleet"]:
        from ._fleet.command import main as fleet
        sys.exit(fleet(sys.argv[2:]))
    os.execv(path(), ["tracebraid", *sys.argv[1:]])
