#include "merge/reading_losses.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/cut_text.h"
#include "event/stat.h"
#include "event/stats.h"
#include "merge/stat_kinds.h"
#include "merge/stats.h"

namespace tracebraid {
namespace {

constexpr size_t kMaxWarnings = 5;  // of one file
constexpr size_t kMaxExcerpt = 40;  // bytes of the file that a warning quotes

struct Loss {
  StatId stat;
  int64_t times = 0;
  const LogRow* first = nullptr;
};

// Returns advice for the user, for stats whose name alone is not enough.
std::string_view remedy(StatId stat) {
  switch (stat) {
    case stats::trace_truncated:
    case stats::json_truncated:
      return "the file is truncated; was it copied before it was complete?";
    case stats::archive_truncated:
      return "the archive is truncated; everything before its end was read";
    case stats::json_max_depth_exceeded:
      return "nested too deep; --max-json-depth sets the limit";
    default:
      return "";
  }
}

// Returns the text printable, in one line, and shortened.
std::string excerpt(std::string_view text) {
  std::string shown;
  for (const char c : cut_text(text, kMaxExcerpt))
    shown += absl::ascii_iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
  if (text.size() > kMaxExcerpt) shown += "...";
  return shown;
}

std::string describe(const Loss& loss) {
  std::string text(kind_of(loss.stat).name);
  if (loss.first == nullptr) {
    if (loss.times > 1) text += fmt::format(", {} times", loss.times);
    return text + fmt::format(": {}", kind_of(loss.stat).description);
  }
  if (loss.times > 1) text += fmt::format(", {} times, first", loss.times);
  text += fmt::format(" at byte {}", loss.first->byte_offset);
  if (const std::string_view advice = remedy(loss.stat); !advice.empty())
    text += fmt::format(": {}", advice);
  else if (!loss.first->text.empty())
    text += fmt::format(": {}", excerpt(loss.first->text));
  return text;
}

bool is_reported(StatId stat, Repairs repairs) {
  const StatKind& kind = kind_of(stat);
  if (kind.level != StatLevel::Repaired) return kind.level < StatLevel::Repaired;
  const bool is_grave = kind.severity == Severity::DataLoss || kind.severity == Severity::Error;
  return repairs == Repairs::All || (repairs == Repairs::Grave && is_grave);
}

uint64_t place_of(const Loss& loss) {
  return loss.first == nullptr ? kNoOffset : loss.first->byte_offset;
}

// The count of a stat of a file, by the stages after reading.
struct StageLoss {
  int64_t times = 0;
  std::optional<int64_t> first_ts;  // trace time, ns
};

std::string describe(StatId stat, const StageLoss& loss) {
  std::string text(kind_of(stat).name);
  if (loss.times > 1) text += fmt::format(", {} times", loss.times);
  if (loss.first_ts)
    text += fmt::format("{} at trace time {} ns", loss.times > 1 ? ", first" : "", *loss.first_ts);
  return text + fmt::format(": {}", kind_of(stat).description);
}

// Returns the first few of the warnings, and one that counts the others.
std::vector<LossWarning> shortened(std::vector<LossWarning> all) {
  if (all.size() <= kMaxWarnings) return all;
  LossWarning rest{.file = all[0].file, .level = StatLevel::Repaired, .error = {}};
  for (const LossWarning& warning : std::span(all).subspan(kMaxWarnings))
    rest.level = std::min(rest.level, warning.level);
  rest.error = {ErrorCode::BadInput, fmt::format("{} more kinds of problems, see the table stats",
                                                 all.size() - kMaxWarnings)};
  all.resize(kMaxWarnings);
  all.push_back(std::move(rest));
  return all;
}

}  // namespace

std::vector<LossWarning> reading_losses(std::span<const EventBatch> chunks, Repairs repairs) {
  std::vector<Loss> losses;
  const auto find = [&](StatId stat) {
    return std::ranges::find_if(losses, [stat](const Loss& loss) { return loss.stat == stat; });
  };
  for (const EventBatch& chunk : chunks)
    for (const LogRow& row : chunk.log) {
      if (!is_reported(row.stat, repairs) || row.byte_offset == kNoOffset) continue;
      const auto known = find(row.stat);
      if (known == losses.end())
        losses.push_back({row.stat, 0, &row});
      else if (row.byte_offset < known->first->byte_offset)
        known->first = &row;
    }
  for (const EventBatch& chunk : chunks)
    for (const StatCount& count : chunk.stats) {
      const auto loss = find(count.stat);
      if (loss != losses.end())
        loss->times += count.value;
      else if (counts_lost_events(kind_of(count.stat).level) && count.value > 0)
        losses.push_back({count.stat, count.value, nullptr});
    }
  std::ranges::stable_sort(losses, {}, place_of);

  std::vector<LossWarning> warnings;
  for (const Loss& loss : losses)
    warnings.push_back({{}, kind_of(loss.stat).level, {ErrorCode::BadInput, describe(loss)}});
  return shortened(std::move(warnings));
}

std::vector<LossWarning> stage_losses(std::span<const StatBump> bumps,
                                      std::span<const PendingLog> logs, Repairs repairs) {
  std::map<FileId, std::map<StatId, StageLoss>> of_files;
  for (const StatBump& bump : bumps)
    if (bump.value > 0 && (counts_lost_events(kind_of(bump.stat).level) ||
                           (repairs == Repairs::All && is_reported(bump.stat, repairs))))
      of_files[bump.file][bump.stat].times += bump.value;
  for (const PendingLog& log : logs) {
    const auto file = of_files.find(log.file);
    if (file == of_files.end() || log.ts.value == OptInt::kNull) continue;
    const auto loss = file->second.find(log.stat);
    if (loss == file->second.end()) continue;
    std::optional<int64_t>& first = loss->second.first_ts;
    first = std::min(first.value_or(log.ts.value), log.ts.value);
  }
  std::vector<LossWarning> warnings;
  for (const auto& [file, losses] : of_files) {
    std::vector<LossWarning> of_file;
    for (const auto& [stat, loss] : losses)
      of_file.push_back({file, kind_of(stat).level, {ErrorCode::BadInput, describe(stat, loss)}});
    std::ranges::move(shortened(std::move(of_file)), std::back_inserter(warnings));
  }
  return warnings;
}

}  // namespace tracebraid
