// The format: the text of an Android bug report. It is recognised for the logs beside it, whose
// year it gives; of its own text nothing is a timeline.
#include <algorithm>

#include "format/format.h"

namespace tracebraid::dumpstate {
namespace {

constexpr uint32_t kRealtime = 1;

Match sniff(const Peek& peek) {
  constexpr size_t kRuler = 56;
  constexpr std::string_view kTitle = "\n== dumpstate: ", kBatteryStats = "9,0,i,vers,";
  const std::string_view head = peek.head;
  if (head.starts_with(kBatteryStats)) return Match::Sure;
  const bool has_ruler =
      head.size() > kRuler &&
      std::ranges::all_of(head.substr(0, kRuler), [](char c) { return c == '='; });
  return has_ruler && head.substr(kRuler).starts_with(kTitle) ? Match::Sure : Match::No;
}

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  constexpr size_t kBlock = size_t{4} << 20;
  while (const std::optional<Block> block = input.next(kBlock)) input.done(*block);
  pieces.add().batch().not_imported.push_back(
      {.what = "text of the bug report", .count = 1, .bytes = input.offset()});
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "android_dumpstate",
    .title = "Android bug report text",
    .about =
        "The main text of a bug report, or battery statistics. Its own sections are not read; "
        "the logs in its ZIP are (android_logcat).",
    .times = "REALTIME.",
    .anchors = "The date in its name or head gives the year of the logs.",
    .tables = "none of its own.",
    .clock = {.domain = kRealtime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::dumpstate
