/** Dialogs of all pages: keys, settings, commands. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { filtered } from '../lib/filter';
import { boundKeys } from '../state/keys';
import { panel } from '../state/panel';
import { change, settings, type Settings } from '../state/settings';
import { status } from '../state/app';
import { Dialog, Keys } from '../widgets/parts';
import { commands, type Command } from './commands';

const close = (): void => {
  panel.value = null;
};

const gridKeys: readonly [string, string][] = [
  ['ArrowDown', 'move in the result; Shift selects rows'],
  ['Enter', 'show a cell in full'],
  ['Mod+C', 'copy the selected rows'],
];

export function HelpDialog(): JSX.Element {
  return (
    <Dialog title="Keys" onClose={close} testId="help">
      <dl class="kv keys">
        {boundKeys().map((b) => (
          <div key={b.text}>
            <dt>{b.keys.map((k) => <span key={k} class="combo"><Keys name={k} /></span>)}</dt>
            <dd>{b.text}<span class="t3"> {b.where === 'everywhere' ? '' : b.where}</span></dd>
          </div>
        ))}
        {gridKeys.map(([key, text]) => (
          <div key={text}>
            <dt><span class="combo">{key === 'ArrowDown' ? <><kbd>↑</kbd><kbd>↓</kbd><kbd>←</kbd><kbd>→</kbd></> : <Keys name={key} />}</span></dt>
            <dd>{text}<span class="t3"> grid</span></dd>
          </div>
        ))}
      </dl>
      <p class="t2 note">In a text field only Esc and keys with Ctrl or Alt work.</p>
      {status.value && <p class="t3 note">tracebraid {status.value.version}. Each action of this page is a documented call: <a href="/api/openapi.json">openapi.json</a>. <a href="/assets/licenses.md">Licences</a> of the libraries in it.</p>}
    </Dialog>
  );
}

function Choice<T extends string>(props: { legend: string; value: T; options: readonly [T, string][]; onChoose: (value: T) => void }): JSX.Element {
  return (
    <fieldset class="choice">
      <legend>{props.legend}</legend>
      {props.options.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name={props.legend} checked={props.value === value} onChange={() => props.onChoose(value)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

export function SettingsDialog(): JSX.Element {
  const now: Settings = settings.value;
  return (
    <Dialog title="Settings" onClose={close} testId="settings">
      <Choice legend="Theme" value={now.theme} options={[['system', 'as the system'], ['light', 'light'], ['dark', 'dark']]} onChoose={(theme) => change({ theme })} />
      <Choice legend="Contrast" value={now.contrast} options={[['normal', 'normal'], ['more', 'high']]} onChoose={(contrast) => change({ contrast })} />
      <Choice legend="Times in results" value={now.times} options={[['raw', 'nanoseconds'], ['seconds', 'seconds and lengths'], ['utc', 'date and time']]} onChoose={(times) => change({ times })} />
      <p class="t3 note">Copies, downloads and exports always have the exact numbers.</p>
    </Dialog>
  );
}

export function CommandsDialog(): JSX.Element {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = filtered(commands(), query, (c) => c.text);
  const chosen = Math.min(at, list.length - 1);
  const run = (command: Command | undefined): void => {
    if (!command) return;
    close();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && list.length > 0) {
      event.preventDefault();
      setAt((chosen + step + list.length) % list.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(list[chosen]);
    }
  };
  return (
    <Dialog title="Commands" onClose={close} testId="commands">
      <label class="field">
        <input autofocus role="combobox" aria-label="Command" aria-expanded="true" aria-controls="command-list" aria-activedescendant={list.length > 0 ? `command-${chosen}` : undefined}
          value={query} placeholder="Type to filter" onKeyDown={onKeyDown}
          onInput={(e) => {
            setQuery(e.currentTarget.value);
            setAt(0);
          }} />
      </label>
      <ul class="command-list" id="command-list" role="listbox" aria-label="Commands">
        {list.map((c, i) => (
          <li key={c.text} id={`command-${i}`} role="option" aria-selected={i === chosen} onMouseEnter={() => setAt(i)} onClick={() => run(c)}>
            {c.text}
            <span class="grow" />
            {c.keys && <Keys name={c.keys} />}
          </li>
        ))}
      </ul>
      {list.length === 0 && <p class="t2 note">No command has these words.</p>}
    </Dialog>
  );
}
