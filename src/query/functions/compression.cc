#include "query/functions/compression.h"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

#include "container/codec.h"
#include "query/functions/text_result.h"

namespace tracebraid {
namespace {

using Arguments = std::span<const Cell>;

constexpr size_t kMostInput = size_t{1} << 30;   // SQLite's values are shorter
constexpr size_t kMostOutput = size_t{1} << 26;  // of decompression
constexpr size_t kStep = size_t{1} << 16;        // bytes between two checks of the stop

// `Body`: Result<std::string> (std::string_view bytes, std::string_view function, stop).
template <auto kBody>
auto on_bytes(std::string_view function, const StopCheck& stop) {
  return returns_text(
      [function, &stop](Arguments arguments) -> MaybeText {
        const Cell& bytes = arguments[0];
        if (bytes.kind == Cell::Kind::Null) return std::nullopt;
        if (bytes.kind != Cell::Kind::Blob && bytes.kind != Cell::Kind::Text)
          return fail(ErrorCode::Sql, fmt::format("{}: argument must be string or blob", function));
        if (bytes.text.size() > kMostInput)
          return fail(ErrorCode::Sql, fmt::format("{}: argument is too long", function));
        TB_TRY_ASSIGN(std::string made, kBody(bytes.text, function, stop));
        return made;
      },
      Cell::Kind::Blob);
}

tl::unexpected<Error> malformed(std::string_view function) {
  return fail(ErrorCode::Sql, fmt::format("{}: the bytes are malformed or cut", function));
}

Result<> check_output(size_t bytes, std::string_view function) {
  if (bytes <= kMostOutput) return {};
  return fail(ErrorCode::Sql,
              fmt::format("{}: the result is longer than {} bytes", function, kMostOutput));
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

Result<std::string> zstd_compress(std::string_view bytes, std::string_view function,
                                  const StopCheck& stop) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (context == nullptr) return fail(ErrorCode::NoMemory, "out of memory");
  ZSTD_CCtx_setPledgedSrcSize(context.get(), bytes.size());
  std::string made(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_outBuffer out{made.data(), made.size(), 0};
  for (size_t left = 1; left != 0;) {
    if (stop.stopped()) return tl::unexpected(stop.error());
    ZSTD_inBuffer in{bytes.data(), std::min(bytes.size(), kStep), 0};
    left = ZSTD_compressStream2(context.get(), &out, &in,
                                in.size == bytes.size() ? ZSTD_e_end : ZSTD_e_continue);
    if (ZSTD_isError(left) != 0)
      return fail(ErrorCode::Sql, fmt::format("{}: {}", function, ZSTD_getErrorName(left)));
    // ZSTD_e_continue may hold bytes back: 0 is the end only if no input is left.
    if (in.size != bytes.size()) left = 1;
    bytes.remove_prefix(in.pos);
  }
  made.resize(out.pos);
  return made;
}

constexpr int kGzip = 15 + 16;  // window bits, and the gzip header

struct EndDeflate {
  void operator()(z_stream* stream) const { deflateEnd(stream); }
};

Result<std::string> gzip_compress(std::string_view bytes, std::string_view, const StopCheck& stop) {
  z_stream stream{};
  constexpr int kMemory = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, kMemory,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return fail(ErrorCode::NoMemory, "out of memory");
  const std::unique_ptr<z_stream, EndDeflate> end(&stream);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  std::string made(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_out = reinterpret_cast<Bytef*>(made.data());
  stream.avail_out = static_cast<uInt>(made.size());
  do {
    if (stop.stopped()) return tl::unexpected(stop.error());
    stream.avail_in = static_cast<uInt>(std::min(bytes.size(), kStep));
    bytes.remove_prefix(stream.avail_in);
    deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
  } while (!bytes.empty());
  made.resize(stream.total_out);
  return made;
}

// Decompresses frames that follow each other.
template <Codec kCodec>
Result<std::string> decompress(std::string_view bytes, std::string_view function,
                               const StopCheck& stop) {
  // Zstandard may use the usual window only, however long the data is.
  const std::unique_ptr<CodecState> state = make_codec(kCodec, 0);
  if (state == nullptr) return fail(ErrorCode::NoMemory, "out of memory");
  std::string made;
  for (;;) {
    if (stop.stopped()) return tl::unexpected(stop.error());
    const size_t size = made.size();
    made.resize(size + kStep);
    const CodecStep step = state->step(bytes, made.data() + size, kStep);
    made.resize(size + step.made);
    bytes.remove_prefix(step.taken);
    TB_TRY(check_output(made.size(), function));
    if (step.status == CodecStep::Status::FrameEnd) {
      if (bytes.empty()) return made;
      state->restart();
    } else if (step.status != CodecStep::Status::More || (step.taken == 0 && step.made == 0)) {
      return malformed(function);
    }
  }
}

}  // namespace

std::vector<SqlFunction> compression_functions(const StopCheck& stop) {
  return {
      {"__intrinsic_zstd_compress(bytes BYTES) BYTES", "Bytes or text, compressed by zstd.",
       on_bytes<zstd_compress>("__intrinsic_zstd_compress", stop)},
      {"__intrinsic_zstd_decompress(bytes BYTES) BYTES",
       "Bytes of zstd, decompressed; at most 64 MiB (ours).",
       on_bytes<decompress<Codec::Zstd>>("__intrinsic_zstd_decompress", stop)},
      {"__intrinsic_gzip_compress(bytes BYTES) BYTES", "Bytes or text, compressed by gzip (ours).",
       on_bytes<gzip_compress>("__intrinsic_gzip_compress", stop)},
      {"__intrinsic_gzip_decompress(bytes BYTES) BYTES",
       "Bytes of gzip, decompressed; at most 64 MiB (ours).",
       on_bytes<decompress<Codec::Gzip>>("__intrinsic_gzip_decompress", stop)},
  };
}

}  // namespace tracebraid
