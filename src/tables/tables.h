// The tables of a merged trace. One list a table, one line a column: name, type,
// order, what it says. SQL, docs/sql-tables.md and exports are made from these
// lists. Column names and meanings: spec clocks 12, sql-dialect appendix A.
#pragma once

#include "column/column.h"

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
         TB_TRACE_FILE_COLUMNS)

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
         TB_METADATA_COLUMNS)

#define TB_STATS_COLUMNS(C)                                                   \
  C(name, StringId, None, "What was counted.")                                \
  C(key, uint32_t, None, "Number of the kind of stat.")                       \
  C(idx, OptInt, None, "CPU, buffer, ... of an indexed stat.")                \
  C(severity, StringId, None, "info, notice, data_loss or error.")            \
  C(source, StringId, None, "trace: the recorder noticed; analysis: we did.") \
  C(value, int64_t, None, "The count.")                                       \
  C(description, StringId, None, "What it means.")                            \
  C(machine_id, OptRow, None, "Row of machine; NULL for a global stat.")      \
  C(trace_id, OptRow, None, "Row of trace_file; NULL for a global stat.")
TB_TABLE(StatsTable, "__intrinsic_stats", "Counts of losses, repairs and facts, also at zero.",
         TB_STATS_COLUMNS)

#define TB_IMPORT_LOG_COLUMNS(C)                               \
  C(trace_id, OptRow, None, "Row of trace_file.")              \
  C(ts, OptInt, None, "Trace time, ns, if known.")             \
  C(byte_offset, OptInt, None, "Where in the file, if known.") \
  C(stat_key, uint32_t, None, "Kind of stat.")                 \
  C(arg_set_id, OptRow, None, "Details.")
TB_TABLE(ImportLogTable, "__intrinsic_trace_import_logs", "Single occurrences behind stats.",
         TB_IMPORT_LOG_COLUMNS)

#define TB_CLOCK_SNAPSHOT_COLUMNS(C)                                            \
  C(ts, int64_t, None, "Trace time as seen through this clock, ns.")            \
  C(clock_id, int64_t, None, "Domain, as in the file.")                         \
  C(clock_name, StringId, None, "REALTIME ... BOOTTIME; NULL for others.")      \
  C(clock_value, int64_t, None, "What it showed, ns.")                          \
  C(snapshot_id, int64_t, None, "The same for clocks that were read together.") \
  C(machine_id, OptRow, None, "Row of machine.")
TB_TABLE(ClockSnapshotTable, "__intrinsic_clock_snapshot",
         "Clocks that were read together, and edges that were inferred.", TB_CLOCK_SNAPSHOT_COLUMNS)

#define TB_PROCESS_COLUMNS(C)                         \
  C(pid, int64_t, None, "Process id.")                \
  C(name, StringId, None, "Name of the best source.") \
  C(start_ts, OptInt, None, "Start, ns.")             \
  C(end_ts, OptInt, None, "End, ns.")                 \
  C(parent_upid, OptRow, None, "Row of process.")     \
  C(uid, OptInt, None, "User id.")                    \
  C(android_appid, OptInt, None, "uid % 100000.")     \
  C(android_user_id, OptInt, None, "uid / 100000.")   \
  C(cmdline, StringId, None, "Command line.")         \
  C(arg_set_id, OptRow, None, "Args.")                \
  C(machine_id, uint32_t, None, "Row of machine.")
TB_TABLE(ProcessTable, "__intrinsic_process", "Processes; a reused pid has several rows.",
         TB_PROCESS_COLUMNS)

#define TB_THREAD_COLUMNS(C)                                            \
  C(tid, int64_t, None, "Thread id.")                                   \
  C(name, StringId, None, "Name of the best source.")                   \
  C(start_ts, OptInt, None, "Start, ns.")                               \
  C(end_ts, OptInt, None, "End, ns.")                                   \
  C(upid, OptRow, None, "Row of process, if known.")                    \
  C(is_main_thread, OptInt, None, "1 if tid = pid; NULL if not known.") \
  C(is_idle, uint8_t, None, "1 for the idle thread.")                   \
  C(machine_id, uint32_t, None, "Row of machine.")                      \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(ThreadTable, "__intrinsic_thread", "Threads; a reused tid has several rows.",
         TB_THREAD_COLUMNS)

#define TB_CPU_COLUMNS(C)                                            \
  C(cpu, OptInt, None, "Number on its machine; NULL if never seen.") \
  C(cluster_id, OptInt, None, "Cluster.")                            \
  C(processor, StringId, None, "Kind.")                              \
  C(machine_id, uint32_t, None, "Row of machine.")                   \
  C(capacity, OptInt, None, "Relative speed.")                       \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(CpuTable, "__intrinsic_cpu",
         "CPUs; 4096 rows a machine, so that id = machine * 4096 + cpu.", TB_CPU_COLUMNS)

