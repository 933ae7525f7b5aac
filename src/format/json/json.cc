// The Trace Event Format: JSON as Chrome, PyTorch, clang and many other programs write it (spec
// json). The stages are:
//
//   stream    bytes, a window at a time
//   document  top-level members            -> metadata, embedded traces
//   region    the event array, in chunks that are read in parallel
//   elements  one chunk: reads events, and continues after damage
//   members   one event object             -> fields, args
//   events    the meaning of the fields    -> EventBatch
//   facts     facts about the whole file, settled chunk by chunk
#include "format/json/json.h"
#include "format/json/trace_event/chunk.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/words.h"
#include "event/stats.h"
#include "format/format.h"
#include "format/json/document/document.h"
#include "format/json/recording/annotations.h"
#include "format/json/recording/metadata_rows.h"
#include "format/json/stats.h"
#include "json/unicode.h"

namespace tracebraid::json {
namespace {

constexpr size_t kShownKeyBytes = 30;

// Returns the text without byte order mark and leading blanks.
std::string_view first_text(std::string_view head) {
  head = without_byte_order_mark(head);
  const char* const end = head.data() + head.size();
  return {skip_space(head.data(), end), end};
}

// Includes comments and single quotes, which are errors of JSON (spec json 8.1, M17).
bool can_start_value(char c) {
  return std::string_view("{[\"]-+.0123456789tfnNI,/'").find(c) != std::string_view::npos;
}
bool can_start_key(char c) { return std::string_view("\"},/'").find(c) != std::string_view::npos; }

Match sniff_utf8(std::string_view head) {
  const std::string_view text = first_text(head);
  if (text.empty()) return head.empty() ? Match::No : Match::Maybe;
  if (text[0] != '{' && text[0] != '[') return Match::No;
  const std::string_view rest = first_text(text.substr(1));
  const bool is_array = text[0] == '[';
  if (!rest.empty() && !(is_array ? can_start_value(rest[0]) : can_start_key(rest[0])))
    return Match::No;
  const auto has = [text](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  if (has("\"traceEvents\"") || has("\"ph\"")) return Match::Likely;
  return Match::Maybe;
}

Match sniff(const Peek& peek) {
  return is_utf16(peek.head) ? sniff_utf8(from_utf16(peek.head)) : sniff_utf8(peek.head);
}

Result<> read(Input& input, const ReadOptions& options, Chunks& chunks) {
  return read_file(input, options, chunks, kUsualBlockBytes);
}

}  // namespace

Result<> read_file(Input& input, const ReadOptions& options, Chunks& chunks, size_t block_bytes) {
  FileContent content;
  const auto read_all = [&](Input& utf8) {
    ByteStream stream(utf8, block_bytes);
    read_documents(stream, options, chunks, content);
  };
  if (is_utf16(input.peek(2))) {
    const auto text = std::make_shared<std::string>(from_utf16(input.all().bytes));
    Input as_utf8(*text, text);
    read_all(as_utf8);
  } else {
    read_all(input);
  }
  EventSink& sink = chunks.add();
  sink.batch().tie_rule = TieRule::TraceEventFormat;
  const uint32_t clock = own_clock(sink);  // clock of the facts, too
  ArgReader args(sink, options.max_json_depth, 0);
  content.facts.write(sink, args);
  content.facts.write_stacks(sink, clock);
  write_metadata_rows(content, sink);
  for (const std::string& notes : content.annotations) write_annotations(notes, sink);
  for (const StatCount& stat : content.stats) sink.tally(stat.stat, stat.value);
  for (const Occurrence& one : content.occurrences) sink.count(one.stat, one.at);
  if (const std::optional<Truncation>& cut = content.facts.truncation())
    sink.count(stats::json_truncated, cut->at, cut->text);
  if (content.facts.elements() == 0 && !content.facts.stacks().has_samples() &&
      content.embedded.empty()) {
    sink.tally(stats::trace_file_empty);
    // Any JSON object could be read, so tell the user if it shows no sign of a trace.
    if (content.members > 0 && content.members == content.unknown_members)
      sink.count(stats::json_trace_events_type, 0,
                 fmt::format("not a trace? no traceEvents, but \"{}\"",
                             content.first_unknown_member.substr(0, kShownKeyBytes)));
  }
  sink.batch().exact_ends = content.display_time_unit == "\"ns\"";
  sink.batch().embedded = std::move(content.embedded);
  sink.batch().not_imported = std::move(content.not_imported);
  if (content.gave_up)
    return fail(ErrorCode::BadInput, "more than 1000 syntax errors; the rest is not read");
  return {};
}

extern const Format kFormat;
const Format kFormat{
    .name = "json",
    .title = "Trace Event Format (JSON)",
    .about =
        "Events of Chrome, PyTorch, clang -ftime-trace, viztracer, Bazel and many other tools: "
        "an array of event objects, or an object that has one as traceEvents. Embedded traces "
        "(systemTraceEvents and others) are read as separate files.",
    .times = "the file's own, in µs; metadata clock-domain may name it.",
    .anchors =
        "Clock sync events (c, ClockSyncEvent), LINUX_CLOCK_MONOTONIC as the clock's name; "
        "baseTimeNanoseconds, beginningOfTime and dates of the recording relate to REALTIME.",
    .tables =
        "slice, counter, flow, instant, process, thread, args, samples (json_sample), memory "
        "dumps and the json_ tables.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::json
