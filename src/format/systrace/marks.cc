// Marks of userspace in text (spec json 10.5).
#include <array>
#include <charconv>
#include <cmath>

#include "format/systrace/events.h"
#include "kernel/text/emit.h"

namespace tracebraid::systrace {

using namespace kernel_text;

namespace {

// Removes the rest of a line end.
std::string_view clean(std::string_view text) {
  constexpr std::string_view kWritten = "tracing_mark_write: ";  // trace-cmd names the function
  if (text.starts_with(kWritten)) text.remove_prefix(kWritten.size());
  while (text.ends_with('\0') || text.ends_with("\\n"))
    text.remove_suffix(text.back() == '\0' ? 1 : 2);
  return text;
}

// The number of bars in the text, and the positions of the last two.
struct Bars {
  size_t count = 0;
  size_t last = std::string_view::npos, before = std::string_view::npos;
};

Bars bars_of(std::string_view text) {
  Bars bars;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '|') continue;
    ++bars.count;
    bars.before = bars.last;
    bars.last = i;
  }
  return bars;
}

// Removes "
// <args>
// <category>" of Chromium's form from `text`, which has `bars` bars without it.
void take_chromium_form(std::string_view& text, size_t bars, MarkAt& at) {
  const Bars found = bars_of(text);
  if (found.count != bars + 2) return;
  const std::string_view args = text.substr(found.before + 1, found.last - found.before - 1);
  if (!args.empty() && args.find('=') == std::string_view::npos) return;
  at.args = args;
  at.category = text.substr(found.last + 1);
  text = text.substr(0, found.before);
}

// Handles "C
// <tgid>
// <name>
// <decimal>"; FtraceMarks handles integers.
bool read_real_counter(const MarkAt& at, std::string_view text, Chunk& chunk) {
  std::array<std::string_view, 4> fields;
  for (std::string_view& field : fields) {
    field = text.substr(0, text.find('|'));
    text.remove_prefix(std::min(field.size() + 1, text.size()));
  }
  const std::optional<int64_t> tgid = parse_decimal(fields[1]);
  double value = 0;
  const char* const stop = fields[3].data() + fields[3].size();
  const auto [end, error] = std::from_chars(fields[3].data(), stop, value);
  const bool is_number = error == std::errc() && end == stop && std::isfinite(value);
  if (!tgid || *tgid < 0 || *tgid > UINT32_MAX || fields[2].empty() || !is_number) return false;
  chunk.marks().real_counter(at, static_cast<uint32_t>(*tgid), fields[2], value);
  return true;
}

// Handles "log: start: <name>", which ChromeOS writes for touches.
bool read_gesture(const Line& line, std::string_view text, Chunk& chunk) {
  constexpr std::array<std::string_view, 3> kWords{"log: ", "SyncInterpret: ", "HandleTimer: "};
  for (const std::string_view word : kWords) {
    if (!text.starts_with(word)) continue;
    const std::string_view rest = text.substr(word.size());
    const size_t colon = rest.find(": ");
    const std::string_view phase = rest.substr(0, colon);
    if (colon == std::string_view::npos || (phase != "start" && phase != "end")) return false;
    const std::string_view name =
        word == "log: " ? rest.substr(colon + 2) : word.substr(0, word.size() - 2);
    const uint32_t track = machine_track("gesture", "gesture", chunk);
    if (phase == "start")
      begin(line, track, name, chunk);
    else
      end(line, track, name, chunk);
    return true;
  }
  return false;
}

bool is_word_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

// Handles "name=<id>", "parent_ts=<seconds>" or "realtime_ts=<ms>" (spec json 6.4).
bool read_sync(const Line& line, std::string_view text, Chunk& chunk) {
  constexpr std::string_view kName = "name=", kParent = "parent_ts=", kRealtime = "realtime_ts=";
  text = trim(text);
  text = text.substr(0, text.find_first_of(" \t"));
  SyncMark mark{.kind = SyncMark::Kind::Name,
                .is_count = line.is_count,
                .ns = line.ns,
                .other_ns = 0,
                .name = {},
                .offset = chunk.offset()};
  std::optional<int64_t> other;
  if (text.starts_with(kName)) {
    mark.name = text.substr(kName.size());
    for (const char c : mark.name)
      if (!is_word_char(c)) return false;
    if (mark.name.empty()) return false;
  } else if (text.starts_with(kParent)) {
    mark.kind = SyncMark::Kind::Parent;
    other = parse_billionths(text.substr(kParent.size()));
    if (!other) return false;
  } else if (text.starts_with(kRealtime)) {
    constexpr int64_t kNsPerMs = 1'000'000;
    mark.kind = SyncMark::Kind::Realtime;
    other = parse_decimal(text.substr(kRealtime.size()));
    if (!other || __builtin_mul_overflow(*other, kNsPerMs, &mark.other_ns)) return false;
    other = mark.other_ns;
  } else {
    return false;
  }
  mark.other_ns = other.value_or(0);
  chunk.facts().syncs.push_back(std::move(mark));
  return true;
}

// Removes the kernel function that trace-cmd prints before a mark: "tracing_mark_write: B
// 1
// x", or its address: "0xffff00000819ff24s: B
// 1
// x".
std::string_view without_place(std::string_view text) {
  constexpr std::string_view kFunction = "tracing_mark_write", kAddress = "0x";
  const size_t colon = text.find(": ");
  if (colon == std::string_view::npos) return text;
  const std::string_view place = text.substr(0, colon);
  const bool is_address =
      place.starts_with(kAddress) &&
      place.find_first_not_of("0123456789abcdefs", kAddress.size()) == std::string_view::npos;
  return is_address || place == kFunction ? text.substr(colon + 2) : text;
}

}  // namespace

bool read_mark(const Line& line, Chunk& chunk) {
  constexpr std::string_view kSync = "trace_event_clock_sync:";
  std::string_view text = clean(line.details);
  if (line.name == "print") text = without_place(text);
  if (text.starts_with(kSync)) {
    // An unknown sync mark is no mark of the user either.
    read_sync(line, text.substr(kSync.size()), chunk);
    return true;
  }
  if (read_gesture(line, text, chunk)) return true;
  if (text.empty() || (text.size() > 1 && text[1] != '|')) return false;
  MarkAt at{.time = chunk.time(line), .tid = line.tid, .counts_ends = true};
  switch (text.front()) {
    case 'E':  // closes the open slice of the thread, whatever its text
      take_chromium_form(text, 2, at);
      chunk.marks().end(at, 0);
      return true;
    case 'B':
      take_chromium_form(text, 2, at);
      return chunk.marks().add(at, text);
    case 'S':
    case 'F':
      take_chromium_form(text, 3, at);
      return chunk.marks().add(at, text);
    case 'C':
      return chunk.marks().add(at, text) || read_real_counter(at, text, chunk);
    default:
      return chunk.marks().add(at, text);
  }
}

}  // namespace tracebraid::systrace
