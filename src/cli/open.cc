#include "cli/open.h"

#include <fmt/format.h>
#include <unistd.h>

#include <deque>
#include <optional>

#include "base/memory_budget.h"
#include "base/new_file.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/progress_bar.h"
#include "cli/text_file.h"
#include "engine/cache.h"
#include "report/units.h"

namespace tracebraid {

OptionGroup open_option_group(OpenArguments& a) {
  return {
      "Options for reading traces",
      {
          {"--strict", "",
           "Fail with exit status 3 at the first part of an input that cannot be read.", &a.strict},
          {"--manifest", "FILE",
           "Use this merge manifest. The inputs must not contain another one.", &a.manifest},
          {"--clock-model",
           "MODEL",
           "How to convert times between two readings of a pair of clocks: linear follows their "
           "drift, step keeps the offset of the earlier reading. Without this option the "
           "manifest decides; without both it is linear.",
           &a.clock_model,
           {"step", "linear"}},
          {"--clock-fit",
           "MODEL",
           "How to combine several sync markers of two JSON clocks: shift takes the shortest, "
           "linear fits a line.",
           &a.clock_fit,
           {"shift", "linear"}},
          {"--clock-sync-same-domain", "",
           "Use sync markers also between files that name the same clock domain, instead of one "
           "clock for all of them.",
           &a.sync_same_domain},
          {"--clock-sync-strict", "",
           "Fail when the sync markers leave groups of clocks that nothing connects.",
           &a.sync_strict},
          {"--join-flows",
           "WHICH",
           "Which flows with the same id in several files or machines become one flow: auto "
           "joins ids that look random and 64 bits long. Without this option the manifest "
           "decides; without both it is auto.",
           &a.join_flows,
           {"auto", "all", "none"}},
          {"--drop-negative", "", "Drop events before the start of trace time.", &a.drop_negative},
          {"--threads", "N", "Use N threads; 0, the default, uses all processors.", &a.threads},
          {"--no-progress", "", "Hide the progress bar, which is shown on terminals only.",
           &a.no_progress},
          {"--timing", "", "Print the duration of each stage on stderr.", &a.timing},
          {"--cache", "",
           "Keep the merged trace as INPUT.braid beside the first input, and open it instead the "
           "next time unless an input has changed.",
           &a.cache},
          {"-q,--quiet", "", "Print no warnings.", &a.quiet},
          {"--memory-limit", "SIZE",
           "Limit memory use to about this much and put the rest in temporary files in $TMPDIR, "
           "which should be on a disk. This is slower but opens larger traces.",
           &a.memory_limit},
          {"--max-member-bytes", "SIZE", "Do not read files larger than this when uncompressed.",
           &a.limits.max_member_bytes},
          {"--max-total-bytes", "SIZE", "Read at most this much of one input, uncompressed.",
           &a.limits.max_total_bytes},
          {"--max-ratio", "N", "Refuse data that is compressed by more than a factor of N.",
           &a.limits.max_ratio},
          {"--max-members", "N", "Do not open archives with more members than this.",
           &a.limits.max_members},
          {"--max-depth", "N", "Open archives in archives up to this depth.", &a.limits.max_depth},
          {"--max-json-depth", "N", "Read JSON values nested up to this depth, at most 20000.",
           &a.read.max_json_depth},
          {"--no-ftrace-raw", "",
           "Leave the table ftrace_event empty to save memory. Tables derived from kernel events "
           "stay the same.",
           &a.no_ftrace_raw},
          {"--proto-descriptors", "FILE",
           "Read descriptors of the extensions that a Perfetto trace uses, as protoc "
           "--descriptor_set_out writes them. Repeatable.",
           &a.proto_descriptors},
      },
      true};
}

OpenOptions open_options(const OpenArguments& a) {
  OpenOptions options;
  options.threads = a.threads;
  options.merge.strict = a.strict;
  options.merge.drop_negative = a.drop_negative;
  options.merge.sync = {a.clock_fit == "linear", a.sync_same_domain, a.sync_strict};
  if (!a.clock_model.empty())
    options.merge.clock_model = a.clock_model == "linear" ? ClockModel::Linear : ClockModel::Step;
  if (!a.join_flows.empty())
    options.merge.join_flows = a.join_flows == "auto"  ? JoinFlows::Auto
                               : a.join_flows == "all" ? JoinFlows::All
                                                       : JoinFlows::None;
  options.merge.limits = a.limits;
  options.merge.read = a.read;
  options.merge.read.ftrace_raw = !a.no_ftrace_raw;
  options.merge.manifest_path = a.manifest;
  return options;
}

Result<> require_files(std::span<const std::string> files) {
  if (!files.empty()) return {};
  return fail(ErrorCode::Usage, "no trace file given");
}

void print_problems(std::span<const Problem> problems, const OpenArguments& arguments) {
  if (arguments.quiet) return;
  for (const Problem& problem : problems)
    print_warning(problem.path.empty()
                      ? problem.error.message
                      : fmt::format("{}: {}", problem.path, problem.error.message));
}

Result<> with_progress(const OpenArguments& arguments,
                       const std::function<Result<>(Progress& progress)>& work) {
  Progress progress;
  const OnInterrupt cancel([](void* what) { static_cast<Progress*>(what)->cancel(); }, &progress);
  std::optional<ProgressBar> bar;
  if (!arguments.no_progress && isatty(STDERR_FILENO) == 1) bar.emplace(progress);
  return work(progress);
}

namespace {

Result<> keep(const Session& session, ContentKey key, const std::string& path, Progress& progress) {
  TB_TRY_ASSIGN(NewFile file, NewFile::create(path));
  progress.begin("caching the merged trace", 0);
  TB_TRY(write_braid(session.merged(), key, file, progress));
  return file.finish();
}

// From the cache if it is of these inputs; else merged, and kept.
Result<Session> open_cached(std::span<const std::string> files, const OpenArguments& arguments,
                            const OpenOptions& options, Progress& progress) {
  TB_TRY_ASSIGN(const std::optional<ContentKey> key,
                content_key(files, options.merge, TRACEBRAID_VERSION));
  if (!key || is_braid_file(files.front())) {
    if (!arguments.quiet && !key)
      print_warning("--cache: only files can be cached, not folders or standard input");
    return Session::open(files, options, progress);
  }
  const std::string path = cache_path(files);
  if (braid_key(path) == key) {
    Result<Session> session = Session::open(std::span(&path, 1), options, progress);
    if (session) return session;  // else it is damaged, and made again
  }
  TB_TRY_ASSIGN(Session session, Session::open(files, options, progress));
  if (const Result<> kept = keep(session, *key, path, progress); !kept) {
    if (kept.error().code == ErrorCode::Cancelled) return tl::unexpected(kept.error());
    if (!arguments.quiet) print_warning("--cache: " + kept.error().message);
  }
  return session;
}

}  // namespace

Result<std::reference_wrapper<Session>> open_session(std::span<const std::string> files,
                                                     const OpenArguments& arguments,
                                                     bool for_queries) {
  std::optional<Session> session;
  constexpr uint32_t kMostJsonDepth = 20'000;
  if (arguments.read.max_json_depth > kMostJsonDepth)
    return fail(
        ErrorCode::Usage,
        fmt::format("--max-json-depth: at most {}, because deeper nesting does not fit the stack",
                    kMostJsonDepth));
  if (arguments.memory_limit != 0 && !has_memory_budget())
    TB_TRY(set_memory_budget(arguments.memory_limit));
  OpenOptions options = open_options(arguments);
  options.for_queries = for_queries;
  for (const std::string& path : arguments.proto_descriptors) {
    TB_TRY_ASSIGN(std::string set, read_text_file(path));
    options.merge.read.proto_descriptors.push_back(std::move(set));
  }
  TB_TRY(with_progress(arguments, [&](Progress& progress) -> Result<> {
    if (arguments.cache) {
      TB_TRY_ASSIGN(session, open_cached(files, arguments, options, progress));
    } else {
      TB_TRY_ASSIGN(session, Session::open(files, options, progress));
    }
    // Ctrl-C may have come after the last look.
    if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
    return {};
  }));
  print_problems(session->problems(), arguments);
  if (arguments.timing)
    for (const auto& [stage, ns] : session->times().stages)
      print_note(fmt::format("{} took {}", stage, span_text(static_cast<int64_t>(ns))));
  // What lies in the files of a budget looks lost to a checker of leaks, so that is freed.
  static std::deque<Session> freed;
  static auto* const kept = new std::deque<Session>;
  return (has_memory_budget() ? freed : *kept).emplace_back(*std::move(session));
}

}  // namespace tracebraid
