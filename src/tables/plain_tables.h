// Plain tables: rows that readers state as they are (EventKind::Row), with no builder of
// their own. A new one is a list of columns and a line in TB_PLAIN_TABLES. Columns: spec
// sql-dialect appendix A.
#pragma once

#include "column/column.h"

namespace tracebraid {

#define TB_PACKAGE_LIST_COLUMNS(C)                                     \
  C(package_name, StringId, None, "Name.")                             \
  C(uid, int64_t, None, "User id.")                                    \
  C(debuggable, int64_t, None, "1 if it can be debugged.")             \
  C(profileable_from_shell, int64_t, None, "1 if it can be profiled.") \
  C(version_code, int64_t, None, "Version.")
TB_TABLE(PackageListTable, "__intrinsic_package_list", "Installed Android packages.",
         TB_PACKAGE_LIST_COLUMNS)

#define TB_FILEDESCRIPTOR_COLUMNS(C)                       \
  C(ufd, OptInt, None, "Unique number of the descriptor.") \
  C(fd, OptInt, None, "Number in its process.")            \
  C(ts, OptInt, None, "When it was seen, ns.")             \
  C(upid, OptRow, None, "Row of process.")                 \
  C(path, StringId, None, "What it stands for.")
TB_TABLE(FiledescriptorTable, "__intrinsic_filedescriptor", "Open files of processes.",
         TB_FILEDESCRIPTOR_COLUMNS)

#define TB_GAME_MODE_COLUMNS(C, mode)                                \
  C(mode##_mode_supported, OptInt, None, "1 if there is this mode.") \
  C(mode##_mode_downscale, double, None, "Scale of its resolution.") \
  C(mode##_mode_use_angle, OptInt, None, "1 if it uses ANGLE.")      \
  C(mode##_mode_fps, double, None, "Its limit of frames a second.")
#define TB_GAME_INTERVENTION_COLUMNS(C)                 \
  C(package_name, StringId, None, "Name.")              \
  C(uid, OptInt, None, "User id.")                      \
  C(current_mode, OptInt, None, "Mode the game is in.") \
  TB_GAME_MODE_COLUMNS(C, standard)                     \
  TB_GAME_MODE_COLUMNS(C, perf)                         \
  TB_GAME_MODE_COLUMNS(C, battery)
TB_TABLE(GameInterventionTable, "__intrinsic_android_game_intervention_list",
         "Modes that Android runs games in.", TB_GAME_INTERVENTION_COLUMNS)

#define TB_USER_LIST_COLUMNS(C)            \
  C(type, StringId, None, "Kind of user.") \
  C(android_user_id, int64_t, None, "Number of the user.")
TB_TABLE(UserListTable, "__intrinsic_android_user_list", "Users of an Android device.",
         TB_USER_LIST_COLUMNS)

#define TB_AFLAG_COLUMNS(C)                                     \
  C(ts, int64_t, Sorted, "ns.")                                 \
  C(package, StringId, None, "Package.")                        \
  C(name, StringId, None, "Flag.")                              \
  C(flag_namespace, StringId, None, "Namespace.")               \
  C(container, StringId, None, "Container.")                    \
  C(value, StringId, None, "Value.")                            \
  C(staged_value, StringId, None, "Value after the next boot.") \
  C(permission, StringId, None, "Who may change it.")           \
  C(value_picked_from, StringId, None, "What set it.")          \
  C(storage_backend, StringId, None, "Where it is kept.")       \
  C(type, StringId, None, "Kind.")
TB_TABLE(AflagTable, "__intrinsic_android_aflags", "Feature flags of an Android build.",
         TB_AFLAG_COLUMNS)

#define TB_CPU_PER_UID_COLUMNS(C)               \
  C(track_id, OptRow, None, "Row of track.")    \
  C(uid, int64_t, None, "User id.")             \
  C(cluster, int64_t, None, "Cluster of CPUs.") \
  C(total_cpu_millis, int64_t, None, "Time that was used in all, ms.")
TB_TABLE(CpuPerUidTable, "__intrinsic_android_cpu_per_uid_track",
         "CPU time of each user and cluster.", TB_CPU_PER_UID_COLUMNS)

#define TB_GPU_CONTEXT_COLUMNS(C)                  \
  C(context_id, int64_t, None, "Number.")          \
  C(pid, int64_t, None, "Process id of its user.") \
  C(api, StringId, None, "Programming interface.")
TB_TABLE(GpuContextTable, "__intrinsic_gpu_context", "Contexts of programs on a GPU.",
         TB_GPU_CONTEXT_COLUMNS)

#define TB_GPU_COUNTER_GROUP_COLUMNS(C)      \
  C(group_id, int64_t, None, "Number.")      \
  C(track_id, OptRow, None, "Row of track.") \
  C(name, StringId, None, "Name.")           \
  C(description, StringId, None, "What it is.")
TB_TABLE(GpuCounterGroupTable, "__intrinsic_gpu_counter_group", "Which counters belong together.",
         TB_GPU_COUNTER_GROUP_COLUMNS)

#define TB_VULKAN_MEMORY_COLUMNS(C)                             \
  C(arg_set_id, OptRow, None, "Annotations.")                   \
  C(source, StringId, None, "Kind of memory.")                  \
  C(operation, StringId, None, "What was done.")                \
  C(timestamp, int64_t, None, "ns.")                            \
  C(upid, OptRow, None, "Row of process.")                      \
  C(device, OptInt, None, "Handle of the device.")              \
  C(device_memory, OptInt, None, "Handle of the memory.")       \
  C(memory_type, OptInt, None, "Index of its type.")            \
  C(heap, OptInt, None, "Index of its heap.")                   \
  C(function_name, StringId, None, "Function that was called.") \
  C(object_handle, OptInt, None, "Handle of the object.")       \
  C(memory_address, OptInt, None, "Address.")                   \
  C(memory_size, OptInt, None, "Bytes.")                        \
  C(scope, StringId, None, "How long it is meant to last.")
TB_TABLE(VulkanMemoryTable, "__intrinsic_vulkan_memory_allocations",
         "Memory that Vulkan programs took and gave back.", TB_VULKAN_MEMORY_COLUMNS)

#define TB_MEMORY_SNAPSHOT_COLUMNS(C)        \
  C(timestamp, int64_t, None, "ns.")         \
  C(track_id, OptRow, None, "Row of track.") \
  C(detail_level, StringId, None, "How much it tells.")
TB_TABLE(MemorySnapshotTable, "__intrinsic_memory_snapshot", "Moments of memory dumps.",
         TB_MEMORY_SNAPSHOT_COLUMNS)

#define TB_PROCESS_MEMORY_SNAPSHOT_COLUMNS(C)             \
  C(snapshot_id, OptRow, None, "Row of memory_snapshot.") \
  C(upid, OptRow, None, "Row of process.")
TB_TABLE(ProcessMemorySnapshotTable, "__intrinsic_process_memory_snapshot",
         "Memory dumps of processes.", TB_PROCESS_MEMORY_SNAPSHOT_COLUMNS)

#define TB_MEMORY_SNAPSHOT_NODE_COLUMNS(C)                                 \
  C(process_snapshot_id, OptRow, None, "Row of process_memory_snapshot.")  \
  C(parent_node_id, OptRow, None, "Row of memory_snapshot_node.")          \
  C(path, StringId, None, "Path from the root.")                           \
  C(size, OptInt, None, "Bytes.")                                          \
  C(effective_size, OptInt, None, "Bytes, but for those that are shared.") \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(MemorySnapshotNodeTable, "__intrinsic_memory_snapshot_node", "Parts of memory dumps.",
         TB_MEMORY_SNAPSHOT_NODE_COLUMNS)

#define TB_MEMORY_SNAPSHOT_EDGE_COLUMNS(C)                        \
  C(source_node_id, OptRow, None, "Row of memory_snapshot_node.") \
  C(target_node_id, OptRow, None, "Row of memory_snapshot_node.") \
  C(importance, OptInt, None, "Weight of the ownership.")         \
  C(arg_set_id, OptRow, None, "Args: type is retention if it is no ownership.")
TB_TABLE(MemorySnapshotEdgeTable, "__intrinsic_memory_snapshot_edge",
         "Which part of a memory dump owns which.", TB_MEMORY_SNAPSHOT_EDGE_COLUMNS)

// Tables and members of Store. Readers name a table by its member.
#define TB_SMAPS_COLUMNS(C)                                          \
  C(upid, OptRow, None, "Row of process.")                           \
  C(ts, int64_t, None, "ns.")                                        \
  C(path, StringId, None, "Mapped file, as the kernel shows it.")    \
  C(path_trimmed, StringId, None, "Without \" (deleted)\".")         \
  C(aggregate_count, OptInt, None, "Mappings that the row sums up.") \
  C(is_deleted, OptInt, None, "1 if the file is deleted.")           \
  C(size_kb, OptInt, None, "KiB.")                                   \
  C(private_dirty_kb, OptInt, None, "KiB.")                          \
  C(swap_kb, OptInt, None, "KiB.")                                   \
  C(file_name, StringId, None, "File name.")                         \
  C(start_address, OptInt, None, "First address.")                   \
  C(module_timestamp, OptInt, None, "When the module was built.")    \
  C(module_debugid, StringId, None, "Id of its symbols.")            \
  C(module_debug_path, StringId, None, "Path of its symbols.")       \
  C(protection_flags, OptInt, None, "Protection.")                   \
  C(private_clean_resident_kb, OptInt, None, "KiB.")                 \
  C(shared_dirty_resident_kb, OptInt, None, "KiB.")                  \
  C(shared_clean_resident_kb, OptInt, None, "KiB.")                  \
  C(locked_kb, OptInt, None, "KiB.")                                 \
  C(proportional_resident_kb, OptInt, None, "KiB.")                  \
  C(rss_kb, OptInt, None, "KiB.")                                    \
  C(anonymous_kb, OptInt, None, "KiB.")                              \
  C(pss_dirty_kb, OptInt, None, "KiB.")                              \
  C(swap_pss_kb, OptInt, None, "KiB.")
TB_TABLE(SmapsTable, "__intrinsic_profiler_smaps", "Memory mappings of processes.",
         TB_SMAPS_COLUMNS)

#define TB_AGGREGATE_PROFILE_COLUMNS(C)                   \
  C(scope, StringId, None, "Where it is from.")           \
  C(name, StringId, None, "Name.")                        \
  C(sample_type_type, StringId, None, "What is counted.") \
  C(sample_type_unit, StringId, None, "Its unit.")        \
  C(trace_id, OptRow, None, "Row of trace_file (ours).")
TB_TABLE(AggregateProfileTable, "__intrinsic_aggregate_profile", "Profiles without times.",
         TB_AGGREGATE_PROFILE_COLUMNS)

#define TB_AGGREGATE_SAMPLE_COLUMNS(C)                                             \
  C(aggregate_profile_id, PackedColumn<OptRow>, None, "Row of aggregate_profile.") \
  C(callsite_id, PackedColumn<OptRow>, None, "Row of stack_profile_callsite.")     \
  C(value, double, None, "How much the callstack stands for.")
TB_TABLE(AggregateSampleTable, "__intrinsic_aggregate_sample", "Callstacks of such profiles.",
         TB_AGGREGATE_SAMPLE_COLUMNS)

#define TB_INTERRUPT_MAPPING_COLUMNS(C)                \
  C(irq_id, int64_t, None, "Number of the interrupt.") \
  C(name, StringId, None, "Its name.")
TB_TABLE(InterruptMappingTable, "__intrinsic_interrupt_mapping", "Names of interrupts.",
         TB_INTERRUPT_MAPPING_COLUMNS)

#define TB_JIT_CODE_COLUMNS(C)                                            \
  C(create_ts, OptInt, None, "When it was made, ns.")                     \
  C(estimated_delete_ts, OptInt, None, "When other code took its place.") \
  C(utid, OptRow, None, "Row of thread: which made it.")                  \
  C(start_address, OptInt, None, "Where it lies.")                        \
  C(size, OptInt, None, "Bytes.")                                         \
  C(function_name, StringId, None, "What it runs.")                       \
  C(native_code_base64, StringId, None, "The machine code.")
TB_TABLE(JitCodeTable, "__intrinsic_jit_code", "Machine code that was made at run time.",
         TB_JIT_CODE_COLUMNS)

#define TB_V8_ISOLATE_COLUMNS(C)                                               \
  C(upid, OptRow, None, "Row of process.")                                     \
  C(internal_isolate_id, OptInt, None, "Its number in the process.")           \
  C(embedded_blob_code_start_address, OptInt, None, "Of the built-in code.")   \
  C(embedded_blob_code_size, OptInt, None, "Bytes.")                           \
  C(code_range_base_address, OptInt, None, "Where its code lies.")             \
  C(code_range_size, OptInt, None, "Bytes.")                                   \
  C(shared_code_range, OptInt, None, "1 if isolates of the process share it.") \
  C(embedded_blob_code_copy_start_address, OptInt, None, "A copy of the built-in code.")
TB_TABLE(V8IsolateTable, "__intrinsic_v8_isolate", "Instances of the engine V8.",
         TB_V8_ISOLATE_COLUMNS)

#define TB_V8_JS_SCRIPT_COLUMNS(C)                           \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.")       \
  C(internal_script_id, OptInt, None, "Its number there.")   \
  C(script_type, StringId, None, "NORMAL, EVAL, MODULE ...") \
  C(name, StringId, None, "Name, or where it is from.")      \
  C(source, StringId, None, "Its text.")
TB_TABLE(V8JsScriptTable, "__intrinsic_v8_js_script", "Scripts that V8 compiled.",
         TB_V8_JS_SCRIPT_COLUMNS)

#define TB_V8_WASM_SCRIPT_COLUMNS(C)                       \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.")     \
  C(internal_script_id, OptInt, None, "Its number there.") \
  C(url, StringId, None, "Where it is from.")              \
  C(wire_bytes_base64, StringId, None, "The module.")      \
  C(source, StringId, None, "Its text.")
TB_TABLE(V8WasmScriptTable, "__intrinsic_v8_wasm_script", "WebAssembly modules that V8 compiled.",
         TB_V8_WASM_SCRIPT_COLUMNS)

#define TB_V8_JS_FUNCTION_COLUMNS(C)                                  \
  C(name, StringId, None, "Name.")                                    \
  C(v8_js_script_id, OptRow, None, "Row of v8_js_script.")            \
  C(is_toplevel, OptInt, None, "1 if it is the script as a whole.")   \
  C(kind, StringId, None, "NORMAL_FUNCTION, MODULE ...")              \
  C(line, OptInt, None, "Where it begins in the script; 1 is first.") \
  C(col, OptInt, None, "Likewise.")
TB_TABLE(V8JsFunctionTable, "__intrinsic_v8_js_function", "Functions that V8 compiled.",
         TB_V8_JS_FUNCTION_COLUMNS)

#define TB_V8_JS_CODE_COLUMNS(C)                                                  \
  C(jit_code_id, OptRow, None, "Row of jit_code; none of bytecode.")              \
  C(v8_js_function_id, OptRow, None, "Row of v8_js_function.")                    \
  C(tier, StringId, None, "IGNITION, SPARKPLUG, MAGLEV, TURBOSHAFT or TURBOFAN.") \
  C(bytecode_base64, StringId, None, "The bytecode.")
TB_TABLE(V8JsCodeTable, "__intrinsic_v8_js_code", "Code of functions.", TB_V8_JS_CODE_COLUMNS)

#define TB_V8_INTERNAL_CODE_COLUMNS(C)                 \
  C(jit_code_id, OptRow, None, "Row of jit_code.")     \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.") \
  C(function_name, StringId, None, "Name.")            \
  C(code_type, StringId, None, "BUILTIN, WASM_FUNCTION ...")
TB_TABLE(V8InternalCodeTable, "__intrinsic_v8_internal_code", "V8's own code.",
         TB_V8_INTERNAL_CODE_COLUMNS)

#define TB_V8_WASM_CODE_COLUMNS(C)                             \
  C(jit_code_id, OptRow, None, "Row of jit_code.")             \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.")         \
  C(v8_wasm_script_id, OptRow, None, "Row of v8_wasm_script.") \
  C(function_name, StringId, None, "Name.")                    \
  C(tier, StringId, None, "LIFTOFF or TURBOFAN.")              \
  C(code_offset_in_module, OptInt, None, "Bytes.")
TB_TABLE(V8WasmCodeTable, "__intrinsic_v8_wasm_code", "Code of WebAssembly functions.",
         TB_V8_WASM_CODE_COLUMNS)

#define TB_V8_REGEXP_CODE_COLUMNS(C)                   \
  C(jit_code_id, OptRow, None, "Row of jit_code.")     \
  C(v8_isolate_id, OptRow, None, "Row of v8_isolate.") \
  C(pattern, StringId, None, "What it matches.")
TB_TABLE(V8RegexpCodeTable, "__intrinsic_v8_regexp_code", "Code of regular expressions.",
         TB_V8_REGEXP_CODE_COLUMNS)

#define TB_DUMPSTATE_COLUMNS(C)                                   \
  C(section, StringId, None, "Section of the bug report.")        \
  C(service, StringId, None, "Service whose dump it is part of.") \
  C(line, StringId, None, "One line of it.")
TB_TABLE(DumpstateTable, "__intrinsic_android_dumpstate", "Text of Android bug reports.",
         TB_DUMPSTATE_COLUMNS)

#define TB_PLAIN_TABLES(T)                                 \
  T(SmapsTable, profiler_smaps)                            \
  T(AggregateProfileTable, aggregate_profile)              \
  T(AggregateSampleTable, aggregate_sample)                \
  T(DumpstateTable, android_dumpstate)                     \
  T(PackageListTable, package_list)                        \
  T(FiledescriptorTable, filedescriptor)                   \
  T(GameInterventionTable, android_game_intervention_list) \
  T(UserListTable, android_user_list)                      \
  T(AflagTable, android_aflags)                            \
  T(CpuPerUidTable, android_cpu_per_uid_track)             \
  T(GpuContextTable, gpu_context)                          \
  T(GpuCounterGroupTable, gpu_counter_group)               \
  T(VulkanMemoryTable, vulkan_memory_allocations)          \
  T(MemorySnapshotTable, memory_snapshot)                  \
  T(ProcessMemorySnapshotTable, process_memory_snapshot)   \
  T(MemorySnapshotNodeTable, memory_snapshot_node)         \
  T(MemorySnapshotEdgeTable, memory_snapshot_edge)         \
  T(InterruptMappingTable, interrupt_mapping)              \
  T(JitCodeTable, jit_code)                                \
  T(V8IsolateTable, v8_isolate)                            \
  T(V8JsScriptTable, v8_js_script)                         \
  T(V8WasmScriptTable, v8_wasm_script)                     \
  T(V8JsFunctionTable, v8_js_function)                     \
  T(V8JsCodeTable, v8_js_code)                             \
  T(V8InternalCodeTable, v8_internal_code)                 \
  T(V8WasmCodeTable, v8_wasm_code)                         \
  T(V8RegexpCodeTable, v8_regexp_code)

}  // namespace tracebraid
