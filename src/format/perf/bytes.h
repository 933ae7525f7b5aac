// Bytes: a cursor over little-endian values; values beyond the end read as zero.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tracebraid::perf {

class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  T take() {
    T value{};
    if (rest_.size() < sizeof value) {
      bad_ = true;
      rest_ = {};
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  uint32_t u32() { return take<uint32_t>(); }
  uint64_t u64() { return take<uint64_t>(); }
  void skip(uint64_t size) { bytes(size); }
  std::string_view bytes(uint64_t size) {
    if (size > rest_.size()) bad_ = true;
    const std::string_view taken =
        rest_.substr(0, static_cast<size_t>(std::min<uint64_t>(size, rest_.size())));
    rest_.remove_prefix(taken.size());
    return taken;
  }
  // Takes the text up to a NUL, and the NUL.
  std::string_view text() {
    const size_t end = rest_.find('\0');
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return taken;
  }
  std::string_view rest() const { return rest_; }
  // Returns whether values beyond the end were read.
  bool bad() const { return bad_; }

 private:
  std::string_view rest_;
  bool bad_ = false;
};

// Returns a section of a file, truncated at the end of the file.
inline std::string_view section(std::string_view file, uint64_t offset, uint64_t size) {
  if (offset >= file.size()) return {};
  return file.substr(static_cast<size_t>(offset),
                     static_cast<size_t>(std::min<uint64_t>(size, file.size() - offset)));
}

// Returns whether a section ends beyond the end of the file.
inline bool is_cut(std::string_view file, uint64_t offset, uint64_t size) {
  return size > 0 && (offset >= file.size() || size > file.size() - offset);
}

// Returns the text before the first NUL.
inline std::string_view until_nul(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\0'));
}

}  // namespace tracebraid::perf
