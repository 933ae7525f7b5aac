// A chunk: consecutive lines of kernel text, read on any thread into a batch of its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/sink.h"
#include "format/systrace/graph_state.h"
#include "format/systrace/line.h"
#include "kernel/ftrace_marks.h"
#include "kernel/text/context.h"

namespace tracebraid::systrace {

// Facts about the whole file, known before its lines are read.
struct FileForm {
  size_t flag_width = kUsualFlagWidth;
  bool keep_raw = true;  // rows of ftrace_event
  // State of a text of the tracer function_graph, whose chunks are read one after the other; null
  // for other texts.
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

// Facts about the file as a whole that stand in one chunk.
struct ChunkFacts {
  std::vector<SyncMark> syncs;
  std::string clock_type;  // "# clock_type=", the last one
  int64_t lost_events = 0;
  int64_t num_cpus = -1;
  std::string unsupported_tracer;  // name of a tracer whose lines are not read
};

// Reads the lines of a chunk (lines.h) with the state that they share.
class Chunk : public kernel_text::Context {
 public:
  // `form` and `facts` outlive the chunk.
  Chunk(const FileForm& form, EventSink& sink, ChunkFacts& facts)
      : Context(form.keep_raw, sink), form_(form), facts_(facts), marks_(tracks(), sink) {}

  const FileForm& form() const { return form_; }
  ChunkFacts& facts() { return facts_; }
  FtraceMarks& marks() { return marks_; }
  GraphState& graph() { return form_.graph != nullptr ? *form_.graph : own_graph_; }

  // The line of a callstack. The lines that follow are its functions; LineReader takes it.
  std::optional<Line> begun_stack;

 private:
  const FileForm& form_;
  ChunkFacts& facts_;
  FtraceMarks marks_;
  GraphState own_graph_;
};

}  // namespace tracebraid::systrace
