/** The placement table. Each row opens to the explanation of all its numbers. */
import type { JSX } from 'preact';
import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { explain, type FullReport } from '../api/traces';
import { certaintyOf } from '../lib/certainty';
import { below, boundText, clockLabel, hopsOf, machinesOf, offsetOf, placedBy, unreadFiles } from '../lib/report';
import { causesOf, type Group } from '../lib/report_groups';
import { big, bigOrNull, type Placement } from '../lib/report_types';
import { shown, shownLines } from '../lib/text';
import { counted, countText, offsetText, secondsText, spanText, utcText } from '../lib/units';
import { current } from '../state/app';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';
import { Bound, Machine } from '../widgets/parts';

const heads: readonly { text: string; help: string; isNumber?: boolean }[] = [
  { text: 'File', help: 'The input, or the member of an archive.' },
  { text: 'Machine', help: 'The machine that recorded the events.' },
  { text: 'Clock', help: 'The clock that the events carry in the file.' },
  { text: 'Placed by', help: 'The weakest evidence on the way from this clock to the timeline.' },
  { text: 'Offset', help: 'Trace time minus what the clock shows.', isNumber: true },
  { text: 'Within', help: 'The true time of an event differs from its place by at most this.' },
  { text: 'Events', help: 'Events of this clock that are on a row, or were used by one.', isNumber: true },
  { text: 'Lost', help: 'Events of this clock that are on no row; the reasons are in the row’s details.', isNumber: true },
];

/** Returns the numbers of one clock, each with a sentence. */
function explained(report: FullReport, { sum, members }: Group): [string, string, string][] {
  const rows: [string, string, string][] = [];
  const start = bigOrNull(sum.offset_start_ns);
  const end = bigOrNull(sum.offset_end_ns);
  const bound = bigOrNull(sum.uncertainty_ns);
  const first = bigOrNull(sum.first_ts);
  const last = bigOrNull(sum.last_ts);
  if (members.length > 1) rows.push(['Clocks', countText(members.length), 'This row sums up alike clocks; ranges are from the smallest to the largest.']);
  if (start !== null) rows.push(['Offset', offsetText(start), `Trace time minus the clock’s reading at its first event, exactly ${start} ns.`]);
  if (start !== null && end !== null && members.length === 1 && end !== start) {
    const length = first !== null && last !== null ? last - first : 0n;
    const ppm = length > 0n ? `, ${(Number(end - start) / Number(length) * 1e6).toFixed(3)} ppm` : '';
    rows.push(['Drift', offsetText(end - start), `The change of the offset until the last event${ppm}: the clocks do not run equally fast.`]);
  }
  if (bound !== null && bound > 0n) rows.push(['Within', `±${spanText(bound)}`, `The sum of the bounds of all hops of the path, exactly ${bound} ns. Lengths of slices are not affected: both edges move together.`]);
  else if (bound === 0n && sum.rule === 'manifest') rows.push(['Within', 'stated', 'The manifest states the offset. It is taken as exact and was not measured.']);
  else if (bound === 0n) rows.push(['Within', 'exact', 'No conversion adds an error.']);
  else if (certaintyOf(sum) === 'guessed') rows.push(['Within', 'no bound', 'Nothing measured limits the error. State an offset, or give sync markers, in the manifest.']);
  if (big(sum.observations) > 0n) rows.push(['Observations', countText(big(sum.observations)), 'Readings that relate this clock to the next one of its path.']);
  const utc = report.timeline.start_utc_ns;
  const date = (ts: bigint): string => (utc === null ? '' : ` (${utcText(ts - big(report.timeline.start_ts) + big(utc))})`);
  if (first !== null) rows.push(['First event', `${secondsText(first)} s`, `In trace time${date(first)}.`]);
  if (last !== null) rows.push(['Last event', `${secondsText(last)} s`, `In trace time${date(last)}.`]);
  rows.push(['Placed', countText(big(sum.placed)), 'Events that are on a row, or were used by one, as the end of a slice is.']);
  if (big(sum.before_start) > 0n) rows.push(['Before the start', countText(big(sum.before_start)), 'Events that lie before the start of trace time. They are kept unless --drop-negative is given.']);
  return rows;
}

/** The words of `tracebraid check --explain FILE`. */
function Explanation({ file }: { file: string }): JSX.Element {
  const trace = current.value?.trace;
  const { value, error } = useLoaded(() => (trace === undefined ? null : explain(trace, file)), [trace, file]);
  if (!value && error === '') return <p class="t3">…</p>;
  return <pre class="explain" data-testid="explain">{shownLines((value?.text ?? error).trimEnd())}</pre>;
}

