// Callstacks and samples (spec json 7.3, proto 6.8).
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_STACK_MAPPING_COLUMNS(C)                                  \
  C(build_id, StringId, None, "Build id, hex.")                      \
  C(exact_offset, int64_t, None, "Offset of the code in the file.")  \
  C(start_offset, int64_t, None, "Offset of the start in the file.") \
  C(start, int64_t, None, "First address.")                          \
  C(end, int64_t, None, "Address after the last.")                   \
  C(load_bias, int64_t, None, "Address in the file minus offset.")   \
  C(name, StringId, None, "Path, or a placeholder such as [vdso].")
TB_TABLE(StackMappingTable, "__intrinsic_stack_profile_mapping", "Files with code.",
         TB_STACK_MAPPING_COLUMNS, {"stack_profile_mapping"})

#define TB_STACK_FRAME_COLUMNS(C)                                                         \
  C(name, PackedColumn<StringId>, None, "Function, as recorded.")                         \
  C(mapping, PackedColumn<uint32_t>, None, "Row of stack_profile_mapping.")               \
  C(rel_pc, PackedColumn<int64_t>, None, "Address in the mapping's file.")                \
  C(symbol_set_id, PackedColumn<OptRow>, None, "Set of stack_profile_symbol.")            \
  C(deobfuscated_name, PackedColumn<StringId>, None, "Original name of obfuscated code.") \
  C(type, PackedColumn<StringId>, None, "jit, interpreted ...; NULL for native code.")    \
  C(arg_set_id, PackedColumn<OptRow>, None, "Args (ours).")
TB_TABLE(StackFrameTable, "__intrinsic_stack_profile_frame", "Locations in code.",
         TB_STACK_FRAME_COLUMNS, {"stack_profile_frame", "* EXCEPT (arg_set_id)"})

