// The format: protobuf traces of Perfetto.
#include "format/proto/proto.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "event/stats.h"
#include "format/common/proto_wire.h"
#include "format/format.h"
#include "format/proto/generated/fields.h"
#include "format/proto/reader.h"
#include "format/proto/wire/packets.h"

namespace tracebraid::proto {
namespace {

// The first packet, as far as the head of the file contains it.
struct FirstPacket {
  std::optional<uint64_t> size;  // nothing if the head ends within it
  std::string_view here;
};

// A trace is a list of packets, so it starts with the tag of the first and its size.
std::optional<FirstPacket> first_packet(std::string_view head) {
  const char* at = head.data();
  const char* end = at + head.size();
  uint64_t tag = 0, size = 0;
  if (!read_varint(at, end, tag) || tag != (1 << 3 | static_cast<int>(Wire::Bytes)))
    return std::nullopt;
  if (!read_varint(at, end, size)) return FirstPacket{};
  return FirstPacket{size, {at, std::min<uint64_t>(size, static_cast<size_t>(end - at))}};
}

// The tag alone is not enough: the packet must be valid, too.
Match sniff(const Peek& peek) {
  const std::optional<FirstPacket> first = first_packet(peek.head);
  if (!first) return Match::No;
  if (!first->size) return Match::Likely;
  bool any = false, all_known = true;
  Message fields(first->here);
  while (fields.next()) {
    any = true;
    all_known &= !packet_field_name(fields.number()).empty();
  }
  const bool is_damaged = fields.bad() && first->here.size() == *first->size;
  return any && all_known && !is_damaged ? Match::Likely : Match::Weak;
}

Result<> read(Input& input, const ReadOptions& options, Chunks& chunks) {
  return read_file(input, options, kUsualChunkBytes, chunks);
}

}  // namespace

Result<> read_file(Input& input, const ReadOptions& options, size_t chunk_bytes, Chunks& chunks) {
  std::optional<WholeFileTables> known;
  while (true) {
    EventSink& sink = chunks.add();
    Reader reader(options, sink, chunk_bytes > 0 ? &chunks : nullptr, chunk_bytes,
                  known ? &*known : nullptr);
    PacketStream packets(input);
    Packet packet;
    while (packets.next(packet)) reader.read(packet);
    if (packets.truncated_at()) sink.count(stats::trace_truncated, *packets.truncated_at());
    Result<> done = reader.finish();
    std::optional<WholeFileTables> late = reader.take_late_tables();
    if (!known && late && input.rewind()) {
      known = std::move(late);
      chunks.clear();
      continue;
    }
    if (packets.error()) return tl::unexpected(*packets.error());
    return done;
  }
}

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "proto",
    .title = "Perfetto protobuf trace",
    .about =
        "Traces of the Perfetto tracing service and SDK: Android, Linux, Chrome. Track "
        "events, ftrace, processes, profiles and clocks of one or several machines.",
    .times = "BOOTTIME, unless packets name another.",
    .anchors =
        "Clock snapshots, pings of other machines (RemoteClockSync), time zone of the "
        "machine.",
    .tables = "nearly all tables.",
    .clock = {.domain = field::BuiltinClock::kBoottime},
    .rank = ArchiveRank::Proto,
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::proto

namespace tracebraid::symbols {
namespace {

// The first field of the first packet is module_symbols (spec clocks 11.1).
Match sniff(const Peek& peek) {
  const std::optional<proto::FirstPacket> first = proto::first_packet(peek.head);
  if (!first) return Match::No;
  proto::Message fields(first->here);
  const bool is_first =
      fields.next() && fields.number() == proto::field::TracePacket::kModuleSymbols;
  return is_first ? Match::Sure : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "symbols",
    .title = "Symbols of native code (protobuf)",
    .about =
        "Names, files and lines of addresses, recorded or resolved after the trace; they name "
        "the frames of callstacks in other files. Read last.",
    .times = "none.",
    .tables = "stack_profile_symbol.",
    .rank = ArchiveRank::Symbols,
    .sniff = sniff,
    .read = [](Input& input, const ReadOptions& options,
               Chunks& chunks) { return proto::read_file(input, options, 0, chunks); },
};

}  // namespace tracebraid::symbols
