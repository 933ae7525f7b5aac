#include "format/json/profile/memory_dumps.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/words.h"
#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/json/profile/heap_dumps.h"
#include "format/json/profile/hex_values.h"
#include "format/json/trace_event/identified.h"

namespace tracebraid::json {
namespace {

// Limit of the depth of allocator paths; sums follow them.
constexpr ptrdiff_t kMaxPathDepth = 64;
// Limit of the attributes of an allocator.
constexpr uint32_t kMaxAttributes = 256;

class DumpReader {
 public:
  DumpReader(Chunk& chunk, const Members& members)
      : chunk_(chunk), members_(members), records_(chunk.sink.batch().memory) {}

  void read(const Dom& dumps, MemoryDump& dump);

 private:
  void bad() { chunk_.sink.count(stats::memory_dump_parse_error, members_.at, members_.text); }
  StringId string(std::string_view text) { return chunk_.sink.string(text); }
  std::optional<uint64_t> hex(const Dom& value);
  std::optional<int64_t> amount(const Dom& value);
  int64_t amount_of(const Dom* object, std::string_view name);
  MemoryDetail detail(const Dom& dumps);
  void read_totals(const Dom& totals);
  void read_region(const Dom& region);
  void read_nodes(const Dom& allocators);
  void read_attributes(const Dom& attributes, MemoryNode& node);
  void read_edges(const Dom& graph);

