#include "container/codec.h"

#ifdef TRACEBRAID_HAS_ISAL
#include <isa-l/igzip_lib.h>
#endif
#include <libdeflate.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace tracebraid {
namespace {

using Status = CodecStep::Status;

class ZlibState final : public CodecState {
 public:
  static std::unique_ptr<CodecState> make(int window_bits) {
    auto state = std::make_unique<ZlibState>();
    if (inflateInit2(&state->stream_, window_bits) != Z_OK) return nullptr;
    return state;
  }
  ~ZlibState() override { inflateEnd(&stream_); }

  CodecStep step(std::string_view in, char* out, size_t size) override {
    constexpr size_t kMost = std::numeric_limits<uInt>::max();
    const size_t give = std::min(in.size(), kMost);
    const size_t room = std::min(size, kMost);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(give);
    stream_.next_out = reinterpret_cast<Bytef*>(out);
    stream_.avail_out = static_cast<uInt>(room);
    const int code = inflate(&stream_, Z_NO_FLUSH);
    return {give - stream_.avail_in, room - stream_.avail_out, status_of(code)};
  }
  void restart() override { inflateReset(&stream_); }

 private:
  static Status status_of(int code) {
    if (code == Z_STREAM_END) return Status::FrameEnd;
    if (code == Z_OK || code == Z_BUF_ERROR) return Status::More;
    return code == Z_MEM_ERROR ? Status::NoMemory : Status::Corrupt;
  }
  z_stream stream_{};
};

#ifdef TRACEBRAID_HAS_ISAL
// Decodes gzip several times as fast as zlib. If it fails, zlib decodes the frame from its start,
// so that as much of damaged data is recovered, with the same errors.
class IsalState final : public CodecState {
 public:
  static std::unique_ptr<CodecState> make() {
    auto state = std::make_unique<IsalState>();
    state->restart();
    return state;
  }

  CodecStep step(std::string_view in, char* out, size_t size) override {
    if (zlib_) return step_of_zlib(in, out, size);
    if (frame_ == nullptr) frame_ = in.data();
    // The library reads ahead of the bytes that it needed; those count as not taken yet.
    const std::string_view fresh = in.substr(std::min(in.size(), ahead_));
    const size_t give = std::min(fresh.size(), kMost);
    const size_t room = std::min(size, kMost);
    state_.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(fresh.data()));
    state_.avail_in = static_cast<uint32_t>(give);
    state_.next_out = reinterpret_cast<uint8_t*>(out);
    state_.avail_out = static_cast<uint32_t>(room);
    const int code = isal_inflate(&state_);
    if (code != ISAL_DECOMP_OK && code != ISAL_END_INPUT) return start_again(in, out, size);
    const size_t used = ahead_ + give - state_.avail_in;  // of `in`
    ahead_ = std::min(used, static_cast<size_t>(std::max(state_.read_in_length, 0)) / 8);
    const bool is_end = state_.block_state == ISAL_BLOCK_FINISH;
    const size_t made = room - state_.avail_out;
    made_ += made;
    return {used - ahead_, made, is_end ? Status::FrameEnd : Status::More};
  }

  void restart() override {
    zlib_ = nullptr;
    frame_ = nullptr;
    ahead_ = 0;
    made_ = 0;
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 30;

  // Decodes with zlib up to the current output position, then continues from there.
  CodecStep start_again(std::string_view in, char* out, size_t size) {
    constexpr size_t kAtOnce = size_t{1} << 16;
    const auto unwanted = std::make_unique_for_overwrite<char[]>(kAtOnce);
    zlib_ = ZlibState::make(MAX_WBITS + 16);
    if (!zlib_) return {0, 0, Status::NoMemory};
    while (made_ > 0) {
      const CodecStep step =
          step_of_zlib(in, unwanted.get(), static_cast<size_t>(std::min<uint64_t>(made_, kAtOnce)));
      made_ -= step.made;
      if (step.made == 0) return step;
    }
    return step_of_zlib(in, out, size);
  }

  // If zlib is still before `in`, no byte of `in` is taken.
  CodecStep step_of_zlib(std::string_view in, char* out, size_t size) {
    const char* const end = in.data() + in.size();
    CodecStep step;
    do {
      step = zlib_->step({frame_, end}, out, size);
      frame_ += step.taken;
    } while (step.status == Status::More && step.made == 0 && step.taken > 0);
    step.taken = frame_ > in.data() ? static_cast<size_t>(frame_ - in.data()) : 0;
    return step;
  }

  inflate_state state_{};
  std::unique_ptr<CodecState> zlib_;
  const char* frame_ = nullptr;  // its start, where zlib continues
  size_t ahead_ = 0;             // bytes that the library read but that count as not taken
  uint64_t made_ = 0;            // bytes of the frame
};
#endif

class ZstdState final : public CodecState {
 public:
  static std::unique_ptr<CodecState> make(uint64_t packed_size) {
    auto state = std::make_unique<ZstdState>();
    if (!state->stream_) return nullptr;
    // The header gives the size of the window. Above the usual 128 MiB, the window must be in
    // proportion to the data.
    const int window_log = std::clamp(static_cast<int>(std::bit_width(packed_size)) + 3, 27, 31);
    ZSTD_DCtx_setParameter(state->stream_.get(), ZSTD_d_windowLogMax, window_log);
    state->restart();
    return state;
  }

