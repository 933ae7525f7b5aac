#include "format/perf/clocks.h"

#include "base/clock_domain.h"
#include "format/perf/bytes.h"

namespace tracebraid::perf {
namespace {

// Returns the domain of a clockid_t; perf's own clock for other values.
uint32_t domain_of(std::optional<int32_t> clock) {
  if (!clock) return domain::kPerf;
  switch (*clock) {
    case 0:
      return domain::kRealtime;
    case 1:
      return domain::kMonotonic;
    case 4:
      return domain::kMonotonicRaw;
    case 7:
      return domain::kBoottime;
    default:
      return domain::kPerf;
  }
}

// Returns the ticks of the counter when perf's clock reads `ns`; nothing if they do not fit.
std::optional<int64_t> ticks_at(uint64_t ns, const TimeConversion& conversion) {
  if (ns < conversion.zero) return std::nullopt;
  const unsigned __int128 shifted = (static_cast<unsigned __int128>(ns - conversion.zero))
                                    << conversion.shift;
  const unsigned __int128 ticks = shifted / conversion.multiplier;
  if (ticks > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(ticks);
}

// Relates the clocks at both ends, because their rates differ.
void relate_to_counter(const TimeConversion& conversion, uint64_t first, uint64_t last,
                       EventSink& sink) {
  const uint32_t counter = sink.clock({.domain = domain::kTsc}),
                 perf = sink.clock({.domain = domain::kPerf});
  for (const uint64_t ns : {first, last}) {
    const std::optional<int64_t> ticks = ticks_at(ns, conversion);
    if (!ticks || ns > INT64_MAX) continue;
    sink.snapshot({}, {{.clock = counter, .ticks = *ticks},
                       {.clock = perf, .ticks = static_cast<int64_t>(ns)}});
    if (first == last) return;
  }
}

}  // namespace

void parse_time_conversion(const Record& record, Header& header) {
  constexpr uint64_t kMaxShift = 63;
  Bytes bytes(record.body);
  const uint64_t shift = bytes.u64();
  TimeConversion conversion{.shift = static_cast<uint32_t>(shift & kMaxShift),
                            .multiplier = bytes.u64(),
                            .zero = bytes.u64()};
  if (!bytes.bad() && shift <= kMaxShift && conversion.multiplier != 0)
    header.time_conversion = conversion;
}

uint32_t write_clocks(const Header& header, uint64_t first, uint64_t last, EventSink& sink) {
  const std::optional<int32_t> clock_id =
      header.attrs.empty() ? std::nullopt : header.attrs.front().clock;
  ClockName name;
  name.domain = domain_of(clock_id);
  name.by_default = true;
  const uint32_t clock = sink.clock(name);
  if (header.clock_data && domain_of(header.clock_data->clock) != domain::kRealtime)
    sink.snapshot({}, {{.clock = sink.clock({.domain = domain_of(header.clock_data->clock)}),
                        .ticks = static_cast<int64_t>(header.clock_data->clock_ns)},
                       {.clock = sink.clock({.domain = domain::kRealtime}),
                        .ticks = static_cast<int64_t>(header.clock_data->wall_ns)}});
  if (header.time_conversion && name.domain == domain::kPerf && first != 0)
    relate_to_counter(*header.time_conversion, first, last, sink);
  // If this file determines trace time, trace time is the clock of the events.
  if (name.domain != domain::kMonotonic)
    sink.snapshot({.primary = name.domain, .may_claim = true}, {});
  return clock;
}

}  // namespace tracebraid::perf
