// The format: speedscope's JSON (https://www.speedscope.app/file-format-schema.json).
//
// `sampled` profiles are callstacks with weights, one after the other; `evented` profiles have
// events that open and close frames, which become slices.
#include <string>
#include <utility>
#include <vector>

#include "event/event_kind.h"
#include "event/make_event.h"
#include "event/stats.h"
#include "format/common/json_document.h"
#include "format/common/json_scan.h"
#include "format/common/profile.h"
#include "format/format.h"
#include "format/speedscope/stats.h"

namespace tracebraid::speedscope {
namespace {

// Returns ns per unit; 1 for units that are no time: samples are then numbered.
double unit_ns(std::string_view unit) {
  if (unit == "seconds") return 1e9;
  if (unit == "milliseconds") return 1e6;
  if (unit == "microseconds") return 1e3;
  return 1;
}

struct Frame {
  std::string name, file;
  int64_t line = kNoLine;
};

// Data that the profiles of a file share.
struct Shared {
  const Input& input;
  const Block& file;
  std::vector<Frame> frames;
};

std::vector<Frame> read_frames(const JsonFields& root, const Input& input) {
  std::vector<Frame> frames;
  const JsonFields shared(root["shared"]);
  JsonScan scan(shared["frames"].raw, &input);
  if (!scan.enter('[')) return frames;
  while (scan.next_item()) {
    const JsonFields fields(scan.take());
    frames.push_back({.name = scanned_text(fields["name"]),
                      .file = scanned_text(fields["file"]),
                      .line = scanned_integer(fields["line"]).value_or(kNoLine)});
  }
  return frames;
}

// Reads the profiles of one chunk.
class Reader {
 public:
  Reader(EventSink& sink, const Shared& shared)
      : sink_(sink),
        shared_(shared),
        clock_(private_clock(sink)),
        frames_(shared.frames.size(), kNone) {}

  // `number` is its index in the file.
  void profile(const JsonFields& profile, int64_t number);

 private:
  uint32_t frame_at(size_t index);
  void read_sampled(const JsonFields& profile, double unit, uint32_t thread);
  void read_evented(const JsonFields& profile, double unit, uint32_t thread);
  uint32_t read_stack(JsonScan& scan);
  void read_event(JsonScan& scan, double unit, uint32_t track);
  std::optional<size_t> frame_index(const json::Value& value) const;
  void bad(const char* at) { count_json(sink_, stats::speedscope_bad_record, shared_.file, at); }

