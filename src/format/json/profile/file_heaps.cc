#include "format/json/profile/file_heaps.h"

#include <algorithm>
#include <map>

#include "event/stats.h"
#include "format/json/profile/callsites.h"
#include "format/json/stats.h"

namespace tracebraid::json {
namespace {

// The lists of the dumps of a process so far, by id.
class Lists {
 public:
  void add(const HeapProfile& profile);
  // Sets callsites and types of the profile's entries.
  void resolve(const HeapProfile& profile, EventBatch& batch, EventSink& counts);

 private:
  struct Node {
    std::string name, parent;
  };
  const std::string* string(const std::string& id, EventSink& counts) const;
  StackFrame frame(const Node& node, EventSink& sink, EventSink& counts) const;

  std::map<std::string, std::string, std::less<>> strings_, types_;
  std::map<std::string, uint32_t, std::less<>> node_indexes_;
  std::vector<Node> nodes_;
};

void Lists::add(const HeapProfile& profile) {
  for (const auto& [id, text] : profile.strings) strings_.insert_or_assign(id, text);
  for (const auto& [id, name] : profile.types) types_.insert_or_assign(id, name);
  for (const HeapProfile::Node& node : profile.nodes) {
    const auto next = static_cast<uint32_t>(nodes_.size());
    const auto [at, is_new] = node_indexes_.try_emplace(node.id, next);
    if (is_new) nodes_.emplace_back();
    nodes_[at->second] = {node.name, node.parent};
  }
}

const std::string* Lists::string(const std::string& id, EventSink& counts) const {
  const auto at = strings_.find(id);
  if (at != strings_.end()) return &at->second;
  counts.tally(stats::memory_dump_parse_error);
  return nullptr;
}

StackFrame Lists::frame(const Node& node, EventSink& sink, EventSink& counts) const {
  StackFrame frame;
  const std::string* const name = string(node.name, counts);
  frame.name = sink.string(name == nullptr ? std::string_view() : *name);
  frame.mapping = sink.mapping({.name = sink.string("")});
  return frame;
}

void Lists::resolve(const HeapProfile& profile, EventBatch& batch, EventSink& counts) {
  EventSink sink(batch);
  std::vector<uint32_t> callsites(nodes_.size(), kNone);
  const auto index_of = [&](std::string_view id) {
    const auto at = node_indexes_.find(id);
    return at == node_indexes_.end() ? kNone : at->second;
  };
  const auto parent_of = [&](uint32_t node) {
    const std::string& parent = nodes_[node].parent;
    const uint32_t index = parent.empty() ? kNone : index_of(parent);
    if (!parent.empty() && index == kNone) counts.tally(stats::json_metadata_error);
    return index;
  };
  const auto frame_of = [&](uint32_t node) {
    return sink.frame(frame(nodes_[node], sink, counts));
  };
  for (const HeapProfile::Entry& row : profile.entries) {
    MemoryHeapEntry& entry = batch.memory.heap_entries[row.entry];
    const uint32_t node = index_of(batch.strings.get(row.node));
    if (node == kNone) {
      counts.tally(stats::json_stack_frame_missing);
    } else {
      const ChainEnd end = add_chain(sink, node, parent_of, frame_of, callsites);
      entry.callsite = end.callsite;
      if (end.is_cut) counts.tally(stats::json_stack_frame_cycle);
    }
    if (!row.type) continue;
    const auto type = types_.find(batch.strings.get(row.type));
    const std::string* const name = type == types_.end() ? nullptr : string(type->second, counts);
    if (type == types_.end()) counts.tally(stats::memory_dump_parse_error);
    entry.type = name == nullptr ? row.type : sink.string(plain_type_name(*name));
  }
}

}  // namespace

std::string_view plain_type_name(std::string_view text) {
  constexpr std::string_view kFunction = "etStringWithTypeName";  // get or Get
  const size_t at = text.find(kFunction);
  if (at == std::string_view::npos) return text;
  std::string_view rest = text.substr(at + kFunction.size());
  const auto inside = [&](std::string_view begin, std::string_view end) -> bool {
    if (!rest.starts_with(begin) || !rest.substr(begin.size()).ends_with(end)) return false;
    rest.remove_prefix(begin.size());
    rest.remove_suffix(end.size());
    return true;
  };
  const bool is_found = inside("() [T = ", "]") || inside("() [with T = ", "]") ||  // clang, gcc
                        inside("<", ">(void)");                                     // MSVC
  return is_found ? rest : text;
}

void FileHeaps::settle(ChunkHeaps&& heaps, EventBatch& batch, const FinalId& final_id) {
  for (const auto& [pid, json] : heaps.type_names) {
    Dom args;
    Repairs ignored;  // counted when read as args
    if (parse_dom(json, {}, ignored, args) != Parse::Ok) continue;
    const Dom* const names = args.find("typeNames");
    if (names == nullptr || !names->is(Kind::Object)) {
      ++bad_type_names_;
      continue;
    }
    const auto [at, is_first] = type_names_.try_emplace(final_id(pid));
    if (!is_first) ++bad_type_names_;
    for (const DomMember& name : names->members)
      if (name.value.is(Kind::String))
        at->second.insert_or_assign(name.key, plain_type_name(name.value.text));
  }
  for (HeapType& type : heaps.types) type.pid = final_id(type.pid);
  if (!heaps.types.empty()) types_.push_back({&batch, std::move(heaps.types)});
  for (HeapProfile& profile : heaps.profiles) {
    profile.pid = final_id(profile.pid);
    profiles_.push_back({&batch, std::move(profile)});
  }
}

// Names types in entries without a list of types: the oldest form, in which each entry has the
// allocations of its frame.
void FileHeaps::name_types(const Types& types, EventSink& counts) const {
  EventSink sink(*types.batch);
  for (const HeapType& type : types.types) {
    MemoryHeapEntry& entry = types.batch->memory.heap_entries[type.entry];
    const std::string id(types.batch->strings.get(type.type));
    const auto names = type_names_.find(type.pid);
    if (names == type_names_.end()) {
      entry.type = sink.string(plain_type_name(id));
      if (entry.callsite == kNone) continue;
      const uint32_t mapping = sink.mapping({.name = sink.string("")});
      const uint32_t self = sink.frame({.name = sink.string("<self>"), .mapping = mapping});
      entry.callsite = sink.callsite(entry.callsite, self);
      continue;
    }
    const auto name = names->second.find(id);
    if (name == names->second.end()) counts.tally(stats::memory_dump_parse_error);
    entry.type = name == names->second.end() ? type.type : sink.string(name->second);
  }
}

void FileHeaps::write(EventSink& counts) {
  if (bad_type_names_ > 0) counts.tally(stats::json_metadata_error, bad_type_names_);
  for (const Types& types : types_) name_types(types, counts);
  std::ranges::stable_sort(profiles_, {}, [](const Profile& p) { return p.profile.ts; });
  absl::flat_hash_map<int64_t, Lists> lists;  // by pid
  for (const auto& [batch, profile] : profiles_) {
    Lists& of = lists[profile.pid];
    of.add(profile);
    of.resolve(profile, *batch, counts);
  }
}

}  // namespace tracebraid::json
