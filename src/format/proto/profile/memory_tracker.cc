#include "format/proto/profile/memory_tracker.h"

#include <algorithm>
#include <limits>
#include <string>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/profile/stats.h"

namespace tracebraid::proto {
namespace {

using Snapshot = field::MemoryTrackerSnapshot;
using Process = field::MemoryTrackerSnapshot_ProcessSnapshot;
using Node = field::MemoryTrackerSnapshot_ProcessSnapshot_MemoryNode;
using Entry = field::MemoryTrackerSnapshot_ProcessSnapshot_MemoryNode_MemoryNodeEntry;
using Edge = field::MemoryTrackerSnapshot_ProcessSnapshot_MemoryEdge;

constexpr ptrdiff_t kMaxPathDepth = 64;  // as of dumps in JSON
constexpr uint32_t kMaxEntries = 256;    // of a node

template <class T>
uint32_t size_of(const std::vector<T>& list) {
  return static_cast<uint32_t>(list.size());
}

int64_t capped(uint64_t value) {
  return static_cast<int64_t>(std::min(value, uint64_t{std::numeric_limits<int64_t>::max()}));
}

MemoryDetail detail_of(uint32_t level) {
  using Level = field::MemoryTrackerSnapshot_LevelOfDetail;
  switch (level) {
    case Level::kFull:
      return MemoryDetail::Detailed;
    case Level::kLight:
      return MemoryDetail::Light;
    case Level::kBackground:
      return MemoryDetail::Background;
    default:
      return MemoryDetail::NotSaid;
  }
}

StringId unit_of(uint32_t units, EventSink& sink) {
  using Units = field::MemoryTrackerSnapshot_ProcessSnapshot_MemoryNode_MemoryNodeEntry_Units;
  if (units == Units::kBytes) return sink.string("bytes");
  if (units == Units::kCount) return sink.string("objects");
  return {};
}

void add_entry(Message fields, EventSink& sink) {
  MemoryAttribute row;
  while (fields.next()) {
    if (fields.number() == Entry::kName) row.name = sink.string(fields.bytes());
    if (fields.number() == Entry::kUnits) row.unit = unit_of(fields.u32(), sink);
    if (fields.number() == Entry::kValueUint64) row.value = capped(fields.u64());
    if (fields.number() == Entry::kValueString) row.text = sink.string(fields.bytes());
  }
  if (row.name) sink.batch().memory.attributes.push_back(row);
}

// Returns false if the path is malformed.
bool add_node(Message fields, EventSink& sink) {
  constexpr std::string_view kGlobal = "global/";
  std::vector<MemoryAttribute>& attributes = sink.batch().memory.attributes;
  MemoryNode node;
  std::string_view path;
  node.attributes.first = size_of(attributes);
  while (fields.next()) {
    if (fields.number() == Node::kId) node.guid = sink.string(std::to_string(fields.u64()));
    if (fields.number() == Node::kAbsoluteName) path = fields.bytes();
    if (fields.number() == Node::kWeak) node.is_weak = fields.flag();
    if (fields.number() == Node::kSizeBytes)
      attributes.push_back({sink.string("size"), sink.string("bytes"), {}, capped(fields.u64())});
    const bool is_full = size_of(attributes) - node.attributes.first >= kMaxEntries;
    if (fields.number() == Node::kEntries && !is_full) add_entry(fields.message(), sink);
  }
  node.attributes.count = size_of(attributes) - node.attributes.first;
  node.is_global = path.starts_with(kGlobal);
  if (node.is_global) path.remove_prefix(kGlobal.size());
  if (path.empty() || std::ranges::count(path, '/') >= kMaxPathDepth) return false;
  node.path = sink.string(path);
  sink.batch().memory.nodes.push_back(node);
  return true;
}

void add_edge(Message fields, EventSink& sink) {
  MemoryEdge edge;
  while (fields.next()) {
    if (fields.number() == Edge::kSourceId) edge.source = sink.string(std::to_string(fields.u64()));
    if (fields.number() == Edge::kTargetId) edge.target = sink.string(std::to_string(fields.u64()));
    if (fields.number() == Edge::kImportance) edge.importance = fields.u32();
  }
  sink.batch().memory.edges.push_back(edge);
}

void add_process(const PacketInfo& packet, std::string_view message, MemoryDump dump,
                 PacketOutput& out) {
  MemoryRecords& records = out.sink.batch().memory;
  dump.nodes.first = size_of(records.nodes);
  dump.edges.first = size_of(records.edges);
  int64_t pid = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Process::kPid) pid = fields.i32();
    if (fields.number() == Process::kAllocatorDumps && !add_node(fields.message(), out.sink))
      out.count(stats::memory_snapshot_parser_failure, packet);
    if (fields.number() == Process::kMemoryEdges) add_edge(fields.message(), out.sink);
  }
  dump.process = out.process(packet, pid);
  dump.nodes.count = size_of(records.nodes) - dump.nodes.first;
  dump.edges.count = size_of(records.edges) - dump.edges.first;
  const TrackName track{.machine = packet.machine,
                        .type = out.sink.string("json_memory_dump"),
                        .name = out.sink.string("Memory dumps")};
  const uint32_t index = append_record(records.dumps, dump);
  out.sink.event(make_memory_dump(packet.time, out.sink.track(track), index));
}

}  // namespace

void read_memory_tracker(const PacketInfo& packet, std::string_view message, PacketOutput& out) {
  uint64_t id = 0;
  uint32_t level = 0;
  for (Message fields(message); fields.next();) {
    if (fields.number() == Snapshot::kGlobalDumpId) id = fields.u64();
    if (fields.number() == Snapshot::kLevelOfDetail) level = fields.u32();
  }
  std::vector<JsonId>& ids = out.sink.batch().json.ids;
  const StringId text = out.sink.string(std::to_string(id));
  const MemoryDump dump{.id = size_of(ids), .detail = detail_of(level)};
  ids.push_back({out.sink.string("memory_tracker"), text, text});
  for (Message fields(message); fields.next();)
    if (fields.number() == Snapshot::kProcessMemoryDumps)
      add_process(packet, fields.bytes(), dump, out);
}

}  // namespace tracebraid::proto
