// SourceMap: maps bytes of an expanded statement to the texts that they come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracebraid {

// A text with SQL: that of the user, or of a module.
struct SourceText {
  std::string title;  // as errors show it: File "stdin"
  std::string text;
  // The lines of a traceback that lead to this text, such as those of its INCLUDE. Empty: the text
  // is the user's.
  std::string outer = {};
};
using SourceTextPtr = std::shared_ptr<const SourceText>;

// A range of a text that was put in the place of another: a statement, the body of a macro or an
// argument of one.
struct SourceFrame {
  SourceTextPtr source;
  size_t begin = 0, end = 0;  // of the range, bytes
  uint32_t parent = 0;        // the frame that contains the replaced text
  size_t call = 0;            // the place of the replaced text, an offset in the parent's text
};

// Add segments in the order of the expanded text, from its start on. Without segments the text is
// that of the first frame.
class SourceMap {
 public:
  SourceMap() = default;
  explicit SourceMap(SourceFrame first) { frames_.push_back(std::move(first)); }

  // Returns the number of the frame.
  uint32_t add_frame(SourceFrame frame);
  // The next `length` bytes of the expanded text are copies of those from `original` on.
  void add_copied(uint32_t frame, size_t length, size_t original) {
    add(frame, length, original, true);
  }
  // The next `length` bytes of the expanded text replace the text at `original`.
  void add_made(uint32_t frame, size_t length, size_t original) {
    add(frame, length, original, false);
  }
  // The next `length` bytes of the expanded text are those of a piece, which replaces the text at
  // `call` of frame `parent`.
  void add_piece(const SourceMap& piece, size_t length, uint32_t parent, size_t call);
  // Returns the map of a range of the expanded text.
  SourceMap part(size_t begin, size_t end) const;

  struct Place {
    uint32_t frame = 0;
    size_t offset = 0;  // in the text of the frame
  };
  // Returns the place of a byte of the expanded text; after the last segment, that of its end.
  Place place(size_t expanded) const;

  const std::vector<SourceFrame>& frames() const { return frames_; }
  // Returns whether the text differs from that of the first frame.
  bool is_expanded() const { return frames_.size() > 1 || has_made_; }

 private:
  struct Segment {
    size_t begin, length, original;
    uint32_t frame;
    bool is_copied;
  };
  void add(uint32_t frame, size_t length, size_t original, bool is_copied);
  size_t size() const {
    return segments_.empty() ? 0 : segments_.back().begin + segments_.back().length;
  }

  std::vector<SourceFrame> frames_;
  std::vector<Segment> segments_;
  bool has_made_ = false;
};

// SQL after the expansion of its macros.
struct SqlText {
  std::string text;
  SourceMap map;

  SqlText part(size_t begin, size_t end) const {
    return {text.substr(begin, end - begin), map.part(begin, end)};
  }
};

}  // namespace tracebraid
