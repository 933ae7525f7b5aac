/** Metadata of the trace: what the files say of themselves, by SQL. */
import type { JSX } from 'preact';
import { small } from '../api/queries';
import { shown, shownLines } from '../lib/text';
import { current } from '../state/app';
import { useLoaded } from '../widgets/loaded';

const statement = `SELECT metadata.name, coalesce(str_value, CAST(int_value AS TEXT)) AS value, machine.name AS machine, trace_file.name AS file
FROM metadata
LEFT JOIN machine ON metadata.machine_id = machine.id
LEFT JOIN trace_file ON metadata.trace_id = trace_file.id
ORDER BY metadata.id`;

export function MetadataPanel(): JSX.Element {
  const trace = current.value?.trace;
  const { value, error } = useLoaded(() => (trace === undefined ? null : small(trace, statement)), [trace]);
  const rows = value?.rows;
  const text = (cell: unknown): string => (cell === null || cell === undefined ? '' : String(cell));
  return (
    <div class="report one">
      <section class="panel" aria-label="Metadata" aria-busy={!rows}>
        <div class="panel-h"><h2>Metadata</h2><small>what the files and their recorders say of themselves; the table <code>metadata</code></small></div>
        {error !== '' && <p class="help bad note" role="alert">{shown(error)}</p>}
        {rows && rows.length === 0 && <p class="t2 note">The files have no metadata.</p>}
        {rows && rows.length > 0 && (
          <div class="scroll-x">
            <table class="t meta">
              <thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Machine</th><th scope="col">File</th></tr></thead>
              <tbody>
                {rows.map((row, i) => (
                  <tr key={i}><td>{shown(text(row[0]))}</td><td class="mono value">{shownLines(text(row[1]))}</td><td class="t2">{shown(text(row[2]))}</td><td class="t2">{shown(text(row[3]))}</td></tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </div>
  );
}
