// The format: ninja's log of builds (spec json 11.3).
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "format/common/lines.h"
#include "format/format.h"
#include "format/ninja_log/stats.h"

namespace tracebraid::ninja_log {
namespace {

constexpr std::string_view kHeader = "# ninja log v";
constexpr int64_t kNameOfSystem = 1;

constexpr size_t kBlockBytes = size_t{4} << 20;

// One line: an output of a command.
struct Output {
  int64_t start_ms = 0, end_ms = 0;
  std::string_view path;
  uint64_t command = 0;
};

// A command that ran, named after its outputs.
struct Job {
  int64_t start_ms = 0, end_ms = 0;
  StringId name;
};

Match sniff(const Peek& peek) { return peek.head.starts_with(kHeader) ? Match::Sure : Match::No; }

template <class Number>
bool to_number(std::string_view text, int base, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && stop == end;
}

// Parses start end restat output command, separated by tabs.
bool parse_output(std::string_view line, Output& output) {
  std::array<std::string_view, 5> fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == fields.size())) return false;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(std::min(fields[i].size() + 1, line.size()));
  }
  int64_t restat = 0;
  if (!to_number(fields[0], 10, output.start_ms) || !to_number(fields[1], 10, output.end_ms) ||
      !to_number(fields[2], 10, restat) || !to_number(fields[4], 16, output.command))
    return false;
  output.path = fields[3];
  return output.start_ms >= 0 && output.end_ms >= output.start_ms;
}

// The workers of a build: the smallest number that could have run its jobs.
class Workers {
 public:
  Workers(int64_t pid, EventSink& sink) : pid_(pid), sink_(sink) {}

  // Returns the track of the worker that runs a job.
  uint32_t take(const Job& job) {
    // Chooses the worker that became free last.
    auto free = free_since_.upper_bound(job.start_ms);
    size_t worker = tracks_.size();
    if (free != free_since_.begin()) {
      worker = (--free)->second;
      free_since_.erase(free);
    } else {
      tracks_.push_back(new_worker());
    }
    free_since_.emplace(job.end_ms, worker);
    return tracks_[worker];
  }

 private:
  uint32_t new_worker() {
    // Workers of two builds have equal numbers.
    const uint32_t thread = sink_.thread({.tid = static_cast<int64_t>(tracks_.size()) + 1,
                                          .pid = pid_,
                                          .life = static_cast<uint64_t>(pid_)});
    sink_.untimed(make_thread_name({}, thread, sink_.string("Worker"), kNameOfSystem));
    return sink_.track(
        {.scope = TrackScope::Thread, .owner = thread, .type = sink_.string("thread_execution")});
  }

  int64_t pid_;
  EventSink& sink_;
  std::multimap<int64_t, size_t> free_since_;  // workers, by the end of their last job
  std::vector<uint32_t> tracks_;
};

void write_build(int64_t pid, std::vector<Job>& jobs, EventSink& sink) {
  constexpr int64_t kNsPerMs = 1'000'000;
  if (jobs.empty()) return;
  const uint32_t process = sink.process({.pid = pid});
  sink.untimed(make_process_name({}, process, sink.string("Build"), kNameOfSystem));
  std::ranges::stable_sort(jobs, {}, &Job::start_ms);
  const uint32_t clock = sink.clock({.domain = kTraceTime});
  Workers workers(pid, sink);
  sink.expect_events(jobs.size());
  for (const Job& job : jobs) {
    const uint32_t track = workers.take(job);
    int64_t start = 0, dur = 0;
    if (__builtin_mul_overflow(job.start_ms, kNsPerMs, &start) ||
        __builtin_mul_overflow(job.end_ms - job.start_ms, kNsPerMs, &dur)) {
      sink.tally(stats::ninja_parse_errors);
      continue;
    }
    sink.event(make_slice({start, clock}, track, dur, {.name = job.name}));
  }
  jobs.clear();
}

class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink) {}

  void add(const Output& output) {
    const StringId path = sink_.string(output.path);
    // Begins the next build: this job ended before another began, or the output was built already.
    if (built_in_.size() <= path.row) built_in_.resize(path.row + 1);
    const bool is_anew = output.end_ms < last_start_ || built_in_[path.row] == pid_;
    if (output.end_ms < last_.end_ms && is_anew) {
      end_build();
      last_start_ = 0;
    }
    built_in_[path.row] = pid_;
    last_start_ = std::max(last_start_, output.start_ms);
    if (!jobs_.empty() && last_.command == output.command && last_.start_ms == output.start_ms &&
        last_.end_ms == output.end_ms) {
      if (joined_.empty()) joined_ = sink_.batch().strings.get(jobs_.back().name);
      joined_ += ' ';
      joined_ += output.path;
      return;
    }
    name_last();
    jobs_.push_back({output.start_ms, output.end_ms, path});
    last_ = output;
  }

  void end_build() {
    name_last();
    write_build(pid_++, jobs_, sink_);
  }

 private:
  void name_last() {
    if (!joined_.empty()) jobs_.back().name = sink_.string(joined_);
    joined_.clear();
  }

  EventSink& sink_;
  uint32_t pid_ = 1;  // of the build
  int64_t last_start_ = 0;
  Output last_;                     // without its path
  std::string joined_;              // outputs of the last job, if there are several
  std::vector<Job> jobs_;           // of the build
  std::vector<uint32_t> built_in_;  // by output, a string: the pid of its last build
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  constexpr size_t kMostDigits = 3;
  std::string_view version = input.peek(kHeader.size() + kMostDigits);
  version.remove_prefix(std::min(version.size(), kHeader.size()));
  version = version.substr(0, version.find_first_of(" \r\n"));
  if (version != "5" && version != "6" && version != "7")
    return fail(ErrorCode::Unsupported, "Unsupported ninja log version");
  EventSink& sink = chunks.add();
  Reader reader(sink);
  for_each_line(input, kBlockBytes, [&](std::string_view line, uint64_t offset, bool) {
    if (line.empty() || line.starts_with('#')) return;
    Output output;
    if (parse_output(line, output)) return reader.add(output);
    sink.count(stats::ninja_parse_errors, offset, line);
  });
  reader.end_build();
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "ninja_log",
    .title = "Ninja build log",
    .about =
        "The .ninja_log of a build folder, versions 5 to 7. Each command is a slice on a "
        "reconstructed worker, each build a process. Not read inside archives.",
    .times = "none; ms from the start of each build.",
    .tables = "slice, process, thread.",
    .clock = {},
    .refused_in_archives =
        "Ninja traces currently do not support being contained inside other trace formats. Open "
        "the log by itself",
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::ninja_log
