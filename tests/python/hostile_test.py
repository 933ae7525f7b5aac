#!/usr/bin/env python3
"""Malicious archives and traces through the package: each input of tests/hostile_inputs_test.py gives the rows of the program, or
its error with the same text, file and offset, and the code of its status. A process of its own reads each, and must not crash.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import tracebraid as tb

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import hostile_inputs_test as program  # noqa: E402

HOSTILE: Any = program  # has no types
HOSTILE.TRACEBRAID = str(pathlib.Path(tb.__file__).parent / "bin/tracebraid")
STATUS = {1: 3, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3, 7: 4, 8: 2, 11: 3, 12: 4}  # of the program, by code
# Prints the rows of each statement, or the error, and the warnings, as JSON.
CHILD = """
import json, sys, warnings
import tracebraid as tb
path, statements, options = json.loads(sys.argv[1])
answer = {}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        trace = tb.open(path, **options)
        results = [trace.sql(sql) for sql in statements]
        answer["rows"] = [row for result in results for row in [result.columns, *(list(row) for row in result)]]
    except tb.Error as e:
        answer.update(code=e.code, message=e.message, file=e.file, offset=e.offset, hint=e.hint)
answer["warnings"] = [str(w.message) for w in caught]
print(json.dumps(answer))
"""


def of_package(path: str, sql: str, options: dict[str, object]) -> dict[str, Any]:
    ran = subprocess.run([sys.executable, "-c", CHILD, json.dumps([path, sql.split("; "), options])], capture_output=True, text=True,
                         timeout=HOSTILE.TIMEOUT, check=False)
    assert ran.returncode == 0, (ran.returncode, ran.stderr)
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


def keywords_of(options: tuple[str, ...]) -> dict[str, object]:
    """Options of the command line as keyword arguments."""
    made: dict[str, object] = {}
    given = list(options)
    while given:
        name = given.pop(0).removeprefix("--").replace("-", "_")
        made[name] = given.pop(0) if given and not given[0].startswith("--") else True
    return made


class ThroughThePackage(HOSTILE.Hostile):  # type: ignore[misc]
    refused = answered = 0

    def query(self, content: bytes, *options: str, sql: str = "SELECT count(*) AS n FROM slice") -> tuple[list[str] | None, str]:
        rows, said = super().query(content, *options, sql=sql)
        path = os.path.join(self.folder.name, "input")
        answer = of_package(path, sql, {"temp_dir": self.folder.name, **keywords_of(options)})
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["input", "work"])
        if rows is None:
            self.assert_same_error(answer, said, path)
            ThroughThePackage.refused += 1
        else:
            self.assertIn("rows", answer, (answer, said[:500]))
            found = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in answer["rows"]]
            # After the first header; the program separates results by an empty line.
            self.assertEqual(found[1:], [row for row in rows if row != ""])
            ThroughThePackage.answered += 1
        return rows, said

    def assert_same_error(self, answer: dict[str, Any], said: str, path: str) -> None:
        self.assertNotIn("rows", answer, said[:500])
        self.assertEqual(STATUS[answer["code"]], self.status, answer)
        self.assertIn(answer["message"][:1000], said.replace("; --", "; the option "))
        if answer["file"] is not None:
            self.assertTrue(answer["file"].startswith(path), answer)
            self.assertIn(answer["file"], said)
        if answer["offset"] is not None and answer["offset"] >= 0:
            self.assertRegex(said, rf"at (byte|offset) {answer['offset']}\b")

    def rows_of(self, braid: str, sql: str) -> bytes | None:
        rows: bytes | None = super().rows_of(braid, sql)
        answer = of_package(braid, sql, {})
        self.assertEqual("rows" in answer, rows is not None, (answer, rows))
        if rows is not None:
            self.assertEqual(len(answer["rows"]), rows.count(b"\n"))
        return rows

    @classmethod
    def tearDownClass(cls) -> None:
        assert cls.refused > 15 and cls.answered > 20, (cls.refused, cls.answered)


# Closes every element that a page may be in, and opens others. The characters at its end are not allowed in XML.
HOSTILE_NAME = "</title></text></svg></td></table></pre><script>alert(1)</script><img src='x' onerror=\"alert(2)\">" \
    "<!--]]><style>*{}</style>&lt;&#60;&nope;\\\x01\x1b\x7f\ufffe\uffff"
SHOWN_NAME = HOSTILE_NAME[:-5]
ELEMENTS = {"div", "table", "thead", "tbody", "tr", "th", "td", "p", "pre", "style", "svg", "defs", "marker", "path", "rect", "g",
            "title", "text"}


class Elements(HTMLParser):
    """The elements of a page as a browser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.found.add(tag)


