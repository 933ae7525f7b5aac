#include "merge/join/join.h"

namespace tracebraid {
namespace {

void join(const std::vector<uint32_t>& map, uint32_t& index) {
  if (index != kNone) index = index < map.size() ? map[index] : kNone;
}

}  // namespace

void join_json(const JoinMap& map, JsonRecords& json) {
  const auto join_strings = [&](auto&... ids) { ((ids = map.string(ids)), ...); };
  for (JsonId& id : json.ids) {
    join_strings(id.scope, id.spelling, id.canonical);
    join(map.processes, id.process);
  }
  for (JsonExtra& extra : json.extras) {
    join_strings(extra.colour);
    join(map.threads, extra.thread);
  }
  for (JsonTiming& timing : json.timings) join_strings(timing.group, timing.title);
  for (JsonObject& object : json.objects)
    join_strings(object.colour, object.base_type, object.raw_json, object.place);
  for (JsonAnnotation& note : json.annotations) join_strings(note.type, note.text, note.raw_json);
}

void join_memory(const JoinMap& map, MemoryRecords& memory) {
  const auto join_strings = [&](auto&... ids) { ((ids = map.string(ids)), ...); };
  for (MemoryDump& dump : memory.dumps) join(map.processes, dump.process);
  for (MemoryTotal& total : memory.totals) join_strings(total.name);
  for (MemoryNode& node : memory.nodes) join_strings(node.path, node.guid);
  for (MemoryAttribute& attribute : memory.attributes)
    join_strings(attribute.name, attribute.unit, attribute.text);
  for (MemoryEdge& edge : memory.edges) join_strings(edge.source, edge.target);
  for (MemoryRegion& region : memory.regions) join_strings(region.file);
  for (MemoryHeapEntry& entry : memory.heap_entries) join_strings(entry.allocator, entry.type);
}

}  // namespace tracebraid
