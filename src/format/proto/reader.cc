#include "format/proto/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/recording/metadata.h"
#include "format/proto/stats.h"
#include "format/proto/track_event/descriptors.h"

namespace tracebraid::proto {
namespace {

using Field = field::TracePacket;

// Returns whether the payload may contain events; false for few payloads.
constexpr bool has_events(uint32_t payload) {
  return payload != Field::kExtensionDescriptor && payload != Field::kTranslationTable;
}

constexpr uint64_t kStateCleared = 1, kNeedsState = 2;  // of sequence_flags

}  // namespace

Reader::Reader(const ReadOptions& options, EventSink& sink, Chunks* chunks, size_t chunk_bytes,
               const WholeFileTables* known)
    : sink_(sink),
      clocks_(sink),
      system_tracks_(sink),
      deferred_(chunks, chunk_bytes, descriptors_, sink),
      track_events_(clocks_, translations_, descriptors_, sink),
      ftrace_(clocks_, system_tracks_, options.ftrace_raw, sink) {
  for (const std::string& set : options.proto_descriptors)
    if (!descriptors_.add_set(set)) sink.count(stats::extra_parsing_descriptors_error);
  if (known == nullptr) return;
  known_ = known;
  for (const std::string& extensions : known->extensions) descriptors_.add_extensions(extensions);
  for (const std::string& translations : known->translations) {
    read_translations(translations, translations_, sink);
    deferred_.add_translations(translations);
  }
}

Reader::Machine& Reader::machine(uint64_t raw_id) {
  if (last_machine_ != nullptr && last_raw_id_ == raw_id) return *last_machine_;
  std::unique_ptr<Machine>& known = machines_[raw_id];
  if (!known) {
    const uint32_t index = sink_.machine(raw_id);
    // Packets without a clock use the current default clock of the file's first machine.
    const DefaultClock inherited =
        first_machine_ == nullptr ? DefaultClock{} : first_machine_->default_clock;
    known = std::make_unique<Machine>(
        Machine{index, {}, Tracks(index, sink_), inherited, {}, {}, {}, {}});
    if (first_machine_ == nullptr) first_machine_ = known.get();
  }
  last_raw_id_ = raw_id;
  last_machine_ = known.get();
  return *known;
}

// The pid namespaces of processes also apply to earlier packets.
void Reader::find_namespaces(const Machine& machine, PacketInfo& info) {
  if (!info.trusted_pid) return;
  info.namespaces = &machine.namespaces;
  if (known_ == nullptr) return;
  const auto known = known_->namespaces.find(fields_.machine);
  if (known != known_->namespaces.end()) info.namespaces = &known->second;
}

void Reader::read(const Packet& packet, int depth) {
  Result<> done = read_fields(packet, depth);
  if (done || error_) return;
  error_ = std::move(done).error();
  error_->message += fmt::format(" at offset {}", packet.at);
}

Result<> Reader::read_fields(const Packet& packet, int depth) {
  if (!fields_.read(packet.bytes))
    return fail(ErrorCode::BadInput,
                "Failed to parse proto packet fully; the trace is probably corrupt. "
                "(ERR:tp-corrupt)");
  for (const PacketFields::Payload& payload : fields_.payloads) {
    if (payload.field == Field::kCompressedPackets)
      return read_bundle_of_packets(packet, payload.bytes, Packing::Deflate, depth);
    if (payload.field == Field::kZstdCompressedPackets)
      return read_bundle_of_packets(packet, payload.bytes, Packing::Zstd, depth);
  }
  // The file's own machine takes the id of the first other machine, unless it was used before (spec
  // clocks 4.1).
  if (fields_.machine == 0 && !fields_.has_marker) {
    sink_.batch().host_used = true;
    sink_.batch().host_used_first |= sink_.batch().machines.size() == 1;
  }
  deferred_.begin_packet(packet.bytes.size(), packet.owner);
  Machine& machine = this->machine(fields_.machine);
  bool is_new = false;
  PacketInfo info{.machine = machine.index, .at = packet.at, .trusted_pid = fields_.trusted_pid};
  find_namespaces(machine, info);
  info.sequence = &machine.sequences.get(fields_.sequence.value_or(0), is_new);
  if (fields_.sequence && !is_new && fields_.dropped != 0)
    info.sequence->losses.note_dropped(fields_.dropped);
  for (const PacketFields::Payload& payload : fields_.payloads)
    if (payload.field == Field::kTraceAttributes)
      read_trace_attributes(machine.index, payload.bytes, sink_);
  update_sequence(info);
  bool is_done = false;
  TB_TRY(read_first(machine, info, is_done));
  if (is_done) return {};
  if ((fields_.flags & kNeedsState) != 0) {
    if (fields_.sequence.value_or(0) == 0)
      return fail(ErrorCode::BadInput,
                  "TracePacket specified SEQ_NEEDS_INCREMENTAL_STATE but the TraceWriter's "
                  "sequence_id is zero (the service is probably too old)");
    ++info.sequence->losses.needed_state;
    if (!info.sequence->is_valid) {
      ++info.sequence->losses.lacked_state;
      sink_.count(stats::packet_skipped_seq_needs_incremental_state_invalid, packet.at, {},
                  machine.index);
      return {};
    }
  }
  if (fields_.payloads.empty()) return {};
  info.has_time = fields_.timestamp.has_value();
  TB_TRY_ASSIGN(info.time, time_of(machine, info));
  if (fields_.payloads.size() == 1) {
    TB_TRY_ASSIGN(const bool is_deferred, defer(machine, info, fields_.payloads.front()));
    if (is_deferred) return {};
  }
  for (const PacketFields::Payload& payload : fields_.payloads) {
    if (has_events(payload.field))
      deferred_.before_direct(payload.field == Field::kFtraceEvents
                                  ? DeferredPackets::Events::OfCpus
                                  : DeferredPackets::Events::OfPackets);
    TB_TRY(read_payload(machine, info, payload));
  }
  return {};
}

// Defers the payload if possible. Payloads that change the meaning of others are read at once.
Result<bool> Reader::defer(Machine& machine, PacketInfo& info,
                           const PacketFields::Payload& payload) {
  if (!deferred_.is_open()) return false;
  switch (payload.field) {
    case Field::kTrackEvent:
      return defer_track_event(machine, info, payload.bytes);
    case Field::kTrackDescriptor:
      return defer_descriptor(machine, info, payload.bytes);
    case Field::kFtraceEvents:
      return defer_bundle(machine, info, payload.bytes);
    default:
      return false;
  }
}

bool Reader::defer_track_event(Machine& machine, const PacketInfo& info, std::string_view message) {
  if (!info.has_time || info.sequence->id == 0 ||
      (info.has_namespace() && has_thread_override(message)))
    return false;
  // Decoding begins with the state of the sequence before this packet.
  deferred_.add_packet(DeferredStep::What::TrackEvent, info, message, machine.tracks);
  const bool has_reference = info.sequence->thread.has_reference;
  if (!has_reference && !machine.tracks.has_incremental_counters) return true;
  const CountsOn counts = counts_on(message);
  if ((has_reference && counts.times) || (machine.tracks.has_incremental_counters && counts.values))
    track_events_.skim(info, message, machine.tracks);
  return true;
}

bool Reader::defer_descriptor(Machine& machine, const PacketInfo& info, std::string_view message) {
  Tracks& tracks = machine.tracks;
  if (!info.has_time || info.has_namespace() || tracks.orders_processes || tracks.orders_threads)
    return false;
  if (info.trusted_pid) machine.namespaces.note_asked(*info.trusted_pid);
  const std::optional<bool> is_declared = declare_track(info, message, tracks, sink_);
  if (!is_declared) return false;
  if (*is_declared) deferred_.add_packet(DeferredStep::What::Descriptor, info, message, tracks);
  return true;
}

Result<bool> Reader::defer_bundle(Machine& machine, PacketInfo& info, std::string_view message) {
  if (!FtraceReader::is_only_compact(message)) return false;
  TB_TRY_ASSIGN(const std::optional<CompactBundle> bundle,
                ftrace_.read_compact_bundle(info, message, machine.ftrace));
  if (!bundle) return true;
  const uint64_t events = count_compact_sched(bundle->message);
  const std::optional<uint32_t> clock = clocks_.index(machine.index, bundle->clock, events);
  if (clock)
    deferred_.add_compact(info, *clock, DeferredStep::pack(bundle->cpu, events), bundle->message);
  return clock.has_value();
}

// Applies steps 3 to 5 of spec clocks 7.1; proto 1.1.
void Reader::update_sequence(PacketInfo& info) {
  Sequence& sequence = *info.sequence;
  const bool has_id = fields_.sequence.has_value();
  const auto complain = [&](StatId stat) { sink_.count(stat, info.at, {}, info.machine); };
  if (fields_.is_first && !std::exchange(sequence.has_first_packet, true))
    DeferredPackets::note_changed(sequence);
  if (fields_.is_cleared || (fields_.flags & kStateCleared) != 0) {
    if (has_id) {
      sequence.clear();
      deferred_.change(sequence, DeferredStep::What::Clear, {}, info.at);
    } else {
      complain(stats::incremental_state_cleared_missing_sequence_id);
    }
  } else if (fields_.dropped != 0) {
    if (has_id) {
      sequence.lose_packets();
      deferred_.change(sequence, DeferredStep::What::Loss, {}, info.at);
    } else {
      complain(stats::previous_packet_dropped_missing_sequence_id);
    }
  }
  if (fields_.defaults) {
    if (has_id) {
      sequence.defaults = read_defaults(*fields_.defaults);
      deferred_.change(sequence, DeferredStep::What::Defaults, *fields_.defaults, info.at);
    } else {
      complain(stats::trace_packet_defaults_missing_sequence_id);
    }
  }
  if (!fields_.interned) return;
  if (!has_id) {
    complain(stats::interned_data_missing_sequence_id);
  } else if (!sequence.is_valid) {
    complain(stats::interned_data_skipped_incremental_state_invalid);
  } else {
    if (!sequence.interned) sequence.interned = std::make_unique<InternedData>();
    const uint32_t errors = read_interned(*fields_.interned, *sequence.interned, sink_);
    for (uint32_t i = 0; i < errors; ++i) complain(stats::interned_data_tokenizer_errors);
    if (!deferred_.is_used()) return;
    sequence.interned_log.add(*fields_.interned);
    deferred_.change(sequence, DeferredStep::What::Interned, *fields_.interned, info.at);
  }
}

// Applies steps 6 to 10: packets about clocks and the service only.
Result<> Reader::read_first(Machine& machine, PacketInfo& info, bool& is_done) {
  const uint32_t sequence = fields_.sequence.value_or(0);
  for (const PacketFields::Payload& payload : fields_.payloads) {
    switch (payload.field) {
      case Field::kClockSnapshot:
        is_done = true;
        return clocks_.snapshot(machine.index, sequence, payload.bytes, info.at,
                                machine.default_clock);
      case Field::kRemoteClockSync:
        is_done = true;
        return clocks_.remote_sync(machine.index, sequence, payload.bytes, info.at);
      case Field::kServiceEvent: {
        is_done = true;
        ClockChoice choice{.domain = field::BuiltinClock::kBoottime,
                           .by_default = true,
                           .on_failure = OnFailure::KeepRaw};
        if (fields_.clock_domain != 0) {
          choice.domain = fields_.clock_domain;
          choice.by_default = false;
          if (is_sequence_clock(choice.domain)) choice.sequence = sequence;
        }
        const EventTime time = clocks_.time(machine.index, choice, fields_.timestamp.value_or(0));
        read_service_event(machine.index, time, payload.bytes, sink_);
        return {};
      }
      default:
        break;
    }
  }
  return {};
}

// Applies spec clocks 7.3.
Result<EventTime> Reader::time_of(const Machine& machine, const PacketInfo& info) {
  if (!fields_.timestamp) return clocks_.latest(machine.index);
  const bool is_chrome = std::ranges::any_of(fields_.payloads, [](const auto& payload) {
    return payload.field == Field::kChromeEvents || payload.field == Field::kChromeMetadata;
  });
  constexpr uint32_t kMonotonic = field::BuiltinClock::kMonotonic;
  if (is_chrome && (fields_.clock_domain == 0 || fields_.clock_domain == kMonotonic))
    return clocks_.time(machine.index,
                        {.domain = kMonotonic,
                         .by_default = fields_.clock_domain == 0,
                         .on_failure = OnFailure::KeepRaw},
                        *fields_.timestamp);
  ClockChoice choice{.domain = fields_.clock_domain};
  if (choice.domain == 0) choice.domain = info.sequence->defaults.clock_domain;
  if (is_sequence_clock(choice.domain)) {
    choice.sequence = info.sequence->id;
    if (choice.sequence == 0)
      return fail(ErrorCode::BadInput,
                  fmt::format("TracePacket specified a sequence-local clock id ({}) but the "
                              "TraceWriter's sequence_id is zero (the service is probably too "
                              "old)",
                              choice.domain));
  }
  if (choice.domain == 0) {
    choice = {.domain = machine.default_clock.domain,
              .sequence = machine.default_clock.sequence,
              .by_default = true};
    if (choice.domain == 0) return clocks_.raw(machine.index, *fields_.timestamp);
  }
  return clocks_.time(machine.index, choice, *fields_.timestamp);
}

Result<> Reader::read_bundle_of_packets(const Packet& outer, std::string_view packed,
                                        Packing packing, int depth) {
  TB_TRY(check_bundle(depth, packing, packing_));
  TB_TRY_ASSIGN(std::string bytes, unpack_bundle(packed, packing));
  const auto unpacked = std::make_shared<const std::string>(std::move(bytes));
  for (std::string_view rest = *unpacked; !rest.empty();) {
    TB_TRY_ASSIGN(const std::string_view inner, take_packet(rest));
    if (!inner.empty()) read({inner, outer.at, unpacked}, depth + 1);
  }
  return {};
}

}  // namespace tracebraid::proto
