/** Check `keyboard`: each key that the viewer lists, on three layouts; and its use without a pointer. */
import assert from 'node:assert/strict';
import { idle } from './browser.mjs';
import { openViewer } from './pages.mjs';
import { openSql, write } from './sql.mjs';
import { openAll, openTimeline, state } from './timeline.mjs';
import { examples } from './server.mjs';

const positions = ['KeyQ', 'KeyW', 'KeyE', 'KeyR', 'KeyT', 'KeyY', 'KeyU', 'KeyI', 'KeyO', 'KeyP', 'KeyA', 'KeyS', 'KeyD', 'KeyF', 'KeyG', 'KeyH', 'KeyJ', 'KeyK', 'KeyL', 'Semicolon', 'KeyZ', 'KeyX', 'KeyC', 'KeyV', 'KeyB', 'KeyN', 'KeyM'];
/** Positions of the letters by rows, then of the characters of keys that are no letters, and what unshifted digits give. */
const layouts = {
  QWERTY: { name: 'QWERTY', rows: 'qwertyuiopasdfghjkl;zxcvbnm', '?': ['Slash', 8], '>': ['Period', 8], '/': ['Slash', 0], ':': ['Semicolon', 8], '.': ['Period', 0], ',': ['Comma', 0], '[': ['BracketLeft', 0], ']': ['BracketRight', 0], digits: '0123456789' },
  AZERTY: { name: 'AZERTY', rows: 'azertyuiopqsdfghjklmwxcvbn,', '?': ['KeyM', 8], '>': ['IntlBackslash', 8], '/': ['Period', 8], ':': ['Period', 0], '.': ['Comma', 8], ',': ['KeyM', 0], '[': ['Digit5', 0], ']': ['Minus', 0], digits: 'à&é"\'(-è_ç' },
  Dvorak: { name: 'Dvorak', rows: '\',.pyfgcrlaoeuidhtns;qjkxbm', '?': ['BracketLeft', 8], '>': ['KeyE', 8], '/': ['BracketLeft', 0], ':': ['KeyZ', 8], '.': ['KeyE', 0], ',': ['KeyW', 0], '[': ['Minus', 0], ']': ['Equal', 0], digits: '0123456789' },
};
const modifiers = { Alt: 1, Mod: 2, Shift: 8 };

/** Returns the event of a key such as `Mod+Shift+P` on a layout; by position its letter is that of a QWERTY keyboard. */
function eventOf(layout, name, isByPosition) {
  const parts = name.split('+');
  const key = parts.pop();
  const mask = parts.reduce((sum, part) => sum | modifiers[part], 0);
  if (isByPosition && /^[A-Z]$/.test(key)) {
    const at = layouts.QWERTY.rows.indexOf(key.toLowerCase());
    const letter = layout.rows[at];
    return { key: mask & 8 ? letter.toUpperCase() : letter, code: positions[at], modifiers: mask, text: letter };
  }
  if (isByPosition && key === ',') return { key: { AZERTY: ';', Dvorak: 'w' }[layout.name] ?? ',', code: 'Comma', modifiers: mask, text: ',' };
  if (key === ' ') return { key: ' ', code: 'Space', modifiers: mask, text: ' ' };
  if (/^[A-Z]$/.test(key)) {
    const shown = mask & 8 ? key : key.toLowerCase();
    return { key: shown, code: positions[layout.rows.indexOf(key.toLowerCase())], modifiers: mask, text: mask & 3 ? '' : shown };
  }
  if (/^\d$/.test(key)) return { key: layout.digits[Number(key)], code: `Digit${key}`, modifiers: mask, text: '' };
  if (layout[key]) return { key, code: layout[key][0], modifiers: mask | layout[key][1], text: key };
  return { key, code: key, modifiers: mask, text: key === 'Enter' && !mask ? '\r' : '' };
}

