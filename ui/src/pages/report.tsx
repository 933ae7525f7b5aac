/** The report page: how each file was placed, by what, how exactly; what was lost and why. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FullReport } from '../api/traces';
import { certaintyOf } from '../lib/certainty';
import { below, boundText, clockLabel, commonFolder, hopsOf, largestBound, sharesOf, statGroups, summaryOf, unreadFiles } from '../lib/report';
import { groupsOf, type Group } from '../lib/report_groups';
import { big } from '../lib/report_types';
import { shown } from '../lib/text';
import { counted, countText, spanText, utcText } from '../lib/units';
import { current } from '../state/app';
import { copy } from '../state/notices';
import { saveText } from '../state/save_text';
import { currentReport, pageStatus, reportError } from '../state/status';
import { Icon } from '../widgets/icon';
import { Bound, certaintyIcon, Tabs } from '../widgets/parts';
import { MetadataPanel } from './report_metadata';
import { PlacementTable } from './report_placement';
import { ProblemsPanel, problemsOf, StatsPanel, type ProblemView } from './report_problems';

type View = 'placement' | 'problems' | 'stats' | 'metadata';

function Verdict({ report }: { report: FullReport }): JSX.Element {
  const summary = summaryOf(report);
  const bound = largestBound(report);
  const lost = big(report.lost);
  return (
    <section class={`verdict-box ${summary.certainty}`} aria-label="Verdict">
      <div>
        <h2><Icon name={certaintyIcon(summary.certainty)} />{summary.headline}</h2>
        <p>{shown(summary.detail)}</p>
      </div>
      <dl class="stat">
        <div title={meaningText('events placed')}><dd>{countText(big(report.kept))}</dd><dt>events placed</dt></div>
        <div title={meaningText('lost')}><dd class={lost > 0n ? 'bad' : ''}>{countText(lost)}</dd><dt>lost</dt></div>
        <div title={meaningText('largest bound')}><dd>{bound === null ? 'no bound' : bound === 0n ? 'exact' : `±${spanText(bound)}`}</dd><dt>largest bound</dt></div>
      </dl>
    </section>
  );
}

/** Inputs of the command line that could not be opened; the others are. */
function MissingInputs(): JSX.Element | null {
  const missing = current.value?.missing ?? [];
  if (missing.length === 0) return null;
  return (
    <section class="missing" role="alert" aria-label="Inputs that could not be opened" data-testid="missing">
      <h2><Icon name="lost" />{counted(missing.length, 'input')} could not be opened</h2>
      <ul>{missing.slice(0, 50).map((m) => <li key={m.file}><span class="strong">{shown(m.file)}</span> <span>{shown(m.message)}</span></li>)}</ul>
    </section>
  );
}

/** What the numbers of the page mean; those of a row of the table are explained in the row. */
const meanings: readonly [string, string][] = [
  ['events placed', 'Events that are on a row, or were used by one, as the end of a slice is.'],
  ['lost', 'Events of the files that are on no row, whichever stage dropped them. The table and the problems say why.'],
  ['largest bound', 'The true time of any event differs from its place by at most this. With a guess there is no bound.'],
  ['exact or stated', 'Events whose clock is that of the timeline, or whose offset the manifest states. No error is added.'],
  ['with a bound', 'Events whose clock was measured against the timeline, over one or more hops. Each hop adds to the bound.'],
  ['guessed', 'Events whose clock nothing relates to the timeline. They are assumed to be zero apart.'],
  ['without a clock', 'Events that carry no time, or keep the times of their file.'],
  ['Impossible', 'Flows that end before they start, so the clocks of both ends contradict them.'],
  ['Off by', 'The flows are right only if one clock is off by at least this.'],
];

function Meanings({ report }: { report: FullReport }): JSX.Element {
  const names = report.broken_flows.length > 0 ? meanings : meanings.slice(0, 7);
  return (
    <details class="meanings">
      <summary>What the numbers mean</summary>
      <dl>{names.map(([name, text]) => <div key={name}><dt>{name}</dt><dd class="t2">{text}</dd></div>)}</dl>
    </details>
  );
}

const meaningText = (name: string): string => meanings.find(([n]) => n === name)?.[1] ?? '';

