// Files, machines, metadata and statistics: what a trace is made of.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_TRACE_FILE_COLUMNS(C)                                                          \
  C(parent_id, OptRow, None, "File in which this one was found.")                         \
  C(name, StringId, None, "Member path; NULL for the input, empty inside gzip and zstd.") \
  C(size, int64_t, None, "Bytes, uncompressed once read.")                                \
  C(trace_type, StringId, None, "Format name; unknown until read.")                       \
  C(processing_order, OptInt, None, "0-based order of reading; NULL if never read.")      \
  C(is_container, uint8_t, None, "1 for archives and compressed files.")                  \
  C(path, StringId, None, "Scoped path, outer.zip/inner.tar/x.json (ours).")
TB_TABLE(TraceFileTable, "__intrinsic_trace_file", "Files, and files inside files.",
         TB_TRACE_FILE_COLUMNS, {"trace_file", "* EXCEPT (path)"})

#define TB_MACHINE_COLUMNS(C)                                                         \
  C(raw_id, int64_t, None, "0 host, then embedded ids, from 2^32 manifest machines.") \
  C(name, StringId, None, "From SystemInfo or the manifest.")                         \
  C(sysname, StringId, None, "utsname.")                                              \
  C(release, StringId, None, "utsname.")                                              \
  C(version, StringId, None, "utsname.")                                              \
  C(arch, StringId, None, "utsname machine.")                                         \
  C(num_cpus, OptInt, None, "CPUs.")                                                  \
  C(android_build_fingerprint, StringId, None, "Build.")                              \
  C(android_device_manufacturer, StringId, None, "Maker.")                            \
  C(android_sdk_version, OptInt, None, "API level.")                                  \
  C(system_ram_bytes, OptInt, None, "Memory, bytes.")                                 \
  C(system_ram_gb, OptInt, None, "Memory, 10^9 bytes, rounded.")
TB_TABLE(MachineTable, "__intrinsic_machine",
         "Devices with clocks, processes and CPUs of their own.", TB_MACHINE_COLUMNS)

#define TB_METADATA_COLUMNS(C)                                       \
  C(name, StringId, None, "Key.")                                    \
  C(key_type, StringId, None, "single or multi.")                    \
  C(int_value, OptInt, None, "Value, if a number.")                  \
  C(str_value, StringId, None, "Value, if a text.")                  \
  C(machine_id, OptRow, None, "Row of machine, by the key's scope.") \
  C(trace_id, OptRow, None, "Row of trace_file, by the key's scope.")
TB_TABLE(MetadataTable, "__intrinsic_metadata", "Facts about the trace as a whole.",
         TB_METADATA_COLUMNS, {"metadata"})

#define TB_STATS_COLUMNS(C)                                                                     \
  C(name, StringId, None, "Name of the stat.")                                                  \
  C(key, uint32_t, None, "Key of the stat.")                                                    \
  C(idx, OptInt, None, "CPU, buffer, ... of an indexed stat.")                                  \
  C(severity, StringId, None, "info, notice, data_loss or error.")                              \
  C(source, StringId, None, "trace: counted by the recorder; analysis: counted while reading.") \
  C(value, int64_t, None, "The count.")                                                         \
  C(description, StringId, None, "What happened, what it means for the data, what to do.")      \
  C(machine_id, OptRow, None, "Row of machine; NULL for a global stat.")                        \
  C(trace_id, OptRow, None, "Row of trace_file; NULL for a global stat.")                       \
  C(level, StringId, None, "lost, repaired or noted.")
TB_TABLE(StatsTable, "__intrinsic_stats", "Counts of losses, repairs and facts, also at zero.",
         TB_STATS_COLUMNS, {"stats"})

#define TB_IMPORT_LOG_COLUMNS(C)                                       \
  C(trace_id, OptRow, None, "Row of trace_file.")                      \
  C(ts, OptInt, None, "Trace time, ns, if known.")                     \
  C(byte_offset, OptInt, None, "Offset in the file, bytes, if known.") \
  C(stat_key, uint32_t, None, "Key of the stat.")                      \
  C(arg_set_id, OptRow, None, "Details.")
TB_TABLE(ImportLogTable, "__intrinsic_trace_import_logs", "Single occurrences that stats count.",
         TB_IMPORT_LOG_COLUMNS)

#define TB_DIAGNOSTIC_COLUMNS(C)                                           \
  C(key, StringId, None, "Name of the rule.")                              \
  C(title, StringId, None, "The finding, a line.")                         \
  C(description, StringId, None, "What it means for the data.")            \
  C(remediation, StringId, None, "What to change in the next recording.")  \
  C(confidence, double, None, "How likely data is affected, from 0 to 1.") \
  C(trace_id, OptRow, None, "Row of trace_file.")
TB_TABLE(DiagnosticTable, "__intrinsic_trace_diagnostics",
         "Findings about the configuration of Perfetto recordings.", TB_DIAGNOSTIC_COLUMNS)

#define TB_CLOCK_SNAPSHOT_COLUMNS(C)                                         \
  C(ts, int64_t, None, "Trace time of the reading by this clock, ns.")       \
  C(clock_id, int64_t, None, "Domain, as in the file.")                      \
  C(clock_name, StringId, None, "REALTIME ... BOOTTIME; NULL for others.")   \
  C(clock_value, int64_t, None, "Reading of the clock, ns.")                 \
  C(snapshot_id, int64_t, None, "Equal for clocks that were read together.") \
  C(machine_id, OptRow, None, "Row of machine.")
TB_TABLE(ClockSnapshotTable, "__intrinsic_clock_snapshot",
         "Clocks that were read together, and edges that were inferred.", TB_CLOCK_SNAPSHOT_COLUMNS,
         {"clock_snapshot"})

#define TB_TRACE_TABLES(TABLE, PLAIN) \
  TABLE(TraceFileTable, files)        \
  TABLE(MachineTable, machines)       \
  TABLE(MetadataTable, metadata)      \
  TABLE(StatsTable, stats)            \
  TABLE(ImportLogTable, import_logs)  \
  TABLE(DiagnosticTable, diagnostics) \
  TABLE(ClockSnapshotTable, clock_snapshots)

}  // namespace tracebraid
