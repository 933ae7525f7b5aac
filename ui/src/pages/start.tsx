/** The start page: files to drop, recent inputs, folders of the server, and what can be done. */
import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../api/http';
import { longestSlices, placementOfClocks, type ExampleQuery } from '../lib/example_queries';
import { shown } from '../lib/text';
import { agoText, bytesText, counted } from '../lib/units';
import { current, open, status, traces } from '../state/app';
import { boundKeys, shownKey } from '../state/keys';
import { formatRoute, go } from '../state/route';
import { change, settings, type Recent } from '../state/settings';
import { addTab } from '../state/sql';
import { cancelUploads, uploadAndOpen, uploadError, uploads } from '../state/uploads';
import { droppedFiles } from '../widgets/files';
import { Icon, type IconName } from '../widgets/icon';
import { Bound, Keys, Progress } from '../widgets/parts';
import { addFiles } from './commands';
import { ServerFolders } from './folders';

function Uploads(): JSX.Element {
  const list = uploads.value;
  const total = list.reduce((sum, u) => sum + u.size, 0);
  const sent = list.reduce((sum, u) => sum + u.sent, 0);
  const isSent = sent === total;
  return (
    <div class="uploads" data-testid="uploads">
      <b>{isSent ? 'Opening' : `Sending ${counted(list.length, 'file')}`}</b>
      <Progress done={sent} total={total} label="Sending files" />
      <p class="facts">
        <span class="mono">{bytesText(sent)} of {bytesText(total)}</span>
        <span class="grow" />
        <button type="button" class="btn" onClick={cancelUploads}>Cancel</button>
      </p>
      <ul class="inputs">
        {list.filter((u) => u.sent < u.size).slice(0, 8).map((u) => (
          <li key={u.name}>
            <span class="cut">{shown(u.name)}</span>
            <span class="num t3">{bytesText(u.sent)} of {bytesText(u.size)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Opens a path that the user types: one of the server's folders, or a file that its command line named. */
function PathForm({ onDone }: { onDone: () => void }): JSX.Element {
  const [path, setPath] = useState('');
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  // Before the field is painted, so that the first key is the field's.
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = (event: Event): void => {
    event.preventDefault();
    const text = path.trim();
    if (text === '') return;
    open([{ name: text.split('/').pop() ?? text, path: text }]).catch((reason: unknown) => setError(errorText(reason)));
  };
  return (
    <form class="path-form" onSubmit={submit}>
      <label class={error === '' ? 'field' : 'field bad'}>
        <input ref={input} aria-label="Path on the server" value={path} placeholder="/data/run-17/trace.pftrace" onInput={(e) => setPath(e.currentTarget.value)}
          onKeyDown={(e) => e.key === 'Escape' && onDone()} />
      </label>
      <button type="submit" class="btn">Open</button>
      {error !== '' && <p class="help bad" role="alert">{shown(error)}</p>}
    </form>
  );
}

function DropZone(): JSX.Element {
  const [isOver, setOver] = useState(false);
  const [asksPath, setAsksPath] = useState(false);
  const depth = useRef(0);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    depth.current = 0;
    setOver(false);
    if (!event.dataTransfer) return;
    droppedFiles(event.dataTransfer).then(uploadAndOpen).catch((reason: unknown) => (uploadError.value = errorText(reason)));
  };
  return (
    <section class={isOver ? 'drop over' : 'drop'} aria-label="Open files" data-testid="drop"
      onDragEnter={(e) => {
        e.preventDefault();
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={() => {
        depth.current -= 1;
        if (depth.current <= 0) setOver(false);
      }}
      onDragOver={(e) => e.preventDefault()} onDrop={onDrop}>
      {uploads.value.length > 0 ? (
        <Uploads />
      ) : (
        <>
          <Icon name="upload" />
          <b>Drop files or folders here</b>
          <div class="actions">
            <button type="button" class="btn primary large" onClick={() => void addFiles()}>
              <Icon name="plus" />
              Choose files<span class="mono keyhint">{shownKey('Mod+O')}</span>
            </button>
            {!asksPath && (
              <button type="button" class="btn large" onClick={() => setAsksPath(true)}>
                <Icon name="link" />
                Path on the server
              </button>
            )}
          </div>
          {asksPath && <PathForm onDone={() => setAsksPath(false)} />}
          {uploadError.value !== '' && <p class="help bad" role="alert">{shown(uploadError.value)}</p>}
          <span class="formats">
            Perfetto, Chrome JSON, ftrace and systrace text, perf, Firefox, Fuchsia, logcat, bug reports; also inside zip, tar,
            gzip, zstd and xz. Several files become one timeline. Nothing leaves this machine and its server.
          </span>
        </>
      )}
    </section>
  );
}

function RecentRow({ recent }: { recent: Recent }): JSX.Element {
  const [error, setError] = useState('');
  const isReachable = recent.inputs.every((i) => i.path !== undefined);
  const size = recent.inputs.reduce((sum, i) => sum + (i.size ?? 0), 0);
  const names = recent.inputs.length > 1 ? recent.inputs.slice(0, 3).map((i) => i.name.split('/').pop() ?? i.name).join(', ') + (recent.inputs.length > 3 ? ` and ${recent.inputs.length - 3} more` : '') : '';
  const details = [names, counted(recent.files, 'file'), size > 0 ? bytesText(size) : '', error].filter(Boolean).join(' · ');
  const content = (
    <>
      <Icon name={recent.inputs.length > 1 ? 'merge' : 'file'} />
      <span class="two">
        <span class="cut strong">{shown(recent.name)}</span>
        <span class={error === '' ? 'cut t2' : 'cut bad'}>{shown(details)}</span>
      </span>
      <span class="marks">
        <span class="machines" title={counted(recent.machines, 'machine')}>
          {Array.from({ length: Math.min(8, recent.machines) }, (_, i) => <i key={i} class={`sw machine-${i + 1}`} />)}
        </span>
        <Bound certainty={recent.certainty} text={recent.bound} />
      </span>
      <span class="t3 num ago">{agoText(recent.at, Date.now())}</span>
    </>
  );
  if (!isReachable) return <li class="row still" title="These files were dropped; drop them again to open them.">{content}</li>;
  return (
    <li>
      <button type="button" class="row" onClick={() => open(recent.inputs).catch((reason: unknown) => setError(errorText(reason)))}>{content}</button>
    </li>
  );
}

function OpenTraces(): JSX.Element | null {
  if (traces.value.length === 0) return null;
  const icons = { opening: 'clocks', open: 'check', failed: 'lost', cancelled: 'stop' } as const;
  const words = { opening: 'being read', open: 'open', failed: 'could not be opened', cancelled: 'cancelled' } as const;
  return (
    <>
      <div class="sec"><h2>Open now</h2></div>
      <ul class="rows" data-testid="open-traces">
        {traces.value.map((t) => (
          <li key={t.trace}>
            <a class="row" href={formatRoute({ page: 'report', trace: t.trace })}>
              <Icon name={icons[t.state]} />
              <span class="two">
                <span class="cut strong">{shown(t.name)}</span>
                <span class={t.state === 'failed' ? 'cut bad' : 'cut t2'}>{shown(t.state === 'failed' ? (t.error?.detail ?? words.failed) : `${counted(t.inputs.length, 'input')} · ${words[t.state]}`)}</span>
              </span>
              <span />
              <span />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

function Task(props: { icon: IconName; title: string; text: string; run: () => void }): JSX.Element {
  return (
    <button type="button" onClick={props.run}>
      <Icon name={props.icon} />
      <b>{props.title}</b>
      <small>{props.text}</small>
    </button>
  );
}

/** Tasks that need a trace open it first: without one they ask for files. */
function Tasks(): JSX.Element {
  const trace = current.value?.state === 'open' ? current.value.trace : null;
  const withTrace = (run: (t: string) => void): (() => void) => () => (trace === null ? void addFiles() : run(trace));
  const query = ({ title, sql }: ExampleQuery): (() => void) =>
    withTrace((t) => {
      addTab(sql, title);
      go('sql', t);
    });
  return (
    <div class="tasks">
      <Task icon="report" title="See what is in a file" text="Formats, clocks, machines, problems" run={withTrace((t) => go('report', t))} />
      <Task icon="table" title="Find the longest slices" text="One query over all files" run={query(longestSlices)} />
      <Task icon="exact" title="See how exactly files are placed" text="Evidence and bound of each clock" run={query(placementOfClocks)} />
    </div>
  );
}

export function StartPage(): JSX.Element {
  const { recents } = settings.value;
  const hasFolders = (status.value?.roots.length ?? 0) > 0;
  return (
    <div class="start">
      <div class="hello">
        <h1>Open traces of any number of machines on one timeline</h1>
        <p>Every event keeps its own clock. You see where it was placed, by what, and how exactly.</p>
      </div>
      <div class="left">
        <DropZone />
        <OpenTraces />
        {recents.length > 0 && (
          <>
            <div class="sec">
              <h2>Recent</h2>
              <button type="button" class="link" onClick={() => change({ recents: [] })}>Clear</button>
            </div>
            <ul class="rows" data-testid="recents">{recents.slice(0, 8).map((r) => <RecentRow key={`${r.name} ${r.at}`} recent={r} />)}</ul>
          </>
        )}
        {hasFolders && <ServerFolders />}
      </div>
      <aside aria-label="What you can do">
        <div class="sec first"><h2>What you can do</h2></div>
        <Tasks />
        <div class="sec first"><h2>On the command line</h2></div>
        <pre class="mono shell">{'tracebraid open phone.pftrace \\\n  watch.pftrace app.json \\\n  --manifest manifest.json'}</pre>
        <div class="sec first"><h2>Keys</h2></div>
        <dl class="kv some-keys">
          {boundKeys().slice(2, 8).map((b) => (
            <div key={b.text}>
              <dt><Keys name={b.keys[0] ?? ''} /></dt>
              <dd>{b.text === 'this list' ? 'all keys' : b.text}</dd>
            </div>
          ))}
        </dl>
      </aside>
    </div>
  );
}
