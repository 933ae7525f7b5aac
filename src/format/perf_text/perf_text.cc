// The format: the text of `perf script` and simpleperf's report_sample (spec json 11.4).
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/clock_domain.h"
#include "base/words.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/lines.h"
#include "format/common/profile.h"
#include "format/common/stats.h"
#include "format/format.h"
#include "format/perf_text/header.h"
#include "format/perf_text/stats.h"
#include "kernel/text/details.h"
#include "kernel/text/fields.h"
#include "kernel/text/sched.h"

namespace tracebraid::perf_text {
namespace {

constexpr size_t kBlockBytes = size_t{4} << 20;
constexpr size_t kMaxFrames = 16384;  // of one sample
constexpr size_t kMaxFailureText = 256;
constexpr int64_t kMaxCpu = 4095;  // of the table cpu (spec clocks 12.7)

class Reader {
 public:
  Reader(EventSink& sink, const ReadOptions& options) : sink_(sink), keep_raw_(options.ftrace_raw) {
    ClockName clock;
    clock.domain = domain::kMonotonic;
    clock.by_default = true;
    clock_ = sink.clock(clock);
  }

  void line(std::string_view line, uint64_t at);
  // Drops the sample of the last line, because the file ends within the line.
  void cut();
  void finish();

 private:
  void begin(const Header& header, uint64_t at);
  void end();
  void count_lost(const Header& header, std::string_view note);
  void add_frame(const Frame& frame);
  void add_source(const Source& source);
  uint32_t thread_of(const Header& header);
  void tracepoint(const Header& header, std::string_view name, std::string_view details,
                  uint64_t at);

