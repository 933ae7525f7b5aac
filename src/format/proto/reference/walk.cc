#include "format/proto/reference/walk.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock_domain.h"
#include "clock/reference/wrap.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/reader.h"
#include "format/proto/reference/events.h"
#include "format/proto/wire/packets.h"

namespace tracebraid::reference {
namespace {

using proto::Message;
using proto::PacketFields;
using Field = proto::field::TracePacket;

constexpr uint64_t kStateCleared = 1, kNeedsState = 2;  // of sequence_flags

// The state of one sequence of a machine.
struct SequenceState {
  bool is_valid = false;
  uint32_t clock = 0;  // of the defaults
  // Heap dumps that a later packet completes: pid and heap -> time.
  std::map<std::pair<int32_t, std::string>, int64_t> heap_dumps;
};

// One machine of the file.
struct Context {
  Tracker tracker;
  absl::flat_hash_map<uint32_t, SequenceState> sequences;
  std::optional<int64_t> last_ftrace_timestamp;
};

// A payload whose time the end of the file decides (spec clocks 7.3 step 6).
struct Deferred {
  Context* context;
  int64_t ticks;
  uint64_t at;
  std::unique_ptr<const std::string> bytes;  // of payloads with times of their own
  uint32_t sequence, field;
  FileClock clock;
  EventKind kind;
  bool is_of_same_packet;  // as the one before
};

bool is_sequence_clock(uint32_t clock) {
  return clock >= domain::kFirstOfSequence && clock <= domain::kLastOfSequence;
}

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

class Walk {
 public:
  Walk(uint32_t file, const FileRules& rules, Shared& shared)
      : file_(file), rules_(rules), shared_(shared) {}

  void read(std::string_view packet, uint64_t at) {
    shared_.at = at;
    if (Result<> done = read_packet(packet, 0); !done && !error_) error_ = std::move(done).error();
  }

  bool has_failed() const { return error_.has_value(); }

  // Reads the packets that wait for the end of the file.
  Walked finish(const proto::PacketStream& packets) {
    if (!error_) read_deferred();
    Walked walked{.tally = std::move(tally_), .error = std::move(error_), .error_at = shared_.at};
    if (packets.error() && !walked.error) walked.error = packets.error();
    walked.truncated_at = packets.truncated_at();
    return walked;
  }

 private:
  // What the payloads of a packet share.
  struct Head {
    Context* context;
    uint32_t sequence, clock;  // clock: of the tally; 0: none
    int64_t ts;
    bool has_time;
  };

  Context* add_context(uint32_t machine) {
    owned_.push_back(std::make_unique<Context>(
        Context{Tracker(shared_, file_, machine, domain::kBoottime), {}, {}}));
    return owned_.back().get();
  }

  Result<Context*> context_of(uint64_t raw_id);
  Result<> read_packet(std::string_view packet, int depth);
  Result<> read_bundle_of_packets(std::string_view packed, proto::Packing packing, int depth);
  SequenceState& update_sequence(Context& context);
  Result<bool> read_clocks(Context& context);
  Result<> read_snapshot(Context& context, std::string_view message);
  Result<> read_timed(Context& context, SequenceState& sequence);
  Result<> read_payload(const Head& head, uint32_t field, std::string_view payload);
  Result<> read_ftrace(const Head& head, std::string_view payload);
  void name_machine(const Head& head, std::string_view payload);
  void read_logs(const Head& head, std::string_view payload);
  void read_heap_dumps(const Head& head, std::string_view payload);
  void defer(Context& context, const FileClock& clock);
  void read_deferred();

  ClockTally& tally_of(const Context& context, uint32_t clock) {
    return tally_[{context.tracker.machine(), clock}];
  }
  void place(const Head& head, uint32_t clock, EventKind kind, int64_t ns);
  void lose(Context& context, const FileClock& clock, LossCause cause, const EventCounts& counts);
  void lose(Context& context, const FileClock& clock, LossCause cause, EventKind kind) {
    EventCounts counts{};
    counts[static_cast<size_t>(kind)] = 1;
    lose(context, clock, cause, counts);
  }
  void place_at(const Head& head, const FileClock& clock, EventKind kind, int64_t ticks);