class Names(unittest.TestCase):
    def setUp(self) -> None:
        events = [{"ph": "X", "ts": 1, "dur": 2, "name": HOSTILE_NAME, "cat": HOSTILE_NAME, "pid": 1, "tid": 1}]
        trace = json.dumps([*events, {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": HOSTILE_NAME}}]).encode()
        manifest = {"perfetto_manifest": {"version": 1, "files": [
            {"path": f"{name}.json", "machine": {"name": name + HOSTILE_NAME}} for name in "ab"]}}
        with self.assertWarns(tb.TraceWarning):
            self.trace = tb.open(("a.json", trace), ("b.json", trace), (f"c{HOSTILE_NAME}", trace), (f"d{HOSTILE_NAME}", trace[:-9]),
                                 manifest=manifest)

    def assert_is_safe(self, page: str, *texts: str) -> None:
        """The page is well-formed XML of a few kinds of elements, which contain the texts."""
        root = ElementTree.fromstring(page)
        self.assertLessEqual({element.tag.rpartition("}")[2] for element in root.iter()}, ELEMENTS)
        for element in root.iter():
            for name, value in element.items():
                self.assertFalse(name.startswith("on") or name in ("href", "src", "style"), (name, value))
                self.assertNotRegex(value, "[a-z]+:/|url\\([^#]")
        self.assertLessEqual(Elements(page).found, ELEMENTS)
        found = "\n".join(root.itertext())
        for text in texts:
            self.assertIn(text, found)

    def test_names_are_text_in_reports(self) -> None:
        report = self.trace.check()
        self.assertTrue(report.problems)
        self.assert_is_safe(report._repr_html_(), *(f"{name}{SHOWN_NAME}" for name in "abcd"))
        self.assert_is_safe(self.trace.info()._repr_html_(), "<script>")

    def test_names_are_text_in_pictures_of_clocks(self) -> None:
        graph = self.trace.check().graph()
        self.assert_is_safe(graph, f"c{SHOWN_NAME}", f"d{SHOWN_NAME}")
        dot = self.trace.check().graph("dot")
        strings = re.findall(r'"((?:[^"\\]|\\.)*)"', dot)
        self.assertNotRegex(re.sub(r'"(?:[^"\\]|\\.)*"', "", dot), "[<>]script|alert")
        self.assertTrue(any("<script>" in text for text in strings), strings)

    def test_names_are_text_in_rows(self) -> None:
        quoted = HOSTILE_NAME.replace('"', '""')
        page = self.trace.sql(f'SELECT name, category AS "{quoted}" FROM slice')._repr_html_()
        assert page is not None
        self.assert_is_safe(f"<div>{page}</div>", SHOWN_NAME)
        self.assertEqual(page.count("&lt;script&gt;"), 1 + 2 * 4)


def load_tests(loader: unittest.TestLoader, tests: object, pattern: object) -> unittest.TestSuite:
    """Leaves out the tests of the program alone, which ctest runs."""
    return unittest.TestSuite(map(loader.loadTestsFromTestCase, (ThroughThePackage, Names)))


if __name__ == "__main__":
    HOSTILE.limit_memory()
    unittest.main()
