// Unpacking: the decoded bytes of a compressed run, as a stream.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "container/bytes.h"
#include "container/codec.h"
#include "container/input.h"
#include "container/meter.h"

namespace tracebraid {

// A run of compressed bytes and what is known of it.
struct Packed {
  Bytes bytes;
  Codec codec = Codec::Deflate;
  bool many_frames = false;      // frames that follow belong to the same stream
  std::optional<uint64_t> size;  // decoded, if something tells
};

// Decodes from the start. A run that ends too early or is damaged gives what
// could be decoded, then the Error of spec clocks 11.2. Gives back the pages of
// the compressed bytes as it goes.
Decoder unpack(const Packed& packed, const Meter& meter);

// Where the first frame ends, how much it decodes to, and the CRC of that. An
// Error if the frame does not end or is damaged.
struct FrameExtent {
  uint64_t packed = 0, unpacked = 0;
  uint32_t crc = 0;
};
Result<FrameExtent> measure_frame(const Packed& packed, const Meter& meter);

}  // namespace tracebraid
