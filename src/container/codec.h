// Codecs: a common interface of the decompression libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tracebraid {

enum class Codec : uint8_t {
  Deflate,  // without a header, as in ZIP
  Zlib,     // with a zlib or gzip header
  Gzip,
  Zstd,
  Xz,
};

// The result of one call of a decoder.
struct CodecStep {
  // NoMemory: an allocation failed. TooLarge: the data requires more than the decoder may take.
  enum class Status : uint8_t { More, FrameEnd, Corrupt, NoMemory, TooLarge };
  size_t taken = 0;  // bytes of the input
  size_t made = 0;   // bytes of the output; valid for every status
  Status status = Status::More;
};

// Decodes one frame (gzip member, zstd frame, xz stream), and another one after restart().
class CodecState {
 public:
  virtual ~CodecState() = default;
  // Takes bytes of `in` and fills `out` as far as possible. Without progress, `in` holds too few
  // bytes. Requires: the bytes taken of a frame stay in memory directly before `in`.
  virtual CodecStep step(std::string_view in, char* out, size_t size) = 0;
  virtual void restart() = 0;
};

// Returns null if memory runs out. `packed_size` bounds the memory that a header can request.
std::unique_ptr<CodecState> make_codec(Codec codec, uint64_t packed_size);

// Returns whether `bytes` begin with another frame.
bool starts_frame(Codec codec, std::string_view bytes);

// Returns the CRC of ZIP and gzip, continued from `before` (0 at the start).
uint32_t crc32_of(std::string_view bytes, uint32_t before = 0);

// Inflates a whole range, several times as fast as the stream. Returns false if the data is damaged
// or does not give exactly `size` bytes; `out` is then undefined.
bool inflate_whole(std::string_view packed, char* out, size_t size);

}  // namespace tracebraid