function Details({ report, group }: { report: FullReport; group: Group }): JSX.Element {
  const causes = causesOf(group);
  const { path, source } = group.sum;
  return (
    <div class="row-details">
      <div>
        <h3 class="eyebrow">Numbers</h3>
        <dl class="explained">
          {explained(report, group).map(([name, value, words]) => (
            <div key={name}><dt>{name}</dt><dd class="mono">{value}</dd><dd class="t2">{words}</dd></div>
          ))}
          {causes.map((c) => (
            <div key={c.cause}><dt class="bad">Lost</dt><dd class="mono bad">{countText(c.count)}</dd><dd class="t2">{shown(c.cause)}</dd></div>
          ))}
        </dl>
      </div>
      <div>
        <h3 class="eyebrow">Path{source !== '' && <span class="t3"> evidence: {shown(source)}</span>}</h3>
        <ol class="path-line">{hopsOf(path).map((hop, i) => <li key={i}>{shown(hop)}</li>)}</ol>
        <h3 class="eyebrow">In words</h3>
        <Explanation file={group.sum.file} />
      </div>
    </div>
  );
}

function fileLabel(group: Group, folder: number): string {
  const first = below(group.files[0] ?? '', folder);
  const last = group.files[group.files.length - 1];
  return group.files.length > 1 && last !== undefined ? `${first} … ${below(last, folder)}` : first;
}

const keyOf = (g: Group, p: Placement): string => JSON.stringify([p.file, p.machine, p.clock, p.sequence, p.rule, g.files.length]);

export function PlacementTable({ report, groups, folder }: { report: FullReport; groups: readonly Group[]; folder: number }): JSX.Element {
  const [open, setOpen] = useState<string | null>(null);
  const machines = machinesOf(report);
  return (
    <div class="scroll-x">
      <table class="t pl">
        <thead>
          <tr>{heads.map((h) => <th key={h.text} scope="col" class={h.isNumber ? 'num' : ''} title={h.help}>{h.text}</th>)}</tr>
        </thead>
        <tbody>
          {groups.slice(0, 2000).map((g) => {
            const key = keyOf(g, g.sum);
            const isOpen = open === key;
            const label = fileLabel(g, folder);
            return (
              <Fragment key={key}>
                <tr class={isOpen ? 'sel' : ''} data-certainty={certaintyOf(g.sum)}>
                  <td class="strong">
                    <button type="button" class="twisty" aria-expanded={isOpen} title={shown(g.files.join('\n'))} onClick={() => setOpen(isOpen ? null : key)}>
                      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} small />
                      <span class="cut">{shown(label)}</span>
                      {g.files.length > 1 && <span class="t3">{counted(g.files.length, 'file')}</span>}
                    </button>
                  </td>
                  <td><Machine name={g.sum.machine} index={machines.indexOf(g.sum.machine)} /></td>
                  <td class="t2">{shown(clockLabel(g))}</td>
                  <td>{shown(placedBy(g.sum))}</td>
                  <td class="num">{offsetOf(g)}</td>
                  <td><Bound certainty={certaintyOf(g.sum)} text={boundText(g.sum)} /></td>
                  <td class="num">{countText(big(g.sum.placed))}</td>
                  <td class={g.lost > 0n ? 'num bad strong' : 'num t3'}>{countText(g.lost)}</td>
                </tr>
                {isOpen && <tr class="details"><td colSpan={heads.length}><Details report={report} group={g} /></td></tr>}
              </Fragment>
            );
          })}
          {unreadFiles(report).map((file) => (
            <tr key={`unread ${file}`}>
              <td class="strong"><span class="twisty still"><span class="cut" title={shown(file)}>{shown(below(file, folder))}</span></span></td>
              <td />
              <td />
              <td class="reason-cell">{shown(report.problems.find((p) => p.file === file)?.message ?? '')}</td>
              <td />
              <td><Bound certainty="lost" text="unread" /></td>
              <td class="num">0</td>
              <td class="num bad strong" title="How many events the file has is not known.">?</td>
            </tr>
          ))}
        </tbody>
      </table>
      {groups.length > 2000 && <p class="t2 note">{countText(groups.length - 2000)} more rows are not shown. The JSON has all.</p>}
    </div>
  );
}
