// @vitest-environment happy-dom
/** Talking to the server: problems, login, reconnecting, settings, keys, routes. */
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError, problemOf, send } from '../../src/api/http';
import { login, secretOf } from '../../src/api/login';
import { Link, parseMessage, retrySeconds, type LinkState } from '../../src/api/socket';
import { listTraces, schema } from '../../src/api/traces';
import { withSpeed } from '../../src/state/app';
import { keyName, positionName, shownKey } from '../../src/state/keys';
import { formatRoute, parseRoute } from '../../src/state/route';
import { defaults, loadFromServer, parseSettings, settings } from '../../src/state/settings';
import { distinctNames } from '../../src/state/uploads';
import { checkTemplate, constantTemplates, installTrustedTypes } from '../../src/lib/trusted';
import { payloads } from '../mock/hostile.mjs';

afterEach(() => vi.unstubAllGlobals());

const answer = (status: number, body: unknown = null, headers: Record<string, string> = {}): Response =>
  new Response(body === null ? null : JSON.stringify(body), { status, headers });

test('problems have code, detail and place', async () => {
  expect(problemOf({ code: 'sql_error', detail: 'no', where: { line: 2, column: '7' } }, 422)).toMatchObject({ code: 'sql_error', status: 422, where: { line: 2, column: 7 } });
  expect(problemOf('x', 500)).toMatchObject({ code: 'http_500', detail: 'The server answered with status 500.' });
  expect(problemOf({ code: 'bad_request', detail: 'wrong', where: 'inputs[0].path' }, 400).where).toEqual({ member: 'inputs[0].path' });
  vi.stubGlobal('fetch', vi.fn().mockRejectedValueOnce(new TypeError('refused')).mockResolvedValueOnce(answer(404, { code: 'not_found', detail: 'none' })).mockResolvedValueOnce(new Response('<html>', { status: 502 })));
  await expect(send('GET', '/status')).rejects.toMatchObject({ code: 'offline' });
  await expect(send('GET', '/status')).rejects.toMatchObject({ code: 'not_found' });
  await expect(send('GET', '/status')).rejects.toMatchObject({ code: 'http_502' });
});

test('the token leaves the address before it is sent', async () => {
  expect(secretOf('#token=abc')).toEqual({ token: 'abc' });
  expect(secretOf('#code=9')).toEqual({ code: '9' });
  expect([secretOf(''), secretOf('#/t/1/sql')]).toEqual([null, null]);
  const order: string[] = [];
  vi.stubGlobal('fetch', vi.fn(async () => (order.push('post'), answer(204))));
  await login({ hash: '#token=abc', pathname: '/', search: '' } as Location, { replaceState: () => order.push('clear') } as unknown as History);
  expect(order).toEqual(['clear', 'post']);
});

