"""Counts the events of profiles and logs without tracebraid, to balance its books (../books_test.py).

Each reader takes the bytes of a file and returns two dicts: the rows that its events must have, by table of
`tracebraid info`, and the events that the file itself makes unusable, by stat. Each is written from the definition
of the format. A reader raises Unknown for a file that it does not understand.
"""
import collections
import json
import re
import struct
import xml.etree.ElementTree

Counts = collections.Counter


class Unknown(Exception):
    pass


def lines_of(data):
    return data.decode('utf-8-sig', 'replace').replace('\r\n', '\n').split('\n')


def as_json(data):
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Unknown('damaged JSON') from error


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def collapsed(data):
    """"frame;frame;frame COUNT", one stack a line."""
    rows, lost = Counts(), Counts()
    for line in lines_of(data):
        if not line.strip() or line.startswith('#'):
            continue
        match = re.fullmatch(r'(.*\S)\s+(\d+(\.\d+)?)\s*', line)
        if match and any(match[1].split(';')):
            rows['aggregate_sample'] += 1
        else:
            lost['collapsed_bad_line'] += 1
    return rows, lost


def ninja(data):
    """"START END MTIME OUTPUT HASH", separated by tabs. A command with several outputs has a line for each."""
    lines = lines_of(data)
    if not re.fullmatch(r'# ninja log v[567]', lines[0]):
        raise Unknown('version')
    rows, lost, commands, last_end = Counts(), Counts(), set(), 0
    for line in lines[1:]:
        if not line or line.startswith('#'):
            continue
        cells = line.split('\t')
        if len(cells) != 5 or not (cells[0].isdigit() and cells[1].isdigit()):
            lost['ninja_parse_errors'] += 1
            continue
        start, end = int(cells[0]), int(cells[1])
        if end < last_end:  # the log of the next build begins
            commands = set()
        last_end = end
        command = (start, end, cells[4])
        if command not in commands:
            rows['slice'] += 1
        commands.add(command)
    return rows, lost


CALL = re.compile(r'(?P<pid>\[pid +\d+(?:<.*?>)?\] |\d+(?:<.*?>)? +)?(?P<time>\d+\.\d+|\d+:\d\d:\d\d(?:\.\d+)?) (?P<what>.*)')


def strace(data):
    """A line for a call, its begin, its end, a signal or the end of a thread."""
    rows, lost, open_calls = Counts(), Counts(), set()
    kinds = Counts()
    for line in lines_of(data):
        if not line.strip() or line.startswith('strace: '):
            continue
        match = CALL.fullmatch(line)
        if not match or kinds['wall'] and kinds['epoch']:
            raise Unknown('a line of another program')
        kinds['wall' if ':' in match['time'] else 'epoch'] += 1
        kinds['with pid' if match['pid'] else 'without pid'] += 1
        what = re.sub(r'^(\[ *\d+\] |\[[0-9a-f]{8,}\] )*', '', match['what'])
        pid = re.sub(r'\D.*', '', re.sub(r'^\D*', '', match['pid'] or ''))
        if what.startswith('+++') or re.match(r'\[ Process PID', what):
            continue
        if what.startswith('--- SIG'):
            rows['slice'] += 1
        elif what.startswith('<... '):
            if pid in open_calls:
                open_calls.discard(pid)
            else:
                lost['atrace_unmatched_end'] += 1
            if what.endswith('<unfinished ...>'):  # the rest is a call of its own
                rows['slice'] += 1
                open_calls.add(pid)
        elif re.match(r'[\w?]+\(', what):
            rows['slice'] += 1
            if what.endswith('<unfinished ...>'):
                open_calls.add(pid)
        else:
            lost['strace_parse_failure'] += 1
    if kinds['with pid'] and kinds['without pid']:
        raise Unknown('the process of some lines follows from others')
    return rows, lost


DATE = r'(?:\d{4}-)?\d\d-\d\d \d\d:\d\d:\d\d\.\d+'
STAMP = rf'(?:{DATE}(?: [+-]\d{{4}})?|\d+\.\d+)'
ENTRY = re.compile(
    rf'\s*{STAMP}\s+(?:'
    r'(?:\w+ +)?\d+ +\d+ [VDIWEFS] '  # threadtime
    r'|[VDIWEFS]/.*\( *(?:\w+: *)?\d+\)'  # time
    r'|\d+-\d+(?:/\S*)? +(?:[VDIWEFS]/|.* [VDIWEFS] )'  # Android Studio
    r').*')
