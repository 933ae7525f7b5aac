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

// The numbers of an array element: `index` is the one in its key, which counts no nulls, `place`
// that in the array.
struct ElementIndex {
  uint64_t index = 0, place = 0;
};

// The path to a value: debug.a[2].b, without indexes debug.a.b, and the unambiguous path
// (event/arg_path.h).
class ArgPath {
 public:
  explicit ArgPath(std::string_view root) : flat_(root), key_(root) {}

  struct Mark {
    size_t flat, key, path;
    bool has_path;
  };
  Mark mark() const { return {flat_.size(), key_.size(), path_.size(), has_path_}; }
  void leave(Mark mark) {
    flat_.resize(mark.flat);
    key_.resize(mark.key);
    path_.resize(mark.path);
    has_path_ = mark.has_path;
  }
  // Enters a member whose name is an identifier.
  void enter(std::string_view name);
  // Enters a member with any name; `part` is its name in keys.
  void enter(std::string_view part, std::string_view name);
  void enter(ElementIndex element);  // of an array

  uint32_t arg_key(EventSink& sink) const {
    return sink.arg_key(
        {sink.string(flat_), sink.string(key_), has_path_ ? sink.string(path_) : StringId{}});
  }
  const std::string& key() const { return key_; }
  const std::string& path() const { return has_path_ ? path_ : key_; }
  bool has_path() const { return has_path_; }

 private:
  void begin_path();

  std::string flat_, key_;
  bool has_path_ = false;  // whether the path differs from the key
  std::string path_;       // empty without has_path_
};

// The sizes of the arrays of an arg set. A repeated array continues at its end (spec proto 2.8).
class ArraySizes {
 public:
  void clear() {
    if (!sizes_.empty()) sizes_.clear();
    if (!places_.empty()) places_.clear();
  }
  // Return the numbers of the next element; null takes no index.
  ElementIndex add(const ArgPath& path) {
    ElementIndex& size = sizes_[path.key()];
    return {size.index++, place(path, size)++};
  }
  ElementIndex add_null(const ArgPath& path) {
    ElementIndex& size = sizes_[path.key()];
    return {size.index, place(path, size)++};
  }

 private:
  uint64_t& place(const ArgPath& path, ElementIndex& size) {
    return path.has_path() ? places_[path.path()] : size.place;
  }

  absl::flat_hash_map<std::string, ElementIndex> sizes_;  // by key
  absl::flat_hash_map<std::string, uint64_t> places_;     // by path, if it differs from the key
};

// Limit of the nesting. Deeper values are left out.
inline constexpr int kMaxArgDepth = 64;

}  // namespace tracebraid::proto
