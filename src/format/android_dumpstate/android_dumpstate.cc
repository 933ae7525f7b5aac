// The format: the text of an Android bug report: its logs, and all of its lines by section. It
// gives the year of the logs, including those in other files.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock_domain.h"
#include "event/event_kind.h"
#include "event/log_copy.h"
#include "event/make_event.h"
#include "event/row.h"
#include "format/android_dumpstate/battery_stats.h"
#include "format/common/lines.h"
#include "format/common/logcat_line.h"
#include "format/common/logcat_writer.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::android_dumpstate {
namespace {

Match sniff(const Peek& peek) {
  constexpr size_t kRuler = 56;
  constexpr std::string_view kTitle = "\n== dumpstate: ";
  const std::string_view head = peek.head;
  if (head.starts_with(kBatteryStats)) return Match::Sure;
  const bool has_ruler =
      head.size() > kRuler &&
      std::ranges::all_of(head.substr(0, kRuler), [](char c) { return c == '='; });
  return has_ruler && head.substr(kRuler).starts_with(kTitle) ? Match::Sure : Match::No;
}

// Sections are between lines of dashes; the section of services has one part per service. The
// history of the battery is a section, or a file of its own.
class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink), logs_(sink, kLogCopy), battery_(sink) {}

  void line(std::string_view text, uint64_t at) {
    if (text.starts_with(kBefore) && text.ends_with(kBehind) &&
        text.size() > kBefore.size() + kBehind.size())
      return section(text.substr(kBefore.size(), text.size() - kBefore.size() - kBehind.size()));
    if (kind_ == Kind::Services && is_end_of_service(text)) {
      service_.clear();
      return;
    }
    if (kind_ == Kind::Services && service_.empty() && is_ruler(text)) return;
    if (kind_ == Kind::Services && service_.empty()) begin_service(text);
    if (text.starts_with(kBatteryStats)) kind_ = Kind::Battery;
    if (kind_ == Kind::Battery) battery_.line(text, at);
    if (kind_ == Kind::Log) log(text, at);
    add_row(text);
  }

 private:
  enum class Kind : uint8_t { Other, Services, Log, Battery };
  static constexpr std::string_view kBefore = "------ ", kBehind = " ------";

  static bool is_duration(std::string_view text) {
    return text.find("was the duration of") != std::string_view::npos;
  }
  static bool is_ruler(std::string_view text) {
    return !text.empty() && text.find_first_not_of('-') == std::string_view::npos;
  }
  static bool is_end_of_service(std::string_view text) {
    return text.starts_with("--------- ") && is_duration(text);
  }

  // Parses "SYSTEM LOG (logcat -v threadtime ...)", "0.356s was the duration of 'SYSTEM LOG'".
  void section(std::string_view title) {
    service_.clear();
    section_.clear();
    kind_ = Kind::Other;
    if (is_duration(title)) return;
    section_ = title;
    if (title.starts_with("DUMPSYS")) kind_ = Kind::Services;
    // The log of the system contains the lines of the kernel's log.
    for (const std::string_view log : {"SYSTEM LOG", "EVENT LOG", "RADIO LOG"})
      if (title.starts_with(log)) kind_ = Kind::Log;
    if (title.starts_with("CHECKIN BATTERYSTATS")) kind_ = Kind::Battery;
    constexpr std::string_view kBlocks = "BLOCK STAT";  // one per device
    if (title.starts_with(kBlocks)) section_ = kBlocks;
  }

  // Parses "DUMP OF SERVICE CRITICAL SurfaceFlinger:".
  void begin_service(std::string_view text) {
    if (!text.starts_with("DUMP OF SERVICE")) return;
    text.remove_prefix(text.rfind(' ') + 1);
    if (text.ends_with(':')) text.remove_suffix(1);
    service_ = text;
  }

  void log(std::string_view text, uint64_t at) {
    constexpr size_t kMostText = 256;
    if (text.empty() || android_logcat::is_divider(text)) return;
    if (const std::optional<android_logcat::Line> line = android_logcat::parse_line(text))
      return logs_.write(*line, line->message);
    sink_.count(stats::android_log_format_invalid, at, text.substr(0, kMostText));
  }

  void add_row(std::string_view text) {
    RowWriter row(sink_, "android_dumpstate");
    if (!section_.empty()) row.text("section", section_);
    if (!service_.empty()) row.text("service", service_);
    row.text("line", text);
    sink_.untimed(row.finish({0, sink_.clock({.domain = kTraceTime})}));
  }

  EventSink& sink_;
  android_logcat::Writer logs_;
  BatteryStats battery_;
  Kind kind_ = Kind::Other;
  std::string section_, service_;  // empty outside of sections and services
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  constexpr size_t kBlock = size_t{4} << 20;
  EventSink& sink = chunks.add();
  Reader reader(sink);
  for_each_line(input, kBlock,
                [&](std::string_view line, uint64_t at, bool) { reader.line(line, at); });
  return {};
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "android_dumpstate",
    .title = "Android bug report text",
    .about =
        "The main text of a bug report: its logs, unless the log files beside it have the same "
        "lines, its lines by section, and the history of the battery (checkin).",
    .times = "REALTIME.",
    .anchors = "The date in the file name gives the year of the logs.",
    .tables = "android_logs, android_dumpstate, counter, slice.",
    .clock = {.domain = domain::kRealtime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::android_dumpstate
