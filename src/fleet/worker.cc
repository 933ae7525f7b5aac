#include "fleet/worker.h"

#define XXH_INLINE_ALL
#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/boundary.h"
#include "base/file_bytes.h"
#include "base/time_limit.h"
#include "engine/connection.h"
#include "engine/error_place.h"
#include "engine/options.h"
#include "engine/report.h"
#include "engine/rows.h"
#include "engine/sql_error.h"
#include "fleet/frames.h"
#include "fleet/packed.h"
#include "fleet/spool.h"
#include "fleet/statement.h"
#include "fleet/task.h"
#include "query/batch/column_builder.h"
#include "query/operators/relation_columns.h"

namespace tracebraid::fleet {
namespace {

using Clock = std::chrono::steady_clock;

// The rules of placements, from the strongest to the weakest.
constexpr std::array<std::string_view, 8> kRules = {"is_timeline", "same_clock", "measured",
                                                    "relayed",     "manifest",   "rendezvous",
                                                    "guessed",     "unplaced"};

// A folder that is removed with all it has.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make(const std::string& parent) {
    TemporaryFolder made;
    made.path_ = parent + "/tracebraid-XXXXXX";
    if (::mkdtemp(made.path_.data()) == nullptr) {
      made.path_.clear();
      return fail(ErrorCode::Io,
                  fmt::format("cannot make a folder in {}: {}", parent, std::strerror(errno)));
    }
    return made;
  }
  TemporaryFolder() = default;
  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }
  ~TemporaryFolder() {
    std::error_code failed;
    if (!path_.empty()) std::filesystem::remove_all(path_, failed);
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The size and the time of the last change of each file.
struct FileState {
  int64_t size = 0, changed_ns = 0;
  friend bool operator==(const FileState&, const FileState&) = default;
};

Result<std::vector<FileState>> states_of(std::span<const std::string> paths) {
  std::vector<FileState> states;
  for (const std::string& path : paths) {
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0)
      return fail(ErrorCode::NotFound, fmt::format("{}: {}", path, std::strerror(errno)));
    states.push_back(
        {status.st_size, status.st_mtim.tv_sec * int64_t{1'000'000'000} + status.st_mtim.tv_nsec});
  }
  return states;
}

// Runs one task.
class GroupRun {
 public:
  GroupRun(Task task, int output, const WorkerHost& host)
      : task_(std::move(task)),
        output_(output),
        host_(host),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(task_.ask.timeout))) {}

  // Sends the rows, and returns the facts of the group as members of JSON.
  Result<std::string> run() {
    at_stage("fetch");
    TB_TRY(set_options());
    Result<std::string> facts = run_local();
    if (!facts) return tl::unexpected(renamed(facts.error()));
    return facts;
  }

  const char* stage() const { return stage_; }
  // Returns the files that messages name.
  std::span<const std::string> names() const { return task_.paths; }

 private:
  void at_stage(const char* stage) {
    stage_ = stage;
    if (host_.at_stage) host_.at_stage(stage);
  }

  Result<> set_options() {
    options_.engine = host_.engine;
    for (const auto& [key, value] : task_.ask.options) TB_TRY(set_option(options_, key, value));
    options_.engine.io = host_.engine.io;
    options_.engine.plugin_folder = host_.engine.plugin_folder;
    options_.engine.threads = 1;
    options_.engine.memory_limit = task_.ask.memory_limit;
    options_.trace.for_queries = true;
    return {};
  }

  // Copies files that lie in archives.
  Result<> fetch() {
    paths_ = task_.paths;
    manifest_ = task_.manifest;
    for (size_t i = 0; i <= paths_.size(); ++i) {
      std::string& path = i < paths_.size() ? paths_[i] : manifest_;
      if (path.empty() || !archive_of(path)) continue;
      if (copies_.path().empty()) {
        TB_TRY_ASSIGN(copies_, TemporaryFolder::make(options_.engine.files.temporary_directory));
      }
      TB_TRY_ASSIGN(
          path, copy_member(path, copies_.path() + "/" + std::to_string(i), options_.engine.files));
    }
    return {};
  }

  // Fails if a file is not as it was listed, or as it was before.
  Result<> check_unchanged() {
    TB_TRY_ASSIGN(std::vector<FileState> now, states_of(paths_));
    for (size_t i = 0; i < now.size(); ++i) {
      const bool is_as_listed = task_.sizes[i] == -1 || task_.sizes[i] == now[i].size;
      if (!is_as_listed || (!before_.empty() && before_[i] != now[i]))
        return fail(ErrorCode::BadInput, fmt::format("{} changed while the fleet ran", paths_[i]));
    }
    if (before_.empty()) before_ = std::move(now);
    return {};
  }

  Result<> open() {
    host_.limit_memory(task_.ask.memory_limit);
    TB_TRY_ASSIGN(const std::shared_ptr<const Engine> engine, Engine::create(options_.engine));
    options_.trace.manifest = manifest_;
    Progress progress;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
    TimeLimit limit(std::max(left, std::chrono::milliseconds(1)), [&] { progress.cancel(); });
    Result<std::shared_ptr<const Trace>> opened =
        Trace::open(engine, paths_, options_.trace, progress);
    if (!opened && opened.error().code == ErrorCode::Cancelled && limit.passed())
      return fail(ErrorCode::Timeout, "the timeout was reached");
    TB_TRY_ASSIGN(trace_, std::move(opened));
    if (!options_.trace.cache_dir.empty()) host_.mark_used(options_.trace.cache_dir);
    // Parts of the input that were not read because of a limit of containers.
    for (const Problem& problem : trace_->problems())
      if (problem.error.message.find("if that is expected, raise --max-") != std::string::npos)
        return fail(ErrorCode::Limit, fmt::format("{}: {}", problem.path, problem.error.message));
    return {};
  }

  Result<> check() {
    at_stage("check");
    if (task_.ask.check.empty() && !task_.ask.full) return {};
    TB_TRY_ASSIGN(report_, check_report(*trace_));
    if (task_.ask.check.empty()) return {};
    const Verdict found = verdict(report_, task_.ask.check == "all");
    if (!found.fails(true)) return {};
    return fail(ErrorCode::BadInput, fmt::format("{}", fmt::join(found.troubles, "; ")));
  }

  Result<std::string> digest() const {
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    for (const std::string& path : paths_)
      TB_TRY(for_each_block(path, [&](std::string_view bytes) -> Result<> {
        XXH3_64bits_update(&state, bytes.data(), bytes.size());
        return {};
      }));
    return fmt::format("{:016x}", XXH3_64bits_digest(&state));
  }

  // Returns the rule of the worst placed clock.
  std::string weakest_rule() const {
    const auto rank = [](const std::string& rule) {
      return std::pair(std::ranges::find(kRules, rule) - kRules.begin(), rule);
    };
    std::string weakest;
    for (const PlacedClock& clock : report_.clocks)
      if (weakest.empty() || rank(weakest) < rank(clock.rule)) weakest = clock.rule;
    return weakest;
  }

  Result<> add_provenance(JsonText& facts) const {
    if (!task_.ask.full) return {};
    int64_t size = 0, lost_events = 0, most = 0;
    bool is_bounded = !report_.clocks.empty();
    for (const FileState& state : before_) size += state.size;
    for (const PlacedClock& clock : report_.clocks) {
      lost_events += lost(report_, clock);
      is_bounded = is_bounded && clock.uncertainty_ns.has_value();
      most = std::max(most, clock.uncertainty_ns.value_or(0));
    }
    TB_TRY_ASSIGN(const std::string hash, digest());
    const std::string rule = weakest_rule();
    facts.add("_trace_size", size);
    facts.add("_trace_digest", std::string_view(hash));
    if (rule.empty())
      facts.add_raw("_placed_by", "null");
    else
      facts.add("_placed_by", std::string_view(rule));
    facts.add("_uncertainty_ns", is_bounded ? std::optional(most) : std::nullopt);
    facts.add("_lost", lost_events);
    return {};
  }

  // Returns the connection that the statements of a group share, because making one takes longer
  // than most of them.
  Result<TraceConnection*> connection() {
    if (connection_ == nullptr) {
      TB_TRY_ASSIGN(connection_, TraceConnection::open(trace_));
    }
    return connection_.get();
  }

  // Returns the cells of the rows of a statement; texts are copied.
  Result<std::vector<std::vector<Parameter>>> rows_of(const std::string& sql) {
    struct Rows final : RowSink {
      std::vector<std::vector<Parameter>> all;
      void columns(std::span<const std::string>) override {}
      bool row(std::span<const Cell> cells) override {
        std::vector<Parameter>& row = all.emplace_back();
        for (const Cell& cell : cells) row.push_back(Parameter::of(cell));
        return true;
      }
    } rows;
    TB_TRY_ASSIGN(TraceConnection* const shared, connection());
    TB_TRY(shared->run(sql, rows));
    return std::move(rows.all);
  }

  using Machines = absl::flat_hash_map<int64_t, std::string>;

  Result<Machines> machines_of(const StatementTask& statement) {
    Machines machines;
    const std::string& column = statement.fields[*statement.machine_column].name;
    const auto key = std::ranges::find(kMachineKeys, column, &MachineKey::column);
    if (key == std::end(kMachineKeys)) return machines;
    absl::flat_hash_map<int64_t, std::string> names;
    TB_TRY_ASSIGN(const auto rows, rows_of("SELECT id, name FROM machine WHERE name IS NOT NULL"));
    for (const auto& row : rows) names.emplace(row[0].integer, row[1].text);
    TB_TRY_ASSIGN(const auto values, rows_of(std::string(key->sql)));
    for (const auto& row : values)
      if (const auto name = names.find(row[1].integer);
          row[1].kind == Cell::Kind::Int && name != names.end())
        machines.emplace(row[0].integer, name->second);
    return machines;
  }

  static ArrayData machine_column(const ArrayData& keys, const Machines& machines) {
    ColumnBuilder builder(DataType::Utf8);
    for (size_t row = 0; row < keys.length; ++row) {
      const Cell key = cell_at(keys, row);
      const auto name = key.kind == Cell::Kind::Int ? machines.find(key.integer) : machines.end();
      builder.add(name == machines.end() ? Cell::null() : Cell::of(std::string_view(name->second)));
    }
    return builder.finish();
  }

  Result<> send(const RecordBatch& batch, const StatementTask& statement, const Machines& machines,
                std::optional<size_t> table) const {
    std::vector<ArrayData> columns;
    if (statement.machine_column)
      columns.push_back(machine_column(batch.columns[*statement.machine_column], machines));
    columns.insert(columns.end(), batch.columns.begin(), batch.columns.end());
    const Frame frame = batch_frame(batch.rows, columns, table);
    TB_TRY(write_all(output_, frame.head, "the rows"));
    for (const std::string_view part : frame.body) TB_TRY(write_all(output_, part, "the rows"));
    return {};
  }

  static bool is_as_described(const Schema& schema, const StatementTask& statement) {
    return std::ranges::equal(schema.fields, statement.fields, [](const Field& a, const Field& b) {
      return a.name == b.name && letter_of(a.type) == letter_of(b.type) &&
             a.type != DataType::Unknown && a.type != DataType::Variant;
    });
  }

  // Sends the rows of a statement, and returns their number.
  Result<uint64_t> send_rows(const StatementTask& statement, std::optional<size_t> table) {
    at_stage("describe");
    Machines machines;
    if (statement.machine_column) {
      TB_TRY_ASSIGN(machines, machines_of(statement));
    }
    TB_TRY_ASSIGN(TraceConnection* const shared, connection());
    TB_TRY_ASSIGN(
        const std::unique_ptr<TraceQuery> query,
        shared->query(statement.sql,
                      {.deadline = deadline_, .types = statement.fields, .plain_text = true}));
    TB_TRY_ASSIGN(const std::shared_ptr<const Schema> schema, query->schema());
    if (!is_as_described(*schema, statement))
      return fail(ErrorCode::TypeChanged,
                  "the columns differ from those of other groups; CAST them, or give types");
    at_stage("query");
    uint64_t rows = 0;
    for (;;) {
      TB_TRY_ASSIGN(const std::optional<RecordBatch> batch, query->next());
      if (!batch) return rows;
      rows += batch->rows;
      if (task_.ask.max_rows != 0 && rows > task_.ask.max_rows)
        return fail(ErrorCode::Limit,
                    fmt::format("the group has more than max_rows = {} rows", task_.ask.max_rows));
      if (batch->rows > 0) TB_TRY(send(*batch, statement, machines, table));
    }
  }

  // Adds what the table of the traces of a lake says besides provenance.
  Result<> add_description(JsonText& facts) {
    const auto add_texts = [&](const char* name, const std::string& sql) -> Result<> {
      TB_TRY_ASSIGN(const auto rows, rows_of(sql));
      std::vector<std::string> texts;
      for (const auto& row : rows) texts.push_back(row[0].text);
      facts.add(name, std::span<const std::string>(texts));
      return {};
    };
    TB_TRY(add_texts("formats",
                     "SELECT DISTINCT trace_type FROM trace_file WHERE trace_type <> '' "
                     "AND NOT is_container ORDER BY 1"));
    TB_TRY(add_texts("machines", "SELECT DISTINCT name FROM machine WHERE name <> '' ORDER BY 1"));
    TB_TRY_ASSIGN(const auto bounds,
                  rows_of("SELECT clock_convert(start_ts, NULL, NULL, 'REALTIME', NULL), "
                          "clock_convert(end_ts, NULL, NULL, 'REALTIME', NULL) FROM trace_bounds"));
    const auto add_time = [&](const char* name, const Parameter& time) {
      facts.add(name, time.kind == Cell::Kind::Int ? std::optional(time.integer) : std::nullopt);
    };
    if (bounds.empty()) return fail(ErrorCode::BadInput, "the trace has no bounds");
    add_time("start_utc", bounds[0][0]);
    add_time("end_utc", bounds[0][1]);
    return {};
  }

  // Returns whether each table has rows: by one statement, because most tables are empty and a
  // statement for each takes longer.
  Result<std::vector<bool>> have_rows(const std::vector<TableTask>& tables) {
    std::string sql;
    for (const TableTask& table : tables)
      sql += fmt::format("{} EXISTS(SELECT 1 FROM {})", sql.empty() ? "SELECT" : ",",
                         tracebraid::quoted(table.name));
    std::vector<bool> found;
    if (sql.empty()) return found;
    TB_TRY_ASSIGN(const auto rows, rows_of(sql));
    for (const Parameter& value : rows[0]) found.push_back(value.integer != 0);
    return found;
  }

  // Sends the rows of all tables, and adds the number of rows of each.
  Result<> send_tables(const std::vector<TableTask>& tables, JsonText& facts) {
    at_stage("query");
    TB_TRY(add_description(facts));
    TB_TRY_ASSIGN(const std::vector<bool> found, have_rows(tables));
    facts.open_array("rows");
    for (size_t i = 0; i < tables.size(); ++i) {
      uint64_t rows = 0;
      if (found[i]) {
        TB_TRY_ASSIGN(rows, send_rows(tables[i].statement, i));
      }
      facts.add("", rows);
    }
    facts.close_array();
    return {};
  }

  Result<std::string> run_local() {
    TB_TRY(fetch());
    TB_TRY(check_unchanged());
    at_stage("open");
    TB_TRY(open());
    TB_TRY(check_unchanged());
    TB_TRY(check());
    JsonText facts(JsonText::kCompact);
    facts.open_object();
    TB_TRY(add_provenance(facts));
    if (task_.ask.tables) {
      TB_TRY(send_tables(*task_.ask.tables, facts));
    } else {
      TB_TRY_ASSIGN(const uint64_t rows, send_rows(task_.ask.statement, std::nullopt));
      facts.add("rows", rows);
    }
    if (const std::optional<Error> damage = trace_->damage()) return tl::unexpected(*damage);
    TB_TRY(check_unchanged());
    std::string made = std::move(facts.close_object()).finish();
    while (made.ends_with('\n')) made.pop_back();
    return made.substr(1, made.size() - 2);
  }

  // Names copies as the task names the files.
  Error renamed(Error error) const {
    const auto rename = [&](const std::string& copy, const std::string& name) {
      if (copy == name) return;
      for (size_t at = error.message.find(copy); at != std::string::npos;
           at = error.message.find(copy, at + name.size()))
        error.message.replace(at, copy.size(), name);
    };
    for (size_t i = 0; i < paths_.size(); ++i) rename(paths_[i], names()[i]);
    if (!manifest_.empty()) rename(manifest_, task_.manifest);
    return error;
  }

  Task task_;
  int output_;
  const WorkerHost& host_;
  Clock::time_point deadline_;
  const char* stage_ = "fetch";
  OpenOptions options_;
  TemporaryFolder copies_;  // outlives the trace
  std::vector<std::string> paths_;
  std::string manifest_;
  std::vector<FileState> before_;
  std::shared_ptr<const Trace> trace_;
  std::unique_ptr<TraceConnection> connection_;  // null until it is needed
  CheckReport report_;
};

std::string failure_facts(const Error& error, const GroupRun& run) {
  const bool is_sql = error.code == ErrorCode::Sql || error.code == ErrorCode::Usage;
  std::string message = is_sql ? plain_sql_error(error.message) : error.message;
  if (!error.hint.empty()) message += fmt::format(" ({})", error.hint);
  const std::optional<std::string> file = file_in_message(error.message, run.names());
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("stage", run.stage());
  json.add("code", code_name(error.code));
  json.add("message", std::string_view(message));
  if (file)
    json.add("file", std::string_view(*file));
  else
    json.add_raw("file", "null");
  json.add("offset", file ? offset_in_message(error.message) : std::nullopt);
  std::string text = std::move(json.close_object()).finish();
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(1, text.size() - 2);
}

// Runs a task and sends the frame that ends it.
Result<> run_line(std::string_view line, int output, const WorkerHost& host) {
  const Clock::time_point begun = Clock::now();
  TB_TRY_ASSIGN(Task task, parse_task(line));
  FrameKind kind = FrameKind::End;
  std::string facts;
  {
    GroupRun run(std::move(task), output, host);
    Result<std::string> done = at_boundary([&] { return run.run(); });
    kind = done ? FrameKind::End : FrameKind::Failed;
    facts = done ? *std::move(done) : failure_facts(done.error(), run);
  }
  const std::chrono::duration<double> seconds = Clock::now() - begun;
  return write_all(
      output,
      message_frame(kind,
                    fmt::format(R"({{{},"seconds":{:.6f},"peak_bytes":{},"memory":{}}})", facts,
                                seconds.count(), host.peak_bytes(), host.resident_bytes())),
      "the rows");
}

}  // namespace

Result<> run_worker(int tasks, int output, const WorkerHost& host) {
  std::string lines, block(size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t got = ::read(tasks, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    lines.append(block, 0, static_cast<size_t>(got));
    for (size_t end = lines.find('\n'); end != lines.npos; end = lines.find('\n')) {
      TB_TRY(run_line(std::string_view(lines).substr(0, end), output, host));
      lines.erase(0, end + 1);
    }
  }
}

}  // namespace tracebraid::fleet
