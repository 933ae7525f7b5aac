/** The dialog that saves, links and opens views. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { shown } from '../lib/text';
import { currentState } from '../state/keep_state';
import { copyLink, fileName, openStateFile, question, saveStateFile, shareError, takeState } from '../state/share';
import { saveText } from '../state/save_text';
import { currentReport } from '../state/status';
import { current } from '../state/app';
import { currentView, surface } from '../state/timeline';
import { chooseFiles } from '../widgets/files';
import { Icon, type IconName } from '../widgets/icon';
import { Dialog } from '../widgets/parts';

function Way(props: { icon: IconName; label: string; about: string; run: () => void }): JSX.Element {
  return (
    <li>
      <button type="button" class="btn" onClick={props.run}><Icon name={props.icon} />{props.label}</button>
      <p class="t2">{props.about}</p>
    </li>
  );
}

function Others({ missing, added, onUse }: { missing: string[]; added: string[]; onUse: () => void }): JSX.Element {
  const list = (files: readonly string[]): string => `${files.slice(0, 5).map(shown).join(', ')}${files.length > 5 ? ` and ${files.length - 5} more` : ''}`;
  return (
    <div class="share-question" role="alert">
      <p><b>The view was saved for other files.</b></p>
      {missing.length > 0 && <p>Not in this trace: {list(missing)}</p>}
      {added.length > 0 && <p>Only in this trace: {list(added)}</p>}
      <button type="button" class="btn primary" onClick={onUse}>Use it all the same</button>
    </div>
  );
}

export function ShareDialog({ onClose }: { onClose: () => void }): JSX.Element | null {
  const view = currentView.value;
  const [isBusy, setBusy] = useState(false);
  if (!view) return null;
  const close = (): void => {
    question.value = null;
    shareError.value = '';
    onClose();
  };
  const openFile = async (): Promise<void> => {
    const [chosen] = await chooseFiles();
    if (!chosen) return;
    setBusy(true);
    if (await openStateFile(view, chosen.file)) close();
    setBusy(false);
  };
  const saveReport = async (): Promise<void> => {
    const { reportOf } = await import('./share_report');
    const drawn = surface.value;
    const title = current.value?.name ?? 'trace';
    if (drawn) saveText(reportOf(title, view, drawn, currentState(view), currentReport.value), fileName('html'), 'text/html');
  };
  const other = question.value;
  return (
    <Dialog title="Share this view" onClose={close} testId="share">
      <ul class="share" aria-busy={isBusy}>
        <Way icon="link" label="Copy a link" about="Opens this view on this server, while it has these files open." run={() => void copyLink(view)} />
        <Way icon="save" label="Save the view" about="A file with window, tracks, pins, marks and queries, for someone who has the same traces. It has no events." run={() => saveStateFile(view)} />
        <Way icon="folder" label="Open a saved view" about="From a .tbstate file. Its queries do not run until you run them." run={() => void openFile()} />
        <Way icon="report" label="Save a report" about="One HTML file without scripts: a picture, the selected event, marks, and how the files are placed." run={() => void saveReport()} />
      </ul>
      {other && <Others missing={other.missing} added={other.added} onUse={() => void takeState(view, other.state).then(close)} />}
      {shareError.value !== '' && <p class="bad" role="alert">{shown(shareError.value)}</p>}
    </Dialog>
  );
}
