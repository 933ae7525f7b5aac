#include "format/perf/compressed.h"

namespace tracebraid::perf {
namespace {

constexpr size_t kStep = size_t{128} << 10;  // a block of zstd
// perf's own records do not shrink to less than a hundredth; a larger ratio is a bomb.
constexpr uint64_t kMaxRatio = 1000, kAlwaysAllowed = uint64_t{16} << 20;

}  // namespace

bool Unpacker::unpack(std::string_view packed, std::string& out) {
  if (!codec_) codec_ = make_codec(Codec::Zstd, packed.size());
  if (!codec_) return false;
  packed_ += packed.size();
  while (true) {
    const size_t before = out.size();
    out.resize(before + kStep);
    const CodecStep step = codec_->step(packed, out.data() + before, kStep);
    out.resize(before + step.made);
    unpacked_ += step.made;
    packed.remove_prefix(step.taken);
    const bool is_bad = step.status == CodecStep::Status::Corrupt ||
                        step.status == CodecStep::Status::NoMemory ||
                        unpacked_ > kAlwaysAllowed + packed_ * kMaxRatio;
    if (is_bad) return false;
    if (step.status == CodecStep::Status::FrameEnd) codec_->restart();
    if (step.made < kStep && packed.empty()) return true;
    if (step.made == 0 && step.taken == 0) return false;
  }
}

std::optional<std::string_view> Unpacker::add(std::string_view packed) {
  if (ended_) return std::nullopt;
  std::string& part = parts_.emplace_back(rest_);
  rest_ = {};
  if (!unpack(packed, part)) {
    ended_ = true;
    return std::nullopt;
  }
  return part;
}

}  // namespace tracebraid::perf
