#include "assemble/json/memory_dumps.h"

#include <algorithm>
#include <utility>

#include "assemble/json/memory_discount.h"
#include "assemble/json/memory_regions.h"
#include "assemble/saturate.h"
#include "event/stats.h"

namespace tracebraid {
namespace {

std::string_view name_of(MemoryDetail detail) {
  switch (detail) {
    case MemoryDetail::Background:
      return "background";
    case MemoryDetail::Detailed:
      return "detailed";
    default:
      return "light";
  }
}

const MemoryDump& dump_of(const PlacedBatch& from, uint32_t index) {
  return from.batch.memory.dumps[index];
}

bool has_rows(const MemoryDump& dump) {
  return dump.totals.count + dump.regions.count + dump.heaps.count > 0;
}

template <class T>
std::span<const T> part_of(const std::vector<T>& list, MemoryRange range) {
  return std::span(list).subspan(range.first, range.count);
}

}  // namespace

void JsonMemoryDumps::count(const Dump& dump, int64_t times) {
  for (int64_t i = 0; i < times; ++i)
    problems_.count(stats::memory_dump_parse_error, dump.machine, dump.file);
}

void JsonMemoryDumps::add(const JsonEvent& at, uint32_t track_row) {
  const MemoryDump& record = dump_of(at.from, at.event.extra);
  const JsonId& id = id_at(at.from, record.id);
  const JsonKey key = key_of(at.from, id, identity_);
  const auto [index, is_new] = indexes_.try_emplace(key, static_cast<uint32_t>(dumps_.size()));
  if (is_new) {
    keys_.push_back(key);
    Dump& dump = dumps_.emplace_back();
    dump.id = id.spelling;
    dump.track_row = track_row;
    dump.machine = at.machine;
    dump.file = at.from.file;
    dump.spaces.emplace_back();
  }
  Dump& dump = dumps_[index->second];
  const uint32_t upid = record.process == kNone ? OptRow::kNull : identity_.process(record.process);
  const auto next_space = static_cast<uint32_t>(dump.spaces.size());
  const auto at_space =
      spaces_.try_emplace({index->second, upid}, upid == OptRow::kNull ? 0 : next_space).first;
  if (at_space->second == next_space) dump.spaces.emplace_back().upid = upid;
  Space* const space = &dump.spaces[at_space->second];
  if (space->parts.empty()) {
    space->first_ts = at.event.ts;
    space->name = at.event.name;
  }
  space->last_ts = at.event.ts;
  if (record.detail != MemoryDetail::NotSaid) {
    const bool differs = space->detail != MemoryDetail::NotSaid && space->detail != record.detail;
    dump.details_differ |= differs;
    space->detail = std::max(space->detail, record.detail);
  }
  space->parts.push_back({&at.from, at.batch, at.event.extra});
}

void JsonMemoryDumps::finish() {
  for (Dump& dump : dumps_) {
    find_details(dump);
    if (dump.details_differ) count(dump);
    MemoryGraph graph(store_.strings.intern("objects"));
    fill_graph(dump, graph);
    count(dump, graph.finalise());
    // The global space has a snapshot if it has allocators or other data.
    const bool has_nodes = std::ranges::any_of(graph.nodes(), [](const MemoryGraph::Node& node) {
      return node.space == MemoryGraph::kGlobalSpace && !node.is_removed;
    });
    const bool has_global =
        has_nodes || std::ranges::any_of(dump.spaces[0].parts, [](const Part& part) {
          return has_rows(dump_of(*part.from, part.dump));
        });
    add_discount(dump, graph);
    const uint32_t snapshot = add_snapshot_rows(dump, has_global);
    for (const Space& space : dump.spaces) {
      add_dump_row(dump, space, snapshot);
      add_totals(space);
      add_regions(space);
      add_heaps(space);
    }
    add_graph_rows(dump, graph);
  }
  dumps_ = {};
  indexes_ = {};
  spaces_ = {};
}

// Infers a missing level of detail from the data; the dump has the highest level of its events.
void JsonMemoryDumps::find_details(Dump& dump) {
  MemoryDetail highest = MemoryDetail::NotSaid, said = MemoryDetail::NotSaid;
  for (Space& space : dump.spaces) {
    if (space.parts.empty()) continue;
    if (space.detail != MemoryDetail::NotSaid) {
      dump.details_differ |= said != MemoryDetail::NotSaid && said != space.detail;
      said = std::max(said, space.detail);
    } else {
      const bool has_regions = std::ranges::any_of(space.parts, [](const Part& part) {
        return dump_of(*part.from, part.dump).regions.count > 0;
      });
      space.detail = has_regions ? MemoryDetail::Detailed : MemoryDetail::Light;
    }
    highest = std::max(highest, space.detail);
  }
  dump.spaces[0].detail = highest;
}

// Adds rows of memory_snapshot and process_memory_snapshot. Returns the former. The global space
// has one if it has allocators.
uint32_t JsonMemoryDumps::add_snapshot_rows(Dump& dump, bool has_global) {
  Space& global = dump.spaces[0];
  const bool has_own = !global.parts.empty();
  for (const Space& space : dump.spaces) {
    if (space.parts.empty()) continue;
    const bool is_first = !has_own && &space == &dump.spaces[1];
    if (is_first || space.first_ts < global.first_ts) global.first_ts = space.first_ts;
    if (is_first || space.last_ts > global.last_ts) global.last_ts = space.last_ts;
    if (is_first) global.name = space.name;
  }
  const auto snapshot = static_cast<uint32_t>(store_.memory_snapshot.rows());
  store_.memory_snapshot.timestamp.append(global.first_ts);
  store_.memory_snapshot.track_id.append({dump.track_row});
  store_.memory_snapshot.detail_level.append(store_.strings.intern(name_of(global.detail)));
  for (Space& space : dump.spaces) {
    if (&space == &global && !has_global) continue;
    space.snapshot = static_cast<uint32_t>(store_.process_memory_snapshot.rows());
    store_.process_memory_snapshot.snapshot_id.append({snapshot});
    store_.process_memory_snapshot.upid.append({space.upid});
  }
  return snapshot;
}

void JsonMemoryDumps::add_dump_row(const Dump& dump, const Space& space, uint32_t snapshot) {
  JsonMemoryDumpTable& table = store_.json.memory_dumps;
  table.dump_id.append(dump.id);
  table.snapshot_id.append(snapshot);
  table.process_snapshot_id.append({space.snapshot});
  table.upid.append({space.upid});
  table.ts.append(space.first_ts);
  table.dur.append(duration_between(space.first_ts, space.last_ts));
  table.name.append(space.name);
  table.level_of_detail.append(store_.strings.intern(name_of(space.detail)));
  table.arg_set_id.append({space.arg_set_id});
}

// Returns the totals; the last of repeated ones applies.
std::vector<MemoryTotal> JsonMemoryDumps::totals_of(const Space& space) {
  std::vector<MemoryTotal> totals;
  for (const Part& part : space.parts) {
    const MemoryRecords& memory = part.from->batch.memory;
    for (const MemoryTotal& total : part_of(memory.totals, dump_of(*part.from, part.dump).totals))
      totals.push_back(total);
  }
  std::ranges::stable_sort(totals, {}, &MemoryTotal::name);
  size_t kept = 0;
  for (size_t i = 0; i < totals.size(); ++i)
    if (i + 1 == totals.size() || totals[i + 1].name != totals[i].name) totals[kept++] = totals[i];
  totals.resize(kept);
  return totals;
}

void JsonMemoryDumps::add_totals(const Space& space) {
  if (space.snapshot == OptRow::kNull) return;
  JsonMemoryTotalTable& table = store_.json.memory_totals;
  for (const MemoryTotal& total : totals_of(space)) {
    table.process_snapshot_id.append(space.snapshot);
    table.name.append(total.name);
    table.value.append(total.value);
    table.is_platform_specific.append(total.is_platform_specific ? 1 : 0);
  }
}

// Adds totals without the memory of tracing, if tracing states its memory.
void JsonMemoryDumps::add_discount(Dump& dump, const MemoryGraph& graph) {
  for (uint32_t i = 1; i < dump.spaces.size(); ++i) {
    const uint32_t tracing = graph.find(i, "tracing");
    if (tracing == MemoryGraph::kNoIndex || graph.nodes()[tracing].is_removed ||
        !graph.nodes()[tracing].size)
      continue;
    Space& space = dump.spaces[i];
    std::vector<MemoryRegion> regions;
    for (const Part& part : space.parts) {
      const auto more =
          part_of(part.from->batch.memory.regions, dump_of(*part.from, part.dump).regions);
      regions.insert(regions.end(), more.begin(), more.end());
    }
    space.arg_set_id =
        discount_args(*graph.nodes()[tracing].size, totals_of(space), regions, args_, store_);
  }
}

void JsonMemoryDumps::add_regions(const Space& space) {
  if (space.snapshot == OptRow::kNull) return;
  for (const Part& part : space.parts) {
    const MemoryRecords& memory = part.from->batch.memory;
    add_memory_regions(part_of(memory.regions, dump_of(*part.from, part.dump).regions),
                       space.snapshot, store_);
  }
}

void JsonMemoryDumps::add_heaps(const Space& space) {
  if (space.snapshot == OptRow::kNull) return;
  JsonHeapEntryTable& table = store_.json.heap_entries;
  for (const Part& part : space.parts) {
    const MemoryRecords& memory = part.from->batch.memory;
    for (const MemoryHeapEntry& entry :
         part_of(memory.heap_entries, dump_of(*part.from, part.dump).heaps)) {
      table.process_snapshot_id.append(space.snapshot);
      table.allocator.append(entry.allocator);
      table.callsite_id.append({stacks_.callsite(part.batch, entry.callsite)});
      table.type_name.append(entry.type);
      table.size.append(entry.size);
      table.count.append({entry.count});  // kUnset is NULL
      table.format.append(store_.strings.intern(entry.is_v2 ? "heaps_v2" : "heaps"));
    }
  }
}

void JsonMemoryDumps::fill_graph(const Dump& dump, MemoryGraph& graph) {
  absl::flat_hash_map<StringId, uint32_t> guids;
  for (uint32_t space = 0; space < dump.spaces.size(); ++space)
    for (const Part& part : dump.spaces[space].parts) fill_nodes(part, space, graph, guids);
  add_edges(dump, guids, graph);
}

void JsonMemoryDumps::fill_nodes(const Part& part, uint32_t space, MemoryGraph& graph,
                                 absl::flat_hash_map<StringId, uint32_t>& guids) {
  const MemoryRecords& memory = part.from->batch.memory;
  const StringId size_name = store_.strings.intern("size");
  const StringId effective_name = store_.strings.intern("effective_size");
  for (const MemoryNode& record : part_of(memory.nodes, dump_of(*part.from, part.dump).nodes)) {
    const uint32_t index = graph.node(record.is_global ? MemoryGraph::kGlobalSpace : space,
                                      std::string(store_.strings.get(record.path)));
    if (record.guid) guids.try_emplace(record.guid, index);
    MemoryGraph::Node& node = graph.at(index);
    node.is_weak = record.is_weak && (node.is_weak || !node.is_explicit);
    node.is_explicit = true;
    for (const MemoryAttribute& attribute : part_of(memory.attributes, record.attributes)) {
      if (attribute.name == effective_name) continue;  // computed here
      if (attribute.name == size_name && !attribute.text) {
        if (!node.size) node.size = attribute.value;
        continue;
      }
      const auto known =
          std::ranges::find(node.attributes, attribute.name, &MemoryGraph::Attribute::name);
      if (known == node.attributes.end())
        node.attributes.push_back(
            {attribute.name, attribute.unit, attribute.text, attribute.value});
    }
  }
}

void JsonMemoryDumps::add_edges(const Dump& dump,
                                const absl::flat_hash_map<StringId, uint32_t>& guids,
                                MemoryGraph& graph) {
  for (const Space& space : dump.spaces) {
    for (const Part& part : space.parts) {
      const MemoryRecords& memory = part.from->batch.memory;
      for (const MemoryEdge& edge : part_of(memory.edges, dump_of(*part.from, part.dump).edges)) {
        const auto source = guids.find(edge.source);
        const auto target = guids.find(edge.target);
        if (source == guids.end() || target == guids.end() ||
            !graph.add_edge({.source = source->second,
                             .target = target->second,
                             .is_ownership = edge.is_ownership,
                             .importance = edge.importance}))
          count(dump);
      }
    }
  }
}

void JsonMemoryDumps::add_graph_rows(const Dump& dump, const MemoryGraph& graph) {
  // Parents before children, in order of appearance.
  std::vector<uint32_t> rows(graph.nodes().size(), OptRow::kNull);
  std::vector<uint32_t> stack;
  for (uint32_t i = static_cast<uint32_t>(graph.nodes().size()); i-- > 0;)
    if (graph.nodes()[i].parent == MemoryGraph::kNoIndex && !graph.nodes()[i].is_removed)
      stack.push_back(i);
  while (!stack.empty()) {
    const uint32_t i = stack.back();
    stack.pop_back();
    const MemoryGraph::Node& node = graph.nodes()[i];
    rows[i] = static_cast<uint32_t>(store_.memory_snapshot_node.rows());
    store_.memory_snapshot_node.process_snapshot_id.append({dump.spaces[node.space].snapshot});
    store_.memory_snapshot_node.parent_node_id.append(
        {node.parent == MemoryGraph::kNoIndex ? OptRow::kNull : rows[node.parent]});
    store_.memory_snapshot_node.path.append(store_.strings.intern(node.path));
    store_.memory_snapshot_node.size.append({node.size.value_or(OptInt::kNull)});
    store_.memory_snapshot_node.effective_size.append(
        {node.effective_size.value_or(OptInt::kNull)});
    store_.memory_snapshot_node.arg_set_id.append({attribute_args(node)});
    stack.insert(stack.end(), node.children.rbegin(), node.children.rend());
  }
  ArgsBuilder& args = args_.open();
  args.add_text("type", store_.strings.intern("retention"));
  const uint32_t retention = args.close();
  for (const MemoryGraph::Edge& edge : graph.edges()) {
    if (edge.is_removed || rows[edge.source] == OptRow::kNull || rows[edge.target] == OptRow::kNull)
      continue;
    store_.memory_snapshot_edge.source_node_id.append({rows[edge.source]});
    store_.memory_snapshot_edge.target_node_id.append({rows[edge.target]});
    store_.memory_snapshot_edge.importance.append({edge.importance});
    store_.memory_snapshot_edge.arg_set_id.append({edge.is_ownership ? OptRow::kNull : retention});
  }
}

uint32_t JsonMemoryDumps::attribute_args(const MemoryGraph::Node& node) {
  if (node.attributes.empty()) return OptRow::kNull;
  ArgsBuilder& args = args_.open();
  for (const MemoryGraph::Attribute& attribute : node.attributes) {
    const std::string name(store_.strings.get(attribute.name));
    if (attribute.text)
      args.add_text(name + ".value", attribute.text);
    else
      args.add_int(name + ".value", attribute.value);
    if (attribute.unit) args.add_text(name + ".unit", attribute.unit);
  }
  return args.close();
}

}  // namespace tracebraid
