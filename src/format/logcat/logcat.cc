// The format: Android's log as logcat prints it.
#include "format/event_time.h"
#include "format/format.h"
#include "format/logcat/line.h"
#include "format/text_lines.h"

namespace tracebraid::logcat {
namespace {

constexpr uint32_t kRealtime = 1;

// The first line that is one of the log decides.
Match sniff(const Peek& peek) {
  std::string_view text = peek.head;
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || is_divider(line)) continue;
    return parse_line(line) ? Match::Likely : Match::No;
  }
  return Match::No;
}

// Which clock the line's time is of: a zone makes it REALTIME.
uint32_t clock_of(const Line& line, EventSink& sink) {
  uint32_t domain = line.has_year ? kLocalTime : kLocalTimeOfYear;
  if (line.is_utc && line.has_year) domain = kRealtime;
  return sink.clock({.domain = domain, .by_default = true});
}

void read_text(EventSink& sink, std::string_view text, uint64_t at) {
  const StringId source = sink.string("android_logcat");
  for_each_line(text, at, [&](std::string_view row, uint64_t offset) {
    if (row.empty() || is_divider(row)) return;
    const std::optional<Line> line = parse_line(row);
    if (!line) return sink.count(Stat::android_log_format_invalid, offset, row);
    const uint32_t thread = sink.thread({.tid = line->tid, .pid = line->pid});
    Event event = make_event({line->ns, clock_of(*line, sink)}, EventKind::Log, thread);
    event.name = sink.string(line->message);
    event.category = sink.string(line->tag);
    event.value = line->priority;
    event.extra = source.row;
    sink.event(event);
  });
}

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  read_in_pieces(input, pieces, read_text);
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "android_logcat",
    .title = "Android logcat",
    .about =
        "Android's log as text: the layouts threadtime (also with uid, year, zone, epoch, "
        "usec, nsec) and time.",
    .times =
        "REALTIME in the machine's time zone, which a protobuf trace of the machine states; "
        "otherwise UTC.",
    .anchors =
        "A year that the lines do not have is that of the bug report, of other wall-clock "
        "times in the merge, or the last in which the day has been.",
    .tables = "android_logs.",
    .clock = {.domain = kRealtime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::logcat
