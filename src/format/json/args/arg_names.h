// ArgNames: the names of all args of a chunk, as a tree.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "event/sink.h"
#include "json/value.h"

namespace tracebraid::json {

// A node of the tree of all arg names of a chunk: `args`, `args.data`, `args.data[0]`. Producers
// repeat their keys in one order, so each node stores the name that followed it last time, and
// finding the next name takes one comparison.
class ArgNames {
 public:
  ArgNames(EventSink& sink, size_t max_bytes) : sink_(sink), max_bytes_(max_bytes) {}

  using Node = uint32_t;
  static constexpr Node kNoNode = ~Node{0};

  Node root(std::string_view name);
  // Returns the member `key` of `parent`; `before` is the member read before it, or none. Returns
  // none, as element() does, if all names together would become too long: few bytes deep inside
  // other containers have very long names.
  Node member(Node parent, Node before, std::string_view key);
  // Returns the member that followed last time, if the cursor is at the same key, and moves the
  // cursor to its value. Otherwise returns none and leaves the cursor.
  Node repeated_member(Node parent, Node before, Cursor& cursor) const;
  // Returns an element of `parent`; `before` is the element before it. `index` is the one in its
  // key, which counts no nulls, `place` that in the array.
  Node element(Node parent, Node before, size_t index, size_t place);
  // Returns the value for ArgRow::key.
  uint32_t key(Node node);

  // Marks a member of an object. Returns false if `node` has this mark already; the members of one
  // object have one mark.
  bool mark(Node node, uint64_t mark) { return std::exchange(nodes_[node].mark, mark) != mark; }

 private:
  struct Entry {
    StringId flat;
    StringId full;
    StringId path;          // if it differs from `full` (event/arg_path.h)
    std::string_view text;  // the key alone; not decoded if `is_plain`
    bool is_plain = false;
    uint32_t arg_key = kNone;
    Node first_member = kNoNode, next_member = kNoNode;
    Node first_element = kNoNode, next_element = kNoNode;
    uint64_t mark = 0;
  };
  Node add(StringId flat, StringId full, StringId path, std::string_view text);
  // Returns an element after a null.
  Node shifted_element(Node parent, size_t index, size_t place);
  std::string_view path_of(Node node) const;

  bool is_full() const { return bytes_ > max_bytes_; }

  EventSink& sink_;
  size_t max_bytes_;
  size_t bytes_ = 0;  // total size of all paths
  std::vector<Entry> nodes_;
  absl::flat_hash_map<std::pair<Node, StringId>, Node> members_;
  absl::flat_hash_map<std::tuple<Node, size_t, size_t>, Node> shifted_;  // parent, index, place
  std::map<std::string, Node, std::less<>> roots_;
  std::string scratch_;
};

}  // namespace tracebraid::json
