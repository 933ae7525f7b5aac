#include "format/proto/reference/packet_walk.h"

#include <fmt/format.h>

#include "format/proto/generated/fields.h"

namespace tracebraid::reference {
namespace {

using proto::Message;
using proto::PacketFields;
using Field = proto::field::TracePacket;

std::vector<FileReading> readings_of(std::string_view snapshot) {
  std::vector<FileReading> readings;
  Message fields(snapshot);
  while (fields.next()) {
    if (fields.number() != proto::field::ClockSnapshot::kClocks) continue;
    using Clock = proto::field::ClockSnapshot_Clock;
    FileReading& reading = readings.emplace_back();
    Message clock = fields.message();
    while (clock.next()) {
      if (clock.number() == Clock::kClockId) reading.clock.clock = clock.u32();
      if (clock.number() == Clock::kTimestamp) reading.ticks = clock.i64();
      if (clock.number() == Clock::kIsIncremental) reading.is_incremental = clock.flag();
      if (clock.number() == Clock::kUnitMultiplierNs) reading.unit = clock.i64();
    }
    if (reading.unit == 0) reading.unit = 1;
  }
  return readings;
}

}  // namespace

// Applies steps 6 to 9 of spec clocks 7.1. Returns whether the packet is done.
Result<bool> PacketWalk::read_clocks(Context& context) {
  const uint32_t sequence = fields_.sequence.value_or(0);
  for (const PacketFields::Payload& payload : fields_.payloads) {
    if (payload.field == Field::kClockSnapshot) {
      TB_TRY(read_snapshot(context, payload.bytes));
      return true;
    }
    if (payload.field == Field::kRemoteClockSync) {
      constexpr uint32_t kElements = 1, kClient = 2, kHost = 3;
      std::vector<Tracker::Element> elements;
      Message sync(payload.bytes);
      while (sync.next()) {
        if (sync.number() != kElements) continue;
        Tracker::Element& element = elements.emplace_back();
        Message sides = sync.message();
        while (sides.next()) {
          if (sides.number() != kClient && sides.number() != kHost) continue;
          auto& side = sides.number() == kClient ? element.first : element.second;
          side = readings_of(sides.bytes());
          for (FileReading& reading : side) {  // units are ignored (spec clocks 8)
            reading.unit = 1;
            reading.is_incremental = false;
          }
        }
      }
      context.tracker.remote_sync(elements);
      return true;
    }
    if (payload.field == Field::kServiceEvent) {
      const uint32_t clock = fields_.clock_domain != 0 ? fields_.clock_domain : domain::kBoottime;
      context.tracker.to_trace_time({clock, is_sequence_clock(clock) ? sequence : 0},
                                    fields_.timestamp.value_or(0));
      return true;
    }
  }
  return false;
}

// Applies spec clocks 7.2.
Result<> PacketWalk::read_snapshot(Context& context, std::string_view message) {
  if (rules_.is_pinned)
    return fail(ErrorCode::BadManifest,
                "perfetto_manifest: clock overrides require the trace to use a single clock");
  const uint32_t number = fields_.sequence.value_or(0);
  uint32_t primary = 0;
  bool has_boottime = false, has_private = false;
  Message fields(message);
  while (fields.next())
    if (fields.number() == proto::field::ClockSnapshot::kPrimaryTraceClock) primary = fields.u32();
  std::vector<FileReading> readings = readings_of(message);
  for (FileReading& reading : readings) {
    has_boottime |= reading.clock.clock == domain::kBoottime;
    has_private |= reading.clock.clock == domain::kPrivate;
    if (!is_sequence_clock(reading.clock.clock)) continue;
    if (number == 0)
      return fail(ErrorCode::BadInput,
                  fmt::format("ClockSnapshot packet is specifying a sequence-scoped clock id ({}) "
                              "but the TracePacket sequence_id is zero",
                              reading.clock.clock));
    reading.clock.sequence = number;
  }
  const uint32_t claimed =
      primary != 0 ? primary : (has_boottime && !has_private ? domain::kBoottime : 0);
  if (claimed != 0) {
    const FileClock clock{claimed, is_sequence_clock(claimed) ? number : 0};
    context.tracker.claim(clock);
    context.tracker.default_clock = clock;
  }
  context.tracker.snapshot(readings);
  return {};
}

}  // namespace tracebraid::reference
