#include "merge/reference/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/clock_domain.h"
#include "format/proto/reference/walk.h"
#include "merge/reading.h"
#include "merge/reference/manifest.h"
#include "merge/reference/reasons.h"

namespace tracebraid::reference {
namespace {

// The clock of a format (spec clocks 6.1); 0: none.
struct OtherFormat {
  std::string_view name;
  uint32_t clock;
};
constexpr std::array kOtherFormats{
    OtherFormat{"systrace", domain::kMonotonic},
    OtherFormat{"perf", domain::kMonotonic},
    OtherFormat{"perf_text", domain::kMonotonic},
    OtherFormat{"simpleperf_proto", domain::kMonotonic},
    OtherFormat{"art_method", domain::kMonotonic},
    OtherFormat{"art_method_v2", domain::kMonotonic},
    OtherFormat{"fuchsia", domain::kBoottime},
    OtherFormat{"android_logcat", domain::kRealtime},
    OtherFormat{"android_dumpstate", domain::kRealtime},
    OtherFormat{"strace", domain::kRealtime},
    OtherFormat{"json", domain::kPrivate},
    OtherFormat{"gecko", domain::kPrivate},
    OtherFormat{"instruments_xml", domain::kPrivate},
    OtherFormat{"ninja_log", 0},
    OtherFormat{"collapsed_stack", 0},
    OtherFormat{"pprof", 0},
    OtherFormat{"art_hprof", 0},
    OtherFormat{"symbols", 0},
};

bool is_leaf(const TraceFile& file) { return !file.is_manifest && !file.is_container(); }

class Checker {
 public:
  explicit Checker(Report& report) : report_(report) {}

  Result<> run(Inputs inputs, const MergeOptions& options, Progress& progress) {
    files_ = std::move(inputs.files);
    for (const Manifest& manifest : inputs.manifests)
      manifests_.emplace(manifest.file.row, &manifest);
    for (size_t i = 0; i < inputs.order.size(); ++i) {
      const uint32_t row = inputs.order[i];
      if (files_[row].is_container()) continue;
      if (files_[row].is_manifest)
        apply(row);
      else
        read(row, progress);
      if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
      if (std::optional<Error> damage = options.files.damage->find())
        return tl::unexpected(*std::move(damage));
      if (report_.error) {
        note_unread(std::span(inputs.order).subspan(i + 1));
        break;
      }
    }
    if (!report_.error) find_unknown();
    finish();
    return {};
  }

 private:
  // A member of no known format ends the import (spec clocks 11.1).
  void find_unknown() {
    for (uint32_t row = 0; row < files_.size(); ++row) {
      const TraceFile& file = files_[row];
      if (file.format != nullptr || !is_leaf(file) || file.problems.empty()) continue;
      report_.error = {file.path, file.problems.front().message, row};
      return;
    }
  }

  // Only one manifest may be in an input, before all traces.
  void apply(uint32_t row) {
    const std::string& path = files_[row].path;
    if (applied_) {
      report_.error = {path, "multiple perfetto_manifest files in archive", row};
      return;
    }
    if (has_read_) {
      report_.error = {path, "perfetto_manifest file must be the first trace file in the input",
                       row};
      return;
    }
    Result<AppliedManifest> applied = apply_manifest(*manifests_.at(row), row, files_, shared_);
    if (!applied) {
      report_.error = {path, applied.error().message, row};
      return;
    }
    applied_ = *std::move(applied);
    if (applied_->ignored.empty()) return;
    report_.notes.push_back(fmt::format(
        "The manifest uses {} of tracebraid, which other readers ignore: they place its "
        "files elsewhere",
        fmt::join(applied_->ignored, ", ")));
  }

  void note_unread(std::span<const uint32_t> rows) {
    for (const uint32_t row : rows)
      if (is_leaf(files_[row])) report_.unread.push_back(files_[row].path);
  }

  // Matches entries of the manifest by name (spec clocks 10.6).
  FileRules rules_of(const TraceFile& file) const {
    if (!applied_ || !file.name) return {};
    const auto rules = applied_->rules.find(*file.name);
    return rules == applied_->rules.end() ? FileRules{} : rules->second;
  }

  void read(uint32_t row, Progress& progress) {
    const TraceFile& file = files_[row];
    const FileRules rules = rules_of(file);
    has_read_ = true;
    const std::string_view format = file.trace_type();
    if (format != "proto") return read_other(row, rules);
    Result<Input> input = file.open();
    if (!input) {
      report_.error = {file.path, input.error().message, row};
      return;
    }
    input->report_to(&progress);
    Walked walked = walk(*input, row, rules, shared_);
    add_rows(row, walked.tally);
    if (walked.error)
      report_.error = {file.path, walked.error->message, row, walked.error_at};
    else if (input->problem())
      report_.error = {file.path, input->problem()->message, row, input->offset()};
    if (walked.truncated_at)
      report_.notes.push_back(
          fmt::format("The file {} ends within the packet at byte {}, which all readers drop",
                      file.path, *walked.truncated_at));
  }

