/** Check `keyboard`: each key that the viewer lists, on three layouts; and its use without a pointer. */
import assert from 'node:assert/strict';
import { idle } from './browser.mjs';
import { openViewer } from './pages.mjs';
import { openSql, write } from './sql.mjs';
import { examples } from './server.mjs';

const positions = ['KeyQ', 'KeyW', 'KeyE', 'KeyR', 'KeyT', 'KeyY', 'KeyU', 'KeyI', 'KeyO', 'KeyP', 'KeyA', 'KeyS', 'KeyD', 'KeyF', 'KeyG', 'KeyH', 'KeyJ', 'KeyK', 'KeyL', 'Semicolon', 'KeyZ', 'KeyX', 'KeyC', 'KeyV', 'KeyB', 'KeyN', 'KeyM'];
/** Positions of the letters by rows, then of the characters of keys that are no letters, and what unshifted digits give. */
const layouts = {
  QWERTY: { rows: 'qwertyuiopasdfghjkl;zxcvbnm', '?': ['Slash', 8], '>': ['Period', 8], digits: '0123456789' },
  AZERTY: { rows: 'azertyuiopqsdfghjklmwxcvbn,', '?': ['KeyM', 8], '>': ['IntlBackslash', 8], digits: 'à&é"\'(-è_ç' },
  Dvorak: { rows: '\',.pyfgcrlaoeuidhtns;qjkxbm', '?': ['BracketLeft', 8], '>': ['KeyE', 8], digits: '0123456789' },
};
const modifiers = { Alt: 1, Mod: 2, Shift: 8 };

/** Returns the event of a key such as `Mod+Shift+P` on a layout. */
function eventOf(layout, name) {
  const parts = name.split('+');
  const key = parts.pop();
  const mask = parts.reduce((sum, part) => sum | modifiers[part], 0);
  if (/^[A-Z]$/.test(key)) {
    const shown = mask & 8 ? key : key.toLowerCase();
    return { key: shown, code: positions[layout.rows.indexOf(key.toLowerCase())], modifiers: mask, text: mask & 3 ? '' : shown };
  }
  if (/^\d$/.test(key)) return { key: layout.digits[Number(key)], code: `Digit${key}`, modifiers: mask, text: '' };
  if (layout[key]) return { key, code: layout[key][0], modifiers: mask | layout[key][1], text: key };
  return { key, code: key, modifiers: mask, text: key === 'Enter' && !mask ? '\r' : '' };
}

async function press(client, layout, name) {
  const { text, ...event } = eventOf(layout, name);
  // Without the number of a key the browser does not take the event for one of a user.
  event.windowsVirtualKeyCode = { Enter: 13, Escape: 27 }[event.key] ?? event.key.toUpperCase().charCodeAt(0);
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
      for (const { keys, text } of bindings) {
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
