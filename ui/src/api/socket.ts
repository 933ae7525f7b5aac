/** The WebSocket of the page: progress of jobs, and whether the server still answers. */
import { base } from './http';

/** The socket's state: connecting at first, then open; lost until it is open again. */
export type LinkState = { kind: 'connecting' } | { kind: 'open' } | { kind: 'lost'; retryAt: number };

export type Message = { op: string } & Record<string, unknown>;

export interface LinkEvents {
  state(state: LinkState): void;
  message(message: Message): void;
  /** A binary message: a tile frame. */
  binary?(bytes: ArrayBuffer): void;
}

/** Seconds until the next attempts; the last one repeats. */
export const retrySeconds: readonly number[] = [1, 2, 4, 8, 15];

/** A browser answers pings of the protocol without telling the page. After this silence the page asks itself. */
const silenceLimit = 30_000;
/** Time in which the server must answer the page's question. */
const answerLimit = 10_000;

interface Timers {
  set(run: () => void, ms: number): number;
  clear(id: number): void;
  now(): number;
}

const realTimers: Timers = {
  set: (run, ms) => window.setTimeout(run, ms),
  clear: (id) => window.clearTimeout(id),
  now: () => Date.now(),
};

/** Keeps one WebSocket open and reconnects it after a loss. */
export class Link {
  private socket: WebSocket | null = null;
  private attempt = 0;
  private retryTimer = 0;
  private silenceTimer = 0;
  private closed = false;
  private watched = new Set<string>();

  constructor(
    private readonly address: string,
    private readonly events: LinkEvents,
    private readonly timers: Timers = realTimers,
    private readonly make: (address: string) => WebSocket = (a) => new WebSocket(a, 'tracebraid.1'),
  ) {}

  /** Opens the socket now; also ends the wait for the next attempt. */
  connect(): void {
    if (this.closed || this.socket) return;
    this.timers.clear(this.retryTimer);
    const socket = this.make(this.address);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => {
      this.attempt = 0;
      this.heard();
      this.greet();
      for (const job of this.watched) this.post({ op: 'watch', job });
      this.events.state({ kind: 'open' });
    };
    socket.onmessage = (event: MessageEvent<unknown>) => {
      this.heard();
      if (event.data instanceof ArrayBuffer) this.events.binary?.(event.data);
      if (typeof event.data !== 'string') return;
      const message = parseMessage(event.data);
      if (message) this.events.message(message);
    };
    socket.onclose = () => this.lost(socket);
    socket.onerror = () => this.lost(socket);
  }

  /** Asks for messages about a job, also after a reconnect. */
  watch(job: string): void {
    this.watched.add(job);
    this.post({ op: 'watch', job });
  }

  unwatch(job: string): void {
    if (this.watched.delete(job)) this.post({ op: 'unwatch', job });
  }

  /** Closes the socket for good. */
  close(): void {
    this.closed = true;
    this.timers.clear(this.retryTimer);
    this.timers.clear(this.silenceTimer);
    this.socket?.close();
    this.socket = null;
  }

  private greet(): void {
    this.post({ op: 'hello', client: 'viewer', viewport: [window.innerWidth, window.innerHeight] });
  }

  /** Sends a message; returns false if the socket is not open. */
  post(message: Message): boolean {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  private heard(): void {
    this.timers.clear(this.silenceTimer);
    this.silenceTimer = this.timers.set(() => {
      this.greet(); // answered with `welcome`
      this.silenceTimer = this.timers.set(() => this.socket && this.lost(this.socket), answerLimit);
    }, silenceLimit);
  }

  private lost(socket: WebSocket): void {
    if (this.socket !== socket) return;
    this.socket = null;
    socket.close();
    this.timers.clear(this.silenceTimer);
    if (this.closed) return;
    const seconds = retrySeconds[Math.min(this.attempt, retrySeconds.length - 1)] ?? 15;
    this.attempt += 1;
    this.events.state({ kind: 'lost', retryAt: this.timers.now() + seconds * 1000 });
    this.retryTimer = this.timers.set(() => this.connect(), seconds * 1000);
  }
}

/** Returns the message of a frame, or null if it is malformed. */
export function parseMessage(text: string): Message | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && typeof (value as Message).op === 'string') return value as Message;
  } catch {
    // Dropped below: a frame that is no JSON.
  }
  return null;
}

/** Returns the address of the socket of this page. */
export function socketAddress(location: Location): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${base}/ws`;
}