LONG = re.compile(rf'\[ +{STAMP} +(?:\w+: *)?\d+: *\w+ [VDIWEFS]/.*\]')


def logcat(data):
    """An entry a line, or with -v long a head in brackets and then lines of text."""
    rows, lost = Counts(), Counts()
    lines = [re.sub(r'\x1b\[[0-9;]*m', '', line) for line in lines_of(data)]
    is_long = any(LONG.fullmatch(line.strip()) for line in lines)
    for line in lines:
        if is_long:
            rows['logs'] += LONG.fullmatch(line.strip()) is not None
            continue
        if not line.strip() or line.startswith('--------- '):
            continue
        time = re.match(r'\s*(?:\d{4}-)?(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)', line)
        if ENTRY.fullmatch(line) and not (time and int(time[3]) > 23):
            rows['logs'] += 1
        else:
            lost['android_log_format_invalid'] += 1
    return rows, lost


HEADER = re.compile(r'(?P<comm>.*?)\s*(?P<pid>-?\d+)(?:/-?\d+)?(?: +\[(?P<cpu>\d+)\])?(?: +[a-zA-Z.]+)? +\d+\.\d+: *(?P<rest>.*)')
INLINE = re.compile(r' *(?:[a-z]+ +){0,2}[0-9a-f]+ \S')  # an address, after words for the kind of a branch
EVENT = re.compile(r'(?:\d+ +)?(?P<event>\S+?): (?P<rest>.*)|(?:\d+ +)?(?P<only>\S+):\s*')
MODIFIERS = re.compile(r'[ukhGHpPSDWeI]+')


def perf_text(data):
    """A head of a sample, then a frame a line, then an empty line."""
    rows, lost = Counts(), Counts()
    sample = None  # [is tracepoint, frames]

    def end():
        if sample is None:
            return
        rows['ftrace_event'] += sample[0]
        rows['json_sample'] += sample[1] > 0
        lost['perf_text_importer_sample_no_frames'] += not sample[0] and sample[1] == 0

    for line in lines_of(data):
        if line.startswith('#'):
            continue
        if not line.strip():
            end()
            sample = None
            continue
        head = None if line.startswith('\t') else HEADER.fullmatch(line)
        if head is None and sample is not None:
            if re.match(r'\s+[0-9a-f]+ ', line):
                sample[1] += 1
                continue
            if re.match(r'  \S+:\d|  \?\?:0|  \[| +\w+/\w+/', line):
                continue  # place in the source; branches
        if head is None:
            lost['perf_text_parse_failure'] += 1
            continue
        end()
        sample = None
        if head['rest'].startswith('PERF_RECORD_'):
            continue
        event = EVENT.fullmatch(head['rest'])
        name = event and (event['event'] or event['only']) or ''
        group, _, tracepoint = name.partition(':')
        is_tracepoint = bool(tracepoint) and not MODIFIERS.fullmatch(tracepoint) and head['cpu'] is not None
        inline = event and event['event'] and not is_tracepoint and INLINE.match(event['rest'])
        sample = [is_tracepoint, 1 if inline else 0]
    end()
    return rows, lost


def perf_data(data):
    """Records of a type, flags and a size after a header that tells where they are."""
    if data[:8] != b'PERFILE2':
        raise Unknown('byte order')
    size, = struct.unpack_from('<Q', data, 8)
    at, end = 16, len(data)
    if size != 16:  # no pipe
        at, length = struct.unpack_from('<QQ', data, 40)
        end = at + length
    sample, compressed, auxtrace, attributes = 9, (81, 83), 71, 64
    kinds = Counts()
    while at + 8 <= end:
        kind, _, length = struct.unpack_from('<IHH', data, at)
        if length < 8:
            raise Unknown('damaged')
        kinds[kind] += 1
        if kind == auxtrace:
            length += struct.unpack_from('<Q', data, at + 8)[0]
        at += length
    if any(kinds[kind] for kind in compressed) or kinds[attributes] and size != 16:
        raise Unknown('compressed')
    return Counts({'profiler_sample': kinds[sample]}), Counts()