#define TB_CPU_FREQ_COLUMNS(C)           \
  C(ucpu, uint32_t, None, "Row of cpu.") \
  C(freq, int64_t, None, "kHz.")
TB_TABLE(CpuFreqTable, "__intrinsic_cpu_freq", "Frequencies a CPU can run at.", TB_CPU_FREQ_COLUMNS)

#define TB_GPU_COLUMNS(C)                          \
  C(gpu, int64_t, None, "Number on its machine.")  \
  C(machine_id, uint32_t, None, "Row of machine.") \
  C(name, StringId, None, "Name.")                 \
  C(vendor, StringId, None, "Maker.")              \
  C(model, StringId, None, "Model.")               \
  C(architecture, StringId, None, "Architecture.") \
  C(uuid, StringId, None, "Id, in hex.")           \
  C(pci_bdf, StringId, None, "PCI address.")       \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(GpuTable, "__intrinsic_gpu", "Graphics processors.", TB_GPU_COLUMNS)

#define TB_TRACK_COLUMNS(C)                                                       \
  C(name, StringId, None, "What a viewer shows.")                                 \
  C(parent_id, OptRow, None, "Row of track.")                                     \
  C(source_arg_set_id, OptRow, None, "Where it comes from.")                      \
  C(machine_id, uint32_t, None, "Row of machine.")                                \
  C(type, StringId, None, "Kind of track.")                                       \
  C(dimension_arg_set_id, OptRow, None, "What tells it from others of its type.") \
  C(track_group_id, OptRow, None, "The same for the lanes of one logical track.") \
  C(event_type, StringId, None, "slice, counter or state.")                       \
  C(counter_unit, StringId, None, "Unit of a counter.")                           \
  C(utid, OptRow, None, "Row of thread, if it is a thread's.")                    \
  C(upid, OptRow, None, "Row of process, if it is a process's.")                  \
  C(trace_id, OptRow, None, "Row of trace_file whose events it holds (ours).")
TB_TABLE(TrackTable, "__intrinsic_track", "Where events of one kind lie, one row in a viewer.",
         TB_TRACK_COLUMNS)

#define TB_SLICE_COLUMNS(C)                                                     \
  C(ts, PackedColumn<int64_t>, Sorted, "Start, ns of trace time.")              \
  C(dur, PackedColumn<int64_t>, None, "Length, ns; -1 if it never ended.")      \
  C(track_id, PackedColumn<uint32_t>, None, "Row of track.")                    \
  C(category, PackedColumn<StringId>, None, "Category.")                        \
  C(name, PackedColumn<StringId>, None, "What ran.")                            \
  C(depth, PackedColumn<uint32_t>, None, "0 for the outermost.")                \
  C(parent_id, PackedColumn<OptRow>, None, "Row of slice around it.")           \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")                            \
  C(thread_ts, SparseColumn, None, "Start in CPU time of the thread, ns.")      \
  C(thread_dur, SparseColumn, None, "Length in CPU time of the thread, ns.")    \
  C(thread_instruction_count, SparseColumn, None, "Instructions at the start.") \
  C(thread_instruction_delta, SparseColumn, None, "Instructions during the slice.")
TB_TABLE(SliceTable, "__intrinsic_slice", "Stretches of time on a track.", TB_SLICE_COLUMNS)

#define TB_COUNTER_COLUMNS(C)                                \
  C(ts, PackedColumn<int64_t>, Sorted, "ns of trace time.")  \
  C(track_id, PackedColumn<uint32_t>, None, "Row of track.") \
  C(value, double, None, "Value from ts on.")                \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")
TB_TABLE(CounterTable, "__intrinsic_counter", "Values that hold until the next.",
         TB_COUNTER_COLUMNS)

#define TB_STATE_COLUMNS(C)                        \
  C(ts, int64_t, Sorted, "Start, ns.")             \
  C(dur, int64_t, None, "Length, ns; -1 if open.") \
  C(track_id, uint32_t, None, "Row of track.")     \
  C(category, StringId, None, "Category.")         \
  C(value, StringId, None, "State.")               \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(StateTable, "__intrinsic_state", "States that follow one another.", TB_STATE_COLUMNS)

#define TB_FLOW_COLUMNS(C)                                                  \
  C(slice_out, PackedColumn<uint32_t>, None, "Row of slice it comes from.") \
  C(slice_in, PackedColumn<uint32_t>, None, "Row of slice it goes to.")     \
  C(trace_id, OptInt, None, "The flow's id in the trace (not a file).")     \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")
