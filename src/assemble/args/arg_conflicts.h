// ArgConflicts: members that the begin and the end of a slice both have, but as different kinds of
// value: object, array, plain value. The value of the end applies (spec json 3.5).
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <string_view>

namespace tracebraid {

// Keys are those of JSON args (`args.a[0].b`). Requires: the texts of keys outlive the object.
class ArgConflicts {
 public:
  // Returns whether a key is that of a value in an object or array of the args.
  static bool is_nested(std::string_view key);

  // Requires: all keys of the begin are added before those of the end.
  void add_begin(std::string_view key);
  void add_end(std::string_view key);

  bool has_any() const { return !replaced_.empty(); }
  // Returns whether the end replaces a row of the begin with this key.
  bool is_replaced(std::string_view key) const;
  uint32_t members() const { return static_cast<uint32_t>(replaced_.size()); }

 private:
  enum What : uint8_t { kPlain = 1, kObject = 2, kArray = 4 };
  void check(std::string_view path, What what);

  absl::flat_hash_map<std::string_view, uint8_t> begin_;  // kinds of value at a path, as bits
  absl::flat_hash_set<std::string_view> replaced_;        // paths
};

}  // namespace tracebraid
