/** What a manifest does: the verdict, and each file before and after. */
import type { JSX } from 'preact';
import { changesOf, contradictions, lossesOf, violations } from '../lib/dry_run';
import { below, machinesOf, summaryOf } from '../lib/report';
import { big, type Report } from '../lib/report_types';
import { shown, shownLines } from '../lib/text';
import { counted, countText, elapsedText, offsetText } from '../lib/units';
import type { Trial } from '../state/merge';
import { Icon } from '../widgets/icon';
import { Bound, certaintyIcon, Machine, Progress } from '../widgets/parts';

const mostRows = 100; // of the table; the cards have all files
const mostLosses = 20; // files with lost events

/** What would be lost, by file and reason; each file leads to its form. */
function Losses({ report, folder, onFile }: { report: Report; folder: number; onFile: ((file: string) => void) | undefined }): JSX.Element | null {
  const files = lossesOf(report);
  if (files.length === 0) return null;
  return (
    <div class="lost-events" role="group" aria-label="Lost events">
      <p class="bad"><b>{counted(big(report.lost), 'event')} would be lost:</b></p>
      <ul>
        {files.slice(0, mostLosses).map((f) => (
          <li key={f.file}>{onFile ? <button type="button" class="link" onClick={() => onFile(f.file)}>{shown(below(f.file, folder))}</button> : shown(below(f.file, folder))}
            {' '}<span class="t2">{f.reasons.map((r) => `${countText(r.count)}: ${shown(r.text)}`).join('; ')}</span></li>
        ))}
      </ul>
      {files.length > mostLosses && <p class="t2">and {counted(files.length - mostLosses, 'file')} more</p>}
    </div>
  );
}

function Change({ before, after, isGood }: { before: bigint; after: bigint; isGood: boolean }): JSX.Element {
  return <dd class="num">{before !== after && <span class="t3">{countText(before)} <span aria-label="becomes">→</span> </span>}<span class={isGood ? '' : 'bad strong'}>{countText(after)}</span></dd>;
}

/** The table of a report; with another one before it, what changed. */
export function Outcome({ before, after, folder, isPlacedOnly, onFile }: { before: Report; after: Report; folder: number; isPlacedOnly: boolean; onFile?: (file: string) => void }): JSX.Element {
  const summary = summaryOf(after);
  const machines = machinesOf(after);
  const prefix = after.placements[0]?.file.slice(0, folder) ?? '';
  const detail = prefix === '' ? summary.detail : summary.detail.replaceAll(prefix, ''); // as in the table
  return (
    <>
      <div class={`verdict ${summary.certainty}`} role="status"><Icon name={certaintyIcon(summary.certainty)} /><span><b>{summary.headline}.</b> {shown(detail)}</span></div>
      <div class="scroll scroll-x" tabIndex={0} role="group" aria-label="Files after the trial">
        <table class="t">
          <thead><tr><th scope="col">File</th><th scope="col">Machine</th><th scope="col">Placed by</th><th scope="col">Within</th><th scope="col" class="num">Moved</th><th scope="col" class="num">Lost</th></tr></thead>
          <tbody>
            {changesOf(before, after).slice(0, mostRows).map((c) => (
              <tr key={c.file} class={c.before && (c.before.bound !== c.bound || c.before.machine !== c.machine || (c.moved !== null && c.moved !== 0n)) ? 'sel' : ''}>
                <td class="strong cut" title={shown(c.file)}>{shown(below(c.file, folder))}</td>
                <td><Machine name={c.machine} index={machines.indexOf(c.machine)} /></td>
                <td class="t2">{shown(c.rule)}</td>
                <td><Bound certainty={c.certainty} text={c.bound} /></td>
                <td class="num">{c.moved === null || c.moved === 0n ? <span class="t3">0</span> : offsetText(c.moved)}</td>
                <td class={c.lost > 0n ? 'num bad strong' : 'num t3'}>{countText(c.lost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Losses report={after} folder={folder} onFile={onFile} />
      <dl class="kv outcome">
        <dt>Events placed</dt><Change before={big(before.kept)} after={big(after.kept)} isGood />
        <dt>Lost</dt><Change before={big(before.lost)} after={big(after.lost)} isGood={big(after.lost) === 0n} />
        <dt>Causes after their effects</dt><Change before={violations(before)} after={violations(after)} isGood={violations(after) === 0n} />
        <dt>Contradictions of clocks</dt><Change before={contradictions(before)} after={contradictions(after)} isGood={contradictions(after) === 0n} />
        {isPlacedOnly && <dd class="wide t3">Events that only opening can lose, such as ends without a begin, are not counted.</dd>}
      </dl>
    </>
  );
}

interface TrialProps {
  trial: Trial;
  base: Report;
  report: Report;
  text: string;
  folder: number;
  /** The file whose entry breaks the rule, if its form is not shown. */
  blamed: string | undefined;
  onFile: (file: string) => void;
}

export function TrialPanel({ trial, base, report, text, folder, blamed, onFile }: TrialProps): JSX.Element {
  const isStale = trial.text !== text || trial.kind === 'trying';
  const placed = trial.kind === 'done' && trial.report ? `placed again in ${elapsedText(trial.report.placed_in_ms)}` : '';
  return (
    <section class="panel trial" aria-label="Trial" aria-busy={isStale && trial.kind !== 'failed'}>
      <div class="panel-h"><h2>Dry run</h2><small>{trial.kind === 'reading' ? 'reading the files once' : isStale && trial.kind !== 'failed' ? 'trying' : placed}</small></div>
      {trial.kind === 'reading' && <div class="trial-wait"><Progress done={0} total={0} label="Reading the files" /></div>}
      {trial.kind === 'failed' && <div class="trial-wait" role="alert"><p class="bad">The manifest cannot be applied.</p><pre class="reason">{shownLines(trial.reason)}</pre><p class="t2">Below is where the last one that can be applied places the files.</p>{blamed !== undefined && <button type="button" class="btn" onClick={() => onFile(blamed)}>Show {shown(below(blamed, folder))}</button>}</div>}
      <Outcome before={base} after={report} folder={folder} isPlacedOnly={trial.report?.whole === false} onFile={onFile} />
    </section>
  );
}
