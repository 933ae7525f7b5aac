#include "format/common/profile.h"
#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"

#include <bit>
#include <cmath>

namespace tracebraid {
namespace {

constexpr int64_t kNamePriority = 3;  // of explicit names of threads and processes

}  // namespace

void write_sample(EventSink& sink, const ProfileSample& sample) {
  emit_sample(sink, {sample.ts, sample.clock}, sample.thread,
              {.name = sample.name, .source = sink.string(sample.source), .weight = sample.weight},
              sample.extra);
}

SampleWriter::SampleWriter(EventSink& sink, std::string_view source, uint32_t clock,
                           uint32_t thread)
    : sink_(sink), clock_(clock), thread_(thread), source_(sink.string(source)) {}

void SampleWriter::write(int64_t ts, uint32_t callsite, double weight) {
  std::vector<SampleExtra>& extras = sink_.batch().stacks.samples;
  const size_t place = callsite == kNone ? 0 : size_t{callsite} + 1;
  if (place >= extras_.size()) extras_.resize(sink_.batch().stacks.callsites.size() + 1, kNone);
  uint32_t& extra = extras_[place];
  if (extra == kNone) {
    extra = static_cast<uint32_t>(extras.size());
    extras.push_back({.callsite = callsite});
  }
  sink_.event(
      make_sample({ts, clock_}, thread_, {.source = source_, .weight = weight, .extra = extra}));
}

void name_thread(EventSink& sink, uint32_t thread, std::string_view name) {
  if (!name.empty()) sink.untimed(make_thread_name({}, thread, sink.string(name), kNamePriority));
}

void name_process(EventSink& sink, uint32_t process, std::string_view name) {
  if (!name.empty()) sink.untimed(make_process_name({}, process, sink.string(name), kNamePriority));
}

uint32_t private_clock(EventSink& sink) {
  ClockName clock;
  clock.domain = kPrivateClock;
  clock.by_default = true;
  return sink.clock(clock);
}

Location split_location(std::string_view location) {
  constexpr std::string_view kIn = " (in ";
  const size_t at = location.rfind(kIn);
  if (at == std::string_view::npos || !location.ends_with(')')) return {location, {}};
  const size_t first = at + kIn.size();
  return {location.substr(0, at), location.substr(first, location.size() - first - 1)};
}

std::optional<int64_t> ns_of(double value, double unit_ns) {
  const double ns = std::round(value * unit_ns);
  constexpr double kLimit = 9.2e18;
  if (!(ns > -kLimit && ns < kLimit)) return std::nullopt;
  return static_cast<int64_t>(ns);
}

}  // namespace tracebraid
