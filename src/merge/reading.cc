#include "merge/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/file_bytes.h"
#include "container/members.h"
#include "merge/locate/log_years.h"
#include "merge/manifests.h"
#include "merge/reading_losses.h"
#include "merge/stats.h"

namespace tracebraid {
namespace {

constexpr size_t kUuidBytes = 4096;  // of the input, for its uuid (spec clocks 12.4)

ContainerOptions container_options(const MergeOptions& options) {
  return {options.limits, options.files, options.memory_limit};
}

// Reads the files of `rows`. Each file fills a slot of its own, so the order of threads does not
// matter.
void read_files(std::span<const uint32_t> rows, const MergeOptions& options, Workers& workers,
                HeldMemory* staged, Progress& progress, std::vector<TraceFile>& files) {
  workers.run(rows.size(), [&](size_t i) {
    TraceFile& file = files[rows[i]];
    if (file.format == nullptr || progress.cancelled()) return;
    Result<Input> input = file.open();
    if (!input) {
      file.problems.push_back(std::move(input).error());
      return;
    }
    if (options.files.allocator != nullptr) input->allocate_with_new();
    input->report_to(&progress, staged);
    Chunks chunks(workers, staged);
    if (Result<> done = file.format->read(*input, options.read, chunks); !done)
      file.problems.push_back(std::move(done).error());
    file.chunks = std::move(chunks).finish();
    file.size = input->offset();
    if (input->problem()) file.problems.push_back(*input->problem());
    if (input->is_cut_short() && !file.chunks.empty())
      EventSink(file.chunks.back()).tally(stats::archive_truncated);
  });
}

// Reads all files, then files embedded in them, until there are no more.
Result<> read_all(const MergeOptions& options, Workers& workers, HeldMemory& staged,
                  Progress& progress, std::vector<TraceFile>& files) {
  uint64_t bytes = 0;
  for (const TraceFile& file : files)
    if (file.format != nullptr) bytes += file.size;
  progress.begin("reading", bytes);
  for (uint32_t first = 0; first < files.size();) {
    const auto end = static_cast<uint32_t>(files.size());
    std::vector<uint32_t> rows(end - first);
    std::iota(rows.begin(), rows.end(), first);
    read_files(rows, options, workers, staged.is_limited() ? &staged : nullptr, progress, files);
    for (uint32_t row = first; row < end; ++row)
      for (EventBatch& chunk : files[row].chunks)
        for (Embedded& embedded : std::exchange(chunk.embedded, {}))
          TB_TRY(
              add_embedded(row, std::move(embedded), container_options(options), progress, files));
    first = end;
  }
  if (progress.cancelled()) return fail(ErrorCode::Cancelled, "interrupted");
  return staged.check();
}

// Notes files that grew while they were read: they were read up to their size at opening.
void note_grown_files(const FileDamage& damage, std::vector<TraceFile>& files) {
  for (const std::string& path : damage.grown_files())
    for (TraceFile& file : files)
      if (!file.parent && file.path == path)
        file.problems.push_back(
            {ErrorCode::Io,
             "the file grew while it was read; the added bytes were not read. Read it again when "
             "nothing writes to it"});
}

// Returns the first problem of the file or of a file inside it.
std::string first_problem(uint32_t root, const std::vector<TraceFile>& files) {
  std::vector<bool> inside(files.size());
  inside[root] = true;
  for (uint32_t row = root; row < files.size(); ++row) {
    inside[row] = inside[row] || (files[row].parent && inside[*files[row].parent]);
    if (inside[row] && !files[row].problems.empty()) return files[row].problems.front().message;
  }
  return "no trace is inside";
}

// Whether the file was read without finding a trace. Other problems, such as damage and a cancelled
// opening, leave that open.
bool is_no_trace(const TraceFile& file) {
  return std::ranges::all_of(file.problems, [](const Error& problem) {
    return problem.code == ErrorCode::Unsupported || problem.message == kEmptyFile;
  });
}

// Returns an Error for an input that the user named, and that neither is a trace nor contains one.
// A sole input is an error anyway.
Result<> check_named_inputs(const std::vector<TraceFile>& files) {
  std::vector<bool> may_hold_trace(files.size());
  uint32_t inputs = 0;
  for (auto row = static_cast<uint32_t>(files.size()); row-- > 0;) {
    const TraceFile& file = files[row];
    if (file.format != nullptr || file.is_manifest || !is_no_trace(file))
      may_hold_trace[row] = true;
    if (!file.parent) ++inputs;
    if (file.parent && may_hold_trace[row]) may_hold_trace[*file.parent] = true;
  }
  if (inputs < 2) return {};
  for (uint32_t row = 0; row < files.size(); ++row) {
    if (files[row].parent || files[row].in_folder || may_hold_trace[row]) continue;
    return fail(ErrorCode::Unsupported, fmt::format("{}: {}; --skip-unknown reads the other inputs",
                                                    files[row].path, first_problem(row, files)));
  }
  return {};
}

// Returns the first problem that strict options refuse; otherwise keeps all problems. An input of
// which nothing can be read is always an error. Data that a reader counted as lost is a problem,
// but the file was read.
Result<> gather_problems(const MergeOptions& options, std::span<const uint32_t> order,
                         const std::vector<TraceFile>& files, std::vector<Problem>& problems) {
  const Repairs repairs = options.strict_all ? Repairs::All : Repairs::Grave;
  bool any_read = false;
  for (const TraceFile& file : files) {
    for (const Error& error : file.problems) {
      if (options.strict) return tl::unexpected(Error(error).within(file.path));
      problems.push_back({file.path, error});
    }
    for (LossWarning& loss : reading_losses(file.chunks, repairs)) {
      if (is_refused(loss, options)) return tl::unexpected(std::move(loss.error).within(file.path));
      problems.push_back({file.path, std::move(loss.error), loss.level});
    }
    const bool holds_events = std::ranges::any_of(file.chunks, [](const EventBatch& chunk) {
      return !chunk.untimed.empty() || !chunk.streams.empty() || !chunk.snapshots.empty();
    });
    any_read |=
        file.is_manifest || (file.format != nullptr && (file.problems.empty() || holds_events));
  }
  if (!any_read && !problems.empty()) {
    Problem& first = problems.front();
    return tl::unexpected(std::move(first.error).within(first.path));
  }
  if (order.empty())
    return fail(ErrorCode::NotFound,
                files.empty() ? "no trace files in the input: the directory holds no files"
                              : "no trace files in the input: every file is empty or not a "
                                "trace");
  return {};
}

}  // namespace

Result<Inputs> open_inputs(std::span<const TraceInput> from, const MergeOptions& options,
                           Progress& progress, std::vector<Problem>& problems) {
  TB_TRY_ASSIGN(std::vector<Member> members,
                open_members(from, container_options(options), progress));
  Inputs inputs;
  inputs.are_none = from.empty();
  inputs.staged = std::make_unique<HeldMemory>(options.memory_limit);
  inputs.files = recognise(std::move(members));
  if (!options.skip_unknown) TB_TRY(check_named_inputs(inputs.files));
  inputs.order = reading_order(inputs.files);
  TB_TRY_ASSIGN(inputs.manifests,
                read_manifests(options.manifest_path, options.manifest_text, inputs.order,
                               inputs.files, problems, inputs.inner_manifest));
  return inputs;
}

Result<> read_inputs(const MergeOptions& options, Workers& workers, Progress& progress,
                     Inputs& inputs, std::vector<Problem>& problems) {
  TB_TRY(read_all(options, workers, *inputs.staged, progress, inputs.files));
  // Bytes that could not be read make all results of the file doubtful, and may be the cause of
  // other errors.
  if (std::optional<Error> damage = options.files.damage->find())
    return tl::unexpected(*std::move(damage));
  if (inputs.are_none) return {};
  note_grown_files(*options.files.damage, inputs.files);
  inputs.order = reading_order(inputs.files);  // embedded files are in the list now
  settle_log_years(options.today, inputs.files);
  return gather_problems(options, inputs.order, inputs.files, problems);
}

std::string input_head(std::span<const TraceInput> inputs, std::span<const TraceFile> files) {
  if (!inputs.empty() && inputs[0].bytes)
    return std::string(inputs[0].bytes->view.substr(0, kUuidBytes));
  // A pipe cannot be read again: opening it would wait for more bytes.
  if (!inputs.empty() && inputs[0].is_path())
    if (std::optional<std::string> head = read_head(inputs[0].name, kUuidBytes)) return *head;
  for (const TraceFile& file : files) {
    if (!file.open) continue;
    if (Result<Input> input = file.open()) return std::string(input->peek(kUuidBytes));
  }
  return {};
}

}  // namespace tracebraid
