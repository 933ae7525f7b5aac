#include "export/row_nouns.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tracebraid {
namespace {

constexpr std::string_view kRawPrefix = "__intrinsic_";

struct Noun {
  std::string_view table;  // without kRawPrefix
  std::string_view one, many;
};

// Sorted by table.
constexpr Noun kNouns[] = {
    {"aggregate_profile", "profile without times", "profiles without times"},
    {"aggregate_sample", "sample without a time", "samples without a time"},
    {"android_aflags", "feature flag of Android", "feature flags of Android"},
    {"android_cpu_per_uid_track", "CPU time of an Android user", "CPU times of Android users"},
    {"android_dumpstate", "line of a bug report", "lines of a bug report"},
    {"android_game_intervention_list", "game intervention of Android",
     "game interventions of Android"},
    {"android_input_event_dispatch", "input event given to a window",
     "input events given to windows"},
    {"android_key_events", "key event of Android", "key events of Android"},
    {"android_motion_events", "motion event of Android", "motion events of Android"},
    {"android_track_event_process", "start of an Android process", "starts of Android processes"},
    {"android_user_list", "user of an Android device", "users of an Android device"},
    {"args", "arg", "args"},
    {"args_full", "leaf of args", "leaves of args"},
    {"causality", "relation of causes and effects", "relations of causes and effects"},
    {"causality_violation", "effect before its cause", "effects before their causes"},
    {"chrome_raw", "legacy event of Chrome", "legacy events of Chrome"},
    {"chrome_stack_sample_extras", "detail of a sample of Chrome", "details of samples of Chrome"},
    {"clock", "clock", "clocks"},
    {"clock_contradiction", "contradiction of clocks", "contradictions of clocks"},
    {"clock_edge", "relation of two clocks", "relations of two clocks"},
    {"clock_match", "match of two clocks", "matches of clocks"},
    {"clock_match_set", "set of matches of two clocks", "sets of matches of clocks"},
    {"clock_residual", "distance of a match from its fit", "distances of matches from their fits"},
    {"clock_snapshot", "reading of a clock", "readings of clocks"},
    {"counter", "counter value", "counter values"},
    {"cpu", "CPU", "CPUs"},
    {"cpu_freq", "possible frequency of a CPU", "possible frequencies of CPUs"},
    {"experimental_missing_chrome_processes", "process of Chrome without events",
     "processes of Chrome without events"},
    {"filedescriptor", "open file of a process", "open files of processes"},
    {"flow", "flow", "flows"},
    {"flow_bound", "bound of a clock by flows", "bounds of clocks by flows"},
    {"flow_violation", "flow that ends before it starts", "flows that end before they start"},
    {"ftrace_event", "kernel event", "kernel events"},
    {"gpu", "GPU", "GPUs"},
    {"gpu_context", "GPU context", "GPU contexts"},
    {"gpu_counter_group", "group of GPU counters", "groups of GPU counters"},
    {"heap_graph", "heap dump", "heap dumps"},
    {"heap_graph_class", "class of a heap dump", "classes of heap dumps"},
    {"heap_graph_java_oome_details", "out-of-memory error", "out-of-memory errors"},
    {"heap_graph_object", "object of a heap dump", "objects of heap dumps"},
    {"heap_graph_object_data", "value of an object of a heap dump",
     "values of objects of heap dumps"},
    {"heap_graph_primitive", "field of an object of a heap dump",
     "fields of objects of heap dumps"},
    {"heap_graph_reference", "reference of a heap dump", "references of heap dumps"},
    {"heap_graph_thread_callsite", "callstack of an out-of-memory error",
     "callstacks of out-of-memory errors"},
    {"heap_profile", "dump of a heap profiler", "dumps of heap profilers"},
    {"heap_profile_allocation", "allocation of a heap profile", "allocations of heap profiles"},
    {"inputmethod_clients", "state of a client of an input method",
     "states of clients of input methods"},
    {"inputmethod_manager_service", "state of the manager of input methods",
     "states of the manager of input methods"},
    {"inputmethod_service", "state of an input method", "states of input methods"},
    {"interrupt_mapping", "name of an interrupt", "names of interrupts"},
    {"jit_code", "piece of generated machine code", "pieces of generated machine code"},
    {"json_annotation", "annotation for viewers", "annotations for viewers"},
    {"json_async_slice", "id of an asynchronous slice", "ids of asynchronous slices"},
    {"json_clock_edge", "relation of two clock domains", "relations of clock domains"},
    {"json_clock_sync_marker", "clock sync marker", "clock sync markers"},
    {"json_context", "context of events", "contexts of events"},
    {"json_event_color", "colour of an event", "colours of events"},
    {"json_heap_entry", "entry of a heap dump", "entries of heap dumps"},
    {"json_id_class", "class of an id", "classes of ids"},
    {"json_linked_id", "link of two ids", "links of two ids"},
    {"json_memory_dump", "memory dump", "memory dumps"},
    {"json_memory_region", "memory region of a dump", "memory regions of dumps"},
    {"json_memory_total", "memory total of a process", "memory totals of processes"},
    {"json_metadata_event", "metadata event", "metadata events"},
    {"json_object_instance", "object instance", "object instances"},
    {"json_object_ref", "reference to an object", "references to objects"},
    {"json_object_snapshot", "object snapshot", "object snapshots"},
    {"json_sample", "sample with a name and a weight", "samples with a name and a weight"},
    {"json_slice_context", "context of a slice", "contexts of slices"},
    {"json_trace_clock", "clock of a JSON file", "clocks of JSON files"},
    {"json_unfinished_complete", "complete event without a duration",
     "complete events without a duration"},
    {"json_unhandled_event", "event of an unknown phase", "events of unknown phases"},
    {"json_user_timing", "user timing mark", "user timing marks"},
    {"logs", "log line", "log lines"},
    {"machine", "machine", "machines"},
    {"memory_snapshot", "memory snapshot", "memory snapshots"},
    {"memory_snapshot_edge", "link of a memory snapshot", "links of memory snapshots"},
    {"memory_snapshot_node", "part of a memory snapshot", "parts of memory snapshots"},
    {"metadata", "fact about the trace", "facts about the trace"},
    {"package_list", "Android package", "Android packages"},
    {"placement", "placement of a file", "placements of files"},
    {"process", "process", "processes"},
    {"process_memory_snapshot", "memory snapshot of a process", "memory snapshots of processes"},
    {"profiler_async_context", "asynchronous context of samples",
     "asynchronous contexts of samples"},
    {"profiler_counter_set", "counter value of a sample", "counter values of samples"},
    {"profiler_execution_context", "execution context of samples", "execution contexts of samples"},
    {"profiler_sample", "profiler sample", "profiler samples"},
    {"profiler_session", "recording of samples", "recordings of samples"},
    {"profiler_smaps", "memory mapping of a process", "memory mappings of processes"},
    {"profiler_task_context", "task of samples", "tasks of samples"},
    {"protolog", "line of ProtoLog", "lines of ProtoLog"},
    {"sched_slice", "time slice of a CPU", "time slices of CPUs"},
    {"slice", "slice", "slices"},
    {"spurious_sched_wakeup", "spurious wake-up", "spurious wake-ups"},
    {"stack_profile_callsite", "callstack", "callstacks"},
    {"stack_profile_frame", "frame of a callstack", "frames of callstacks"},
    {"stack_profile_mapping", "file with code", "files with code"},
    {"stack_profile_symbol", "symbol", "symbols"},
    {"state", "state of a track", "states of tracks"},
    {"stats", "stat", "stats"},
    {"surfaceflinger_display", "display of SurfaceFlinger", "displays of SurfaceFlinger"},
    {"surfaceflinger_layer", "layer of SurfaceFlinger", "layers of SurfaceFlinger"},
    {"surfaceflinger_layers_snapshot", "snapshot of layers", "snapshots of layers"},
    {"surfaceflinger_transaction", "change in a transaction of SurfaceFlinger",
     "changes in transactions of SurfaceFlinger"},
    {"surfaceflinger_transaction_flag", "flag of a transaction of SurfaceFlinger",
     "flags of transactions of SurfaceFlinger"},
    {"surfaceflinger_transactions", "transaction of SurfaceFlinger",
     "transactions of SurfaceFlinger"},
    {"thread", "thread", "threads"},
    {"thread_state", "thread state", "thread states"},
    {"trace_diagnostics", "finding about a recording", "findings about recordings"},
    {"trace_file", "trace file", "trace files"},
    {"trace_import_logs", "entry of the import log", "entries of the import log"},
    {"track", "track", "tracks"},
    {"track_event_callstacks", "callstack of a slice", "callstacks of slices"},
    {"v8_internal_code", "code object of V8", "code objects of V8"},
    {"v8_isolate", "instance of V8", "instances of V8"},
    {"v8_js_code", "code object of JavaScript", "code objects of JavaScript"},
    {"v8_js_function", "JavaScript function", "JavaScript functions"},
    {"v8_js_script", "JavaScript file", "JavaScript files"},
    {"v8_regexp_code", "code object of a regular expression",
     "code objects of regular expressions"},
    {"v8_wasm_code", "code object of WebAssembly", "code objects of WebAssembly"},
    {"v8_wasm_script", "WebAssembly module", "WebAssembly modules"},
    {"viewcapture", "snapshot of views", "snapshots of views"},
    {"viewcapture_view", "view of a snapshot", "views of snapshots"},
    {"vulkan_memory_allocations", "memory allocation of Vulkan", "memory allocations of Vulkan"},
    {"window_manager_shell_transition_handlers", "handler of shell transitions",
     "handlers of shell transitions"},
    {"window_manager_shell_transition_participants", "participant of a shell transition",
     "participants of shell transitions"},
    {"window_manager_shell_transition_protos", "message about a shell transition",
     "messages about shell transitions"},
    {"window_manager_shell_transitions", "shell transition", "shell transitions"},
    {"windowmanager", "state of the window manager", "states of the window manager"},
    {"windowmanager_windowcontainer", "container of windows", "containers of windows"},
    {"winscope_fill_region", "region of an input window", "regions of input windows"},
    {"winscope_rect", "rectangle of a window trace", "rectangles of window traces"},
    {"winscope_trace_rect", "place of a rectangle of a window trace",
     "places of rectangles of window traces"},
    {"winscope_transform", "transform of a window trace", "transforms of window traces"},
};

}  // namespace

std::string counted_rows(uint64_t rows, std::string_view table) {
  std::string_view name = table;
  if (name.starts_with(kRawPrefix)) name.remove_prefix(kRawPrefix.size());
  const Noun* const noun = std::ranges::lower_bound(kNouns, name, {}, &Noun::table);
  if (noun == std::end(kNouns) || noun->table != name)
    return fmt::format("{} {} of {}", rows, rows == 1 ? "row" : "rows", table);
  return fmt::format("{} {}", rows, rows == 1 ? noun->one : noun->many);
}

std::string not_exported(uint64_t rows, std::string_view table) {
  return "not exported: " + counted_rows(rows, table);
}

}  // namespace tracebraid
