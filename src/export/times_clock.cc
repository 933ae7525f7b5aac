#include "export/times_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tracebraid {
namespace {

bool is_same_word(std::string_view a, std::string_view b) {
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
  return std::ranges::equal(a, b, {}, upper, upper);
}

// Returns the domain of a clock name, as clock_convert() does; 0 for an unknown name.
uint32_t domain_of(std::string_view clock) {
  for (uint32_t domain = 1; domain < domain::kFirstOfSequence; ++domain)
    if (!clock_name(domain).empty() && is_same_word(clock, clock_name(domain))) return domain;
  if (is_same_word(clock, "PRIVATE")) return domain::kPrivate;
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(clock.data(), clock.data() + clock.size(), number);
  return error == std::errc() && end == clock.data() + clock.size() ? number : 0;
}

// Prefers a clock that files share; else the first clock of a file.
ClockId find_clock(const ClockGraph& graph, uint32_t domain, uint32_t machine) {
  if (const auto shared = graph.find({.domain = domain, .machine = {machine}})) return *shared;
  ClockId first;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    const ClockKey& key = graph.key(ClockId{i});
    const bool is_it = key.domain == domain && key.machine == MachineId{machine};
    if (is_it && (!first || key < graph.key(first))) first = ClockId{i};
  }
  return first;
}

}  // namespace

TimesClock::TimesClock(std::shared_ptr<const MergedClocks> clocks, ClockId clock)
    : clocks_(std::move(clocks)),
      trace_time_(clocks_->graph.trace_time()),
      placement_(clocks_->graph.solve_for(clock, clocks_->placement.model())),
      bounds_(clocks_->graph, placement_),
      cursor_(placement_.cursor(trace_time_)) {}

Result<std::shared_ptr<TimesClock>> TimesClock::of(const ExportSource& source,
                                                   std::string_view clock, uint32_t machine) {
  const Store& store = source.store();
  const auto& clocks = source.merged.clocks;
  const uint32_t domain = domain_of(clock);
  if (domain == 0)
    return fail(ErrorCode::Usage, fmt::format("--clock: there is no clock named '{}'", clock));
  const StringId name = store.machines.name[machine];
  const std::string owner =
      name ? std::string(store.strings.get(name)) : fmt::format("machine {}", machine);
  const ClockId found = clocks ? find_clock(clocks->graph, domain, machine) : ClockId{};
  if (!found || !clocks->graph.trace_time())
    return fail(ErrorCode::NotFound,
                fmt::format("--clock: the trace has no clock {} of {}", clock, owner));
  std::shared_ptr<TimesClock> timeline(new TimesClock(clocks, found));
  if (!timeline->cursor_.has_place())
    return fail(ErrorCode::NotFound,
                fmt::format("--clock: nothing relates {} of {} to trace time", clock, owner));
  timeline->domain_ = domain;
  timeline->machine_ = machine;
  timeline->label_ = fmt::format("{} of {}", clock, owner);
  return timeline;
}

std::optional<int64_t> TimesClock::at(int64_t ts) {
  int64_t ns = 0;
  return cursor_.place_ns(ts, ns) ? std::optional(ns) : std::nullopt;
}

std::optional<int64_t> TimesClock::uncertainty(int64_t ts) {
  const int64_t ns = bounds_.at(trace_time_, ts);
  return ns == kUnbounded ? std::nullopt : std::optional(ns);
}

std::string TimesClock::call_sql(std::string_view function, std::string_view column) const {
  return fmt::format("{}(\"{}\", NULL, NULL, {}, {})", function, column, domain_, machine_);
}

std::string TimesClock::at_sql(std::string_view column) const {
  return call_sql("clock_convert", column);
}

std::string TimesClock::uncertainty_sql(std::string_view column) const {
  return call_sql("clock_error", column);
}

}  // namespace tracebraid
