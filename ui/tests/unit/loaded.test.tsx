// @vitest-environment happy-dom
/** Values that components load. */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { useLoaded } from '../../src/widgets/loaded';

test('an answer to earlier inputs is dropped, and so is an earlier error', async () => {
  const host = document.createElement('div');
  const asked = new Map<string, { answer: (text: string) => void; fail: (error: Error) => void }>();
  const Show = ({ name }: { name: string }) => {
    const { value, error } = useLoaded(() => (name === '' ? null : new Promise<string>((answer, fail) => asked.set(name, { answer, fail }))), [name]);
    return <p>{error || (value ?? 'loading')}</p>;
  };
  const show = async (name: string): Promise<string | null> => {
    await act(() => render(<Show name={name} />, host));
    return host.textContent;
  };
  expect(await show('a')).toBe('loading');
  expect(await show('b')).toBe('loading');
  await act(async () => asked.get('b')?.answer('of b'));
  expect(host.textContent).toBe('of b');
  await act(async () => asked.get('a')?.answer('of a'));
  expect(host.textContent).toBe('of b');
  expect(await show('c')).toBe('loading');
  await act(async () => asked.get('c')?.fail(new Error('gone')));
  expect(host.textContent).toBe('gone');
  expect(await show('')).toBe('loading');
});