  Chunk& chunk_;
  const Members& members_;
  MemoryRecords& records_;
};

uint32_t size_of(const auto& list) { return static_cast<uint32_t>(list.size()); }

void DumpReader::read(const Dom& dumps, MemoryDump& dump) {
  dump.detail = detail(dumps);
  const auto part = [&](const auto& list, MemoryRange& range, auto read) {
    range.first = size_of(list);
    read();
    range.count = size_of(list) - range.first;
  };
  part(records_.totals, dump.totals, [&] {
    if (const Dom* totals = dumps.find("process_totals")) read_totals(*totals);
  });
  part(records_.regions, dump.regions, [&] {
    const Dom* const maps = dumps.find("process_mmaps");
    const Dom* const regions = maps == nullptr ? nullptr : maps->find("vm_regions");
    if (regions != nullptr)
      for (const Dom& region : regions->items) read_region(region);
  });
  part(records_.nodes, dump.nodes, [&] {
    if (const Dom* allocators = dumps.find("allocators")) read_nodes(*allocators);
  });
  part(records_.edges, dump.edges, [&] {
    if (const Dom* graph = dumps.find("allocators_graph")) read_edges(*graph);
  });
}

std::optional<uint64_t> DumpReader::hex(const Dom& value) {
  const std::optional<uint64_t> number = hex_number(value);
  if (!number) bad();
  return number;
}

std::optional<int64_t> DumpReader::amount(const Dom& value) {
  const std::optional<int64_t> number = hex_amount(value);
  if (!number) bad();
  return number;
}

// Returns kUnset for a missing value.
int64_t DumpReader::amount_of(const Dom* object, std::string_view name) {
  const Dom* const value = object == nullptr ? nullptr : object->find(name);
  return value == nullptr ? kUnset : amount(*value).value_or(kUnset);
}

MemoryDetail DumpReader::detail(const Dom& dumps) {
  const Dom* const level = dumps.find("level_of_detail");
  if (level == nullptr) return MemoryDetail::NotSaid;
  if (level->text == "background") return MemoryDetail::Background;
  if (level->text == "light") return MemoryDetail::Light;
  if (level->text == "detailed") return MemoryDetail::Detailed;
  bad();
  return MemoryDetail::NotSaid;
}

void DumpReader::read_totals(const Dom& totals) {
  for (const auto& [name, value] : totals.members) {
    MemoryTotal total;
    const bool is_flag = name == "is_peak_rss_resetable";
    if (is_flag && value.is(Kind::Bool)) {
      total.value = value.value.truth ? 1 : 0;
    } else if (const std::optional<int64_t> bytes = amount(value)) {
      total.value = *bytes;
    } else {
      continue;
    }
    total.name = string(name);
    total.is_platform_specific = !is_flag && name != "resident_set_bytes" &&
                                 name != "peak_resident_set_bytes" &&
                                 name != "private_footprint_bytes";
    records_.totals.push_back(total);
  }
}

void DumpReader::read_region(const Dom& region) {
  if (!region.is(Kind::Object)) return bad();
  MemoryRegion row{};
  if (const Dom* start = region.find("sa"))
    row.start = std::bit_cast<int64_t>(hex(*start).value_or(0));
  row.size = std::max<int64_t>(amount_of(&region, "sz"), 0);
  const Dom* const protection = region.find("pf");
  if (protection != nullptr) {
    const std::optional<int64_t> bits =
        protection->is(Kind::Number) ? to_int64(protection->value.number) : std::nullopt;
    if (!bits) bad();
    row.protection = bits.value_or(0);
  }
  const Dom* const file = region.find("mf");
  if (file != nullptr && file->is(Kind::String)) row.file = string(file->text);
  const Dom* const bytes = region.find("bs");
  size_t i = 0;
  for (const char* const name : {"pss", "pc", "pd", "sc", "sd", "sw"})
    row.bytes[i++] = amount_of(bytes, name);
  records_.regions.push_back(row);
}

void DumpReader::read_nodes(const Dom& allocators) {
  constexpr std::string_view kGlobal = "global/";
  for (const auto& [name, value] : allocators.members) {
    std::string_view path = name;
    MemoryNode node;
    node.is_global = path.starts_with(kGlobal);
    if (node.is_global) path.remove_prefix(kGlobal.size());
    if (path.empty() || !value.is(Kind::Object) || std::ranges::count(path, '/') >= kMaxPathDepth) {
      bad();
      continue;
    }
    node.path = string(path);
    if (const Dom* guid = value.find("guid"); guid != nullptr && guid->value.is_given())
      node.guid = string(guid->is(Kind::String) ? std::string_view(guid->text) : guid->value.raw);
    if (const Dom* flags = value.find("flags"); flags != nullptr && flags->is(Kind::Number))
      node.is_weak = (to_int64(flags->value.number).value_or(0) & 1) != 0;
    if (const Dom* attributes = value.find("attrs")) read_attributes(*attributes, node);
    records_.nodes.push_back(node);
  }
}

void DumpReader::read_attributes(const Dom& attributes, MemoryNode& node) {
  node.attributes.first = size_of(records_.attributes);
  for (const auto& [name, value] : attributes.members) {
    const Dom* const type = value.find("type");
    const Dom* const given = value.find("value");
    const Dom* const unit = value.find("units");
    const bool is_full = size_of(records_.attributes) - node.attributes.first >= kMaxAttributes;
    if (is_full || type == nullptr || given == nullptr ||
        (type->text != "scalar" && type->text != "string")) {
      bad();
      continue;
    }
    MemoryAttribute row;
    row.name = string(name);
    if (unit != nullptr && unit->is(Kind::String)) row.unit = string(unit->text);
    if (type->text == "string") {
      row.text = string(given->is(Kind::String) ? std::string_view(given->text) : given->value.raw);
    } else if (const std::optional<int64_t> number = amount(*given)) {
      row.value = *number;
    } else {
      continue;
    }
    records_.attributes.push_back(row);
  }
  node.attributes.count = size_of(records_.attributes) - node.attributes.first;
}

void DumpReader::read_edges(const Dom& graph) {
  for (const Dom& edge : graph.items) {
    const Dom* const source = edge.find("source");
    const Dom* const target = edge.find("target");
    const Dom* const type = edge.find("type");
    const bool owns = type == nullptr || type->text == "ownership";
    if (source == nullptr || target == nullptr || !source->value.is_given() ||
        !target->value.is_given() || (!owns && type->text != "retention")) {
      bad();
      continue;
    }
    const auto guid = [&](const Dom& of) {
      return string(of.is(Kind::String) ? std::string_view(of.text) : of.value.raw);
    };
    MemoryEdge row{guid(*source), guid(*target), owns, 0};
    if (const Dom* importance = edge.find("importance");
        importance != nullptr && importance->is(Kind::Number))
      row.importance = to_int64(importance->value.number).value_or(0);
    records_.edges.push_back(row);
  }
}

// Returns the track on which viewers show the dumps of the file.
uint32_t memory_track(Chunk& chunk) {
  TrackName name;
  name.type = chunk.sink.string("json_memory_dump");
  name.name = chunk.sink.string("Memory dumps");
  return chunk.sink.track(name);
}

}  // namespace

void write_memory_dump(Chunk& chunk, const Members& members, char phase, int64_t ts) {
  const std::optional<EventId> id = id_of(members, false);
  const Who who = chunk.threads.who(members);
  Dom args;
  Repairs ignored;  // counted when read as args
  if (!id || (phase == 'v' && !who.has_pid) || !members[Field::Args].has(Kind::Object) ||
      parse_dom(members[Field::Args].raw, {0, chunk.depth_limit}, ignored, args) != Parse::Ok)
    return drop(chunk, members, stats::memory_dump_parse_error);
  const Dom* const dumps = args.find("dumps");
  if (dumps == nullptr || !dumps->is(Kind::Object))
    return drop(chunk, members, stats::memory_dump_parse_error);
  count_double_id(chunk, members);
  MemoryDump dump;
  dump.id = add_id(chunk, members, *id, who);
  if (phase == 'v') dump.process = chunk.threads.process(who.pid);
  DumpReader(chunk, members).read(*dumps, dump);
  std::vector<MemoryHeapEntry>& entries = chunk.sink.batch().memory.heap_entries;
  dump.heaps.first = size_of(entries);
  if (const Dom* heaps = dumps->find("heaps")) read_heaps(chunk, members, *heaps, who.pid);
  if (const Dom* heaps = dumps->find("heaps_v2"))
    read_heaps_v2(chunk, members, *heaps, who.pid, ts);
  dump.heaps.count = size_of(entries) - dump.heaps.first;
  std::vector<MemoryDump>& all = chunk.sink.batch().memory.dumps;
  const uint32_t track = memory_track(chunk);
  const StringId name = name_of(chunk, members);
  const StringId category = category_of(chunk, members);
  chunk.sink.event(make_memory_dump(chunk.at(ts), track, append_record(all, dump), name, category));
}

}  // namespace tracebraid::json
