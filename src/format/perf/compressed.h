// Decompresses records of `perf record -z`: one zstd stream through all records of that type.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "container/codec.h"

namespace tracebraid::perf {

class Unpacker {
 public:
  // Returns the bytes of the next range of the stream, after the bytes passed to keep(). They are
  // valid as long as this object. Returns nothing if the stream is damaged or its ratio is too
  // large; the stream then ends.
  std::optional<std::string_view> add(std::string_view packed);
  // Keeps `rest`, the incomplete record at the end, for the next range.
  void keep(std::string_view rest) { rest_ = rest; }
  std::string_view rest() const { return rest_; }

 private:
  bool unpack(std::string_view packed, std::string& out);

  std::unique_ptr<CodecState> codec_;
  std::deque<std::string> parts_;
  std::string_view rest_;
  uint64_t packed_ = 0, unpacked_ = 0;  // bytes so far
  bool ended_ = false;
};

}  // namespace tracebraid::perf
