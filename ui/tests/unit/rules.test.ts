import { describe, expect, it } from 'vitest';
import { parseManifest, type Manifest } from '../../src/lib/manifest';
import { blames, brokenBy, type Control } from '../../src/lib/rules';

function manifestOf(files: unknown[], more: object = {}): Manifest {
  const manifest = parseManifest(JSON.stringify({ perfetto_manifest: { version: 1, files, ...more } }));
  if (typeof manifest === 'string') throw new Error(manifest);
  return manifest;
}

const clocks = (file: string, more: object = {}): object => ({ sync_to: { file }, offset_ns: 5, ...more });

describe('broken rules', () => {
  const files = [{ path: 'a.json', clocks: clocks('b.pb'), machine: { name: '' }, start: 'soon', align: 1, clock_group: '', machines: [] }];
  // The messages of the rules, and the control of what they say.
  const messages: [string, Control][] = [
    ['multiple perfetto_manifest files in archive', 'files'],
    ['perfetto_manifest: missing required field: version', 'text'],
    ['perfetto_manifest: unsupported version: 2. Only version 1 is supported; set "version": 1.', 'text'],
    ['perfetto_manifest: trace_time needs a clock', 'timeline'],
    ["perfetto_manifest: trace_time: file names unknown file 'x'. It must match the `path` of an entry in the `files` array.", 'timeline'],
    ['perfetto_manifest: clock_model must be "step" or "linear"', 'model'],
    ['perfetto_manifest: join_flows must be "auto", "all" or "none"', 'flows'],
    ['perfetto_manifest: align must be "auto", "off", "verify" or a list of flows', 'align'],
    ["perfetto_manifest: attributes: 'x' must be a string or an integer", 'attributes'],
    ['perfetto_manifest: machines: wall_clock_skew_ns is out of range', 'skews'],
    ["perfetto_manifest: 'a.json': align must be false or a list of flows", 'content'],
    ["perfetto_manifest: 'a.json': clock_group must be a text that is not empty", 'group'],
    ["perfetto_manifest: 'a.json': start must be a time with a zone, e.g. \"2026-11-20T12:03:04.5Z\"", 'start'],
    ["perfetto_manifest: 'a.json': start and clocks both move the whole file; give one", 'start'],
    ['perfetto_manifest: clocks: offset_at_ns must be an integer', 'at'],
    ['perfetto_manifest: clocks: offset_ns is out of range', 'offset'],
    ['perfetto_manifest: clocks: drift_ppm must be a number from -100000 to 100000', 'drift'],
    ['perfetto_manifest: clocks: points must rise, in this_ns and in other_ns', 'points'],
    ["perfetto_manifest: clocks: sync_to.machine 'x' is not a machine declared by file 'b.pb'.", 'otherMachine'],
    ["perfetto_manifest: clocks: sync_to.file names unknown file 'b.pb'. It must match the `path` of an entry in the `files` array.", 'file'],
    ["perfetto_manifest: clocks: machine 'x' is not a machine declared by file 'a.json'.", 'ownMachine'],
    ["perfetto_manifest: clocks: file 'a.json' is a multi-machine trace; name which machine the clock is on with clocks: machine.", 'ownMachine'],
    ['perfetto_manifest: unknown clock name: b.pb. Use one of REALTIME, BOOTTIME.', 'clock'],
    ['perfetto_manifest: machines: name must be non-empty', 'inside'],
    ['perfetto_manifest: machine: name must be non-empty', 'machine'],
    ['perfetto_manifest: a `machine` override attributes the file to one machine, but the file contains packets from multiple machines.', 'machine'],
    ['perfetto_manifest: clock overrides require the trace to use a single clock', 'placing'],
  ];
  it.each(messages)('%s', (message, control) => {
    const broken = brokenBy(message, manifestOf(files), null);
    expect(broken.control).toBe(control);
    expect(broken.reason).toBe(message);
  });

  it('is in the entry that the message names', () => {
    const manifest = manifestOf([{ path: 'a.json', start: 'soon' }, { path: 'b.json', start: '2026-11-20T12:03:04Z' }]);
    const broken = brokenBy("perfetto_manifest: 'b.json': start must be a time with a zone", manifest, null);
    expect(broken.files).toEqual(['b.json']);
    expect([blames(broken, 'a.json'), blames(broken, 'b.json')]).toEqual([false, true]);
  });

  it('is in the entry that names what the message quotes', () => {
    const manifest = manifestOf([{ path: 'a.json', clocks: clocks('c.pb') }, { path: 'b.json', clocks: { sync_to: { file: 'c.pb', clock: 'TAI' } } }]);
    expect(brokenBy('perfetto_manifest: unknown clock name: TAI. Use one of REALTIME.', manifest, null).files).toEqual(['b.json']);
  });

  it('is in the entry that was changed, if the message names none', () => {
    const before = manifestOf([{ path: 'a.json', clocks: clocks('c.pb') }, { path: 'b.json', clocks: clocks('c.pb') }]);
    const after = manifestOf([{ path: 'a.json', clocks: clocks('c.pb') }, { path: 'b.json', clocks: clocks('c.pb', { offset_ns: 0.5 }) }]);
    const message = 'perfetto_manifest: clocks: offset_ns must be an integer';
    expect(brokenBy(message, after, before).files).toEqual(['b.json']);
    expect(brokenBy(message, after, null).files).toEqual(['a.json', 'b.json']);
  });

  it('is that of the timeline for a clock that no entry has', () => {
    const manifest = manifestOf([{ path: 'a.json' }], { trace_time: { clock: 'TAI' } });
    expect(brokenBy('perfetto_manifest: unknown clock name: TAI. Use one of REALTIME.', manifest, null)).toMatchObject({ control: 'timeline', files: [] });
  });

  it('fits all files of a pattern', () => {
    const broken = brokenBy("perfetto_manifest: 'rank*.json': start must be a time with a zone", manifestOf([{ path: 'rank*.json', glob: true, start: 'x' }]), null);
    expect([blames(broken, 'rank3.json'), blames(broken, 'app.json')]).toEqual([true, false]);
  });
});
