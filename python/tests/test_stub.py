"""Tests that _native.pyi, which type checkers read, agrees with the extension module."""

import ast
import re
from pathlib import Path

import ballotcast as bc
import pytest
from ballotcast import _native

STUB = ast.parse((Path(bc.__file__).parent / "_native.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
ALIKE = {"List": "list", "Tuple": "tuple", "Dict": "dict"}


def functions_of(body):
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def split_at(text, sign):
    """Returns the parts of a text between separators that are outside of brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += {"[": 1, "(": 1, "]": -1, ")": -1}.get(letter, 0)
        if letter == sign and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def plain(kind):
    """Returns a type in the notation of the module, without the constraints on arrays."""
    either = split_at(kind, "|")
    if len(either) > 1:
        return "|".join(sorted(plain(part) for part in either))
    head, _, inner = kind.strip().partition("[")
    head = head.rpartition(".")[2]  # without the name of the module
    head = ALIKE.get(head, head)
    if head in ("ndarray", "ArrayLike") or not inner:
        return head
    parts = [plain(part) for part in split_at(inner[:-1], ",")]
    if head in ("Optional", "Union"):
        return "|".join(sorted([*parts, *(["None"] if head == "Optional" else [])]))
    return f"{head}[{','.join(parts)}]"


def agree(stub, module):
    """True if the types agree. The module's type may be less precise: `tuple` for a pair."""
    ours = plain("Mapping[str, str]" if stub == "Options" else stub)
    theirs = plain(module)
    if ours == "object":  # an array that DLPack lends is `object` in the module
        return theirs in ("ndarray", "ArrayLike")
    return ours == theirs or theirs == "object" or ours.startswith(f"{theirs}[")


def signatures(function):
    """Returns, for each overload, the parameters as pairs of a name and a type, and the result's
    type."""
    for text, *_ in function.__nb_signature__:
        inner, returned = re.fullmatch(r"def \w*\((.*)\) -> (.*)", text).groups()
        parts = [part for part in split_at(inner, ",") if part not in ("self", "/")]
        yield [part.split(": ", 1) for part in parts], returned


def require_same(node, function, where):
    ours = [(a.arg, ast.unparse(a.annotation)) for a in node.args.args if a.arg != "self"]
    for theirs, returned in signatures(function):
        assert len(ours) == len(theirs), where
        for (our_name, our_kind), (name, kind) in zip(ours, theirs):
            assert our_name == name or re.fullmatch(r"arg\d*", name), f"{where}: {name}"
            assert agree(our_kind, kind), f"{where}: {name} is {kind}, not {our_kind}"
        assert agree(ast.unparse(node.returns), returned), f"{where}: {returned}"


def test_names_are_those_of_the_module():
    constants = {t.target.id for t in STUB.body if isinstance(t, ast.AnnAssign)}
    names = {*constants, *CLASSES, *functions_of(STUB.body)}
    there = {name for name in vars(_native) if not name.startswith("_")} | {"__version__"}
    assert names == there


@pytest.mark.parametrize("name", sorted(functions_of(STUB.body)))
def test_functions_have_the_parameters_and_types_of_the_module(name):
    require_same(functions_of(STUB.body)[name], getattr(_native, name), name)


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_classes_have_the_members_of_the_module(name):
    there = getattr(_native, name)
    if issubclass(there, Exception):
        bases = [ast.unparse(base) for base in CLASSES[name].bases]
        assert [base.__name__ for base in there.__bases__] == bases
        return
    members = functions_of(CLASSES[name].body)
    public = {member for member in vars(there) if not member.startswith("_")}
    assert {member for member in members if member != "__init__"} == public
    for member, node in members.items():
        function = vars(there)[member]
        is_property = isinstance(function, property)
        assert bool(node.decorator_list) == is_property, f"{name}.{member}"
        require_same(node, function.fget if is_property else function, f"{name}.{member}")