  uint32_t file_;
  const FileRules& rules_;
  Shared& shared_;
  std::vector<std::unique_ptr<Context>> owned_;
  std::map<uint64_t, Context*> contexts_;  // by embedded machine id
  Context* base_ = nullptr;
  bool is_host_used_ = false, has_decided_ = false;
  PacketFields fields_;
  KernelBundle bundle_;
  std::optional<proto::Packing> packing_;
  std::vector<Deferred> deferred_;
  Tally tally_;
  std::optional<Error> error_;
};

// Applies spec clocks 4.1 and 10.6.
Result<Context*> Walk::context_of(uint64_t raw_id) {
  Machines& machines = shared_.machines;
  if (raw_id == 0) {
    if (base_ == nullptr) base_ = add_context(machines.row(rules_.base.value_or(0)));
    return base_;
  }
  if (rules_.is_of_one_machine)
    return fail(ErrorCode::BadManifest,
                "perfetto_manifest: a `machine` override attributes the file to one machine, but "
                "the file contains packets from multiple machines. Replace `machine` with a "
                "`machines` block that maps each embedded machine_id to a named machine, e.g. "
                "\"machines\": [{\"id\": 0, \"name\": \"phone\"}, {\"id\": 7, \"name\": \"vm\"}].");
  if (rules_.is_pinned)
    return fail(ErrorCode::BadManifest,
                "perfetto_manifest: a `clocks` override applies only to a single-machine file, but "
                "the file contains packets from multiple machines. Remove the `clocks` override "
                "and let the trace's own remote clock snapshots align the machines; if you need to "
                "anchor a specific embedded machine, split it into its own file and override "
                "that.");
  // The file's own machine is that of its packets, if all have one id.
  const bool is_first = !std::exchange(has_decided_, true);
  if (is_first && !is_host_used_ && rules_.remap.empty() && !rules_.base &&
      !machines.by_raw_id.contains(raw_id))
    contexts_[raw_id] = base_ = add_context(machines.row(raw_id));
  Context*& known = contexts_[raw_id];
  if (known != nullptr) return known;
  uint64_t machine = raw_id;
  if (!rules_.remap.empty()) {
    const auto at = rules_.remap.find(raw_id);
    if (at == rules_.remap.end()) {
      contexts_.erase(raw_id);
      return fail(ErrorCode::BadManifest,
                  fmt::format("perfetto_manifest: machines: trace has a packet from undeclared "
                              "machine id {}",
                              raw_id));
    }
    machine = at->second;
  }
  known = add_context(machines.row(machine));
  if (base_ != nullptr) known->tracker.default_clock = base_->tracker.default_clock;
  return known;
}

Result<> Walk::read_packet(std::string_view packet, int depth) {
  if (!fields_.read(packet))
    return fail(ErrorCode::BadInput,
                "Failed to parse proto packet fully; the trace is probably corrupt. "
                "(ERR:tp-corrupt)");
  for (const PacketFields::Payload& payload : fields_.payloads) {
    if (payload.field == Field::kCompressedPackets)
      return read_bundle_of_packets(payload.bytes, proto::Packing::Deflate, depth);
    if (payload.field == Field::kZstdCompressedPackets)
      return read_bundle_of_packets(payload.bytes, proto::Packing::Zstd, depth);
  }
  is_host_used_ |= fields_.machine == 0 && !fields_.has_marker;
  TB_TRY_ASSIGN(Context* const context, context_of(fields_.machine));
  SequenceState& sequence = update_sequence(*context);
  TB_TRY_ASSIGN(const bool is_done, read_clocks(*context));
  if (is_done || fields_.payloads.empty()) return {};
  if ((fields_.flags & kNeedsState) != 0) {
    if (fields_.sequence.value_or(0) == 0)
      return fail(ErrorCode::BadInput,
                  "TracePacket specified SEQ_NEEDS_INCREMENTAL_STATE but the TraceWriter's "
                  "sequence_id is zero (the service is probably too old)");
    if (!sequence.is_valid) {
      EventCounts counts{};
      for (const PacketFields::Payload& payload : fields_.payloads)
        if (!is_without_events(payload.field)) count_events(payload.field, payload.bytes, counts);
      const uint32_t clock = fields_.clock_domain != 0 ? fields_.clock_domain : sequence.clock;
      const FileClock usual = context->tracker.default_clock.value_or(FileClock{});
      lose(*context, clock != 0 ? FileClock{clock, 0} : usual, LossCause::NoState, counts);
      return {};
    }
  }
  return read_timed(*context, sequence);
}

Result<> Walk::read_bundle_of_packets(std::string_view packed, proto::Packing packing, int depth) {
  TB_TRY(proto::check_bundle(depth, packing, packing_));
  TB_TRY_ASSIGN(const std::string bytes, proto::unpack_bundle(packed, packing));
  for (std::string_view rest = bytes; !rest.empty();) {
    TB_TRY_ASSIGN(const std::string_view inner, proto::take_packet(rest));
    if (!inner.empty()) TB_TRY(read_packet(inner, depth + 1));
  }
  return {};
}

// Applies steps 1 to 5 of spec clocks 7.1.
SequenceState& Walk::update_sequence(Context& context) {
  SequenceState& sequence = context.sequences[fields_.sequence.value_or(0)];
  if (!fields_.sequence) return sequence;
  if (fields_.is_cleared || (fields_.flags & kStateCleared) != 0) {
    sequence.clock = 0;
    sequence.is_valid = true;
  } else if (fields_.dropped != 0) {
    sequence.is_valid = false;
  }
  if (fields_.defaults) {
    sequence.clock = 0;
    Message defaults(*fields_.defaults);
    while (defaults.next())
      if (defaults.number() == proto::field::TracePacketDefaults::kTimestampClockId)
        sequence.clock = defaults.u32();
  }
  return sequence;
}

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

// Applies steps 6 to 9 of spec clocks 7.1. Returns whether the packet is done.
Result<bool> Walk::read_clocks(Context& context) {
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
Result<> Walk::read_snapshot(Context& context, std::string_view message) {
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

void Walk::lose(Context& context, const FileClock& clock, LossCause cause,
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

void Walk::place(const Head& head, uint32_t clock, EventKind kind, int64_t ns) {
  if (ns < 0) return lose(*head.context, {clock, 0}, LossCause::BeforeZero, kind);
  ClockTally& tally = tally_of(*head.context, clock);
  ++tally.all[static_cast<size_t>(kind)];
  tally.first_ns = std::min(tally.first_ns.value_or(ns), ns);
  tally.last_ns = std::max(tally.last_ns.value_or(ns), ns);
  shared_.latest = std::max(shared_.latest, ns);
}

// Places an event with a time of its own.
void Walk::place_at(const Head& head, const FileClock& clock, EventKind kind, int64_t ticks) {
  const Tracker::Outcome time = head.context->tracker.to_trace_time(clock, ticks);
  if (time.ns)
    place(head, clock.clock, kind, *time.ns);
  else
    lose(*head.context, clock, cause_of(time.failure), kind);
}

// Applies spec clocks 7.3.
Result<> Walk::read_timed(Context& context, SequenceState& sequence) {
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

void Walk::defer(Context& context, const FileClock& clock) {
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

void Walk::read_deferred() {
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

Result<> Walk::read_payload(const Head& head, uint32_t field, std::string_view payload) {
  switch (field) {
    case Field::kTrackEvent: {
      if (head.sequence == 0) return {};
      const TrackEventHead event = read_track_event(payload);
      if (event.absolute_us) {
        int64_t ns = 0;
        if (__builtin_mul_overflow(*event.absolute_us, int64_t{1000}, &ns))
          ns = *event.absolute_us < 0 ? INT64_MIN : INT64_MAX;
        const Tracker::Outcome time =
            ns < 0 ? Tracker::Outcome{}
                   : head.context->tracker.to_trace_time({domain::kMonotonic, 0}, ns);
        place(head, domain::kMonotonic, event.kind, time.ns.value_or(ns));
      } else if (head.has_time || event.has_delta) {
        place(head, head.clock, event.kind, head.ts);
      }
      return {};
    }
    case Field::kFtraceEvents:
      return read_ftrace(head, payload);
    case Field::kAndroidLog:
      read_logs(head, payload);
      return {};
    case Field::kProfilePacket:
      read_heap_dumps(head, payload);
      return {};
    default:
      break;
  }
  if (field == Field::kSystemInfo) name_machine(head, payload);
  if (is_without_events(field)) return {};
  EventCounts counts{};
  count_events(field, payload, counts);
  place(head, head.clock, static_cast<EventKind>(std::ranges::find(counts, 1U) - counts.begin()),
        head.ts);
  return {};
}

// Applies spec clocks 7.4.
Result<> Walk::read_ftrace(const Head& head, std::string_view payload) {
  read_bundle(payload, bundle_);
  if (!bundle_.has_cpu) return {};
  FileClock clock;
  switch (bundle_.clock) {
    case 0:
      clock = {domain::kBoottime, 0};
      break;
    case 2:
    case 3:
      clock = {domain::kFirstOfSequence, head.sequence};
      break;
    case 4:
      clock = {domain::kMonotonicRaw, 0};
      break;
    default:
      return fail(ErrorCode::BadInput, "Unable to parse ftrace packets with unknown clock");
  }
  Context& context = *head.context;
  if (bundle_.ftrace_timestamp && bundle_.boot_timestamp &&
      bundle_.ftrace_timestamp != context.last_ftrace_timestamp) {
    context.last_ftrace_timestamp = bundle_.ftrace_timestamp;
    context.tracker.snapshot(
        {{clock, *bundle_.ftrace_timestamp}, {{domain::kBoottime, 0}, *bundle_.boot_timestamp}});
  }
  for (const KernelEvent& event : bundle_.events) place_at(head, clock, event.kind, event.ticks);
  return {};
}

void Walk::name_machine(const Head& head, std::string_view payload) {
  Message fields(payload);
  while (fields.next())
    if (fields.number() == proto::field::SystemInfo::kMachineName)
      shared_.machines.list[head.context->tracker.machine()].name = fields.bytes();
}

void Walk::read_logs(const Head& head, std::string_view payload) {
  constexpr uint32_t kTimestamp = 5;
  Message fields(payload);
  while (fields.next()) {
    if (fields.number() != proto::field::AndroidLogPacket::kEvents) continue;
    int64_t ticks = 0;
    Message line = fields.message();
    while (line.next())
      if (line.number() == kTimestamp) ticks = line.i64();
    place_at(head, {domain::kRealtime, 0}, EventKind::Log, ticks);
  }
}

// The dumps of a process may be split over several packets; the last says that it is complete.
void Walk::read_heap_dumps(const Head& head, std::string_view payload) {
  constexpr uint32_t kPid = 1, kTimestamp = 9, kHeapName = 11;
  auto& dumps = head.context->sequences[head.sequence].heap_dumps;
  bool is_continued = false;
  Message fields(payload);
  while (fields.next()) {
    if (fields.number() == proto::field::ProfilePacket::kContinued) is_continued = fields.flag();
    if (fields.number() != proto::field::ProfilePacket::kProcessDumps) continue;
    int32_t pid = 0;
    int64_t ticks = 0;
    std::string heap = "malloc";
    Message dump = fields.message();
    while (dump.next()) {
      if (dump.number() == kPid) pid = dump.i32();
      if (dump.number() == kTimestamp) ticks = dump.i64();
      if (dump.number() == kHeapName) heap = dump.bytes();
    }
    dumps[{pid, std::move(heap)}] = ticks;
  }
  if (is_continued) return;
  for (const auto& [name, ticks] : std::exchange(dumps, {}))
    place_at(head, {domain::kMonotonicCoarse, 0}, EventKind::HeapDump, ticks);
}

}  // namespace

Walked walk(Input& input, uint32_t file, const FileRules& rules, Shared& shared) {
  Walk walk(file, rules, shared);
  proto::PacketStream packets(input);
  proto::Packet packet;
  while (!walk.has_failed() && packets.next(packet)) walk.read(packet.bytes, packet.at);
  return walk.finish(packets);
}

}  // namespace tracebraid::reference
