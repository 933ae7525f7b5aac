// The format: speedscope's JSON (https://www.speedscope.app/file-format-schema.json).
//
// `sampled` profiles are callstacks with weights, one after the other; `evented`
// ones say when frames open and close, which are slices.
#include <fmt/format.h>

#include "format/format.h"
#include "format/json_document.h"
#include "format/profile.h"

namespace tracebraid::speedscope {
namespace {

// ns a unit; 1 for units that are no time: samples then count up.
double unit_ns(std::string_view unit) {
  if (unit == "seconds") return 1e9;
  if (unit == "milliseconds") return 1e6;
  if (unit == "microseconds") return 1e3;
  return 1;
}

class Reader {
 public:
  Reader(EventSink& sink, const JsonValue& root) : sink_(sink), clock_(private_clock(sink)) {
    const std::string_view name = json_text(json_member(root, "name")).value_or("");
    name_process(sink, sink.process({.pid = 1}), name);
    for (const JsonValue& frame : json_items(json_member(json_member(root, "shared"), "frames")))
      frames_.push_back(frame_of(frame));
  }

  // `number` is its place in the file, from 0.
  void profile(const JsonValue& profile, int64_t number);

 private:
  uint32_t frame_of(const JsonValue& frame);
  void read_sampled(const JsonValue& profile, double unit, uint32_t thread);
  void read_evented(const JsonValue& profile, double unit, uint32_t thread);
  std::optional<size_t> frame_index(const JsonValue& value) const;

  EventSink& sink_;
  uint32_t clock_;
  std::vector<uint32_t> frames_;
};

uint32_t Reader::frame_of(const JsonValue& value) {
  StackFrame frame;
  frame.name = sink_.string(json_text(json_member(value, "name")).value_or(""));
  const std::string_view file = json_text(json_member(value, "file")).value_or("");
  frame.mapping = sink_.mapping({.name = sink_.string(file)});
  if (!file.empty()) {
    frame.has_symbol = true;
    frame.source_file = sink_.string(file);
    frame.line = json_integer(json_member(value, "line")).value_or(kNoLine);
  }
  return sink_.frame(frame);
}

std::optional<size_t> Reader::frame_index(const JsonValue& value) const {
  const std::optional<int64_t> index = json_integer(value);
  if (!index || *index < 0 || static_cast<size_t>(*index) >= frames_.size()) return std::nullopt;
  return static_cast<size_t>(*index);
}

void Reader::profile(const JsonValue& profile, int64_t number) {
  const uint32_t thread = sink_.thread({.tid = number + 1, .pid = 1});
  name_thread(sink_, thread, json_text(json_member(profile, "name")).value_or(""));
  const double unit = unit_ns(json_text(json_member(profile, "unit")).value_or("none"));
  const std::string_view type = json_text(json_member(profile, "type")).value_or("");
  if (type == "sampled") return read_sampled(profile, unit, thread);
  if (type == "evented") return read_evented(profile, unit, thread);
  sink_.count(Stat::speedscope_bad_record, kNoOffset, type);
}

void Reader::read_sampled(const JsonValue& profile, double unit, uint32_t thread) {
  const std::vector<JsonValue> stacks = json_items(json_member(profile, "samples"));
  std::vector<JsonValue> weights = json_items(json_member(profile, "weights"));
  if (weights.size() != stacks.size()) sink_.tally(Stat::speedscope_bad_record);
  weights.resize(stacks.size());
  double at = json_number(json_member(profile, "startValue")).value_or(0);
  for (size_t i = 0; i < stacks.size(); ++i) {
    ProfileSample sample;
    sample.clock = clock_;
    sample.thread = thread;
    sample.source = "speedscope";
    sample.weight = json_number(weights[i]).value_or(1);
    for (const JsonValue& frame : json_items(stacks[i]))
      if (const std::optional<size_t> index = frame_index(frame))
        sample.extra.callsite = sink_.callsite(sample.extra.callsite, frames_[*index]);
      else
        sink_.tally(Stat::speedscope_bad_record);
    const std::optional<int64_t> ts = ns_of(at, unit);
    at += sample.weight;
    if (!ts) {
      sink_.tally(Stat::timestamp_out_of_range);
      continue;
    }
    sample.ts = *ts;
    write_sample(sink_, sample);
  }
}

void Reader::read_evented(const JsonValue& profile, double unit, uint32_t thread) {
  TrackName track;
  track.scope = TrackScope::Thread;
  track.owner = thread;
  track.type = sink_.string("thread_execution");
  const uint32_t index = sink_.track(track);
  for (const JsonValue& value : json_items(json_member(profile, "events"))) {
    const std::string_view type = json_text(json_member(value, "type")).value_or("");
    const std::optional<double> at = json_number(json_member(value, "at"));
    const std::optional<int64_t> ts = at ? ns_of(*at, unit) : std::nullopt;
    const std::optional<size_t> frame = frame_index(json_member(value, "frame"));
    if (!ts || !frame || (type != "O" && type != "C")) {
      sink_.tally(Stat::speedscope_bad_record);
      continue;
    }
    const EventKind kind = type == "O" ? EventKind::SliceBegin : EventKind::SliceEnd;
    sink_.event(
        plain_event(kind, index, sink_.batch().stacks.frames[frames_[*frame]].name, *ts, clock_));
  }
}

Result<> read(Input& input, const ReadOptions&, Pieces& pieces) {
  JsonDocument document;
  TB_TRY(parse_document(input, document));
  Reader reader(pieces.add(), document.root);
  int64_t number = 0;
  for (const JsonValue& profile : json_items(json_member(document.root, "profiles")))
    reader.profile(profile, number++);
  return {};
}

Match sniff(const Peek& peek) {
  const size_t first = peek.head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || peek.head[first] != '{') return Match::No;
  // The schema may stand at the end of the file.
  const auto has = [&](std::string_view part) {
    return peek.head.find(part) != std::string_view::npos;
  };
  if (has("www.speedscope.app/file-format-schema.json")) return Match::Sure;
  const bool is_exported = has("\"exporter\"") && has("speedscope@");
  return is_exported ? Match::Sure : Match::No;
}

}  // namespace

extern const Format kFormat;  // declared where formats are listed
const Format kFormat{
    .name = "speedscope",
    .title = "speedscope JSON",
    .about =
        "Profiles in the format of speedscope: sampled ones as callstacks, evented ones as "
        "slices; each profile is a thread.",
    .times = "the file's own; where the unit is no time, a unit counts as 1 ns.",
    .tables = "cpu_profile_stack_sample, stack_profile_callsite and its kin, slice.",
    .clock = {.domain = kPrivateClock, .claims_trace_time = true, .is_default = true},
    .sniff = sniff,
    .read = read,
};

}  // namespace tracebraid::speedscope
