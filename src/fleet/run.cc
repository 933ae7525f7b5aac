#include "fleet/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

#include "base/input_files.h"
#include "base/temporary_file.h"
#include "engine/engine.h"
#include "engine/rows.h"
#include "fleet/cache_size.h"
#include "fleet/journal.h"
#include "fleet/output.h"
#include "query/batch/column_builder.h"

namespace tracebraid::fleet {
namespace {

// Rows of groups that wait for those before them are in memory up to this.
constexpr uint64_t kWaitingBytes = uint64_t{32} << 20;

Error error_of(const Group& group, const Failure& failure) {
  const ErrorCode code = code_named(failure.code);
  // A worker whose invariants broke is no fault of this process.
  return {code == ErrorCode::Internal || code == ErrorCode::Cancelled ? ErrorCode::Io : code,
          fmt::format("{}: {}", group.name, failure.message)};
}

// Counts what ended, and ends the run at a failure if it is to.
class Outcomes {
 public:
  Outcomes(const FleetRun& run, const std::vector<bool>& skipped, bool keeps_all, const Stop& stop,
           std::vector<FailedGroup>& failed)
      : run_(run), stop_(stop), failed_(failed) {
    PoolOptions options = run.pool;
    options.stops_at_failure = run.fails;
    options.keeps_all = keeps_all;
    progress_.total = static_cast<size_t>(std::ranges::count(skipped, false));
    options.jobs =
        static_cast<unsigned>(std::clamp<size_t>(progress_.total, 1, std::max(1U, options.jobs)));
    pool_.emplace(run.groups, run.ask, skipped, std::move(options));
  }

  Result<> open_cache() {
    if (run_.cache_folder.empty()) return {};
    TB_TRY_ASSIGN(cache_, CacheSize::open(run_.cache_folder, run_.cache_size));
    return {};
  }

  // Returns the next outcome, which may be a failure.
  Result<std::optional<Outcome>> next() {
    TB_TRY_ASSIGN(std::optional<Outcome> outcome, pool_->next(stop_));
    if (!outcome) {
      if (cache_) cache_->prune();
      return outcome;
    }
    if (cache_) cache_->add_group();
    ++progress_.done;
    progress_.failed += outcome->failure ? 1 : 0;
    progress_.bytes +=
        static_cast<uint64_t>(std::max<int64_t>(0, run_.groups[outcome->group].size()));
    progress_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
    if (run_.report) run_.report(progress_);
    return outcome;
  }

  // Keeps the failure of a group, and returns it as an Error if the run is to end with it.
  Result<> take_failure(size_t group, unsigned attempt, Failure failure) {
    failed_.push_back({group, attempt, std::move(failure)});
    if (!run_.fails) return {};
    return tl::unexpected(error_of(run_.groups[group], failed_.back().failure));
  }

 private:
  using Clock = std::chrono::steady_clock;
  const FleetRun& run_;
  const Stop& stop_;
  std::vector<FailedGroup>& failed_;
  RunProgress progress_;
  const Clock::time_point begun_ = Clock::now();
  std::optional<CacheSize> cache_;
  std::optional<Pool> pool_;
};

struct Schemas {
  explicit Schemas(const FleetRun& run)
      : sent(std::make_shared<const Schema>(Schema{FrontColumns::sent_fields(run.ask.statement)})),
        all(std::make_shared<const Schema>(Schema{run.front.fields(run.ask.statement)})) {}
  const std::shared_ptr<const Schema> sent, all;
};

// Rows of a group that wait, in memory or in the file that all share.
struct WaitingRows {
  std::string facts;
  std::unique_ptr<Spool> rows;  // null: they are in the file
  uint64_t begin = 0, end = 0;
};

// Passes rows in the order of groups.
class InOrder {
 public:
  InOrder(const FleetRun& run, BatchSink& sink) : run_(run), sink_(sink), schemas_(run) {}

  // Adds rows that wait.
  Result<> add(Outcome outcome) {
    WaitingRows waiting{.facts = std::move(outcome.facts), .rows = std::move(outcome.rows)};
    bytes_ += waiting.rows->size_in_memory();
    const bool is_in_file = waiting.rows->size_in_memory() < waiting.rows->size();
    if (is_in_file || bytes_ > kWaitingBytes) TB_TRY(move_to_file(waiting));
    waiting_.emplace(outcome.group, std::move(waiting));
    return {};
  }
  // Passes on the rows of a group. Returns false if the sink wants no more.
  Result<bool> pass(size_t group) {
    auto node = waiting_.extract(group);
    if (node.empty()) return true;
    const WaitingRows& waiting = node.mapped();
    const auto take = taker(group, waiting.facts);
    if (waiting.rows == nullptr) {
      TB_TRY(for_each_frame(file_.fd(), waiting.begin, waiting.end, take));
    } else {
      bytes_ -= waiting.rows->size_in_memory();
      TB_TRY(waiting.rows->for_each_frame(take));
    }
    return !is_ended_;
  }
  // Passes on rows at once.
  Result<bool> pass(const Outcome& outcome) {
    TB_TRY(outcome.rows->for_each_frame(taker(outcome.group, outcome.facts)));
    return !is_ended_;
  }
  const Schema& schema() const { return *schemas_.all; }

