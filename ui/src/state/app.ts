/** What the whole page shares: the connection to the server, open traces, jobs, and how they follow each other. */
import { computed, signal } from '@preact/signals';
import { errorText } from '../api/http';
import { isUnauthorized, login } from '../api/login';
import { Link, socketAddress, type LinkState, type Message } from '../api/socket';
import * as api from '../api/traces';
import { followAddress, go, route } from './route';
import { loadFromServer } from './settings';

export type Phase = { kind: 'starting' } | { kind: 'ready' } | { kind: 'locked' } | { kind: 'broken'; detail: string };

export const phase = signal<Phase>({ kind: 'starting' });
export const link = signal<LinkState>({ kind: 'connecting' });
export const status = signal<api.Status | null>(null);
export const traces = signal<api.TraceInfo[]>([]);
export const jobs = signal<ReadonlyMap<string, JobView>>(new Map());

/** A job with its speed in units a second, over the last seconds. */
export interface JobView extends api.Job {
  speed: number;
  since: number;
}

/** The trace of the address, or the first open one. */
export const current = computed<api.TraceInfo | null>(() => {
  const id = route.value.trace;
  return traces.value.find((t) => t.trace === id) ?? (id === null ? (traces.value[0] ?? null) : null);
});

/** Inputs of the trace that the address names, if the server does not have it: it was restarted. */
export const vanished = computed<api.TraceInfo | null>(() => {
  const id = route.value.trace;
  if (id === null || phase.value.kind !== 'ready' || traces.value.some((t) => t.trace === id)) return null;
  return known.get(id) ?? { trace: id, name: id, state: 'failed', inputs: [], missing: [] };
});

/** Traces as they were before the server was lost. */
const known = new Map<string, api.TraceInfo>();

let socket: Link | null = null;

/** Traces that are open for a trial only, which the lists leave out. */
export const hiddenTraces = new Set<string>();

function take(all: api.TraceInfo[]): void {
  const list = all.filter((t) => !hiddenTraces.has(t.trace));
  for (const t of list) known.set(t.trace, t);
  traces.value = list;
  for (const t of list) if (t.state === 'opening' && t.job) follow(t.job);
}

export async function refreshTraces(): Promise<void> {
  take(await api.listTraces());
}

/** Adds the speed of a job to its new state. */
export function withSpeed(before: JobView | undefined, next: api.Job, now: number): JobView {
  if (!before || before.stage !== next.stage) return { ...next, speed: 0, since: now };
  const seconds = (now - before.since) / 1000;
  return { ...next, since: before.since, speed: seconds > 0.2 ? (next.done ?? 0) / seconds : before.speed };
}

function takeJob(job: api.Job): void {
  const next = new Map(jobs.value);
  next.set(job.job, withSpeed(next.get(job.job), job, Date.now()));
  jobs.value = next;
  if (job.state === 'queued' || job.state === 'running') return;
  socket?.unwatch(job.job);
  polled.delete(job.job);
  void refreshTraces().catch(() => undefined);
}

const polled = new Set<string>();

/** Follows a job: by messages of the socket, and by asking twice a second while the socket is not open. */
function follow(id: string): void {
  if (polled.has(id)) return;
  polled.add(id);
  socket?.watch(id);
  const ask = async (): Promise<void> => {
    if (!polled.has(id)) return;
    try {
      takeJob(await api.job(id));
    } catch {
      // The next attempt, or the reconnect, tells.
    }
    if (polled.has(id)) window.setTimeout(() => void ask(), link.value.kind === 'open' ? 2000 : 500);
  };
  void ask();
}

/** Receives the answers that are the timeline's: binary frames, and messages of its operations. */
export interface TileReceiver {
  frame(bytes: ArrayBuffer): void;
  message(message: Message): void;
}

let tileReceiver: TileReceiver | null = null;

/** Names the receiver of tiles; the latest one holds. */
export function receiveTiles(receiver: TileReceiver | null): void {
  tileReceiver = receiver;
}

/** Sends a message on the page's socket; returns false if it is not open. */
export const post = (message: Message): boolean => socket?.post(message) ?? false;

function onMessage(message: Message): void {
  if (message.op === 'done' || message.op === 'strings' || message.op === 'error') tileReceiver?.message(message);
  if (message.op === 'job') takeJob(message as unknown as api.Job);
  else if (message.op === 'changed') void refreshTraces().catch(() => undefined);
}

/** True if a server answers that does not accept the page's cookie: it was started anew with another token. */
export const isForeign = signal(false);

async function onState(state: LinkState): Promise<void> {
  const before = link.value.kind;
  link.value = state;
  if (state.kind === 'open') isForeign.value = false;
  // A handshake that is refused looks like a lost connection, so a request asks for the reason.
  if (state.kind === 'lost') api.status().then(() => undefined, (error: unknown) => (isForeign.value = isUnauthorized(error)));
  if (state.kind !== 'open' || before !== 'lost') return;
  try {
    status.value = await api.status();
    await refreshTraces();
    generation.value += 1;
  } catch (error) {
    if (isUnauthorized(error)) phase.value = { kind: 'locked' };
  }
}

/** Rises with each reconnect, so that pages load again what failed meanwhile. */
export const generation = signal(0);

/** Tries to reach the server now. */
export function retryNow(): void {
  socket?.connect();
}

/** Connects: that takes as long as the answers that the page still waits for. */
function connect(): void {
  socket = new Link(socketAddress(location), { state: (s) => void onState(s), message: onMessage, binary: (bytes) => tileReceiver?.frame(bytes) });
  socket.connect();
  for (const id of polled) socket.watch(id);
}

/** Logs in, loads what the server has, and connects. */
export async function start(): Promise<void> {
  try {
    await login(location, history);
    followAddress();
    await Promise.all([refreshTraces().then(connect), api.status().then((now) => {
      status.value = now;
      return loadFromServer(now.features);
    })]);
  } catch (error) {
    phase.value = isUnauthorized(error) ? { kind: 'locked' } : { kind: 'broken', detail: errorText(error) };
    return;
  }
  const first = traces.value[0];
  if (route.value.trace === null && first && !location.hash) go('timeline', first.trace);
  phase.value = { kind: 'ready' };
}

/** Opens inputs as a new trace and shows its progress. Throws an ApiError. */
export async function open(inputs: api.Input[]): Promise<void> {
  const answer = await api.openTrace(inputs);
  await refreshTraces();
  follow(answer.job);
  const id = answer.trace ?? traces.value.find((t) => t.job === answer.job)?.trace;
  if (id !== undefined) go('timeline', id);
}
