/** Texts that were cut, whole. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import * as api from '../api/timeline';
import type { EventDetails } from '../api/timeline';
import { shortened, shownLines } from '../lib/text';
import { countText } from '../lib/units';
import type { TimelineView } from '../timeline/view';
import { Dialog } from '../widgets/parts';

/** A button that loads a text that was cut, and shows it in a dialog. */
export function WholeText({ view, event, field }: { view: TimelineView; event: EventDetails; field: string }): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  return (
    <>
      <button type="button" class="link" onClick={() => void api.wholeText(view.trace, event.kind, event.row, field).then(setText, (e: unknown) => setText(String(e)))}>show all</button>
      {text !== null && (
        <Dialog title={shortened(field, 60)} onClose={() => setText(null)} wide>
          <p class="t3 note">{countText(text.length)} characters</p>
          <pre class="cell-full">{shownLines(text.length > 1_000_000 ? `${text.slice(0, 1_000_000)}…` : text)}</pre>
        </Dialog>
      )}
    </>
  );
}