  // Files of other formats have one clock, which is related to trace time or not.
  void read_other(uint32_t row, const FileRules& rules) {
    const TraceFile& file = files_[row];
    const auto known = std::ranges::find(kOtherFormats, file.trace_type(), &OtherFormat::name);
    OtherFile& other = report_.others.emplace_back();
    other.path = file.path;
    other.row = row;
    other.format = file.trace_type();
    if (known == kOtherFormats.end()) {
      other.is_lost = true;
      other.why = "the reference has no reader for this format";
      return;
    }
    other.why = "its events are not counted";
    if (known->clock == 0) return;
    const uint32_t machine = shared_.machines.row(rules.base.value_or(0));
    const uint32_t clock_id = file.is_bugreport ? domain::kRealtime : known->clock;
    shared_.at = 0;
    Tracker tracker(shared_, row, machine, known->clock);
    const FileClock clock{clock_id, 0};
    tracker.default_clock = clock;
    tracker.claim(clock);
    if (tracker.to_trace_time(clock, 0).ns) return;
    other.is_lost = true;
    other.why = reasons_.why_no_path(tracker.qualify(clock));
  }

  void add_rows(uint32_t file, const Tally& tally) {
    for (const auto& [key, counts] : tally) {
      Row& row = report_.rows.emplace_back();
      row.file = files_[file].path;
      row.file_row = file;
      row.machine_row = key.first;
      row.clock_id = key.second;
      row.clock = clock_name(key.second);
      row.all = counts.all;
      row.first_ns = counts.first_ns;
      row.last_ns = counts.last_ns;
      for (size_t i = 0; i < kLossCauses; ++i) {
        const LostEvents& lost = counts.lost[i];
        const auto cause = static_cast<LossCause>(i);
        if (lost.is_any)
          row.losses.push_back({cause, lost.counts, lost.first_at, reasons_.why(cause, lost)});
      }
    }
  }

  // Names what later packets may still have changed.
  void finish() {
    const Graph& graph = shared_.graph;
    if (shared_.has_trace_time) report_.timeline = reasons_.name_of(graph.trace_time);
    for (Row& row : report_.rows) row.machine = reasons_.machine_name(row.machine_row);
    report_.void_snapshots = graph.void_snapshots;
    report_.clocks_that_go_back = graph.clocks_that_go_back;
    for (const Refusal& refusal : graph.refusals)
      report_.refused.push_back({.file = files_[refusal.place.file].path,
                                 .machine = reasons_.machine_name(refusal.node.machine),
                                 .clock = clock_name(refusal.node.clock),
                                 .file_row = refusal.place.file,
                                 .machine_row = refusal.node.machine,
                                 .clock_id = refusal.node.clock,
                                 .sequence = refusal.node.sequence,
                                 .at = refusal.place.at,
                                 .is_void = refusal.is_void,
                                 .why = refusal.why});
    if (!graph.is_too_complex()) return;
    report_.notes.emplace_back(
        "The file has more kinds of clock snapshots than this check follows: events after them "
        "count as lost");
  }

  Report& report_;
  std::vector<TraceFile> files_;
  std::map<uint32_t, const Manifest*> manifests_;  // by row of trace_file
  std::optional<AppliedManifest> applied_;
  bool has_read_ = false;
  Shared shared_;
  Reasons reasons_{shared_, files_};
};

// Returns an Error if the input neither is a trace nor contains one.
Result<> check_is_trace(const Inputs& inputs) {
  const auto is_trace = [](const TraceFile& file) { return file.format != nullptr; };
  if (std::ranges::any_of(inputs.files, is_trace)) return {};
  for (const TraceFile& file : inputs.files)
    if (!file.problems.empty())
      return tl::unexpected(Error(file.problems.front()).within(file.path));
  return fail(ErrorCode::BadInput, fmt::format("{}: no trace is inside", inputs.files[0].path));
}

}  // namespace

EventCounts lost_kinds(const Row& row) {
  EventCounts counts{};
  for (const Loss& loss : row.losses)
    for (size_t kind = 0; kind < kEventKinds; ++kind) counts[kind] += loss.counts[kind];
  return counts;
}

EventCounts lost_kinds(const Report& report) {
  EventCounts counts{};
  for (const Row& row : report.rows) {
    const EventCounts lost = lost_kinds(row);
    for (size_t kind = 0; kind < kEventKinds; ++kind) counts[kind] += lost[kind];
  }
  return counts;
}

EventCounts kinds_of(const Report& report) {
  EventCounts counts{};
  for (const Row& row : report.rows)
    for (size_t kind = 0; kind < kEventKinds; ++kind) counts[kind] += row.all[kind];
  return counts;
}

uint64_t lost_of(const Row& row) { return total(lost_kinds(row)); }
uint64_t lost_of(const Report& report) { return total(lost_kinds(report)); }
uint64_t events_of(const Report& report) { return total(kinds_of(report)); }

bool is_complete(const Report& report) {
  return lost_of(report) == 0 && !report.error &&
         std::ranges::none_of(report.others, &OtherFile::is_lost);
}

Result<Report> check(const TraceInput& input, const MergeOptions& options, Progress& progress) {
  Report report{.path = input.name};
  std::vector<Problem> problems;
  TB_TRY_ASSIGN(Inputs inputs, open_inputs({&input, 1}, options, progress, problems));
  TB_TRY(check_is_trace(inputs));
  for (const Problem& problem : problems)
    report.notes.push_back(fmt::format("{}: {}", problem.path, problem.error.message));
  TB_TRY(Checker(report).run(std::move(inputs), options, progress));
  return report;
}

}  // namespace tracebraid::reference
