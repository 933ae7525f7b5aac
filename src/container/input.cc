#include "container/input.h"

#include <algorithm>
#include <cstring>

namespace tracebraid {
namespace {

// A block of decoded bytes that several tasks may hold on to.
struct Decoded {
  std::unique_ptr<char[]> bytes;
  explicit Decoded(size_t size) : bytes(std::make_unique_for_overwrite<char[]>(size)) {}
};

constexpr size_t kDecodeAllBytes = size_t{1} << 20;

}  // namespace

std::optional<Block> Input::next(size_t size, size_t again) {
  again = std::min(again, last_.bytes.size());
  size = std::max<size_t>(size, 1);
  if (!decoder_) {
    const size_t begin = offset_ - again;
    if (offset_ >= whole_.size()) return std::nullopt;
    const size_t fresh = std::min<size_t>(size, whole_.size() - offset_);
    last_ = {whole_.substr(begin, again + fresh), begin, owner_};
    offset_ += fresh;
    return last_;
  }
  auto decoded = std::make_shared<Decoded>(again + size);
  char* at = decoded->bytes.get();
  if (again != 0) std::memcpy(at, last_.bytes.data() + last_.bytes.size() - again, again);
  size_t fresh = std::min(size, peeked_.size());
  std::memcpy(at + again, peeked_.data(), fresh);
  peeked_.erase(0, fresh);
  while (fresh < size && !problem_) {
    Result<size_t> got = decoder_(at + again + fresh, size - fresh);
    if (!got) {
      problem_ = std::move(got).error();
      break;
    }
    if (*got == 0) break;
    fresh += *got;
  }
  if (fresh == 0) return std::nullopt;
  last_ = {{at, again + fresh}, offset_ - again, std::move(decoded)};
  offset_ += fresh;
  return last_;
}

Block Input::all() {
  if (!decoder_) return next(whole_.size()).value_or(Block{});
  auto bytes = std::make_shared<std::string>();
  const uint64_t at = offset_;
  while (std::optional<Block> block = next(kDecodeAllBytes)) bytes->append(block->bytes);
  last_ = {*bytes, at, bytes};
  return last_;
}

std::string_view Input::peek(size_t size) {
  if (!decoder_) return whole_.substr(0, size);
  while (peeked_.size() < size && !problem_) {
    const size_t have = peeked_.size();
    peeked_.resize(size);
    Result<size_t> got = decoder_(peeked_.data() + have, size - have);
    peeked_.resize(have + (got ? *got : 0));
    if (!got) problem_ = std::move(got).error();
    if (!got || *got == 0) break;
  }
  return std::string_view(peeked_).substr(0, size);
}

}  // namespace tracebraid
