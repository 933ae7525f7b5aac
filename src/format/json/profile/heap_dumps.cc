#include "format/json/profile/heap_dumps.h"

#include <algorithm>
#include <optional>

#include "event/stats.h"
#include "format/json/profile/hex_values.h"

namespace tracebraid::json {
namespace {

void bad(Chunk& chunk, const Members& members) {
  chunk.sink.count(stats::memory_dump_parse_error, members.at, members.text);
}

// Returns the id, a text or number; empty for any other value.
std::string_view id_text(const Dom* id) {
  if (id == nullptr || (!id->is(Kind::String) && !id->is(Kind::Number))) return {};
  return id->is(Kind::String) ? std::string_view(id->text) : id->value.raw;
}

uint32_t add_entry(Chunk& chunk, const MemoryHeapEntry& entry) {
  std::vector<MemoryHeapEntry>& all = chunk.sink.batch().memory.heap_entries;
  all.push_back(entry);
  return static_cast<uint32_t>(all.size() - 1);
}

// Reads an entry of version 1.
void read_entry(Chunk& chunk, const Members& members, const Dom& from, StringId allocator,
                int64_t pid) {
  const Dom* const size = from.find("size");
  const Dom* const count = from.find("count");
  const std::optional<int64_t> bytes = size == nullptr ? std::nullopt : hex_amount(*size);
  const std::optional<int64_t> objects = count == nullptr ? std::nullopt : hex_amount(*count);
  if (!bytes || (count != nullptr && !objects)) bad(chunk, members);
  if (!bytes) return;
  MemoryHeapEntry entry;
  entry.allocator = allocator;
  entry.size = *bytes;
  entry.count = objects.value_or(kUnset);
  const uint32_t index = add_entry(chunk, entry);
  // An entry without a frame belongs to the root; without a type, to all types.
  if (const std::string_view frame = id_text(from.find("bt")); !frame.empty())
    chunk.facts.stacks.refs.push_back({StackRef::To::Heap, index, pid, chunk.sink.string(frame)});
  if (const std::string_view type = id_text(from.find("type")); !type.empty())
    chunk.facts.heaps.types.push_back({index, pid, chunk.sink.string(type)});
}

std::vector<HeapProfile::Named> named(const Dom* list, std::string_view name_key) {
  std::vector<HeapProfile::Named> all;
  if (list == nullptr) return all;
  for (const Dom& item : list->items)
    all.push_back(
        {std::string(id_text(item.find("id"))), std::string(id_text(item.find(name_key)))});
  return all;
}

std::vector<HeapProfile::Node> nodes_of(const Dom* list) {
  std::vector<HeapProfile::Node> all;
  if (list == nullptr) return all;
  for (const Dom& item : list->items)
    all.push_back({std::string(id_text(item.find("id"))),
                   std::string(id_text(item.find("name_sid"))),
                   std::string(id_text(item.find("parent")))});
  return all;
}

// Parses a decimal number that is not negative.
std::optional<int64_t> amount(const Dom& value) {
  std::optional<Number> number;
  if (value.is(Kind::Number)) number = value.value.number;
  if (value.is(Kind::String)) number = number_in(value.text);
  const std::optional<int64_t> whole = number ? to_int64(*number) : std::nullopt;
  return whole && *whole >= 0 ? whole : std::nullopt;
}

// Reads an allocator of version 2: parallel lists, some of which may be missing.
void read_lists(Chunk& chunk, const Members& members, const Dom& from, StringId allocator,
                HeapProfile& profile) {
  const Dom* const nodes = from.find("nodes");
  const Dom* const sizes = from.find("sizes");
  const Dom* const types = from.find("types");
  const Dom* const counts = from.find("counts");
  if (nodes == nullptr || sizes == nullptr) return bad(chunk, members);
  size_t rows = nodes->items.size();
  bool are_equal = true;
  for (const Dom* const list : {sizes, types, counts}) {
    if (list == nullptr) continue;
    are_equal &= list->items.size() == nodes->items.size();
    rows = std::min(rows, list->items.size());
  }
  if (!are_equal) bad(chunk, members);
  for (size_t i = 0; i < rows; ++i) {
    const std::optional<int64_t> bytes = amount(sizes->items[i]);
    if (!bytes) {
      bad(chunk, members);
      continue;
    }
    MemoryHeapEntry entry;
    entry.allocator = allocator;
    entry.size = *bytes;
    entry.is_v2 = true;
    if (counts != nullptr) entry.count = amount(counts->items[i]).value_or(kUnset);
    const uint32_t index = add_entry(chunk, entry);
    HeapProfile::Entry& row = profile.entries.emplace_back();
    row.entry = index;
    row.node = chunk.sink.string(id_text(&nodes->items[i]));
    if (types != nullptr) row.type = chunk.sink.string(id_text(&types->items[i]));
  }
}

}  // namespace

void read_heaps(Chunk& chunk, const Members& members, const Dom& heaps, int64_t pid) {
  for (const auto& [allocator, heap] : heaps.members) {
    const Dom* const entries = heap.find("entries");
    if (entries == nullptr) {
      bad(chunk, members);
      continue;
    }
    const StringId name = chunk.sink.string(allocator);
    for (const Dom& entry : entries->items) read_entry(chunk, members, entry, name, pid);
  }
}

void read_heaps_v2(Chunk& chunk, const Members& members, const Dom& heaps, int64_t pid,
                   int64_t ts) {
  HeapProfile profile{ts, pid, {}, {}, {}, {}};
  if (const Dom* const maps = heaps.find("maps")) {
    profile.strings = named(maps->find("strings"), "string");
    profile.types = named(maps->find("types"), "name_sid");
    profile.nodes = nodes_of(maps->find("nodes"));
  }
  if (const Dom* const allocators = heaps.find("allocators"))
    for (const auto& [allocator, lists] : allocators->members)
      read_lists(chunk, members, lists, chunk.sink.string(allocator), profile);
  chunk.facts.heaps.profiles.push_back(std::move(profile));
}

void note_type_names(Chunk& chunk, const Members& members) {
  chunk.facts.heaps.type_names.emplace_back(chunk.threads.who(members).pid,
                                            members[Field::Args].raw);
}

}  // namespace tracebraid::json
