/** Requests to the server. Only files of api/ call `fetch`. */
import type { Routes } from './types';

/** The place of an error in a statement, counted from 1, or in a document (the path of a member). */
export interface ErrorPlace {
  line?: number;
  column?: number;
  member?: string;
}

/** A problem that the server reported (application/problem+json), or a lost connection (code `offline`). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly status: number,
    readonly detail: string,
    readonly where: ErrorPlace | null = null,
    /** what the user can do; may be empty */
    readonly hint = '',
  ) {
    super(detail);
    this.name = 'ApiError';
  }
}

/** Returns true for an ApiError with one of the codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean => error instanceof ApiError && codes.includes(error.code);

/** Returns the error of a request or a statement that the user cancelled. */
export const cancelled = (): ApiError => new ApiError('cancelled', 0, 'Cancelled.');

export const base = '/api/v1';

function placeOf(value: unknown): ErrorPlace | null {
  if (typeof value === 'string') return { member: value };
  if (typeof value !== 'object' || value === null) return null;
  const { line, column, member } = value as Record<string, unknown>;
  const place: ErrorPlace = {};
  if (Number(line) > 0) place.line = Number(line);
  if (Number(column) > 0) place.column = Number(column);
  if (typeof member === 'string') place.member = member;
  return place;
}

/** Returns the error that a problem document describes. */
export function problemOf(document: unknown, status = 0): ApiError {
  const problem = (typeof document === 'object' && document !== null ? document : {}) as Record<string, unknown>;
  const text = (name: string): string => (typeof problem[name] === 'string' ? problem[name] : '');
  return new ApiError(
    text('code') || `http_${status}`,
    Number(problem['status'] ?? status),
    text('detail') || text('title') || `The server answered with status ${status}.`,
    placeOf(problem['where'] ?? { line: problem['line'], column: problem['column'] }),
    text('hint'),
  );
}

let pending = 0;

/** Returns the number of requests that the server has not answered. */
export const pendingRequests = (): number => pending;

/** Sends a request. Throws an ApiError for each answer that is not a success, and if there is none. */
export async function send(method: string, path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  pending += 1;
  try {
    response = await fetch(base + path, { method, credentials: 'same-origin', ...options });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw cancelled();
    throw new ApiError('offline', 0, 'The server does not answer.');
  } finally {
    pending -= 1;
  }
  if (response.ok) return response;
  let document: unknown = null;
  try {
    document = await response.json();
  } catch {
    // A proxy may answer with another type; the status is all there is.
  }
  throw problemOf(document, response.status);
}

/** The JSON answer of a route, as the server's OpenAPI document says. */
export type Answer<R extends keyof Routes> = Routes[R]['answer'];

/** Ids of a path: each `{x}` of a route is a member. */
type Ids<Path extends string> = Path extends `${string}{${infer Id}}${infer Rest}` ? Record<Id, string> & Ids<Rest> : unknown;

interface CallOptions<R extends keyof Routes> {
  query?: Routes[R]['query'];
  body?: Routes[R]['body'];
  signal?: AbortSignal;
}

/** Returns the path of a route with its ids and the parameters of the query. */
export function pathOf(route: string, ids: Readonly<Record<string, string>>, query: Readonly<Record<string, string | undefined>> = {}): string {
  const path = route.slice(route.indexOf(' ') + 1).replace(/\{(\w+)\}/g, (_, id: string) => encodeURIComponent(ids[id] ?? ''));
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Sends JSON, if any, and returns the JSON of the answer, or undefined for an empty one. */
export async function exchange(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const response = await send(method, path, {
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

/** Calls a route that answers with JSON, or with nothing (undefined). */
export async function call<R extends keyof Routes>(route: R, ids: Ids<R>, { query, body, signal }: CallOptions<R> = {}): Promise<Answer<R>> {
  const path = pathOf(route, ids as Record<string, string>, query as Record<string, string> | undefined);
  return (await exchange(route.slice(0, route.indexOf(' ')), path, body, signal)) as Answer<R>;
}

/** Returns an error's text for people. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