  EventSink& sink_;
  const Shared& shared_;
  uint32_t clock_;
  std::vector<uint32_t> frames_;  // by index in the file; none until used
};

uint32_t Reader::frame_at(size_t index) {
  if (frames_[index] != kNone) return frames_[index];
  const Frame& from = shared_.frames[index];
  StackFrame frame;
  frame.name = sink_.string(from.name);
  frame.mapping = sink_.mapping({.name = sink_.string(from.file)});
  if (!from.file.empty()) {
    frame.has_symbol = true;
    frame.source_file = sink_.string(from.file);
    frame.line = from.line;
  }
  return frames_[index] = sink_.frame(frame);
}

std::optional<size_t> Reader::frame_index(const json::Value& value) const {
  const std::optional<int64_t> index = scanned_integer(value);
  if (!index || *index < 0 || static_cast<size_t>(*index) >= frames_.size()) return std::nullopt;
  return static_cast<size_t>(*index);
}

void Reader::profile(const JsonFields& profile, int64_t number) {
  const uint32_t thread = sink_.thread({.tid = number + 1, .pid = 1});
  name_thread(sink_, thread, scanned_text(profile["name"]));
  const double unit = unit_ns(scanned_text(profile["unit"]));
  const std::string type = scanned_text(profile["type"]);
  if (type == "sampled") return read_sampled(profile, unit, thread);
  if (type == "evented") return read_evented(profile, unit, thread);
  bad(profile["type"].raw.data());
}

// Returns indexes of frames, root first.
uint32_t Reader::read_stack(JsonScan& scan) {
  uint32_t callsite = kNone;
  if (!scan.enter('[')) return callsite;
  while (scan.next_item()) {
    const json::Value& frame = scan.take();
    if (const std::optional<size_t> index = frame_index(frame))
      callsite = sink_.callsite(callsite, frame_at(*index));
    else
      bad(frame.raw.data());
  }
  return callsite;
}

void Reader::read_sampled(const JsonFields& profile, double unit, uint32_t thread) {
  JsonScan stacks(profile["samples"].raw, &shared_.input), weights(profile["weights"].raw);
  bool has_weight = weights.enter('[') && weights.next_item();
  bool lengths_differ = false;
  double at = scanned_number(profile["startValue"]).value_or(0);
  SampleWriter writer(sink_, "speedscope", clock_, thread);
  for (bool more = stacks.enter('[') && stacks.next_item(); more; more = stacks.next_item()) {
    const uint32_t callsite = read_stack(stacks);
    lengths_differ |= !has_weight;
    const double weight = has_weight ? scanned_number(weights.take()).value_or(1) : 1;
    has_weight = has_weight && weights.next_item();
    const std::optional<int64_t> ts = ns_of(at, unit);
    at += weight;
    if (ts)
      writer.write(*ts, callsite, weight);
    else
      count_json(sink_, stats::timestamp_out_of_range, shared_.file, stacks.position());
  }
  if (lengths_differ || has_weight) bad(profile["weights"].raw.data());
}

void Reader::read_evented(const JsonFields& profile, double unit, uint32_t thread) {
  TrackName track;
  track.scope = TrackScope::Thread;
  track.owner = thread;
  track.type = sink_.string("thread_execution");
  const uint32_t index = sink_.track(track);
  JsonScan scan(profile["events"].raw, &shared_.input);
  if (scan.enter('['))
    while (scan.next_item()) read_event(scan, unit, index);
}

void Reader::read_event(JsonScan& scan, double unit, uint32_t track) {
  const char* const from = scan.position();
  std::optional<double> at;
  std::optional<size_t> frame;
  char type = 0;  // 'O' opens or 'C' closes the frame
  std::string_view key;
  if (scan.enter('{'))
    while (scan.next_member(key)) {
      const json::Value& value = scan.take();
      if (key == "type")
        type = value.has(json::Kind::String) && value.raw.size() == 1 ? value.raw.front() : '\0';
      else if (key == "at")
        at = scanned_number(value);
      else if (key == "frame")
        frame = frame_index(value);
    }
  const std::optional<int64_t> ts = at ? ns_of(*at, unit) : std::nullopt;
  if (!ts || !frame || (type != 'O' && type != 'C')) return bad(from);
  const EventParts parts{.name = sink_.batch().stacks.frames[frame_at(*frame)].name};
  const EventTime time{*ts, clock_};
  sink_.event(type == 'O' ? make_slice_begin(time, track, parts)
                          : make_slice_end(time, track, parts));
}

// Reads large profiles in parallel, and small ones several per chunk.
Result<> read(Input& input, const ReadOptions&, Chunks& chunks) {
  constexpr size_t kChunkBytes = size_t{1} << 20;
  TB_TRY_ASSIGN(const JsonFile file, open_json(input));
  EventSink& sink = chunks.add();
  private_clock(sink);  // clock of the event that names the process
  if (file.root.is_cut()) sink.count(stats::trace_truncated, input.offset());
  name_process(sink, sink.process({.pid = 1}), scanned_text(file.root["name"]));
  const Shared shared{input, file.block, read_frames(file.root, input)};
  std::vector<json::Value> profiles;  // of the next chunk
  int64_t number = 0;
  size_t bytes = 0;
  const auto run = [&] {
    const int64_t first = number - static_cast<int64_t>(profiles.size());
    chunks.run([&shared, first, profiles = std::exchange(profiles, {})](EventSink& into) {
      Reader reader(into, shared);
      int64_t at = first;
      for (const json::Value& profile : profiles) reader.profile(JsonFields(profile), at++);
    });
    bytes = 0;
  };
  JsonScan scan(file.root["profiles"].raw);
  if (scan.enter('['))
    while (scan.next_item()) {
      profiles.push_back(scan.take());
      ++number;
      if ((bytes += profiles.back().raw.size()) >= kChunkBytes) run();
    }
  if (!profiles.empty()) run();
  chunks.wait();
  return {};
}

Match sniff(const Peek& peek) {
  const size_t first = peek.head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || peek.head[first] != '{') return Match::No;
  // The schema may be at the end of the file.
  const auto has = [&](std::string_view part) {
    return peek.head.find(part) != std::string_view::npos;
  };
  if (has("www.speedscope.app/file-format-schema.json")) return Match::Sure;
  if (has("\"exporter\"") && has("speedscope@")) return Match::Sure;
  // Members that no other format has.
  const std::string squeezed = without_blanks(peek.head);
  const auto has_part = [&](std::string_view part) {
    return squeezed.find(part) != std::string::npos;
  };
  if (has_part("\"traceEvents\"")) return Match::No;
  const bool has_profiles = has_part("\"profiles\":[{") &&
                            (has_part("\"type\":\"sampled\"") || has_part("\"type\":\"evented\""));
  return has_profiles || has_part("\"shared\":{\"frames\":[{") ? Match::Likely : Match::No;
}

}  // namespace

extern const Format kFormat;  // format.cc declares it, too
const Format kFormat{
    .name = "speedscope",
    .title = "speedscope JSON",
    .about =
        "Profiles in the format of speedscope: sampled profiles become callstacks, evented "
        "profiles slices; each profile is a thread.",
    .times = "the file's own; if the unit is not a time, one unit is 1 ns.",
    .tables = "cpu_profile_stack_sample, the stack_profile tables, slice.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::speedscope