  EventSink& sink_;
  bool keep_raw_;
  uint32_t clock_;
  bool in_sample_ = false;
  uint64_t at_ = 0;  // offset of the sample's first line
  std::string header_text_;
  uint64_t branch_stacks_ = 0;  // not imported
  bool is_event_ = false;       // whether it is a kernel event, which was emitted as such
  ProfileSample sample_;
  std::vector<uint32_t> frames_;                   // of the sample, leaf first
  absl::flat_hash_map<uint32_t, StringId> comms_;  // by thread, the last one
};

void Reader::line(std::string_view line, uint64_t at) {
  if (line.starts_with('#')) return;
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return end();
  if (in_sample_) {
    if (const std::optional<Frame> frame = parse_frame(line)) return add_frame(*frame);
    if (const auto source = frames_.empty() ? std::nullopt : parse_source(line))
      return add_source(*source);
    if (has_branches(line)) {
      ++branch_stacks_;
      return;
    }
  }
  if (const std::optional<Header> header = parse_header(line)) {
    end();
    // Notes of perf about tasks and mappings (--show-task-events, ...) are no samples.
    if (const std::string_view note = trim(header->rest); note.starts_with("PERF_RECORD_"))
      return count_lost(*header, note);
    at_ = at;
    header_text_ = line.substr(0, kMaxFailureText);
    return begin(*header, at);
  }
  sink_.count(stats::perf_text_parse_failure, at, line.substr(0, kMaxFailureText));
}

// Counts "PERF_RECORD_LOST lost 27" and "PERF_RECORD_LOST_SAMPLES lost 3"; other notes count
// nothing.
void Reader::count_lost(const Header& header, std::string_view note) {
  if (!take_word(note).starts_with("PERF_RECORD_LOST") || take_word(note) != "lost") return;
  const std::optional<int64_t> lost = parse_decimal(take_word(note));
  const int32_t cpu = header.cpu > kMaxCpu ? -1 : static_cast<int32_t>(header.cpu);
  if (lost && *lost > 0) sink_.tally(stats::perf_cpu_lost_records, *lost, 0, std::max(cpu, 0));
}

void Reader::begin(const Header& header, uint64_t at) {
  in_sample_ = true;
  const What what = parse_what(header.rest);
  sample_ = {};
  sample_.ts = header.ts;
  sample_.clock = clock_;
  sample_.thread = thread_of(header);
  sample_.source = "perf_text";
  if (!what.event.empty()) sample_.name = sink_.string(what.event);
  sample_.weight = what.period;
  sample_.extra.cpu = header.cpu;
  sample_.extra.rows = SampleRows::JsonAndProfiler;
  if (has_branches(what.details)) ++branch_stacks_;
  const std::string_view name = tracepoint_of(what.event);
  is_event_ = !name.empty() && header.cpu >= 0 && header.cpu <= kMaxCpu;
  if (is_event_) return tracepoint(header, name, what.details, at);
  if (const std::optional<Frame> frame = parse_frame_in(what.details)) add_frame(*frame);
}

// Emits the same events as a line of kernel text, and the sample if it has a callstack.
void Reader::tracepoint(const Header& header, std::string_view name, std::string_view details,
                        uint64_t at) {
  const SchedLine where{.time = {header.ts, clock_},
                        .cpu = static_cast<uint32_t>(header.cpu),
                        .tid = header.tid,
                        .adds_row = keep_raw_,
                        .offset = at};
  SwitchText change;
  WakingText waking;
  if (name == "sched_switch" && parse_switch(details, change))
    return emit_switch(where, change, sink_);
  const bool is_waking =
      name == "sched_waking" || name == "sched_wakeup" || name == "sched_wakeup_new";
  if (is_waking && parse_waking(details, waking)) return emit_waking(where, name, waking, sink_);
  const auto emit = [&](EventKind kind, uint32_t args) {
    sink_.event(make_kernel_event(
        where.time, kind,
        {.cpu = where.cpu, .tid = header.tid, .name = sink_.string(name), .args = args}));
  };
  const bool is_blocked = name == "sched_blocked_reason" && emit_blocked(where, details, sink_);
  if (!is_blocked) return emit_text_event(name, details, keep_raw_, sink_, emit);
  if (!keep_raw_) return;
  KernelDetails fields;
  split_details(details, fields);
  emit(EventKind::FtraceRow, details_args(fields, sink_));
}

uint32_t Reader::thread_of(const Header& header) {
  if (header.tid < 0) return kNone;  // of an exited task: the owner is not known
  ThreadName name;
  name.tid = header.tid;
  if (header.has_pid && header.pid >= 0) name.pid = header.pid;
  const uint32_t thread = sink_.thread(name);
  const StringId comm = header.comm.empty() ? StringId{} : sink_.string(header.comm);
  StringId& last = comms_[thread];
  if (comm && last != comm) {
    last = comm;
    constexpr int64_t kPriority = 1;  // as of scheduler events (spec proto 4.1)
    sink_.event(make_thread_name({header.ts, clock_}, thread, comm, kPriority));
  }
  return thread;
}

void Reader::add_frame(const Frame& frame) {
  if (frames_.size() >= kMaxFrames) return;
  StackFrame made;
  made.name = sink_.string(frame.symbol);
  made.mapping = sink_.mapping({.name = sink_.string(frame.mapping)});
  made.rel_pc = static_cast<int64_t>(frame.address);
  frames_.push_back(sink_.frame(made));
}

void Reader::add_source(const Source& source) {
  if (source.file.empty()) return;
  StackFrame made = sink_.batch().stacks.frames[frames_.back()];
  made.has_symbol = true;
  made.source_file = sink_.string(source.file);
  if (source.line > 0) made.line = source.line;
  frames_.back() = sink_.frame(made);
}

void Reader::end() {
  if (!std::exchange(in_sample_, false)) return;
  if (frames_.empty() && is_event_) return;
  if (frames_.empty())
    return sink_.count(stats::perf_text_importer_sample_no_frames, at_, header_text_);
  uint32_t callsite = kNone;
  for (size_t i = frames_.size(); i-- > 0;) callsite = sink_.callsite(callsite, frames_[i]);
  frames_.clear();
  sample_.extra.callsite = callsite;
  write_sample(sink_, sample_);
}

void Reader::finish() {
  end();
  if (branch_stacks_ > 0)
    sink_.batch().not_imported.push_back({"branch stacks", branch_stacks_, 0});
}

void Reader::cut() {
  sink_.count(stats::trace_truncated, at_, header_text_);
  in_sample_ = false;
  frames_.clear();
}

Result<> read(Input& input, const ReadOptions& options, Chunks& chunks) {
  Reader reader(chunks.add(), options);
  for_each_line(input, kBlockBytes, [&](std::string_view line, uint64_t at, bool is_complete) {
    // The last line counts if it cannot be truncated.
    if (is_complete || parse_frame(line)) return reader.line(line, at);
    reader.cut();
  });
  reader.finish();
  return {};
}

Match sniff(const Peek& peek) {
  std::string_view rest = peek.head;
  for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos)
      continue;
    return parse_header(line) ? Match::Maybe : Match::No;
  }
  return Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "perf_text",
    .title = "perf script text",
    .about =
        "Samples with callstacks as perf script prints them, and report_sample of simpleperf. "
        "Tracepoints are imported as from kernel text (sched_switch as scheduling). Samples "
        "without a callstack or an address are counted but not imported.",
    .times =
        "MONOTONIC is assumed, as of perf record -k CLOCK_MONOTONIC; the text does not name a "
        "clock.",
    .tables =
        "cpu_profile_stack_sample, json_sample, the stack_profile tables, sched, thread_state, "
        "ftrace_event.",
    .clock = {.domain = domain::kMonotonic, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::perf_text
