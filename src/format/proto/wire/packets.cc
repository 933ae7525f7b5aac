#include "format/proto/wire/packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "container/codec.h"
#include "format/common/proto_wire.h"

namespace tracebraid::proto {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr uint32_t kPacketField = 1;
constexpr uint8_t kPacketTag = kPacketField << 3 | static_cast<uint8_t>(Wire::Bytes);

// Writers bundle at most some hundred KiB. A bundle that decompresses to more is an attack on
// memory.
constexpr size_t kMaxBundleBytes = size_t{64} << 20;

}  // namespace

bool PacketStream::next(Packet& packet) {
  for (;;) {
    switch (step(packet)) {
      case Step::Packet:
        return true;
      case Step::Skipped:
        break;
      case Step::Incomplete:
        if (!refill()) return false;
        break;
      case Step::Corrupt:
        error_ = Error{ErrorCode::BadInput,
                       fmt::format("Failed to parse proto packet fully; the trace is probably "
                                   "corrupt. (ERR:tp-corrupt) at offset {}",
                                   offset())};
        return false;
    }
  }
}

PacketStream::Step PacketStream::step(Packet& packet) {
  if (skip_ > 0) return skip(0);
  const char* at = at_;
  uint64_t tag = 0, value = 0;
  // A varint has at most 10 bytes, so 20 bytes contain the whole header.
  const Step if_unreadable = left() >= 20 ? Step::Corrupt : Step::Incomplete;
  if (!read_varint(at, end_, tag)) return if_unreadable;
  switch (tag & 7) {
    case static_cast<uint8_t>(Wire::Varint):
      if (!read_varint(at, end_, value)) return if_unreadable;
      at_ = at;
      return Step::Skipped;
    case static_cast<uint8_t>(Wire::Fixed64):
      at_ = at;
      return skip(8);
    case static_cast<uint8_t>(Wire::Fixed32):
      at_ = at;
      return skip(4);
    case static_cast<uint8_t>(Wire::Bytes):
      break;
    default:
      return Step::Corrupt;
  }
  if (!read_varint(at, end_, value)) return if_unreadable;
  if (tag >> 3 != kPacketField) {
    at_ = at;
    return skip(value);
  }
  if (value > static_cast<size_t>(end_ - at)) return Step::Incomplete;
  packet.bytes = {at, value};
  if (packet.owner != held_) packet.owner = held_;
  packet.at = offset(at);
  at_ = at + value;
  return value == 0 ? Step::Skipped : Step::Packet;
}

// Skips `size` bytes, in this block and in following ones.
PacketStream::Step PacketStream::skip(uint64_t size) {
  skip_ += size;
  const auto here = static_cast<size_t>(std::min<uint64_t>(skip_, left()));
  at_ += here;
  skip_ -= here;
  return skip_ > 0 ? Step::Incomplete : Step::Skipped;
}

// Reads the bytes after the remaining ones. A large packet doubles the block until it fits, so an
// invalid length takes no more memory than the file.
bool PacketStream::refill() {
  const size_t again = left();
  std::optional<Block> block = input_.next(std::max(kBlockBytes, again), again);
  if (!block) {
    if (again > 0 || skip_ > 0) truncated_at_ = offset();
    return false;
  }
  at_ = block->bytes.data();
  end_ = at_ + block->bytes.size();
  held_ = std::make_shared<const Held>(input_, std::move(*block));
  return true;
}

Result<> check_bundle(int depth, Packing packing, std::optional<Packing>& of_file) {
  if (depth > 0)
    return fail(ErrorCode::BadInput, "Failed to decompress compressed_packets (ERR:tp-corrupt)");
  if (of_file && *of_file != packing)
    return fail(ErrorCode::BadInput,
                "A trace must not mix compressed_packets and zstd_compressed_packets "
                "(ERR:tp-corrupt)");
  of_file = packing;
  return {};
}

Result<std::string> unpack_bundle(std::string_view packed, Packing packing) {
  const auto corrupt = [] {
    return fail(ErrorCode::BadInput, "Failed to decompress compressed_packets (ERR:tp-corrupt)");
  };
  const auto codec =
      make_codec(packing == Packing::Zstd ? Codec::Zstd : Codec::Zlib, packed.size());
  if (!codec) return corrupt();
  std::string out;
  size_t made = 0;
  for (;;) {
    if (made == out.size()) {
      if (made >= kMaxBundleBytes) return corrupt();
      out.resize(std::min(std::max(packed.size() * 4, made * 2) + 64, kMaxBundleBytes));
    }
    const CodecStep turn = codec->step(packed, out.data() + made, out.size() - made);
    packed.remove_prefix(turn.taken);
    made += turn.made;
    if (turn.status == CodecStep::Status::FrameEnd) break;
    if (turn.status != CodecStep::Status::More) return corrupt();
    if (turn.taken == 0 && turn.made == 0) return corrupt();  // the bundle ends too early
  }
  out.resize(made);
  return out;
}

Result<std::string_view> take_packet(std::string_view& bundle) {
  if (static_cast<uint8_t>(bundle.front()) != kPacketTag)
    return fail(ErrorCode::BadInput, "Expected TracePacket tag (ERR:tp-corrupt)");
  const char* at = bundle.data() + 1;
  const char* end = bundle.data() + bundle.size();
  uint64_t size = 0;
  if (!read_varint(at, end, size) || size > static_cast<size_t>(end - at))
    return fail(ErrorCode::BadInput, "Invalid packet size (ERR:tp-corrupt)");
  const std::string_view packet(at, size);
  bundle.remove_prefix(static_cast<size_t>(at + size - bundle.data()));
  return packet;
}

}  // namespace tracebraid::proto