 private:
  std::function<Result<>(std::string_view, std::string_view)> taker(size_t group,
                                                                    std::string_view facts) {
    return [this, group, facts](std::string_view head, std::string_view body) -> Result<> {
      if (is_ended_) return {};
      TB_TRY_ASSIGN(RecordBatch batch, batch_of(schemas_.sent, head, body));
      is_ended_ = !sink_.add(
          run_.front.with_front(run_.groups[group], facts, std::move(batch), schemas_.all));
      return {};
    };
  }

  Result<> move_to_file(WaitingRows& waiting) {
    const std::string& folder = run_.pool.temporary_folder;
    if (!file_) {
      TB_TRY_ASSIGN(file_, open_temporary_file(folder));
    }
    bytes_ -= waiting.rows->size_in_memory();
    waiting.begin = file_bytes_;
    TB_TRY(waiting.rows->for_each_block([&](std::string_view bytes) {
      return write_all(file_.fd(), bytes, "a temporary file in " + folder);
    }));
    waiting.end = file_bytes_ += waiting.rows->size();
    waiting.rows.reset();
    return {};
  }

  const FleetRun& run_;
  BatchSink& sink_;
  const Schemas schemas_;
  bool is_ended_ = false;
  std::map<size_t, WaitingRows> waiting_;
  uint64_t bytes_ = 0;  // of waiting rows in memory
  Descriptor file_;
  uint64_t file_bytes_ = 0;
};

// Passes rows on as groups end.
Result<> pass_unsorted(InOrder& rows, Outcomes& outcomes) {
  for (;;) {
    TB_TRY_ASSIGN(std::optional<Outcome> outcome, outcomes.next());
    if (!outcome) return {};
    if (outcome->failure) {
      TB_TRY(outcomes.take_failure(outcome->group, outcome->attempt, *outcome->failure));
      continue;
    }
    TB_TRY_ASSIGN(const bool goes_on, rows.pass(*outcome));
    if (!goes_on) return {};
  }
}

// Passes rows on by group. Of groups that failed, the first by name ends the run.
Result<> pass_sorted(InOrder& rows, Outcomes& outcomes, size_t groups) {
  std::map<size_t, std::pair<unsigned, Failure>> failures;
  std::vector<bool> ended(groups, false);
  for (size_t next = 0; next < groups;) {
    TB_TRY_ASSIGN(std::optional<Outcome> outcome, outcomes.next());
    if (!outcome) return {};
    const size_t group = outcome->group;
    ended[group] = true;
    if (outcome->failure)
      failures.emplace(group, std::pair(outcome->attempt, *std::move(outcome->failure)));
    else
      TB_TRY(rows.add(*std::move(outcome)));
    for (; next < groups && ended[next]; ++next) {
      if (const auto failure = failures.find(next); failure != failures.end()) {
        TB_TRY(outcomes.take_failure(next, failure->second.first, failure->second.second));
        continue;
      }
      TB_TRY_ASSIGN(const bool goes_on, rows.pass(next));
      if (!goes_on) return {};
    }
  }
  return {};
}

// What must be equal for a run to continue another, as JSON with sorted members.
std::string asked_json(const FleetRun& run) {
  const StatementTask& statement = run.ask.statement;
  auto options = run.ask.options;
  std::ranges::sort(options);
  JsonText json(JsonText::kCompact);
  json.open_object();
  json.add("check", std::string_view(run.ask.check));
  json.add_raw("fields", fields_json(run.front.fields(statement)));
  json.add("max_rows", run.ask.max_rows);
  json.open_array("options");
  for (const auto& [key, value] : options) {
    json.open_array();
    json.add("", std::string_view(key)).add("", std::string_view(value));
    json.close_array();
  }
  json.close_array();
  json.add("sql", std::string_view(statement.sql));
  json.add("version", version());
  return std::move(json.close_object()).finish();
}

// Runs the groups that the journal does not have.
Result<> fill_journal(const FleetRun& run, Journal& journal, const Stop& stop,
                      std::vector<FailedGroup>& failed) {
  std::vector<bool> skipped;
  for (const Group& group : run.groups) skipped.push_back(journal.has(group));
  Outcomes outcomes(run, skipped, false, stop, failed);
  TB_TRY(outcomes.open_cache());
  for (;;) {
    TB_TRY_ASSIGN(const std::optional<Outcome> outcome, outcomes.next());
    if (!outcome) return {};
    std::optional<Failure> failure = outcome->failure;
    if (!failure)
      if (const Result<> kept =
              journal.add(run.groups[outcome->group], *outcome->rows, outcome->facts);
          !kept)
        failure = Failure{.stage = "write", .code = "IO", .message = kept.error().message};
    if (failure)
      TB_TRY(outcomes.take_failure(outcome->group, outcome->attempt, *std::move(failure)));
  }
}

}  // namespace

Result<> pass_rows(const FleetRun& run, BatchSink& sink, const Stop& stop,
                   std::vector<FailedGroup>& failed) {
  InOrder rows(run, sink);
  sink.begin(rows.schema());
  const std::vector<bool> none(run.groups.size(), false);
  Outcomes outcomes(run, none, run.sorts, stop, failed);
  TB_TRY(outcomes.open_cache());
  if (run.sorts)
    TB_TRY(pass_sorted(rows, outcomes, run.groups.size()));
  else
    TB_TRY(pass_unsorted(rows, outcomes));
  sink.end();
  return {};
}

Result<> write_rows(const FleetRun& run, const std::string& path, const std::string& format,
                    bool resume, const Stop& stop, std::vector<FailedGroup>& failed) {
  const std::string target = output_file_of(path);
  std::error_code ignored;
  if (target != path) std::filesystem::create_directories(folder_of(target), ignored);
  for (const Group& group : run.groups)
    for (const std::string& input : group.paths) run.files.inputs->add(input);
  TB_TRY(check_no_input(target, *run.files.inputs));
  TB_TRY(check_format(format, run.plugin_folder));
  TB_TRY_ASSIGN(Journal journal, Journal::open(target, asked_json(run), run.groups, resume));
  TB_TRY(fill_journal(run, journal, stop, failed));
  TB_TRY_ASSIGN(const std::unique_ptr<RowFile> file,
                open_row_file(target, format, run.plugin_folder, run.files));
  const Schemas schemas(run);
  TB_TRY(file->begin(schemas.all));
  for (const Group& group : run.groups) {
    if (!journal.has(group)) continue;
    if (stop.requested()) return fail(ErrorCode::Cancelled, "interrupted");
    TB_TRY(journal.for_each_frame(
        group, [&](std::string_view head, std::string_view body) -> Result<> {
          TB_TRY_ASSIGN(RecordBatch batch, batch_of(schemas.sent, head, body));
          return file->add(
              run.front.with_front(group, journal.facts(group), std::move(batch), schemas.all));
        }));
  }
  TB_TRY(file->finish());
  return journal.remove();
}

RecordBatch error_table(const std::vector<Group>& groups, const std::vector<FailedGroup>& failed) {
  static const auto kSchema =
      std::make_shared<const Schema>(Schema{{{"_group", DataType::Utf8, ""},
                                             {"_trace", DataType::Utf8, ""},
                                             {"stage", DataType::Utf8, ""},
                                             {"code", DataType::Utf8, ""},
                                             {"message", DataType::Utf8, ""},
                                             {"file", DataType::Utf8, ""},
                                             {"offset", DataType::Int64, ""},
                                             {"attempt", DataType::Int64, ""},
                                             {"seconds", DataType::Float64, ""},
                                             {"peak_bytes", DataType::Int64, ""}}});
  std::vector<ColumnBuilder> columns;
  for (const Field& field : kSchema->fields) columns.emplace_back(field.type);
  const auto text_or_null = [](const std::optional<std::string>& text) {
    return text ? Cell::of(std::string_view(*text)) : Cell::null();
  };
  const auto number_or_null = [](const std::optional<int64_t>& number) {
    return number ? Cell::of(*number) : Cell::null();
  };
  std::vector<const FailedGroup*> sorted;
  for (const FailedGroup& each : failed) sorted.push_back(&each);
  std::ranges::sort(sorted, {}, [](const FailedGroup* each) { return each->group; });
  for (const FailedGroup* each : sorted) {
    const Group& group = groups[each->group];
    const Failure& failure = each->failure;
    const std::string trace = group.trace();
    const Cell cells[] = {Cell::of(std::string_view(group.name)),
                          Cell::of(std::string_view(trace)),
                          Cell::of(std::string_view(failure.stage)),
                          Cell::of(std::string_view(failure.code)),
                          Cell::of(std::string_view(failure.message)),
                          text_or_null(failure.file),
                          number_or_null(failure.offset),
                          Cell::of(static_cast<int64_t>(each->attempt)),
                          Cell::of(failure.seconds),
                          number_or_null(failure.peak_bytes)};
    for (size_t i = 0; i < columns.size(); ++i) columns[i].add(cells[i]);
  }
  RecordBatch batch{.schema = kSchema, .rows = sorted.size()};
  for (ColumnBuilder& column : columns) batch.columns.push_back(column.finish());
  return batch;
}

std::string error_line(const std::vector<Group>& groups, const FailedGroup& failed) {
  return fmt::format("{}: {}: {}: {}", groups[failed.group].name, failed.failure.stage,
                     failed.failure.code, failed.failure.message);
}

}  // namespace tracebraid::fleet
