// The format: ninja's log of builds (spec json 11.3).
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "format/event_time.h"
#include "format/format.h"
#include "format/text_lines.h"

namespace tracebraid::ninja {
namespace {

constexpr std::string_view kHeader = "# ninja log v";

// Outputs of one command.
struct Job {
  int64_t start_ms = 0, end_ms = 0;
  std::string name;
  std::string_view command;
};

Match sniff(const Peek& peek) { return peek.head.starts_with(kHeader) ? Match::Sure : Match::No; }

template <class Number>
bool to_number(std::string_view text, int base, Number& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  return error == std::errc() && stop == end;
}

// start end restat output command, between tabs.
bool parse_job(std::string_view line, Job& job) {
  std::array<std::string_view, 5> fields;
  for (size_t i = 0; i < fields.size(); ++i) {
    const size_t tab = line.find('\t');
    if ((tab == std::string_view::npos) != (i + 1 == fields.size())) return false;
    fields[i] = line.substr(0, tab);
    line.remove_prefix(std::min(fields[i].size() + 1, line.size()));
  }
  int64_t restat = 0;
  uint64_t hash = 0;
  if (!to_number(fields[0], 10, job.start_ms) || !to_number(fields[1], 10, job.end_ms) ||
      !to_number(fields[2], 10, restat) || !to_number(fields[4], 16, hash))
    return false;
  job.name = fields[3];
  job.command = fields[4];
  return job.start_ms >= 0 && job.end_ms >= job.start_ms;
}

// Lays the jobs of one build on as few workers as could have run them.
void write_build(int64_t pid, std::vector<Job>& jobs, EventSink& sink) {
  constexpr int64_t kNsPerMs = 1'000'000;
  constexpr int64_t kNameOfSystem = 1;
  if (jobs.empty()) return;
  const uint32_t process = sink.process({.pid = pid});
  Event named = make_event({}, EventKind::ProcessName, process);
  named.name = sink.string("Build");
  named.value = kNameOfSystem;
  sink.untimed(named);
  std::ranges::stable_sort(jobs, {}, &Job::start_ms);
  std::multimap<int64_t, int64_t> free_since;  // workers, by the end of their last job
  int64_t workers = 0;
  const uint32_t clock = sink.clock({.domain = kTraceTime});
  for (const Job& job : jobs) {
    // The one that became free last is the likeliest.
    auto free = free_since.upper_bound(job.start_ms);
    int64_t tid = workers + 1;
    if (free != free_since.begin()) {
      tid = (--free)->second;
      free_since.erase(free);
    }
    free_since.emplace(job.end_ms, tid);
    // Workers of two builds have the same numbers.
    const uint32_t thread =
        sink.thread({.tid = tid, .pid = pid, .life = static_cast<uint64_t>(pid)});
    if (tid > workers) {
      workers = tid;
      Event worker_name = make_event({}, EventKind::ThreadName, thread);
      worker_name.name = sink.string("Worker");
      worker_name.value = kNameOfSystem;
      sink.untimed(worker_name);
    }
    Event event{.ts = 0,
                .value = 0,
                .track = sink.track({.scope = TrackScope::Thread,
                                     .owner = thread,
                                     .type = sink.string("thread_execution")}),
                .name = sink.string(job.name),
                .category = {},
                .args = kNone,
                .extra = kNone,
                .clock = clock & kMaxClocks,
                .kind = static_cast<uint32_t>(EventKind::Slice)};
    if (__builtin_mul_overflow(job.start_ms, kNsPerMs, &event.ts) ||
        __builtin_mul_overflow(job.end_ms - job.start_ms, kNsPerMs, &event.value)) {
      sink.tally(Stat::ninja_parse_errors);
      continue;
    }
    sink.event(event);
  }
  jobs.clear();
}

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  EventSink& sink = pieces.add();
  const Block block = input.all();
  const std::string_view header = block.bytes.substr(0, block.bytes.find('\n'));
  int64_t version = 0;
  std::from_chars(header.data() + std::min(header.size(), kHeader.size()),
                  header.data() + header.size(), version);
  if (version < 5 || version > 7)
    return fail(ErrorCode::Unsupported, "Unsupported ninja log version");
  std::vector<Job> jobs;
  int64_t pid = 1, last_end = 0, last_start = 0;
  absl::flat_hash_set<std::string> outputs;  // of the build
  for_each_line(block.bytes, block.at, [&](std::string_view line, uint64_t offset) {
    if (line.empty() || line.starts_with('#')) return;
    Job job;
    if (!parse_job(line, job)) return sink.count(Stat::ninja_parse_errors, offset, line);
    // The next build: this job was over when another began, or it was done already.
    const bool is_anew = job.end_ms < last_start || outputs.contains(job.name);
    if (job.end_ms < last_end && is_anew) {
      write_build(pid++, jobs, sink);
      outputs.clear();
      last_start = 0;
    }
    outputs.insert(job.name);
    last_end = job.end_ms;
    last_start = std::max(last_start, job.start_ms);
    if (!jobs.empty() && jobs.back().command == job.command &&
        jobs.back().start_ms == job.start_ms && jobs.back().end_ms == job.end_ms) {
      jobs.back().name += ' ';
      jobs.back().name += job.name;
      return;
    }
    jobs.push_back(std::move(job));
  });
  write_build(pid, jobs, sink);
  input.done(block);
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "ninja_log",
    .title = "Ninja build log",
    .about =
        "The .ninja_log of a build folder, versions 5 to 7. Each command is a slice on the "
        "worker that may have run it, each build a process. Not inside archives.",
    .times = "none; ms from the start of each build.",
    .tables = "slice, process, thread.",
    .clock = {},
    .refused_in_archives =
        "Ninja traces currently do not support being contained inside other trace formats. Open "
        "the log by itself",
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::ninja