def speedscope(data):
    """Profiles of opened and closed frames, or of samples with weights."""
    document = as_json(data)
    rows, lost = Counts(), Counts()
    frames = document['shared']['frames']

    def is_frame(index):
        return isinstance(index, int) and 0 <= index < len(frames)

    for profile in document['profiles']:
        if profile.get('type') == 'evented':
            open_frames = []
            for event in profile['events']:
                kind, frame = event.get('type'), event.get('frame')
                if kind == 'O' and is_frame(frame) and is_number(event.get('at')):
                    rows['slice'] += 1
                    open_frames.append(frame)
                elif kind == 'C' and frame in open_frames:
                    if open_frames[-1] != frame:
                        raise Unknown('frames that are not nested')
                    open_frames.pop()
                else:
                    lost['speedscope_bad_record'] += 1
        elif profile.get('type') == 'sampled':
            if len(profile['samples']) != len(profile['weights']):
                raise Unknown('lists of different lengths')
            for stack in profile['samples']:
                if all(map(is_frame, stack)):
                    rows['profiler_sample'] += 1
                else:
                    lost['speedscope_bad_record'] += 1
        else:
            raise Unknown('type of a profile')
    return rows, lost


def cpuprofile(data):
    """Samples of numbers of nodes; without samples, nodes with counts."""
    document = as_json(data)
    rows = Counts()
    if 'samples' in document:
        times = document.get('timeDeltas', document.get('timestamps'))
        if times is None or len(times) != len(document['samples']):
            raise Unknown('lists of different lengths')
        rows['profiler_sample'] = len(document['samples'])
    else:
        rows['aggregate_sample'] = sum(node.get('hitCount', 0) > 0 for node in document['nodes'])
    return rows, Counts()


def battor(data):
    """"MS MILLIVOLT MILLIAMPERE [<ID>]"; samples while charging are negative."""
    rows, lost = Counts(), Counts()
    for line in lines_of(data):
        if not line.strip() or line.startswith('#'):
            continue
        match = re.fullmatch(r'\s*(\S+) (\S+) (\S+)( <.*>)?\s*', line)
        try:
            numbers = [float(match[i]) for i in (1, 2, 3)]
        except (TypeError, ValueError):
            lost['battor_parse_failure'] += 1
            continue
        if min(numbers[1:]) < 0:
            lost['battor_negative_sample'] += 1
        else:
            rows['counter'] += 1
    return rows, lost


def cloud_trace(data):
    spans = as_json(data)['spans']
    return Counts({'slice': len(spans)}), Counts()


class GeckoTable:
    """The rows of a table of a Gecko profile: lists by column, or rows with a schema."""

    def __init__(self, table):
        table = table or {}
        self.rows = []
        if 'data' in table and 'schema' in table:
            names = {index: name for name, index in table['schema'].items()} if isinstance(table['schema'], dict) else \
                dict(enumerate(table['schema']))
            for row in table['data']:
                self.rows.append({names[i]: value for i, value in enumerate(row) if i in names}
                                 if isinstance(row, list) else None)
        else:
            columns = {name: values for name, values in table.items() if isinstance(values, list)}
            length = table.get('length', max(map(len, columns.values()), default=0))
            self.rows = [{name: values[i] for name, values in columns.items() if i < len(values)} for i in range(length)]


def gecko(data):
    """Threads with samples and markers, and counters; processes have threads of their own."""
    document = as_json(data)
    rows, lost = Counts(), Counts()

    def read_markers(table, texts):
        started = Counts()
        for row in GeckoTable(table).rows:
            if row is None:
                lost['gecko_bad_row'] += 1
                continue
            name, phase = row.get('name'), row.get('phase')
            if 'time' in row and 'startTime' not in row or phase is None:
                raise Unknown('old markers')
            has_name = isinstance(name, int) and 0 <= name < len(texts)
            has_start, has_end = is_number(row.get('startTime')), is_number(row.get('endTime'))
            if not has_name or phase not in (0, 1, 2, 3) or (not has_start and phase != 3) or \
                    (not has_end and phase in (1, 3)):
                lost['gecko_bad_row'] += 1
            elif phase == 3 and started[name] == 0:
                lost['gecko_marker_end_without_start'] += 1
            elif phase == 3:
                started[name] -= 1
            else:
                rows['slice'] += 1
                started[name] += phase == 2

    def read_process(process, shared):
        shared = process.get('shared', shared) or {}
        for thread in process.get('threads', []):
            if not isinstance(thread, dict):
                raise Unknown('a thread inside a text')
            texts = thread.get('stringTable') or thread.get('stringArray') or shared.get('stringArray') or []
            for row in GeckoTable(thread.get('samples')).rows:
                has_time = row is not None and is_number(row.get('time', row.get('timeDeltas')))
                if has_time:
                    rows['profiler_sample'] += 1
                else:
                    lost['gecko_bad_row'] += 1
            read_markers(thread.get('markers'), texts)
        for counter in process.get('counters', []):
            for group in counter.get('sample_groups', [counter]):
                for row in GeckoTable(group.get('samples')).rows:
                    is_good = row is not None and is_number(row.get('count')) and \
                        is_number(row.get('time', row.get('timeDeltas')))
                    if is_good:
                        rows['counter'] += 1
                    else:
                        lost['gecko_bad_row'] += 1
        for inner in process.get('processes', []):
            read_process(inner, shared)

    if 'meta' not in document:
        raise Unknown('a recording of another tool')
    read_process(document, {})
    return rows, lost


