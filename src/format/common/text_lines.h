// Reads a text in chunks of whole lines, for formats of independent lines.
//
// Input: the bytes of a file. Output: lines, in one EventBatch per chunk. This folder has what
// several formats share: lines, JSON documents, args, kernel text, profiles. Called by the readers
// in the other folders of format/.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "format/format.h"

namespace tracebraid {

// Calls `read(sink, text, at)` for chunks of whole lines, on any thread; `at` is the offset of the
// chunk in the file. The last line may lack its line feed.
void read_in_chunks(Input& input, Chunks& chunks,
                    const std::function<void(EventSink&, std::string_view, uint64_t)>& read);

// Calls `each(line, offset)` for the lines of a text, without their line ends.
template <class Each>
void for_each_line(std::string_view text, uint64_t at, const Each& each) {
  while (!text.empty()) {
    const size_t feed = text.find('\n');
    std::string_view line = text.substr(0, feed);
    const size_t taken = feed == std::string_view::npos ? text.size() : feed + 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    each(line, at);
    text.remove_prefix(taken);
    at += taken;
  }
}

}  // namespace tracebraid
