// Heap profiles, heap dumps and memory dumps.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_HEAP_PROFILE_COLUMNS(C)           \
  C(ts, int64_t, None, "Start, ns.")         \
  C(ts_end, int64_t, None, "End, ns.")       \
  C(dur, int64_t, None, "Duration, ns.")     \
  C(upid, uint32_t, None, "Row of process.") \
  C(heap_name, StringId, None, "Name of the heap.")
TB_TABLE(HeapProfileTable, "__intrinsic_heap_profile", "Dumps of heap profilers.",
         TB_HEAP_PROFILE_COLUMNS, {"heap_profile"})

#define TB_HEAP_PROFILE_ALLOCATION_COLUMNS(C)                                    \
  C(ts, int64_t, Sorted, "ns.")                                                  \
  C(upid, uint32_t, None, "Row of process.")                                     \
  C(heap_name, StringId, None, "Name of the heap.")                              \
  C(callsite_id, uint32_t, None, "Row of stack_profile_callsite.")               \
  C(count, int64_t, None, "Allocations since the dump before; negative: frees.") \
  C(size, int64_t, None, "Bytes since the dump before; negative: freed.")
TB_TABLE(HeapProfileAllocationTable, "__intrinsic_heap_profile_allocation",
         "Allocations and frees of callsites.", TB_HEAP_PROFILE_ALLOCATION_COLUMNS,
         {"heap_profile_allocation"})

#define TB_HEAP_GRAPH_COLUMNS(C)                         \
  C(ts, int64_t, None, "ns.")                            \
  C(upid, OptRow, None, "Row of process.")               \
  C(dump_reason, StringId, None, "Reason for the dump.") \
  C(heap_size, OptInt, None, "Bytes in use.")            \
  C(truncated, uint8_t, None, "1 if parts of the dump are missing.")
TB_TABLE(HeapGraphTable, "__intrinsic_heap_graph", "Dumps of Java heaps.", TB_HEAP_GRAPH_COLUMNS,
         {"heap_graph"})

#define TB_HEAP_GRAPH_CLASS_COLUMNS(C)                        \
  C(name, StringId, None, "Class.")                           \
  C(deobfuscated_name, StringId, None, "Name in the source.") \
  C(location, StringId, None, "File it was loaded from.")     \
  C(superclass_id, OptRow, None, "Row of heap_graph_class.")  \
  C(classloader_id, OptInt, None, "Class loader.")            \
  C(kind, StringId, None, "KIND_NORMAL, KIND_ARRAY ...")
TB_TABLE(HeapGraphClassTable, "__intrinsic_heap_graph_class", "Classes of Java heaps.",
         TB_HEAP_GRAPH_CLASS_COLUMNS, {"heap_graph_class"})

#define TB_HEAP_GRAPH_OBJECT_COLUMNS(C)                                         \
  C(upid, OptRow, None, "Row of process.")                                      \
  C(graph_sample_ts, int64_t, None, "ts of its heap_graph, ns.")                \
  C(self_size, int64_t, None, "Bytes.")                                         \
  C(native_size, int64_t, None, "Bytes of native memory that the object owns.") \
  C(reference_set_id, OptRow, None, "Set of heap_graph_reference.")             \
  C(reachable, uint8_t, None, "1 if it can be reached from a root.")            \
  C(heap_type, StringId, None, "HEAP_TYPE_APP ...")                             \
  C(type_id, OptRow, None, "Row of heap_graph_class.")                          \
  C(root_type, StringId, None, "Kind of root; NULL if the object is none.")     \
  C(root_distance, int64_t, None, "Distance from a root; -1 if not computed.")  \
  C(object_data_id, OptRow, None, "Row of heap_graph_object_data.")
TB_TABLE(HeapGraphObjectTable, "__intrinsic_heap_graph_object", "Objects of Java heaps.",
         TB_HEAP_GRAPH_OBJECT_COLUMNS, {"heap_graph_object"})

#define TB_HEAP_GRAPH_REFERENCE_COLUMNS(C)                                               \
  C(reference_set_id, uint32_t, Sorted, "References of one object.")                     \
  C(owner_id, uint32_t, None, "Row of heap_graph_object that refers.")                   \
  C(owned_id, OptRow, None, "Row of heap_graph_object; NULL if that object is missing.") \
  C(field_name, StringId, None, "Field, with its class.")                                \
  C(field_type_name, StringId, None, "Type of the field.")                               \
  C(deobfuscated_field_name, StringId, None, "Name in the source.")
