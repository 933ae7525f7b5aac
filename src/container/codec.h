// Codecs: the decompression libraries behind one narrow interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tracebraid {

enum class Codec : uint8_t {
  Deflate,  // bare, as in ZIP
  Zlib,     // zlib or gzip header, whichever is there
  Gzip,
  Zstd,
  Xz,
};

// One turn of a decoder.
struct CodecStep {
  enum class Status : uint8_t { More, FrameEnd, Corrupt, NoMemory };
  size_t taken = 0;  // bytes of the input
  size_t made = 0;   // bytes of the output; valid whatever the status
  Status status = Status::More;
};

// Decodes one frame (gzip member, zstd frame, xz stream), then, after
// restart(), another.
class CodecState {
 public:
  virtual ~CodecState() = default;
  // Takes of `in` and fills `out` as far as it can. More without progress means
  // that `in` holds too little. What was taken of a frame must stay in its place before `in`.
  virtual CodecStep step(std::string_view in, char* out, size_t size) = 0;
  virtual void restart() = 0;
};

// `packed_size` bounds the memory that a header can ask for. Null: out of memory.
std::unique_ptr<CodecState> make_codec(Codec codec, uint64_t packed_size);

// Does another frame begin here?
bool starts_frame(Codec codec, std::string_view bytes);

// The CRC of ZIP and gzip, continued from `before` (0 at the start).
uint32_t crc32_of(std::string_view bytes, uint32_t before = 0);

// A deflate run as a whole, at several times the speed of the stream. False if
// it is damaged or does not give exactly `size` bytes; `out` is then undefined.
bool inflate_whole(std::string_view packed, char* out, size_t size);

}  // namespace tracebraid