TB_TABLE(FlowTable, "__intrinsic_flow", "Arrows between slices.", TB_FLOW_COLUMNS)

#define TB_SCHED_COLUMNS(C)                                                                \
  C(ts, PackedColumn<int64_t>, Sorted, "Start, ns.")                                       \
  C(dur, PackedColumn<int64_t>, None, "Length, ns; -1 if open.")                           \
  C(utid, PackedColumn<uint32_t>, None, "Row of thread.")                                  \
  C(end_state, PackedColumn<StringId>, None, "Why it stopped; NULL if open or not known.") \
  C(priority, PackedColumn<int64_t>, None, "Kernel priority.")                             \
  C(ucpu, PackedColumn<uint32_t>, None, "Row of cpu.")
TB_TABLE(SchedTable, "__intrinsic_sched_slice", "Which thread ran on which CPU.", TB_SCHED_COLUMNS)

#define TB_THREAD_STATE_COLUMNS(C)                                                   \
  C(ts, PackedColumn<int64_t>, Sorted, "Start, ns.")                                 \
  C(dur, PackedColumn<int64_t>, None, "Length, ns; -1 if open.")                     \
  C(utid, PackedColumn<uint32_t>, None, "Row of thread.")                            \
  C(state, PackedColumn<StringId>, None, "Running, R, R+, S, D ...")                 \
  C(io_wait, PackedColumn<OptRow>, None, "1 if it waited for IO.")                   \
  C(blocked_function, PackedColumn<StringId>, None, "Kernel function it waited in.") \
  C(waker_utid, PackedColumn<OptRow>, None, "Thread that woke it.")                  \
  C(waker_id, PackedColumn<OptRow>, None, "Row of thread_state of the waker.")       \
  C(irq_context, PackedColumn<OptRow>, None, "1 if woken from an interrupt.")        \
  C(ucpu, PackedColumn<OptRow>, None, "Row of cpu it ran on.")
TB_TABLE(ThreadStateTable, "__intrinsic_thread_state", "What each thread was doing.",
         TB_THREAD_STATE_COLUMNS)

#define TB_SPURIOUS_WAKEUP_COLUMNS(C)                                    \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                            \
  C(thread_state_id, PackedColumn<OptRow>, None, "Row of thread_state.") \
  C(irq_context, PackedColumn<OptRow>, None, "1 if from an interrupt.")  \
  C(utid, PackedColumn<uint32_t>, None, "Row of thread.")                \
  C(waker_utid, PackedColumn<OptRow>, None, "Row of thread.")
TB_TABLE(SpuriousWakeupTable, "__intrinsic_spurious_sched_wakeup",
         "Wake-ups of threads that were awake.", TB_SPURIOUS_WAKEUP_COLUMNS)

#define TB_FTRACE_EVENT_COLUMNS(C)                               \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                    \
  C(name, PackedColumn<StringId>, None, "Event.")                \
  C(utid, PackedColumn<OptRow>, None, "Thread that emitted it.") \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")             \
  C(common_flags, PackedColumn<int64_t>, None, "Flags.")         \
  C(ucpu, PackedColumn<uint32_t>, None, "Row of cpu.")
TB_TABLE(FtraceEventTable, "__intrinsic_ftrace_event", "Kernel events as recorded.",
         TB_FTRACE_EVENT_COLUMNS)

#define TB_LOG_COLUMNS(C)                                   \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")               \
  C(utid, PackedColumn<OptRow>, None, "Row of thread.")     \
  C(prio, PackedColumn<int64_t>, None, "Priority.")         \
  C(log_source, PackedColumn<StringId>, None, "Which log.") \
  C(tag, PackedColumn<StringId>, None, "Tag.")              \
  C(msg, PackedColumn<StringId>, None, "Message.")          \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args.")
TB_TABLE(LogTable, "__intrinsic_logs", "Log lines.", TB_LOG_COLUMNS)

#define TB_CHROME_RAW_COLUMNS(C)            \
  C(ts, int64_t, Sorted, "ns.")             \
  C(name, StringId, None, "Kind.")          \
  C(utid, uint32_t, None, "Row of thread.") \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(ChromeRawTable, "__intrinsic_chrome_raw", "Legacy events without a table of their own.",
         TB_CHROME_RAW_COLUMNS)

// Callstacks and samples (spec json 7.3, proto 6.8).

