// The format: profiles of the Gecko profiler (Firefox), as recorded and as
// processed by profiler.firefox.com, samply and others (spec json 11.1).
#include "base/clock_domain.h"
#include "base/words.h"
#include "event/stats.h"
#include "format/common/json_document.h"
#include "format/common/json_scan.h"
#include "format/common/profile.h"
#include "format/format.h"
#include "format/gecko/thread.h"

namespace tracebraid::gecko {
namespace {

constexpr double kNsPerMs = 1e6;
constexpr int kMaxNesting = 8;  // of processes within processes

uint32_t clock_of(EventSink& sink, uint32_t domain) {
  ClockName clock;
  clock.domain = domain;
  return sink.clock(clock);
}

// The start of the profile in other clocks.
struct Start {
  std::optional<double> epoch_ms;
  std::optional<int64_t> monotonic_ns;
};

Start start_of(const JsonFields& profile) {
  const JsonFields meta(profile["meta"]);
  return {scanned_number(meta["startTime"]),
          scanned_integer(meta["startTimeAsClockMonotonicNanosecondsSinceBoot"])};
}

// Returns how much later the process started, ns.
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
      sink.snapshot(wall, {{clock, 0}, {clock_of(sink, domain::kRealtime), *epoch}});
    }
  if (start.monotonic_ns)
    sink.snapshot({}, {{clock, 0}, {clock_of(sink, domain::kMonotonic), *start.monotonic_ns}});
}

// Each thread is a chunk, read on any thread.
class Reader {
 public:
  Reader(Chunks& chunks, const Block& file, const Input& input, const Start& start)
      : chunks_(chunks), file_(file), input_(input), first_(start) {}

  void read(const JsonFields& profile, int nesting);

 private:
  Chunks& chunks_;
  const Block& file_;
  const Input& input_;
  Start first_;
  Ids ids_;
};

void Reader::read(const JsonFields& profile, int nesting) {
  ProfileFacts facts;
  facts.input = &input_;
  facts.file = &file_;
  facts.offset_ns = offset_between(first_, start_of(profile));
  facts.shared = JsonFields(profile["shared"]);
  facts.libs = names_in(profile["libs"]);
  facts.categories = names_in(JsonFields(profile["meta"])["categories"]);
  std::vector<Owner> owners;
  JsonScan threads(profile["threads"].raw);
  if (threads.enter('['))
    while (threads.next_item()) {
      const std::string_view text = threads.take().raw;
      const JsonFields thread(text);
      owners.push_back(owner_of(thread, ids_));
      chunks_.run([&facts, owner = owners.back(), thread, text](EventSink& sink) {
        private_clock(sink);
        read_thread(thread, owner, facts, sink);
        // The readers of its tables have counted the progress.
        facts.input->done({.bytes = text, .again = text.size()});
      });
    }
  JsonScan counters(profile["counters"].raw);
  if (counters.enter('[')) {
    EventSink& sink = chunks_.add();
    private_clock(sink);
    while (counters.next_item())
      read_counter(JsonFields(counters.take()), facts, owners, ids_, sink);
  }
  chunks_.wait();
  if (nesting >= kMaxNesting) return;
  JsonScan processes(profile["processes"].raw);
  if (processes.enter('['))
    while (processes.next_item()) read(JsonFields(processes.take()), nesting + 1);
}

// A file that begins like a profile may be of the Trace Event Format (spec json 2.1).
Result<> read_as_trace_events(Input& input, const ReadOptions& options, Chunks& chunks) {
  const Format* const format = detect({.head = "{\"traceEvents\":[", .name = ""});
  if (format == nullptr || !input.rewind())
    return fail(ErrorCode::BadInput, "trace events behind the head of a profile");
  return format->read(input, options, chunks);
}

Result<> read(Input& input, const ReadOptions& options, Chunks& chunks) {
  TB_TRY_ASSIGN(const JsonFile file, open_json(input));
  if (!file.root["threads"].is_given() && file.root["traceEvents"].is_given())
    return read_as_trace_events(input, options, chunks);
  // Recordings saved by Firefox's developer tools have the profile as a member.
  const JsonFields inner(file.root["profile"]);
  const JsonFields& root = inner["threads"].is_given() ? inner : file.root;
  EventSink& sink = chunks.add();
  if (file.root.is_cut()) sink.count(stats::trace_truncated, input.offset());
  write_evidence(sink, private_clock(sink), start_of(root));
  Reader(chunks, file.block, input, start_of(root)).read(root, 0);
  return {};
}

// An object that starts with `meta` or `libs`, or has a member `profile` that does. For an object
// with `meta`, the first members of the profile must distinguish it from other formats.
Match sniff(const Peek& peek) {
  const std::string squeezed = without_blanks(peek.head);
  const std::string_view head = without_byte_order_mark(squeezed);
  const auto has = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  const bool is_recording = head.starts_with("{\"label\"") &&
                            (has("\"profile\":{\"libs\"") || has("\"profile\":{\"meta\""));
  if (!head.starts_with("{\"meta\"") && !head.starts_with("{\"libs\"") && !is_recording)
    return Match::No;
  return peek.head.find("\"traceEvents\"") == std::string_view::npos ? Match::Likely : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "gecko",
    .title = "Firefox (Gecko) profile",
    .about =
        "Profiles of the Gecko profiler, recorded or processed, alone or inside recordings of "
        "Firefox's developer tools: samples with callstacks, markers, counters, several "
        "processes.",
    .times = "the file's own, from the start of the profile.",
    .anchors = "meta.startTime: REALTIME, to the ms; on Linux also a reading of MONOTONIC.",
    .tables =
        "cpu_profile_stack_sample, the stack_profile tables, slice (tracks of type "
        "firefox_marker), counter, process, thread.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::gecko
