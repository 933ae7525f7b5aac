// Args in nested values: paths to values, and sizes of arrays.
//
// Input: messages and interned keys of a sequence. Output: arg sets of the batch. Called by the
// readers of track events, ftrace and other packets.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "event/plain_args.h"
#include "event/sink.h"

namespace tracebraid::proto {

// The path to a value: debug.a[2].b, or without indexes debug.a.b.
class ArgPath {
 public:
  explicit ArgPath(std::string_view root) : flat_(root), key_(root) {}

  struct Mark {
    size_t flat, key;
  };
  Mark mark() const { return {flat_.size(), key_.size()}; }
  void leave(Mark mark) {
    flat_.resize(mark.flat);
    key_.resize(mark.key);
  }
  void enter(std::string_view name);
  void enter(uint64_t index);  // of an array

  uint32_t arg_key(EventSink& sink) const {
    return sink.arg_key({sink.string(flat_), sink.string(key_)});
  }
  const std::string& key() const { return key_; }

 private:
  std::string flat_, key_;
};

// The sizes of the arrays of an arg set. A repeated array continues at its end (spec proto 2.8).
class ArraySizes {
 public:
  void clear() {
    if (!sizes_.empty()) sizes_.clear();
  }
  uint64_t& of(const ArgPath& path) { return sizes_[path.key()]; }

 private:
  absl::flat_hash_map<std::string, uint64_t> sizes_;
};

// Limit of the nesting. Deeper values are left out.
inline constexpr int kMaxArgDepth = 64;

}  // namespace tracebraid::proto
