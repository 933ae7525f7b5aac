/** The files of a merge: a card each, alike ones folded, those that could not be read in red; more files can be added. */
import type { ComponentChildren, JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { errorText } from '../api/http';
import { changesOf, type FileChange } from '../lib/dry_run';
import { anchorsText, cardsOf, clocksText, formatText, snapshotsText, worstBound, type Card, type FileFacts, type Inside } from '../lib/file_cards';
import { below, machinesOf } from '../lib/report';
import type { Placement, Report } from '../lib/report_types';
import { shown } from '../lib/text';
import { counted, spanText } from '../lib/units';
import { addToDraft, insideOf, type Draft } from '../state/merge';
import { uploadError, uploads, uploadThen, type DroppedFile } from '../state/uploads';
import { chooseFiles, droppedFiles } from '../widgets/files';
import { Icon } from '../widgets/icon';
import { Bound, Progress } from '../widgets/parts';
import { RuleNote, useRule } from './merge_rule';

const cardHeight = 120; // px, with the gap below
const room = 24; // cards in the document

interface FileCardProps {
  file: FileChange;
  folder: number;
  machine: number;
  /** Format of the file, if it is known. */
  type: string;
  placements: readonly Placement[];
  inside: Inside | undefined;
  isInside: boolean;
  isSelected: boolean;
  onSelect: () => void;
}

function FileCard({ file: f, folder, machine, type, placements, inside, isInside, isSelected, onSelect }: FileCardProps): JSX.Element {
  const clocks = clocksText(placements);
  const [snapshots, anchors] = inside ? [snapshotsText(inside), anchorsText(inside)] : ['', ''];
  const content = [snapshots, anchors].filter((text) => text !== '').join('; ');
  return (
    <button type="button" class={`card file-card${isSelected ? ' sel' : ''}${isInside ? ' inside' : ''}`} aria-pressed={isSelected} onClick={onSelect}>
      <i class={`strip machine-${(machine % 8) + 1}`} />
      <b class="cut" title={shown(f.file)}>{shown(below(f.file, folder))}</b>
      <Bound certainty={f.certainty} text={f.bound} />
      <small class="t2 cut">{type !== '' && <span>{shown(formatText(type))}</span>} <span>{counted(f.placed, 'event')}</span>{f.span !== null && <span class="mono">{spanText(f.span)}</span>}</small>
      <small class="t2 cut inside-line" title={shown(clocks)}>{shown(f.machine)}{clocks !== '' && ` · ${shown(clocks)}`}</small>
      <small class="t2 cut inside-line" title={shown(content)}>{content === '' ? 'no snapshots, dates or markers' : shown(content)}</small>
      <small class="t2 cut by">{shown(f.rule)}</small>
    </button>
  );
}

function FoldCard({ card, folder, onToggle }: { card: Card & { kind: 'fold' }; folder: number; onToggle: () => void }): JSX.Element {
  const [first] = card.files;
  const events = card.files.reduce((sum, f) => sum + f.placed, 0n);
  const machines = new Set(card.files.map((f) => f.machine)).size;
  return (
    <button type="button" class="card file-card" aria-expanded={card.isOpen} onClick={onToggle}>
      <b class="cut" title={shown(card.pattern)}><Icon name="folder" />{counted(card.files.length, 'file').replace(/ files?$/, '')} × {shown(below(card.pattern, folder))}</b>
      {first && <Bound certainty={first.certainty} text={worstBound(card.files)} />}
      <small class="t2 cut"><span>{counted(events, 'event')}</span></small>
      <small class="t2 cut">{counted(machines, 'machine')}</small>
      <small class="t2 cut by">{shown(first?.rule ?? '')}; {card.isOpen ? 'click to fold' : 'click to show each'}</small>
    </button>
  );
}

/** Sends files to the server and adds them to the merge. */
async function add(files: readonly DroppedFile[]): Promise<void> {
  await uploadThen(files, addToDraft);
}

const failed = (reason: unknown): void => {
  uploadError.value = errorText(reason);
};

interface Props {
  now: Draft;
  report: Report;
  folder: number;
  file: string;
  factsOf: (file: string) => FileFacts | undefined;
  onFile: (file: string) => void;
  children: ComponentChildren;
}

export function Files({ now, report, folder, file, factsOf, onFile, children }: Props): JSX.Element {
  const [first, setFirst] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isOver, setOver] = useState(false);
  const machines = machinesOf(report);
  const files = useMemo(() => changesOf(report, report), [report]);
  const placements = useMemo(() => {
    const byFile = new Map<string, Placement[]>();
    for (const p of report.placements) {
      const own = byFile.get(p.file);
      if (own) own.push(p);
      else byFile.set(p.file, [p]);
    }
    return byFile;
  }, [report]);
  const cards = cardsOf(files, report, now.inputs.map((i) => i.name), open);
  const unread = cards.filter((c) => c.kind === 'unread').length;
  const from = Math.max(0, Math.min(first - 10, cards.length - room));
  const toggle = (pattern: string): void => setOpen(new Set(open.has(pattern) ? [...open].filter((p) => p !== pattern) : [...open, pattern]));
  const sending = uploads.value;
  return (
    <section
      class={isOver ? 'panel over' : 'panel'} aria-label="Files"
      onDragOver={(e) => {
        e.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(e) => {
        e.preventDefault();
        setOver(false);
        if (e.dataTransfer) droppedFiles(e.dataTransfer).then(add).catch(failed);
      }}
    >
      <div class="panel-h"><h2>Files</h2><small>{counted(files.length, 'file')}{unread > 0 && `, ${unread} unread`}</small><span class="grow" />
        <button type="button" class="btn" title="Add files to this merge; or drop them here" {...useRule('files')} disabled={sending.length > 0} onClick={() => void chooseFiles().then(add).catch(failed)}><Icon name="plus" />Add</button></div>
      {sending.length > 0 && <div class="trial-wait"><Progress done={sending.reduce((sum, u) => sum + u.sent, 0)} total={sending.reduce((sum, u) => sum + u.size, 0)} label="Sending files" /></div>}
      {uploadError.value !== '' && <p class="help bad opening-failed" role="alert">{shown(uploadError.value)}</p>}
      <RuleNote of={['files']} />
      <div class="scroll" onScroll={(e) => setFirst(Math.floor(e.currentTarget.scrollTop / cardHeight))}>
        <ul class="cards" style={{ paddingTop: `${8 + from * cardHeight}px`, paddingBottom: `${8 + Math.max(0, cards.length - from - room) * cardHeight}px` }}>
          {cards.slice(from, from + room).map((c) => {
            if (c.kind === 'fold') return <li key={`fold ${c.pattern}`}><FoldCard card={c} folder={folder} onToggle={() => toggle(c.pattern)} /></li>;
            if (c.kind === 'unread') {
              return (
                <li key={`unread ${c.file}`}>
                  <div class="card file-card unread" role="group" aria-label={`${shown(c.file)}, not read`}><b class="cut" title={shown(c.file)}>{shown(below(c.file, c.file.startsWith('/') ? folder : 0))}</b><span class="bad"><Icon name="lost" />unread</span><small class="bad reason-lines" title={shown(c.reason)}>{shown(c.reason)}</small></div>
                </li>
              );
            }
            const f = c.file;
            return (
              <li key={f.file}>
                <FileCard
                  file={f} folder={folder} machine={machines.indexOf(f.machine)} type={factsOf(f.file)?.type ?? ''} placements={placements.get(f.file) ?? []} inside={insideOf.value.get(f.file)} isInside={c.isInside} isSelected={f.file === file} onSelect={() => onFile(f.file)}
                />
              </li>
            );
          })}
        </ul>
      </div>
      {children}
    </section>
  );
}
