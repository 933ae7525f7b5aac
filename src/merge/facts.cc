#include "merge/facts.h"
#include "base/fnv.h"
#include "event/make_event.h"
#include "merge/stat_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tracebraid {
namespace {

OptRow row_of(FileId id) { return {id.row}; }
OptRow row_of(MachineId id) { return {id.row}; }

// Appends rows of `stats`; rows of one stat share their texts.
class StatWriter {
 public:
  explicit StatWriter(Store& store) : table_(store.stats) {
    for (const StatKind& kind : stat_kinds())
      texts_.push_back(
          {store.strings.intern(kind.name), store.strings.intern(name_of(kind.severity)),
           store.strings.intern(name_of(kind.source)), store.strings.intern(kind.description),
           store.strings.intern(name_of(kind.level))});
  }

  void append(StatId stat, const Scope& scope, int32_t index, int64_t value) {
    const Texts& texts = texts_[static_cast<size_t>(stat)];
    table_.name.append(texts.name);
    table_.key.append(static_cast<uint32_t>(stat));
    table_.idx.append({index < 0 ? OptInt::kNull : index});
    table_.severity.append(texts.severity);
    table_.source.append(texts.source);
    table_.value.append(value);
    table_.description.append(texts.description);
    table_.machine_id.append(row_of(scope.machine));
    table_.trace_id.append(row_of(scope.file));
    table_.level.append(texts.level);
  }

 private:
  struct Texts {
    StringId name, severity, source, description, level;
  };
  StatsTable& table_;
  std::vector<Texts> texts_;  // by stat
};

// Beyond this many files only stats that are not zero have rows, because zeros would take most of
// the memory for an archive of many small files.
constexpr size_t kMostScopesWithZeros = 10'000;

// Hashes as spec clocks 12.4 defines.
std::string hash_uuid(std::string_view bytes) {
  const uint64_t hash = fnv1a(bytes);
  return fmt::format("00000000-0000-0000-{:04x}-{:012x}", hash >> 48, hash & 0xffffffffffff);
}

MetadataRow row_of(const Metadata& fact, const PlacedBatch& from, const StringPool& strings) {
  MetadataRow row{
      .key = strings.get(fact.key), .multi = fact.multi, .is_repeated = fact.is_repeated};
  if (fact.is_text)
    row.text = fact.text;
  else
    row.number = {fact.value};
  const bool of_machine =
      fact.scope == MetadataScope::Machine || fact.scope == MetadataScope::MachineAndFile;
  const bool of_file =
      fact.scope == MetadataScope::File || fact.scope == MetadataScope::MachineAndFile;
  if (of_machine) row.machine = from.machines[fact.machine];
  if (of_file) row.file = from.file;
  return row;
}

// The times of rows that have the text of their earliest event.
using EarliestTimes = absl::flat_hash_map<std::pair<StringId, FileId>, int64_t>;

// The time of an event is the value of the row (such as tracing_started_ns), except for texts.
void put_timed(const Event& event, const PlacedBatch& from, const StringPool& strings,
               EarliestTimes& earliest, MetadataWriter& writer) {
  const auto rule = static_cast<TimeRule>(event.value);
  if (rule == TimeRule::Stat) return;
  MetadataRow row{.key = strings.get(event.name),
                  .multi = rule == TimeRule::Multi,
                  .number = {event.ts},
                  .machine = from.machines[from.clock_machines[event.clock]],
                  .file = from.file};
  if (rule == TimeRule::Latest)
    row.number.value =
        std::max(row.number.value, writer.number(row.key, row.machine, row.file).value);
  if (rule == TimeRule::EarliestText) {
    row.number = {};
    row.text = event.category;
    row.machine = {};  // a fact about the file
    const auto [at, added] = earliest.try_emplace({event.name, row.file}, event.ts);
    if (!added && at->second <= event.ts) return;
    at->second = event.ts;
  }
  writer.put(row);
}

void put_uuid(std::span<const TraceFile> files, std::span<const PlacedBatch> batches,
              std::string_view input_head, Store& store, MetadataWriter& writer) {
  MetadataRow row{.key = "trace_uuid"};
  row.text = store.strings.intern(hash_uuid(input_head));
  bool from_packet = false, found = false;
  for (const PlacedBatch& from : batches) {
    if (from.batch.trace_uuid.empty()) continue;
    if (from.batch.uuid_from_config && found) continue;
    if (from_packet && from.batch.uuid_from_config) continue;
    row.text = store.strings.intern(from.batch.trace_uuid);
    row.file = from.file;
    found = true;
    from_packet = !from.batch.uuid_from_config;
  }
  const bool any_file = std::ranges::any_of(
      files, [](const TraceFile& file) { return file.processing_order.has_value(); });
  if (any_file) writer.put(row);
}

}  // namespace

