#!/usr/bin/env python3
"""Writes the references of the C interface and of the Python package: docs/library-reference.md of the comments in
src/capi/tracebraid.h, docs/python-reference.md of the docstrings of the public names.

  tools/reference.py            writes both
  tools/reference.py --check    fails if one is not current
"""
import argparse
import ast
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
HEADER = ROOT / "src/capi/tracebraid.h"
PACKAGE = ROOT / "python/tracebraid"


def plain(comment):
    """The text of a comment of C as a paragraph."""
    lines = [re.sub(r"^\s*(/\*|\*/|\*)? ?", "", line).rstrip() for line in comment.removesuffix("*/").splitlines()]
    return re.sub(r"(?<=\S)\n(?=\S)", " ", "\n".join(lines)).strip()


def escaped(text):
    return text.replace("<", "&lt;").replace("*", "\\*")


def c_reference():
    """Functions of the header by section, each with its comment, and the codes."""
    text = HEADER.read_text()
    out = ["# Reference of the C interface", "", "Written by `tools/reference.py` of `src/capi/tracebraid.h`; [library.md](library.md) "
           "explains the rules.", "", "## Codes", "", "| Code | Value | Meaning |", "|---|---|---|"]
    for name, value, meaning in re.findall(r"  TRACEBRAID_(\w+) = (\d+),?(?:\s*/\* (.*?) \*/)?\n", text):
        out.append(f"| `TRACEBRAID_{name}` | {value} | {meaning or 'no error'} |")
    pattern = r"/\* ---- (.*?) ---- \*/|(/\*(?:(?!\*/).)*\*/)\n((?:const )?[\w ]+\*? tracebraid_\w+\([^;{]*\);)"
    for section, comment, declaration in re.findall(pattern, text, re.S):
        if section:
            title, _, rule = re.sub(r"\s*\n \* ", " ", section).partition(": ")
            out += ["", f"## {title}"] + (["", escaped(rule[:1].upper() + rule[1:]) + "."] if rule else [])
        else:
            name = re.search(r"tracebraid_\w+(?=\()", declaration)[0]
            out += ["", f"### {name}", "", "```", declaration, "```", "", escaped(plain(comment))]
    return "\n".join(out) + "\n"


def signature(function):
    """The head of a function without `self`, as Python writes it."""
    arguments = function.args
    for listed in (arguments.posonlyargs, arguments.args):
        if listed and listed[0].arg in ("self", "cls"):
            del listed[0]
    head = f"{function.name}({ast.unparse(arguments)})"
    head += f" -> {ast.unparse(function.returns)}" if function.returns else ""
    head = ("async " if isinstance(function, ast.AsyncFunctionDef) else "") + head
    return "\n".join(textwrap.wrap(head, 110, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def described(node):
    """The docstring: paragraphs, and examples as code."""
    text = ast.get_docstring(node) or ""
    prose, mark, example = text.partition("\n>>> ")
    parts = [re.sub(r"(?<=\S)\n(?=\S)", " ", prose).strip()]
    if mark:
        parts.append(f"```pycon\n>>> {example.rstrip()}\n```")
    return [line for part in parts if part for line in ("", part)]


def is_property(function):
    return any(isinstance(each, ast.Name) and each.id == "property" for each in function.decorator_list)


def is_overload(function):
    return any(isinstance(each, ast.Name) and each.id == "overload" for each in function.decorator_list)


def class_lines(node, of):
    """The base classes that are public, fields, properties and methods of a class, with those it has of a base of its file."""
    out = [f"### {node.name}", *described(node)]
    bases = [ast.unparse(base) for base in node.bases]
    if bases:
        out += ["", "Is a " + ", ".join(f"`{base}`" for base in bases) + "."]
    members = [member for base in node.bases if isinstance(base, ast.Name) and base.id.startswith("_") and base.id in of
               for member in of[base.id].body] + node.body
    fields = [each for each in members if isinstance(each, ast.AnnAssign) and not each.target.id.startswith("_")]
    if fields:
        out += ["", ", ".join(f"`{each.target.id}: {ast.unparse(each.annotation)}`" for each in fields)]
    for member in members:
        if not isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) or member.name.startswith("_") or is_overload(member):
            continue
        if is_property(member):
            out += ["", f"**`{member.name}: {ast.unparse(member.returns)}`**"]
        else:
            out += ["", "```python-signature", signature(member), "```"]
        out += described(member)
    return out


def python_reference():
    """Functions, classes and exceptions of the package by their modules."""
    package = ast.parse((PACKAGE / "__init__.py").read_text())
    (listed,) = [ast.literal_eval(node.value) for node in package.body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"]
    (modules,) = [ast.literal_eval(node.value) for node in package.body
                  if isinstance(node, ast.Assign) and node.targets[0].id == "_MODULES"]
    found = {}
    for module in [*modules, "_errors"]:
        tree = ast.parse((PACKAGE / (module.replace(".", "/") + ".py")).read_text())
        of = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))}
        found.update({name: (node, of, module) for name, node in of.items() if name in listed})
    missing = set(listed) - set(found) - {"__version__", "spark"}
    if missing:
        sys.exit(f"{', '.join(sorted(missing))}: no such function or class")
    functions = {name: of for name, of in found.items() if not isinstance(of[0], ast.ClassDef)}
    errors = {name: of for name, of in found.items() if of[2] == "_errors"}
    out = ["# Reference of the Python package", "", "Written by `tools/reference.py` of the docstrings in `python/tracebraid`; "
           "[python.md](python.md) and [fleet.md](fleet.md) are introductions.", "", "## Functions"]
    for name in sorted(functions, key=lambda name: listed.index(name)):
        out += ["", f"### {name}", "", "```python-signature", signature(functions[name][0]), "```", *described(functions[name][0])]
    tree = ast.parse((PACKAGE / "spark.py").read_text())
    (public,) = [ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign) and getattr(
        node.targets[0], "id", "") == "__all__"]
    out += ["", "## Functions of `tracebraid.spark`"]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in public:
            out += ["", f"### spark.{node.name}", "", "```python-signature", signature(node), "```", *described(node)]
    out += ["", "## Classes"]
    for name in listed:
        if name in found and name not in functions and name not in errors:
            out += ["", *class_lines(found[name][0], found[name][1])]
    out += ["", "## Exceptions", "", "| Class | Base | Meaning |", "|---|---|---|"]
    for name in listed:
        if name in errors:
            node = errors[name][0]
            out.append(f"| `{name}` | {', '.join(f'`{ast.unparse(base)}`' for base in node.bases)} | {' '.join((ast.get_docstring(node) or '').split())} |")
    return "\n".join(out).replace("```python-signature", "```") + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if a page is not current")
    check = parser.parse_args().check
    stale = []
    for name, make in (("library-reference.md", c_reference), ("python-reference.md", python_reference)):
        path, text = ROOT / "docs" / name, make()
        if not path.exists() or path.read_text() != text:
            stale.append(f"docs/{name}")
            if not check:
                path.write_text(text)
    if check and stale:
        sys.exit(f"{', '.join(stale)}: not current; run tools/reference.py")


if __name__ == "__main__":
    main()
