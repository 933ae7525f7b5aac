/** The args of an event: a tree with a filter; pages of 1,000. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import * as api from '../api/timeline';
import { errorText } from '../api/http';
import { argTree, filterArgs, linkOf, type ArgNode } from '../lib/arg_tree';
import { shortened, shown } from '../lib/text';
import { countText } from '../lib/units';
import { copy } from '../state/notices';
import type { TimelineView } from '../timeline/view';
import { WholeText } from './timeline_whole_text';

function Value({ node }: { node: ArgNode }): JSX.Element | null {
  if (node.value === undefined) return null;
  if (node.value === null) return <i class="t3">NULL</i>;
  const text = String(node.value);
  if (node.type !== 'string') return <span class="n">{shown(text)}</span>;
  const link = linkOf(text);
  if (link !== null) return <a href={link} target="_blank" rel="noopener noreferrer" title={`Opens ${shortened(link, 200)}`}>{shortened(text, 300)}</a>;
  return <span class="s">"{shortened(text, 300)}"</span>;
}

function Nodes({ view, event, nodes, depth }: { view: TimelineView; event: api.EventDetails; nodes: readonly ArgNode[]; depth: number }): JSX.Element {
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.key + node.name}>
          <b>{shortened(node.name, 120)}</b> <Value node={node} />
          {event.cut_texts.includes(`args.${node.key}`) && <WholeText view={view} event={event} field={`args.${node.key}`} />}
          {node.children.length > 0 && (depth < 5 ? <Nodes view={view} event={event} nodes={node.children} depth={depth + 1} /> : <span class="t3">{`{${node.children.length}}`}</span>)}
        </li>
      ))}
    </ul>
  );
}

export function ArgTree({ view, event }: { view: TimelineView; event: api.EventDetails }): JSX.Element {
  const [args, setArgs] = useState<readonly api.Arg[]>([]);
  const [total, setTotal] = useState(event.args_total);
  const [error, setError] = useState('');
  const [filter, setFilter] = useState('');
  const load = (offset: number): void => {
    if (event.args_total === 0) return;
    api.args(view.trace, event.kind, event.row, offset).then(
      (page) => {
        setTotal(page.total);
        setArgs((before) => [...before.slice(0, offset), ...page.args]);
      },
      (reason: unknown) => setError(errorText(reason)),
    );
  };
  useEffect(() => load(0), []);
  const nodes = filterArgs(argTree(args), filter);
  return (
    <section aria-label="Args" class="args-in">
      <h2>Args<span class="t3">{countText(total)}</span>
        {args.length > 0 && <button type="button" class="link" onClick={() => void copy(args.map((a) => `${a.key}\t${String(a.value)}`).join('\n'), `${args.length} args`)}>Copy</button>}</h2>
      {total > 8 && <label class="field soft find"><input value={filter} placeholder="Filter the args" aria-label="Filter the args" onInput={(e) => setFilter(e.currentTarget.value)} /></label>}
      <div class="args scroll" tabIndex={0} role="region" aria-label="Args as a tree"><Nodes view={view} event={event} nodes={nodes} depth={0} /></div>
      {args.length < total && error === '' && args.length > 0 && <button type="button" class="link" onClick={() => load(args.length)}>Load {countText(Math.min(1000, total - args.length))} more</button>}
      {error !== '' && <p class="help bad">{shown(error)}</p>}
    </section>
  );
}
