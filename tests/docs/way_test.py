#!/usr/bin/env python3
"""Checks the drawing of a ray's way from Python in docs/design/queries.md: each function is in
the file that the page says, and calls the function in the next line. Usage: way_test.py ROOT"""

import re
import sys
from pathlib import Path


def steps(page: str) -> list:
    """Returns (function, file) for each line of the drawing."""
    drawing = re.search(r"```\n(QueriedScene\.cast .*?)```", page, re.DOTALL)
    if drawing is None:
        sys.exit("the page has no drawing that begins with QueriedScene.cast")
    return [tuple(line.split()[:2]) for line in drawing[1].splitlines()]


def python_body(text: str, name: str) -> str:
    found = re.search(rf"^( *)def {name}\(.*?(?=^\1def |^\1@|\Z)", text, re.DOTALL | re.MULTILINE)
    return found[0] if found else ""


def cpp_body(text: str, owner: str, name: str) -> str:
    """Returns the definition of a function, up to its closing brace."""
    begin = 0
    if owner and f"{owner}::{name}(" not in text:
        begin = re.search(rf"(?:class|struct) {owner}\b", text).start()
    for found in re.finditer(rf"^[^\n;=]*\b{name}\(", text[begin:], re.MULTILINE):
        open_brace = text.find("{", begin + found.end())
        end_of_statement = text.find(";", begin + found.end())
        if open_brace < 0 or 0 <= end_of_statement < open_brace:
            continue  # a declaration or a call
        depth = 0
        for at in range(open_brace, len(text)):
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if depth == 0:
                return text[open_brace:at]
    return ""


def body(root: Path, function: str, file: str) -> str:
    text = (root / file).read_text()
    *owner, name = re.split(r"::|\.", function)
    found = python_body(text, name) if file.endswith(".py") else cpp_body(text, "".join(owner), name)
    if not found:
        sys.exit(f"{file} has no function {function}")
    return found


def main() -> None:
    root = Path(sys.argv[1])
    way = steps((root / "docs/design/queries.md").read_text())
    if len(way) < 5:
        sys.exit(f"the drawing has only {len(way)} steps")
    for (function, file), (following, _) in zip(way, way[1:]):
        name = re.split(r"::|\.", following)[-1]
        if not re.search(rf"\b{name}\b(?:<[^;]*?>)?\(", body(root, function, file)):
            sys.exit(f"{function} in {file} does not call {following}")
    body(root, *way[-1])
    print(f"ok: {len(way)} steps")


main()
