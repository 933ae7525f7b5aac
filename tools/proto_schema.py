#!/usr/bin/env python3
"""Generates fields.h and the .inc files of src/format/proto/generated from the tables in src/format/proto/schema,
and src/kernel/generated/ftrace_events.inc from src/kernel/schema/ftrace-events.tsv.

  tools/proto_schema.py            writes the files
  tools/proto_schema.py --check    fails if they differ from the tables
  tools/proto_schema.py --import DIR   copies the used rows from DIR/*.tsv, the full tables
                                       of the format

src/format/proto/schema/used.txt lists the messages and enums that the reader
uses ("names ENUM": names of values, through typed_args.h; "tree MESSAGE": all nested messages, too);
messages.tsv, enums.tsv and ftrace-events.tsv have their rows.
"""
import pathlib
import re
import subprocess
import sys

SRC = pathlib.Path(__file__).parent.parent / "src"
FOLDER = SRC / "format/proto"
SCHEMA = FOLDER / "schema"
GENERATED = FOLDER / "generated"
KERNEL_SCHEMA = SRC / "kernel/schema/ftrace-events.tsv"
KERNEL_GENERATED = SRC / "kernel/generated/ftrace_events.inc"
PREFIXES = ("perfetto.protos.", "android.net.connectivity.tracing.", "com.android.internal.",
            "com.android.art.tracing.", "bluetooth.tracing.")
WARNING = "// Made by tools/proto_schema.py from the tables in schema/; edit those.\n"

FTRACE_TYPES = ("Int32", "Int64", "Uint32", "Uint64", "String", "Bytes")


def rows(path):
    return [line.split("\t") for line in path.read_text().splitlines()[1:] if line]


def short(name):
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return name.replace(".", "_")


def constant(name):
    if name.isupper():
        name = name.lower()
    return "k" + "".join(part[:1].upper() + part[1:] for part in re.split("[_.]", name))


def without_prefix(values):
    """Removes the words that all names of an enum start with: TYPE_STATE becomes kState."""
    names = [name.split("_") for name, _ in values]
    words = 0
    while all(len(name) > words + 1 for name in names) and len({name[words] for name in names}) == 1:
        words += 1
    return [("_".join(name[words:]), value) for name, (_, value) in zip(names, values)]


def used():
    lines = (line.split("#")[0].split() for line in (SCHEMA / "used.txt").read_text().splitlines())
    return [line for line in lines if line]


def take(source):
    wanted = {name for kind, name in used() if kind == "message"}
    enums = {name for kind, name in used() if kind == "enum"}
    for file, names in (("schema.tsv", wanted), ("enums.tsv", enums)):
        lines = (source / file).read_text().splitlines()
        found = [line for line in lines[1:] if short(line.split("\t")[0]) in names]
        missing = names - {short(line.split("\t")[0]) for line in found}
        if missing:
            sys.exit(f"{file} has no {', '.join(sorted(missing))}")
        target = "messages.tsv" if file == "schema.tsv" else file
        (SCHEMA / target).write_text("\n".join([lines[0], *found]) + "\n")
    take_typed(source)
    for file in ("sys-stats-names.tsv", "chrome-names.tsv", "power-rail-names.tsv"):
        (SCHEMA / file).write_text((source / file).read_text())
    KERNEL_SCHEMA.write_text((source / KERNEL_SCHEMA.name).read_text())


def is_typed(number):
    """Returns whether a field of TrackEvent becomes args by its descriptor (spec proto 2.8)."""
    return (24 <= number <= 29 or 38 <= number <= 41 or number >= 1000
            or number in (32, 33, 35, 43, 49, 50))


def take_typed(source):
    """Returns the messages and enums in typed fields of TrackEvent, and those nested in "tree"s."""
    lines = (source / "schema.tsv").read_text().splitlines()
    fields = {}
    for line in lines[1:]:
        fields.setdefault(line.split("\t")[0], []).append(line)
    track_event = "perfetto.protos.TrackEvent"
    kept = [line for line in fields[track_event] if is_typed(int(line.split("\t")[1]))]
    trees = ["perfetto.protos." + name for kind, name in used() if kind == "tree"]
    kept += [line for tree in trees for line in fields[tree]]
    to_do, seen, enums = list(kept), {track_event, *trees}, set()
    while to_do:
        _, _, _, _, kind, ref, *_ = to_do.pop().split("\t")
        if kind == "enum":
            enums.add(ref)
        elif kind == "message" and ref not in seen:
            seen.add(ref)
            kept += fields.get(ref, [])
            to_do += fields.get(ref, [])
    (SCHEMA / "typed-messages.tsv").write_text("\n".join([lines[0], *sorted(kept)]) + "\n")
    lines = (source / "enums.tsv").read_text().splitlines()
    enums |= {name for kind, name in used() if kind == "names"}
    found = [line for line in lines[1:] if line.split("\t")[0] in enums]
    (SCHEMA / "typed-enums.tsv").write_text("\n".join([lines[0], *found]) + "\n")


