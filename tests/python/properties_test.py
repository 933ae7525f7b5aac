#!/usr/bin/env python3
"""Properties of results for tables that hypothesis makes: each way out gives the same values, and nanoarrow reads the streams.
Needs hypothesis and nanoarrow."""
import unittest
from typing import Any

import nanoarrow
import package_test
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tracebraid as tb

Row = tuple[Any, ...]
TRACE = tb.open(no_trace=True)
VALUES = [st.integers(-2**63, 2**63 - 1), st.floats(), st.text(st.characters(codec="utf-8")), st.binary()]
LIMITS = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def tables(draw: st.DrawFn) -> list[Row]:
    """Rows whose columns have one type each."""
    kinds = draw(st.lists(st.sampled_from(VALUES), min_size=1, max_size=5))
    row = st.tuples(*(st.one_of(st.none(), kind) for kind in kinds))
    return draw(st.lists(row, min_size=1, max_size=40))


def result_of(rows: list[Row], text: str) -> tb.Result:
    row = f"({', '.join('?' * len(rows[0]))})"
    return TRACE.sql(f"VALUES {', '.join([row] * len(rows))}", [value for values in rows for value in values], text=text)


class Properties(unittest.TestCase):
    @LIMITS
    @given(tables(), st.sampled_from(["dictionary", "utf8"]))
    def test_each_way_out_gives_the_same_values(self, rows: list[Row], text: str) -> None:
        expected = [tuple(None if value != value else value for value in row) for row in rows]  # SQL has no NaN
        for way, found in package_test.WaysOut().ways_out(result_of(rows, text)):
            self.assertEqual(found, expected, way)

    @LIMITS
    @given(tables(), st.sampled_from(["dictionary", "utf8"]))
    def test_nanoarrow_reads_each_stream(self, rows: list[Row], text: str) -> None:
        count = 0
        with nanoarrow.c_array_stream(result_of(rows, text)) as stream:
            for chunk in stream:
                view = nanoarrow.c_array(chunk).view()
                count += view.length
        self.assertEqual(count, len(rows))

    @LIMITS
    @given(st.lists(st.one_of(st.none(), st.integers(-2**63, 2**63 - 1), st.floats(allow_nan=False)), min_size=1))
    def test_integers_and_reals_are_reals_only_if_none_is_changed(self, column: list[int | float | None]) -> None:
        rows = [(value,) for value in column]
        result = result_of(rows, "utf8")
        kinds = {type(value) for value in column} - {type(None)}
        if kinds == {int, float} and any(value is not None and float(value) != value for value in column):
            self.assertRaises(tb.TypeChanged, result.fetchall)  # an integer would be another number
        elif kinds == {int, float}:
            self.assertEqual(result.types, ["float64"])
            self.assertEqual(result.fetchall(), [(None if value is None else float(value),) for value in column])
        else:
            self.assertEqual(result.fetchall(), rows)

    @LIMITS
    @given(st.binary())
    def test_bytes_as_text_are_decoded_with_replacements(self, data: bytes) -> None:
        found = TRACE.sql("SELECT CAST(? AS TEXT) AS t", [data]).scalar()
        try:
            self.assertEqual(found, data.decode())
        except UnicodeDecodeError:
            self.assertIn("\ufffd", found)


if __name__ == "__main__":
    unittest.main()
