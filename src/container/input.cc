#include "container/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "base/mapped_file.h"
#include "base/memory_limit.h"
#include "container/codec.h"

namespace tracebraid {
namespace {

// Bytes that grow in place: the C library moves the pages of a large run instead of copying
// them, and pages not yet written take no memory. With operator new they are copied.
class GrowingBytes {
 public:
  explicit GrowingBytes(bool uses_operator_new) : uses_operator_new_(uses_operator_new) {}
  GrowingBytes(const GrowingBytes&) = delete;
  GrowingBytes& operator=(const GrowingBytes&) = delete;
  ~GrowingBytes() {
    if (!uses_operator_new_) std::free(at_);
  }

  // Returns room for `size` more bytes after the first `used`.
  char* room(size_t used, size_t size) {
    if (capacity_ - used < size) grow(used, std::max(capacity_ * 2, used + size));
    return at_ + used;
  }
  std::string_view first(size_t size) const { return {at_, size}; }

 private:
  void grow(size_t used, size_t capacity) {
    if (uses_operator_new_) {
      auto larger = std::make_unique_for_overwrite<char[]>(capacity);
      if (used > 0) std::memcpy(larger.get(), at_, used);
      owned_ = std::move(larger);
      at_ = owned_.get();
    } else {
      void* const at = std::realloc(at_, capacity);
      if (at == nullptr) throw std::bad_alloc();
      at_ = static_cast<char*>(at);
    }
    capacity_ = capacity;
  }
  char* at_ = nullptr;
  std::unique_ptr<char[]> owned_;  // the bytes from operator new
  size_t capacity_ = 0;
  const bool uses_operator_new_;
};

constexpr size_t kDecodeAllBytes = size_t{1} << 20;

}  // namespace

void Input::done(const Block& block) const {
  if (mapped_) mapped_->drop(block.bytes);
  if (progress_ != nullptr) progress_->advance(block.bytes.size() - block.again);
}

bool Input::is_stopped() const {
  return (progress_ != nullptr && progress_->cancelled()) ||
         (memory_ != nullptr && memory_->is_exceeded());
}

size_t Input::decode(char* into, size_t size) {
  size_t made = 0;
  while (made < size && !ended_) {
    Result<size_t> got = decoder_(into + made, size - made);
    if (!got) {
      problem_ = std::move(got).error();
      is_cut_short_ = true;
    }
    ended_ = !got || *got == 0;
    if (got) made += *got;
  }
  return made;
}

void Input::took(std::string_view fresh) {
  offset_ += fresh.size();
  if (!expected_) return;
  crc_ = crc32_of(fresh, crc_);
  if (!decoder_ && offset_ == whole_.size()) check_crc();
}

void Input::check_crc() {
  if (expected_ && !problem_ && crc_ != expected_->crc)
    problem_ = Error{ErrorCode::BadInput,
                     fmt::format("Zip CRC32 failure on {} (actual: {:x}, expected: {:x}) "
                                 "(ERR:tp-corrupt)",
                                 expected_->name, crc_, expected_->crc)};
  expected_.reset();
}

std::optional<Block> Input::next(size_t size, size_t again) {
  if (is_stopped()) return std::nullopt;
  again = std::min(again, last_.bytes.size());
  size = std::max<size_t>(size, 1);
  const uint64_t begin = offset_ - again;
  if (!decoder_) {
    if (offset_ == whole_.size()) {
      check_crc();
      return std::nullopt;
    }
    const std::string_view fresh = whole_.substr(offset_, size);
    last_ = {whole_.substr(begin, again + fresh.size()), begin, owner_, again};
    took(fresh);
    return last_;
  }
  const std::shared_ptr<char[]> bytes = std::make_shared_for_overwrite<char[]>(again + size);
  if (again != 0) std::memcpy(bytes.get(), last_.bytes.data() + last_.bytes.size() - again, again);
  char* const at = bytes.get() + again;
  size_t fresh = std::min(size, peeked_.size());
  std::memcpy(at, peeked_.data(), fresh);
  peeked_.erase(0, fresh);
  fresh += decode(at + fresh, size - fresh);
  took({at, fresh});
  if (ended_ && peeked_.empty()) check_crc();
  if (fresh == 0) return std::nullopt;
  last_ = {{bytes.get(), again + fresh}, begin, bytes, again};
  return last_;
}

Block Input::all() {
  if (!decoder_) return next(whole_.size()).value_or(Block{});
  const auto bytes = std::make_shared<GrowingBytes>(uses_operator_new_);
  const uint64_t at = offset_;
  size_t used = peeked_.size();
  std::memcpy(bytes->room(0, used + kDecodeAllBytes), peeked_.data(), used);
  peeked_.clear();
  while (!ended_ && !is_stopped())
    used += decode(bytes->room(used, kDecodeAllBytes), kDecodeAllBytes);
  took(bytes->first(used));
  check_crc();
  last_ = {bytes->first(used), at, bytes};
  return last_;
}

bool Input::rewind() {
  if (decoder_ && !open_) return false;
  if (decoder_) decoder_ = open_();
  peeked_.clear();
  last_ = {};
  offset_ = 0;
  ended_ = false;
  crc_ = 0;
  return true;
}

std::string_view Input::peek(size_t size) {
  if (!decoder_) return whole_.substr(0, size);
  if (const size_t have = peeked_.size(); have < size) {
    peeked_.resize(size);
    peeked_.resize(have + decode(peeked_.data() + have, size - have));
  }
  return std::string_view(peeked_).substr(0, size);
}

}  // namespace tracebraid
