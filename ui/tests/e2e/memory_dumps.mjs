/** The panel of memory dumps (docs/spec/trace-event-format.md, section 9.10). Needs the real server. */
import assert from 'node:assert/strict';
import { checkAccess } from './access.mjs';
import { idle } from './browser.mjs';
import { writeMemory } from './made_traces.mjs';
import { query } from './timeline.mjs';
import { openMade, xAt } from './track_kinds.mjs';

/** Returns the texts of a table: the titles of its columns, and its rows with what is exact in their titles. */
const tableOf = (page, name) => page.getByRole('table', { name }).evaluate((table) => ({
  heads: [...table.querySelectorAll('thead th.num')].map((th) => th.textContent),
  rows: [...table.querySelectorAll('tbody tr')].map((tr) => [tr.querySelector('th').textContent, ...[...tr.querySelectorAll('td')].map((td) => td.title)]),
}));

const bytes = (text) => (text === '' ? null : Number(text.replace(/ bytes$/, '').replaceAll(',', '')));

/** Selects the dot of a dump in the row of a process, and waits for the panel. */
async function selectDump(page, process, ts) {
  const y = await page.evaluate((wanted) => {
    const view = window.tb.view();
    const node = [...view.tree.nodes.values()].find((n) => n.kind === 'dump' && view.tree.ancestors(n).some((a) => a.type === 'process' && a.title.startsWith(wanted)));
    view.revealNode(node.node);
    return window.tb.surface().places.y(node.node, 0);
  }, process);
  await idle(page);
  const box = await page.getByTestId('canvas').boundingBox();
  await page.mouse.click(box.x + (await xAt(page, ts)), box.y + y);
  await page.getByTestId('memory').getByRole('table').waitFor();
  await idle(page);
}

