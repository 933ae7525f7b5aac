// The format: events of Fuchsia's scheduler, contained in trace files of Chrome as the member
// systemTraceEvents (spec json 11.6).
#include <cmath>
#include <string>

#include "event/emit.h"
#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/sink.h"
#include "event/stats.h"
#include "format/common/json_document.h"
#include "format/common/profile.h"
#include "format/common/stats.h"
#include "format/format.h"

namespace tracebraid::fuchsia_json {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr int64_t kMaxCpu = int64_t{1} << 20;

// Returns the state of a thread that leaves a CPU; none for an unknown number.
std::string_view letter_of(int64_t state) {
  switch (state) {
    case 0:  // new
    case 1:  // running
      return "R";
    case 2:
      return "T";
    case 3:
      return "S";
    case 5:
      return "X";
    default:
      return {};
  }
}

class Reader {
 public:
  explicit Reader(EventSink& sink) : sink_(sink), clock_(private_clock(sink)) {
    sink.batch().clock_domains.push_back(
        {.clock = clock_, .name = sink.string("FUCHSIA_ZX_CLOCK_MONOTONIC")});
  }

  void event(const JsonValue& value) {
    const std::string_view phase = json_text(json_member(value, "ph")).value_or("");
    bool is_read = false;
    if (phase == "p") is_read = name_of_process(value);
    if (phase == "t") is_read = name_of_thread(value);
    if (phase == "k") is_read = context_switch(value);
    if (phase == "w") is_read = waking(value);
    if (!is_read) sink_.count(stats::fuchsia_invalid_event, kNoOffset, minified(value));
  }

 private:
  static std::string minified(const JsonValue& value) {
    return value ? simdjson::minify(*value) : std::string();
  }

  bool name_of_process(const JsonValue& value) {
    const std::optional<int64_t> pid = json_integer(json_member(value, "pid"));
    if (!pid) return false;
    const uint32_t process = sink_.process({.pid = *pid});
    sink_.untimed(make_process_seen({}, process));
    name_process(sink_, process, json_text(json_member(value, "name")).value_or(""));
    return true;
  }

  // Returns a thread, and records its process.
  std::optional<uint32_t> thread_of(const JsonValue& value) {
    const std::optional<int64_t> tid = json_integer(json_member(value, "tid"));
    if (!tid) return std::nullopt;
    const auto pid = json_integer(json_member(value, "pid"));
    return sink_.thread({.tid = *tid, .pid = pid.value_or(kNoId)});
  }

  bool name_of_thread(const JsonValue& value) {
    const std::optional<uint32_t> thread = thread_of(value);
    if (!thread) return false;
    sink_.untimed(make_thread_seen({}, *thread));
    name_thread(sink_, *thread, json_text(json_member(value, "name")).value_or(""));
    return true;
  }

  // Threads of process 0 are idle threads.
  std::optional<int64_t> running(const JsonValue& value, const EventTime& time) {
    const std::optional<int64_t> tid = json_integer(json_member(value, "tid"));
    const std::optional<int64_t> pid = json_integer(json_member(value, "pid"));
    if (!tid || pid == 0) return tid ? std::optional<int64_t>(0) : std::nullopt;
    if (pid) sink_.event(make_thread_seen(time, *thread_of(value)));
    return tid;
  }

  bool time_and_cpu(const JsonValue& value, EventTime& time, uint32_t& cpu) const {
    const std::optional<double> ts = json_number(json_member(value, "ts"));
    const std::optional<int64_t> ns = ts ? ns_of(*ts, kNsPerUs) : std::nullopt;
    const std::optional<int64_t> number = json_integer(json_member(value, "cpu"));
    if (!ns || !number || *number < 0 || *number > kMaxCpu) return false;
    time = {.ticks = *ns, .clock = clock_};
    cpu = static_cast<uint32_t>(*number);
    return true;
  }

  static int32_t priority(const JsonValue& value) {
    return static_cast<int32_t>(std::clamp<int64_t>(
        json_integer(json_member(value, "prio")).value_or(0), INT32_MIN, INT32_MAX));
  }

  bool context_switch(const JsonValue& value) {
    const JsonValue out = json_member(value, "out"), in = json_member(value, "in");
    EventTime time;
    uint32_t cpu = 0;
    if (!time_and_cpu(value, time, cpu)) return false;
    const std::optional<int64_t> prev = running(out, time), next = running(in, time);
    if (!prev || !next) return false;
    const int64_t state = json_integer(json_member(out, "state")).value_or(0);
    const std::string_view letter = letter_of(state);
    if (letter.empty()) sink_.tally(stats::task_state_invalid);
    SwitchExtra extra;
    extra.prev_tid = *prev;
    extra.next_tid = *next;
    extra.prev_prio = priority(out);
    extra.next_prio = priority(in);
    extra.prev_state_text = sink_.string(letter.empty() ? std::to_string(state) : letter);
    emit_switch(sink_, time, cpu, *prev, extra);
    return true;
  }

  bool waking(const JsonValue& value) {
    EventTime time;
    uint32_t cpu = 0;
    const bool is_timed = time_and_cpu(value, time, cpu);
    const std::optional<int64_t> woken = is_timed ? running(value, time) : std::nullopt;
    if (!woken) return false;
    WakingExtra extra;
    extra.waker_tid = kNoId;
    extra.target_cpu = static_cast<int32_t>(cpu);
    emit_waking(sink_, time, cpu, *woken, {}, extra);
    return true;
  }

  EventSink& sink_;
  uint32_t clock_;
};

Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  JsonDocument document;
  TB_TRY(parse_document(input, document));
  Reader reader(chunks.add());
  for (const JsonValue& event : json_items(json_member(document.root, "events")))
    reader.event(event);
  return {};
}

Match sniff(const Peek& peek) {
  const std::string squeezed = without_blanks(peek.head);
  const bool is_one = squeezed.starts_with("{\"type\":\"fuchsia\"") ||
                      (squeezed.starts_with("{\"events\":[") &&
                       squeezed.find("\"type\":\"fuchsia\"") != std::string::npos);
  return is_one ? Match::Sure : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "fuchsia_json",
    .title = "Fuchsia system trace (JSON)",
    .about =
        "Context switches, wakeups and names of processes and threads, contained in traces of "
        "Chrome on Fuchsia as systemTraceEvents.",
    .times = "the file's own, the same as of the containing trace.",
    .anchors =
        "Its clock is named FUCHSIA_ZX_CLOCK_MONOTONIC; other traces of the machine may name the "
        "same clock.",
    .tables = "sched, thread_state, process, thread.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::fuchsia_json
