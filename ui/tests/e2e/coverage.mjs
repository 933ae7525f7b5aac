/**
 * Which parts of the viewer's scripts the pages of a run execute. A build that is not minified, with source maps, takes
 * the place of the program's assets, so that scripts/coverage.mjs finds the lines of the sources.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Marks the bytes of a script that V8 counted: inner ranges of a function overrule the ones around them. */
function mark(executed, functions) {
  const ranges = functions.flatMap((f) => f.ranges).sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const page = new Uint8Array(executed.length);
  for (const { startOffset, endOffset, count } of ranges) page.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  for (let i = 0; i < page.length; i += 1) executed[i] |= page[i];
}

/** Returns the ends of alternating runs of bytes: the first run is not executed. */
function runsOf(executed) {
  const ends = [];
  for (let i = 0, state = 0; i < executed.length; i += 1) {
    if (executed[i] !== state) {
      ends.push(i);
      state = executed[i];
    }
  }
  return [...ends, executed.length];
}

/** Returns a collector for a build of the viewer in a folder. Its pages get that build also from servers with another one. */
export function collector(dist, hasOtherBuild) {
  const assets = new Map(readdirSync(join(dist, 'assets')).map((name) => [name.replace(/\.[\w-]+(?=\.\w+$)/, ''), name]));
  const scripts = new Map();
  return {
    async start(page) {
      if (hasOtherBuild) await page.route((url) => url.pathname === '/' || url.pathname.startsWith('/assets/'), async (route) => {
        const path = new URL(route.request().url()).pathname;
        if (path !== '/') {
          const file = join(dist, path.slice(1));
          return /\.(js|css|svg)$/.test(path) ? route.fulfill({ path: file }) : route.continue();
        }
        const response = await route.fetch();
        const own = (await response.text()).replace(/\/assets\/([\w-]+)\.[\w-]+(\.\w+)/g, (whole, name, type) => (assets.has(name + type) ? `/assets/${assets.get(name + type)}` : whole));
        return route.fulfill({ response, body: own });
      });
      await page.coverage.startJSCoverage({ resetOnNavigation: false });
    },
    /** Adds what a page executed since start(). */
    async stop(page) {
      const entries = await page.coverage.stopJSCoverage().catch(() => []);
      for (const { url, functions } of entries) {
        const name = new URL(url).pathname.replace('/assets/', '');
        if (![...assets.values()].includes(name)) continue;
        if (!scripts.has(name)) scripts.set(name, new Uint8Array(readFileSync(join(dist, 'assets', name), 'utf8').length));
        mark(scripts.get(name), functions);
      }
    },
    write(folder, file) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, file), JSON.stringify(Object.fromEntries([...scripts].map(([name, executed]) => [name, runsOf(executed)]))));
    },
  };
}
