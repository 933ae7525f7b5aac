#include "timeline/timeline.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "timeline/facts/drawn_value.h"
#include "timeline/index/line_index.h"

namespace tracebraid::timeline {
namespace {

constexpr std::string_view kModeNames[] = {"value", "delta", "rate",    "summary",
                                           "flows", "hits",  "category"};

// Differences of neighbours, or rates in 1/s; the first event has none.
CounterValues differences(LineReader& line, const std::vector<double>& values, TileMode mode) {
  std::vector<double> differences(values.size(), std::numeric_limits<double>::quiet_NaN());
  uint64_t skipped = 0;
  for (size_t i = 1; i < values.size(); ++i) {
    const double difference = values[i] - values[i - 1];
    const auto ns = static_cast<double>(static_cast<uint64_t>(line.start(i)) -
                                        static_cast<uint64_t>(line.start(i - 1)));
    if (mode == TileMode::Rate && ns == 0)
      ++skipped;
    else
      differences[i] = mode == TileMode::Rate ? difference / (ns * 1e-9) : difference;
  }
  return {ValueTree(std::move(differences)), skipped};
}

}  // namespace

std::optional<TileMode> find_tile_mode(std::string_view name) {
  const auto* const at = std::ranges::find(kModeNames, name);
  if (at == std::end(kModeNames)) return std::nullopt;
  return static_cast<TileMode>(at - kModeNames);
}
std::string_view name_of(TileMode mode) { return kModeNames[static_cast<size_t>(mode)]; }

Timeline::Timeline(const Store& store, TimelineOptions options)
    : store_(store),
      options_(std::move(options)),
      ends_(store),
      facts_(store),
      tables_(event_tables(store, ends_)),
      indexes_(options_.memory),
      values_(options_.memory),
      stacked_(options_.memory),
      answers_(options_.answers) {}

Result<> Timeline::prepare(const Stop& stop) {
  Workers workers(std::max(options_.threads, 1U));
  const auto check = [&]() -> Result<> {
    if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    return {};
  };
  for (const EventTable& table : tables_) {
    TB_TRY(check());
    if (table.keys.rows == 0) continue;
    for (const std::string_view name : table.tables)
      if (options_.verify) TB_TRY(options_.verify(name));
  }
  if (options_.stored) {
    stored_ = StoredIndex::open(*options_.stored);
    if (!stored_) say_damaged();
  }
  for (size_t kind = 0; kind < kTableKinds; ++kind) {
    TB_TRY(check());
    const LineKeys& keys = tables_[kind].keys;
    std::optional<RowLists> stored;
    if (stored_ && keys.rows > 0) {
      stored = stored_->lists(static_cast<TableKind>(kind), keys, workers);
      if (!stored) say_damaged();
    }
    lists_[kind] = stored ? *std::move(stored) : RowLists(keys, workers);
  }
  tracks_ = collect_tracks(store_, tables_, lists_);
  for (uint32_t track = 0; track < tracks_.size(); ++track) {
    const auto kind = static_cast<size_t>(tracks_[track].table);
    of_owners_[kind].resize(tables_[kind].keys.owners);
    uint32_t line = 0;
    for (const uint32_t owner : tracks_[track].owners) {
      of_owners_[kind][owner] = {track, line};
      line += static_cast<uint32_t>(lists_[kind].lines_of(owner));
    }
  }
  auto next = static_cast<uint32_t>(tracks_.size());
  for (size_t grouping = 0; grouping < kGroupings; ++grouping) {
    TB_TRY(check());
    trees_[grouping] = make_tree(store_, tracks_, static_cast<Grouping>(grouping), next);
    next += static_cast<uint32_t>(trees_[grouping].nodes.size());
  }
  return {};
}

Timeline::Found Timeline::find_node(uint32_t number) const {
  for (const Tree& tree : trees_)
    if (const auto at = tree.by_number.find(number); at != tree.by_number.end())
      return {&tree, at->second};
  return {};
}

uint32_t Timeline::track_of(TableKind kind, uint32_t owner) const {
  const auto& owners = of_owners_[static_cast<size_t>(kind)];
  return owner < owners.size() ? owners[owner].track : kNoNode;
}

Timeline::LinePlace Timeline::line_of(TableKind kind, uint32_t row) const {
  const LineKeys& keys = table(kind).keys;
  if (row >= keys.rows) return {};
  uint32_t owner = 0, depth = 0;
  keys.read_owners(row, {&owner, 1});
  if (keys.read_depths) keys.read_depths(row, {&depth, 1});
  if (track_of(kind, owner) == kNoNode) return {};
  const OwnerPlace& place = of_owners_[static_cast<size_t>(kind)][owner];
  return {place.track, place.first_line + depth};
}

Timeline::Place Timeline::place_of(TableKind kind, uint32_t row) const {
  const LinePlace place = line_of(kind, row);
  if (place.track == kNoNode) return {};
  // Finds the owner that has the line.
  const RowLists& of_kind = lists(kind);
  size_t line = place.line;
  for (const uint32_t owner : tracks_[place.track].owners) {
    const size_t lines = of_kind.lines_of(owner);
    if (line < lines)
      return {place.track, place.line,
              static_cast<uint32_t>(of_kind.place_of(of_kind.first_line(owner) + line, row))};
    line -= lines;
  }
  return {};
}

const FlowIndex& Timeline::flows() const {
  std::call_once(flows_once_, [this] {
    std::vector<uint32_t> numbers;
    for (uint32_t row = 0; row < store_.tracks.rows(); ++row)
      numbers.push_back(track_of(TableKind::Slice, row));
    flows_ = std::make_unique<const FlowIndex>(store_, numbers);
  });
  return *flows_;
}

const LinkedIds& Timeline::linked_ids() const {
  std::call_once(linked_ids_once_,
                 [this] { linked_ids_ = std::make_unique<const LinkedIds>(store_, flows()); });
  return *linked_ids_;
}

const FlowCategories& Timeline::flow_categories() const {
  std::call_once(flow_categories_once_, [this] {
    flow_categories_ = std::make_unique<const FlowCategories>(store_, flows());
  });
  return *flow_categories_;
}

std::shared_ptr<const TrackIndex> Timeline::index(uint32_t track, bool& was_cold) const {
  return indexes_.get(
      track, [&] { return make_index(track); },
      [](const TrackIndex& made) { return made.memory(); }, was_cold);
}

TrackIndex Timeline::make_index(uint32_t track) const {
  const TreeTrack& of = tracks_[track];
  if (stored_ && stored_->has_track(track)) {
    if (std::optional<TrackIndex> stored =
            stored_->track(track, of, table(of.table), lists(of.table)))
      return *std::move(stored);
    say_damaged();
  }
  return index_track(table(of.table), lists(of.table), of.owners, options_.threads);
}

void Timeline::say_damaged() const {
  if (options_.on_damaged_index) std::call_once(damage_once_, options_.on_damaged_index);
}

Result<> Timeline::write_index(PartSink& sink) const {
  return timeline::write_index(tables_, lists_, tracks_, options_.threads, sink);
}

std::shared_ptr<const TrackIndex> Timeline::index_if_made(uint32_t track) const {
  return indexes_.find_made(track);
}

std::shared_ptr<const CounterValues> Timeline::values(uint32_t track, TileMode mode,
                                                      bool& was_cold) const {
  const auto make = [&]() -> CounterValues {
    const std::shared_ptr<const TrackIndex> lines = index(track, was_cold);
    std::vector<double> values;
    if (lines->lines.lines() == 0) return {};
    std::vector<uint32_t> rows(lines->lines.size_of(0));
    const RowLists& of_counters = lists(TableKind::Counter);
    of_counters.rows().read(of_counters.begin(lines->list_lines[0]), rows);
    const bool is_idle = is_idle_state(store_, tracks_[track].type);
    for (const uint32_t row : rows)
      values.push_back(drawn_value(is_idle, store_.counters.value[row]));
    if (mode == TileMode::Value) return {ValueTree(std::move(values)), 0};
    LineReader line(lines->lines, 0);
    return differences(line, values, mode);
  };
  return values_.get(
      {track, mode}, make, [](const CounterValues& made) { return made.tree.memory(); }, was_cold);
}

std::shared_ptr<const StackedValues> Timeline::stacked(uint32_t track, bool& was_cold) const {
  const auto make = [&] {
    const std::shared_ptr<const TrackIndex> lines = index(track, was_cold);
    return stack_values(*lines, lists(TableKind::Counter), store_.counters);
  };
  return stacked_.get(
      track, make, [](const StackedValues& made) { return made.memory(); }, was_cold);
}

size_t Timeline::row_list_bytes() const {
  size_t bytes = 0;
  for (const RowLists& of_kind : lists_) bytes += of_kind.memory();
  return bytes;
}

}  // namespace tracebraid::timeline
