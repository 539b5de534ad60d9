"""The program `ballotcast`, which comes with the package: python -m ballotcast --help."""

from __future__ import annotations

import os
import shutil
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Replaces the Python process by the program, with the same arguments."""
    program = os.path.join(os.path.dirname(__file__), "program", "bin", "ballotcast")
    # The name by which the program calls itself in the commands that it prints.
    called = "ballotcast" if shutil.which("ballotcast") else program
    try:
        os.execv(program, [called, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"ballotcast: {program}: {error.strerror}")


if __name__ == "__main__":
    main()
