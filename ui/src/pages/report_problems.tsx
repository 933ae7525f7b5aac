/** Problems and stats of the report: what happened, what it means, where. */
import type { JSX } from 'preact';
import type { FullReport } from '../api/traces';
import { certaintyOf, type Certainty } from '../lib/certainty';
import { below, statGroups, unreadFiles, type StatGroup } from '../lib/report';
import { big } from '../lib/report_types';
import { shown } from '../lib/text';
import { bytesText, counted, countText, spanText } from '../lib/units';
import { Icon } from '../widgets/icon';
import { certaintyIcon } from '../widgets/parts';

export interface ProblemView {
  certainty: Certainty;
  title: string;
  text: string;
}

/** Returns what the user should know, worst first: unread files, losses, guesses, impossible flows, repairs. */
export function problemsOf(report: FullReport, folder: number): ProblemView[] {
  const name = (file: string): string => below(file, folder);
  const unread = new Set(unreadFiles(report));
  const list: ProblemView[] = report.problems.map((p) => ({
    certainty: unread.has(p.file) ? 'lost' : 'uncertain',
    title: p.file === '' ? 'A statement of the manifest has no effect' : unread.has(p.file) ? `${name(p.file)} is unread` : (p.level ?? 'lost') === 'lost' ? `${name(p.file)} is read in part` : `${name(p.file)} is read, with a remark`,
    text: p.message,
  }));
  for (const p of report.placements) {
    const lost = big(p.lost);
    if (lost > 0n) list.push({ certainty: 'lost', title: `${counted(lost, 'event')} of ${name(p.file)} ${lost === 1n ? 'is' : 'are'} lost`, text: `by the clock ${p.clock} of ${p.machine}: ${lossReason(p)}` });
  }
  for (const group of statGroups(report.losses)) {
    if (group.level !== 'lost') continue;
    list.push({ certainty: 'lost', title: `${group.stat}: ${countText(group.count)}`, text: group.description });
  }
  const guessed = new Map<string, string>();
  for (const p of report.placements) if (certaintyOf(p) === 'guessed') guessed.set(p.file, p.rule === 'guessed' ? 'no date inside and nothing that relates its clock: assumed to be zero apart' : 'nothing limits the error of its place');
  for (const [file, why] of guessed) list.push({ certainty: 'guessed', title: `${name(file)} is placed by a guess`, text: why });
  for (const f of report.broken_flows)
    list.push({ certainty: 'uncertain', title: `${countText(big(f.violations))} of ${counted(big(f.flows), 'flow')} from ${f.from} to ${f.to} end before they start`, text: `the latter is at least ${spanText(big(f.off_by_at_least_ns))} too early` });
  for (const n of report.not_imported)
    list.push({ certainty: 'uncertain', title: `${countText(big(n.count))} ${n.what} of ${name(n.file)} not imported`, text: `${bytesText(Number(n.bytes))} that no table holds` });
  return list;
}

function lossReason(p: FullReport['placements'][number]): string {
  const parts = [
    big(p.lost_no_path) > 0n ? `${countText(big(p.lost_no_path))} without a path to the timeline` : '',
    big(p.lost_ambiguous) > 0n ? `${countText(big(p.lost_ambiguous))} ambiguous because the clock was set back` : '',
    big(p.lost_out_of_range) > 0n ? `${countText(big(p.lost_out_of_range))} out of range` : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'before the start of trace time';
}

export function ProblemsPanel({ list, limit }: { list: readonly ProblemView[]; limit?: number }): JSX.Element {
  const part = list.slice(0, limit);
  return (
    <>
      <div class="panel-h"><h2>Problems</h2><small>{list.length}</small></div>
      {list.length === 0 && <p class="fine"><Icon name="check" />Nothing was lost, guessed or unread.</p>}
      <ul class="problems">
        {part.map((p, i) => (
          <li key={i} class="prob">
            <span class={`tone ${p.certainty}`}><Icon name={p.certainty === 'uncertain' ? 'warning' : certaintyIcon(p.certainty)} /></span>
            <span class="strong">{shown(p.title)}</span>
            <span class="t2 text">{shown(p.text)}</span>
          </li>
        ))}
      </ul>
      {part.length < list.length && <p class="t3 note">and {list.length - part.length} more in the tab Problems</p>}
    </>
  );
}

export const levels: readonly { level: string; title: string; text: string }[] = [
  { level: 'lost', title: 'Lost', text: 'Events or other data of the files are missing. The strict check fails.' },
  { level: 'unpaired', title: 'Unpaired', text: 'The other half of an event is not in the file, usual where recording began or ended. --strict=all fails.' },
  { level: 'repaired', title: 'Repaired or assumed', text: 'A file contradicts its format. The event was changed, or something was assumed. --strict=all fails.' },
  { level: 'noted', title: 'Noted', text: 'Nothing is missing.' },
];

/** A stat with its places. */
export function StatItem({ group, folder }: { group: StatGroup; folder: number }): JSX.Element {
  return (
    <li class="stat-item">
      <p class="stat-h"><code>{shown(group.stat)}</code><b class="mono">{countText(group.count)}</b></p>
      <p class="t2">{shown(group.description)}</p>
      <ul class="places">
        {group.places.slice(0, 50).map((p, i) => (
          <li key={i}>
            <span class="mono">{countText(big(p.count))}</span> in {p.file === '' || p.file === '-' ? 'the whole trace' : shown(below(p.file, folder))}
            {p.machine !== '' && p.machine !== '-' && <span class="t3"> on {shown(p.machine)}</span>}
            {p.example !== '' && <span class="t3">, first {shown(p.example)}</span>}
          </li>
        ))}
      </ul>
    </li>
  );
}

export function StatsPanel({ report, folder }: { report: FullReport; folder: number }): JSX.Element {
  const groups = statGroups(report.losses);
  return (
    <div class="report one">
      {levels.map(({ level, title, text }) => {
        const part = groups.filter((g) => g.level === level);
        if (part.length === 0 && level === 'unpaired') return null; // rare
        return (
          <section class="panel" key={level} aria-label={title}>
            <div class="panel-h"><h2>{title}</h2><small>{part.length === 0 ? 'none' : part.length}</small><small class="cut">{text}</small></div>
            {part.length > 0 && <ul class="stats">{part.map((g) => <StatItem key={g.stat} group={g} folder={folder} />)}</ul>}
          </section>
        );
      })}
      {report.not_imported.length > 0 && (
        <section class="panel" aria-label="Not imported">
          <div class="panel-h"><h2>Not imported</h2><small>parts of the files that no table holds</small></div>
          <table class="t">
            <thead><tr><th scope="col">What</th><th scope="col">File</th><th scope="col" class="num">Count</th><th scope="col" class="num">Size</th></tr></thead>
            <tbody>
              {report.not_imported.slice(0, 500).map((n, i) => (
                <tr key={i}><td>{shown(n.what)}</td><td class="t2">{shown(below(n.file, folder))}</td><td class="num">{countText(big(n.count))}</td><td class="num">{bytesText(Number(n.bytes))}</td></tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}
