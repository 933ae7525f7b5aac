/** The browser of the tests: Debian's chromium, headless, with a page that fails the test on any error. */
import { existsSync, writeFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));

/** Returns the path of chromium, or undefined where there is none. */
export function chromiumPath() {
  return [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((p) => p && existsSync(p));
}

/** Starts the browser. Its fonts are those of tests/e2e/fonts.conf, so that pictures do not depend on the machine's. */
export async function startBrowser() {
  const root = typeof process.getuid === 'function' && process.getuid() === 0;
  return chromium.launch({
    executablePath: chromiumPath(),
    headless: true,
    args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu', '--force-color-profile=srgb', '--font-render-hinting=none', ...(root ? ['--no-sandbox'] : [])],
    env: { ...process.env, FONTCONFIG_FILE: join(here, 'fonts.conf') },
  });
}

/**
 * Opens a page with a fresh profile. `page.problems` collects what no page may have: console errors, unhandled
 * rejections, dialogs, violations of the content policy, requests to other origins.
 */
export async function newPage(browser, { theme = 'dark', width = 1280, height = 800, scale = 1 } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor: scale, colorScheme: theme, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC', permissions: ['clipboard-read', 'clipboard-write'], acceptDownloads: true });
  const page = await context.newPage();
  page.problems = [];
  const allowed = [];
  page.allow = (pattern) => allowed.push(pattern);
  const note = (text) => {
    if (!allowed.some((pattern) => pattern.test(text))) page.problems.push(text);
  };
  page.on('console', (message) => message.type() === 'error' && note(`console: ${message.text()}`));
  page.on('pageerror', (error) => note(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    note(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const address = new URL(request.url());
    if (!['127.0.0.1', 'localhost', '[::1]'].includes(address.hostname) && !['data:', 'blob:'].includes(address.protocol)) note(`request: ${request.url()}`);
  });
  await context.addInitScript(() => {
    window.__violations = [];
    document.addEventListener('securitypolicyviolation', (e) => window.__violations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  return page;
}

/** Waits until no request is pending and nothing is drawn anew. Needs `?test=1`. */
export const idle = (page) => page.evaluate(() => window.tb.idle());

/** Returns the address of a server with `?test=1` before the fragment. */
export const testAddress = (address) => address.replace('/#', '/?test=1#');

/** Keeps what a failed test leaves: picture, DOM, problems. */
export async function keepEvidence(page, name, folder) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name.replace(/\W+/g, '_'));
  await page.screenshot({ path: `${file}.png` }).catch(() => undefined);
  writeFileSync(`${file}.html`, await page.content().catch(() => ''));
  writeFileSync(`${file}.txt`, page.problems.join('\n'));
}

/** Opens the page of a server and waits until it is logged in: requests before that are refused. */
export async function openStart(page, server) {
  await page.goto(testAddress(server.address));
  await page.waitForFunction(() => window.tb);
  await idle(page);
}
