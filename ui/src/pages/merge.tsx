/** The merge page: the manifest as form, text and preview; each change is tried at once. */
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { machinesInsideFiles } from '../api/clocks';
import { contentKinds } from '../api/drafts';
import { errorText } from '../api/http';
import type { TraceInfo } from '../api/traces';
import type { Report } from '../lib/report_types';
import { suggestionsFrom } from '../lib/content';
import { changesOf, manifestName } from '../lib/dry_run';
import type { FileFacts } from '../lib/file_cards';
import { manifestText, parseManifest, placingOf, withPlacing, type Placing } from '../lib/manifest';
import { entryPath } from '../lib/manifest_content';
import { mobilityOf, relatedPlacing } from '../lib/preview';
import { commonFolder, machinesOf } from '../lib/report';
import { brokenBy, type Broken } from '../lib/rules';
import { shown } from '../lib/text';
import { counted } from '../lib/units';
import { current } from '../state/app';
import { archiving, writeArchive } from '../state/archive';
import { baseReport, beginDraft, draft, edit, loadLanes, loadSuggestions, offered, opening, openWhole, readInputs, rowsOfFiles, step, trial, triedDraft, type Draft } from '../state/merge';
import { copy } from '../state/notices';
import { saveText } from '../state/save_text';
import { go } from '../state/route';
import { currentReport, pageStatus } from '../state/status';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { Files } from './merge_files';
import { AllLike, FileForm } from './merge_form';
import { mostLanes, PreviewPanel } from './merge_preview';
import { BrokenRule, RuleNote, useRule } from './merge_rule';
import { TrialPanel } from './merge_run';
import { ManifestText } from './merge_text';
import { WholeForm } from './merge_whole';

