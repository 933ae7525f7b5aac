// ArrayEnds: the ends of the arrays of an arg set. Elements of an array in the args of a closing
// event continue the array of the opening event (spec json 3.5, proto 2.8).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>

#include "base/string_pool.h"
#include "event/args.h"

namespace tracebraid {

// Requires: the texts of keys outlive the object.
class ArrayEnds {
 public:
  void clear();
  // Adds a leaf of the opening event.
  void add(const ArgKey& key, bool is_unlisted, const StringPool& strings);

  // Return the key or path with its outermost index moved past the elements that the array has.
  StringId continued_key(const ArgKey& key, StringPool& strings) const;
  StringId continued_path(StringId path, StringPool& strings) const;

 private:
  using Ends = absl::flat_hash_map<std::string_view, int64_t>;
  Ends of_keys_, of_paths_;  // next index, by the key or path of the array
};

}  // namespace tracebraid