TB_TABLE(HeapGraphReferenceTable, "__intrinsic_heap_graph_reference",
         "References between objects of Java heaps.", TB_HEAP_GRAPH_REFERENCE_COLUMNS,
         {"heap_graph_reference"})

#define TB_HEAP_GRAPH_OBJECT_DATA_COLUMNS(C)                                 \
  C(field_set_id, OptRow, None, "Set of heap_graph_primitive.")              \
  C(value_string, StringId, None, "Value of a string.")                      \
  C(array_element_type, StringId, None, "Type of the elements of an array.") \
  C(array_element_count, OptInt, None, "Number of elements of an array.")    \
  C(array_data_id, OptInt, None, "Data of an array.")                        \
  C(array_data_hash, OptInt, None, "Hash of the data of an array.")
TB_TABLE(HeapGraphObjectDataTable, "__intrinsic_heap_graph_object_data",
         "Values inside objects of Java heaps.", TB_HEAP_GRAPH_OBJECT_DATA_COLUMNS,
         {"heap_graph_object_data"})

#define TB_HEAP_GRAPH_PRIMITIVE_COLUMNS(C)                   \
  C(field_set_id, uint32_t, Sorted, "Fields of one object.") \
  C(field_name, StringId, None, "Field, with its class.")    \
  C(field_type, StringId, None, "int, long ...")             \
  C(bool_value, OptInt, None, "Value of a boolean.")         \
  C(byte_value, OptInt, None, "Value of a byte.")            \
  C(char_value, OptInt, None, "Value of a char.")            \
  C(short_value, OptInt, None, "Value of a short.")          \
  C(int_value, OptInt, None, "Value of an int.")             \
  C(long_value, OptInt, None, "Value of a long.")            \
  C(float_value, double, None, "Value of a float.")          \
  C(double_value, double, None, "Value of a double.")
TB_TABLE(HeapGraphPrimitiveTable, "__intrinsic_heap_graph_primitive",
         "Fields of objects of Java heaps that are no references.", TB_HEAP_GRAPH_PRIMITIVE_COLUMNS,
         {"heap_graph_primitive"})

#define TB_HEAP_GRAPH_OOME_COLUMNS(C)                                                       \
  C(heap_graph_id, uint32_t, None, "Row of heap_graph.")                                    \
  C(allocation_size_bytes, int64_t, None, "Bytes of the allocation that failed.")           \
  C(total_bytes_free, int64_t, None, "Free bytes of the heap.")                             \
  C(free_bytes_until_oom, int64_t, None, "Bytes by which the heap could still have grown.") \
  C(error_msg, StringId, None, "Message of the error.")
TB_TABLE(HeapGraphOomeTable, "__intrinsic_heap_graph_java_oome_details",
         "Processes that ran out of Java memory.", TB_HEAP_GRAPH_OOME_COLUMNS)

#define TB_HEAP_GRAPH_THREAD_CALLSITE_COLUMNS(C)         \
  C(heap_graph_id, uint32_t, None, "Row of heap_graph.") \
  C(utid, OptRow, None, "Row of thread.")                \
  C(callsite_id, OptRow, None, "Row of stack_profile_callsite.")
TB_TABLE(HeapGraphThreadCallsiteTable, "__intrinsic_heap_graph_thread_callsite",
         "Callstacks of threads that ran out of Java memory.",
         TB_HEAP_GRAPH_THREAD_CALLSITE_COLUMNS, {"heap_graph_thread_callsite"})

#define TB_MEMORY_SNAPSHOT_COLUMNS(C)        \
  C(timestamp, int64_t, None, "ns.")         \
  C(track_id, OptRow, None, "Row of track.") \
  C(detail_level, StringId, None, "Level of detail.")
TB_TABLE(MemorySnapshotTable, "__intrinsic_memory_snapshot", "Times of memory dumps.",
         TB_MEMORY_SNAPSHOT_COLUMNS, {"memory_snapshot"})

#define TB_PROCESS_MEMORY_SNAPSHOT_COLUMNS(C)             \
  C(snapshot_id, OptRow, None, "Row of memory_snapshot.") \
  C(upid, OptRow, None, "Row of process.")
TB_TABLE(ProcessMemorySnapshotTable, "__intrinsic_process_memory_snapshot",
         "Memory dumps of processes.", TB_PROCESS_MEMORY_SNAPSHOT_COLUMNS,
         {"process_memory_snapshot"})

