#include "engine/clocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/boundary.h"
#include "base/nearest.h"
#include "base/words.h"
#include "clock/error_bounds.h"
#include "engine/trace.h"
#include "merge/merge.h"
#include "report/labels.h"

namespace tracebraid {
namespace {

std::string label_of(const Store& store, uint32_t row) {
  std::string label = fmt::format("{} of {}", clock_label(store, OptRow{row}),
                                  machine_label(store, OptRow{store.clocks.machine_id[row]}));
  if (const std::optional<int64_t> sequence = clock_sequence(store, OptRow{row}))
    label += fmt::format(", sequence {}", *sequence);
  const OptRow file{store.clocks.trace_id[row]};
  if (file.row < store.files.rows()) label += fmt::format(", {}", file_label(store, file));
  return label;
}

bool has_name(const Store& store, uint32_t row, std::string_view name) {
  if (const std::optional<int64_t> domain = parse_decimal(name))
    return *domain == int64_t{store.clocks.domain[row]};
  return in_lower_case(clock_label(store, OptRow{row})) == in_lower_case(name);
}

bool is_named(std::string_view path, std::string_view name) {
  if (!path.ends_with(name)) return false;
  return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

bool matches(const Store& store, uint32_t row, const ClockRequest& request) {
  if (!has_name(store, row, *request.name)) return false;
  const OptRow machine{store.clocks.machine_id[row]}, file{store.clocks.trace_id[row]};
  if (request.machine && machine_label(store, machine) != *request.machine &&
      parse_decimal(*request.machine) != int64_t{machine.row})
    return false;
  if (request.file &&
      (file.row >= store.files.rows() || !is_named(file_label(store, file), *request.file)))
    return false;
  return !request.sequence || clock_sequence(store, OptRow{row}) == request.sequence;
}

// Returns the labels of the first of these clocks.
std::string labels_of(const Store& store, std::span<const uint32_t> rows) {
  constexpr size_t kMostListed = 20;
  std::vector<std::string> labels;
  for (const uint32_t row : rows.first(std::min(rows.size(), kMostListed)))
    labels.push_back(label_of(store, row));
  return fmt::format("{}{}", fmt::join(labels, "; "), rows.size() > kMostListed ? "; ..." : "");
}

// Returns why no clock matches, with those that nearly match.
std::string no_clock(const Store& store, const ClockRequest& request) {
  std::string message = fmt::format("the trace has no clock '{}'", *request.name);
  const ClockRequest anywhere{request.name, {}, {}, {}};
  std::vector<uint32_t> others;
  std::vector<std::string> names;
  for (uint32_t row = 0; row < store.clocks.rows(); ++row) {
    names.push_back(in_lower_case(clock_label(store, OptRow{row})));
    if (matches(store, row, anywhere)) others.push_back(row);
  }
  if (!others.empty())
    return fmt::format("{} of this machine, file and sequence; it has {}", message,
                       labels_of(store, others));
  const std::string wanted = in_lower_case(*request.name);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  if (const std::optional<std::string_view> near = nearest(wanted, candidates)) {
    const auto at = std::ranges::find(candidates, *near) - candidates.begin();
    message +=
        fmt::format("; did you mean {}?", clock_label(store, OptRow{static_cast<uint32_t>(at)}));
  }
  return message;
}

Result<FoundClock> find(const Store& store, const MergedClocks& clocks,
                        const ClockRequest& request) {
  if (!request.name) {
    const ClockId timeline = clocks.graph.trace_time();
    if (!timeline) return fail(ErrorCode::NotFound, "the trace has no clock");
    return FoundClock{timeline.row, label_of(store, timeline.row)};
  }
  std::vector<uint32_t> found;
  for (uint32_t row = 0; row < store.clocks.rows(); ++row)
    if (matches(store, row, request)) found.push_back(row);
  if (found.size() > 1 && !request.file && !request.sequence) {
    std::vector<uint32_t> shared;
    for (const uint32_t row : found)
      if (OptRow{store.clocks.trace_id[row]}.row >= store.files.rows() &&
          !clock_sequence(store, OptRow{row}))
        shared.push_back(row);
    if (shared.size() == 1) found = std::move(shared);
  }
  if (found.size() == 1) return FoundClock{found.front(), label_of(store, found.front())};
  if (found.empty()) return fail(ErrorCode::NotFound, no_clock(store, request));
  return fail(ErrorCode::Usage,
              fmt::format("the clock '{}' is ambiguous; name its machine, file or sequence: {}",
                          *request.name, labels_of(store, found)));
}

}  // namespace

Result<FoundClock> find_clock(const Trace& trace, const ClockRequest& request) {
  return at_boundary(trace.broken(), [&]() -> Result<FoundClock> {
    const Merged& merged = trace.merged();
    if (merged.clocks == nullptr) return fail(ErrorCode::NotFound, "the trace has no clock");
    return find(*merged.store, *merged.clocks, request);
  });
}

struct ClockConverter::State {
  std::shared_ptr<const Trace> trace;
  ClockId from;
  Placement placement;  // of all clocks on the target
};

ClockConverter::ClockConverter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ClockConverter::~ClockConverter() = default;

Result<std::shared_ptr<const ClockConverter>> ClockConverter::open(
    std::shared_ptr<const Trace> trace, uint32_t from, uint32_t to) {
  BrokenInvariant& broken = trace->broken();
  return at_boundary(broken, [&]() -> Result<std::shared_ptr<const ClockConverter>> {
    const MergedClocks* clocks = trace->merged().clocks.get();
    if (clocks == nullptr || from >= clocks->graph.size() || to >= clocks->graph.size())
      return fail(ErrorCode::Usage, "the clock is not of this trace");
    Placement placement = clocks->graph.solve_for(ClockId{to}, clocks->placement.model());
    return std::shared_ptr<const ClockConverter>(new ClockConverter(
        std::make_unique<State>(State{std::move(trace), ClockId{from}, std::move(placement)})));
  });
}

Result<> ClockConverter::convert(std::span<const int64_t> ts, std::span<int64_t> out,
                                 std::span<int64_t> bounds, uint8_t* valid) const {
  return at_boundary(state_->trace->broken(), [&]() -> Result<> {
    PlaceCursor cursor = state_->placement.cursor(state_->from);
    ErrorBounds error_bounds(state_->trace->merged().clocks->graph, state_->placement);
    if (valid != nullptr) std::fill_n(valid, (ts.size() + 7) / 8, uint8_t{0});
    for (size_t i = 0; i < ts.size(); ++i) {
      int64_t ns = 0;
      const bool is_placed = cursor.place_ns(ts[i], ns);
      out[i] = is_placed ? ns : 0;
      if (!bounds.empty())
        bounds[i] = is_placed ? error_bounds.at(state_->from, ts[i]) : kUnbounded;
      if (is_placed && valid != nullptr)
        valid[i / 8] = static_cast<uint8_t>(valid[i / 8] | 1u << i % 8);
    }
    return {};
  });
}

}  // namespace tracebraid
