// Clocks: the clocks in a file of our exporter.
#include "format/common/proto_wire.h"
#include "format/proto/clocks.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/own.h"

namespace tracebraid::proto {

// These readings change no properties of clocks.
void Clocks::add_own_reading(Key key, bool by_default, int64_t ns) {
  State& known = state(key);
  known.was_read = true;
  sink_.batch().readings.push_back({name(known, by_default, OnFailure::Drop), ns, false});
}

// Events of machine 0 are on the clock of trace time if that is BOOTTIME and unshifted. All others
// are on the private timeline of the file, so that the clocks of their machine keep their own
// meaning.
void Clocks::own_snapshot(uint32_t machine, std::string_view own, uint64_t at,
                          DefaultClock& default_clock) {
  constexpr uint32_t kHost = 0;
  uint32_t trace_clock = field::BuiltinClock::kBoottime;
  int64_t shift = 0;
  std::optional<int64_t> time;
  for (Message fields(own); fields.next();) {
    if (fields.number() == own::Clocks::kTraceClock) trace_clock = fields.u32();
    if (fields.number() == own::Clocks::kTime) time = fields.i64();
    if (fields.number() == own::Clocks::kShift) shift = fields.i64();
  }
  int64_t origin_time = 0;
  const bool is_domain = trace_clock != 0 && trace_clock < domain::kPrivate;
  if (!time || !is_domain || __builtin_sub_overflow(*time, shift, &origin_time)) return;
  const Key origin{kHost, trace_clock, 0};
  const bool is_origin =
      machine == kHost && trace_clock == field::BuiltinClock::kBoottime && shift == 0;
  const Key timeline = is_origin ? origin : Key{machine, kPrivateClock, 0};
  default_clock = {timeline.domain, 0};
  const auto begin = [&] {
    return Snapshot{.machine = machine,
                    .first = static_cast<uint32_t>(sink_.batch().readings.size()),
                    .events_before = conversions(machine),
                    .byte_offset = at};
  };
  Snapshot first = begin();
  first.may_claim = machine == kHost;
  if (first.may_claim) first.primary = trace_clock;
  add_own_reading(timeline, true, *time);
  if (!is_origin) add_own_reading(origin, false, origin_time);
  finish(first);
  for (Message fields(own); fields.next();) {
    if (fields.number() != own::Clocks::kReadings) continue;
    Snapshot snapshot = begin();
    for (Message parts = fields.message(); parts.next();) {
      if (parts.number() == own::Readings::kTime) add_own_reading(timeline, true, parts.i64());
      if (parts.number() != own::Readings::kClock) continue;
      uint32_t domain = 0;
      int64_t ns = 0;
      for (Message clock = parts.message(); clock.next();) {
        if (clock.number() == field::ClockSnapshot_Clock::kClockId) domain = clock.u32();
        if (clock.number() == field::ClockSnapshot_Clock::kTimestamp) ns = clock.i64();
      }
      if (domain != 0 && domain != kPrivateClock && !is_sequence_clock(domain))
        add_own_reading({machine, domain, 0}, false, ns);
    }
    finish(snapshot);
  }
}

}  // namespace tracebraid::proto