def block(kind, name, entries):
    body = ",\n".join(f"    {constant(key)} = {number}" for key, number in entries)
    return f"struct {name} {{\n  enum {kind} : uint32_t {{\n{body},\n  }};\n}};\n"


def fields_header():
    messages, enums = {}, {}
    for message, number, name, *_ in rows(SCHEMA / "messages.tsv"):
        fields = messages.setdefault(short(message), {})
        fields.setdefault(name, number)  # an extension may have the name of an older field
    for enum, number, name in rows(SCHEMA / "enums.tsv"):
        if int(number) >= 0:
            enums.setdefault(short(enum), []).append((name, number))
    text = WARNING
    text += "// Field numbers of the messages, and values of the enums, that the reader names.\n"
    text += "#pragma once\n\n#include <cstdint>\n\nnamespace tracebraid::proto::field {\n\n"
    for name in sorted(messages):
        text += block("Field", name, messages[name].items()) + "\n"
    for name in sorted(enums):
        text += block("Value", name, without_prefix(enums[name])) + "\n"
    return text + "}  // namespace tracebraid::proto::field\n"


def ftrace_events():
    text = WARNING + "// TB_EVENT(field number, name) and its TB_FIELD(number, name, type), by number.\n"
    for number, name, _, fields in rows(KERNEL_SCHEMA):
        text += f'TB_EVENT({number}, "{name}")\n'
        for field in fields.split():
            if field.count(":") != 2:
                continue
            key, field_name, kind = field.split(":")
            kind = constant(kind.rstrip("*[]"))[1:]
            kind = kind if kind in FTRACE_TYPES else "Other"
            text += f'TB_FIELD({key}, "{field_name}", {kind})\n'
    return text


def packet_names():
    text = WARNING + "// TB_PACKET(field number, name), by number.\n"
    for message, number, name, *_ in rows(SCHEMA / "messages.tsv"):
        if short(message) == "TracePacket":
            text += f'TB_PACKET({number}, "{name}")\n'
    return text


def typed_fields():
    text = WARNING
    text += "// TB_TYPED_FIELD(message, number, name, type, repeated, type of message or enum)\n"
    text += "// and TB_ENUM_VALUE(enum, number, name).\n"
    for message, number, name, label, kind, ref, *_ in rows(SCHEMA / "typed-messages.tsv"):
        repeated = "true" if label == "rep" else "false"
        text += f'TB_TYPED_FIELD("{message}", {number}, "{name}", {constant(kind)[1:]}, {repeated}, "{ref}")\n'
    for enum, number, name in rows(SCHEMA / "typed-enums.tsv"):
        text += f'TB_ENUM_VALUE("{enum}", {number}, "{name}")\n'
    return text


def chrome_names():
    text = WARNING + "// TB_PROCESS_TYPE(value, shown name) and TB_THREAD_TYPE, by value.\n"
    for enum, number, _, shown in rows(SCHEMA / "chrome-names.tsv"):
        macro = {"ProcessType": "TB_PROCESS_TYPE", "ThreadType": "TB_THREAD_TYPE"}.get(enum)
        if macro and shown:
            text += f'{macro}({number}, "{shown}")\n'
    return text


def sys_stats_names():
    text = WARNING + "// TB_MEMINFO(value, counter name) and TB_VMSTAT, by value.\n"
    for enum, number, name in rows(SCHEMA / "sys-stats-names.tsv"):
        macro = {"MeminfoCounters": "TB_MEMINFO", "VmstatCounters": "TB_VMSTAT"}[enum]
        text += f'{macro}({number}, "{name}")\n'
    return text


def power_rail_names():
    text = WARNING + "// TB_POWER_RAIL(end of the raw name, shown name); the first that matches counts.\n"
    for suffix, shown in rows(SCHEMA / "power-rail-names.tsv"):
        text += f'TB_POWER_RAIL("{suffix}", "{shown}")\n'
    return text


def formatted(name, text):
    return subprocess.run(["clang-format-19", f"--assume-filename={GENERATED / name}"], input=text,
                          capture_output=True, text=True, check=True).stdout


def main(arguments):
    if arguments[:1] == ["--import"]:
        take(pathlib.Path(arguments[1]))
    made = {GENERATED / "fields.h": formatted("fields.h", fields_header()),
            KERNEL_GENERATED: ftrace_events(),
            GENERATED / "packet_names.inc": packet_names(),
            GENERATED / "chrome_names.inc": chrome_names(),
            GENERATED / "sys_stats_names.inc": sys_stats_names(),
            GENERATED / "power_rail_names.inc": power_rail_names(),
            GENERATED / "typed_fields.inc": typed_fields()}
    stale = [file for file, text in made.items() if not file.exists() or file.read_text() != text]
    if arguments[:1] == ["--check"]:
        names = ", ".join(file.name for file in stale)
        sys.exit(f"stale: {names}; run tools/proto_schema.py" if stale else 0)
    for file in stale:
        file.write_text(made[file])


if __name__ == "__main__":
    main(sys.argv[1:])
