"""The program `ballotcast`, which comes with the package: python -m ballotcast --help."""

from __future__ import annotations

import os
import shutil
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Becomes the program, with the same arguments."""
    program = os.path.join(os.path.dirname(__file__), "program", "bin", "ballotcast")
    # The program calls itself by this word in commands that it prints.
    called = "ballotcast" if shutil.which("ballotcast") else program
    try:
        os.execv(program, [called, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"ballotcast: {program}: {error.strerror}")


if __name__ == "__main__":
    main()
