// Records of a Fuchsia trace: sequences of little-endian 64-bit words. The first word has the type
// and the number of words.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>

#include "container/input.h"

namespace tracebraid::fuchsia {

inline constexpr size_t kWord = 8;
inline constexpr std::string_view kMagic("\x10\x00\x04\x46\x78\x54\x16\x00", 8);

enum class RecordType : uint8_t {
  Metadata = 0,
  Initialization = 1,
  String = 2,
  Thread = 3,
  Event = 4,
  Blob = 5,
  UserObject = 6,
  KernelObject = 7,
  Scheduling = 8,
  Log = 9,
  Large = 15,
};

// Returns bits [first, last] of a word.
constexpr uint64_t bits(uint64_t word, unsigned first, unsigned last) {
  const unsigned width = last - first + 1;
  return word >> first & (width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1);
}

// A cursor over words; words beyond the end read as zero.
class Words {
 public:
  explicit Words(std::string_view bytes) : rest_(bytes) {}

  uint64_t word() {
    uint64_t value = 0;
    if (rest_.size() < kWord) {
      bad_ = true;
      rest_ = {};
      return value;
    }
    std::memcpy(&value, rest_.data(), kWord);
    rest_.remove_prefix(kWord);
    return value;
  }
  // Takes bytes that are padded to whole words.
  std::string_view bytes(size_t size) {
    const size_t padded = (size + kWord - 1) / kWord * kWord;
    if (padded > rest_.size()) {
      bad_ = true;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(padded);
    return taken;
  }
  bool bad() const { return bad_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool bad_ = false;
};

struct Record {
  RecordType type = RecordType::Metadata;
  uint64_t header = 0;
  Words body;
  uint64_t at = 0;  // offset in the file
  size_t size = 0;  // bytes, with the header
};

// Damage of a stream of records: invalid headers, of which a sequence counts once, and a record
// that is truncated by the end of the file. `at` is the offset.
struct RecordProblems {
  std::function<void(uint64_t at)> bad_header, cut;
};

// Calls `take` for each record; for large records, which hold blobs, only with the header.
void for_each_record(Input& input, const std::function<void(Record&)>& take,
                     const RecordProblems& problems);

}  // namespace tracebraid::fuchsia
