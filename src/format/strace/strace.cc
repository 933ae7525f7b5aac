// The format: system calls as strace -f -ttt [-T] prints them.
#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <string>
#include <utility>
#include <vector>

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "format/common/text_lines.h"
#include "format/format.h"
#include "format/strace/line.h"
#include "format/strace/stats.h"

namespace tracebraid::strace {
namespace {

Match sniff(const Peek& peek) {
  std::string_view text = peek.head;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.starts_with('-') || line.starts_with('+') || is_notice(line)) continue;
    // Ignores a line that the peek truncates.
    if (text.empty() && peek.head.size() == kPeekBytes) return Match::No;
    if (parse_line(line)) return Match::Likely;
    return is_timeless(line) ? Match::Maybe : Match::No;
  }
  return Match::No;
}

class Reader {
 public:
  explicit Reader(Chunks& chunks) : chunks_(chunks) { begin_chunk(); }

  // Releases the pages read so far, except those of unfinished calls.
  void begin_chunk() {
    sink_ = &chunks_.add();
    track_type_ = sink_->string("thread_execution");
    args_key_ = plain_key("args", *sink_);
    ret_key_ = plain_key("ret", *sink_);
    if (times_ != Times::Unknown) take_clock();
    for (auto& [tid, task] : tasks_) task.thread = task.track = kNone;
  }

  void read(std::string_view text, uint64_t offset) {
    if (text.empty()) return;
    if (is_notice(text)) return note(text);
    std::optional<Line> line = parse_line(text);
    if (!line) return sink_->count(stats::strace_parse_failure, offset, text);
    if (!find_thread(*line)) return sink_->count(stats::strace_missing_pid, offset, text);
    if (times_ == Times::Unknown) choose_clock(*line);
    if (!place(*line))
      return sink_->count(stats::strace_unsupported_timestamp_format, offset, text);
    write(*line);
  }

  void finish() { name_first(kOnlyThread); }

 private:
  enum class Times : uint8_t {
    Unknown,
    Dates,      // option -ttt
    Distances,  // option -r: since the line before
    OfDay,      // options -t, -tt: of an unknown day
  };

  void note(std::string_view text) {
    const std::optional<int64_t> tid = attached(text);
    if (!tid) return;
    announced_.insert(*tid);
    living_.insert(*tid);
  }

  // Finds the thread of the line. All calls belong to one thread without -f, which omits tids. On a
  // terminal, strace -f prints tids while there are several processes.
  bool find_thread(Line& line) {
    if (line.tid) {
      any_tid_ = true;
      is_on_terminal_ |= line.is_on_terminal;
      living_.insert(*line.tid);
      // The thread that existed before the others.
      if (!announced_.empty() && !announced_.contains(*line.tid)) name_first(*line.tid);
    } else if (any_tid_) {
      if (!is_on_terminal_ || living_.size() != 1) return false;
      line.tid = *living_.begin();
    }
    if (line.tid && line.kind == Line::Kind::Exit) living_.erase(*line.tid);
    return true;
  }

  // Sets the tid of calls at the beginning whose tid was not printed.
  void name_first(int64_t tid) {
    for (const auto& [batch, thread] : first_) batch->threads[thread] = {.tid = tid};
    first_.clear();
    const auto at = tasks_.find(kFirst);
    if (at == tasks_.end()) return;
    if (const auto call = open_.find(kFirst); call != open_.end()) {
      std::string args = std::move(call->second);  // another entry may move all entries
      open_.erase(call);
      open_.insert_or_assign(tid, std::move(args));
    }
    tasks_.erase(kFirst);
  }

  uint32_t thread_of(int64_t tid) {
    if (tid != kFirst) return sink_->thread({.tid = tid});
    // A distinct name, because it may change.
    const uint32_t thread = sink_->thread({.tid = kOnlyThread, .life = 1});
    first_.emplace_back(&sink_->batch(), thread);
    return thread;
  }

  // The first time determines the clock.
  void choose_clock(const Line& first) {
    constexpr int64_t kYear1973 = 100'000'000'000'000'000;
    times_ = first.ns < kYear1973 ? Times::Distances : Times::Dates;
    if (first.is_of_day) times_ = Times::OfDay;
    take_clock();
  }

  void take_clock() {
    clock_ = sink_->clock(
        {.domain = times_ == Times::Dates ? domain::kRealtime : kPrivateClock, .by_default = true});
  }

  // Converts the line's time to one of the clock. Returns false if it contradicts earlier times.
  bool place(Line& line) {
    constexpr int64_t kDay = 86'400'000'000'000;
    if (line.is_of_day != (times_ == Times::OfDay)) return false;
    if (times_ == Times::Dates) return true;
    if (times_ == Times::Distances) {
      if (__builtin_add_overflow(now_, line.ns, &now_)) return false;
    } else {
      line.ns += days_ * kDay;
      if (line.ns < now_ - kDay / 2 && days_ < kMostDays) {  // midnight has passed
        line.ns += kDay;
        ++days_;
      }
      now_ = line.ns;
    }
    line.ns = now_;
    return true;
  }

  void write(const Line& line) {
    const int64_t tid = line.tid.value_or(kFirst);
    Task& task = tasks_[tid];
    if (task.thread == kNone) task.thread = thread_of(tid);
    name_thread(line, task);
    if (task.track == kNone)
      task.track =
          sink_->track({.scope = TrackScope::Thread, .owner = task.thread, .type = track_type_});
    const uint32_t thread = task.thread, track = task.track;
    const EventTime time{line.ns, clock_};
    using Kind = Line::Kind;
    switch (line.kind) {
      case Kind::Call:
        return call(EventKind::Slice, time, track, line);
      case Kind::Unfinished:
        return begin(tid, time, track, line);
      case Kind::ResumedUnfinished:
        end(tid, time, track, line);
        return begin(tid, time, track, line);
      case Kind::Resumed:
        return end(tid, time, track, line);
      case Kind::Signal:
        return call(EventKind::Instant, time, track, line);
      case Kind::Exit:
        return sink_->event(make_thread_end(time, thread));
    }
  }

