// MadeArgs: arg sets that assembling builds itself, for slices that are not complete.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string_view>
#include <vector>

#include "assemble/args/deferred_args.h"
#include "base/string_pool.h"

namespace tracebraid {

class MadeArgs {
 public:
  MadeArgs(ArgSets& sets, uint32_t source, StringPool& strings)
      : sets_(sets), source_(source), strings_(strings), recent_(kRecent, kNone) {}

  // Builds one set at a time: open(), any of the others, close().
  MadeArgs& open();
  MadeArgs& add(std::string_view key, ArgType type, int64_t value);
  MadeArgs& integer(std::string_view key, int64_t value) { return add(key, ArgType::Int, value); }
  MadeArgs& uint(std::string_view key, uint64_t value) {
    return add(key, ArgType::Uint, static_cast<int64_t>(value));
  }
  MadeArgs& boolean(std::string_view key, bool value) {
    return add(key, ArgType::Bool, value ? 1 : 0);
  }
  MadeArgs& text(std::string_view key, StringId value);  // none: a text that is NULL
  MadeArgs& text(std::string_view key, std::string_view value) {
    return text(key, strings_.intern(value));
  }
  // Adds an element of an array: flat[index].
  MadeArgs& element(std::string_view flat, size_t index, ArgType type, int64_t value);
  ArgSource close();

 private:
  static constexpr size_t kRecent = 1024;  // sets that are searched for a new one
  uint32_t key_index(ArgKey key);

  ArgSets& sets_;
  uint32_t source_;
  StringPool& strings_;
  absl::flat_hash_map<ArgKey, uint32_t> keys_;
  std::vector<uint32_t> recent_;  // first rows, by hash
  size_t first_ = 0;              // row of the open set
};

}  // namespace tracebraid
