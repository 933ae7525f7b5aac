#include "timeline/facts/flow_index.h"

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "tables/display_ends.h"

namespace tracebraid::timeline {
namespace {

void sort_unique(std::vector<uint32_t>& flows) {
  std::ranges::sort(flows);
  flows.erase(std::ranges::unique(flows).begin(), flows.end());
}

// Returns the time between `low` and `high` that is nearest to a time. `high` may be below `low`.
int64_t within(int64_t time, int64_t low, int64_t high) {
  return std::max(low, std::min(time, high));
}

}  // namespace

FlowIndex::FlowIndex(const Store& store, std::span<const uint32_t> track_numbers)
    : store_(store),
      start_key_(store.strings.find("start_ts")),
      end_key_(store.strings.find("end_ts")) {
  using Ends = std::pair<uint32_t, uint32_t>;  // rows of slice
  absl::flat_hash_map<Ends, int64_t> contradicted;
  const FlowViolationTable& violations = store.flow_violations;
  for (size_t row = 0; row < violations.rows(); ++row)
    contradicted.try_emplace({violations.slice_out[row].row, violations.slice_in[row].row},
                             violations.off_by_at_least_ns[row]);
  const auto joined = static_cast<uint32_t>(store.flows.rows());
  absl::flat_hash_set<Ends> drawn;
  for (uint32_t flow = 0; flow < joined; ++flow) {
    const Ends ends{store.flows.slice_out[flow], store.flows.slice_in[flow]};
    add(flow, track_numbers);
    const auto at = contradicted.find(ends);
    if (at == contradicted.end()) continue;
    violations_.emplace_back(flow, at->second);
    drawn.insert(ends);
  }
  for (size_t row = 0; row < violations.rows(); ++row) {
    const Ends ends{violations.slice_out[row].row, violations.slice_in[row].row};
    const size_t slices = store.slices.rows();
    if (ends.first >= slices || ends.second >= slices || drawn.contains(ends)) continue;
    const auto flow = static_cast<uint32_t>(joined + unjoined_.size());
    unjoined_.push_back(
        {ends.first, ends.second, violations.start_ts[row], violations.end_ts[row]});
    add(flow, track_numbers);
    violations_.emplace_back(flow, violations.off_by_at_least_ns[row]);
  }
  std::ranges::sort(by_slice_);
  by_track_ = by_time_;
  std::ranges::sort(by_time_, {}, [](const End& end) { return std::tuple(end.ts, end.flow); });
  std::ranges::sort(by_track_, {},
                    [](const End& end) { return std::tuple(end.track, end.ts, end.flow); });
}

void FlowIndex::add(uint32_t flow, std::span<const uint32_t> track_numbers) {
  const FlowArrow of = arrow(flow);
  by_time_.push_back({track_numbers[store_.slices.track_id[of.out]], flow, of.out_ts});
  by_time_.push_back({track_numbers[store_.slices.track_id[of.in]], flow, of.in_ts});
  by_slice_.emplace_back(of.out, flow);
  if (of.in != of.out) by_slice_.emplace_back(of.in, flow);
}

std::optional<int64_t> FlowIndex::time_of(uint32_t flow, StringId key) const {
  const OptRow args = store_.flows.arg_set_id[flow];
  if (!key || args.row == OptRow::kNull) return std::nullopt;
  const std::optional<ArgRow> arg = store_.args.find(args.row, key);
  if (!arg || arg->type != ArgType::Int) return std::nullopt;
  return arg->value;
}

FlowArrow FlowIndex::arrow(uint32_t flow) const {
  if (flow >= store_.flows.rows()) return unjoined_[flow - store_.flows.rows()];
  const uint32_t out = store_.flows.slice_out[flow], in = store_.flows.slice_in[flow];
  const int64_t begin = store_.slices.ts[out], arrival = store_.slices.ts[in];
  const int64_t end = end_of_slice(store_.slices, out);
  const std::optional<int64_t> left = time_of(flow, start_key_), arrived = time_of(flow, end_key_);
  if (left && arrived)
    return {out, in, within(*left, begin, end),
            within(*arrived, arrival, end_of_slice(store_.slices, in))};
  return {out, in, arrival < begin ? begin : std::min(end, arrival), arrival};
}

std::vector<uint32_t> FlowIndex::in_window(int64_t from, int64_t last) const {
  const auto begin = std::ranges::lower_bound(by_time_, from, {}, &End::ts);
  const auto end = std::ranges::upper_bound(by_time_, last, {}, &End::ts);
  std::vector<uint32_t> flows;
  for (auto at = begin; at < end; ++at) flows.push_back(at->flow);
  sort_unique(flows);
  return flows;
}

std::vector<uint32_t> FlowIndex::in_window(uint32_t track, int64_t from, int64_t last) const {
  const auto key = [](const End& end) { return std::pair(end.track, end.ts); };
  const auto begin = std::ranges::lower_bound(by_track_, std::pair(track, from), {}, key);
  const auto end = std::ranges::upper_bound(by_track_, std::pair(track, last), {}, key);
  std::vector<uint32_t> flows;
  for (auto at = begin; at < end; ++at) flows.push_back(at->flow);
  sort_unique(flows);
  return flows;
}

std::vector<uint32_t> FlowIndex::of_slice(uint32_t slice) const {
  std::vector<uint32_t> flows;
  for (auto at = std::ranges::lower_bound(by_slice_, std::pair(slice, uint32_t{0}));
       at < by_slice_.end() && at->first == slice; ++at)
    flows.push_back(at->second);
  return flows;
}

bool FlowIndex::is_violation(uint32_t flow) const { return off_by(flow).has_value(); }

std::optional<int64_t> FlowIndex::off_by(uint32_t flow) const {
  const auto at =
      std::ranges::lower_bound(violations_, flow, {}, &std::pair<uint32_t, int64_t>::first);
  if (at == violations_.end() || at->first != flow) return std::nullopt;
  return at->second;
}

}  // namespace tracebraid::timeline
