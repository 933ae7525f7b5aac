// tracebraid fleet: one SQL statement over many traces.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "cli/commands/commands.h"
#include "cli/fleet_worker.h"
#include "cli/host.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/open.h"
#include "cli/text_file.h"
#include "engine/column_types.h"
#include "engine/rows.h"
#include "engine/text.h"
#include "fleet/output.h"
#include "fleet/run.h"
#include "fleet/source.h"
#include "fleet/statement.h"

namespace tracebraid {
namespace {

constexpr std::string_view kFleetDetails =
    "Merges each group of files onto a timeline of its own, in worker processes, and runs one "
    "statement over all of them. The rows of all groups form one result, with the columns _group, "
    "_trace and _trace_uri in front. A source is a folder, a file, a glob ('**' matches folders of "
    "any depth), an archive of archives, or a fleet manifest: a file .jsonl with an object a line "
    "(path or paths, group, manifest, and columns to carry along). Each file is a group, unless "
    "--group says which files belong together.\n\n"
    "Names and types of columns follow from the statement, before any trace is read. A group gives "
    "all its rows or none: a trace that is damaged, crashes its worker or reaches a limit fails "
    "alone. --on-error says what happens then; groups that were skipped are named at the end, with "
    "exit status 1.\n\n"
    "With --output, the rows are written by group to a file that appears whole or not at all. A "
    "run "
    "that was killed, or ended by a group that failed, continues with --resume.";

constexpr uint64_t kMostMemory = uint64_t{2} << 30;  // of a worker by default

struct FleetArguments {
  OpenArguments open;
  fleet::SourceRequest source;
  std::string sql_file, where, types, pick, to;
  std::string on_error = "fail", check, provenance, format, output, errors;
  std::string timeout = "600s", cache_size;
  uint64_t memory_limit = 0, max_rows = 0;
  unsigned jobs = 0;
  bool sorts = false, resume = false;
};

// Options of opening that a fleet decides itself.
constexpr std::string_view kNotForFleets[] = {"--strict", "--manifest",     "--threads",
                                              "--timing", "--memory-limit", "--quiet"};

OptionGroup group_of_opening(OpenArguments& open) {
  OptionGroup group = open_option_group(open);
  group.title = "How each group is opened";
  std::erase_if(group.options, [](const Option& option) {
    return std::ranges::find(kNotForFleets, flag_names(option).back()) != std::end(kNotForFleets);
  });
  return group;
}

// Parses 600, 600s, 10m, 12h or 7d.
Result<double> parse_seconds(std::string_view text) {
  constexpr std::string_view kUnits = "smhd";
  constexpr double kSeconds[] = {1, 60, 3600, 86400};
  std::string_view digits = text;
  double unit = 1;
  if (const size_t at = text.empty() ? kUnits.npos : kUnits.find(text.back()); at != kUnits.npos) {
    unit = kSeconds[at];
    digits.remove_suffix(1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !(value > 0) || value > 1e9)
    return fail(ErrorCode::Usage,
                fmt::format("--timeout takes a time such as 600s or 10m, not '{}'", text));
  return value * unit;
}

struct TextsOfOption {
  OpenOptions &given, &standard;
  std::vector<std::string> operator()(OptionOf<bool> at) const {
    if (at(given) == at(standard)) return {};
    return {at(given) ? "true" : "false"};
  }
  std::vector<std::string> operator()(OptionOf<std::vector<std::string>> at) const {
    return at(given);
  }
  std::vector<std::string> operator()(OptionOf<std::string> at) const {
    if (at(given) == at(standard)) return {};
    return {at(given)};
  }
  template <class Number>
  std::vector<std::string> operator()(OptionOf<Number> at) const {
    if (at(given) == at(standard)) return {};
    return {std::to_string(at(given))};
  }
};

// Returns the keys and values of the options that were given.
std::vector<std::pair<std::string, std::string>> given_options(OpenOptions given) {
  OpenOptions standard;
  std::vector<std::pair<std::string, std::string>> options;
  for (const OptionSpec& spec : open_option_specs())
    for (std::string& text : std::visit(TextsOfOption{given, standard}, spec.target))
      options.emplace_back(spec.key, std::move(text));
  return options;
}

// Returns the limit of each worker. Error Usage: all together would have more than the machine.
Result<uint64_t> memory_limit(uint64_t given, unsigned jobs) {
  const auto machine = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  if (given == 0) return std::min(kMostMemory, machine / 10 * 8 / jobs);
  if (given > machine / jobs)
    return fail(ErrorCode::Usage,
                fmt::format("{} jobs with --memory-limit {}M need more than the {} MiB of this "
                            "machine; give fewer jobs or a lower limit",
                            jobs, given >> 20, machine >> 20));
  return given;
}

// A line on a terminal that says how far the run is.
class FleetProgress {
 public:
  explicit FleetProgress(bool is_shown) : is_shown_(is_shown && ::isatty(STDERR_FILENO) == 1) {}
  ~FleetProgress() { clear(); }
  FleetProgress(const FleetProgress&) = delete;
  FleetProgress& operator=(const FleetProgress&) = delete;

  void show(const fleet::RunProgress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!is_shown_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    const double seconds = std::max(progress.seconds, 1e-3);
    const double left = seconds / static_cast<double>(std::max<size_t>(progress.done, 1)) *
                        static_cast<double>(progress.total - progress.done);
    fmt::print(stderr, "\r\x1b[K{} of {} groups, {} failed, {:.0f} MB/s, {:.0f} s left",
               progress.done, progress.total, progress.failed,
               static_cast<double>(progress.bytes) / 1e6 / seconds, left);
    is_on_screen_ = true;
  }
  void clear() {
    if (is_on_screen_) fmt::print(stderr, "\r\x1b[K");
    is_on_screen_ = false;
  }

 private:
  bool is_shown_, is_on_screen_ = false;
  std::chrono::steady_clock::time_point next_;
};

// Lists the groups that are picked. Warns of what has none, because the result is valid but empty.
Result<std::vector<fleet::Group>> list_groups(const FleetArguments& arguments,
                                              const fleet::SourceRequest& source) {
  std::vector<std::string> without_files;
  TB_TRY_ASSIGN(std::vector<fleet::Group> groups,
                fleet::list_groups(source, program_files(), &without_files));
  for (const std::string& item : without_files)
    print_warning(fmt::format("{}: no file {}", item,
                              fleet::is_glob(item) ? "matches" : "is in this folder"));
  const size_t all = groups.size();
  if (arguments.pick.empty()) return groups;
  TB_TRY(fleet::pick_groups(arguments.pick, groups));
  if (groups.empty() && all > 0)
    print_warning(fmt::format("--pick is true for none of {} groups", all));
  return groups;
}

// Takes the statement from the end of the arguments, or from its file.
Result<std::string> take_statement(const FleetArguments& arguments,
                                   std::vector<std::string>& items) {
  if (!arguments.sql_file.empty()) {
    if (items.empty()) return fail(ErrorCode::Usage, "no source given");
    return read_text_file(arguments.sql_file);
  }
  if (items.size() < 2) return fail(ErrorCode::Usage, "give a source and a statement");
  std::string sql = std::move(items.back());
  items.pop_back();
  return sql;
}

Result<fleet::FleetRun> make_run(const FleetArguments& arguments, const std::string& sql,
                                 std::vector<fleet::Group> groups) {
  OpenArguments open = arguments.open;
  TraceOptions& trace = open.options.trace;
  if (!trace.cache_dir.empty()) {
    trace.cache = true;
    trace.cache_dir = fleet::absolute_path(trace.cache_dir);
  }
  fleet::Ask ask{.full = !arguments.provenance.empty(),
                 .check = arguments.check,
                 .max_rows = arguments.max_rows,
                 .options = given_options(open.options)};
  TB_TRY_ASSIGN(ask.timeout, parse_seconds(arguments.timeout));
  const unsigned jobs =
      arguments.jobs != 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  TB_TRY_ASSIGN(ask.memory_limit, memory_limit(arguments.memory_limit, jobs));
  fleet::StatementRequest request{.sql = sql, .where = arguments.where};
  TB_TRY_ASSIGN(request.types, parse_column_types(arguments.types, "--types", false));
  TB_TRY_ASSIGN(fleet::StatementTask statement, fleet::compile(request, open.options));
  ask.statement = std::move(statement);
  TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, make_engine(open));
  const fleet::FrontColumns front(ask.full, groups);
  fleet::FleetRun run{.groups = std::move(groups),
                      .ask = std::move(ask),
                      .front = front,
                      .fails = arguments.on_error == "fail",
                      .sorts = arguments.sorts,
                      .cache_folder = trace.cache_dir,
                      .plugin_folder = engine->plugin_folder(),
                      .files = program_files()};
  run.pool.command = {"/proc/self/exe", kFleetWorker};
  run.pool.jobs = jobs;
  run.pool.temporary_folder = run.files.temporary_directory;
  if (!arguments.cache_size.empty()) {
    TB_TRY_ASSIGN(run.cache_size, parse_quantity(arguments.cache_size));
  }
  return run;
}

// Erases the line of progress before rows are printed, which may go to the same terminal.
class RowsInPlaceOfProgress final : public BatchSink {
 public:
  RowsInPlaceOfProgress(BatchSink& rows, FleetProgress& progress)
      : rows_(rows), progress_(progress) {}
  void begin(const Schema& schema) override {
    progress_.clear();
    rows_.begin(schema);
  }
  bool add(const RecordBatch& batch) override {
    progress_.clear();
    return rows_.add(batch);
  }
  void end() override {
    progress_.clear();
    rows_.end();
  }