  // A call that ends in an error drops its output. A call therefore gets no more than one block,
  // and none while output of the block before is pending. The size that the library requests
  // includes the header of the next block.
  CodecStep step(std::string_view in, char* out, size_t size) override {
    if (full_) {
      const CodecStep rest = turn({}, out, size);
      if (rest.made != 0 || rest.status != Status::More) return rest;
    }
    constexpr size_t kNextHeader = 3;
    return turn(in.substr(0, wanted_ > kNextHeader ? wanted_ - kNextHeader : wanted_), out, size);
  }
  void restart() override {
    wanted_ = ZSTD_initDStream(stream_.get());
    full_ = false;
  }

 private:
  CodecStep turn(std::string_view in, char* out, size_t size) {
    ZSTD_inBuffer source{in.data(), in.size(), 0};
    ZSTD_outBuffer target{out, size, 0};
    const size_t code = ZSTD_decompressStream(stream_.get(), &target, &source);
    if (ZSTD_isError(code)) {
      const bool is_memory = ZSTD_getErrorCode(code) == ZSTD_error_memory_allocation;
      return {0, 0, is_memory ? Status::NoMemory : Status::Corrupt};
    }
    wanted_ = code;
    full_ = target.pos == size;
    return {source.pos, target.pos, code == 0 ? Status::FrameEnd : Status::More};
  }

  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  size_t wanted_ = 0;  // bytes of input
  bool full_ = false;  // the last call may have more output
};

class XzState final : public CodecState {
 public:
  ~XzState() override { lzma_end(&stream_); }
  bool start() { return lzma_stream_decoder(&stream_, kMemoryLimit, 0) == LZMA_OK; }

  CodecStep step(std::string_view in, char* out, size_t size) override {
    if (!ready_) return {0, 0, Status::NoMemory};
    stream_.next_in = reinterpret_cast<const uint8_t*>(in.data());
    stream_.avail_in = in.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(out);
    stream_.avail_out = size;
    const lzma_ret code = lzma_code(&stream_, LZMA_RUN);
    return {in.size() - stream_.avail_in, size - stream_.avail_out, status_of(code)};
  }
  void restart() override { ready_ = start(); }

 private:
  // The largest preset, xz -9, needs 65 MiB; the largest dictionary 1.5 GiB.
  static constexpr uint64_t kMemoryLimit = uint64_t{1} << 30;

  static Status status_of(lzma_ret code) {
    if (code == LZMA_STREAM_END) return Status::FrameEnd;
    if (code == LZMA_OK || code == LZMA_BUF_ERROR) return Status::More;
    if (code == LZMA_MEMLIMIT_ERROR) return Status::TooLarge;
    return code == LZMA_MEM_ERROR ? Status::NoMemory : Status::Corrupt;
  }
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_ = true;
};

}  // namespace

std::unique_ptr<CodecState> make_codec(Codec codec, uint64_t packed_size) {
  switch (codec) {
    case Codec::Deflate:
      return ZlibState::make(-MAX_WBITS);
    case Codec::Zlib:
      return ZlibState::make(MAX_WBITS + 32);
    case Codec::Gzip:
#ifdef TRACEBRAID_HAS_ISAL
      return IsalState::make();
#else
      return ZlibState::make(MAX_WBITS + 16);
#endif
    case Codec::Zstd:
      return ZstdState::make(packed_size);
    case Codec::Xz:
      break;
  }
  auto state = std::make_unique<XzState>();
  if (!state->start()) return nullptr;
  return state;
}

bool starts_frame(Codec codec, std::string_view bytes) {
  using namespace std::string_view_literals;
  switch (codec) {
    case Codec::Gzip:
      return bytes.starts_with("\x1f\x8b"sv);
    case Codec::Zstd: {
      // A frame, or a skippable frame: 50..5f 2a 4d 18.
      if (bytes.starts_with("\x28\xb5\x2f\xfd"sv)) return true;
      return bytes.size() >= 4 && (static_cast<uint8_t>(bytes[0]) & 0xf0) == 0x50 &&
             bytes.substr(1, 3) == "\x2a\x4d\x18"sv;
    }
    case Codec::Xz:
      return bytes.starts_with(
          "\xfd"
          "7zXZ\0"sv);
    case Codec::Deflate:
    case Codec::Zlib:
      break;
  }
  return false;
}

uint32_t crc32_of(std::string_view bytes, uint32_t before) {
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

bool inflate_whole(std::string_view packed, char* out, size_t size) {
  struct Free {
    void operator()(libdeflate_decompressor* state) const { libdeflate_free_decompressor(state); }
  };
  thread_local const std::unique_ptr<libdeflate_decompressor, Free> state{
      libdeflate_alloc_decompressor()};
  if (!state) return false;
  return libdeflate_deflate_decompress(state.get(), packed.data(), packed.size(), out, size,
                                       nullptr) == LIBDEFLATE_SUCCESS;
}

}  // namespace tracebraid
