// Records that `perf record -z` packed: one zstd stream through all records of that type.
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
  // The bytes that the next part of the stream stands for, behind those that keep() was told.
  // They stay as long as this does. Nothing if the stream is damaged or makes more than is in
  // proportion; then it is at its end.
  std::optional<std::string_view> add(std::string_view packed);
  // A record may go on in the next part: `rest` is what there is of it.
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