export const tests = {
  'TEF 9.10: a memory dump shows processes, regions, allocators and heaps; several show how they change': (context) => openMade(context, writeMemory, async (page) => {
    await page.evaluate(() => window.tb.view().fitTrace());
    const dumps = await query(page, 'SELECT snapshot_id, CAST(ts AS TEXT), level_of_detail FROM json_memory_dump WHERE upid = 1 ORDER BY ts');
    await selectDump(page, 'Browser', dumps[2][1]);
    // The ring of the selection leaves the dot as it is.
    const { kind, row, node } = await page.evaluate(() => window.tb.view().selection.value);
    const dot = () => page.evaluate(([ts, at]) => {
      const view = window.tb.view();
      const x = ((Number(BigInt(ts) - view.window.value.from) - view.window.value.part) / view.window.value.span) * view.size.value.width;
      const { data } = document.querySelector('[data-testid=canvas]').getContext('2d').getImageData(Math.round(x) - 7, Math.round(window.tb.surface().places.y(at, 0)) - 7, 14, 14);
      return [...new Uint32Array(data.buffer)].filter((pixel) => pixel === 0xffb400b4).length;
    }, [dumps[2][1], node]);
    await page.mouse.move(200, 60);
    await idle(page);
    const ringed = await dot();
    await page.evaluate(() => window.tb.view().select(null));
    await idle(page);
    const plain = await dot();
    assert.ok(plain > 20 && ringed > 0.9 * plain, `${ringed} of ${plain} px of the dot`);
    await page.evaluate((event) => window.tb.view().select(event), { kind, row });
    await page.getByTestId('memory').getByRole('table').waitFor();
    const list = page.getByRole('group', { name: 'Memory dumps' });
    assert.equal(await list.getByRole('checkbox').count(), 3);
    assert.equal(await list.getByRole('checkbox', { checked: true }).count(), 1);
    // The overview has what SQL has, for one dump.
    let table = await tableOf(page, 'Memory of processes');
    assert.deepEqual(table.heads, ['Resident', 'private_bytes', 'Files', 'Native heap', 'gpu', 'shared', 'v8', 'malloc heap']);
    assert.deepEqual(table.rows.map(([name]) => name), ['Global', 'Browser (1)', 'Renderer <b> (2)']);
    const last = Number(dumps[2][0]);
    const browser = (await query(page, `SELECT id FROM process_memory_snapshot WHERE snapshot_id = ${last} AND upid = 1`))[0][0];
    const expected = [
      ...(await query(page, `SELECT value FROM json_memory_total WHERE process_snapshot_id = ${browser} ORDER BY name DESC`)), ...(await query(page, `SELECT sum(pss) FROM json_memory_region WHERE process_snapshot_id = ${browser} GROUP BY class_path LIKE 'Files%' ORDER BY class_path`)),
      ...(await query(page, `SELECT effective_size FROM memory_snapshot_node WHERE process_snapshot_id = ${browser} AND path = 'gpu'`)), [null], ...(await query(page, `SELECT effective_size FROM memory_snapshot_node WHERE process_snapshot_id = ${browser} AND path = 'v8'`)), [10_000],
    ].map(([value]) => (value === null ? null : Number(value)));
    assert.deepEqual(table.rows[1].slice(1).map(bytes), expected);
    await page.getByLabel('Regions by').selectOption('private_dirty');
    await page.waitForFunction(() => [...document.querySelectorAll('.memory td')].some((td) => td.title === '20,480 bytes'));
    // With several dumps each quantity has its last value, its change and the largest.
    await list.getByRole('checkbox').nth(0).check();
    await list.getByRole('checkbox').nth(1).check();
    await page.waitForFunction(() => document.querySelectorAll('.memory .parts th').length > 0);
    await idle(page);
    table = await tableOf(page, 'Memory of processes');
    const v8 = (await query(page, "SELECT n.effective_size FROM process_memory_snapshot p JOIN memory_snapshot_node n ON n.process_snapshot_id = p.id WHERE p.upid = 1 AND n.path = 'v8' ORDER BY p.snapshot_id")).map(([value]) => Number(value));
    const at = 1 + 3 * 6;
    assert.deepEqual(table.rows[1].slice(at, at + 3).map(bytes), [v8[2], v8[2] - v8[0], Math.max(...v8)]);
    assert.ok(v8[1] > v8[2], 'the largest is not the last');
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      await checkAccess(page, `memory dumps, ${colorScheme}`);
    }
    // The tree of an allocator: sizes, other attributes, texts, and owners with their importance.
    await page.getByRole('button', { name: 'v8 of Browser (1)' }).click();
    await page.getByRole('table', { name: 'Allocator' }).waitFor();
    table = await tableOf(page, 'Allocator');
    assert.deepEqual(table.heads.slice(0, 3), ['Effective size', 'Size', 'object_count']);
    assert.deepEqual(table.rows.map(([name]) => name), ['v8', 'heap', 'code']);
    assert.deepEqual(table.rows[1].slice(7), ['12 objects', '2', '12', 'note: part 2']);
    await page.getByRole('button', { name: 'v8', exact: true }).click();
    assert.equal((await tableOf(page, 'Allocator')).rows.length, 1, 'closed');
    await page.getByRole('button', { name: 'All processes' }).click();
    await page.getByRole('button', { name: 'gpu of Renderer <b> (2)' }).click();
    await page.getByRole('table', { name: 'Allocator' }).getByText('owns global: shared/picture (importance 2)').waitFor();
    await page.getByRole('button', { name: 'All processes' }).click();
    await page.getByRole('button', { name: 'shared of Global' }).click();
    await page.getByRole('button', { name: 'shared', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Allocator' }).getByText('owned by Renderer <b>: gpu (importance 2), owned by Browser: gpu (importance 1)').waitFor();
    // Regions by the tree of their classes.
    await page.getByRole('button', { name: 'All processes' }).click();
    await page.getByRole('button', { name: 'Files of Browser (1)' }).click();
    await page.getByRole('table', { name: 'Class and region' }).waitFor();
    await page.getByRole('button', { name: 'so', exact: true }).click();
    table = await tableOf(page, 'Class and region');
    assert.deepEqual(table.rows.map(([name]) => name), ['Total', 'Files', 'apk', 'so', '/lib/libc.so', 'Native heap']);
    assert.deepEqual(table.rows[0].slice(1, 4).map(bytes), (await query(page, 'SELECT sum(pss), sum(pss), sum(pss) FROM json_memory_region GROUP BY process_snapshot_id ORDER BY process_snapshot_id DESC LIMIT 1'))[0].map(Number));
    assert.equal(table.rows[4].at(-1), '0x40000 r-xs');
    // A heap by stack and by type; a type has its own stacks.
    await page.getByRole('button', { name: 'All processes' }).click();
    await page.getByRole('button', { name: 'malloc heap of Browser (1)' }).click();
    await page.getByRole('table', { name: 'Type' }).waitFor();
    await page.getByRole('button', { name: 'main', exact: true }).click();
    table = await tableOf(page, 'Stack');
    assert.deepEqual(table.rows.map(([name, size]) => [name, bytes(size)]), [['All', 10_000], ['main', 10_000], ['load <i>', 6000], ['draw', 2000]]);
    assert.deepEqual((await tableOf(page, 'Type')).rows.map(([name, size]) => [name, bytes(size)]), [['Node', 8000], ['Text', 2000]]);
    await page.getByRole('button', { name: 'Node' }).click();
    assert.deepEqual((await tableOf(page, 'Stack of Node')).rows.slice(0, 3).map(([name, size]) => [name, bytes(size)]), [['All', 8000], ['main', 5000], ['load <i>', 5000]]);
    // An area chooses the dumps within it.
    await page.evaluate(async ([from, to]) => {
      const view = window.tb.view();
      await view.select(null);
      view.area.value = { range: { from: BigInt(from), to: BigInt(to) }, rows: null };
    }, [dumps[0][1], dumps[1][1]]);
    await page.getByRole('tab', { name: 'Memory' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.dumps input:checked').length === 2);
  }),
};
