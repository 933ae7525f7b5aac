#include "format/proto/system/network.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/android_uid.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/proto_wire.h"
#include "format/proto/generated/fields.h"
#include "format/proto/system/stats.h"

namespace tracebraid::proto {
namespace {

// The common fields of a NetworkPacketEvent, for one packet or several.
struct Context {
  uint32_t direction = 0;
  std::string_view interface;
  int64_t length = 0, uid = 0, tag = 0;
  uint32_t protocol = 0;
  std::optional<uint32_t> tcp_flags;
  std::optional<int64_t> local_port, remote_port, icmp_type, icmp_code;
};

Context read_context(std::string_view message) {
  using Field = field::NetworkPacketEvent;
  Context c;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kDirection:
        c.direction = fields.u32();
        break;
      case Field::kNetworkInterface:
        c.interface = fields.bytes();
        break;
      case Field::kLength:
        c.length = fields.u32();
        break;
      case Field::kUid:
        c.uid = fields.u32();
        break;
      case Field::kTag:
        c.tag = fields.u32();
        break;
      case Field::kIpProto:
        c.protocol = fields.u32();
        break;
      case Field::kTcpFlags:
        c.tcp_flags = fields.u32();
        break;
      case Field::kLocalPort:
        c.local_port = fields.u32();
        break;
      case Field::kRemotePort:
        c.remote_port = fields.u32();
        break;
      case Field::kIcmpType:
        c.icmp_type = fields.u32();
        break;
      case Field::kIcmpCode:
        c.icmp_code = fields.u32();
        break;
      default:
        break;
    }
  }
  return c;
}

std::string transport(uint32_t protocol) {
  switch (protocol) {
    case 1:
      return "IPPROTO_ICMP";
    case 6:
      return "IPPROTO_TCP";
    case 17:
      return "IPPROTO_UDP";
    case 50:
      return "IPPROTO_ESP";
    case 58:
      return "IPPROTO_ICMPV6";
    default:
      return fmt::format("IPPROTO ({})", protocol);
  }
}

// Returns FIN, SYN, RST, PSH, ACK, URG, ECE, CWR; dots for unset flags.
std::string tcp_flags(uint32_t flags) {
  std::string text = "fsrpauec";
  for (size_t i = 0; i < text.size(); ++i)
    if ((flags >> i & 1) == 0) text[i] = '.';
  return text;
}

// Packets shown as one slice.
struct Amount {
  int64_t packets = 1, bytes = 0, duration_ns = 0;
};

uint32_t args_of(const Context& c, const Amount& amount, PacketOutput& out) {
  const auto add_if = [&](std::string_view key, const std::optional<int64_t>& value) {
    if (value) add_int(key, *value, out.sink);
  };
  out.sink.open_args();
  add_int("packet_length", amount.bytes, out.sink);
  add_int("packet_count", amount.packets, out.sink);
  add_int("socket_uid", c.uid, out.sink);
  add_if("local_port", c.local_port);
  add_if("remote_port", c.remote_port);
  add_if("packet_icmp_type", c.icmp_type);
  add_if("packet_icmp_code", c.icmp_code);
  add_text("packet_transport", transport(c.protocol), out.sink);
  add_text("socket_tag", fmt::format("{:#x}", c.tag), out.sink);
  if (c.tcp_flags) add_text("packet_tcp_flags", tcp_flags(*c.tcp_flags), out.sink);
  return out.sink.close_args();
}

void emit(const PacketInfo& packet, const EventTime& time, const Context& c, const Amount& amount,
          NetworkState& state, PacketOutput& out) {
  constexpr uint32_t kIngress = 1, kEgress = 2;
  const std::string_view direction = c.direction == kIngress  ? "Received"
                                     : c.direction == kEgress ? "Transmitted"
                                                              : "DIR_UNKNOWN";
  const uint32_t track =
      out.tracks.track({.lanes = Lanes::ByCookie,
                        .machine = packet.machine,
                        .type = out.sink.string("network_packets"),
                        .name = out.sink.string(fmt::format("{} {}", c.interface, direction))},
                       {{"net_interface", c.interface}, {"net_direction", direction}});
  state.slices.push_back({time, track, args_of(c, amount, out), c.uid, amount.duration_ns});
}

// Readings of different clocks cannot be compared here.
bool is_known(const PackageState::Package& package, const EventTime& at) {
  return package.known_since.clock != at.clock || package.known_since.ticks <= at.ticks;
}

}  // namespace

void read_network_packet(const PacketInfo& packet, std::string_view message, NetworkState& state,
                         PacketOutput& out) {
  const Context context = read_context(message);
  emit(packet, packet.time, context, {.bytes = context.length}, state, out);
}

void read_network_bundle(const PacketInfo& packet, std::string_view message, NetworkState& state,
                         PacketOutput& out) {
  using Field = field::NetworkPacketBundle;
  std::optional<std::string_view> own;
  uint64_t iid = 0;
  Amount total{.packets = 0};
  std::vector<int64_t> times, lengths;
  for (Message fields(message); fields.next();) {
    switch (fields.number()) {
      case Field::kIid:
        iid = fields.u64();
        break;
      case Field::kCtx:
        own = fields.bytes();
        break;
      case Field::kPacketTimestamps:
        for_each_varint(fields, [&](uint64_t v) { times.push_back(static_cast<int64_t>(v)); });
        break;
      case Field::kPacketLengths:
        for_each_varint(fields, [&](uint64_t v) { lengths.push_back(static_cast<uint32_t>(v)); });
        break;
      case Field::kTotalPackets:
        total.packets = fields.u32();
        break;
      case Field::kTotalDuration:
        total.duration_ns = fields.i64();
        break;
      case Field::kTotalLength:
        total.bytes = fields.i64();
        break;
      default:
        break;
    }
  }
  // The context may be interned once for many bundles.
  if (!own) {
    const std::string* interned =
        packet.sequence->find_message(field::InternedData::kPacketContext, iid);
    if (interned == nullptr) return out.count(stats::network_trace_intern_errors, packet);
    for (Message fields(*interned); fields.next();)
      if (fields.number() == field::NetworkPacketContext::kCtx) own = fields.bytes();
    if (!own) return out.count(stats::network_trace_intern_errors, packet);
  }
  if (times.size() != lengths.size()) return out.count(stats::network_trace_parse_errors, packet);
  const Context context = read_context(*own);
  if (times.empty()) return emit(packet, packet.time, context, total, state, out);
  for (size_t i = 0; i < times.size(); ++i) {
    EventTime time = packet.time;
    if (__builtin_add_overflow(time.ticks, times[i], &time.ticks)) continue;
    emit(packet, time, context, {.bytes = lengths[i]}, state, out);
  }
}

void finish_network(const NetworkState& state, const PackageState& packages, PacketOutput& out) {
  for (const NetworkState::Slice& slice : state.slices) {
    const auto package = packages.by_app_id.find(app_of_uid(static_cast<uint64_t>(slice.uid)));
    const std::string name =
        package == packages.by_app_id.end() || !is_known(package->second, slice.time)
            ? fmt::format("uid={}", slice.uid)
            : package->second.name;
    out.event(slice.time, EventKind::Slice, slice.track, name, slice.args, slice.duration_ns);
  }
}

}  // namespace tracebraid::proto
