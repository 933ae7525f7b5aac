#!/usr/bin/env python3
"""Fails when a citation such as "spec proto 5.5" names a section that does not exist.

docs/spec/README.md lists the short names and the form of citations. Sources, scripts and
documents of the project are searched; citations may continue on the next line of a comment.

  tools/check_citations.py [ROOT]
"""
import pathlib
import re
import sys

FOLDERS = ("src", "tests", "fuzz", "bench", "tools", "scripts", "cmake", "docs", "vectors")
SUFFIXES = (".h", ".cc", ".inc", ".c", ".py", ".sql", ".md", ".cmake", ".txt", ".test", "")
SKIPPED = ("docs/spec", "tests/golden")  # the specifications cite each other in a form of their own
# In these folders a citation without a name refers to the specification of the folder.
IMPLIED = {"vectors/clocks-and-merging": "clocks", "vectors/perfetto-proto": "proto", "vectors/sql-dialect": "sql-dialect",
           "vectors/trace-event-format": "json", "vectors/ftrace-text": "json", "vectors/other-formats": "json"}
TOP = ("README.md", "CHANGELOG.md", "CMakeLists.txt")

COMMENT_MARK = re.compile(r"\n[ \t]*(?://+|#+|--|\*)?[ \t]*")
SECTION = r"(?:\d+(?:\.\d+)*|appendix [A-Z])"
# Details after a section that are no further section: a row, a step, the end of a range.
DETAIL = re.compile(r",? (?:(?:steps?|items?|rows?|points?|finalisation) \d+(?:(?:-| to | and |, )\d+(?![.\d]))*)")
ROW = re.compile(r",? ([A-Z]\d+)\b(?!\.)")
TITLE = re.compile(r'(?:,| and)? "([^"\n]{3,80})"')
NEXT = re.compile(rf"(?:, (?:and )?| and | to |-|; (?:spec )?)(?:([a-z][a-z0-9-]*) )?({SECTION})(?![\w%])")
SIGN = re.compile(r"(?:\b[Ss]pec )?((?:\b(?:clocks|json|proto|proto-2|sql-dialect|alignment) )?)§(?=\d)")  # in notes of vectors
START = re.compile(rf"\b[Ss]pec ([a-z][a-z0-9-]*|) ?({SECTION})(?![\w%])")


class Specification:
    def __init__(self, file):
        text = file.read_text()
        self.sections = {number.rstrip(".").lower() for number in
                         re.findall(r"^(?:#+ |\*\*)((?:Appendix )?[A-Z0-9][\d.]*)(?= )", text, re.M)}
        self.rows = set(re.findall(r"^\| \**([A-Z]\d+)\** \|", text, re.M))
        self.text = text

    def has(self, kind, cited):
        if kind == "section":
            return cited.lower() in self.sections
        if kind == "row":
            return cited in self.rows
        return re.search(r"(?:^#+ [^\n]*|\*)" + re.escape(cited), self.text, re.M) is not None


def specifications(root):
    """Returns the specifications by short name, and by the name of their file."""
    index = (root / "docs/spec/README.md").read_text()
    rows = re.findall(r"^\| ([a-z][a-z0-9-]*) \| \[[^]]*\]\(([^)]*)\)", index, re.M)
    read = {file: Specification(root / "docs/spec" / file) for _, file in rows}
    return {name: read[file] for name, file in rows} | {file.removesuffix(".md"): read[file] for _, file in rows}


def sources(root):
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            name = file.relative_to(root).as_posix()
            if (file.is_file() and file.suffix in SUFFIXES and not name.startswith(SKIPPED)
                    and not (folder == "vectors" and file.suffix not in (".py", ".md", ".test"))):
                yield file
    yield from (root / name for name in TOP)


def citations(text):
    """Yields (offset, short name, kind, cited section, row or title) of each citation in `text`."""
    for start in START.finditer(text):
        name = start[1]
        yield start.start(), name, "section", start[2]
        at = start.end()
        while True:
            if found := DETAIL.match(text, at):
                pass
            elif found := ROW.match(text, at):
                yield start.start(), name, "row", found[1]
            elif found := TITLE.match(text, at):
                yield start.start(), name, "title", found[1]
            elif found := NEXT.match(text, at):
                name = found[1] or name
                yield start.start(), name, "section", found[2]
            else:
                break
            at = found.end()


def violations(root):
    known = specifications(root)
    count = 0
    for file in sources(root):
        try:
            text = file.read_text()
        except UnicodeDecodeError:
            continue
        if file.suffix == ".test":
            text = SIGN.sub(r"· spec \1", text)
        if "pec " not in text:
            continue
        # Joins lines by one character for each line break, so that the line number can be found.
        lines = [0]
        joined = ""
        for part in COMMENT_MARK.split(text):
            joined += part + " "
            lines.append(len(joined))
        breaks = [text[:found.start() + 1].count("\n") for found in COMMENT_MARK.finditer(text)]
        for offset, name, kind, cited in citations(joined):
            count += 1
            name = name or IMPLIED.get("/".join(file.relative_to(root).parts[:2]), "")
            part = max(i for i, begin in enumerate(lines) if begin <= offset)
            at = f"{file.relative_to(root)}:{1 if part == 0 else breaks[part - 1] + 1}: "
            if name not in known:
                yield at + f'"{name}" is not a short name of docs/spec/README.md'
            elif not known[name].has(kind, cited):
                yield at + f"spec {name} has no {kind} {cited}"
    if count < 100:
        yield f"only {count} citations found; the search is broken"


if __name__ == "__main__":
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    bad = list(violations(root.resolve()))
    print("\n".join(bad) or "citations: each cited section exists")
    sys.exit(bool(bad))