 private:
  BatchSink& rows_;
  FleetProgress& progress_;
};

Result<> print_rows(const fleet::FleetRun& run, const std::string& format, FleetProgress& progress,
                    const Stop& stop, std::vector<fleet::FailedGroup>& failed) {
  Output out(STDOUT_FILENO, "standard output");
  const std::unique_ptr<BatchSink> rows =
      fleet::make_text_rows(format.empty() ? "csv" : format, out);
  RowsInPlaceOfProgress printed(*rows, progress);
  const Result<> ran = fleet::pass_rows(run, printed, stop, failed);
  progress.clear();
  out.flush();
  TB_TRY(out.result());
  return ran;
}

Result<> run_fleet(const FleetArguments& arguments, fleet::FleetRun& run,
                   std::vector<fleet::FailedGroup>& failed) {
  Stop stop;
  const OnInterrupt interrupt([](void* what) { static_cast<Stop*>(what)->request(); }, &stop);
  FleetProgress progress(!arguments.open.no_progress);
  run.report = [&](const fleet::RunProgress& now) { progress.show(now); };
  if (arguments.output.empty()) return print_rows(run, arguments.format, progress, stop, failed);
  const std::string format =
      fleet::output_format_of(fleet::output_file_of(arguments.output), arguments.format);
  return fleet::write_rows(run, arguments.output, format, arguments.resume, stop, failed);
}

Result<> write_errors(const std::string& path, const fleet::FleetRun& run,
                      const std::vector<fleet::FailedGroup>& failed) {
  if (path.empty()) return {};
  TB_TRY_ASSIGN(const std::unique_ptr<fleet::RowFile> file,
                fleet::open_row_file(path, "jsonl", run.plugin_folder, run.files));
  const RecordBatch table = fleet::error_table(run.groups, failed);
  TB_TRY(file->begin(table.schema));
  TB_TRY(file->add(table));
  return file->finish();
}

// Returns the error that ended a run. Its last group that failed, if any, says at which stage.
Error error_of_run(Error error, const std::vector<fleet::FailedGroup>& failed) {
  if (failed.empty()) return error;
  const std::string& stage = failed.back().failure.stage;
  return stage == "describe" || stage == "query" ? error_of_query(std::move(error)) : error;
}

// Adds how to continue to the error of a run that left a journal.
Error with_advice(Error error, const std::string& output) {
  if (output.empty()) return error;
  const std::string kept = fleet::output_file_of(output) + ".resume";
  std::error_code failed;
  if (std::filesystem::exists(kept + "/journal", failed) && error.code != ErrorCode::Usage)
    error.hint = fmt::format("{} has the groups that ended: --resume continues", kept);
  return error;
}

Result<> check_arguments(const FleetArguments& arguments) {
  if (!arguments.to.empty())
    return tl::unexpected(
        Error{ErrorCode::Unsupported, "--to lake: the program writes no lakes",
              "the same command of the Python package does: pip install 'tracebraid[arrow]', see "
              "docs/lake.md"});
  if (!arguments.output.empty()) return {};
  if (arguments.resume) return fail(ErrorCode::Usage, "--resume needs --output");
  if (!fleet::is_text_format(arguments.format))
    return fail(ErrorCode::Usage, fmt::format("--format {} needs --output", arguments.format));
  return {};
}

Result<ExitCode> run(const FleetArguments& arguments, std::span<const std::string> given) {
  TB_TRY(check_arguments(arguments));
  fleet::SourceRequest source = arguments.source;
  source.items.assign(given.begin(), given.end());
  TB_TRY_ASSIGN(const std::string sql, take_statement(arguments, source.items));
  TB_TRY_ASSIGN(std::vector<fleet::Group> groups, list_groups(arguments, source));
  TB_TRY_ASSIGN(fleet::FleetRun fleet_run, make_run(arguments, sql, std::move(groups)));
  std::vector<fleet::FailedGroup> failed;
  if (const Result<> ran = run_fleet(arguments, fleet_run, failed); !ran)
    return tl::unexpected(with_advice(error_of_run(ran.error(), failed), arguments.output));
  TB_TRY(write_errors(arguments.errors, fleet_run, failed));
  if (failed.empty()) return kExitFine;
  print_warning(
      fmt::format("{} of {} groups were skipped:", failed.size(), fleet_run.groups.size()));
  std::ranges::sort(failed, {}, &fleet::FailedGroup::group);
  for (const fleet::FailedGroup& each : failed)
    fmt::print(stderr, "{}\n", printable(fleet::error_line(fleet_run.groups, each)));
  return kExitTrouble;
}

}  // namespace

Command fleet_command() {
  auto arguments = std::make_shared<FleetArguments>();
  FleetArguments& a = *arguments;
  return {
      .name = "fleet",
      .usage = "SOURCE... \"SQL\"",
      .about = "run one SQL statement over many traces",
      .details = kFleetDetails,
      .words = {},
      .groups =
          {{"Groups",
            {{"--group",
              "REGEX",
              "The text of group 1 of this regex in the path of a file, or of all its named "
              "groups, "
              "names the group of the file. Or 'folder': files of a folder belong together.",
              &a.source.group,
              {},
              {"folder", "archive"}},
             {"--ungrouped",
              "HOW",
              "What to do with files that the regex does not match.",
              &a.source.ungrouped,
              {"error", "skip", "alone"}},
             {"--manifest-pattern", "PATTERN",
              "The path of the merge manifest of each group; {folder} is the folder of its first "
              "file, {group} its name.",
              &a.source.manifest_pattern},
             {"--pick", "SQL",
              "Leave out groups for which this condition is not true, without opening them: over "
              "_group, _trace, _size (bytes) and what groups carry as _NAME.",
              &a.pick}}},
           {"Statement",
            {{"--sql-file", "FILE", "Read the statement from this file; - is standard input.",
              &a.sql_file},
             {"--where", "SQL", "A condition for the rows of the statement.", &a.where},
             {"--types", "TYPES",
              "Types of columns that do not follow from the statement, as n=int64,x=float64. Types "
              "are int64, float64, utf8 and binary.",
              &a.types},
             {"--provenance",
              "WHICH",
              "With full: adds _trace_size, _trace_digest, _placed_by, _uncertainty_ns, _lost, and "
              "named groups of the regex or columns of the fleet manifest as _NAME.",
              &a.provenance,
              {"full"}}}},
           {"Output",
            {{"-f,--format", "FORMAT",
              "How to write rows: csv (default), tsv, jsonl (an object for each row); in files "
              "also "
              "parquet and arrow. The end of the name of --output decides without this option.",
              &a.format, fleet::output_formats()},
             {"-o,--output", "OUT",
              "Write the rows by group to this file, or as Parquet into this folder.", &a.output},
             {"--resume", "", "Continue a run with this --output that was ended.", &a.resume},
             {"--errors", "FILE", "Write groups that failed to this file, as JSON lines.",
              &a.errors},
             {"--sort", "", "Print rows by group, instead of as groups end.", &a.sorts},
             {"--to",
              "KIND",
              "lake: only the same command of the Python package writes lakes.",
              &a.to,
              {"lake"}}}},
           {"Failures and limits",
            {{"--on-error",
              "HOW",
              "What a group that fails does: fail ends the run, with the exit status of the error; "
              "skip and rows leave the group out, with exit status 1.",
              &a.on_error,
              {"fail", "skip", "rows"}},
             {"--check",
              "HOW",
              "Groups fail where 'check --strict' does (strict), or '--strict=all' (all).",
              &a.check,
              {"strict", "all"}},
             {"--jobs", "N", "Number of worker processes; 0, the default, is that of processors.",
              &a.jobs},
             {"--timeout", "TIME", "Of each group, such as 600s or 10m.", &a.timeout},
             {"--memory-limit", "SIZE",
              "Of each worker; by default 2G, or less if all together would need more than 80 % of "
              "the machine.",
              &a.memory_limit},
             {"--max-rows", "N", "Of each group; 0, the default, is no limit.", &a.max_rows},
             {"--cache-dir", "FOLDER",
              "Keep merged traces here, and open them the next time unless an input has changed.",
              &a.open.options.trace.cache_dir},
             {"--cache-size", "SIZE",
              "Delete the merged traces of --cache-dir that were not used for the longest time, "
              "beyond this; by default a tenth of the free room of the disk.",
              &a.cache_size}}},
           group_of_opening(a.open)},
      .examples =
          {{"tracebraid fleet runs \"SELECT name, count(*) AS n FROM slice GROUP BY name\"",
            "count the slices of each trace in a folder"},
           {"tracebraid fleet 'runs/**/*.json.gz' --group 'run-(\\d+)/' --sort --on-error skip "
            "\"SELECT max(dur) AS longest FROM slice\"",
            "merge the files of each run, and leave out runs that cannot be read"},
           {"tracebraid fleet runs --sql-file report.sql --output rows.parquet --errors "
            "errors.jsonl "
            "--on-error rows --resume",
            "a long run, which continues after it was killed"}},
      .run = [arguments](std::span<const std::string> given) { return run(*arguments, given); },
  };
}

}  // namespace tracebraid