#define TB_STACK_MAPPING_COLUMNS(C)                                   \
  C(build_id, StringId, None, "Build id, hex.")                       \
  C(exact_offset, int64_t, None, "Offset in the file, of the code.")  \
  C(start_offset, int64_t, None, "Offset in the file, of the start.") \
  C(start, int64_t, None, "First address.")                           \
  C(end, int64_t, None, "Address behind the last.")                   \
  C(load_bias, int64_t, None, "Address in the file minus offset.")    \
  C(name, StringId, None, "Path, or what stands for it.")
TB_TABLE(StackMappingTable, "__intrinsic_stack_profile_mapping", "Files that code ran from.",
         TB_STACK_MAPPING_COLUMNS)

#define TB_STACK_FRAME_COLUMNS(C)                                                      \
  C(name, PackedColumn<StringId>, None, "Function, as recorded.")                      \
  C(mapping, PackedColumn<uint32_t>, None, "Row of stack_profile_mapping.")            \
  C(rel_pc, PackedColumn<int64_t>, None, "Address in the mapping's file.")             \
  C(symbol_set_id, PackedColumn<OptRow>, None, "Set of stack_profile_symbol.")         \
  C(deobfuscated_name, PackedColumn<StringId>, None, "Name before it was obfuscated.") \
  C(type, PackedColumn<StringId>, None, "jit, interpreted ...; NULL for native code.") \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args (ours).")
TB_TABLE(StackFrameTable, "__intrinsic_stack_profile_frame", "Places in code.",
         TB_STACK_FRAME_COLUMNS)