#define TB_STACK_CALLSITE_COLUMNS(C)                                         \
  C(depth, PackedColumn<uint32_t>, None, "0 for the root.")                  \
  C(parent_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.") \
  C(frame_id, PackedColumn<uint32_t>, None, "Row of stack_profile_frame.")
TB_TABLE(StackCallsiteTable, "__intrinsic_stack_profile_callsite",
         "Frames with their callers: a row and its parents are a callstack.",
         TB_STACK_CALLSITE_COLUMNS, {"stack_profile_callsite"})

#define TB_STACK_SYMBOL_COLUMNS(C)                                        \
  C(symbol_set_id, uint32_t, Sorted, "Functions of one address.")         \
  C(name, StringId, None, "Function; inlined ones before their callers.") \
  C(source_file, StringId, None, "Path of the source.")                   \
  C(line_number, OptInt, None, "Line, from 1.")                           \
  C(inlined, OptInt, None, "1 if it was inlined; NULL if not known.")
TB_TABLE(StackSymbolTable, "__intrinsic_stack_profile_symbol", "Functions at an address.",
         TB_STACK_SYMBOL_COLUMNS, {"stack_profile_symbol"})

#define TB_PROFILER_SAMPLE_COLUMNS(C)                                                             \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                                                     \
  C(source, PackedColumn<StringId>, None, "Profiler that took the sample: linux.perf, gecko ...") \
  C(task_context_id, PackedColumn<OptRow>, None, "Row of profiler_task_context.")                 \
  C(execution_context_id, PackedColumn<OptRow>, None, "Row of profiler_execution_context.")       \
  C(callsite_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.")                    \
  C(unwind_error, PackedColumn<StringId>, None, "Why the callstack is incomplete.")               \
  C(session_id, PackedColumn<OptRow>, None, "Row of profiler_session.")                           \
  C(counter_set_id, PackedColumn<OptRow>, None, "Set of profiler_counter_set.")
TB_TABLE(ProfilerSampleTable, "__intrinsic_profiler_sample", "Samples of profilers.",
         TB_PROFILER_SAMPLE_COLUMNS)

#define TB_PROFILER_TASK_CONTEXT_COLUMNS(C) \
  C(upid, OptRow, None, "Row of process.")  \
  C(utid, OptRow, None, "Row of thread.")   \
  C(async_context_id, OptRow, None, "Row of profiler_async_context.")
TB_TABLE(ProfilerTaskContextTable, "__intrinsic_profiler_task_context",
         "Threads, processes and tasks of samples.", TB_PROFILER_TASK_CONTEXT_COLUMNS)

#define TB_PROFILER_EXECUTION_CONTEXT_COLUMNS(C) \
  C(ucpu, OptRow, None, "Row of cpu.")           \
  C(cpu_mode, StringId, None, "user, kernel ...")
TB_TABLE(ProfilerExecutionContextTable, "__intrinsic_profiler_execution_context",
         "CPUs and modes of samples.", TB_PROFILER_EXECUTION_CONTEXT_COLUMNS)

#define TB_PROFILER_ASYNC_CONTEXT_COLUMNS(C) \
  C(name, StringId, None, "Name.")           \
  C(kind, StringId, None, "Kind.")           \
  C(parent_id, OptRow, None, "Row of profiler_async_context.")
TB_TABLE(ProfilerAsyncContextTable, "__intrinsic_profiler_async_context",
         "Tasks that a thread worked for.", TB_PROFILER_ASYNC_CONTEXT_COLUMNS)

#define TB_PROFILER_SESSION_COLUMNS(C)                                               \
  C(source, StringId, None, "Profiler that took the samples.")                       \
  C(timebase_unit, StringId, None, "Unit of the weight of a sample: cycles, ns ...") \
  C(cmdline, StringId, None, "Command line of the recorder.")                        \
  C(machine_id, OptRow, None, "Row of machine (ours).")                              \
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
         "Chrome's additional fields of samples.", TB_CHROME_SAMPLE_EXTRAS_COLUMNS)

#define TB_JSON_SAMPLE_COLUMNS(C)                                              \
  C(ts, PackedColumn<int64_t>, Sorted, "ns.")                                  \
  C(utid, PackedColumn<OptRow>, None, "Row of thread.")                        \
  C(cpu, OptInt, None, "CPU, if known.")                                       \
  C(name, PackedColumn<StringId>, None, "Name of the sampled event.")          \
  C(weight, double, None, "Weight of the sample.")                             \
  C(callsite_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.") \
  C(source, PackedColumn<StringId>, None, "P, samples, v8_sample, legacy_v8, perf_text ...")
TB_TABLE(JsonSampleTable, "__intrinsic_json_sample", "Samples with a name and a weight (ours).",
         TB_JSON_SAMPLE_COLUMNS, {"json_sample"})

#define TB_AGGREGATE_PROFILE_COLUMNS(C)                        \
  C(scope, StringId, None, "Format of the profile.")           \
  C(name, StringId, None, "Name.")                             \
  C(sample_type_type, StringId, None, "Name of the quantity.") \
  C(sample_type_unit, StringId, None, "Unit of the value.")    \
  C(trace_id, OptRow, None, "Row of trace_file (ours).")
TB_TABLE(AggregateProfileTable, "__intrinsic_aggregate_profile", "Profiles without times.",
         TB_AGGREGATE_PROFILE_COLUMNS, {"aggregate_profile", "* EXCEPT (trace_id)"})

#define TB_AGGREGATE_SAMPLE_COLUMNS(C)                                             \
  C(aggregate_profile_id, PackedColumn<OptRow>, None, "Row of aggregate_profile.") \
  C(callsite_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.")     \
  C(value, double, None, "Weight of the callstack.")
TB_TABLE(AggregateSampleTable, "__intrinsic_aggregate_sample",
         "Callstacks of profiles without times.", TB_AGGREGATE_SAMPLE_COLUMNS, {"aggregate_sample"})

#define TB_SAMPLE_TABLES(TABLE, PLAIN)                              \
  TABLE(StackMappingTable, stack_mappings)                          \
  TABLE(StackFrameTable, stack_frames)                              \
  TABLE(StackCallsiteTable, stack_callsites)                        \
  TABLE(StackSymbolTable, stack_symbols)                            \
  TABLE(ProfilerSampleTable, profiler_samples)                      \
  TABLE(ProfilerTaskContextTable, profiler_task_contexts)           \
  TABLE(ProfilerExecutionContextTable, profiler_execution_contexts) \
  TABLE(ProfilerAsyncContextTable, profiler_async_contexts)         \
  TABLE(ProfilerSessionTable, profiler_sessions)                    \
  TABLE(ProfilerCounterSetTable, profiler_counter_sets)             \
  TABLE(ChromeSampleExtrasTable, chrome_sample_extras)              \
  TABLE(JsonSampleTable, json_samples)                              \
  PLAIN(AggregateProfileTable, aggregate_profile)                   \
  PLAIN(AggregateSampleTable, aggregate_sample)

}  // namespace tracebraid