async function press(client, layout, name, isByPosition = false) {
  const { text, ...event } = eventOf(layout, name, isByPosition);
  // Without the number of a key the browser does not take the event for one of a user.
  event.windowsVirtualKeyCode = { Enter: 13, Escape: 27, Delete: 46, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[event.key] ?? event.key.toUpperCase().charCodeAt(0);
  await client.send('Input.dispatchKeyEvent', { type: text === '' ? 'rawKeyDown' : 'keyDown', ...event, ...(text === '' ? {} : { text }) });
  await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
}

const dialogKey = (id) => async (page, key) => {
  await key();
  await page.getByTestId(id).waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId(id).waitFor({ state: 'detached' });
};

/** What each key does, by the text of the list. `key` presses it. */
const effects = {
  'run the statement at the cursor, or the selection': async (page, key) => {
    await write(page, "SELECT 'pressed' AS a");
    await page.keyboard.press('Escape');
    await key();
    await page.locator('regular-table td', { hasText: 'pressed' }).waitFor();
  },
  'next format of times': async (page, key) => {
    await page.locator('regular-table').focus();
    const before = await page.getByLabel('Times').inputValue();
    await key();
    await page.waitForFunction((b) => document.querySelector('.times select').value !== b, before);
  },
  merge: async (page, key) => {
    await key();
    await page.getByLabel('Text of the manifest').waitFor();
    await page.keyboard.press('Alt+4');
    await page.locator('.cm-content').waitFor();
  },
  clocks: async (page, key) => {
    await key();
    await page.locator('.clock-node').first().waitFor();
    await page.keyboard.press('Alt+4');
    await page.locator('.cm-content').waitFor();
  },
  SQL: async (page, key) => {
    await page.keyboard.press('Alt+5');
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor();
    await key();
    await page.locator('.cm-content').waitFor();
  },
  report: async (page, key) => {
    await key();
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor();
    await page.keyboard.press('Alt+4');
    await page.locator('.cm-content').waitFor();
  },
  'add files': async (page, key) => {
    const chooser = page.waitForEvent('filechooser');
    await page.evaluate(() => undefined); // the browser intercepts the dialog from here on
    await key();
    assert.ok((await chooser).isMultiple());
  },
  'show or hide the side rail': async (page, key) => {
    await key();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'detached' });
    await key();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  },
  commands: dialogKey('commands'),
  'this list': dialogKey('help'),
  'cancel what runs, close what is open': async (page, key) => {
    await write(page, 'WITH RECURSIVE endless(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM endless) SELECT count(*) FROM endless');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByTestId('running').waitFor();
    await page.locator('.splitter').focus();
    await key();
    await page.getByText(/^cancelled after/).waitFor();
  },
};

/** Waits until a condition of the timeline's state holds; `before` is its state before the key. */
async function until(page, condition, before) {
  for (let i = 0; i < 300; i += 1) {
    if (condition(await state(page), before)) return;
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  assert.fail(`never: ${condition}`);
}
const changes = (condition) => async (page, key) => {
  const before = await state(page);
  await key();
  await until(page, condition, before);
  await idle(page);
};
const both = (condition, back) => async (page, key) => {
  await changes(condition)(page, key);
  await changes(back ?? condition)(page, key);
};
/** Selects an event that has a parent, a child, flows or neighbours, as the effect needs. */
const selectWhere = (page, wanted) => page.evaluate(async (w) => {
  const view = window.tb.view();
  for (let row = 0; row < 20000; row += 1) {
    const response = await fetch(`/api/v1/traces/${view.trace}/events/slice/${row}`);
    if (!response.ok) break;
    const e = await response.json();
    if ((w === 'parent' && e.parents.length === 0) || (w === 'child' && e.children.length === 0) || (w === 'neighbours' && !(BigInt(e.ts) > view.bounds.from + 1000n && e.line === 0 && !e.instant))) continue;
    view.revealNode(e.node);
    await view.select(e);
    view.reveal(BigInt(e.ts));
    await window.tb.idle();
    return true;
  }
  return false;
}, wanted);
const selecting = (wanted) => async (page, key) => {
  assert.ok(await selectWhere(page, wanted), `an event with ${wanted}`);
  await changes((now, before) => now.selected && now.selected.row !== before.selected?.row)(page, key);
};
/** Selects the end of a flow: `out` or `in`. */
const flowing = (end) => async (page, key) => {
  const found = await page.evaluate(async (wanted) => {
    const view = window.tb.view();
    view.fitTrace();
    await window.tb.idle();
    for (const level of view.store.levelsOf(0xffffffff, 'flows')) for (const { frame } of view.store.chunks(0xffffffff, 'flows', level)) {
      if (frame.n === 0) continue;
      const { hit } = await (await fetch(`/api/v1/traces/${view.trace}/hit`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ track: frame[`${wanted}Track`][0], line: frame[`${wanted}Line`][0], ts: String(frame[`${wanted}Ts`][0]), radius: '1000' }) })).json();
      await view.select(hit);
      await window.tb.idle();
      return hit !== null;
    }
    return false;
  }, end);
  assert.ok(found, `an event with a flow: ${end}`);
  await changes((now, before) => now.selected && now.selected.row !== before.selected?.row)(page, key);
};
const onRow = (page) => page.evaluate(() => {
  const view = window.tb.view();
  view.scrollTo(0);
  view.focusedRow.value = view.rows.value.find((r) => r.canOpen).key;
});
const omni = (text) => async (page, key) => {
  await key();
  await page.waitForFunction((t) => document.activeElement?.dataset.testid === 'omni' && document.activeElement.value.startsWith(t), text);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.evaluate(() => document.activeElement?.blur());
};
const setMark = (digit) => changes((now) => now.marks.some((m) => m.digit === digit));
const toMark = (digit) => async (page, key) => {
  await page.evaluate((d) => {
    const view = window.tb.view();
    view.marks.value = [{ ts: view.bounds.to, digit: d, isPinned: true }];
    view.show({ from: view.bounds.from, to: view.bounds.from + 1000n });
  }, digit);
  await changes((now, before) => now.from !== before.from)(page, key);
  await page.evaluate(() => {
    window.tb.view().marks.value = [];
    window.tb.view().fitTrace();
  });
};

