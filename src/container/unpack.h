// Unpacking: decodes a compressed range as a stream.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "container/bytes.h"
#include "container/codec.h"
#include "container/input.h"
#include "container/meter.h"

namespace tracebraid {

// A range of compressed bytes and its known properties.
struct Packed {
  Bytes bytes;
  Codec codec = Codec::Deflate;
  bool many_frames = false;      // following frames belong to the same stream
  std::optional<uint64_t> size;  // uncompressed, if known
};

// Decodes from the start. A truncated or damaged range gives the bytes that can be decoded, then
// the Error of spec clocks 11.2. Releases the pages of the compressed bytes as it proceeds.
Decoder unpack(const Packed& packed, const Meter& meter);

// Returns where the first frame ends, its uncompressed size, and the CRC of its content. Returns an
// Error if the frame does not end or is damaged.
struct FrameExtent {
  uint64_t packed = 0, unpacked = 0;
  uint32_t crc = 0;
};
Result<FrameExtent> measure_frame(const Packed& packed, const Meter& meter);

}  // namespace tracebraid
