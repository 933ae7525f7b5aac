// The format: traces of Google Cloud Trace, one request with its calls (spec json 11.6).
#include <string>
#include <vector>

#include "base/clock_domain.h"
#include "base/iso_time.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/plain_args.h"
#include "event/system_tracks.h"
#include "format/cloud_trace/spans.h"
#include "format/common/json_args.h"
#include "format/common/json_document.h"
#include "format/common/profile.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::cloud_trace {
namespace {

constexpr int64_t kPid = 1;

// Returns an id: a text of decimal digits, or a number in files written by hand.
std::string id_of(const JsonValue& value) {
  if (const auto text = json_text(value)) return std::string(*text);
  const std::optional<int64_t> number = json_integer(value);
  return number ? std::to_string(*number) : std::string();
}

class Reader {
 public:
  Reader(EventSink& sink, const JsonValue& root) : sink_(sink), tracks_(sink), root_(root) {
    ClockName clock;
    clock.domain = domain::kRealtime;
    clock.by_default = true;
    clock_ = sink.clock(clock);
  }

  void read() {
    name_process(sink_, sink_.process({.pid = kPid}), id_of(json_member(root_, "traceId")));
    for (const JsonValue& span : json_items(json_member(root_, "spans"))) take(span);
    for (const size_t i : arrange(spans_)) write(spans_[i], values_[i]);
  }

 private:
  void take(const JsonValue& value) {
    const auto begin = parse_iso_time(json_text(json_member(value, "startTime")).value_or(""));
    const auto end = parse_iso_time(json_text(json_member(value, "endTime")).value_or(""));
    int64_t length = 0;
    if (!begin || !end || *end < *begin || __builtin_sub_overflow(*end, *begin, &length)) {
      sink_.tally(stats::json_parser_failure);
      return sink_.tally(stats::json_record_invalid);
    }
    spans_.push_back({.id = id_of(json_member(value, "spanId")),
                      .parent_id = id_of(json_member(value, "parentSpanId")),
                      .begin = *begin,
                      .end = *end});
    values_.push_back(value);
  }

  // One thread per tree; calls that overlap others are on separate tracks.
  uint32_t track_of(const Span& span, std::string_view name) {
    const uint32_t thread = sink_.thread({.tid = int64_t{span.tree} + 1, .pid = kPid});
    if (span.parent == kNoSpan) name_thread(sink_, thread, name);
    TrackName track;
    track.scope = TrackScope::Thread;
    track.owner = thread;
    track.type = sink_.string(span.lane == 0 ? "thread_execution" : "thread_overlapping_slice");
    if (span.lane == 0) return tracks_.track(track);
    return tracks_.track(track, {{"track_compressor_idx", int64_t{span.lane}}});
  }

  void write(const Span& span, const JsonValue& value) {
    const std::string_view name = json_text(json_member(value, "name")).value_or("");
    const uint32_t track = track_of(span, name);
    EventParts parts{.name = sink_.string(name)};
    if (const auto kind = json_text(json_member(value, "kind")))
      parts.category = sink_.string(*kind);
    sink_.open_args();
    add_json_args(sink_, "args", json_member(value, "labels"));
    if (!span.id.empty()) add_text("span_id", span.id, sink_);
    if (!span.parent_id.empty()) add_text("parent_span_id", span.parent_id, sink_);
    parts.args = sink_.close_args();
    sink_.event(make_slice({span.begin, clock_}, track, span.end - span.begin, parts));
  }

  EventSink& sink_;
  SystemTracks tracks_;
  const JsonValue& root_;
  uint32_t clock_ = 0;
  std::vector<Span> spans_;
  std::vector<JsonValue> values_;  // of the spans
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  JsonDocument document;
  TB_TRY(parse_document(input, document));
  Reader(chunks.add(), document.root).read();
  return {};
}

Match sniff(const Peek& peek) {
  const std::string squeezed = without_blanks(peek.head);
  const bool is_one = squeezed.starts_with("{\"projectId\":\"") &&
                      squeezed.find("\"spans\":[") != std::string::npos;
  return is_one ? Match::Sure : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "cloud_trace",
    .title = "Google Cloud Trace JSON",
    .about =
        "Requests with their calls, as Google Cloud Trace exports them: one process named after "
        "the trace, one thread for each root span, child spans as slices on it (concurrent ones "
        "on separate tracks), labels as args.",
    .times = "REALTIME.",
    .tables = "slice, args, process, thread.",
    .clock = {.domain = domain::kRealtime, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::cloud_trace
