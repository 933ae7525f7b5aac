// SourceMap: maps bytes of an expanded statement to the user's text.
#pragma once

#include <cstddef>
#include <vector>

namespace tracebraid {

// Add segments in the order of the expanded text, from its start on. Without segments both texts
// are equal.
class SourceMap {
 public:
  // The next `length` bytes of the expanded text are copies of those from `original` on.
  void add_copied(size_t length, size_t original) { add(length, original, true); }
  // The next `length` bytes of the expanded text replace the text at `original`.
  void add_made(size_t length, size_t original) { add(length, original, false); }

  // Returns the offset in the original of a byte of the expanded text; after the last segment, that
  // of its end.
  size_t original(size_t expanded) const;

 private:
  struct Segment {
    size_t begin, length, original;
    bool is_copied;
  };
  void add(size_t length, size_t original, bool is_copied);

  std::vector<Segment> segments_;
};

}  // namespace tracebraid
