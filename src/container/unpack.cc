#include "container/unpack.h"
#include "base/mapped_file.h"

#include <algorithm>
#include <cstring>

namespace tracebraid {
namespace {

constexpr std::string_view kIncomplete =
    "Compressed stream incomplete, trace is likely corrupt (ERR:tp-corrupt)";
constexpr std::string_view kCorrupt = "Failed to decompress trace chunk (ERR:tp-corrupt)";
constexpr std::string_view kNoMemory = "out of memory";
constexpr std::string_view kTooLarge =
    "the data requires too much memory to decompress: more than 1 GiB";

// Members up to this size are decoded as a whole, which is faster.
constexpr uint64_t kWholeBytes = uint64_t{1} << 20;
// The largest ratio of deflate: 258 bytes in 2 bits.
constexpr uint64_t kDeflateRatio = 1032;
constexpr size_t kDropBytes = size_t{4} << 20;

class Stream {
 public:
  Stream(const Packed& packed, const Meter& meter) : packed_(packed), meter_(meter) {}

  // Reads as a Decoder does: fills `into` as far as possible; returns 0 at the end, and the Error
  // after the last byte.
  Result<size_t> read(char* into, size_t size) {
    size_t made = 0;
    while (made < size && !ended_ && !failure_) made += turn(into + made, size - made);
    drop_consumed();
    if (made > 0) return made;
    if (failure_) return tl::unexpected(*failure_);
    return size_t{0};
  }
  uint64_t consumed() const { return at_; }
  uint64_t unpacked() const { return unpacked_; }

 private:
  std::string_view rest() const { return packed_.bytes.view.substr(at_); }

  size_t turn(char* into, size_t size) {
    if (!state_ && !start()) return 0;
    if (between_frames_ && !next_frame()) return 0;
    const CodecStep step = state_->step(rest(), into, size);
    at_ += step.taken;
    unpacked_ += step.made;
    switch (step.status) {
      case CodecStep::Status::FrameEnd:
        between_frames_ = true;
        break;
      case CodecStep::Status::Corrupt:
        fail_with(ErrorCode::BadInput, kCorrupt);
        break;
      case CodecStep::Status::NoMemory:
        fail_with(ErrorCode::NoMemory, kNoMemory);
        break;
      case CodecStep::Status::TooLarge:
        fail_with(ErrorCode::Limit, kTooLarge);
        break;
      case CodecStep::Status::More:
        if (step.taken == 0 && step.made == 0) fail_with(ErrorCode::BadInput, kIncomplete);
        break;
    }
    if (Result<> within = meter_.reached(unpacked_); !within) failure_ = std::move(within).error();
    return step.made;
  }

  bool start() {
    state_ = make_codec(packed_.codec, packed_.bytes.view.size());
    if (!state_) fail_with(ErrorCode::NoMemory, kNoMemory);
    return state_ != nullptr;
  }

  // Returns false at the end of the stream, complete or damaged. Zero bytes after the last frame
  // are padding.
  bool next_frame() {
    const bool more =
        packed_.many_frames && rest().find_first_not_of('\0') != std::string_view::npos;
    if (!more) {
      ended_ = true;
    } else if (!starts_frame(packed_.codec, rest())) {
      fail_with(ErrorCode::BadInput, kCorrupt);
    } else {
      state_->restart();
      between_frames_ = false;
    }
    return !between_frames_;
  }

  void fail_with(ErrorCode code, std::string_view message) {
    if (!failure_) failure_ = Error{code, std::string(message)};
  }

  void drop_consumed() {
    if (!packed_.bytes.mapped || at_ - dropped_ < kDropBytes) return;
    packed_.bytes.mapped->drop(packed_.bytes.view.substr(dropped_, at_ - dropped_));
    dropped_ = at_;
  }

  Packed packed_;
  Meter meter_;
  std::unique_ptr<CodecState> state_;
  size_t at_ = 0;       // in the compressed bytes
  size_t dropped_ = 0;  // pages up to here were released
  uint64_t unpacked_ = 0;
  bool between_frames_ = false;
  bool ended_ = false;
  std::optional<Error> failure_;
};

// Decodes a small member as a whole on the first read. If that fails, the stream decodes as much as
// possible.
class WholeThenStream {
 public:
  WholeThenStream(const Packed& packed, const Meter& meter)
      : packed_(packed), meter_(meter), stream_(packed, meter) {}

  Result<size_t> read(char* into, size_t size) {
    if (!tried_) decode();
    if (!whole_) return stream_.read(into, size);
    const size_t give = std::min(size, size_t{*packed_.size} - given_);
    std::memcpy(into, whole_.get() + given_, give);
    given_ += give;
    return give;
  }

 private:
  void decode() {
    tried_ = true;
    auto whole = std::make_unique_for_overwrite<char[]>(*packed_.size);
    if (!meter_.reached(*packed_.size)) return;
    if (inflate_whole(packed_.bytes.view, whole.get(), *packed_.size)) whole_ = std::move(whole);
  }

  Packed packed_;
  Meter meter_;
  Stream stream_;
  bool tried_ = false;
  std::unique_ptr<char[]> whole_;
  size_t given_ = 0;
};

template <class Reader>
Decoder decoder_of(const Packed& packed, const Meter& meter) {
  return [reader = std::make_shared<Reader>(packed, meter)](char* into, size_t size) {
    return reader->read(into, size);
  };
}

bool decodes_whole(const Packed& packed) {
  return packed.codec == Codec::Deflate && !packed.many_frames && packed.size &&
         *packed.size <= kWholeBytes && *packed.size > 0 &&
         *packed.size / kDeflateRatio <= packed.bytes.view.size();
}

}  // namespace

Decoder unpack(const Packed& packed, const Meter& meter) {
  if (decodes_whole(packed)) return decoder_of<WholeThenStream>(packed, meter);
  return decoder_of<Stream>(packed, meter);
}

Result<FrameExtent> measure_frame(const Packed& packed, const Meter& meter) {
  constexpr size_t kBufferBytes = size_t{256} << 10;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferBytes);
  Packed one = packed;
  one.many_frames = false;
  Stream stream(one, meter);
  FrameExtent extent;
  while (true) {
    TB_TRY_ASSIGN(const size_t made, stream.read(buffer.get(), kBufferBytes));
    if (made == 0) break;
    extent.crc = crc32_of({buffer.get(), made}, extent.crc);
  }
  extent.packed = stream.consumed();
  extent.unpacked = stream.unpacked();
  return extent;
}

}  // namespace tracebraid
