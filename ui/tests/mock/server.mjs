/**
 * A small server with the API of the viewer over made-up data, for work on the pages without a build of tracebraid and
 * for states that the real server reaches rarely. SQL runs in node:sqlite. Not part of the program.
 *
 *   node tests/mock/server.mjs [--port N] [--hostile]     prints the address
 */
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, extname, join, normalize } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { columnFromArray, float64, int64, tableFromColumns, tableToIPC, utf8 } from '@uwdata/flechette';
import { addClocks, clockRows, observationsOf } from './clocks.mjs';
import { hostileReport, payloads } from './hostile.mjs';
import { draftRoutes } from './drafts.mjs';
import { placedBy } from './manifests.mjs';
import { mockTimeline } from './timeline.mjs';
import { troubledReport } from './troubled.mjs';
import { makeWorld } from './world.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Returns a database with the tables that the pages' own queries name. */
function database(isHostile, isTroubled) {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE slice(id INTEGER, ts INTEGER, dur INTEGER, name TEXT, track_id INTEGER, depth INTEGER);
    CREATE TABLE machine(id INTEGER, name TEXT, raw_id INTEGER DEFAULT 0); CREATE TABLE trace_file(id INTEGER, name TEXT, parent_id INTEGER, trace_type TEXT DEFAULT 'json', size INTEGER DEFAULT 1000, is_container INTEGER DEFAULT 0);
    CREATE TABLE metadata(id INTEGER, name TEXT, str_value TEXT, int_value INTEGER, machine_id INTEGER, trace_id INTEGER);
    CREATE TABLE track(id INTEGER, name TEXT, type TEXT, utid INTEGER, machine_id INTEGER); CREATE VIEW __intrinsic_track AS SELECT *, 1 AS trace_id FROM track; CREATE TABLE thread(utid INTEGER, tid INTEGER, name TEXT, upid INTEGER, machine_id INTEGER);
    CREATE TABLE json_annotation(id INTEGER, type TEXT, ts INTEGER, text TEXT); CREATE TABLE json_clock_sync_marker(trace_file_id INTEGER, domain TEXT, sync_id TEXT, start_ts INTEGER, end_ts INTEGER, role TEXT);
    CREATE TABLE json_trace_clock(trace_file_id INTEGER, domain TEXT, offset_ns INTEGER, slope REAL); CREATE TABLE thread_state(id INTEGER, ts INTEGER, dur INTEGER, utid INTEGER, state TEXT, io_wait INTEGER);
    CREATE TABLE __intrinsic_track_event_callstacks(slice_id INTEGER, callsite_id INTEGER, end_callsite_id INTEGER); CREATE TABLE stack_profile_callsite(id INTEGER, parent_id INTEGER, frame_id INTEGER);
    CREATE TABLE stack_profile_frame(id INTEGER, name TEXT, deobfuscated_name TEXT, rel_pc INTEGER, mapping INTEGER); CREATE TABLE stack_profile_mapping(id INTEGER, name TEXT);
    CREATE TABLE logs(id INTEGER, ts INTEGER, utid INTEGER, prio INTEGER, log_source TEXT, tag TEXT, msg TEXT, arg_set_id INTEGER);`);
  const names = ['composeMessage', 'sendNotification', 'showNotification', 'DrawFrame', 'HttpClient.send', 'AllReduce', 'decodeToken'];
  const add = db.prepare('INSERT INTO slice VALUES (?,?,?,?,?,?)');
  for (let i = 0; i < 5000; i++) add.run(i, 147757169866n + BigInt(i) * 279000n, (i * 7919) % 4200000, names[i % names.length], i % 40, i % 4);
  if (isHostile) payloads.forEach((p, i) => add.run(5000 + i, 1, 1, p, 0, 0));
  const track = db.prepare('INSERT INTO track VALUES (?,?,?,?,?)');
  const thread = db.prepare('INSERT INTO thread VALUES (?,?,?,?,?)');
  for (let i = 0; i < 40; i++) {
    track.run(i, `track ${i}`, 'thread_execution', i, i % 2);
    thread.run(i, 2000 + i, `worker ${i}`, i % 5, i % 2);
  }
  db.exec("INSERT INTO machine(id, name) VALUES (0,'phone'),(1,'watch'); INSERT INTO trace_file(id, name) VALUES (0,'app.json'),(1,'phone.pftrace'),(2,'watch.pftrace')");
  const meta = db.prepare('INSERT INTO metadata VALUES (?,?,?,?,?,?)');
  [['trace_uuid', '00000074-7261-6365-0000-000000000002'], ['trace_type', 'proto'], ['android_build_fingerprint', 'made/up/phone:16/ABC']].forEach(([n, v], i) => meta.run(i, n, v, null, 0, 1));
  if (isHostile) payloads.forEach((p, i) => meta.run(100 + i, p, p, null, null, null));
  // The clocks of the two machines are 10 ms apart at most, everywhere.
  db.function('trace_start', () => 147757169866n);
  db.function('trace_end', () => 149156000000n);
  db.function('clock_convert', { varargs: true }, (ts) => ts);
  db.function('clock_error', { varargs: true }, (_ts, _a, from, _b, to) => (from === to ? 0n : 10_007_867n));
  addClocks(db, { isHostile, isTroubled });
  return db;
}

const meanings = { ts: 'time_ns', dur: 'duration_ns', longest: 'duration_ns', total: 'duration_ns' };

function typeOf(values) {
  const kinds = new Set(values.filter((v) => v !== null).map((v) => (v instanceof Uint8Array ? 'blob' : typeof v)));
  if (kinds.size === 0) return 'null';
  if (kinds.size > 1) return 'mixed';
  return { bigint: 'int', number: 'double', string: 'text', blob: 'blob' }[[...kinds][0]];
}

/** Encodes rows as an Arrow stream, with the metadata of the engine. */
function arrow(result, rows) {
  const columns = result.columns.map((c, i) => {
    const values = rows.map((r) => r[i]);
    if (c.type === 'int') return [c.name, columnFromArray(values, int64())];
    if (c.type === 'double') return [c.name, columnFromArray(values, float64())];
    return [c.name, columnFromArray(values.map((v) => (v === null ? null : String(v))), utf8())];
  });
  const table = tableFromColumns(columns);
  table.schema.fields.forEach((field, i) => {
    const meaning = result.columns[i].type === 'mixed' ? 'mixed' : meanings[field.name];
    if (meaning && result.columns[i].type !== 'text') field.metadata = new Map([['tracebraid.type', meaning]]);
  });
  return tableToIPC(table, { format: 'stream' });
}

function statements(sql) {
  return sql.split(/;(?=(?:[^']*'[^']*')*[^']*$)/).filter((s) => s.replace(/--[^\n]*/g, '').trim() !== '');
}

const compare = (a, b) => (a === b ? 0 : a === null ? -1 : b === null ? 1 : a < b ? -1 : 1);

/** Returns a frame of RFC 6455 from the server. */
function frameOf(opcode, body) {
  const head = Buffer.alloc(body.length < 126 ? 2 : body.length < 65536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (body.length < 126) head[1] = body.length;
  else if (body.length < 65536) {
    head[1] = 126;
    head.writeUInt16BE(body.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(body.length), 2);
  }
  return Buffer.concat([head, body]);
}

/** Takes the first whole frame of the client from received bytes, or returns null. */
function takeFrame(bytes) {
  if (bytes.length < 6) return null;
  const short = bytes[1] & 127;
  const at = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (bytes.length < at + 4 + length) return null;
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + length));
  for (let i = 0; i < length; i += 1) body[i] ^= bytes[at + (i & 3)];
  return { opcode: bytes[0] & 15, body, rest: bytes.subarray(at + 4 + length) };
}

/** Returns the report with more files like app.json, which a manifest places. */
function withManyFiles(report, count) {
  const app = report.placements.find((p) => p.file === 'app.json');
  const more = Array.from({ length: count }, (_, i) => ({ ...app, file: `rank${String(i).padStart(5, '0')}.json` }));
  return { ...report, placements: [...report.placements, ...more] };
}

export function mockServer({ world = {}, dist = join(here, '../../dist'), isHostile = false, isTroubled = false, manyFiles = 0, token = randomBytes(16).toString('hex') } = {}) {
  const db = database(isHostile, isTroubled);
  const sound = JSON.parse(readFileSync(join(here, 'report.json'), 'utf8'));
  const report = isHostile ? hostileReport() : isTroubled ? troubledReport(sound) : withManyFiles(sound, manyFiles);
  const made = makeWorld({ isHostile, ...world });
  const line = db.prepare('INSERT INTO logs VALUES (?,?,?,?,?,?,?,?)');
  for (const e of made.rows.log) line.run(e.row, e.ts, e.row % 40, e.worst, e.row % 3 === 0 ? 'system' : 'main', isHostile ? payloads[e.row % payloads.length] : `tag${e.row % 4}`, isHostile ? payloads[(e.row + 3) % payloads.length] : e.text, null);
  const timeline = mockTimeline(made);
  const session = randomBytes(8).toString('hex');
  const traces = new Map();
  const jobs = new Map();
  const results = new Map();
  const queries = new Map();
  const uploads = new Map();
  const manifests = new Map();
  const drafts = draftRoutes(report);
  let settings = {};
  let next = 10;
  const name = isHostile ? payloads[0] : 'app.json and 2 more';
  traces.set('1', { id: '1', name, state: 'open', inputs: ['app.json', 'phone.pftrace', 'watch.pftrace'].map((n) => ({ name: n, size: 7983, path: `/examples/${n}` })) });

  const json = (response, value, status = 200, headers = {}) => {
    response.writeHead(status, { 'content-type': status >= 400 ? 'application/problem+json' : 'application/json', 'cache-control': 'no-store', ...headers });
    response.end(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? (v > 9007199254740991n ? String(v) : Number(v)) : v instanceof Uint8Array ? '' : v)));
  };
  const problem = (response, status, code, detail, where) => json(response, { type: 'about:blank', title: code, status, code, detail, ...(where ? { where } : {}) }, status);

  function page(request, response, path) {
    const file = path === '/' ? 'index.html' : normalize(path).replace(/^\/+/, '');
    let body;
    try {
      body = readFileSync(join(dist, file));
    } catch {
      return problem(response, 404, 'not_found', path);
    }
    const nonce = randomBytes(12).toString('base64');
    if (file === 'index.html') body = body.toString().replaceAll('__CSP_NONCE__', nonce);
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    });
    response.end(body);
  }

  function startJob(trace, done = 0) {
    const job = { job: String(next++), kind: 'import', state: 'running', stage: 'reading', unit: 'B', done, total: 4_000_000_000 };
    jobs.set(job.job, job);
    trace.job = job.job;
    const timer = setInterval(() => {
      job.done += 160_000_000;
      if (job.state !== 'running') clearInterval(timer);
      else if (job.done >= job.total) {
        job.state = 'done';
        trace.state = 'open';
      }
    }, 200);
    timer.unref();
    return job;
  }

  function runQuery(response, body) {
    const query = String(next++);
    const result = { result: String(next++), state: 'done', rows: 0, columns: [], data: [] };
    const state = { query, state: 'done', rows: 0, elapsed_ms: 38.2 };
    queries.set(query, state);
    const isEndless = /endless/.test(body.sql);
    if (isEndless) state.state = 'running';
    try {
      for (const statement of isEndless ? [] : statements(body.sql)) {
        const prepared = db.prepare(statement);
        prepared.setReadBigInts(true);
        prepared.setReturnArrays(true);
        const names = prepared.columns().map((c) => c.name);
        const data = prepared.all();
        if (names.length > 0) Object.assign(result, { data, rows: data.length, columns: names.map((n, i) => ({ name: n, type: typeOf(data.map((r) => r[i])) })) });
      }
    } catch (error) {
      const word = /near "([^"]*)"|no such (?:column|table|function): (\S+)/.exec(error.message);
      const offset = Math.max(0, body.sql.indexOf(word?.[1] ?? word?.[2] ?? ''));
      const where = { line: body.sql.slice(0, offset).split('\n').length, column: offset - body.sql.lastIndexOf('\n', offset - 1) };
      Object.assign(state, { state: 'failed', error: { status: 422, code: 'sql_error', detail: error.message, where } });
      if (!body.keep) return json(response, state.error, 422);
    }
    results.set(result.result, result);
    if (body.keep) return json(response, { query, result: result.result }, 202, { 'tracebraid-query': query });
    return json(response, { sets: [{ columns: result.columns, rows: result.data }] }, 200, { 'tracebraid-query': query });
  }

  const holds = {
    contains: (a, b) => String(a).toLowerCase().includes(String(b).toLowerCase()), '=': (a, b) => a == b, '!=': (a, b) => a != b, '<': (a, b) => a < b, '<=': (a, b) => a <= b, '>': (a, b) => a > b, '>=': (a, b) => a >= b,
  };

  function rowsOf(response, result, parameters) {
    let rows = result.data;
    for (const [column, op, value] of JSON.parse(parameters.get('filter') ?? '[]'))
      rows = rows.filter((r) => (op === 'null' ? r[column] === null : op === 'notnull' ? r[column] !== null : r[column] !== null && holds[op](r[column], value)));
    const sort = parameters.get('sort');
    if (sort) rows = [...rows].sort((a, b) => compare(a[sort.replace('-', '')], b[sort.replace('-', '')]) * (sort.startsWith('-') ? -1 : 1));
    const offset = Number(parameters.get('offset') ?? 0);
    const part = rows.slice(offset, offset + Number(parameters.get('limit') ?? 1000));
    response.writeHead(200, { 'content-type': 'application/vnd.apache.arrow.stream', 'tracebraid-total': String(rows.length), 'tracebraid-complete': '1' });
    response.end(arrow(result, part));
  }

  function api(request, response, path, parameters, raw) {
    const body = raw.length > 0 && (request.headers['content-type'] ?? '').startsWith('application/json') ? JSON.parse(raw.toString()) : {};
    const is = (method, pattern) => (request.method === method ? new RegExp(`^${pattern}$`).exec(path) : null);
    let m;
    if (is('POST', '/login')) {
      if (body.token !== token) return problem(response, 401, 'unauthorized', 'The token is wrong.');
      response.writeHead(204, { 'set-cookie': `tb=${token}; HttpOnly; SameSite=Strict; Path=/` });
      return response.end();
    }
    if (!(request.headers.cookie ?? '').includes(`tb=${token}`)) return problem(response, 401, 'unauthorized', 'Not logged in.');
    if (is('GET', '/status')) return json(response, { version: '0.1.0', session, features: ['settings', 'files'], limits: {}, roots: ['examples', 'nightly'], load: {} });
    if ((m = new RegExp('^/traces/\\d+(/.*)$').exec(path))) {
      const answered = timeline.route(request.method, m[1], parameters, body, {
        json: (value, status = 200) => (json(response, value, status), true), problem: (status, code, detail) => (problem(response, status, code, detail), true),
        bytes: (value) => (response.writeHead(200, { 'content-type': 'application/octet-stream' }), response.end(value), true),
      });
      if (answered) return undefined;
    }
    if (is('GET', '/settings')) return json(response, settings);
    if (is('PUT', '/settings')) {
      settings = body;
      return json(response, {});
    }
    const tried = drafts.answer(request.method, path, parameters, body);
    if (tried) return tried.problem ? problem(response, ...tried.problem) : json(response, tried.json ?? {}, tried.status ?? 200);
    if (is('GET', '/traces')) return json(response, { traces: [...traces.values()] });
    if (is('POST', '/traces')) {
      const inputs = body.inputs.map((i) => ({ ...i, name: (i.path ?? uploads.get(i.upload)?.name ?? '').split('/').pop() }));
      if (body.manifest?.perfetto_manifest?.version !== 1 && body.manifest) return problem(response, 400, 'bad_request', 'the manifest has no version 1');
      const trace = { id: String(next++), name: inputs.map((i) => i.name).join(', '), state: 'opening', inputs };
      if (body.manifest) manifests.set(trace.id, body.manifest);
      traces.set(trace.id, trace);
      return json(response, { job: startJob(trace, body.manifest ? 4_000_000_000 : 0).job, trace: trace.id }, 202);
    }
    if ((m = is('GET', '/jobs/(\\d+)'))) return json(response, jobs.get(m[1]));
    if ((m = is('DELETE', '/jobs/(\\d+)'))) {
      jobs.get(m[1]).state = 'cancelled';
      for (const t of traces.values()) if (t.job === m[1]) Object.assign(t, { state: 'cancelled' });
      return json(response, {});
    }
    if ((m = is('GET', '/traces/(\\d+)/report'))) return json(response, manifests.has(m[1]) ? placedBy(report, manifests.get(m[1])) : report);
    if (is('GET', '/manifest.schema.json')) return json(response, JSON.parse(readFileSync(join(here, '../../../docs/manifest.schema.json'), 'utf8')));
    if (is('GET', '/traces/\\d+/manifest')) return json(response, { manifest: readFileSync(join(here, '../../../examples/manifest.json'), 'utf8'), input: null });
    if ((m = is('DELETE', '/traces/(\\d+)'))) {
      traces.delete(m[1]);
      response.writeHead(204);
      return response.end();
    }
    if (is('GET', '/traces/\\d+/explain')) return json(response, { text: `${parameters.get('file')} (json)\n  59 events on phone, in own timeline.\n    The manifest states the offset, which is taken as exact.\n${isHostile ? payloads.join('\n') : ''}` });
    if ((m = is('GET', '/traces/\\d+/(clocks(?:/edges|/contradictions)?)'))) return json(response, clockRows(db, m[1], Number(parameters.get('offset') ?? 0), Number(parameters.get('limit') ?? 1000)));
    if ((m = is('GET', '/traces/\\d+/clocks/edges/(\\d+)/observations'))) {
      const edge = db.prepare('SELECT id, observations, uncertainty_ns, trace_id, byte_offset FROM clock_edge WHERE id = ?').get(m[1]);
      return edge ? json(response, observationsOf(edge, isTroubled)) : problem(response, 404, 'not_found', 'the trace has no such edge');
    }
    if (is('GET', '/traces/\\d+/schema')) {
      const tables = ['slice', 'track', 'thread', 'machine', 'metadata', 'placement', 'trace_file'].map((t) => ({
        name: t, kind: 'table', about: `Made-up ${t} rows.`, rows: Number(db.prepare(`SELECT count(*) AS n FROM ${t}`).get().n),
        columns: db.prepare(`PRAGMA table_info(${t})`).all().map((c) => ({ name: c.name, type: { INTEGER: 'int', TEXT: 'text' }[c.type], about: isHostile ? payloads[1] : `The ${c.name}.` })),
      }));
      return json(response, {
        relations: tables, functions: [{ name: 'extract_arg', signature: 'extract_arg(arg_set_id, key)', about: 'Returns the value of an arg.' }],
        modules: [{ key: 'slices.with_context', about: 'Slices with thread and process.' }],
      });
    }
    if (is('POST', '/traces/\\d+/workspaces')) return json(response, { workspace: String(next++) }, 201);
    if (is('POST', '/traces/\\d+/queries')) {
      return runQuery(response, body);
    }
    if ((m = is('DELETE', '/queries/(\\d+)'))) {
      queries.get(m[1]).state = 'cancelled';
      response.writeHead(204);
      return response.end();
    }
    if ((m = is('GET', '/queries/(\\d+)'))) return json(response, queries.get(m[1]) ?? {});
    if ((m = is('GET', '/results/(\\d+)/rows'))) return results.has(m[1]) ? rowsOf(response, results.get(m[1]), parameters) : problem(response, 410, 'gone', 'dropped');
    if ((m = is('GET', '/results/(\\d+)'))) {
      const { data, ...rest } = results.get(m[1]) ?? { data: [], columns: [], rows: 0 };
      return json(response, rest);
    }
    if ((m = is('GET', '/results/(\\d+)/file'))) {
      response.writeHead(200, { 'content-type': 'text/csv', 'content-disposition': `attachment; filename=result.${parameters.get('format')}` });
      const r = results.get(m[1]);
      return response.end(parameters.get('format') === 'arrow' ? arrow(r, r.data) : [r.columns.map((c) => c.name), ...r.data].map((x) => x.join(',')).join('\n'));
    }
    if ((m = is('DELETE', '/results/(\\d+)'))) {
      results.delete(m[1]);
      response.writeHead(204);
      return response.end();
    }
    if (is('POST', '/uploads')) {
      const upload = String(next++);
      uploads.set(upload, { name: body.name, size: body.size, received: 0 });
      return json(response, { upload }, 201);
    }
    if ((m = is('GET', '/uploads/(\\d+)'))) return uploads.has(m[1]) ? json(response, { upload: m[1], ...uploads.get(m[1]), offset: uploads.get(m[1]).received }) : problem(response, 404, 'not_found', path);
    if ((m = is('PUT', '/uploads/(\\d+)'))) {
      uploads.get(m[1]).received += raw.length;
      return json(response, { offset: uploads.get(m[1]).received });
    }
    if (is('GET', '/files')) {
      return json(response, { entries: [{ name: 'older', kind: 'folder' }, { name: 'app.json', kind: 'file', size: '7983' }, { name: 'phone.pftrace', kind: 'file', size: '120000' }], total: 3 });
    }
    return problem(response, 404, 'not_found', `${request.method} ${path}`);
  }

  const server = createServer((request, response) => {
    const address = new URL(request.url, 'http://localhost');
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      if (!address.pathname.startsWith('/api/v1')) return page(request, response, address.pathname);
      return api(request, response, address.pathname.slice(7), address.searchParams, Buffer.concat(parts));
    });
  });
  // Implements of RFC 6455 the handshake and whole frames; answers what is no operation of the timeline with `welcome`.
  const sockets = new Set();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request, socket) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: tracebraid.1\r\n\r\n`);
    const welcome = { op: 'welcome', session, limits: {} };
    const send = (opcode, body) => socket.write(frameOf(opcode, body));
    const text = (message) => send(1, Buffer.from(JSON.stringify(message)));
    let received = Buffer.alloc(0);
    socket.on('data', (part) => {
      received = Buffer.concat([received, part]);
      for (let next = takeFrame(received); next; next = takeFrame(received)) {
        received = next.rest;
        if (next.opcode === 8) return socket.end();
        if (next.opcode !== 1) continue;
        const message = JSON.parse(next.body.toString());
        if (!timeline.operation(message, { text, binary: (body) => send(2, body) })) text(welcome);
      }
    });
    socket.on('error', () => socket.destroy());
  });
  return {
    token,
    /** Returns the value of a counter in force at a time. */
    valueAt: (node, ts) => made.nodes[node - 1].list.filter((s) => s.ts <= ts).at(-1)?.value,
    listen: (port = 0) => new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/#token=${token}`))),
    close: () => new Promise((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(resolve);
    }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--port');
  const server = mockServer({ isHostile: process.argv.includes('--hostile') });
  console.log(await server.listen(at > 0 ? Number(process.argv[at + 1]) : 0));
}