def instruments(data):
    """Rows of tables; those with a time, a thread and a backtrace are samples."""
    try:
        root = xml.etree.ElementTree.fromstring(data)
    except xml.etree.ElementTree.ParseError as error:
        raise Unknown('damaged XML') from error
    known = {element.get('id') for element in root.iter() if element.get('id')}
    rows, lost = Counts(), Counts()

    def is_given(element):
        return element is not None and (element.get('ref') is None or element.get('ref') in known)

    for table in root.iter('node'):
        schema = table.find('schema')
        for row in table.iter('row'):
            thread = row.find('thread')
            trace = row.find('backtrace')
            if trace is None:
                trace = row.find('tagged-backtrace')
            is_profile = schema is not None and schema.get('name') in ('time-profile', 'time-sample', 'cpu-profile')
            if trace is None and not is_profile:
                lost['not imported'] += 1
                continue
            rows['profiler_sample'] += 1
            lost['instruments_row_missing_thread'] += not is_given(thread)  # kept without it
    return rows, lost


def fuchsia(data):
    """Records of 8-byte words; the first tells type and size."""
    rows, at = Counts(), 0
    event_record, log_record, large_record = 4, 9, 15
    instant, counter, begin, complete, async_begin, async_instant, flow_step, flow_end = 0, 1, 2, 4, 5, 6, 9, 10
    while at < len(data):
        if at + 8 > len(data):
            raise Unknown('damaged')
        head, = struct.unpack_from('<Q', data, at)
        kind = head & 15
        words = head >> 4 & (0xffffffff if kind == large_record else 0xfff)
        if words == 0 or at + 8 * words > len(data):
            raise Unknown('damaged')
        event = head >> 16 & 15
        if kind == log_record:
            rows['logs'] += 1
        elif kind == event_record and event == counter:
            rows['counter'] += numeric_arguments(data[at:at + 8 * words], head)
        elif kind == event_record and event in (flow_step, flow_end):
            rows['flow'] += 1
        elif kind == event_record and event in (instant, begin, complete, async_begin, async_instant):
            rows['slice'] += 1
        at += 8 * words
    return rows, Counts()


def numeric_arguments(record, head):
    """Returns the number of arguments of an event that are numbers."""
    count, thread, category, name = head >> 20 & 15, head >> 24 & 0xff, head >> 32 & 0xffff, head >> 48

    def inline_bytes(reference):
        return (reference & 0x7fff) + 7 & ~7 if reference & 0x8000 else 0

    at = 16 + (16 if thread == 0 else 0) + inline_bytes(category) + inline_bytes(name)
    numbers = 0
    for _ in range(count):
        argument, = struct.unpack_from('<Q', record, at)
        numbers += argument & 15 in (1, 2, 3, 4, 5)
        at += 8 * (argument >> 4 & 0xfff)
    return numbers


READERS = {
    'collapsed_stack': collapsed,
    'ninja_log': ninja,
    'strace': strace,
    'android_logcat': logcat,
    'perf_text': perf_text,
    'perf': perf_data,
    'speedscope': speedscope,
    'cpuprofile': cpuprofile,
    'battor': battor,
    'cloud_trace': cloud_trace,
    'gecko': gecko,
    'instruments_xml': instruments,
    'fuchsia': fuchsia,
}
