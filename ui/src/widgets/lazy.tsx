/** Pages whose code is loaded when they are shown for the first time. */
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component whose code can be loaded before it is shown. */
export type LazyPage = ComponentType & { preload: () => void };

/** Returns a component that loads the real one; a failure shows a message and a button to load the page again. */
export function lazyPage(load: () => Promise<ComponentType>): LazyPage {
  let loaded: ComponentType | null = null;
  // The page tries again when it is shown, and shows a failure then.
  const preload = (): void => void load().then((component) => (loaded ??= component), () => undefined);
  function Lazy(): JSX.Element {
    const [, redraw] = useState(0);
    const [error, setError] = useState('');
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          redraw((n) => n + 1);
        },
        (reason: unknown) => setError(String(reason)),
      );
    }, []);
    if (loaded) {
      const Page = loaded;
      return <Page />;
    }
    if (error === '') return <div class="page" aria-busy="true" />;
    return (
      <div class="empty" role="alert">
        <p>A part of the viewer could not be loaded.</p>
        <button type="button" class="btn" onClick={() => location.reload()}>Load the page again</button>
      </div>
    );
  }
  return Object.assign(Lazy, { preload });
}