/** What each key of the timeline does. */
const timelineEffects = {
  'zoom in': changes((now, before) => now.span < before.span),
  'zoom out': changes((now, before) => now.span > before.span),
  'pan to the left': changes((now, before) => BigInt(now.from) < BigInt(before.from)),
  'pan to the right': changes((now, before) => BigInt(now.from) > BigInt(before.from)),
  'zoom in faster': changes((now, before) => now.span < 0.7 * before.span),
  'zoom out faster': changes((now, before) => now.span > 1.4 * before.span),
  'pan to the left faster': changes((now, before) => BigInt(now.from) < BigInt(before.from)),
  'pan to the right faster': changes((now, before) => BigInt(now.from) > BigInt(before.from)),
  'fit the selection; again: the whole trace': async (page, key) => {
    await selectWhere(page, 'neighbours');
    await changes((now, before) => now.span < before.span)(page, key);
    await changes((now, before) => now.span > before.span)(page, key);
  },
  'next event of the line': selecting('neighbours'),
  'previous event of the line': async (page, key) => {
    await selectWhere(page, 'neighbours');
    await page.keyboard.press('.');
    await page.evaluate(() => new Promise((r) => setTimeout(r, 300)));
    await idle(page);
    await changes((now, before) => now.selected && now.selected.row !== before.selected?.row)(page, key);
  },
  'event of the next line': selecting('neighbours'),
  'event of the line before': selecting('parent'),
  'select the first event in view': async (page, key) => {
    await page.evaluate(() => window.tb.view().select(null));
    await changes((now, before) => now.selected !== null)(page, key);
  },
  'along the flow that leaves': flowing('out'),
  'back along the flow that arrives': flowing('in'),
  parent: selecting('parent'),
  'first child': selecting('child'),
  'area of all: the selected track; again: all tracks': async (page, key) => {
    await selectWhere(page, 'neighbours');
    await changes((now, before) => now.area !== null)(page, key);
    await page.evaluate(() => (window.tb.view().area.value = null));
  },
  'selection to area': async (page, key) => {
    await selectWhere(page, 'neighbours');
    await changes((now, before) => now.area !== null)(page, key);
    await page.evaluate(() => (window.tb.view().area.value = null));
  },
  'order of the selection and the next one; again: end': async (page, key) => {
    await selectWhere(page, 'neighbours');
    await changes((now) => now.orderOf !== null)(page, key);
    await page.keyboard.press('ArrowRight');
    await until(page, (now) => now.order !== null);
    await page.getByRole('region', { name: 'Order of two events' }).getByRole('status').waitFor();
    await changes((now) => now.orderOf === null && now.order === null)(page, key);
  },
  'temporary mark': changes((now, before) => now.marks.length === 1),
  'pinned mark': changes((now, before) => now.marks.length === 2),
  'delete the mark next to the pointer': changes((now, before) => now.marks.length === before.marks.length - 1),
  ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`set mark ${i + 1}`, setMark(i + 1)])),
  ...Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`jump to mark ${i + 1}`, toMark(i + 1)])),
  search: omni(''),
  'find a track': omni('@'),
  'SQL in the search field': omni(':'),
  'pin or unpin the row': async (page, key) => {
    await onRow(page);
    await both((now, before) => now.pins.length === 1, (now, before) => now.pins.length === 0)(page, key);
  },
  'hide the row': async (page, key) => {
    await onRow(page);
    await changes((now, before) => now.hidden === 1)(page, key);
  },
  'show all hidden rows': changes((now, before) => now.hidden === 0),
  'open or close the row': async (page, key) => {
    await onRow(page);
    await both((now, before) => now.rows !== before.rows)(page, key);
  },
  'open or close it and all below': async (page, key) => {
    await onRow(page);
    await both((now, before) => now.rows !== before.rows)(page, key);
  },
  'close all rows': async (page, key) => {
    await changes((now, before) => now.open === 0)(page, key);
    await openAll(page);
  },
  'show or hide the details': both((now, before) => now.drawer !== before.drawer),
  'table of the events in view': dialogKey('table'),
  'next format of times on the axis': changes((now, before) => now.format !== before.format),
  'save the state file': async (page, key) => {
    const [download] = await Promise.all([page.waitForEvent('download'), key()]);
    assert.match(download.suggestedFilename(), /\.tbstate$/);
  },
  'undo: rows, pins, hidden': async (page, key) => {
    await onRow(page);
    await page.keyboard.press('h');
    await until(page, (now) => now.hidden === 1);
    await changes((now, before) => now.hidden === 0)(page, key);
  },
  redo: async (page, key) => {
    await onRow(page);
    await page.keyboard.press('h');
    await until(page, (now) => now.hidden === 1);
    await page.evaluate(() => window.tb.view().undo());
    await until(page, (now) => now.hidden === 0);
    await changes((now, before) => now.hidden === 1)(page, key);
    await page.evaluate(() => window.tb.view().undo());
  },
  'next hit of the search': async (page, key) => {
    await page.keyboard.press('/');
    await page.keyboard.insertText('o');
    await page.getByTestId('hits').filter({ hasText: /\d/ }).waitFor();
    await page.evaluate(() => document.activeElement.blur());
    await key();
    await page.getByTestId('hits').filter({ hasText: /of/ }).waitFor();
    await idle(page);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.evaluate(() => document.activeElement?.blur());
  },
};

