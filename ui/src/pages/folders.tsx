/** Folders of the server that `--root` allows: browse, choose, open without copying. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../api/http';
import { listFolder } from '../api/traces';
import { shown } from '../lib/text';
import { bytesText, counted, countText } from '../lib/units';
import { open, status } from '../state/app';
import { Icon } from '../widgets/icon';
import { useLoaded } from '../widgets/loaded';

interface Place {
  root: string;
  path: string;
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

function Folder({ place, onGo }: { place: Place; onGo: (place: Place | null) => void }): JSX.Element {
  const { value: listing, error: listError } = useLoaded(() => listFolder(place.root, place.path), [place.root, place.path]);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [openError, setOpenError] = useState('');
  const error = listError || openError;
  useEffect(() => {
    setChosen(new Set());
    setOpenError('');
  }, [place.root, place.path]);
  const toggle = (name: string): void => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  };
  const openChosen = (): void => {
    const inputs = [...chosen].map((name) => ({ name, root: place.root, path: join(place.path, name) }));
    open(inputs).catch((reason: unknown) => setOpenError(errorText(reason)));
  };
  const up = place.path === '' ? null : { root: place.root, path: place.path.split('/').slice(0, -1).join('/') };
  return (
    <div class="folder" data-testid="folder">
      <div class="folder-h">
        <button type="button" class="btn ghost icon" aria-label="Up" onClick={() => onGo(up)}><Icon name="arrow-left" /></button>
        <span class="mono cut">{shown(join(place.root, place.path))}</span>
        <span class="grow" />
        <button type="button" class="btn primary" disabled={chosen.size === 0} onClick={openChosen}>
          {chosen.size === 0 ? 'Choose files' : `Open ${counted(chosen.size, 'file')}`}
        </button>
      </div>
      {error !== '' && <p class="help bad" role="alert">{shown(error)}</p>}
      {listing && listing.entries.length === 0 && <p class="t2 note">This folder is empty.</p>}
      <ul class="rows">
        {listing?.entries.map((entry) => (
          <li key={entry.name}>
            {entry.kind === 'folder' ? (
              <button type="button" class="row" onClick={() => onGo({ root: place.root, path: join(place.path, entry.name) })}>
                <Icon name="folder" />
                <span class="cut">{shown(entry.name)}</span>
                <span />
                <span />
              </button>
            ) : (
              <label class="row">
                <input type="checkbox" checked={chosen.has(entry.name)} onChange={() => toggle(entry.name)} />
                <span class="cut">{shown(entry.name)}</span>
                <span />
                <span class="t3 num">{entry.size === undefined ? '' : bytesText(entry.size)}</span>
              </label>
            )}
          </li>
        ))}
      </ul>
      {listing && listing.total > listing.entries.length && (
        <p class="t2 note">{countText(listing.total - listing.entries.length)} more are not listed. Choose a smaller folder.</p>
      )}
    </div>
  );
}

export function ServerFolders(): JSX.Element {
  const [place, setPlace] = useState<Place | null>(null);
  return (
    <>
      <div class="sec"><h2>Server folders</h2></div>
      {place ? (
        <Folder place={place} onGo={setPlace} />
      ) : (
        <ul class="rows">
          {status.value?.roots.map((root) => (
            <li key={root}>
              <button type="button" class="row" onClick={() => setPlace({ root, path: '' })}>
                <Icon name="folder" />
                <span class="cut">{shown(root)}</span>
                <span />
                <span />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
