// Piece: a chunk of lines of kernel text, read on any thread into a batch of its own (lines.h reads
// it).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/make_event.h"
#include "event/sink.h"
#include "format/common/ftrace_marks.h"
#include "format/common/system_tracks.h"
#include "format/systrace/graph_state.h"
#include "format/systrace/line.h"

namespace tracebraid::systrace {

// Facts about the whole file, known before its lines are read.
struct FileForm {
  size_t flag_width = kUsualFlagWidth;
  bool keep_raw = true;  // rows of ftrace_event
  // For a text of the tracer function_graph, whose chunks are read one by one; else null.
  GraphState* graph = nullptr;
};

// A mark "trace_event_clock_sync: ..." (spec json 6.4).
struct SyncMark {
  enum class Kind : uint8_t { Name, Parent, Realtime };
  Kind kind;
  bool is_count;     // of the time, as in Line
  int64_t ns;        // of the mark, in the file's clock
  int64_t other_ns;  // Parent: MONOTONIC; Realtime: REALTIME
  std::string name;  // Name
  uint64_t offset;
};

// Facts about the whole file that a chunk contains.
struct PieceFacts {
  std::vector<SyncMark> syncs;
  std::string clock_type;  // "# clock_type=", the last one
  int64_t lost_events = 0;
  int64_t num_cpus = -1;
  std::string unsupported_tracer;  // name of a tracer whose lines are not read
};

// The clock of the text, index 0 of EventBatch::clocks in each chunk.
inline constexpr uint32_t kTextClock = 0;
void name_text_clock(EventSink& sink);
// Returns the clock of times without a point: counts that no other clock has.
uint32_t count_clock(EventSink& sink);

class Piece {
 public:
  Piece(const FileForm& form, EventSink& sink, PieceFacts& facts);

  EventSink& sink() { return sink_; }
  SystemTracks& tracks() { return tracks_; }
  FtraceMarks& marks() { return marks_; }
  PieceFacts& facts() { return facts_; }
  const FileForm& form() const { return form_; }
  GraphState& graph() { return form_.graph != nullptr ? *form_.graph : own_graph_; }
  uint64_t offset() const { return offset_; }  // of the current line
  void set_offset(uint64_t offset) { offset_ = offset; }

  EventTime time(const Line& line) {
    return {line.ns, line.is_count ? count_clock(sink_) : kTextClock};
  }
  // Returns the thread that wrote the line.
  uint32_t thread(const Line& line) { return sink_.thread({.tid = line.tid}); }
  // Notes the name of a thread; ignores placeholders. Call with `states` false for the comms of
  // switches and wakings, because assembling takes their names.
  void note_name(const Line& line, int64_t tid, std::string_view name, bool states);
  // Notes the name and process of the line's task.
  void note_task(const Line& line);
  void fail(std::string_view text);  // counts the line as malformed

  // The line of a callstack, whose functions are the following lines. LineReader takes it.
  std::optional<Line> begun_stack;
  // Tracks with a slice that another line of this chunk will end, by the key that both lines share.
  absl::flat_hash_map<std::string, uint32_t> open_requests;
  // By tid: the largest order for which a thread that frees memory was woken.
  absl::flat_hash_map<int64_t, int64_t> kswapd_orders;
  // By tid: parts "name=value" of the fence for which the thread waits.
  absl::flat_hash_map<int64_t, std::vector<std::string>> fence_parts;

 private:
  struct Task {
    std::string_view name;  // the last emitted name; points into the text
    int64_t tgid = kNoId;
    bool is_stated = false;
  };

  const FileForm& form_;
  EventSink& sink_;
  PieceFacts& facts_;
  SystemTracks tracks_;
  FtraceMarks marks_;
  GraphState own_graph_;
  absl::flat_hash_map<int64_t, Task> tasks_;
  uint64_t offset_ = 0;
};

}  // namespace tracebraid::systrace