/** Presses Tab until the focus is on the control of a name. */
async function tabTo(page, name, key = 'Tab') {
  const passed = [];
  for (let i = 0; i < 400; i += 1) {
    await page.keyboard.press(key);
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      return e?.getAttribute('aria-label') ?? e?.closest('label')?.innerText ?? e?.innerText ?? '';
    });
    if (name.test(at.trim())) return;
    passed.push(at.trim().slice(0, 20));
  }
  assert.fail(`${name} is not reached by ${key}: ${[...new Set(passed)].join(', ')}`);
}

export const tests = {
  'keyboard: each bound key has its effect on three layouts': async ({ serve, page: open }) => {
    const server = await serve();
    for (const [name, layout] of Object.entries(layouts)) {
      const page = await open();
      await openSql(page, server);
      const client = await page.context().newCDPSession(page);
      const bindings = await page.evaluate(() => window.tb.keys());
      assert.ok(bindings.length >= 9);
      for (const { keys, text, where } of bindings) {
        if (where === 'timeline' || text === 'timeline') continue;
        assert.ok(effects[text], `no effect is known of "${text}"`);
        for (const key of keys) {
          await page.locator('.splitter').focus(); // no text field
          await effects[text](page, () => press(client, layout, key)).catch((error) => {
            throw new Error(`${key} on ${name}: ${error.message}`);
          });
          await idle(page);
        }
      }
    }
  },

  'keyboard: each key of the timeline has its effect on three layouts': async ({ serve, page: open }) => {
    for (const [name, layout] of Object.entries(layouts)) {
      const server = await serve(); // that has no state of the page before
      const page = await open({ width: 1400, height: 1000 });
      await openTimeline(page, server);
      await openAll(page);
      const client = await page.context().newCDPSession(page);
      const bindings = (await page.evaluate(() => window.tb.keys())).filter((b) => b.where === 'timeline');
      assert.ok(bindings.length >= 50, `${bindings.length} bindings`);
      for (const { keys, text, isByPosition } of bindings) {
        assert.ok(timelineEffects[text], `no effect is known of "${text}"`);
        for (const key of keys) {
          await page.evaluate(() => document.activeElement?.blur());
          await timelineEffects[text](page, () => press(client, layout, key, isByPosition)).catch((error) => {
            throw new Error(`${key} on ${name}, ${text}: ${error.message}`);
          });
          await idle(page);
        }
      }
      await page.keyboard.press('Alt+4');
      await page.locator('.cm-content').waitFor();
      await page.locator('.splitter').focus();
      await press(client, layout, 'Alt+1');
      await page.getByTestId('canvas').waitFor();
    }
  },

  'keyboard: a dialog opened right after another one closed stays open': async ({ serve, page: open }) => {
    const page = await open();
    await openViewer(page, await serve());
    await page.keyboard.press('?');
    await page.getByTestId('help').waitFor();
    // On a busy machine the event `close` of the first dialog comes behind the next key.
    await page.evaluate(() => {
      document.querySelector('dialog').close();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: '>' }));
    });
    await page.getByTestId('help').waitFor({ state: 'detached' });
    await idle(page);
    assert.equal(await page.getByTestId('commands').count(), 1);
  },

  'keyboard: in a text field only Esc and keys with Ctrl or Alt are the page’s': async ({ serve, page: open }) => {
    const page = await open();
    await openSql(page, await serve());
    await write(page, 'SELECT 1');
    for (const key of ['u', '?', '>']) await page.keyboard.press(key);
    assert.match(await page.locator('.cm-content').innerText(), /SELECT 1u\?>/);
    assert.equal(await page.locator('dialog[open]').count(), 0);
    await page.getByRole('textbox', { name: 'Filter the schema' }).focus();
    await page.keyboard.press('?');
    assert.equal(await page.getByRole('textbox', { name: 'Filter the schema' }).inputValue(), '?');
    await page.keyboard.press('Alt+5');
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor();
  },

  'a11y: one script opens, finds, selects, pins and exports by keyboard alone': async ({ serve, page: open }) => {
    const server = await serve();
    const page = await open();
    await openViewer(page, server);
    // Opens a file.
    await tabTo(page, /^Open$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Path on the server$/);
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Path on the server' }).waitFor();
    await page.keyboard.type(examples[2]);
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Trace', exact: true }).waitFor({ timeout: 30_000 });
    await page.getByTestId('canvas').waitFor({ timeout: 30_000 });
    await page.keyboard.press('Alt+5');
    await page.getByRole('heading', { name: 'Report', exact: true }).waitFor({ timeout: 30_000 });
    await idle(page);
    // Finds how the file was placed, and comes back.
    await tabTo(page, /phone\.pftrace$/);
    await page.keyboard.press('Enter');
    await page.getByTestId('explain').waitFor();
    // Queries.
    await page.keyboard.press('Alt+4');
    await page.locator('.cm-content').waitFor();
    await tabTo(page, /^SQL$/);
    for (let i = 0; i < 2 && !(await page.locator('.cm-content').evaluate((e) => e === document.activeElement)); i += 1) await tabTo(page, /^SQL$/);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('SELECT id, ts, dur, name FROM slice ORDER BY id');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('regular-table td').first().waitFor();
    await page.getByTestId('running').waitFor({ state: 'detached' });
    // Sorts, pins a column, selects rows and copies them.
    await tabTo(page, /^Sort/);
    await page.keyboard.press('ArrowDown');
    await page.locator('regular-table thead th[aria-sort]').waitFor();
    await tabTo(page, /^Columns/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Pin name$/);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('regular-table thead th')[1]?.textContent?.startsWith('name'));
    await tabTo(page, /^Columns/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await tabTo(page, /^Rows of the result$/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ControlOrMeta+c');
    await page.getByText('Copied 2 rows as tab-separated text.').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^name\tid\tts\tdur\n/);
    // Exports.
    await tabTo(page, /^Download$/, 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menu', { name: 'Download' }).waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.match(download.url(), /format=csv/);
  },
};