void fill_trace_files(std::span<const TraceFile> files, Store& store) {
  for (const TraceFile& file : files) {
    TraceFileTable& table = store.files;
    table.parent_id.append({file.parent.value_or(OptRow::kNull)});
    table.name.append(file.name ? store.strings.intern(*file.name) : StringId{});
    table.size.append(static_cast<int64_t>(file.size));
    table.trace_type.append(store.strings.intern(file.trace_type()));
    table.processing_order.append(
        {file.processing_order ? int64_t{*file.processing_order} : OptInt::kNull});
    table.is_container.append(file.is_container() ? 1 : 0);
    table.path.append(store.strings.intern(file.path));
  }
}

void fill_stats(std::span<const Scope> scopes, std::span<const StatBump> bumps, Store& store) {
  // Sorted by scope, so that equal scopes are adjacent; the order of scopes is that of `scopes`,
  // global first.
  std::map<std::tuple<Scope, StatId, int32_t>, int64_t> sums;
  for (const StatBump& bump : bumps) {
    const bool global = kind_of(bump.stat).scope == StatScope::Global;
    const Scope scope = global ? Scope{} : Scope{bump.file, bump.machine};
    sums[{scope, bump.stat, bump.index}] += bump.value;
  }
  StatWriter writer(store);
  const auto fill = [&](const Scope& scope, StatScope kind, bool has_zeros) {
    auto at = sums.lower_bound({scope, StatId{}, INT32_MIN});
    const auto is_here = [&] { return at != sums.end() && std::get<0>(at->first) == scope; };
    for (size_t key = 0; key < stat_kinds().size(); ++key) {
      const auto stat = static_cast<StatId>(key);
      if (stat_kinds()[key].scope != kind) continue;
      bool is_set = false;
      while (is_here() && std::get<1>(at->first) < stat) ++at;
      for (; is_here() && std::get<1>(at->first) == stat; ++at, is_set = true)
        writer.append(stat, scope, std::get<2>(at->first), at->second);
      if (!is_set && has_zeros && stat_kinds()[key].shape == StatShape::Single)
        writer.append(stat, scope, -1, 0);
    }
  };
  fill({}, StatScope::Global, true);
  for (size_t i = 0; i < scopes.size(); ++i)
    fill(scopes[i], StatScope::MachineAndFile, i < kMostScopesWithZeros);
}

MetadataWriter::MetadataWriter(Store& store) : store_(store) {
  const MetadataTable& table = store.metadata;
  for (size_t i = 0; i < table.rows(); ++i)
    single_.try_emplace(Key{table.name[i], {table.machine_id[i].row}, {table.trace_id[i].row}}, i);
}

void MetadataWriter::put(const MetadataRow& row) {
  MetadataTable& table = store_.metadata;
  const StringId key = store_.strings.intern(row.key);
  if (!row.multi && !row.is_repeated) {
    const auto [at, added] = single_.try_emplace(Key{key, row.machine, row.file}, table.rows());
    if (!added) {
      table.int_value.at(at->second) = row.number;
      table.str_value.at(at->second) = row.text;
      return;
    }
  }
  table.name.append(key);
  table.key_type.append(store_.strings.intern(row.multi ? "multi" : "single"));
  table.int_value.append(row.number);
  table.str_value.append(row.text);
  table.machine_id.append(row_of(row.machine));
  table.trace_id.append(row_of(row.file));
}

OptInt MetadataWriter::number(std::string_view key, MachineId machine, FileId file) const {
  const auto at = single_.find(Key{store_.strings.find(key), machine, file});
  return at == single_.end() ? OptInt{} : store_.metadata.int_value[at->second];
}

void fill_metadata(std::span<const TraceFile> files, std::span<const PlacedBatch> batches,
                   std::string_view input_head, Store& store) {
  MetadataWriter writer(store);
  put_uuid(files, batches, input_head, store, writer);
  for (uint32_t row = 0; row < files.size(); ++row) {
    const TraceFile& file = files[row];
    if (file.is_container() || !file.processing_order) continue;
    const FileId id{row};
    writer.put({.key = "trace_type", .text = store.strings.intern(file.trace_type()), .file = id});
    writer.put(
        {.key = "trace_size_bytes", .number = {static_cast<int64_t>(file.size)}, .file = id});
  }
  EarliestTimes earliest;
  for (const PlacedBatch& from : batches) {
    for (const Metadata& fact : from.batch.metadata) writer.put(row_of(fact, from, store.strings));
    for (const Event& event : from.batch.timed_metadata)
      put_timed(event, from, store.strings, earliest, writer);
  }
}

}  // namespace tracebraid
