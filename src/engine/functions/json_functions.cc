#include "engine/functions/json_functions.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "event/colours.h"
#include "event/json_ids.h"
#include "query/functions/text_result.h"
#include "tables/display_ends.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

std::optional<size_t> row_of(const Cell& id, size_t rows) {
  if (id.kind != Cell::Kind::Int || id.integer < 0 || id.integer >= static_cast<int64_t>(rows))
    return std::nullopt;
  return static_cast<size_t>(id.integer);
}

void add_to(int64_t& sum, int64_t part) {
  if (__builtin_add_overflow(sum, part, &sum)) sum = INT64_MAX;
}

// The wall and CPU time of the child slices of each slice. Computed on first use.
class SelfTimes {
 public:
  SelfTimes(const SliceTable& slices, const StopCheck& stop) : slices_(slices), stop_(stop) {}

  Result<Cell> wall(size_t row) {
    TB_TRY(sum());
    const int64_t dur = slices_.dur[row];
    return dur < 0 ? Cell::null() : Cell::of(dur - wall_[row]);
  }
  Result<Cell> cpu(size_t row) {
    TB_TRY(sum());
    const int64_t dur = slices_.thread_dur.get(row);
    return dur == OptInt::kNull ? Cell::null() : Cell::of(dur - cpu_[row]);
  }

 private:
  Result<> sum() {
    if (!wall_.empty()) return {};
    std::vector<int64_t> wall(slices_.rows());
    cpu_.assign(slices_.rows(), 0);
    PacedStopCheck check(stop_);
    for (size_t row = 0; row < slices_.rows(); ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      const uint32_t parent = slices_.parent_id[row].row;
      if (parent == OptRow::kNull) continue;
      add_to(wall[parent], std::max<int64_t>(slices_.dur[row], 0));
      const int64_t cpu = slices_.thread_dur.get(row);
      if (cpu != OptInt::kNull) add_to(cpu_[parent], cpu);
    }
    wall_ = std::move(wall);
    return {};
  }

  const SliceTable& slices_;
  const StopCheck& stop_;
  std::vector<int64_t> wall_, cpu_;
};

// Instances of objects by their scope, id and process.
class Objects {
 public:
  Objects(const Store& store, const StopCheck& stop) : store_(store), stop_(stop) {}

  Result<Cell> snapshot_at(Arguments arguments) {
    const Cell& process = arguments[2];
    if (arguments[0].kind != Cell::Kind::Text || arguments[3].kind != Cell::Kind::Int)
      return Cell::null();
    const std::optional<std::string> id = text_of(arguments[1]);
    if (!id || (process.kind != Cell::Kind::Int && process.kind != Cell::Kind::Null))
      return Cell::null();
    TB_TRY(find_all());
    const auto at = instances_.find({std::string(arguments[0].text), canonical_id_text(*id),
                                     process.kind == Cell::Kind::Null
                                         ? OptRow::kNull
                                         : static_cast<uint32_t>(process.integer)});
    if (at == instances_.end()) return Cell::null();
    for (const uint32_t instance : at->second)
      if (is_alive(instance, arguments[3].integer))
        return snapshot_of(instance, arguments[3].integer);
    return Cell::null();
  }

 private:
  using Key = std::tuple<std::string, std::string, uint32_t>;
  Result<> find_all() {
    if (!instances_.empty()) return {};
    const JsonObjectInstanceTable& table = store_.json.instances;
    decltype(instances_) instances;
    PacedStopCheck check(stop_);
    for (uint32_t row = 0; row < table.rows(); ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      instances[{std::string(store_.strings.get(table.scope[row])),
                 canonical_id_text(store_.strings.get(table.object_id[row])), table.upid[row].row}]
          .push_back(row);
    }
    snapshots_.assign(table.rows(), {});
    for (uint32_t row = 0; row < store_.json.snapshots.rows(); ++row) {
      if (check.stopped()) return tl::unexpected(check.error());
      snapshots_[store_.json.snapshots.instance_id[row]].push_back(row);
    }
    instances_ = std::move(instances);
    return {};
  }
  bool is_alive(uint32_t instance, int64_t ts) const {
    const int64_t end = store_.json.instances.deletion_ts[instance].value;
    return store_.json.instances.creation_ts[instance] <= ts && (end == OptInt::kNull || ts < end);
  }
  Cell snapshot_of(uint32_t instance, int64_t ts) const {
    const std::vector<uint32_t>& rows = snapshots_[instance];
    const auto after = std::ranges::upper_bound(
        rows, ts, {}, [&](uint32_t row) { return store_.json.snapshots.ts[row]; });
    if (rows.empty()) return Cell::null();
    return Cell::of(int64_t{after == rows.begin() ? rows.front() : *(after - 1)});
  }

