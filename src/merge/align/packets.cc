#include "merge/align/packets.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "merge/align/call_args.h"

namespace tracebraid::align {
namespace {

constexpr size_t kMostPackets = 1 << 20;  // of a file

enum PacketField : uint8_t {
  kPacketFrom,
  kPacketTo,
  kPacketFromPort,
  kPacketToPort,
  kPacketSequence,
  kPacketAcknowledged,
  kPacketFlags,
  kPacketLength,
  kPacketIpId,
  kPacketPayload,
  kPacketDirection,
  kPacketFields
};
constexpr ArgName kPacketNames[] = {
    {"saddr", kPacketFrom},
    {"src", kPacketFrom},
    {"srcaddr", kPacketFrom},
    {"sourceaddress", kPacketFrom},
    {"ipsrc", kPacketFrom},
    {"daddr", kPacketTo},
    {"dst", kPacketTo},
    {"dstaddr", kPacketTo},
    {"destinationaddress", kPacketTo},
    {"ipdst", kPacketTo},
    {"sport", kPacketFromPort},
    {"srcport", kPacketFromPort},
    {"sourceport", kPacketFromPort},
    {"tcpsrcport", kPacketFromPort},
    {"udpsrcport", kPacketFromPort},
    {"dport", kPacketToPort},
    {"dstport", kPacketToPort},
    {"destport", kPacketToPort},
    {"destinationport", kPacketToPort},
    {"tcpdstport", kPacketToPort},
    {"udpdstport", kPacketToPort},
    {"seq", kPacketSequence},
    {"tcpseq", kPacketSequence},
    {"tcpseqraw", kPacketSequence},
    {"sequencenumber", kPacketSequence},
    {"ack", kPacketAcknowledged},
    {"ackseq", kPacketAcknowledged},
    {"tcpack", kPacketAcknowledged},
    {"tcpackraw", kPacketAcknowledged},
    {"acknowledgementnumber", kPacketAcknowledged},
    {"flags", kPacketFlags},
    {"tcpflags", kPacketFlags},
    {"len", kPacketLength},
    {"length", kPacketLength},
    {"ipid", kPacketIpId},
    {"payloadhash", kPacketPayload},
    {"direction", kPacketDirection},
};

// Where a packet was seen. The kernel may trace one packet at several places; the first of the file
// in this order counts. `net_dev_xmit` follows the driver, which may be late.
struct PacketPlace {
  std::string_view name;
  bool is_send;
};
constexpr PacketPlace kPacketPlaces[] = {
    {"net_dev_start_xmit", true},      {"net_dev_queue", true},      {"net_dev_xmit", true},
    {"napi_gro_receive_entry", false}, {"netif_receive_skb", false},
};
constexpr size_t kPacketByDirection =
    std::size(kPacketPlaces);  // a capture whose args say the direction

struct SeenPacket {
  size_t place;
  uint64_t connection = 0;  // hash of both ends, equal for both directions
  FlowMoment moment;
};

class PacketReader {
 public:
  PacketReader(const FileToLocate& file, std::span<const BatchTrackers> batches, size_t first,
               FlowMoments& all)
      : batches_(batches), first_(first), all_(all), recordings_(file.file, all.recordings) {}

  void read() {
    for (size_t i = 0; i < batches_.size(); ++i) read_batch(first_ + i, batches_[i]);
    const size_t before = all_.moments.size();
    for (const SeenPacket& seen : seen_)
      if (counts(seen.place) && !relative_.contains(seen.connection))
        all_.moments.push_back(seen.moment);
    keep_some(before, kMostPackets, [](const FlowMoment& m) { return m.key; }, all_.moments);
  }

 private:
  void read_batch(size_t index, const BatchTrackers& batch) {
    batch_ = batch.batch;
    args_.begin(*batch_);
    if (!args_.has(kPacketFrom) || !args_.has(kPacketTo)) return;
    if (!args_.has(kPacketSequence) && !args_.has(kPacketPayload)) return;
    recordings_.begin(index, batch);
    for (const Stream& stream : batch_->streams)
      for (const Event& event : stream.events)
        if (is_packet_kind(event.what())) read_event(event);
  }

  static bool is_packet_kind(EventKind kind) {
    return kind == EventKind::Instant || kind == EventKind::Slice ||
           kind == EventKind::SliceBegin || kind == EventKind::FtraceEvent ||
           kind == EventKind::FtraceRow;
  }

