#include "cli/open.h"

#include <fmt/format.h>
#include <unistd.h>

#include <deque>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/memory_budget.h"
#include "cli/message.h"
#include "cli/no_memory.h"
#include "cli/progress_bar.h"
#include "cli/text_file.h"
#include "engine/text.h"

namespace tracebraid {

namespace {

// Returns the folder of the running program; empty if the system does not provide it.
std::string program_folder() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
}

// Adds the options of the program itself after the engine option `behind`, which they follow in
// --help.
void add_program_options(std::string_view behind, OpenArguments& a, std::vector<Option>& options) {
  if (behind == "threads") {
    options.insert(options.end(),
                   {
                       {"--no-progress", "",
                        "Hide the progress bar, which is shown on terminals only.", &a.no_progress},
                       {"--timing", "", "Print the duration of each stage on stderr.", &a.timing},
                   });
  } else if (behind == "cache") {
    options.insert(
        options.end(),
        {
            {"-q,--quiet", "", "Print no warnings.", &a.quiet},
            {"--memory-limit", "SIZE",
             "Limit memory use to about this much and put the rest in temporary files in $TMPDIR, "
             "which should be on a disk. This is slower but opens larger traces. A warning says if "
             "the limit could not be held.",
             &a.memory_limit},
        });
  }
}

}  // namespace

OptionGroup open_option_group(OpenArguments& a) {
  static std::deque<std::string> names;  // texts of the options, which outlive every command
  OptionGroup group{"Options for reading traces", {}, true};
  for (const OptionSpec& spec : open_option_specs()) {
    if (spec.is_for_libraries) continue;
    const Target target =
        std::visit([&](auto at) -> Target { return &at(a.options); }, spec.target);
    const std::string& flags = names.emplace_back("--" + std::string(spec.key));
    bool* const all = spec.all == nullptr ? nullptr : &spec.all(a.options);
    group.options.push_back({flags, spec.value, spec.about, target, spec.choices, {}, all});
    add_program_options(spec.key, a, group.options);
  }
  return group;
}

InputFiles input_files(std::span<const std::string> files, const OpenArguments& arguments) {
  InputFiles inputs;
  for (const std::string& path : files) {
    if (path == "-")
      inputs.add(STDIN_FILENO, "standard input");
    else
      inputs.add(path);
  }
  inputs.add(arguments.options.trace.manifest);
  for (const std::string& path : arguments.options.trace.proto_descriptors) inputs.add(path);
  return inputs;
}

Result<> check_output(const std::string& path, bool force, std::span<const std::string> files,
                      const OpenArguments& arguments) {
  if (path.empty()) return {};
  return check_output_file(path, force, input_files(files, arguments));
}

Result<> require_files(std::span<const std::string> files) {
  if (!files.empty()) return {};
  return fail(ErrorCode::Usage, "no trace file given");
}

void print_problems(std::span<const Problem> problems, const OpenArguments& arguments) {
  if (arguments.quiet) return;
  for (const Problem& problem : problems) {
    if (arguments.leaves_void_statements && problem.is_void_statement) continue;
    print_warning(problem.path.empty()
                      ? problem.error.message
                      : fmt::format("{}: {}", problem.path, problem.error.message));
  }
}

Result<> with_progress(const OpenArguments& arguments,
                       const std::function<Result<>(Progress& progress)>& work, Stop* stop) {
  Progress progress;
  std::pair<Progress*, Stop*> both(&progress, stop);
  const OnInterrupt cancel(
      [](void* what) {
        const auto [run, statement] = *static_cast<std::pair<Progress*, Stop*>*>(what);
        run->cancel();
        if (statement != nullptr) statement->request();
      },
      &both);
  std::optional<ProgressBar> bar;
  if (!arguments.no_progress && isatty(STDERR_FILENO) == 1) bar.emplace(progress);
  return work(progress);
}

Result<std::shared_ptr<const Engine>> make_engine(const OpenArguments& arguments) {
  EngineOptions options = arguments.options.engine;
  options.io = "map";
  options.plugin_folder = program_folder();
  options.files = program_files();
  return Engine::create(options);
}

Result<> set_memory_limit(const OpenArguments& arguments) {
  if (arguments.memory_limit == 0 || has_memory_budget()) return {};
  return set_memory_budget(arguments.memory_limit, program_files().temporary_directory);
}

Result<TraceOptions> trace_options(const OpenArguments& arguments) {
  TraceOptions options = arguments.options.trace;
  for (const std::string& path : std::exchange(options.proto_descriptors, {})) {
    TB_TRY_ASSIGN(std::string set, read_text_file(path));
    options.descriptor_sets.push_back(std::move(set));
  }
  return options;
}

Result<std::shared_ptr<const Trace>> open_trace(std::span<const std::string> files,
                                                const OpenArguments& arguments, bool for_queries) {
  TB_TRY(set_memory_limit(arguments));
  if (!arguments.quiet) warn_of_exceeded_limit();
  TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, make_engine(arguments));
  TB_TRY_ASSIGN(TraceOptions options, trace_options(arguments));
  options.for_queries = for_queries;
  options.warn = [&arguments](std::string_view message) {
    if (!arguments.quiet) print_warning(message);
  };
  std::shared_ptr<const Trace> trace;
  TB_TRY(with_progress(arguments, [&](Progress& progress) -> Result<> {
    TB_TRY_ASSIGN(trace, Trace::open(engine, files, options, progress));
    return {};
  }));
  // A signal that came too late to stop the opening must not be lost, because work follows.
  if (stopping_signal()) return fail(ErrorCode::Cancelled, "interrupted");
  print_problems(trace->problems(), arguments);
  if (arguments.timing)
    for (const auto& [stage, ns] : trace->times().stages)
      print_note(fmt::format("{} took {}", stage, span_text(static_cast<int64_t>(ns))));
  // A leak checker does not search memory in budget files, so these traces are freed.
  static std::deque<std::shared_ptr<const Trace>> freed;
  static auto* const kept = new std::deque<std::shared_ptr<const Trace>>;
  watch_until_end(trace);
  return (has_memory_budget() ? freed : *kept).emplace_back(std::move(trace));
}

}  // namespace tracebraid
