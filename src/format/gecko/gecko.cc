// The format: profiles of the Gecko profiler (Firefox), as recorded and as
// processed by profiler.firefox.com, samply and others (spec json 11.1).
#include "format/format.h"
#include "format/gecko/thread.h"
#include "format/json_document.h"
#include "format/profile.h"

namespace tracebraid::gecko {
namespace {

constexpr uint32_t kRealtime = 1, kMonotonic = 3;
constexpr double kNsPerMs = 1e6;
constexpr int kMaxNesting = 8;  // of processes in processes

uint32_t clock_of(EventSink& sink, uint32_t domain) {
  ClockName clock;
  clock.domain = domain;
  return sink.clock(clock);
}

// When the profile started, in other clocks.
struct Start {
  std::optional<double> epoch_ms;
  std::optional<int64_t> monotonic_ns;
};

Start start_of(const JsonValue& profile) {
  const JsonValue meta = json_member(profile, "meta");
  return {json_number(json_member(meta, "startTime")),
          json_integer(json_member(meta, "startTimeAsClockMonotonicNanosecondsSinceBoot"))};
}

// How much later the process started, ns.
int64_t offset_between(const Start& first, const Start& process) {
  int64_t offset = 0;
  if (first.monotonic_ns && process.monotonic_ns &&
      !__builtin_sub_overflow(*process.monotonic_ns, *first.monotonic_ns, &offset))
    return offset;
  if (!first.epoch_ms || !process.epoch_ms) return 0;
  return ns_of(*process.epoch_ms - *first.epoch_ms, kNsPerMs).value_or(0);
}

void write_evidence(EventSink& sink, uint32_t clock, const Start& start) {
  if (start.epoch_ms)
    if (const std::optional<int64_t> epoch = ns_of(*start.epoch_ms, kNsPerMs);
        epoch && *epoch > 0) {
      Snapshot wall;
      wall.kind = SnapshotKind::WallClock;
      sink.snapshot(wall, {{clock, 0}, {clock_of(sink, kRealtime), *epoch}});
    }
  if (start.monotonic_ns)
    sink.snapshot({}, {{clock, 0}, {clock_of(sink, kMonotonic), *start.monotonic_ns}});
}

class Reader {
 public:
  Reader(EventSink& sink, const Start& start)
      : sink_(sink), first_(start), clock_(private_clock(sink)), names_(sink) {
    write_evidence(sink, clock_, start);
  }

  void read(const JsonValue& profile, int nesting);

 private:
  EventSink& sink_;
  Start first_;
  uint32_t clock_;
  Ids names_;
};

void Reader::read(const JsonValue& profile, int nesting) {
  ProfileFacts facts;
  facts.clock = clock_;
  facts.offset_ns = offset_between(first_, start_of(profile));
  facts.shared = json_member(profile, "shared");
  facts.libs = json_items(json_member(profile, "libs"));
  for (const JsonValue& category :
       json_items(json_member(json_member(profile, "meta"), "categories")))
    facts.categories.emplace_back(json_text(json_member(category, "name")).value_or(""));
  facts.product = json_text(json_member(json_member(profile, "meta"), "product")).value_or("");
  std::vector<Owner> owners;
  for (const JsonValue& thread : json_items(json_member(profile, "threads")))
    owners.push_back(read_thread(thread, facts, names_, sink_));
  for (const JsonValue& counter : json_items(json_member(profile, "counters")))
    read_counter(counter, facts, owners, names_, sink_);
  if (nesting >= kMaxNesting) return;
  for (const JsonValue& process : json_items(json_member(profile, "processes")))
    read(process, nesting + 1);
}

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  JsonDocument document;
  TB_TRY(parse_document(input, document));
  // Recordings that Firefox's developer tools saved hold the profile as a member.
  const JsonValue inner = json_member(document.root, "profile");
  const JsonValue& root = json_member(inner, "threads") ? inner : document.root;
  Reader(pieces.add(), start_of(root)).read(root, 0);
  return {};
}

// An object that starts with `meta` or `libs`, or has a member `profile` that does. Of the first,
// other formats are told apart by what a profile has in its head.
Match sniff(const Peek& peek) {
  const std::string squeezed = without_blanks(peek.head);
  const std::string_view text(squeezed);
  const std::string_view head = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
  const auto has = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  const bool is_recording = head.starts_with("{\"label\"") &&
                            (has("\"profile\":{\"libs\"") || has("\"profile\":{\"meta\""));
  if (!head.starts_with("{\"meta\"") && !head.starts_with("{\"libs\"") && !is_recording)
    return Match::No;
  return peek.head.find("\"traceEvents\"") == std::string_view::npos ? Match::Likely : Match::No;
}

}  // namespace

extern const Format kFormat;  // declared where formats are listed
const Format kFormat{
    .name = "gecko",
    .title = "Firefox (Gecko) profile",
    .about =
        "Profiles of the Gecko profiler, as recorded and as processed, alone or in recordings "
        "of Firefox's developer tools: samples with callstacks, markers, counters, several "
        "processes.",
    .times = "the file's own, from the start of the profile.",
    .anchors = "meta.startTime: REALTIME, to the ms; on Linux also a reading of MONOTONIC.",
    .tables =
        "cpu_profile_stack_sample, stack_profile_callsite and its kin, slice (tracks of type "
        "firefox_marker), counter, process, thread.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::gecko
