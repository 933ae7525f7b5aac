/** The merge page: the manifest as form and text, tried out before it is applied. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../api/http';
import type { FullReport, TraceInfo } from '../api/traces';
import { changesOf, manifestName } from '../lib/dry_run';
import { manifestText, parseManifest } from '../lib/manifest';
import { below, commonFolder, machinesOf } from '../lib/report';
import { shown } from '../lib/text';
import { counted } from '../lib/units';
import { current } from '../state/app';
import { beginDraft, draft, dropTrial, edit, keepTrial, step, trial, tryOut, type Draft } from '../state/merge';
import { copy } from '../state/notices';
import { go } from '../state/route';
import { currentReport, pageStatus } from '../state/status';
import { Icon } from '../widgets/icon';
import { Bound } from '../widgets/parts';
import { FileForm } from './merge_form';
import { TrialPanel } from './merge_run';

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'manifest.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function Files({ report, folder, file, onFile }: { report: FullReport; folder: number; file: string; onFile: (file: string) => void }): JSX.Element {
  const machines = machinesOf(report);
  const files = changesOf(report, report);
  return (
    <section class="panel" aria-label="Files">
      <div class="panel-h"><h2>Files</h2><small>{counted(files.length, 'file')}</small></div>
      <ul class="cards scroll">
        {files.slice(0, 1000).map((f) => (
          <li key={f.file}>
            <button type="button" class={`card file-card${f.file === file ? ' sel' : ''}`} aria-pressed={f.file === file} onClick={() => onFile(f.file)}>
              <i class={`strip machine-${(machines.indexOf(f.machine) % 8) + 1}`} />
              <b class="cut" title={shown(f.file)}>{shown(below(f.file, folder))}</b>
              <Bound certainty={f.certainty} text={f.bound} />
              <small class="t2 cut">{counted(f.placed, 'event')}, {shown(f.machine)}</small>
              <small class="t2 cut by">{shown(f.rule)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Content({ now, report }: { now: Draft; report: FullReport }): JSX.Element {
  const files = [...new Set(report.placements.map((p) => p.file))];
  const folder = commonFolder(files);
  const [file, setFile] = useState(files[files.length - 1] ?? '');
  const text = now.versions[now.at] ?? '';
  const manifest = parseManifest(text);
  const run = trial.value;
  const names = [...new Set(files.map((f) => manifestName(f, now.names)))];
  const path = manifestName(file, now.names);
  const isTried = run.kind === 'done' && run.text === text;
  const command = `tracebraid check --manifest manifest.json ${now.inputs.map((i) => (/^[\w./:@%+=,-]+$/.test(i.name) ? i.name : `'${i.name.replace(/'/g, "'\\''")}'`)).join(' ')}`;
  const open = async (): Promise<void> => {
    const id = await keepTrial();
    if (id !== null) go('timeline', id);
  };
  return (
    <>
      <div class="page-h">
        <h1>Merge</h1>
        <small class="t2">{now.at === 0 ? 'manifest as opened' : `manifest, ${counted(now.at, 'step')} changed`}</small>
        <span class="btn-set">
          <button type="button" class="btn icon" aria-label="Undo" title="Undo" disabled={now.at === 0} onClick={() => step(-1)}><Icon name="undo" /></button>
          <button type="button" class="btn icon flip" aria-label="Redo" title="Redo" disabled={now.at === now.versions.length - 1} onClick={() => step(1)}><Icon name="undo" /></button>
        </span>
        <span class="grow" />
        <button type="button" class="btn ghost" onClick={() => void copy(command, 'the command line')}><Icon name="copy" />Copy command line</button>
        <button type="button" class="btn" onClick={() => download(text)}><Icon name="save" />Save manifest</button>
        <button type="button" class={isTried ? 'btn' : 'btn primary'} disabled={typeof manifest === 'string' || run.kind === 'running'} onClick={() => void tryOut(text)}><Icon name="play" />Try</button>
        {isTried && <button type="button" class="btn primary" onClick={() => void open()}><Icon name="timeline" />Open timeline</button>}
      </div>
      <div class="merge">
        <Files report={run.kind === 'done' ? run.report : report} folder={folder} file={file} onFile={setFile} />
        <div class="merge-middle">
          <section class="panel" aria-label="File">
            <div class="panel-h"><Icon name="file" /><h2 class="cut">{shown(path)}</h2></div>
            {typeof manifest === 'string' ? <p class="note t2">The text of the manifest is not valid; correct it first.</p> : (
              <FileForm key={path} manifest={manifest} path={path} names={names} machines={machinesOf(report)} report={report} onChange={(next) => edit(manifestText(next))} />
            )}
          </section>
          <section class="panel manifest" aria-label="Manifest">
            <div class="panel-h"><h2>Manifest</h2><small>what the form writes; other members stay</small><span class="grow" />
              <button type="button" class="btn ghost icon" aria-label="Copy the manifest" title="Copy the manifest" onClick={() => void copy(text, 'the manifest')}><Icon name="copy" /></button></div>
            <textarea aria-label="Text of the manifest" spellcheck={false} value={text} aria-invalid={typeof manifest === 'string'} onInput={(e) => edit(e.currentTarget.value)} />
            {typeof manifest === 'string' && <p class="help bad" role="alert">{shown(manifest)}</p>}
          </section>
        </div>
        <TrialPanel trial={run} report={report} text={text} folder={folder} />
      </div>
    </>
  );
}

export function MergePage(): JSX.Element {
  const trace: TraceInfo | null = current.value;
  const report = currentReport.value;
  const [error, setError] = useState('');
  const id = trace?.trace;
  useEffect(() => {
    setError('');
    if (trace) beginDraft(trace).catch((reason: unknown) => setError(errorText(reason)));
  }, [id]);
  useEffect(() => () => void dropTrial(), []);
  useEffect(() => {
    pageStatus.value = trial.value.kind === 'done' ? ['tried; open the timeline to keep it'] : [];
    return () => {
      pageStatus.value = [];
    };
  }, [trial.value]);
  const now = draft.value;
  if (error !== '') return <div class="empty"><p class="bad" role="alert">{shown(error)}</p></div>;
  if (!now || !report || now.trace !== id) return <div class="page" aria-busy="true" />;
  return <Content key={now.trace} now={now} report={report} />;
}
