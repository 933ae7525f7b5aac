#include "format/proto/reference/packet_walk.h"

#include <fmt/format.h>

#include <algorithm>

#include "format/proto/generated/fields.h"

namespace tracebraid::reference {
namespace {

using proto::PacketFields;
using Field = proto::field::TracePacket;

bool has_own_times(uint32_t field) {
  return field == Field::kFtraceEvents || field == Field::kAndroidLog ||
         field == Field::kProfilePacket || field == Field::kTrackEvent;
}

LossCause cause_of(Failure failure) {
  switch (failure) {
    case Failure::UnknownSource:
      return LossCause::UnknownSource;
    case Failure::UnknownTarget:
      return LossCause::UnknownTarget;
    case Failure::NoPath:
      break;
  }
  return LossCause::NoPath;
}

}  // namespace

void PacketWalk::lose(Context& context, const FileClock& clock, LossCause cause,
                      const EventCounts& counts) {
  if (total(counts) == 0) return;
  ClockTally& tally = tally_of(context, clock.clock);
  LostEvents& lost = tally.lost[static_cast<size_t>(cause)];
  if (!lost.is_any) {
    lost.is_any = true;
    lost.first_at = shared_.at;
    lost.source = context.tracker.qualify(clock);
  }
  for (size_t i = 0; i < counts.size(); ++i) {
    tally.all[i] += counts[i];
    lost.counts[i] += counts[i];
  }
}

void PacketWalk::place(const Head& head, uint32_t clock, EventKind kind, int64_t ns) {
  if (ns < 0) return lose(*head.context, {clock, 0}, LossCause::BeforeZero, kind);
  ClockTally& tally = tally_of(*head.context, clock);
  ++tally.all[static_cast<size_t>(kind)];
  tally.first_ns = std::min(tally.first_ns.value_or(ns), ns);
  tally.last_ns = std::max(tally.last_ns.value_or(ns), ns);
  shared_.latest = std::max(shared_.latest, ns);
}

// Places an event with a time of its own.
void PacketWalk::place_at(const Head& head, const FileClock& clock, EventKind kind, int64_t ticks) {
  const Tracker::Outcome time = head.context->tracker.to_trace_time(clock, ticks);
  if (time.ns)
    place(head, clock.clock, kind, *time.ns);
  else
    lose(*head.context, clock, cause_of(time.failure), kind);
}

// Applies spec clocks 7.3.
Result<> PacketWalk::read_timed(Context& context, SequenceState& sequence) {
  const uint32_t number = fields_.sequence.value_or(0);
  Head head{&context, number, 0, shared_.latest, fields_.timestamp.has_value()};
  if (head.has_time) {
    head.ts = *fields_.timestamp;
    const bool is_chrome = std::ranges::any_of(fields_.payloads, [](const auto& payload) {
      return payload.field == Field::kChromeEvents || payload.field == Field::kChromeMetadata;
    });
    const uint32_t named = fields_.clock_domain;
    std::optional<FileClock> clock = context.tracker.default_clock;
    if (named != 0 || sequence.clock != 0) {
      const uint32_t known = named != 0 ? named : sequence.clock;
      clock = FileClock{known, is_sequence_clock(known) ? number : 0};
    }
    if (is_chrome && (named == 0 || named == domain::kMonotonic)) {
      head.clock = domain::kMonotonic;
      const Tracker::Outcome time = context.tracker.to_trace_time({domain::kMonotonic, 0}, head.ts);
      head.ts = time.ns.value_or(head.ts);
    } else if (clock) {
      if (is_sequence_clock(clock->clock) && clock->sequence == 0)
        return fail(ErrorCode::BadInput,
                    fmt::format("TracePacket specified a sequence-local clock id ({}) but the "
                                "TraceWriter's sequence_id is zero (the service is probably too "
                                "old)",
                                clock->clock));
      head.clock = clock->clock;
      const Tracker::Outcome time = context.tracker.to_trace_time(*clock, head.ts);
      if (!time.ns) {
        defer(context, *clock);
        return {};
      }
      head.ts = *time.ns;
    }
  }
  shared_.latest = std::max(shared_.latest, head.ts);
  for (const PacketFields::Payload& payload : fields_.payloads)
    TB_TRY(read_payload(head, payload.field, payload.bytes));
  return {};
}

void PacketWalk::defer(Context& context, const FileClock& clock) {
  bool is_first = true;
  for (const PacketFields::Payload& payload : fields_.payloads) {
    if (is_without_events(payload.field) && !is_first) continue;
    const bool is_kept = has_own_times(payload.field);
    EventKind kind = EventKind::Packet;
    if (!is_kept) {
      EventCounts counts{};
      count_events(payload.field, payload.bytes, counts);
      kind = static_cast<EventKind>(std::ranges::find(counts, 1U) - counts.begin());
    }
    deferred_.push_back({&context, *fields_.timestamp, shared_.at,
                         is_kept ? std::make_unique<const std::string>(payload.bytes) : nullptr,
                         fields_.sequence.value_or(0), payload.field, clock, kind, !is_first});
    is_first = false;
  }
}

void PacketWalk::read_deferred() {
  Tracker::Outcome time;
  for (Deferred& waiting : deferred_) {
    shared_.at = waiting.at;
    if (!waiting.is_of_same_packet)
      time = waiting.context->tracker.to_trace_time(waiting.clock, waiting.ticks);
    const std::string_view payload =
        waiting.bytes ? std::string_view(*waiting.bytes) : std::string_view();
    if (time.ns) {
      const Head head{waiting.context, waiting.sequence, waiting.clock.clock, *time.ns, true};
      shared_.latest = std::max(shared_.latest, head.ts);
      if (Result<> done = read_payload(head, waiting.field, payload); !done) {
        error_ = std::move(done).error();
        return;
      }
      continue;
    }
    EventCounts counts{};
    if (waiting.bytes)
      count_events(waiting.field, payload, counts);
    else if (!is_without_events(waiting.field))
      counts[static_cast<size_t>(waiting.kind)] = 1;
    lose(*waiting.context, waiting.clock, cause_of(time.failure), counts);
  }
}

}  // namespace tracebraid::reference