  struct Task {
    uint32_t thread = kNone, track = kNone;
    std::string name;
  };

  void name_thread(const Line& line, Task& task) {
    if (line.comm.empty() || task.name == line.comm) return;
    task.name = line.comm;
    constexpr int64_t kPriority = 1;  // as of kernel events (spec proto 4.1)
    sink_->event(
        make_thread_name({line.ns, clock_}, task.thread, sink_->string(task.name), kPriority));
  }

  void call(EventKind kind, const EventTime& time, uint32_t track, const Line& line) {
    EventParts parts{.name = sink_->string(line.name), .category = sink_->string(kCategory)};
    const int64_t dur = kind == EventKind::Slice ? line.duration_ns.value_or(0) : 0;
    // The args of an unfinished call are known when it ends.
    if (kind != EventKind::SliceBegin) parts.args = args(line.args, line.result);
    sink_->event(make_slice_event(time, kind, track, dur, parts));
  }

  void begin(int64_t tid, const EventTime& time, uint32_t track, const Line& line) {
    open_.insert_or_assign(tid, std::string(line.args));
    call(EventKind::SliceBegin, time, track, line);
  }

  // Ends the open call of a thread.
  void end(int64_t tid, EventTime time, uint32_t track, const Line& line) {
    EventParts parts{.name = sink_->string(line.name), .category = sink_->string(kCategory)};
    const auto at = open_.find(tid);
    if (at != open_.end()) {
      parts.args = args(line.args.empty() ? at->second : line.args, line.result);
      open_.erase(at);
      return sink_->event(make_slice_end(time, track, parts));
    }
    // The call began before the recording.
    parts.args = args(line.args, line.result);
    if (line.duration_ns && !__builtin_sub_overflow(time.ticks, *line.duration_ns, &time.ticks))
      return sink_->event(make_slice(time, track, *line.duration_ns, parts));
    sink_->event(make_slice_end(time, track, parts, true));
  }

  uint32_t args(std::string_view given, std::string_view result) {
    if (given.empty() && result.empty()) return kNone;
    sink_->open_args();
    if (!given.empty()) sink_->arg(args_key_, ArgType::String, sink_->string(given).row);
    if (!result.empty()) sink_->arg(ret_key_, ArgType::String, sink_->string(result).row);
    return sink_->close_args();
  }

  static constexpr std::string_view kCategory = "strace";
  static constexpr int64_t kOnlyThread = 1, kMostDays = 10'000;
  static constexpr int64_t kFirst = -1;  // the tid is not given, or not yet
  Chunks& chunks_;
  EventSink* sink_ = nullptr;  // of the current chunk
  StringId track_type_;
  uint32_t args_key_ = kNone, ret_key_ = kNone;
  uint32_t clock_ = 0;
  Times times_ = Times::Unknown;
  int64_t now_ = 0;   // time of the last line, unless times are dates
  int64_t days_ = 0;  // number of midnights passed
  bool any_tid_ = false, is_on_terminal_ = false;
  absl::flat_hash_set<int64_t> announced_, living_;      // processes
  std::vector<std::pair<EventBatch*, uint32_t>> first_;  // names of kFirst, one per chunk
  absl::flat_hash_map<int64_t, std::string> open_;       // args so far of unfinished calls, by tid
  absl::flat_hash_map<int64_t, Task> tasks_;             // by tid
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  constexpr size_t kBlock = size_t{1} << 20, kPiece = size_t{4} << 20;
  if (sniff({.head = input.peek(kPeekBytes), .name = {}}) == Match::Maybe)
    return fail(ErrorCode::Unsupported, "this strace output has no times; record with strace -ttt");
  Reader reader(chunks);
  uint64_t chunk_at = 0;
  size_t carry = 0, want = kBlock;
  Block tail;
  // Reads chunks in order, because a call may end far from its start.
  while (std::optional<Block> block = input.next(want, carry)) {
    if (block->at - chunk_at >= kPiece) {
      reader.begin_chunk();
      chunk_at = block->at;
    }
    const std::string_view bytes = block->bytes;
    const size_t feed = bytes.rfind('\n');
    const size_t whole = feed == std::string_view::npos ? 0 : feed + 1;
    for_each_line(bytes.substr(0, whole), block->at,
                  [&](std::string_view line, uint64_t offset) { reader.read(line, offset); });
    carry = bytes.size() - whole;
    want = whole == 0 ? bytes.size() : kBlock;
    tail = *block;
    tail.bytes = bytes.substr(whole);
    tail.at = block->at + whole;
    input.done(*block);
  }
  for_each_line(tail.bytes, tail.at,
                [&](std::string_view line, uint64_t offset) { reader.read(line, offset); });
  reader.finish();
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "strace",
    .title = "strace output",
    .about =
        "System calls as strace -f -ttt (or -r, -t, -tt) prints them, with -T their durations: a "
        "slice for each call on its thread, with args and ret as texts; unfinished calls last "
        "until they are resumed. Output without times is not read.",
    .times = "REALTIME; with options -r, -t and -tt the file's own (for -t and -tt from midnight).",
    .tables = "slice, args, thread.",
    .clock = {.domain = domain::kRealtime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::strace