function Content({ now, report }: { now: Draft; report: Report }): JSX.Element {
  const run = trial.value;
  const base = baseReport.value ?? report;
  const current = run.report ?? report;
  const files = [...new Set(current.placements.map((p) => p.file))];
  const folder = commonFolder(files);
  const [file, setFile] = useState(files[files.length - 1] ?? '');
  const text = now.versions[now.at] ?? '';
  const manifest = parseManifest(text);
  const isValid = typeof manifest !== 'string';
  const known = useMemo(() => new Set(now.names), [now.names]);
  const nameOf = (each: string): string => {
    const name = manifestName(each, known);
    return isValid ? entryPath(manifest, name, now.facts.get(name)?.own ?? '', known) : name;
  };
  const factsFor = (each: string): FileFacts | undefined => now.facts.get(manifestName(each, known));
  const names = [...new Set(files.map(nameOf))];
  const path = nameOf(file);
  const moves = useMemo(() => new Map(changesOf(base, current).map((c) => [c.file, c.moved])), [base, current]);
  const inSight = files.length <= mostLanes ? files : [...new Set([file, ...files])].slice(0, mostLanes);
  const command = `tracebraid check --manifest manifest.json ${readInputs(now, run.report).map((i) => (/^[\w./:@%+=,-]+$/.test(i.name) ? i.name : `'${i.name.replace(/'/g, "'\\''")}'`)).join(' ')}`;
  const opens = opening.value;
  const packing = archiving.value;
  const packable = triedDraft();
  const open = async (): Promise<void> => {
    const id = await openWhole();
    if (id !== null) go('timeline', id);
  };
  const place = (of: string, placing: Placing): void => {
    if (isValid) edit(manifestText(withPlacing(manifest, nameOf(of), placing)));
  };
  const load = useCallback((px: number) => void loadLanes(inSight, px), [inSight.join('\n')]);
  const { value: kinds } = useLoaded(contentKinds, []);
  const { value: inside } = useLoaded(() => machinesInsideFiles(now.trace), [now.trace]);
  const tried = run.kind === 'done' ? run.report?.version : undefined;
  const { value: found } = useLoaded(() => (tried === undefined ? null : loadSuggestions(file)), [tried, file, rowsOfFiles.value]);
  const placing = isValid ? placingOf(manifest, path) : null;
  const suggestions = placing && found && tried !== undefined ? suggestionsFrom(found, current, file, placing, known) : [];
  const broken = useMemo((): Broken | null => {
    if (run.kind !== 'failed' || run.text !== text || typeof manifest === 'string') return null;
    const before = parseManifest(now.versions[now.at - 1] ?? '');
    return brokenBy(run.reason, manifest, typeof before === 'string' ? null : before);
  }, [run.kind, run.reason, run.text, text]);
  const blamed = broken === null ? undefined : files.find((each) => broken.files.includes(nameOf(each)));
  useEffect(() => {
    offered.value = null; // what was pointed at is gone
  }, [found]);
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
        <button type="button" class="btn" onClick={() => saveText(text, 'manifest.json', 'application/json')}><Icon name="save" />Save manifest</button>
        <button type="button" class="btn" disabled={packable === null || packing.kind === 'running'} title="One file with all inputs and the manifest, which opens as this merge" onClick={() => packable !== null && void writeArchive(packable)}><Icon name="download" />{packing.kind === 'running' ? 'Writing' : 'Write archive'}</button>
        <button type="button" class="btn primary" disabled={!isValid || run.kind === 'failed' || opens.kind === 'running'} onClick={() => void open()}><Icon name="timeline" />{opens.kind === 'running' ? `Opening${opens.stage === '' ? '' : `: ${shown(opens.stage)}`}` : 'Open timeline'}</button>
      </div>
      {packing.kind === 'failed' && <p class="help bad opening-failed" role="alert">{shown(packing.reason)}</p>}
      {opens.kind === 'failed' && <p class="help bad opening-failed" role="alert">{shown(opens.reason)}</p>}
      <div class="merge">
        <BrokenRule.Provider value={broken}><Files now={now} report={current} folder={folder} file={file} factsOf={factsFor} onFile={setFile}>
          {isValid && <WholeForm broken={broken} manifest={manifest} names={names} machines={machinesOf(current)} kinds={kinds ?? []} onChange={(next) => edit(manifestText(next))} />}
        </Files></BrokenRule.Provider>
        <div class="merge-middle">
          <section class="panel" aria-label="File">
            <div class="panel-h"><Icon name="file" /><h2 class="cut">{shown(path)}</h2><span class="grow" />{isValid && <AllLike manifest={manifest} path={path} onChange={(next) => edit(manifestText(next))} />}</div>
            {!isValid ? <p class="note t2">The text of the manifest is not valid; correct it first.</p> : (
              <FileForm key={path} broken={broken} manifest={manifest} path={path} names={names} machines={machinesOf(current)} report={current} inside={(inside ?? []).filter((m) => m.file === path)} kinds={kinds ?? []} suggestions={suggestions} onPoint={(by) => (offered.value = by === null ? null : { file, by })} mobility={mobilityOf(current, file)} related={relatedPlacing(current, file, nameOf)} onPlacing={(placing) => place(file, placing)} onChange={(next) => edit(manifestText(next))} />
            )}
          </section>
          <PreviewPanel report={current} manifest={isValid ? manifest : null} files={inSight} machines={machinesOf(current)} folder={folder} file={file} nameOf={nameOf} trace={now.trace} rowOf={(each) => factsFor(each)?.row} shiftOf={(each) => moves.get(each) ?? null} onSelect={setFile} onPlace={place} load={load} />
        </div>
        <div class="merge-right">
          <TrialPanel trial={run} base={base} report={current} text={text} folder={folder} blamed={blamed === file ? undefined : blamed} onFile={setFile} />
          <section class="panel manifest" aria-label="Manifest">
            <div class="panel-h"><h2>Manifest</h2><small>what the form writes; other members stay</small><span class="grow" />
              <button type="button" class="btn ghost icon" aria-label="Copy the manifest" title="Copy the manifest" onClick={() => void copy(text, 'the manifest')}><Icon name="copy" /></button></div>
            <BrokenRule.Provider value={isValid ? broken : { control: 'text', reason: manifest, files: [] }}><WholeText text={text} first={now.versions[0] ?? ''} isValid={isValid} /></BrokenRule.Provider>
          </section>
        </div>
      </div>
    </>
  );
}

/** The text of the manifest, with the rule that no other control states. */
function WholeText({ text, first, isValid }: { text: string; first: string; isValid: boolean }): JSX.Element {
  return <><ManifestText text={text} first={first} isValid={isValid} rule={useRule('text')} onText={edit} /><RuleNote of={['text']} /></>;
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
  useEffect(() => {
    const { kind, report: tried } = trial.value;
    pageStatus.value = kind === 'done' && tried && now && now.at > 0 ? ['tried; open the timeline to keep it'] : [];
    return () => {
      pageStatus.value = [];
    };
  }, [trial.value]);
  const now = draft.value;
  if (error !== '') return <div class="empty"><p class="bad" role="alert">{shown(error)}</p></div>;
  if (!now || !report || now.trace !== id) return <div class="page" aria-busy="true" />;
  return <Content key={now.trace} now={now} report={report} />;
}
