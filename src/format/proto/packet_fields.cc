// The head of a packet.
#include <utility>

#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/reader.h"

namespace tracebraid::proto {

using Field = field::TracePacket;

std::string_view packet_field_name(uint32_t number) {
  switch (number) {
#define TB_PACKET(field_number, name) \
  case field_number:                  \
    return name;
#include "format/proto/generated/packet_names.inc"
#undef TB_PACKET
    default:
      return {};
  }
}

bool PacketFields::read(std::string_view packet) {
  std::vector<Payload> kept = std::move(payloads);
  kept.clear();
  *this = {};
  payloads = std::move(kept);
  Message fields(packet);
  while (fields.next()) {
    switch (fields.number()) {
      case Field::kTimestamp:
        timestamp = fields.i64();
        break;
      case Field::kTimestampClockId:
        clock_domain = fields.u32();
        break;
      case Field::kTrustedPacketSequenceId:
        sequence = fields.u32();
        break;
      case Field::kSequenceFlags:
        flags = fields.u64();
        break;
      case Field::kIncrementalStateCleared:
        is_cleared = fields.flag();
        break;
      case Field::kPreviousPacketDropped:
        dropped = fields.u64();
        break;
      case Field::kFirstPacketOnSequence:
        is_first = fields.flag();
        break;
      case Field::kMachineId:
        machine = fields.u32();
        break;
      case Field::kTrustedPid:
        trusted_pid = fields.i32();
        break;
      case Field::kSynchronizationMarker:
        has_marker = true;
        break;
      case Field::kTracePacketDefaults:
        defaults = fields.bytes();
        break;
      case Field::kInternedData:
        interned = fields.bytes();
        break;
      default:
        if (fields.wire() == Wire::Bytes) payloads.push_back({fields.number(), fields.bytes()});
        break;
    }
  }
  return !fields.bad();
}

}  // namespace tracebraid::proto
