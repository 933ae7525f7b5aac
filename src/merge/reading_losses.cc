#include "merge/reading_losses.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

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
  for (const char c : text.substr(0, kMaxExcerpt))
    shown += absl::ascii_iscntrl(static_cast<unsigned char>(c)) ? ' ' : c;
  // Does not cut within a UTF-8 character.
  if (text.size() > kMaxExcerpt) {
    while (!shown.empty() && (shown.back() & 0xC0) == 0x80) shown.pop_back();
    if (!shown.empty() && (shown.back() & 0x80) != 0) shown.pop_back();
    shown += "...";
  }
  return shown;
}

std::string describe(const Loss& loss) {
  std::string text(kind_of(loss.stat).name);
  if (loss.times > 1) text += fmt::format(", {} times, first", loss.times);
  text += fmt::format(" at byte {}", loss.first->byte_offset);
  if (const std::string_view advice = remedy(loss.stat); !advice.empty())
    text += fmt::format(": {}", advice);
  else if (!loss.first->text.empty())
    text += fmt::format(": {}", excerpt(loss.first->text));
  return text;
}

bool is_loss(StatId stat) {
  const Severity severity = kind_of(stat).severity;
  return severity == Severity::DataLoss || severity == Severity::Error;
}

}  // namespace

std::vector<Error> reading_losses(std::span<const EventBatch> chunks) {
  std::vector<Loss> losses;
  const auto find = [&](StatId stat) {
    return std::ranges::find_if(losses, [stat](const Loss& loss) { return loss.stat == stat; });
  };
  for (const EventBatch& chunk : chunks)
    for (const LogRow& row : chunk.log) {
      if (!is_loss(row.stat) || row.byte_offset == kNoOffset) continue;
      const auto known = find(row.stat);
      if (known == losses.end())
        losses.push_back({row.stat, 0, &row});
      else if (row.byte_offset < known->first->byte_offset)
        known->first = &row;
    }
  for (const EventBatch& chunk : chunks)
    for (const StatCount& count : chunk.stats)
      if (const auto loss = find(count.stat); loss != losses.end()) loss->times += count.value;
  std::ranges::stable_sort(losses, {}, [](const Loss& loss) { return loss.first->byte_offset; });

  std::vector<Error> warnings;
  for (const Loss& loss : losses) {
    if (warnings.size() == kMaxWarnings) {
      warnings.push_back(
          {ErrorCode::BadInput, fmt::format("{} more kinds of problems, see the table stats",
                                            losses.size() - kMaxWarnings)});
      break;
    }
    warnings.push_back({ErrorCode::BadInput, describe(loss)});
  }
  return warnings;
}

}  // namespace tracebraid
