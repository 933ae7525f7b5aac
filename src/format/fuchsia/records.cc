#include "format/fuchsia/records.h"

#include <algorithm>
#include <optional>

namespace tracebraid::fuchsia {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;

// Returns the size of the record with this header, bytes; 0 for an invalid header.
uint64_t record_bytes(uint64_t header) {
  const bool is_large = bits(header, 0, 3) == static_cast<uint64_t>(RecordType::Large);
  return kWord * (is_large ? bits(header, 4, 35) : bits(header, 4, 15));
}

class Walker {
 public:
  Walker(const std::function<void(Record&)>& take, const RecordProblems& problems)
      : take_(take), problems_(problems) {}

  // Reads the records of the bytes that begin at `at`. Returns the number of remaining bytes.
  size_t walk(std::string_view bytes, uint64_t at) {
    while (true) {
      const auto skipped = static_cast<size_t>(std::min<uint64_t>(skip_, bytes.size()));
      bytes.remove_prefix(skipped);
      skip_ -= skipped;
      at += skipped;
      if (bytes.size() < kWord) return bytes.size();
      const uint64_t header = Words(bytes).word();
      const uint64_t size = record_bytes(header);
      if (size == 0) {
        if (!std::exchange(in_bad_, true)) problems_.bad_header(at);
        skip_ = kWord;
        continue;
      }
      in_bad_ = false;
      Record record{.type = static_cast<RecordType>(bits(header, 0, 3)),
                    .header = header,
                    .body = Words({}),
                    .at = at,
                    .size = static_cast<size_t>(size)};
      if (record.type != RecordType::Large) {
        if (size > bytes.size()) return bytes.size();
        record.body = Words(bytes.substr(kWord, record.size - kWord));
      }
      take_(record);
      skip_ = size;
    }
  }
  bool is_within_record() const { return skip_ > 0; }

 private:
  const std::function<void(Record&)>& take_;
  const RecordProblems& problems_;
  uint64_t skip_ = 0;
  bool in_bad_ = false;
};

}  // namespace

void for_each_record(Input& input, const std::function<void(Record&)>& take,
                     const RecordProblems& problems) {
  Walker walker(take, problems);
  size_t again = 0;
  uint64_t end = 0;
  std::optional<Block> last;
  while (std::optional<Block> block = input.next(kBlockBytes, again)) {
    if (last) input.done(*last);
    again = walker.walk(block->bytes, block->at);
    end = block->at + block->bytes.size();
    last = std::move(block);
  }
  if (last) input.done(*last);
  if (again > 0 || walker.is_within_record()) problems.cut(end - again);
}

}  // namespace tracebraid::fuchsia
