#!/usr/bin/env python3
"""Fails when two files define a type of the same qualified name.

The linker does not notice such types: it keeps one copy of their inline functions
(the One Definition Rule). Types in anonymous namespaces, functions and other types
do not count.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r"""
    //[^\n]* | /\*.*?\*/                                    # comments
  | R"(?P<raw>[^()\s]*)\(.*?\)(?P=raw)" | "(?:\\.|[^"\\\n])*"  # texts
  | '(?:\\.|[^'\\\n])+'
  | ^[ \t]*\#(?:\\\n|[^\n])*                                # directives
  | [A-Za-z_]\w* | \d[\w.']* | :: | \S
""", re.VERBOSE | re.DOTALL | re.MULTILINE)
CONTAINERS = {"struct", "class", "union", "enum"}


def tokens(text):
    for match in TOKEN.finditer(text):
        token = match[0]
        if not token.lstrip().startswith(("//", "/*", 'R"', '"', "'", "#")):
            yield token


def defined_name(head):
    """The name of the type that the tokens before an opening brace define, or None."""
    head = list(head)
    if head[:1] == ["template"]:  # template <...> struct Name
        depth = 0
        for index, token in enumerate(head):
            depth += {"<": 1, ">": -1}.get(token, 0)
            if token == ">" and depth == 0:
                head = head[index + 1:]
                break
    while head and head[0] in ("typedef", "static", "inline", "constexpr", "const"):
        head = head[1:]
    if not head or head[0] not in CONTAINERS or "(" in head or "=" in head:
        return None
    names = []
    for token in head[1:]:
        if token in (":", "final", "<"):  # bases, or a specialisation
            break
        if token not in ("class", "struct", "[", "]", "alignas"):
            names.append(token)
    return "".join(names) if names else None


def types(text):
    """The qualified names of the types that a file defines outside of anonymous namespaces."""
    scopes, head = [], []  # a scope: its name, or None where types do not count
    for token in tokens(text):
        if token == "{":
            name = None
            if head[:1] == ["namespace"] or head[:2] == ["inline", "namespace"]:
                name = "".join(head[head.index("namespace") + 1:]) or None
            else:
                found = defined_name(head)
                if found and None not in scopes:
                    yield "::".join([*scopes, found])
            scopes.append(name)
            head = []
        elif token == "}":
            if scopes:
                scopes.pop()
            head = []
        elif token == ";":
            head = []
        elif token == ":" and head[-1:] in (["public"], ["private"], ["protected"]):
            head = []
        else:
            head.append(token)


def clashes(folders):
    places = {}
    for folder in folders:
        for file in sorted(pathlib.Path(folder).rglob("*")):
            if file.suffix in (".h", ".cc"):
                for name in set(types(file.read_text())):
                    places.setdefault(name, []).append(str(file))
    return {name: files for name, files in sorted(places.items()) if len(files) > 1}


if __name__ == "__main__":
    found = clashes(sys.argv[1:])
    for name, files in found.items():
        print(f"{name} is defined in {', '.join(files)}")
    if not found:
        print("types: no two files define a type of one name")
    sys.exit(bool(found))
