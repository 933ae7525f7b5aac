// JoinedTexts: the result of group_concat() and string_agg().
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "query/scan/stop_check.h"

namespace tracebraid {

// The texts of a frame with separators between them, in chunks: a long text that grows in one piece
// is copied again and again, and the last copies take longer than a stop may.
class JoinedTexts {
 public:
  // Appends a text, and the separator before it unless it is the first one.
  void add(std::string_view text, std::string_view separator);
  // Removes the first text and the separator behind it. Requires: it has this many bytes.
  void remove_first(size_t bytes);
  // Sets the result, NULL without texts. Errors: those of `stop`.
  void result(sqlite3_context* context, StopCheck& stop) const;

 private:
  void append(std::string_view bytes);

  std::deque<std::string> chunks_;  // all but the last one have at least kChunkBytes
  size_t removed_ = 0;              // bytes of the first one that belong to removed texts
  uint64_t texts_ = 0;
  // The lengths of the separators between the texts: one for all, unless they differ.
  size_t separator_ = 0;
  std::deque<size_t> separators_;
};

}  // namespace tracebraid
