// Tables that only the Trace Event Format fills, all of them additions of tracebraid (spec json
// 7.4). `scope` is never NULL, and `upid` is NULL for global ids.
#pragma once

#include "tables/declare.h"

namespace tracebraid {

#define TB_JSON_UNFINISHED_COMPLETE_COLUMNS(C)                       \
  C(ts, int64_t, Sorted, "Start, ns.")                               \
  C(utid, uint32_t, None, "Row of thread.")                          \
  C(category, StringId, None, "Category.")                           \
  C(name, StringId, None, "Name.")                                   \
  C(thread_ts, OptInt, None, "Start in CPU time of the thread, ns.") \
  C(arg_set_id, OptRow, None, "Args.")                               \
  C(cname, StringId, None, "Reserved name of a colour.")
TB_TABLE(JsonUnfinishedCompleteTable, "__intrinsic_json_unfinished_complete",
         "Complete events without a duration: they ran when recording stopped (ours).",
         TB_JSON_UNFINISHED_COMPLETE_COLUMNS, {"json_unfinished_complete"})

#define TB_JSON_UNHANDLED_EVENT_COLUMNS(C)         \
  C(ts, int64_t, Sorted, "ns.")                    \
  C(phase, StringId, None, "Letter of the phase.") \
  C(utid, OptRow, None, "Row of thread.")          \
  C(raw_json, StringId, None, "The event, verbatim.")
TB_TABLE(JsonUnhandledEventTable, "__intrinsic_json_unhandled_event",
         "Events of a phase that the format does not have (ours).", TB_JSON_UNHANDLED_EVENT_COLUMNS,
         {"json_unhandled_event"})

#define TB_JSON_METADATA_EVENT_COLUMNS(C)                         \
  C(name, StringId, None, "Name of the metadata.")                \
  C(ts, OptInt, None, "NULL: metadata holds for the whole file.") \
  C(upid, OptRow, None, "Row of process.")                        \
  C(utid, uint32_t, None, "Row of thread.")                       \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(JsonMetadataEventTable, "__intrinsic_json_metadata_event",
         "Metadata events, in the order of the file (ours).", TB_JSON_METADATA_EVENT_COLUMNS,
         {"json_metadata_event"})

#define TB_JSON_ASYNC_SLICE_COLUMNS(C)                                      \
  C(slice_id, uint32_t, Sorted, "Row of slice.")                            \
  C(id_text, StringId, None, "Id in the spelling of the begin event.")      \
  C(scope, StringId, None, "Scope of the id.")                              \
  C(is_local, uint8_t, None, "1 if the id holds in one process only.")      \
  C(phase_begin, StringId, None, "Phase of the event that began it.")       \
  C(begin_utid, uint32_t, None, "Row of thread where it began.")            \
  C(end_utid, OptRow, None, "Row of thread where it ended.")                \
  C(group_upid, OptRow, None, "Row of process of the group's first event.") \
  C(did_not_finish, uint8_t, None, "1 if its end is missing.")
TB_TABLE(JsonAsyncSliceTable, "__intrinsic_json_async_slice",
         "Slices that belong to an id, and where they began and ended (ours).",
         TB_JSON_ASYNC_SLICE_COLUMNS, {"json_async_slice"})

#define TB_JSON_USER_TIMING_COLUMNS(C)                                \
  C(slice_id, uint32_t, Sorted, "Row of slice.")                      \
  C(group_name, StringId, None, "Text of the name before the colon.") \
  C(title, StringId, None, "Text of the name after the colon.")       \
  C(arg_set_id, OptRow, None, "Args at the end of the name.")
TB_TABLE(JsonUserTimingTable, "__intrinsic_json_user_timing",
         "Slices of blink.user_timing whose names have parts (ours).", TB_JSON_USER_TIMING_COLUMNS,
         {"json_user_timing"})

#define TB_JSON_EVENT_COLOR_COLUMNS(C)                          \
  C(kind, StringId, None, "slice, counter_track or object.")    \
  C(row_id, uint32_t, None, "Row of slice, track or instance.") \
  C(cname, StringId, None, "Reserved name of a colour.")
TB_TABLE(JsonEventColorTable, "__intrinsic_json_event_color",
         "Colours that producers chose (ours).", TB_JSON_EVENT_COLOR_COLUMNS, {"json_event_color"})

#define TB_JSON_OBJECT_INSTANCE_COLUMNS(C)                                          \
  C(object_id, StringId, None, "Id in the spelling of its first event.")            \
  C(scope, StringId, None, "Scope of the id.")                                      \
  C(upid, OptRow, None, "Row of process; NULL if the id is global.")                \
  C(base_type, StringId, None, "The first base type given, else type_name.")        \
  C(type_name, StringId, None, "Name of its first event.")                          \
  C(category, StringId, None, "Category.")                                          \
  C(creation_ts, int64_t, Sorted, "Time of creation, ns.")                          \
  C(deletion_ts, OptInt, None, "Time of deletion, ns; NULL if it was not deleted.") \
  C(created_explicitly, uint8_t, None, "1 if there is an event of its creation.")   \
  C(deleted_explicitly, uint8_t, None, "1 if there is an event of its deletion.")   \
  C(cname, StringId, None, "Colour that its last event chose.")                     \
  C(creation_arg_set_id, OptRow, None, "Args of its creation.")                     \
  C(deletion_arg_set_id, OptRow, None, "Args of its deletion.")
TB_TABLE(JsonObjectInstanceTable, "__intrinsic_json_object_instance",
         "Objects of the traced program; an id used again has several rows (ours).",
         TB_JSON_OBJECT_INSTANCE_COLUMNS, {"json_object_instance"})

#define TB_JSON_OBJECT_SNAPSHOT_COLUMNS(C)                                                     \
  C(instance_id, uint32_t, None, "Row of json_object_instance.")                               \
  C(ts, int64_t, Sorted, "ns.")                                                                \
  C(type_name, StringId, None, "Type of the object at this time.")                             \
  C(category, StringId, None, "Category.")                                                     \
  C(is_implicit, uint8_t, None, "1 if it was inside another snapshot.")                        \
  C(container_snapshot_id, OptRow, None, "Row of json_object_snapshot of the outer snapshot.") \
  C(utid, uint32_t, None, "Row of thread.")                                                    \
  C(arg_set_id, OptRow, None, "The value, flattened below snapshot.")                          \
  C(raw_json, StringId, None, "The value, verbatim.")
TB_TABLE(JsonObjectSnapshotTable, "__intrinsic_json_object_snapshot",
         "Values of objects at a time (ours).", TB_JSON_OBJECT_SNAPSHOT_COLUMNS,
         {"json_object_snapshot"})

#define TB_JSON_OBJECT_REF_COLUMNS(C)                                                           \
  C(owner_kind, StringId, None, "slice, object_snapshot or context.")                           \
  C(owner_id, uint32_t, None, "Row of the table that owner_kind names.")                        \
  C(arg_key, StringId, None, "Key of the reference, without .id_ref.")                          \
  C(ts, int64_t, None, "Time that the annotation refers to, ns.")                               \
  C(target_upid, OptRow, None, "Row of process that was searched.")                             \
  C(target_scope, StringId, None, "Scope of the id.")                                           \
  C(target_id, StringId, None, "Id in the spelling of the reference.")                          \
  C(instance_id, OptRow, None, "Row of json_object_instance alive at this time; NULL if none.") \
  C(snapshot_id, OptRow, None, "Row of json_object_snapshot that applies at this time, if any.")
TB_TABLE(JsonObjectRefTable, "__intrinsic_json_object_ref",
         "References to objects in args, resolved in time (ours).", TB_JSON_OBJECT_REF_COLUMNS,
         {"json_object_ref"})

#define TB_JSON_CONTEXT_COLUMNS(C)                                              \
  C(object_id, StringId, None, "Id in the spelling of the entering event.")     \
  C(scope, StringId, None, "Scope of the id.")                                  \
  C(upid, OptRow, None, "Row of process; NULL if the id is global.")            \
  C(type_name, StringId, None, "Type.")                                         \
  C(utid, uint32_t, None, "Row of thread that entered.")                        \
  C(enter_ts, int64_t, Sorted, "ns.")                                           \
  C(leave_ts, OptInt, None, "Time of leaving, ns; NULL if it was never left.")  \
  C(instance_id, OptRow, None, "Row of json_object_instance with the same id.") \
  C(snapshot_id, OptRow, None, "Row of json_object_snapshot that describes it.")
TB_TABLE(JsonContextTable, "__intrinsic_json_context",
         "Contexts that threads entered and left (ours).", TB_JSON_CONTEXT_COLUMNS,
         {"json_context"})

#define TB_JSON_SLICE_CONTEXT_COLUMNS(C)       \
  C(slice_id, uint32_t, None, "Row of slice.") \
  C(context_id, uint32_t, None, "Row of json_context that was active when it began.")
TB_TABLE(JsonSliceContextTable, "__intrinsic_json_slice_context",
         "Contexts in which slices began (ours).", TB_JSON_SLICE_CONTEXT_COLUMNS,
         {"json_slice_context"})

#define TB_JSON_LINKED_ID_COLUMNS(C)                                              \
  C(ts, int64_t, Sorted, "Time of the event, ns; the link applies at all times.") \
  C(utid, uint32_t, None, "Row of thread.")                                       \
  C(category, StringId, None, "Category.")                                        \
  C(name, StringId, None, "Name of the event.")                                   \
  C(id_a, StringId, None, "The first id.")                                        \
  C(scope_a, StringId, None, "Scope of this id.")                                 \
  C(upid_a, OptRow, None, "Row of process; NULL if it is global.")                \
  C(id_b, StringId, None, "The second id.")                                       \
  C(scope_b, StringId, None, "Scope of this id.")                                 \
  C(upid_b, OptRow, None, "Row of process; NULL if it is global.")
TB_TABLE(JsonLinkedIdTable, "__intrinsic_json_linked_id", "Ids with the same meaning (ours).",
         TB_JSON_LINKED_ID_COLUMNS, {"json_linked_id"})

#define TB_JSON_ID_CLASS_COLUMNS(C)                                                  \
  C(kind, StringId, None,                                                            \
    "link, object, async, legacy_async, flow, flow_v2, context, memory or counter.") \
  C(id_text, StringId, None, "Canonical id.")                                        \
  C(scope, StringId, None, "Scope of this id.")                                      \
  C(upid, OptRow, None, "Row of process; NULL if it is global.")                     \
  C(class_id, uint32_t, None, "Equal for linked ids.")
TB_TABLE(JsonIdClassTable, "__intrinsic_json_id_class",
         "Classes of linked ids, and the records with these ids (ours).", TB_JSON_ID_CLASS_COLUMNS,
         {"json_id_class"})

#define TB_JSON_ANNOTATION_COLUMNS(C)                    \
  C(type, StringId, None, "xmarker, rect, comment_box.") \
  C(ts, OptInt, None, "ns of trace time.")               \
  C(text, StringId, None, "Text of a comment.")          \
  C(raw_json, StringId, None, "The annotation, verbatim.")
TB_TABLE(JsonAnnotationTable, "__intrinsic_json_annotation", "Annotations for viewers (ours).",
         TB_JSON_ANNOTATION_COLUMNS, {"json_annotation"})

#define TB_JSON_MEMORY_DUMP_COLUMNS(C)                                    \
  C(dump_id, StringId, None, "Id in the spelling of its first event.")    \
  C(snapshot_id, uint32_t, None, "Row of memory_snapshot.")               \
  C(process_snapshot_id, OptRow, None, "Row of process_memory_snapshot.") \
  C(upid, OptRow, None, "Row of process; NULL for the dump as a whole.")  \
  C(ts, int64_t, None, "Time of the first event, ns.")                    \
  C(dur, int64_t, None, "Duration up to the last event, ns.")             \
  C(name, StringId, None, "Name of the first event.")                     \
  C(level_of_detail, StringId, None, "background, light or detailed.")    \
  C(arg_set_id, OptRow, None, "Args.")
TB_TABLE(JsonMemoryDumpTable, "__intrinsic_json_memory_dump",
         "Memory dumps, as a whole and by process (ours).", TB_JSON_MEMORY_DUMP_COLUMNS,
         {"json_memory_dump"})

#define TB_JSON_MEMORY_TOTAL_COLUMNS(C)                                     \
  C(process_snapshot_id, uint32_t, None, "Row of process_memory_snapshot.") \
  C(name, StringId, None, "Name of the quantity.")                          \
  C(value, int64_t, None, "Bytes, or 0 and 1.")                             \
  C(is_platform_specific, uint8_t, None, "1 if only some systems have it.")
TB_TABLE(JsonMemoryTotalTable, "__intrinsic_json_memory_total",
         "Totals of the memory of a process (ours).", TB_JSON_MEMORY_TOTAL_COLUMNS,
         {"json_memory_total"})

#define TB_JSON_MEMORY_REGION_COLUMNS(C)                                     \
  C(process_snapshot_id, uint32_t, None, "Row of process_memory_snapshot.")  \
  C(start_address, int64_t, None, "Address; negative from 2^63 on.")         \
  C(size, int64_t, None, "Bytes.")                                           \
  C(protection, int64_t, None, "4 read, 2 write, 1 execute, 128 may share.") \
  C(protection_text, StringId, None, "Protection in the form rwxp.")         \
  C(file, StringId, None, "Mapped file.")                                    \
  C(pss, OptInt, None, "Proportional resident bytes.")                       \
  C(private_clean, OptInt, None, "Bytes.")                                   \
  C(private_dirty, OptInt, None, "Bytes.")                                   \
  C(shared_clean, OptInt, None, "Bytes.")                                    \
  C(shared_dirty, OptInt, None, "Bytes.")                                    \
  C(swapped, OptInt, None, "Bytes.")                                         \
  C(class_path, StringId, None, "Category of the memory, such as Native heap or Files/so.")
TB_TABLE(JsonMemoryRegionTable, "__intrinsic_json_memory_region",
         "Mapped regions of a process in a memory dump (ours).", TB_JSON_MEMORY_REGION_COLUMNS,
         {"json_memory_region"})

#define TB_JSON_HEAP_ENTRY_COLUMNS(C)                                               \
  C(process_snapshot_id, uint32_t, None, "Row of process_memory_snapshot.")         \
  C(allocator, StringId, None, "Allocator.")                                        \
  C(callsite_id, OptRow, None, "Row of stack_profile_callsite; NULL for the root.") \
  C(type_name, StringId, None, "Type of the objects; NULL for all.")                \
  C(size, int64_t, None, "Bytes.")                                                  \
  C(count, OptInt, None, "Objects.")                                                \
  C(format, StringId, None, "heaps or heaps_v2.")
TB_TABLE(JsonHeapEntryTable, "__intrinsic_json_heap_entry",
         "Heap dumps: bytes by stack and type (ours).", TB_JSON_HEAP_ENTRY_COLUMNS,
         {"json_heap_entry"})

#define TB_JSON_TABLES(TABLE, PLAIN)                           \
  TABLE(JsonUnfinishedCompleteTable, json_unfinished_complete) \
  TABLE(JsonUnhandledEventTable, json_unhandled_events)        \
  TABLE(JsonMetadataEventTable, json_metadata_events)

#define TB_JSON_MEMBERS(TABLE)                 \
  TABLE(JsonAsyncSliceTable, async_slices)     \
  TABLE(JsonUserTimingTable, user_timings)     \
  TABLE(JsonEventColorTable, colours)          \
  TABLE(JsonObjectInstanceTable, instances)    \
  TABLE(JsonObjectSnapshotTable, snapshots)    \
  TABLE(JsonObjectRefTable, refs)              \
  TABLE(JsonContextTable, contexts)            \
  TABLE(JsonSliceContextTable, slice_contexts) \
  TABLE(JsonLinkedIdTable, linked_ids)         \
  TABLE(JsonIdClassTable, id_classes)          \
  TABLE(JsonAnnotationTable, annotations)      \
  TABLE(JsonMemoryDumpTable, memory_dumps)     \
  TABLE(JsonMemoryTotalTable, memory_totals)   \
  TABLE(JsonMemoryRegionTable, memory_regions) \
  TABLE(JsonHeapEntryTable, heap_entries)

// Members of Store::json.
struct JsonTables {
#define TB_JSON_MEMBER(Table, member) Table member;
  TB_JSON_MEMBERS(TB_JSON_MEMBER)
#undef TB_JSON_MEMBER
};

}  // namespace tracebraid
