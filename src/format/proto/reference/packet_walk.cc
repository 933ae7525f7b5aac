#include "format/proto/reference/packet_walk.h"

#include <fmt/format.h>

#include "format/proto/generated/fields.h"

namespace tracebraid::reference {
namespace {

using proto::Message;
using proto::PacketFields;
using Field = proto::field::TracePacket;

constexpr uint64_t kStateCleared = 1, kNeedsState = 2;  // of sequence_flags

}  // namespace

// Applies spec clocks 4.1 and 10.6.
Result<Context*> PacketWalk::context_of(uint64_t raw_id) {
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

Result<> PacketWalk::read_packet(std::string_view packet, int depth) {
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

Result<> PacketWalk::read_bundle_of_packets(std::string_view packed, proto::Packing packing,
                                            int depth) {
  TB_TRY(proto::check_bundle(depth, packing, packing_));
  TB_TRY_ASSIGN(const std::string bytes, proto::unpack_bundle(packed, packing));
  for (std::string_view rest = bytes; !rest.empty();) {
    TB_TRY_ASSIGN(const std::string_view inner, proto::take_packet(rest));
    if (!inner.empty()) TB_TRY(read_packet(inner, depth + 1));
  }
  return {};
}

// Applies steps 1 to 5 of spec clocks 7.1.
SequenceState& PacketWalk::update_sequence(Context& context) {
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

Walked walk(Input& input, uint32_t file, const FileRules& rules, Shared& shared) {
  PacketWalk walk(file, rules, shared);
  proto::PacketStream packets(input);
  proto::Packet packet;
  while (!walk.has_failed() && packets.next(packet)) walk.read(packet.bytes, packet.at);
  return walk.finish(packets);
}

}  // namespace tracebraid::reference
