#include "event/batch_memory.h"

#include <vector>

#include "event/batch.h"

namespace tracebraid {
namespace {

template <class... T>
size_t bytes_of(const std::vector<T>&... lists) {
  return ((lists.capacity() * sizeof(T)) + ... + 0);
}

}  // namespace

size_t batch_memory(const EventBatch& b) {
  size_t bytes = b.strings.memory();
  for (const Stream& stream : b.streams) bytes += bytes_of(stream.events, stream.sched);
  bytes += bytes_of(b.processes, b.threads, b.tracks, b.arg_times, b.untimed, b.timed_metadata);
  bytes += bytes_of(b.args.keys, b.args.rows, b.args.fields, b.args.shapes);
  bytes += bytes_of(b.slice_extras, b.flows, b.flow_extras, b.switches, b.wakings, b.blocked,
                    b.sched_tasks, b.sched_facts, b.sched, b.snapshots, b.readings, b.log);
  bytes += bytes_of(b.stacks.frames, b.stacks.callsites, b.stacks.samples, b.stacks.sample_counters,
                    b.stacks.slice_stacks, b.stacks.heap_samples, b.stacks.methods);
  for (const HeapGraph& graph : b.stacks.heap_graphs)
    bytes += bytes_of(graph.classes, graph.objects, graph.references, graph.bitmaps);
  bytes += bytes_of(b.json.ids, b.json.extras, b.json.timings, b.json.objects, b.json.links,
                    b.json.annotations);
  return bytes + bytes_of(b.memory.nodes, b.memory.attributes, b.memory.edges, b.memory.regions,
                          b.memory.heap_entries);
}

}  // namespace tracebraid
