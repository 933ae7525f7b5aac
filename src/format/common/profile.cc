#include "format/common/profile.h"
#include "event/event_kind.h"

#include <bit>
#include <cmath>

namespace tracebraid {
namespace {

constexpr int64_t kNamePriority = 3;  // explicit names, of threads as of processes

}  // namespace

Event plain_event(EventKind kind, uint32_t of, StringId name, int64_t ts, uint32_t clock) {
  return {.ts = ts,
          .value = 0,
          .track = of,
          .name = name,
          .category = {},
          .args = kNone,
          .extra = kNone,
          .clock = clock & kMaxClocks,
          .kind = static_cast<uint32_t>(kind) & 0xFF};
}

void write_sample(EventSink& sink, const ProfileSample& sample) {
  std::vector<SampleExtra>& extras = sink.batch().stacks.samples;
  Event event = plain_event(EventKind::Sample, sample.thread, sample.name, sample.ts, sample.clock);
  event.value = std::bit_cast<int64_t>(sample.weight);
  event.category = sink.string(sample.source);
  event.extra = static_cast<uint32_t>(extras.size());
  extras.push_back(sample.extra);
  sink.event(event);
}

SampleWriter::SampleWriter(EventSink& sink, std::string_view source, uint32_t clock,
                           uint32_t thread)
    : sink_(sink), event_(plain_event(EventKind::Sample, thread, {}, 0, clock)) {
  event_.category = sink.string(source);
}

void SampleWriter::write(int64_t ts, uint32_t callsite, double weight) {
  std::vector<SampleExtra>& extras = sink_.batch().stacks.samples;
  const size_t place = callsite == kNone ? 0 : size_t{callsite} + 1;
  if (place >= extras_.size()) extras_.resize(sink_.batch().stacks.callsites.size() + 1, kNone);
  uint32_t& extra = extras_[place];
  if (extra == kNone) {
    extra = static_cast<uint32_t>(extras.size());
    extras.push_back({.callsite = callsite});
  }
  event_.ts = ts;
  event_.value = std::bit_cast<int64_t>(weight);
  event_.extra = extra;
  sink_.event(event_);
}

void name_thread(EventSink& sink, uint32_t thread, std::string_view name) {
  if (name.empty()) return;
  Event event = plain_event(EventKind::ThreadName, thread, sink.string(name));
  event.value = kNamePriority;
  sink.untimed(event);
}

void name_process(EventSink& sink, uint32_t process, std::string_view name) {
  if (name.empty()) return;
  Event event = plain_event(EventKind::ProcessName, process, sink.string(name));
  event.value = kNamePriority;
  sink.untimed(event);
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