function Shares({ report }: { report: FullReport }): JSX.Element {
  const s = sharesOf(report);
  const parts = [
    { name: 'certain', count: s.exact, text: 'exact or stated' },
    { name: 'uncertain', count: s.bounded, text: 'with a bound' },
    { name: 'guessed', count: s.guessed, text: 'guessed' },
    { name: 'none', count: s.untimed, text: 'without a clock' },
    { name: 'lost', count: s.lost, text: 'lost' },
  ] as const;
  const all = parts.reduce((sum, p) => sum + p.count, 0n);
  return (
    <div class="shares">
      <h3 class="eyebrow">Events by how they are placed</h3>
      <div class="stack" role="img" aria-label={parts.map((p) => `${p.text}: ${countText(p.count)}`).join(', ')}>
        {all > 0n && parts.map((p) => p.count > 0n && <i key={p.name} class={p.name} style={{ flexGrow: Number((p.count * 10000n) / all) + 20 }} />)}
      </div>
      <dl class="kv">
        {parts.map((p) => (
          <div key={p.name} title={meaningText(p.text)}>
            <dt><Bound certainty={p.name} text={p.text} quiet /></dt>
            <dd class="num">{countText(p.count)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Paths({ groups: all, folder }: { groups: readonly Group[]; folder: number }): JSX.Element {
  const groups = all.filter((g) => hopsOf(g.sum.path).length > 1);
  return (
    <section class="panel" aria-label="Paths to the timeline">
      <div class="panel-h"><h2>Paths to the timeline</h2><small>from the clock of the events, over clocks that were compared, to trace time</small></div>
      <ul class="paths">
        {groups.length === 0 && <li class="t2">All events are in the clock of the timeline.</li>}
        {groups.slice(0, 100).map((g) => (
          <li key={`${g.sum.file} ${g.sum.machine} ${g.sum.clock} ${g.sum.sequence ?? ''}`}>
            <span class="strong cut" title={shown(g.sum.file)}>{shown(below(g.sum.file, folder))}</span>
            <span class="hops">
              {hopsOf(g.sum.path).map((hop, i) => (
                <span key={i} class="hop">{i > 0 && <Icon name="chevron-right" />}{shown(i === 0 && g.members.length > 1 ? `${clockLabel(g)}, as ${hop}` : hop)}</span>
              ))}
            </span>
            <Bound certainty={certaintyOf(g.sum)} text={boundText(g.sum)} quiet />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Flows({ report }: { report: FullReport }): JSX.Element | null {
  if (report.broken_flows.length === 0) return null;
  return (
    <section class="panel" aria-label="Flows that end before they start">
      <div class="panel-h"><h2>Impossible flows</h2><small>they end before they start</small></div>
      <div class="scroll-x">
        <table class="t">
          <thead><tr><th scope="col">From, to</th><th scope="col" class="num">Flows</th><th scope="col" class="num">Impossible</th><th scope="col" class="num">Off by</th></tr></thead>
          <tbody>
            {report.broken_flows.map((f) => (
              <tr key={`${f.from} ${f.to}`} title={f.off_by_at_most_ns === null ? 'No flow in the other direction limits it.' : `At most ${spanText(big(f.off_by_at_most_ns))} by the flows in the other direction.`}>
                <td>{shown(f.from)}, {shown(f.to)}</td>
                <td class="num">{countText(big(f.flows))}</td>
                <td class="num bad">{countText(big(f.violations))}</td>
                <td class="num">at least {spanText(big(f.off_by_at_least_ns))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Quotes a word for a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

/** Returns the equal command line: the server's, or one made from the inputs. */
function commandOf(report: FullReport): string {
  if (report.command) return report.command;
  const inputs = current.value?.inputs ?? [];
  return `tracebraid check --strict ${inputs.map((i) => shellWord(i.path ?? i.name)).join(' ')}`;
}

function CommandLine({ report }: { report: FullReport }): JSX.Element {
  const text = commandOf(report);
  return (
    <div class="cmd">
      <span class="t3" aria-hidden="true">$</span>
      <code class="cut grow" title={shown(text)}>{shown(text)}</code>
      <button type="button" class="btn ghost icon" aria-label="Copy the command line" title="Copy the command line" onClick={() => void copy(text, 'the command line')}><Icon name="copy" /></button>
    </div>
  );
}

function timelineText(report: FullReport): string {
  const { clock, machine, start_ts, end_ts, start_utc_ns } = report.timeline;
  if (clock === '') return 'no shared timeline: the times of the files are unchanged';
  const start = start_utc_ns === null ? `from ${spanText(big(start_ts))}` : `from ${utcText(big(start_utc_ns))}`;
  return `timeline is ${clock}${machine === '' ? '' : ` of ${machine}`}, ${start}, ${spanText(big(end_ts) - big(start_ts))} long`;
}

const downloadJson = (report: FullReport): void => saveText(JSON.stringify(report, null, 2), 'report.json', 'application/json');

function PlacementView({ report, problems, folder }: { report: FullReport; problems: readonly ProblemView[]; folder: number }): JSX.Element {
  const [isFolded, setFolded] = useState(true);
  const folded = groupsOf(report);
  const each = groupsOf(report, false);
  return (
    <div class="report">
      <MissingInputs />
      <Verdict report={report} />
      <div class="column">
      <section class="panel placement" aria-label="Placement">
        <div class="panel-h">
          <h2>Placement</h2>
          <small class="cut">{shown(timelineText(report))}</small>
          <span class="grow" />
          {folded.length !== each.length && <button type="button" class="link" onClick={() => setFolded(!isFolded)}>{isFolded ? 'Show each file' : 'Fold alike files'}</button>}
        </div>
        <PlacementTable report={report} groups={isFolded ? folded : each} folder={folder} />
      </section>
      <Paths groups={folded} folder={folder} />
      </div>
      <div class="column">
        <section class="panel" aria-label="Problems">
          <ProblemsPanel list={problems} limit={6} />
        </section>
        <section class="panel" aria-label="Shares"><Shares report={report} /><Meanings report={report} /></section>
        <Flows report={report} />
      </div>
      <CommandLine report={report} />
    </div>
  );
}

export function ReportPage(): JSX.Element {
  const [view, setView] = useState<View>('placement');
  const report = currentReport.value;
  useEffect(() => {
    pageStatus.value = report ? [counted(summaryOf(report).files, 'file'), `${countText(big(report.kept))} events placed, ${countText(big(report.lost))} lost`] : [];
    return () => {
      pageStatus.value = [];
    };
  }, [report]);
  if (!report) {
    return reportError.value === '' ? (
      <div class="page" aria-busy="true" />
    ) : (
      <div class="empty"><p class="bad" role="alert">{shown(reportError.value)}</p></div>
    );
  }
  const folder = commonFolder([...report.placements.map((p) => p.file), ...unreadFiles(report)]);
  const problems = problemsOf(report, folder);
  return (
    <>
      <div class="page-h">
        <h1>Report</h1>
        <Tabs label="Parts of the report" active={view} onSelect={setView}
          tabs={[
            { id: 'placement', text: 'Placement' },
            { id: 'problems', text: 'Problems', note: problems.length },
            { id: 'stats', text: 'Stats', note: statGroups(report.losses).length },
            { id: 'metadata', text: 'Metadata' },
          ]} />
        <span class="grow" />
        <span class={`strict ${report.trouble.length === 0 ? 'passes' : 'fails'}`} title="tracebraid check --strict">
          <Icon name={report.trouble.length === 0 ? 'check' : 'close'} small />
          strict check {report.trouble.length === 0 ? 'passes' : 'fails'}
        </span>
        <button type="button" class="btn" onClick={() => downloadJson(report)}><Icon name="download" />JSON</button>
      </div>
      <div class="report-scroll" tabIndex={0} role="region" aria-label="Report">
        {view === 'placement' && <PlacementView report={report} problems={problems} folder={folder} />}
        {view === 'problems' && <div class="report one"><section class="panel" aria-label="Problems"><ProblemsPanel list={problems} /></section><Flows report={report} /></div>}
        {view === 'stats' && <StatsPanel report={report} folder={folder} />}
        {view === 'metadata' && <MetadataPanel />}
      </div>
    </>
  );
}