  void read_event(const Event& event) {
    args_.read(event);
    SeenPacket seen{.place = place_of(event)};
    if (seen.place > kPacketByDirection || !set_key(seen)) return;
    const bool is_send =
        seen.place == kPacketByDirection ? is_out_ : kPacketPlaces[seen.place].is_send;
    const auto at = reading_ns(*batch_, event);
    seen.moment.recording = recordings_.of(event.clock);
    if (!at || seen.moment.recording == kNone) return;
    seen.moment.role = is_send ? FlowMoment::Role::Start : FlowMoment::Role::End;
    seen.moment.cause = seen.moment.effect = *at;
    has_[seen.place] = true;
    seen_.push_back(seen);
  }

  // Returns an index of kPacketPlaces, kPacketByDirection, or more for an event that is no packet.
  size_t place_of(const Event& event) {
    const std::string_view name = event.name ? batch_->strings.get(event.name) : "";
    const auto at = std::ranges::find(kPacketPlaces, name, &PacketPlace::name);
    if (at != std::end(kPacketPlaces)) return static_cast<size_t>(at - kPacketPlaces);
    const std::string direction = in_lower_case(args_.text(kPacketDirection));
    const auto is_any = [&](auto... words) { return ((direction == words) || ...); };
    is_out_ = is_any("out", "send", "sent", "tx", "egress", "transmitted");
    if (is_out_ || is_any("in", "receive", "received", "rx", "ingress")) return kPacketByDirection;
    return kPacketByDirection + 1;
  }

  // Sets the key; false if the args name no packet.
  bool set_key(SeenPacket& seen) {
    const uint64_t from = args_.hash(kPacketFrom), to = args_.hash(kPacketTo);
    const uint64_t from_port = args_.hash(kPacketFromPort), to_port = args_.hash(kPacketToPort);
    if (from == 0 || to == 0 || from_port == 0 || to_port == 0) return false;
    FlowMoment& moment = seen.moment;
    const uint64_t ends = mix(mix(mix(mix(1, from), to), from_port), to_port);
    const auto sequence = args_.number(kPacketSequence),
               acknowledged = args_.number(kPacketAcknowledged);
    seen.connection = mix(from, from_port) ^ mix(to, to_port);
    if (sequence && acknowledged) {
      // A connection with small numbers counts from 0, as others do.
      const auto is_small = [](int64_t number) { return number >= 0 && number < 1 << 16; };
      if (is_small(*sequence) || (*acknowledged != 0 && is_small(*acknowledged)))
        relative_.insert(seen.connection);
      constexpr uint64_t kBits = 0xffffffff;
      moment.id = (static_cast<uint64_t>(*sequence) & kBits) << 32 |
                  (static_cast<uint64_t>(*acknowledged) & kBits);
      // The kernel's length has the header of the device on one side only.
      const uint64_t length = seen.place == kPacketByDirection ? args_.hash(kPacketLength) : 0;
      moment.key = mix(mix(mix(ends, moment.id), args_.hash(kPacketFlags)), length);
    } else if (args_.found(kPacketIpId) && args_.number(kPacketPayload)) {
      moment.id = static_cast<uint64_t>(*args_.number(kPacketPayload));
      moment.key = mix(mix(ends, args_.hash(kPacketIpId)), moment.id);
    }
    moment.is_global = is_evidently_global(moment.id);
    return moment.is_global;
  }

  // Whether the file has no better place of the same direction.
  bool counts(size_t place) const {
    for (size_t other = 0; other < place && place < kPacketByDirection; ++other)
      if (has_[other] && kPacketPlaces[other].is_send == kPacketPlaces[place].is_send) return false;
    return true;
  }

  std::span<const BatchTrackers> batches_;
  size_t first_;
  FlowMoments& all_;
  const EventBatch* batch_ = nullptr;
  RecordingIndex recordings_;
  CallArgs<kPacketFields> args_{kPacketNames};
  bool is_out_ = false;  // the direction that the args of the event say
  std::array<bool, kPacketByDirection + 1> has_{};
  std::vector<SeenPacket> seen_;
  absl::flat_hash_set<uint64_t> relative_;  // connections
};

}  // namespace

FlowMoments read_packets(std::span<const FileToLocate> files, const Trackers& trackers) {
  FlowMoments all;
  for_each_file(trackers, [&](size_t file, std::span<const BatchTrackers> batches, size_t first) {
    PacketReader(files[file], batches, first, all).read();
  });
  return all;
}

}  // namespace tracebraid::align
