// Context of the lines of one chunk of kernel text: the sink of their events, and what lines tell
// later lines of the chunk. Used by one thread.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "event/sink.h"
#include "event/system_tracks.h"
#include "kernel/text/line.h"

namespace tracebraid::kernel_text {

// The text's clock, index 0 of EventBatch::clocks in each chunk.
inline constexpr uint32_t kTextClock = 0;
void add_text_clock(EventSink& sink);
// The clock of times without a decimal point: counts that no other clock has.
uint32_t count_clock(EventSink& sink);

class Context {
 public:
  // `keep_raw`: lines become rows of ftrace_event, too.
  Context(bool keep_raw, EventSink& sink);

  EventSink& sink() { return sink_; }
  SystemTracks& tracks() { return tracks_; }
  bool keep_raw() const { return keep_raw_; }
  uint64_t offset() const { return offset_; }  // of the line in the file
  void set_offset(uint64_t offset) { offset_ = offset; }

  EventTime time(const Line& line) {
    return {line.ns, line.is_count ? count_clock(sink_) : kTextClock};
  }
  // Returns the thread that wrote the line.
  uint32_t thread(const Line& line) { return sink_.thread({.tid = line.tid}); }
  // Remembers the name of a thread, except placeholders, and emits it if `emits`. Assembly takes
  // names from switches and wakings itself.
  void note_name(const Line& line, int64_t tid, std::string_view name, bool emits);
  // Emits the name and the process of the line's task unless an earlier line gave the same.
  void note_task(const Line& line);
  void fail(std::string_view text);  // counts the line as malformed

  // Tracks with a slice that a later line of this chunk ends, by the text that both lines share.
  absl::flat_hash_map<std::string, uint32_t> open_requests;
  // The largest order for which a thread that frees memory was woken, by tid.
  absl::flat_hash_map<int64_t, int64_t> kswapd_orders;
  // Parts of the fence for which a thread waits, "name=value", by tid.
  absl::flat_hash_map<int64_t, std::vector<std::string>> fence_parts;

 private:
  struct Task {
    std::string_view name;  // the latest; part of the text
    int64_t tgid = kNoId;
    bool is_emitted = false;
  };

  EventSink& sink_;
  SystemTracks tracks_;
  absl::flat_hash_map<int64_t, Task> tasks_;
  uint64_t offset_ = 0;
  bool keep_raw_;
};

}  // namespace tracebraid::kernel_text