class FakeSocket {
  static made: FakeSocket[] = [];
  readyState = 0;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((e: { data: unknown }) => void) | null = null;
  constructor() {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
}

test('the link tries again after 1, 2, 4, 8, then 15 s, and watches its jobs again', () => {
  FakeSocket.made = [];
  const timers = new Map<number, { run: () => void; ms: number }>();
  let next = 1;
  const states: LinkState[] = [];
  const messages: string[] = [];
  const link = new Link('ws://x', { state: (s) => states.push(s), message: (m) => messages.push(m.op) }, {
    set: (run, ms) => (timers.set(next, { run, ms }), next++), clear: (id) => timers.delete(id), now: () => 0,
  }, () => new FakeSocket() as unknown as WebSocket);
  const last = (): FakeSocket => FakeSocket.made[FakeSocket.made.length - 1] as FakeSocket;
  const fire = (ms: number): void => {
    const found = [...timers].find(([, t]) => t.ms === ms);
    expect(found).toBeDefined();
    if (found) timers.delete(found[0]);
    found?.[1].run();
  };
  link.connect();
  last().open();
  link.watch('7');
  last().onmessage?.({ data: '{"op":"job"}' });
  last().onmessage?.({ data: 'nonsense' });
  last().onmessage?.({ data: new ArrayBuffer(4) });
  expect(messages).toEqual(['job']);
  for (const seconds of [...retrySeconds, 15]) {
    last().onclose?.();
    fire(seconds * 1000);
  }
  last().open();
  expect(last().sent.map((t) => (JSON.parse(t) as { op: string }).op)).toEqual(['hello', 'watch']);
  expect(states.map((s) => s.kind)).toEqual(['open', 'lost', 'lost', 'lost', 'lost', 'lost', 'lost', 'open']);
  fire(30_000); // silence: the page asks
  fire(10_000); // no answer: lost
  expect(states[states.length - 1]).toEqual({ kind: 'lost', retryAt: 1000 });
  link.close();
  expect(timers.size).toBe(0);
  expect([parseMessage('[]'), parseMessage('{"op":1}'), parseMessage('{"op":"x"}')]).toEqual([null, null, { op: 'x' }]);
});

test('answers of the server become the page’s types', async () => {
  vi.stubGlobal('fetch', vi.fn().mockResolvedValueOnce(answer(200, { traces: [{ id: '1', name: 'a', state: 'open', inputs: [] }] })).mockResolvedValueOnce(answer(200, { relations: [{ name: 'slice', kind: 'table', about: 'x', rows: '5', columns: [{ name: 'ts', type: 'int' }] }], modules: [{ key: 'a.b' }] })));
  expect(await listTraces()).toEqual([{ trace: '1', name: 'a', state: 'open', inputs: [], missing: [] }]);
  expect(await schema('1')).toEqual({ tables: [{ name: 'slice', kind: 'table', description: 'x', rows: 5, columns: [{ name: 'ts', type: 'int', description: '' }] }], functions: [], modules: [{ name: 'a.b', description: '' }] });
});

test('names of dropped files are the shortest that differ', () => {
  expect(distinctNames(['run/a/trace.json', 'run/b/trace.json'])).toEqual(['a/trace.json', 'b/trace.json']);
  expect(distinctNames(['run/trace.json'])).toEqual(['trace.json']);
  expect(distinctNames(['a.json', 'b.json'])).toEqual(['a.json', 'b.json']);
});

test('settings that are malformed have defaults', () => {
  expect(parseSettings(null)).toEqual(defaults);
  expect(parseSettings({ theme: 'neon', times: 'utc', history: [{ sql: 'x', at: 1 }, { sql: 2 }, null], recents: 'no', saved: [{ name: 'a', sql: 'b' }] })).toEqual({ ...defaults, times: 'utc', history: [{ sql: 'x', at: 1 }], saved: [{ name: 'a', sql: 'b' }] });
});

test('only a server that keeps settings is asked for them', async () => {
  const fetch = vi.fn(async () => answer(200, { times: 'utc' }));
  vi.stubGlobal('fetch', fetch);
  await loadFromServer(['traces']);
  expect(fetch).not.toHaveBeenCalled();
  await loadFromServer(['settings']);
  expect(settings.value.times).toBe('utc');
});

test('keys and routes', () => {
  const key = (key: string, part: Partial<KeyboardEvent> = {}): string => keyName({ key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...part }, false);
  expect([key('p', { ctrlKey: true, shiftKey: true }), key('?', { shiftKey: true }), key('¢', { altKey: true, code: 'Digit4' }), key('u'), key('Escape')]).toEqual(['Mod+Shift+P', '?', 'Alt+4', 'U', 'Escape']);
  expect([key('и', { ctrlKey: true, code: 'KeyB' }), key('u', { code: 'KeyF' }), key('é', { code: 'Digit2' })]).toEqual(['Mod+B', 'U', 'é']);
  expect(keyName({ key: 'o', code: '', ctrlKey: false, metaKey: true, altKey: false, shiftKey: false }, true)).toBe('Mod+O');
  expect([shownKey('Mod+Enter', false), shownKey('Mod+O', true)]).toEqual(['Ctrl ↵', '⌘ O']);
  const position = (code: string, part: Partial<KeyboardEvent> = {}): string => positionName({ code, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...part }, false);
  expect([position('KeyW'), position('Digit1', { shiftKey: true }), position('KeyA', { ctrlKey: true }), position('Space')]).toEqual(['W', 'Shift+1', 'Mod+A', 'Space']);
  expect(parseRoute('#/t/a%2Fb/sql')).toEqual({ page: 'sql', trace: 'a/b' });
  expect(parseRoute('#/t/1/nothing')).toEqual({ page: 'start', trace: null });
  expect(formatRoute({ page: 'report', trace: 'a/b' })).toBe('#/t/a%2Fb/report');
});

test('the speed of a job is that of its stage', () => {
  const job = { job: '1', kind: 'import', state: 'running' as const, stage: 'reading', done: 0 };
  const first = withSpeed(undefined, job, 1000);
  expect(first.speed).toBe(0);
  expect(withSpeed(first, { ...job, done: 500 }, 2000).speed).toBe(500);
  expect(withSpeed(first, { ...job, stage: 'merging', done: 500 }, 2000).speed).toBe(0);
});

test('only constant templates become HTML', () => {
  for (const template of constantTemplates) expect(checkTemplate(template)).toBe(template);
  for (const payload of payloads) expect(() => checkTemplate(payload)).toThrow(TypeError);
  const made: string[] = [];
  installTrustedTypes({ trustedTypes: { createPolicy: (name) => made.push(name) } });
  installTrustedTypes({});
  expect(made).toEqual(['default']);
  expect(new ApiError('x', 1, 'y').message).toBe('y');
});