#define TB_MEMORY_SNAPSHOT_NODE_COLUMNS(C)                                       \
  C(process_snapshot_id, OptRow, None, "Row of process_memory_snapshot.")        \
  C(parent_node_id, OptRow, None, "Row of memory_snapshot_node.")                \
  C(path, StringId, None, "Path from the root.")                                 \
  C(size, OptInt, None, "Bytes.")                                                \
  C(effective_size, OptInt, None,                                                \
    "Bytes attributed to this node: shared memory is divided among its owners.") \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(MemorySnapshotNodeTable, "__intrinsic_memory_snapshot_node", "Parts of memory dumps.",
         TB_MEMORY_SNAPSHOT_NODE_COLUMNS, {"memory_snapshot_node"})

#define TB_MEMORY_SNAPSHOT_EDGE_COLUMNS(C)                        \
  C(source_node_id, OptRow, None, "Row of memory_snapshot_node.") \
  C(target_node_id, OptRow, None, "Row of memory_snapshot_node.") \
  C(importance, OptInt, None, "Weight of the ownership.")         \
  C(arg_set_id, OptRow, None, "Args: type is retention if it is no ownership.")
TB_TABLE(MemorySnapshotEdgeTable, "__intrinsic_memory_snapshot_edge",
         "Ownership between parts of memory dumps.", TB_MEMORY_SNAPSHOT_EDGE_COLUMNS,
         {"memory_snapshot_edge"})

#define TB_SMAPS_COLUMNS(C)                                          \
  C(upid, OptRow, None, "Row of process.")                           \
  C(ts, int64_t, None, "ns.")                                        \
  C(path, StringId, None, "Mapped file, as the kernel shows it.")    \
  C(path_trimmed, StringId, None, "Without \" (deleted)\".")         \
  C(aggregate_count, OptInt, None, "Number of mappings in the row.") \
  C(is_deleted, OptInt, None, "1 if the file is deleted.")           \
  C(size_kb, OptInt, None, "KiB.")                                   \
  C(private_dirty_kb, OptInt, None, "KiB.")                          \
  C(swap_kb, OptInt, None, "KiB.")                                   \
  C(file_name, StringId, None, "File name.")                         \
  C(start_address, OptInt, None, "First address.")                   \
  C(module_timestamp, OptInt, None, "Build time of the module.")     \
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
         TB_SMAPS_COLUMNS, {"profiler_smaps"},
         {"process_memory_mappings",
          "id, upid, ts, path_trimmed AS path, aggregate_count, is_deleted, size_kb, rss_kb, "
          "anonymous_kb, swap_kb, shared_clean_resident_kb AS shared_clean_kb, "
          "shared_dirty_resident_kb AS shared_dirty_kb, "
          "private_clean_resident_kb AS private_clean_kb, private_dirty_kb, locked_kb, "
          "proportional_resident_kb AS pss_kb, pss_dirty_kb, swap_pss_kb"})

#define TB_VULKAN_MEMORY_COLUMNS(C)                             \
  C(arg_set_id, OptRow, None, "Annotations.")                   \
  C(source, StringId, None, "Kind of memory.")                  \
  C(operation, StringId, None, "Operation.")                    \
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
  C(scope, StringId, None, "Lifetime of the memory.")
TB_TABLE(VulkanMemoryTable, "__intrinsic_vulkan_memory_allocations",
         "Memory that Vulkan programs allocated and released.", TB_VULKAN_MEMORY_COLUMNS,
         {"vulkan_memory_allocations"})

#define TB_MEMORY_TABLES(TABLE, PLAIN)                             \
  TABLE(HeapProfileTable, heap_profiles)                           \
  TABLE(HeapProfileAllocationTable, heap_profile_allocations)      \
  TABLE(HeapGraphTable, heap_graphs)                               \
  TABLE(HeapGraphClassTable, heap_graph_classes)                   \
  TABLE(HeapGraphObjectTable, heap_graph_objects)                  \
  TABLE(HeapGraphReferenceTable, heap_graph_references)            \
  TABLE(HeapGraphObjectDataTable, heap_graph_object_data)          \
  TABLE(HeapGraphPrimitiveTable, heap_graph_primitives)            \
  TABLE(HeapGraphOomeTable, heap_graph_oomes)                      \
  TABLE(HeapGraphThreadCallsiteTable, heap_graph_thread_callsites) \
  PLAIN(MemorySnapshotTable, memory_snapshot)                      \
  PLAIN(ProcessMemorySnapshotTable, process_memory_snapshot)       \
  PLAIN(MemorySnapshotNodeTable, memory_snapshot_node)             \
  PLAIN(MemorySnapshotEdgeTable, memory_snapshot_edge)             \
  PLAIN(SmapsTable, profiler_smaps)                                \
  PLAIN(VulkanMemoryTable, vulkan_memory_allocations)

}  // namespace tracebraid
