#!/usr/bin/env python3
"""The names and columns of docs/spec/sql-dialect.md, sections 3, 4, 6 and appendices A and B, against the program.

Each table, view, function, macro, module and argument list that the specification names exists with the same columns
in the same order, except those of the lists below, each with its reason. TRACEBRAID names the program; --list prints
all differences.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

PROGRAM = os.environ.get('TRACEBRAID', 'tracebraid')
ROOT = pathlib.Path(__file__).resolve().parent.parent
SPEC = ROOT / 'docs/spec/sql-dialect.md'


def query(statement):
    """The rows of a statement, as objects."""
    printed = subprocess.run([PROGRAM, 'query', '--no-trace', '--format', 'json', statement],
                             capture_output=True, text=True, timeout=300)
    if printed.returncode != 0:
        raise AssertionError(printed.stderr)
    return json.loads(printed.stdout)


def part(text, start, end):
    """The text between two headings."""
    return text[text.index(start):text.index(end)]


def top_level(text, separator):
    """Splits at a separator outside of parentheses."""
    parts, depth, begin = [], 0, 0
    i = 0
    while i < len(text):
        depth += (text[i] == '(') - (text[i] == ')')
        if depth == 0 and text.startswith(separator, i):
            parts.append(text[begin:i])
            i += len(separator)
            begin = i
            continue
        i += 1
    return parts + [text[begin:]]


def names_of(columns):
    return [column.split()[0] for column in columns.split(',') if column.strip()]


MARKS = {'S': 'STRING', 'D': 'DOUBLE', 'T': 'TIMESTAMP', 'U': 'DURATION', 'B': 'BOOL', 'I': 'ID', 'A': 'ARGSETID'}


def tables_of_section_6(text):
    """name -> columns."""
    rows = re.findall(r'^\| `(\w+)` \| [vt] \| (.*?) \|', part(text, '### 6.2', '### 6.8'), re.M)
    return {name: names_of(columns) for name, columns in rows}


def tables_of_appendix_a(text):
    tables = {}
    for name, columns in re.findall(r'^\| (\w+) \| (.*) \|$', part(text, '## Appendix A', '## Appendix B'), re.M):
        with_id = not columns.endswith(' (no id)')
        columns = names_of(columns.removesuffix(' (no id)'))
        tables['__intrinsic_' + name] = (['id'] if with_id else []) + columns
    return tables


# One object of a module: kind, name, arguments (or None), columns (or None).
def parse_object(text):
    text = text.strip().rstrip('.')
    macro = re.fullmatch(r'(\w+)!\((.*)\)', text, re.S)
    if macro:
        return 'MACRO', macro[1], names_of(macro[2]), None
    function = re.fullmatch(r'(\w+)\((.*?)\) → (.*)', text, re.S)
    if function:
        if function[3].strip() == 'pprof BYTES':
            return 'FUNCTION', function[1], names_of(function[2]), None
        return 'TABLE_FUNCTION', function[1], names_of(function[2]), names_of(function[3])
    function = re.fullmatch(r'(\w+)\((.*?)\) = (\w+)', text, re.S)
    if function:
        return 'FUNCTION', function[1], names_of(function[2]), None
    table = re.fullmatch(r'(\w+)( \(v\))?(?:: (.*))?', text, re.S)
    if table:
        return 'TABLE', table[1], None, names_of(table[3]) if table[3] else None
    raise AssertionError(f'cannot parse {text!r}')


def modules_of_appendix_b(text):
    """module -> list of objects, with those of the list "Not listed" without objects."""
    appendix = text[text.index('## Appendix B'):]
    modules = {}
    for module, rest in re.findall(r'^\* `([\w.]+)`(?: \[\d+\])? — (.*)$', appendix, re.M):
        public, _, internal = rest.partition('*Internal:* ')
        public = public.partition('. ')[2] if not public.endswith('.') or '. ' in public else ''
        objects = []
        for listed in (public, internal):
            for item in top_level(listed.strip(), ' · '):
                if item.strip():
                    objects.append(parse_object(item))
        modules[module] = objects
    for module in re.findall(r'`([\w.]+)`', appendix[appendix.index('**Not listed**'):]):
        modules.setdefault(module, [])
    return modules


def functions_of_section_4(text):
    section = part(text, '### 4.2', '## 5. SQLite')
    # fib is an example.
    return sorted(set(re.findall(r'`(?:[^`]*?\b)?(\w+)\((?=[^`]*`)', section)) - {'fib'})


def differences():
    text = SPEC.read_text()
    found = {}

    columns = {}
    for row in query("SELECT m.name AS tab, x.name AS col FROM sqlite_master AS m, pragma_table_info(m.name) AS x "
                     "WHERE m.type IN ('table', 'view')"):
        columns.setdefault(row['tab'], []).append(row['col'])
    counts = {}
    for section, tables in (('6', tables_of_section_6(text)), ('A', tables_of_appendix_a(text))):
        counts[section] = len(tables)
        for name, expected in tables.items():
            if name not in columns:
                found[name] = f'section {section}: no such table'
            elif columns[name][:len(expected)] != expected:  # ours may follow
                found[name] = f'section {section}: columns {columns[name]}, specified {expected}'

    functions = {row['name'] for row in query('SELECT DISTINCT name FROM pragma_function_list')}
    modules = {row['name'] for row in query('SELECT name FROM pragma_module_list')}
    expected = functions_of_section_4(text)
    counts['4'] = len(expected)
    for name in expected:
        if name.lower() not in functions and name not in functions and name not in columns and name not in modules:
            found[name + '()'] = 'section 4: no such function'

    objects = {}
    for row in query('SELECT module, name, object_type, args, cols FROM __intrinsic_stdlib_objects'):
        objects.setdefault(row['module'], {})[row['name']] = row
    counts['B'] = counts['B.objects'] = 0
    for module, listed in modules_of_appendix_b(text).items():
        counts['B'] += 1
        if module not in objects:
            found[module] = 'appendix B: no such module'
            continue
        for kind, name, arguments, result in listed:
            counts['B.objects'] += 1
            row = objects[module].get(name)
            if row is None:
                found[f'{module} {name}'] = f'appendix B: no such {kind.lower()}'
                continue
            if (row['object_type'].replace('VIEW', 'TABLE')) != kind:
                found[f'{module} {name}'] = f'appendix B: is a {row["object_type"]}, specified {kind}'
            for key, wanted in (('args', arguments), ('cols', result)):
                have = [item['name'] for item in json.loads(row[key] or '[]')]
                if wanted is not None and have != wanted:
                    found[f'{module} {name} {key}'] = f'appendix B: {have}, specified {wanted}'
    return found, counts


# Names that do not exist, as patterns, each with its reason.
ABSENT = {
    r'wattson\..*': 'out of scope (issue)',
    r'chrome\.(chrome_scrolls .*|chrome_scrolls_v4|scroll_jank.*|speedometer.*|jetstream_3|loadline_2|input|android_input'
    r'|graphics_pipeline)': 'Chrome beyond simple tables is out of scope (section 10)',
    r'(experimental_profile|cat_stacks|stack_from_stack_profile_(callsite|frame))\(\)':
    'metrics are out of scope (section 10)',
    r'android\.(binder|monitor_contention) android_\w+_graph': 'pprof of metrics (experimental_profile)',
    r'__intrinsic_wakeup_graph_agg\(\)': 'not in scope (section 3.10)',
    r'(_intrinsic_package_lookup|__intrinsic_perf_counter_for_sample)\(\)': 'the public functions of the modules do it in SQL',
    r'sched\.with_context sched_with_thread_process cols': 'the order of the reference (section 7.2)',
    r'android\.binder_breakdown _binder_flatten_descendants args': 'internal; takes a table',
    r'android\.memory\.heap_graph\.heap_graph_class_aggregation _.*': 'internal; the dominator tree covers all dumps at once',
    r'(android\.(critical_blocking_calls|cujs\.\w+|desktop_mode|frame_blocking_calls\.\w+|frames\.timeline_maxsdk28'
    r'|job_scheduler_states|memory\.dmabuf_spans|memory\.heap_graph\.\w+|profiling_manager\.\w+|render_thread'
    r'|startup\.\w+|surfaceflinger)|callstacks\.symbolize|export\.to_svg|linux\.memory\.general)':
    'the specification has no content for the module, only its name',
}


class Names(unittest.TestCase):
    def test_names_and_columns(self):
        found, counts = differences()
        for section, least in (('6', 80), ('A', 110), ('4', 50), ('B', 230), ('B.objects', 500)):
            self.assertGreaterEqual(counts[section], least)
        unknown = {name: what for name, what in found.items()
                   if not any(re.fullmatch(pattern, name) for pattern in ABSENT)}
        self.assertEqual(unknown, {})

    def test_reasons_are_needed(self):
        found, _ = differences()
        for pattern in ABSENT:
            self.assertTrue(any(re.fullmatch(pattern, name) for name in found), pattern)


if __name__ == '__main__' and '--list' in sys.argv:
    found, counts = differences()
    for name, what in sorted(found.items()):
        print(name, '|', what)
    print(len(found), counts)
elif __name__ == '__main__':
    unittest.main()