  const Store& store_;
  const StopCheck& stop_;
  absl::flat_hash_map<Key, std::vector<uint32_t>> instances_;
  std::vector<std::vector<uint32_t>> snapshots_;  // by instance
};

std::string text_of(Rgb colour) {
  return fmt::format("{},{},{}", colour.red, colour.green, colour.blue);
}

}  // namespace

std::vector<SqlFunction> json_functions(const Store& store, const StopCheck& stop) {
  std::vector<SqlFunction> functions;
  const auto of_slice = [&](FunctionSignature signature, const char* about, auto value) {
    functions.push_back({std::move(signature),
                         about,
                         [&store, value](Arguments arguments) -> Result<Cell> {
                           const std::optional<size_t> row =
                               row_of(arguments[0], store.slices.rows());
                           return row ? value(*row) : Cell::null();
                         },
                         {SliceTable::kName, TrackTable::kName, JsonAsyncSliceTable::kName}});
  };
  const auto self = std::make_shared<SelfTimes>(store.slices, stop);
  of_slice("slice_self_time(slice_id LONG) DURATION",
           "Duration of a slice without its children, ns.",
           [self](size_t row) { return self->wall(row); });
  of_slice("slice_self_cpu_time(slice_id LONG) DURATION",
           "CPU time of a slice without its children, ns.",
           [self](size_t row) { return self->cpu(row); });
  const auto ends = std::make_shared<DisplayEnds>(store);
  of_slice("slice_display_end(slice_id LONG) TIMESTAMP",
           "End of a slice, ns; for a slice without an end, the end that viewers draw.",
           [ends, &stop](size_t row) -> Result<Cell> {
             PacedStopCheck check(stop);
             const std::optional<int64_t> end = ends->end(row, [&] { return check.stopped(); });
             if (!end) return tl::unexpected(check.error());
             return Cell::of(*end);
           });
  const auto objects = std::make_shared<Objects>(store, stop);
  functions.push_back(
      {"object_snapshot_at(scope STRING, id ANY, upid LONG, ts TIMESTAMP) LONG",
       "Row of json_object_snapshot of (scope, id, upid) at a time.",
       [objects](Arguments arguments) -> Result<Cell> { return objects->snapshot_at(arguments); },
       {JsonObjectInstanceTable::kName, JsonObjectSnapshotTable::kName}});
  const auto of_text = [&](FunctionSignature signature, const char* about, auto value) {
    functions.push_back(
        {std::move(signature), about, returns_text([value](Arguments arguments) -> MaybeText {
           const std::optional<std::string> text = text_of(arguments[0]);
           return text ? value(*text) : std::optional<std::string>();
         })});
  };
  of_text("json_id_canonical(id ANY) STRING",
          "The same text for ids of JSON events that are equal.",
          [](const std::string& text) { return std::optional(canonical_id_text(text)); });
  of_text("reserved_color(cname STRING) STRING", "Red, green and blue of a cname.",
          [](const std::string& text) {
            const std::optional<Rgb> colour = reserved_colour(text);
            return colour ? std::optional(text_of(*colour)) : std::nullopt;
          });
  of_text("string_color(name STRING) STRING", "Red, green and blue that viewers choose for a name.",
          [](const std::string& text) {
            return std::optional(text_of(palette_colour(palette_index(text))));
          });
  return functions;
}

}  // namespace tracebraid
