/** What a component loads from the server when it is shown. */
import { useEffect, useState } from 'preact/hooks';
import { errorText } from '../api/http';

/** The value, null until it is there, and the text of the error that came instead. */
export interface Loaded<T> {
  value: T | null;
  error: string;
}

const nothing: Loaded<never> = { value: null, error: '' };

/**
 * Loads a value when the component is first shown, and again when one of `inputs` changes; an answer to earlier inputs
 * is dropped. `load` returns null if there is nothing to ask for.
 */
export function useLoaded<T>(load: () => Promise<T> | null, inputs: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>(nothing);
  useEffect(() => {
    let isCurrent = true;
    setLoaded(nothing);
    load()?.then(
      (value) => isCurrent && setLoaded({ value, error: '' }),
      (reason: unknown) => isCurrent && setLoaded({ value: null, error: errorText(reason) }),
    );
    return () => {
      isCurrent = false;
    };
  }, inputs);
  return loaded;
}