#define TB_STACK_CALLSITE_COLUMNS(C)                                         \
  C(depth, PackedColumn<uint32_t>, None, "0 for the root.")                  \
  C(parent_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.") \
  C(frame_id, PackedColumn<uint32_t>, None, "Row of stack_profile_frame.")
TB_TABLE(StackCallsiteTable, "__intrinsic_stack_profile_callsite",
         "Frames by what called them: a row and its parents are a callstack.",
         TB_STACK_CALLSITE_COLUMNS)

#define TB_STACK_SYMBOL_COLUMNS(C)                                        \
  C(symbol_set_id, uint32_t, Sorted, "Functions of one address.")         \
  C(name, StringId, None, "Function; inlined ones before their callers.") \
  C(source_file, StringId, None, "Path of the source.")                   \
  C(line_number, OptInt, None, "Line, from 1.")                           \
  C(inlined, OptInt, None, "1 if it was inlined; NULL if not known.")
TB_TABLE(StackSymbolTable, "__intrinsic_stack_profile_symbol", "Functions at an address.",
         TB_STACK_SYMBOL_COLUMNS)

#define TB_PROFILER_SAMPLE_COLUMNS(C)                                                       \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                                               \
  C(source, PackedColumn<StringId>, None, "What took it: linux.perf, gecko ...")            \
  C(task_context_id, PackedColumn<OptRow>, None, "Row of profiler_task_context.")           \
  C(execution_context_id, PackedColumn<OptRow>, None, "Row of profiler_execution_context.") \
  C(callsite_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.")              \
  C(unwind_error, PackedColumn<StringId>, None, "Why the callstack is not whole.")          \
  C(session_id, PackedColumn<OptRow>, None, "Row of profiler_session.")                     \
  C(counter_set_id, PackedColumn<OptRow>, None, "Set of profiler_counter_set.")
TB_TABLE(ProfilerSampleTable, "__intrinsic_profiler_sample", "Samples of what ran.",
         TB_PROFILER_SAMPLE_COLUMNS)

#define TB_PROFILER_TASK_CONTEXT_COLUMNS(C) \
  C(upid, OptRow, None, "Row of process.")  \
  C(utid, OptRow, None, "Row of thread.")   \
  C(async_context_id, OptRow, None, "Row of profiler_async_context.")
TB_TABLE(ProfilerTaskContextTable, "__intrinsic_profiler_task_context", "For whom a sample was.",
         TB_PROFILER_TASK_CONTEXT_COLUMNS)

#define TB_PROFILER_EXECUTION_CONTEXT_COLUMNS(C) \
  C(ucpu, OptRow, None, "Row of cpu.")           \
  C(cpu_mode, StringId, None, "user, kernel ...")
TB_TABLE(ProfilerExecutionContextTable, "__intrinsic_profiler_execution_context",
         "Where a sample was taken.", TB_PROFILER_EXECUTION_CONTEXT_COLUMNS)

#define TB_PROFILER_ASYNC_CONTEXT_COLUMNS(C) \
  C(name, StringId, None, "Name.")           \
  C(kind, StringId, None, "Kind.")           \
  C(parent_id, OptRow, None, "Row of profiler_async_context.")
TB_TABLE(ProfilerAsyncContextTable, "__intrinsic_profiler_async_context",
         "Tasks that a thread worked for.", TB_PROFILER_ASYNC_CONTEXT_COLUMNS)

#define TB_PROFILER_SESSION_COLUMNS(C)                                         \
  C(source, StringId, None, "What took the samples.")                          \
  C(timebase_unit, StringId, None, "What a sample stands for: cycles, ns ...") \
  C(cmdline, StringId, None, "How it was started.")                            \
  C(machine_id, OptRow, None, "Row of machine (ours).")                        \
  C(trace_id, OptRow, None, "Row of trace_file (ours).")
TB_TABLE(ProfilerSessionTable, "__intrinsic_profiler_session", "Recordings of samples.",
         TB_PROFILER_SESSION_COLUMNS)

#define TB_PROFILER_COUNTER_SET_COLUMNS(C)                       \
  C(counter_set_id, uint32_t, Sorted, "Counters of one sample.") \
  C(counter_id, uint32_t, None, "Row of counter.")
TB_TABLE(ProfilerCounterSetTable, "__intrinsic_profiler_counter_set",
         "Counters that were read with a sample.", TB_PROFILER_COUNTER_SET_COLUMNS)

#define TB_CHROME_SAMPLE_EXTRAS_COLUMNS(C)                           \
  C(profiler_sample_id, uint32_t, Sorted, "Row of profiler_sample.") \
  C(process_priority, int64_t, None, "Priority of the process.")
TB_TABLE(ChromeSampleExtrasTable, "__intrinsic_chrome_stack_sample_extras",
         "What Chrome adds to samples.", TB_CHROME_SAMPLE_EXTRAS_COLUMNS)

#define TB_TRACK_EVENT_CALLSTACKS_COLUMNS(C)          \
  C(slice_id, uint32_t, None, "Row of slice.")        \
  C(track_id, uint32_t, None, "Row of track.")        \
  C(callsite_id, OptRow, None, "Where it began.")     \
  C(end_callsite_id, OptRow, None, "Where it ended.") \
  C(weight, double, None, "How much the callstack stands for.")
TB_TABLE(TrackEventCallstacksTable, "__intrinsic_track_event_callstacks", "Callstacks of slices.",
         TB_TRACK_EVENT_CALLSTACKS_COLUMNS)

#define TB_JSON_SAMPLE_COLUMNS(C)                                              \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                                  \
  C(utid, PackedColumn<OptRow>, None, "Row of thread.")                        \
  C(cpu, OptInt, None, "CPU, if known.")                                       \
  C(name, PackedColumn<StringId>, None, "What was sampled.")                   \
  C(weight, double, None, "How much the sample stands for.")                   \
  C(callsite_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.") \
  C(source, PackedColumn<StringId>, None, "P, samples, v8_sample, legacy_v8, perf_text ...")
TB_TABLE(JsonSampleTable, "__intrinsic_json_sample", "Samples with a name and a weight (ours).",
         TB_JSON_SAMPLE_COLUMNS)

#define TB_HEAP_PROFILE_COLUMNS(C)           \
  C(ts, int64_t, None, "Start, ns.")         \
  C(ts_end, int64_t, None, "End, ns.")       \
  C(dur, int64_t, None, "Length, ns.")       \
  C(upid, uint32_t, None, "Row of process.") \
  C(heap_name, StringId, None, "Which heap.")
TB_TABLE(HeapProfileTable, "__intrinsic_heap_profile", "Dumps of heap profilers.",
         TB_HEAP_PROFILE_COLUMNS)

#define TB_HEAP_PROFILE_ALLOCATION_COLUMNS(C)                                    \
  C(ts, int64_t, Sorted, "ns.")                                                  \
  C(upid, uint32_t, None, "Row of process.")                                     \
  C(heap_name, StringId, None, "Which heap.")                                    \
  C(callsite_id, uint32_t, None, "Row of stack_profile_callsite.")               \
  C(count, int64_t, None, "Allocations since the dump before; negative: frees.") \
  C(size, int64_t, None, "Bytes, likewise.")
TB_TABLE(HeapProfileAllocationTable, "__intrinsic_heap_profile_allocation",
         "What callsites allocated and freed.", TB_HEAP_PROFILE_ALLOCATION_COLUMNS)

#define TB_HEAP_GRAPH_COLUMNS(C)                      \
  C(ts, int64_t, None, "ns.")                         \
  C(upid, OptRow, None, "Row of process.")            \
  C(dump_reason, StringId, None, "Why it was taken.") \
  C(heap_size, OptInt, None, "Bytes in use.")         \
  C(truncated, uint8_t, None, "1 if a part of it is lost.")
TB_TABLE(HeapGraphTable, "__intrinsic_heap_graph", "Dumps of Java heaps.", TB_HEAP_GRAPH_COLUMNS)

#define TB_HEAP_GRAPH_CLASS_COLUMNS(C)                        \
  C(name, StringId, None, "Class.")                           \
  C(deobfuscated_name, StringId, None, "Name in the source.") \
  C(location, StringId, None, "File it was loaded from.")     \
  C(superclass_id, OptRow, None, "Row of heap_graph_class.")  \
  C(classloader_id, OptInt, None, "Its class loader.")        \
  C(kind, StringId, None, "KIND_NORMAL, KIND_ARRAY ...")
TB_TABLE(HeapGraphClassTable, "__intrinsic_heap_graph_class", "Classes of Java heaps.",
         TB_HEAP_GRAPH_CLASS_COLUMNS)

#define TB_HEAP_GRAPH_OBJECT_COLUMNS(C)                                     \
  C(upid, OptRow, None, "Row of process.")                                  \
  C(graph_sample_ts, int64_t, None, "ts of its heap_graph, ns.")            \
  C(self_size, int64_t, None, "Bytes.")                                     \
  C(native_size, int64_t, None, "Bytes outside of the heap that it holds.") \
  C(reference_set_id, OptRow, None, "Set of heap_graph_reference.")         \
  C(reachable, uint8_t, None, "1 if a root leads to it.")                   \
  C(heap_type, StringId, None, "HEAP_TYPE_APP ...")                         \
  C(type_id, OptRow, None, "Row of heap_graph_class.")                      \
  C(root_type, StringId, None, "What kind of root it is; NULL if none.")    \
  C(root_distance, int64_t, None, "-1: not worked out.")                    \
  C(object_data_id, OptRow, None, "Row of heap_graph_object_data.")
TB_TABLE(HeapGraphObjectTable, "__intrinsic_heap_graph_object", "Objects of Java heaps.",
         TB_HEAP_GRAPH_OBJECT_COLUMNS)

#define TB_HEAP_GRAPH_REFERENCE_COLUMNS(C)                                        \
  C(reference_set_id, uint32_t, Sorted, "References of one object.")              \
  C(owner_id, uint32_t, None, "Row of heap_graph_object that refers.")            \
  C(owned_id, OptRow, None, "Row of heap_graph_object; NULL if it is not there.") \
  C(field_name, StringId, None, "Field, with its class.")                         \
  C(field_type_name, StringId, None, "Type of the field.")                        \
  C(deobfuscated_field_name, StringId, None, "Name in the source.")
TB_TABLE(HeapGraphReferenceTable, "__intrinsic_heap_graph_reference",
         "What objects of Java heaps refer to.", TB_HEAP_GRAPH_REFERENCE_COLUMNS)

// Ours: JSON events that other tables have no place for (spec json 7.4).

#define TB_JSON_UNFINISHED_COMPLETE_COLUMNS(C)                       \
  C(ts, int64_t, Sorted, "Start, ns.")                               \
  C(utid, uint32_t, None, "Row of thread.")                          \
  C(category, StringId, None, "Category.")                           \
  C(name, StringId, None, "What ran.")                               \
  C(thread_ts, OptInt, None, "Start in CPU time of the thread, ns.") \
  C(arg_set_id, OptRow, None, "Args.")                               \
  C(cname, StringId, None, "Reserved name of a colour.")
TB_TABLE(JsonUnfinishedCompleteTable, "__intrinsic_json_unfinished_complete",
         "Complete events without a duration: they ran when recording stopped (ours).",
         TB_JSON_UNFINISHED_COMPLETE_COLUMNS)

#define TB_JSON_UNHANDLED_EVENT_COLUMNS(C) \
  C(ts, int64_t, Sorted, "ns.")            \
  C(phase, StringId, None, "Its letter.")  \
  C(utid, OptRow, None, "Row of thread.")  \
  C(raw_json, StringId, None, "As in the file.")
TB_TABLE(JsonUnhandledEventTable, "__intrinsic_json_unhandled_event",
         "Events of a phase that the format does not have (ours).", TB_JSON_UNHANDLED_EVENT_COLUMNS)

#define TB_JSON_METADATA_EVENT_COLUMNS(C)                         \
  C(name, StringId, None, "What it says something about.")        \
  C(ts, OptInt, None, "NULL: metadata holds for the whole file.") \
  C(upid, OptRow, None, "Row of process.")                        \
  C(utid, uint32_t, None, "Row of thread.")                       \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(JsonMetadataEventTable, "__intrinsic_json_metadata_event",
         "Metadata events, in the order of the file (ours).", TB_JSON_METADATA_EVENT_COLUMNS)

#define TB_JSON_CLOCK_SYNC_MARKER_COLUMNS(C)                                 \
  C(trace_file_id, uint32_t, None, "Row of trace_file.")                     \
  C(domain, StringId, None, "Clock that its times are in.")                  \
  C(sync_id, StringId, None, "The same for recordings of one moment.")       \
  C(start_ts, int64_t, None, "The moment is not earlier, ns of that clock.") \
  C(end_ts, int64_t, None, "The moment is not later.")                       \
  C(role, StringId, None, "issuer or receiver.")
TB_TABLE(JsonClockSyncMarkerTable, "__intrinsic_json_clock_sync_marker",
         "Moments that several recordings noted (ours).", TB_JSON_CLOCK_SYNC_MARKER_COLUMNS)

#define TB_JSON_CLOCK_EDGE_COLUMNS(C)                                           \
  C(from_domain, StringId, None, "The alphabetically first of the two.")        \
  C(to_domain, StringId, None, "The other.")                                    \
  C(offset_ns, int64_t, None, "Marker of to_domain minus that of from_domain.") \
  C(error_ns, int64_t, None, "Sum of the lengths of the two markers.")          \
  C(sync_id, StringId, None, "Of both markers.")                                \
  C(is_used, uint8_t, None, "1 if on the path of some placed clock.")
TB_TABLE(JsonClockEdgeTable, "__intrinsic_json_clock_edge",
         "Two recordings that noted one moment (ours).", TB_JSON_CLOCK_EDGE_COLUMNS)

#define TB_JSON_TRACE_CLOCK_COLUMNS(C)                                         \
  C(trace_file_id, uint32_t, None, "Row of trace_file.")                       \
  C(domain, StringId, None, "As the file names its clock.")                    \
  C(offset_ns, OptInt, None, "Trace time minus the file's; NULL if unplaced.") \
  C(slope, double, None, "ns of trace time for each ns of the file's clock.")  \
  C(error_ns, OptInt, None, "How far off that may be; NULL is unbounded.")     \
  C(path, StringId, None, "Clocks from the file's to trace time.")
TB_TABLE(JsonTraceClockTable, "__intrinsic_json_trace_clock",
         "How the files with named clocks were placed (ours).", TB_JSON_TRACE_CLOCK_COLUMNS)

// Ours: how each clock got onto the timeline.

#define TB_CLOCK_COLUMNS(C)                                                 \
  C(domain, int64_t, None, "Clock id.")                                     \
  C(name, StringId, None, "REALTIME ... BOOTTIME, PRIVATE, or the number.") \
  C(machine_id, OptRow, None, "Row of machine.")                            \
  C(trace_id, OptRow, None, "Row of trace_file, if it is private to one.")  \
  C(sequence, OptInt, None, "Writer, if it is private to one.")             \
  C(readings, int64_t, None, "In snapshots.")                               \
  C(segments, int64_t, None, "Stretches in which it never went back.")      \
  C(label, StringId, None, "What reports call it: BOOTTIME of phone.")      \
  C(next_clock, OptRow, None, "Row of the next clock to trace time.")       \
  C(next_kind, StringId, None, "Kind of the edge to that one.")
TB_TABLE(ClockTable, "__intrinsic_clock", "Nodes of the clock graph (ours).", TB_CLOCK_COLUMNS)

#define TB_CLOCK_EDGE_COLUMNS(C)                                               \
  C(from_clock, uint32_t, None, "Row of clock.")                               \
  C(to_clock, uint32_t, None, "Row of clock.")                                 \
  C(kind, StringId, None, "measured, relayed, manifest, rendezvous, guessed.") \
  C(source, StringId, None,                                                    \
    "snapshot, sync_marker, task_switches, messages, manifest, wall_clock, "   \
    "start_time, date, same_machine, guess.")                                  \
  C(observations, int64_t, None, "Moments at which both are known.")           \
  C(uncertainty_ns, OptInt, None, "Of one observation; NULL is unbounded.")    \
  C(trace_id, OptRow, None, "Row of trace_file of the first of them.")         \
  C(byte_offset, OptInt, None, "Where in that file.")                          \
  C(is_used, uint8_t, None, "1 if on the path of some placed clock.")
TB_TABLE(ClockEdgeTable, "__intrinsic_clock_edge", "What relates two clocks (ours).",
         TB_CLOCK_EDGE_COLUMNS)

#define TB_CLOCK_CONTRADICTION_COLUMNS(C)                                            \
  C(clock_a, uint32_t, None, "Row of clock.")                                        \
  C(clock_b, uint32_t, None, "Row of clock.")                                        \
  C(kind, StringId, None, "Of the evidence that is not followed, as in clock_edge.") \
  C(observations, int64_t, None, "Moments at which it contradicts.")                 \
  C(apart_ns, int64_t, None, "How far apart the worst puts them on the timeline.")   \
  C(bound_ns, int64_t, None, "What is possible.")                                    \
  C(reading_a, int64_t, None, "What clock_a showed then, ns.")                       \
  C(reading_b, int64_t, None, "What clock_b showed then, ns.")                       \
  C(path_a, StringId, None, "Clocks from clock_a to trace time.")                    \
  C(path_b, StringId, None, "Clocks from clock_b to trace time.")                    \
  C(trace_id, OptRow, None, "Row of trace_file that has the evidence.")              \
  C(byte_offset, OptInt, None, "Where in that file.")
TB_TABLE(ClockContradictionTable, "__intrinsic_clock_contradiction",
         "Evidence that contradicts the paths taken by more than all may be off (ours).",
         TB_CLOCK_CONTRADICTION_COLUMNS)

#define TB_PLACEMENT_COLUMNS(C)                                                                  \
  C(trace_id, OptRow, None, "Row of trace_file.")                                                \
  C(machine_id, OptRow, None, "Row of machine.")                                                 \
  C(clock_id, OptRow, None,                                                                      \
    "Row of clock that the events were in; NULL: trace time as it stands.")                      \
  C(rule, StringId, None,                                                                        \
    "is_timeline, same_clock, measured, relayed, manifest, rendezvous, guessed, unplaced, raw; " \
    "without_time: of events without a time of their own.")                                      \
  C(path, StringId, None, "Clocks from the event's to trace time.")                              \
  C(offset_start_ns, OptInt, None, "Trace time minus reading at the first event.")               \
  C(offset_end_ns, OptInt, None, "The same at the last.")                                        \
  C(uncertainty_ns, OptInt, None, "Half width of what is possible; NULL is unbounded.")          \
  C(placed, int64_t, None, "Events on the timeline.")                                            \
  C(dropped_no_path, int64_t, None, "Events of a clock that nothing relates to trace time.")     \
  C(dropped_ambiguous, int64_t, None, "Events with a reading that the clock showed twice.")      \
  C(dropped_range, int64_t, None, "Events whose time does not fit 64 bits.")                     \
  C(negative, int64_t, None, "Placed events before the start of trace time.")                    \
  C(first_ts, OptInt, None, "Trace time of the earliest event, ns; NULL without_time.")          \
  C(last_ts, OptInt, None, "Trace time of the latest event, ns.")
TB_TABLE(PlacementTable, "__intrinsic_placement", "How each file and machine was placed (ours).",
         TB_PLACEMENT_COLUMNS)

#define TB_FLOW_VIOLATION_COLUMNS(C)                                       \
  C(trace_id, OptInt, None, "The flow's id in the traces (not a file).")   \
  C(slice_out, OptRow, None, "Row of slice that it starts in.")            \
  C(slice_in, OptRow, None, "Row of slice that it ends in.")               \
  C(start_ts, int64_t, None, "Trace time of its start, ns.")               \
  C(end_ts, int64_t, None, "Trace time of its end, ns: before the start.") \
  C(off_by_at_least_ns, int64_t, None,                                     \
    "The end's file lies this much or more too early against the start's.")
TB_TABLE(FlowViolationTable, "__intrinsic_flow_violation",
         "Flows between files or machines that end before they start (ours).",
         TB_FLOW_VIOLATION_COLUMNS)

#define TB_FLOW_BOUND_COLUMNS(C)                                                 \
  C(from_trace_id, uint32_t, None, "Row of trace_file that the flows start in.") \
  C(from_machine_id, uint32_t, None, "Row of machine that they start on.")       \
  C(to_trace_id, uint32_t, None, "Row of trace_file that they end in.")          \
  C(to_machine_id, uint32_t, None, "Row of machine that they end on.")           \
  C(flows, int64_t, None, "That start here and end there.")                      \
  C(violations, int64_t, None, "Of these, that end before they start.")          \
  C(least_ns, int64_t, None,                                                     \
    "The shortest time that one takes; the place of `to` may be earlier by this, no more.")
TB_TABLE(FlowBoundTable, "__intrinsic_flow_bound",
         "What flows between two files or machines say of their clocks (ours).",
         TB_FLOW_BOUND_COLUMNS)

}  // namespace tracebraid
