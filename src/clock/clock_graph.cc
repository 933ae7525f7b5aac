#include "clock/clock_graph.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "base/assert.h"

namespace tracebraid {
namespace {

bool is_sequence_scoped(const ClockKey& key) { return key.sequence != 0; }

Error too_large(const ClockKey& key) {
  return {ErrorCode::BadInput,
          fmt::format("Clock sync error: the reading of the clock with id={} does not fit 64 bits.",
                      printable(key))};
}

}  // namespace

std::string printable(const ClockKey& key) {
  const uint32_t file = key.file ? key.file.row : 0;
  const uint32_t machine = key.machine ? key.machine.row : 0;
  if (key.sequence == 0 && file == 0 && machine == 0) return fmt::format("{}", key.domain);
  return fmt::format("{}(seq={},tf={},m={})", key.domain, key.sequence, file, machine);
}

size_t ClockGraph::Set::position(ClockId clock) const {
  const auto at = std::ranges::lower_bound(by_clock, clock, {},
                                           [this](uint32_t position) { return clocks[position]; });
  return *at;
}

bool ClockGraph::Set::has(ClockId clock) const {
  return std::ranges::binary_search(by_clock, clock, {},
                                    [this](uint32_t position) { return clocks[position]; });
}

ClockId ClockGraph::add(const ClockKey& key, int64_t tick_ns) {
  const auto [at, added] = ids_.try_emplace(key, ClockId{static_cast<uint32_t>(nodes_.size())});
  if (added) {
    nodes_.push_back({.key = key, .tick_ns = tick_ns, .sets = {}});
    parents_.push_back(at->second.row);
    sizes_.push_back(1);
  }
  return at->second;
}

std::optional<ClockId> ClockGraph::find(const ClockKey& key) const {
  const auto at = ids_.find(key);
  if (at == ids_.end()) return std::nullopt;
  return at->second;
}

void ClockGraph::set_trace_time(ClockId clock) {
  trace_time_ = clock;
  if (!nodes_[clock.row].has_unit) nodes_[clock.row].tick_ns = 1;
}

uint32_t ClockGraph::root(uint32_t node) const {
  while (parents_[node] != node) node = parents_[node];
  return node;
}

void ClockGraph::join(uint32_t a, uint32_t b) {
  a = root(a);
  b = root(b);
  if (a == b) return;
  if (sizes_[a] < sizes_[b]) std::swap(a, b);
  parents_[b] = a;
  sizes_[a] += sizes_[b];
}

void ClockGraph::join_others(const Set& set) {
  for (size_t i = 0; i < set.clocks.size(); ++i)
    for (size_t j = i + 1; j < set.clocks.size(); ++j)
      if (!is_excluded(set.clocks[i], set.clocks[j], set.kind))
        join(set.clocks[i].row, set.clocks[j].row);
}

void ClockGraph::exclude(const ClockPair& pair) {
  TB_ASSERT(snapshots_.empty());
  excluded_.insert(ordered(pair.a, pair.b, pair.kind));
}

const ClockGraph::Set* ClockGraph::find_set(std::span<const ClockReading> readings,
                                            EvidenceKind kind) {
  if (last_set_ < sets_.size()) {
    const Set& last = sets_[last_set_];
    const bool is_same = last.kind == kind &&
                         std::ranges::equal(last.clocks, readings, {}, {}, &ClockReading::clock);
    if (is_same) return &last;
  }
  wanted_.first = kind;
  wanted_.second.clear();
  for (const ClockReading& reading : readings) wanted_.second.push_back(reading.clock);
  const auto at = set_ids_.find(wanted_);
  if (at == set_ids_.end()) return nullptr;
  last_set_ = at->second;
  return &sets_[last_set_];
}

uint32_t ClockGraph::add_set(std::span<const ClockReading> readings, EvidenceKind kind) {
  Set set{.clocks = {}, .kind = kind, .by_clock = {}, .snapshots = {}};
  for (const ClockReading& reading : readings) set.clocks.push_back(reading.clock);
  set.by_clock.resize(set.clocks.size());
  std::iota(set.by_clock.begin(), set.by_clock.end(), 0);
  std::ranges::sort(set.by_clock, {}, [&](uint32_t position) { return set.clocks[position]; });
  last_set_ = static_cast<uint32_t>(sets_.size());
  if (!excluded_.empty())
    for (size_t i = 0; i < set.clocks.size() && !set.has_excluded; ++i)
      for (size_t j = i + 1; j < set.clocks.size() && !set.has_excluded; ++j)
        set.has_excluded = is_excluded(set.clocks[i], set.clocks[j], kind);
  for (const ClockId clock : set.clocks) {
    nodes_[clock.row].sets.push_back(last_set_);
    if (!set.has_excluded) join(set.clocks.front().row, clock.row);
  }
  if (set.has_excluded) join_others(set);
  set_ids_.emplace(SetKey{kind, set.clocks}, last_set_);
  sets_.push_back(std::move(set));
  return last_set_;
}

Result<> ClockGraph::check_properties(const ClockReading& reading) const {
  const Node& node = nodes_[reading.clock.row];
  if (reading.tick_ns == kAlreadyNs) return {};
  if (!node.has_unit) {
    if (reading.incremental && !is_sequence_scoped(node.key))
      return fail(ErrorCode::BadInput,
                  fmt::format("Clock sync error: the global clock with id={} cannot use "
                              "incremental encoding; this is only supported for "
                              "sequence-scoped clocks.",
                              printable(node.key)));
  } else if (node.tick_ns != reading.tick_ns || node.incremental != reading.incremental) {
    return fail(
        ErrorCode::BadInput,
        fmt::format("Clock sync error: the clock domain with id={} (unit={}, incremental={}), was "
                    "previously registered with different properties (unit={}, incremental={}).",
                    printable(node.key), reading.tick_ns, int{reading.incremental}, node.tick_ns,
                    int{node.incremental}));
  }
  if (reading.clock == trace_time_ && reading.tick_ns != 1)
    return fail(ErrorCode::BadInput,
                fmt::format("Clock sync error: the trace clock (id={}) must always use "
                            "nanoseconds as unit multiplier.",
                            printable(node.key)));
  return {};
}

// Checks spec clocks 3.2 step 2, entry by entry. Fills `ns` with the readings.
Result<> ClockGraph::check(std::span<const ClockReading> readings, const Set* set, uint32_t id,
                           std::vector<int64_t>& ns) const {
  absl::flat_hash_set<ClockId> seen;
  for (const ClockReading& reading : readings) {
    const ClockKey& key = nodes_[reading.clock.row].key;
    TB_TRY(check_properties(reading));
    const int64_t unit = reading.tick_ns == kAlreadyNs ? 1 : reading.tick_ns;
    int64_t value = 0;
    if (unit < 1 || __builtin_mul_overflow(reading.ticks, unit, &value))
      return tl::unexpected(too_large(key));
    // A known set has no clock twice.
    if (set == nullptr && !seen.insert(reading.clock).second)
      return fail(ErrorCode::BadInput,
                  fmt::format("Clock sync error: duplicate clock domain with id={} at snapshot {}.",
                              printable(key), id));
    if (reading.clock == trace_time_ && set != nullptr && !set->snapshots.empty()) {
      const Snapshot& before = snapshots_[set->snapshots.back()];
      const int64_t last = readings_[before.first + set->position(reading.clock)];
      if (value < last)
        return fail(ErrorCode::BadInput,
                    fmt::format("Clock sync error: the trace clock (id={}) is not monotonic at "
                                "snapshot {}. {} not >= {}.",
                                printable(key), id, value, last));
    }
    ns.push_back(value);
  }
  // The difference of any two must fit as well: it is the offset between them.
  if (ns.empty()) return {};
  const auto [low, high] = std::ranges::minmax_element(ns);
  int64_t spread = 0;
  if (__builtin_sub_overflow(*high, *low, &spread))
    return tl::unexpected(
        too_large(nodes_[readings[static_cast<size_t>(high - ns.begin())].clock.row].key));
  return {};
}

Result<> ClockGraph::add_snapshot(std::span<const ClockReading> readings,
                                  const SnapshotOrigin& origin) {
  const uint32_t id = next_snapshot_++;
  const Set* known = find_set(readings, origin.kind);
  std::vector<int64_t> ns;
  ns.reserve(readings.size());
  TB_TRY(check(readings, known, id, ns));
  if (readings.empty()) return {};

  const uint32_t set = known != nullptr ? static_cast<uint32_t>(known - sets_.data())
                                        : add_set(readings, origin.kind);
  for (const ClockReading& reading : readings) {
    Node& node = nodes_[reading.clock.row];
    ++node.readings;
    if (reading.tick_ns == kAlreadyNs) continue;
    node.tick_ns = reading.tick_ns;
    node.incremental = reading.incremental;
    node.has_unit = true;
  }
  Snapshot snapshot{.id = id, .set = set, .first = readings_.size(), .origin = origin};
  if (origin.uncertainty_ns < 0)
    snapshot.origin.uncertainty_ns = default_uncertainty_ns(origin.kind);
  sets_[set].uncertainty_ns = std::min(sets_[set].uncertainty_ns, snapshot.origin.uncertainty_ns);
  sets_[set].snapshots.push_back(static_cast<uint32_t>(snapshots_.size()));
  readings_.insert(readings_.end(), ns.begin(), ns.end());
  snapshots_.push_back(snapshot);
  return {};
}

Result<> ClockGraph::tie(ClockId a, ClockId b, EvidenceKind kind) {
  const ClockReading both[] = {{.clock = a, .tick_ns = kAlreadyNs},
                               {.clock = b, .tick_ns = kAlreadyNs}};
  return add_snapshot(both, {.kind = kind});
}

std::vector<ClockGraph::Edge> ClockGraph::edges() const {
  std::map<std::tuple<ClockId, ClockId, EvidenceKind>, Edge> found;
  const auto add = [&](ClockId a, ClockId b, const Set& set) {
    if (b < a) std::swap(a, b);
    if (is_excluded(a, b, set.kind)) return;
    const SnapshotOrigin& first = snapshots_[set.snapshots.front()].origin;
    const auto [at, added] = found.try_emplace(
        {a, b, set.kind},
        Edge{a, b, set.kind, 0, kUnbounded, first.file, first.byte_offset, first.source});
    at->second.observations += static_cast<int64_t>(set.snapshots.size());
    int64_t uncertainty_ns = set.uncertainty_ns;
    for (const ClockId clock : {a, b})
      uncertainty_ns = add_uncertainty(uncertainty_ns, grain_ns(clock, set.kind));
    at->second.uncertainty_ns = std::min(at->second.uncertainty_ns, uncertainty_ns);
  };
  for (const Set& set : sets_) {
    const size_t firsts = set.clocks.size() > kReportedClocks ? 1 : set.clocks.size();
    for (size_t i = 0; i < firsts; ++i)
      for (size_t j = i + 1; j < set.clocks.size(); ++j) add(set.clocks[i], set.clocks[j], set);
  }
  std::vector<Edge> all;
  all.reserve(found.size());
  for (const auto& [pair, edge] : found) all.push_back(edge);
  return all;
}

int64_t ClockGraph::grain_ns(ClockId clock, EvidenceKind kind) const {
  constexpr int64_t kKernelTickNs = 10'000'000;  // the slowest tick of a kernel
  if (kind != EvidenceKind::Measured && kind != EvidenceKind::Relayed) return 0;
  const Node& node = nodes_[clock.row];
  const uint32_t domain = node.key.domain;
  const bool is_coarse = domain == domain::kRealtimeCoarse || domain == domain::kMonotonicCoarse;
  return std::max(is_coarse ? kKernelTickNs : 0, node.tick_ns > 1 ? node.tick_ns : 0);
}

}  // namespace tracebraid
