#include "format/systrace/graph.h"

#include <algorithm>
#include <string>

#include "base/words.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/systrace/events.h"
#include "format/systrace/graph_line.h"
#include "kernel/text/emit.h"

namespace tracebraid::systrace {

using namespace kernel_text;

namespace {

// Times of lines are truncated to microseconds, durations are exact. A call may therefore begin up
// to this much after the time of its line, so that it does not overlap the call before.
constexpr int64_t kResolutionNs = 2000;

int64_t plus(int64_t ns, int64_t duration) {
  int64_t sum = 0;
  return __builtin_add_overflow(ns, duration, &sum) ? INT64_MAX : sum;
}

// The calls of one thread, or of a CPU whose thread is not known.
class Calls {
 public:
  Calls(const Line& line, int64_t tid, bool has_time, Chunk& chunk)
      : line_(line),
        chunk_(chunk),
        cpu_(chunk.graph().cpus[line.cpu]),
        stack_(chunk.graph().stacks[tid > 0 ? tid : -1 - int64_t{line.cpu}]),
        has_time_(has_time) {
    if (!has_time)
      line_.ns = std::max(cpu_.now, stack_.now);
    else if (stack_.now > line.ns && stack_.now - line.ns <= kResolutionNs)
      line_.ns = stack_.now;
    track_ = tid > 0 ? thread_track(line_, chunk)
                     : cpu_track(line.cpu, "function_graph",
                                 "functions cpu " + std::to_string(line.cpu), chunk);
  }

  // Returns the line with the time of the calls.
  const Line& line() const { return line_; }

  void add(const GraphBody& body, std::optional<int64_t> duration) {
    switch (body.kind) {
      case GraphBody::Kind::Enter:
        begin(line_, track_, body.name, chunk_, args_of(body));
        if (!has_time_) stack_.begins.push_back(line_.ns);
        return pass(line_.ns);
      case GraphBody::Kind::Leaf: {
        const EventParts parts{.name = chunk_.sink().string(body.name), .args = args_of(body)};
        const int64_t dur = duration.value_or(0);
        chunk_.sink().event(make_slice(chunk_.time(line_), track_, dur, parts));
        return pass(plus(line_.ns, dur));
      }
      case GraphBody::Kind::Leave:
        return leave(body, duration);
      case GraphBody::Kind::Comment:
        return instant(line_, track_, body.name, chunk_);
      case GraphBody::Kind::None:
        return;
    }
  }

 private:
  void leave(const GraphBody& body, std::optional<int64_t> duration) {
    if (!has_time_ && !stack_.begins.empty()) {
      line_.ns = std::max(line_.ns, plus(stack_.begins.back(), duration.value_or(0)));
      stack_.begins.pop_back();
    }
    end(line_, track_, {}, chunk_, args_of(body));
    pass(line_.ns);
  }

  void pass(int64_t now) {
    stack_.now = now;
    if (!has_time_) cpu_.now = std::max(cpu_.now, now);
  }

  uint32_t args_of(const GraphBody& body) {
    if (body.args.empty() && body.result.empty()) return kNone;
    EventSink& sink = chunk_.sink();
    sink.open_args();
    if (!body.args.empty()) add_text("args", body.args, sink);
    if (!body.result.empty()) add_text("ret", body.result, sink);
    return sink.close_args();
  }

  Line line_;
  Chunk& chunk_;
  GraphState::Cpu& cpu_;
  GraphState::Stack& stack_;
  bool has_time_;
  uint32_t track_ = kNone;
};

// Parses "sched_switch: prev_comm=...", an event between the calls.
bool parse_event(std::string_view text, Line& line) {
  const size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos) return false;
  const auto is_name_char = [](char c) {
    return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  line.name = text.substr(0, colon);
  line.details = trim(text.substr(colon + 1));
  return std::ranges::all_of(line.name, is_name_char);
}

}  // namespace

void read_graph_line(const GraphLine& found, Chunk& chunk) {
  GraphState::Cpu& cpu = chunk.graph().cpus[found.cpu];
  if (found.tid != kNoId) cpu.tid = found.tid;
  Line line{.task = found.task, .tid = std::max<int64_t>(cpu.tid, 0), .cpu = found.cpu};
  line.ns = found.ns.value_or(cpu.now);
  line.is_count = found.is_count || !found.ns;
  if (found.tid != kNoId) chunk.note_task(line);
  if (found.kind == GraphLine::Kind::Switch) return;
  const int64_t tid = cpu.tid;
  Calls calls(line, tid, found.ns.has_value(), chunk);
  Line event = calls.line();
  if (found.body.kind == GraphBody::Kind::Comment && parse_event(found.body.name, event))
    return read_event(event, chunk);
  calls.add(found.body, found.duration_ns);
}

}  // namespace tracebraid::systrace
