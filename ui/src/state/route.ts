/** The page that is shown, from the fragment of the address: `#/start`, `#/t/TRACE/timeline`, `#/t/TRACE/merge`, `#/t/TRACE/clocks`, `#/t/TRACE/sql`, `#/t/TRACE/report`. */
import { signal } from '@preact/signals';

export type PageName = 'start' | 'timeline' | 'merge' | 'clocks' | 'sql' | 'report';

export interface Route {
  page: PageName;
  trace: string | null;
}

/** Returns the route of a fragment; anything unknown is the start page. */
export function parseRoute(hash: string): Route {
  const match = /^#\/t\/([^/]+)\/(timeline|merge|clocks|sql|report)$/.exec(hash);
  if (!match) return { page: 'start', trace: null };
  return { page: match[2] as PageName, trace: decodeURIComponent(match[1] ?? '') };
}

/** Returns the fragment of a route. */
export function formatRoute(route: Route): string {
  return route.trace === null ? '#/start' : `#/t/${encodeURIComponent(route.trace)}/${route.page}`;
}

export const route = signal<Route>({ page: 'start', trace: null });

/** Follows the address from now on. */
export function followAddress(): void {
  const read = (): void => {
    route.value = parseRoute(location.hash);
  };
  window.addEventListener('hashchange', read);
  read();
}

export function go(page: PageName, trace: string | null): void {
  location.hash = formatRoute({ page, trace });
}
