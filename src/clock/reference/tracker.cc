#include "clock/reference/tracker.h"

#include "base/clock_domain.h"
#include "clock/reference/wrap.h"

namespace tracebraid::reference {

uint32_t Machines::row(uint64_t raw_id) {
  const auto [at, is_new] = by_raw_id.try_emplace(raw_id, static_cast<uint32_t>(list.size()));
  if (is_new) list.push_back({raw_id, {}});
  return at->second;
}

Tracker::Tracker(Shared& shared, uint32_t file, uint32_t machine, uint32_t format_clock)
    : shared_(shared),
      file_(file),
      machine_(machine),
      format_clock_(format_clock),
      is_primary_(shared.primaries.try_emplace(machine, file).first->second == file),
      is_placed_(format_clock == 0) {}

Node Tracker::qualify(const FileClock& clock) const {
  const bool is_of_file = clock.sequence != 0 || clock.clock == domain::kPrivate;
  return {clock.clock, clock.sequence, is_of_file ? file_ : tag_, machine_};
}

// Applies spec clocks 5.
void Tracker::claim(const FileClock& clock) {
  if (conversions_ != 0 || (shared_.owner && *shared_.owner != file_)) return;
  const bool is_of_file = clock.sequence != 0 || clock.clock == domain::kPrivate;
  const Node node{clock.clock, clock.sequence, is_of_file ? file_ : 0, machine_};
  if (shared_.has_trace_time && shared_.graph.trace_time.machine != machine_)
    shared_.takeover = Takeover{shared_.graph.trace_time, node, {file_, shared_.at}};
  shared_.owner = file_;
  shared_.has_trace_time = true;
  shared_.graph.trace_time = node;
}

// Applies spec clocks 6.2.
void Tracker::snapshot(const std::vector<FileReading>& readings) {
  if (!has_snapshot_ && !is_primary_) tag_ = file_;
  has_snapshot_ = true;
  std::vector<NodeReading> known;
  for (const FileReading& reading : readings)
    known.push_back({qualify(reading.clock), reading.ticks, reading.unit, reading.is_incremental});
  if (!is_primary_ && machine_ != shared_.graph.trace_time.machine)
    for (const FileReading& reading : readings)
      if (reading.clock.clock == domain::kRealtime ||
          reading.clock.clock == domain::kRealtimeCoarse)
        known.push_back({{reading.clock.clock, 0, 0, machine_},
                         reading.ticks,
                         reading.unit,
                         reading.is_incremental});
  shared_.graph.add(known, {file_, shared_.at});
}

void Tracker::tie(const Node& a, const Node& b) {
  shared_.graph.add({{a, 0, 1, false}, {b, 0, 1, false}}, {file_, shared_.at});
}

// Applies spec clocks 6.3 and 6.4.
void Tracker::place() {
  is_placed_ = true;
  Graph& graph = shared_.graph;
  const Node trace_time = graph.trace_time, own = qualify({format_clock_, 0});
  const bool is_private = format_clock_ == domain::kPrivate;
  const Node clock = is_private ? own : Node{format_clock_, 0, 0, machine_};
  if (own != clock && !graph.convert(own, 0, clock)) tie(own, clock);
  if (clock == trace_time || graph.convert(clock, 0, trace_time)) return;
  const Node here{domain::kRealtime, 0, 0, machine_},
      there{domain::kRealtime, 0, 0, trace_time.machine};
  if (here != there && graph.convert(clock, 0, here) && graph.convert(there, 0, trace_time)) {
    if (!graph.convert(here, 0, there)) tie(here, there);
  } else if (is_private || trace_time.clock == domain::kPrivate ||
             clock.clock == trace_time.clock) {
    tie(clock, trace_time);
  }
}

Tracker::Outcome Tracker::to_trace_time(const FileClock& clock, int64_t ticks) {
  if (!is_placed_) place();
  ++conversions_;
  Graph& graph = shared_.graph;
  const Node from = qualify(clock);
  if (const std::optional<int64_t> ns = graph.convert(from, ticks, graph.trace_time)) return {ns};
  return {std::nullopt, graph.failure(from, graph.trace_time)};
}

// Applies spec clocks 8.
void Tracker::remote_sync(const std::vector<Element>& elements) {
  struct Readings {
    int64_t client = 0, host = 0;
  };
  std::vector<std::map<uint32_t, Readings>> rounds;
  for (const auto& [client, host] : elements) {
    snapshot(client);
    std::map<uint32_t, Readings>& round = rounds.emplace_back();
    for (const FileReading& reading : host) round[reading.clock.clock].host = reading.ticks;
    for (const FileReading& reading : client) round[reading.clock.clock].client = reading.ticks;
  }
  constexpr uint64_t kRound = 30'000'000'000;
  const auto reading = [](const std::map<uint32_t, Readings>& round, uint32_t clock) {
    const auto found = round.find(clock);
    return found == round.end() ? Readings{} : found->second;
  };
  struct Sum {
    int64_t total = 0, count = 0;
  };
  std::map<uint32_t, Sum> offsets;
  for (size_t i = 1; i < rounds.size(); ++i) {
    const auto &before = rounds[i - 1], &after = rounds[i];
    const auto passed = static_cast<uint64_t>(reading(after, domain::kBoottime).client) -
                        static_cast<uint64_t>(reading(before, domain::kBoottime).client);
    if (passed >= kRound) continue;
    for (const auto& [clock, first] : before) {
      const Readings second = reading(after, clock);
      if (first.client == 0 || first.host == 0 || second.client == 0 || second.host == 0) continue;
      Sum& sum = offsets[clock];
      sum.total = wrapped_sum(
          sum.total, wrapped_difference(wrapped_sum(first.client, second.client) / 2, first.host));
      sum.total = wrapped_sum(
          sum.total, wrapped_difference(second.client, wrapped_sum(first.host, second.host) / 2));
      sum.count += 2;
    }
  }
  std::map<uint32_t, int64_t> anchors;  // the last reading of the host
  for (const auto& round : rounds)
    for (const auto& [clock, readings] : round)
      if (readings.host != 0) anchors[clock] = readings.host;
  for (const auto& [clock, sum] : offsets) {
    const int64_t anchor = anchors[clock];
    const Node host{clock, 0, 0, shared_.graph.trace_time.machine}, client{clock, 0, 0, machine_};
    shared_.graph.add(
        {{host, anchor, 1, false}, {client, wrapped_sum(anchor, sum.total / sum.count), 1, false}},
        {file_, shared_.at});
  }
}

}  // namespace tracebraid::reference
