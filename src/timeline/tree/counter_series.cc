#include "timeline/tree/counter_series.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace tracebraid::timeline {
namespace {

// One series as the source args of its row of `track` describe it.
struct Series {
  StringId counter, name, id;
  int64_t index = 0;  // order of appearance
  uint32_t row = 0;   // of `track`
};

class SeriesReader {
 public:
  explicit SeriesReader(const Store& store)
      : store_(store),
        name_(store.strings.find("json.name")),
        series_(store.strings.find("json.series")),
        index_(store.strings.find("json.series_index")),
        id_(store.strings.find("json.id")) {}

  // Returns nothing for a row that has no such args.
  std::optional<Series> read(uint32_t row) const {
    const uint32_t set = store_.tracks.source_arg_set_id[row].row;
    if (set == OptRow::kNull || !series_) return std::nullopt;
    Series series{
        .counter = text(set, name_), .name = text(set, series_), .id = text(set, id_), .row = row};
    if (!series.name) return std::nullopt;
    const std::optional<ArgRow> index = find(set, index_);
    if (index && is_integer_arg(index->type)) series.index = index->value;
    return series;
  }

 private:
  std::optional<ArgRow> find(uint32_t set, StringId key) const {
    return key ? store_.args.find(set, key) : std::nullopt;
  }
  StringId text(uint32_t set, StringId key) const {
    const std::optional<ArgRow> arg = find(set, key);
    if (!arg || !is_text_arg(arg->type)) return {};
    return {static_cast<uint32_t>(arg->value)};
  }

  const Store& store_;
  const StringId name_, series_, index_, id_;
};

std::string title_of(const Store& store, const Series& series, bool is_stacked) {
  const auto text = [&](StringId id) { return id ? store.strings.get(id) : std::string_view(); };
  std::string title(text(series.counter));
  if (series.id) title += fmt::format("[{}]", text(series.id));
  const std::string_view name = text(series.name);
  if (!is_stacked && name != "value") title += fmt::format("{}{}", title.empty() ? "" : " ", name);
  return title;
}

}  // namespace

std::vector<CounterGroup> group_counters(const Store& store, std::span<const uint32_t> rows) {
  const TrackTable& tracks = store.tracks;
  // By file, process, thread, name and id, in the order of their first series.
  using Key = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;
  absl::flat_hash_map<Key, size_t> found;
  std::vector<std::vector<Series>> counters;
  const SeriesReader reader(store);
  for (const uint32_t row : rows) {
    const std::optional<Series> series = reader.read(row);
    if (!series) continue;
    const auto [entry, is_new] =
        found.try_emplace({tracks.trace_id[row].row, tracks.upid[row].row, tracks.utid[row].row,
                           series->counter.row, series->id.row},
                          counters.size());
    if (is_new) counters.emplace_back();
    counters[entry->second].push_back(*series);
  }
  std::vector<CounterGroup> groups;
  for (std::vector<Series>& counter : counters) {
    const bool is_stacked = counter.size() > 1 && counter.size() <= kMostSeries;
    std::ranges::stable_sort(counter, {}, &Series::index);
    for (const Series& each : counter) {
      if (groups.empty() || !is_stacked || &each == &counter.front())
        groups.push_back({.title = title_of(store, each, is_stacked)});
      groups.back().rows.push_back(each.row);
      groups.back().series.push_back(each.name);
    }
  }
  return groups;
}

}  // namespace tracebraid::timeline
