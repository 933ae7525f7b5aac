// SourceMap: where the bytes of an expanded statement come from in what the user wrote.
#pragma once

#include <cstddef>
#include <vector>

namespace tracebraid {

// Segments are added in the order of the expanded text, which they cover from its start on.
// Without any the two texts are the same.
class SourceMap {
 public:
  // The next `length` bytes of the expanded text are those from `original` on.
  void add_copied(size_t length, size_t original) { add(length, original, true); }
  // The next `length` bytes were made in place of what stands at `original`.
  void add_made(size_t length, size_t original) { add(length, original, false); }

  // The offset in the original of a byte of the expanded text. Behind the last segment: of its
  // end.
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
