// The format: Android's log as logcat prints it.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_domain.h"
#include "base/words.h"
#include "format/common/lines.h"
#include "format/common/logcat_line.h"
#include "format/common/logcat_writer.h"
#include "format/common/stats.h"
#include "format/common/text_lines.h"
#include "format/format.h"

namespace tracebraid::android_logcat {
namespace {

enum class Layout : uint8_t { None, Lines, Long, Timeless };

// Returns the layout of the first line of the log.
Layout layout_of(std::string_view text) {
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_colours(line);
    if (line.empty() || is_divider(line)) continue;
    if (parse_line(line)) return Layout::Lines;
    if (parse_long_head(line)) return Layout::Long;
    return is_timeless(line) ? Layout::Timeless : Layout::None;
  }
  return Layout::None;
}

Match sniff(const Peek& peek) {
  const Layout layout = layout_of(peek.head);
  if (layout == Layout::Timeless) return Match::Maybe;
  return layout == Layout::None ? Match::No : Match::Likely;
}

void read_text(EventSink& sink, std::string_view text, uint64_t at) {
  if (at == 0 && text.starts_with(kByteOrderMark)) {
    at = kByteOrderMark.size();
    text.remove_prefix(kByteOrderMark.size());
  }
  Writer writer(sink);
  sink.expect_events(static_cast<size_t>(std::ranges::count(text, '\n')) + 1);
  for_each_line(text, at, [&](std::string_view row, uint64_t offset) {
    row = without_colours(row);
    if (row.empty() || is_divider(row)) return;
    if (const std::optional<Line> line = parse_line(row)) return writer.write(*line, line->message);
    sink.count(stats::android_log_format_invalid, offset, row);
  });
}

// Reads the layout long, in order, because messages have several lines.
class LongReader {
 public:
  explicit LongReader(EventSink& sink) : sink_(sink), writer_(sink) {}

  void line(std::string_view text, uint64_t at) {
    if (at == 0) text = without_byte_order_mark(text);
    text = without_colours(text);
    if (const std::optional<Line> head = parse_long_head(text)) {
      end();
      tag_ = head->tag;
      head_ = *head;
      return;
    }
    if (!head_) {
      if (!text.empty() && !is_divider(text))
        sink_.count(stats::android_log_format_invalid, at, text);
      return;
    }
    // An empty line may be part of the message, so only the next head ends the message.
    if (message_.size() > kMostMessage) return;
    if (has_lines_) message_ += '\n';
    has_lines_ = true;
    message_ += text;
  }

  void end() {
    if (!head_) return;
    while (message_.ends_with('\n')) message_.pop_back();
    head_->tag = tag_;
    writer_.write(*head_, message_);
    head_.reset();
    message_.clear();
    has_lines_ = false;
  }

 private:
  static constexpr size_t kMostMessage = 64 << 10;
  EventSink& sink_;
  Writer writer_;
  std::optional<Line> head_;
  std::string tag_, message_;
  bool has_lines_ = false;
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  constexpr size_t kBlock = size_t{4} << 20;
  switch (layout_of(input.peek(kPeekBytes))) {
    case Layout::Timeless:
      return fail(ErrorCode::Unsupported,
                  "this layout of logcat (brief, process, thread or tag) has no times; record with "
                  "logcat -v threadtime");
    case Layout::Long: {
      LongReader reader(chunks.add());
      for_each_line(input, kBlock,
                    [&](std::string_view line, uint64_t at, bool) { reader.line(line, at); });
      reader.end();
      return {};
    }
    default:
      read_in_chunks(input, chunks, read_text);
      return {};
  }
}

}  // namespace

extern const Format kFormat;
const Format kFormat{
    .name = "android_logcat",
    .title = "Android logcat",
    .about =
        "Android's log as text: the layouts threadtime (also with uid, year, zone, epoch, "
        "monotonic, usec, nsec, color), time and long, and those of Android Studio. The layouts "
        "brief, process, thread and tag are not read because they have no times.",
    .times =
        "REALTIME in the machine's time zone, which a protobuf trace of the machine states; "
        "otherwise UTC. The layout monotonic is in MONOTONIC.",
    .anchors =
        "Lines without a year take it from the bug report, from other wall-clock times in the "
        "merge, or else the latest year that makes the day a past one.",
    .tables = "android_logs.",
    .clock = {.domain = domain::kRealtime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::android_logcat
