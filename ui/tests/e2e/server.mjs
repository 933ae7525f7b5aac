/** Servers of the tests: the mock, or `tracebraid serve`. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { payloads } from '../mock/hostile.mjs';
import { mockServer } from '../mock/server.mjs';

const repository = join(dirname(fileURLToPath(import.meta.url)), '../../..');
export const examples = ['app.json', 'manifest.json', 'phone.pftrace', 'watch.pftrace'].map((name) => join(repository, 'examples', name));

/** Writes traces whose every text is a payload, with a manifest that gives them hostile machines. Returns their paths. */
export function hostileTraces(folder) {
  const events = payloads.flatMap((p, i) => [
    { ph: 'M', name: 'process_name', pid: i + 1, args: { name: p } },
    { ph: 'M', name: 'thread_name', pid: i + 1, tid: i + 1, args: { name: p } },
    { ph: 'X', ts: i * 10, dur: 5, pid: i + 1, tid: i + 1, name: p, cat: p, cname: p, args: { [p]: p, url: p, state: p } },
    { ph: 'O', ts: i * 10, pid: i + 1, tid: i + 1, id: p, name: p, cat: p, args: { snapshot: { [p]: p } } },
    { ph: 'C', ts: i * 10, pid: i + 1, name: p, args: { [p]: i } },
  ]);
  const file = join(folder, `<img src=x onerror=window.__fired=1>${'\u202E'}.json`);
  writeFileSync(file, JSON.stringify({ traceEvents: events, displayTimeUnit: payloads[0], otherData: Object.fromEntries(payloads.map((p, i) => [`${i}${p}`, p])) }));
  const oneLine = payloads.map((p) => p.replace(/[\n\r\u0000]/g, ' '));
  const log = join(folder, 'log.txt');
  writeFileSync(log, oneLine.map((p, i) => `01-02 03:04:${String(i % 60).padStart(2, '0')}.000  1000  1001 I tag${i}: ${p}\n`).join(''));
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ perfetto_manifest: {
    version: 1, files: [{ path: basename(file), machine: { name: payloads[1] } }, { path: 'log.txt', machine: { name: payloads[4] } }], attributes: { [payloads[5]]: payloads[6] },
  } }));
  return [file, log, manifest];
}

/** Starts a server; stop() ends it. `port` and `token` make it a successor of an earlier one. */
export async function startServer({ tracebraid, isHostile = false, isTroubled = false, manyFiles = 0, files, port = 0, token, args = [], dist, world }) {
  if (!tracebraid) {
    const server = mockServer({ isHostile, isTroubled, manyFiles, ...(world ? { world } : {}), ...(token ? { token } : {}), ...(dist ? { dist } : {}) });
    const address = await server.listen(port);
    return { address, token: server.token, port: Number(new URL(address).port), isReal: false, valueAt: server.valueAt, kill: () => server.close(), stop: () => server.close() };
  }
  const folder = mkdtempSync(join(tmpdir(), 'tracebraid-e2e-'));
  const tokenFile = join(folder, 'token');
  if (token) writeFileSync(tokenFile, token, { mode: 0o600 });
  const inputs = files ?? (isHostile ? hostileTraces(folder) : examples);
  const child = spawn(tracebraid, ['serve', '--json', '--port', String(port), '--token-file', tokenFile, '--spool', folder, ...args, ...inputs], {
    env: { ...process.env, XDG_STATE_HOME: join(folder, 'state') }, cwd: folder,
  });
  let output = '';
  let log = '';
  child.stderr.on('data', (part) => (log += part));
  const started = await new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      output += part;
      if (output.includes('\n')) resolve(JSON.parse(output.split('\n')[0]));
    });
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${log}`)));
  });
  const gone = new Promise((resolve) => child.on('exit', resolve));
  const end = async (signal) => {
    child.kill(signal);
    await gone;
  };
  return {
    address: started.url, token: started.token, port: started.port, pid: started.pid, isReal: true, log: () => log,
    kill: () => end('SIGKILL'),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
