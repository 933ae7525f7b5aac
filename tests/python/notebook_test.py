#!/usr/bin/env python3
"""The package in a notebook: runs the notebooks of docs/examples/notebooks, shows progress, and is interrupted. Needs
nbclient, ipykernel and ipywidgets.
"""
import asyncio
import os
import pathlib
import unittest
from typing import Any

import nbformat.v4
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NBFORMAT: Any = nbformat  # has no types
EXAMPLES = pathlib.Path(os.environ["TRACEBRAID_EXAMPLES"])
NOTEBOOKS = EXAMPLES.parent / "docs/examples/notebooks"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) AS s FROM n"
# Progress is shown at once, of a trace that takes long enough to open.
SHOWS_PROGRESS = """
import json, sys
import tracebraid as tb, tracebraid._progress as progress
progress._QUIET_SECONDS = 0
{before}
events = [{{"ph": "X", "ts": i, "dur": 1, "name": str(i), "pid": 1, "tid": 1}} for i in range(400_000)]
trace = tb.open(("big.json", json.dumps(events).encode()))
"""


def client_of(cells: list[str], **options: Any) -> NotebookClient:
    notebook = NBFORMAT.v4.new_notebook(cells=[NBFORMAT.v4.new_code_cell(cell) for cell in cells])
    return NotebookClient(notebook, timeout=120, kernel_name="python3", **options)


def outputs_of(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


class Notebooks(unittest.TestCase):
    def test_the_examples_run_and_show_tables_and_graphs(self) -> None:
        for path in sorted(NOTEBOOKS.glob("*.ipynb")):
            with self.subTest(path.name):
                client = NotebookClient(NBFORMAT.read(path, 4), timeout=120, kernel_name="python3",
                                        resources={"metadata": {"path": str(NOTEBOOKS)}})
                outputs = outputs_of(client.execute())
                self.assertEqual([o for o in outputs if o.output_type == "stream"], [])
                pages = [o.data["text/html"] for o in outputs if "text/html" in o.get("data", {})]
                self.assertGreater(len(pages), 1)
                self.assertTrue(any("<svg" in page for page in pages))
                for page in pages:
                    for forbidden in ("<script", 'href="http', "src="):
                        self.assertNotIn(forbidden, page)

    def test_progress_is_a_widget_or_a_text(self) -> None:
        widget = outputs_of(client_of([SHOWS_PROGRESS.format(before="")]).execute())
        self.assertIn("application/vnd.jupyter.widget-view+json", widget[0].data)
        text = outputs_of(client_of([SHOWS_PROGRESS.format(before="sys.modules['ipywidgets'] = None")]).execute())
        self.assertEqual(len(text), 1)
        self.assertRegex(text[0].data["text/plain"], r"^'\w.*'$")

    def test_an_interrupt_ends_a_statement_and_the_trace_stays_usable(self) -> None:
        client = client_of([
            f"import tracebraid as tb\ntrace = tb.open({str(EXAMPLES / 'phone.pftrace')!r})",
            f"trace.sql({ENDLESS!r}).scalar()",
            "trace.sql('SELECT 7').scalar()"])

        async def run() -> Any:
            async with client.async_setup_kernel():
                cells = client.nb.cells
                await client.async_execute_cell(cells[0], 0)
                running = asyncio.create_task(client.async_execute_cell(cells[1], 1))
                await asyncio.sleep(0.5)
                kernel: Any = client.km
                await kernel.interrupt_kernel()
                with self.assertRaises(CellExecutionError) as caught:
                    await running
                self.assertEqual(caught.exception.ename, "KeyboardInterrupt")
                return await client.async_execute_cell(cells[2], 2)
        answer = asyncio.run(asyncio.wait_for(run(), 100))
        self.assertEqual(answer.outputs[0].data["text/plain"], "7")


if __name__ == "__main__":
    unittest.main()
