// Track events: spec proto 2.1 to 2.3.
#include <algorithm>

#include "base/clock_domain.h"
#include "generate/proto_trace.h"

namespace tracebraid::generate {
namespace {

constexpr uint32_t kFirstSequence = 10;
constexpr uint32_t kIncremental = domain::kFirstOfSequence;
constexpr uint32_t kStateCleared = 1, kNeedsState = 2;  // sequence_flags
enum EventType : int32_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounterValue = 4 };

// Track uuids, distinct for processes, threads and counters.
uint64_t process_track(size_t process) { return 1'000'000 + process; }
uint64_t thread_track(size_t thread) { return 2'000'000 + thread; }
uint64_t counter_track(size_t process, size_t counter) {
  return 3'000'000 + process * 1000 + counter;
}

// Returns the iid of `text`; writes a new one to field `field` of the interned data of `packet`.
uint64_t intern_one(std::unordered_map<std::string_view, uint64_t>& known, std::string_view text,
                    uint32_t field, protozero::pbf_writer& interned) {
  auto [at, is_new] = known.try_emplace(text, known.size() + 1);
  if (is_new) {
    protozero::pbf_writer entry(interned, field);
    entry.add_uint64(1, at->second);
    entry.add_string(2, text.data(), text.size());
  }
  return at->second;
}

void add_annotation(const WorkloadArg& arg, uint64_t key, protozero::pbf_writer& event) {
  protozero::pbf_writer annotation(event, 4);
  annotation.add_uint64(1, key);
  if (arg.text.empty())
    annotation.add_int64(4, arg.number);
  else
    annotation.add_string(6, arg.text.data(), arg.text.size());
}

void add_flows(const WorkloadEvent& h, protozero::pbf_writer& event) {
  if (h.flow_out != 0) event.add_fixed64(47, h.flow_out);
  if (h.flow_in != 0) event.add_fixed64(48, h.flow_in);  // terminating
}

}  // namespace

TrackEventWriter::TrackEventWriter(const Workload& workload, int64_t clear_ns)
    : workload_(workload), clear_ns_(clear_ns), sequences_(workload.threads().size()) {}

void TrackEventWriter::describe_process(size_t process, Packet packet) const {
  protozero::pbf_writer track(packet, 60);
  track.add_uint64(1, process_track(process));
  protozero::pbf_writer about(track, 3);
  about.add_int32(1, static_cast<int32_t>(workload_.processes()[process].pid));
  about.add_string(6, workload_.processes()[process].name);
}

void TrackEventWriter::describe_thread(size_t index, Packet packet) const {
  const Thread& thread = workload_.threads()[index];
  protozero::pbf_writer track(packet, 60);
  track.add_uint64(1, thread_track(index));
  track.add_uint64(5, process_track(thread.process));
  protozero::pbf_writer about(track, 4);
  about.add_int32(1, static_cast<int32_t>(workload_.processes()[thread.process].pid));
  about.add_int32(2, static_cast<int32_t>(thread.tid));
  about.add_string(5, thread.name);
}

void TrackEventWriter::descriptors(int64_t ts, std::string& out) const {
  for (size_t p = 0; p < workload_.processes().size(); ++p) {
    describe_process(p, {out, kFirstSequence, ts});
    for (size_t c = 0; c < workload_.words().counters.size(); ++c) {
      Packet packet(out, kFirstSequence, ts);
      protozero::pbf_writer track(packet, 60);
      std::string_view name = workload_.words().counters[c];
      track.add_uint64(1, counter_track(p, c));
      track.add_string(2, name.data(), name.size());
      track.add_uint64(5, process_track(p));
      track.add_message(8, std::string());  // protozero would omit an empty message
    }
  }
  for (size_t t = 0; t < workload_.threads().size(); ++t)
    describe_thread(t, {out, kFirstSequence, ts});
}

// Writes the first packet of a sequence: its defaults, and a snapshot that sets its clock from
// BOOTTIME.
void TrackEventWriter::open(const WorkloadEvent& h, Sequence& sequence, uint32_t id,
                            std::string& out) const {
  Packet packet(out, id);
  packet->add_uint32(13, kStateCleared | kNeedsState);
  {
    protozero::pbf_writer defaults(packet, 59);
    defaults.add_uint32(58, kIncremental);
    protozero::pbf_writer event_defaults(defaults, 11);
    event_defaults.add_uint64(11, thread_track(h.thread));
  }
  protozero::pbf_writer snapshot(packet, 6);
  for (uint32_t clock : {domain::kBoottime, kIncremental}) {
    protozero::pbf_writer reading(snapshot, 1);
    reading.add_uint32(1, clock);
    reading.add_uint64(2, static_cast<uint64_t>(h.ts));
    if (clock == kIncremental) reading.add_bool(3, true);
  }
  sequence.last_ts = h.ts;
}

void TrackEventWriter::intern(const WorkloadEvent& h, Sequence& sequence,
                              protozero::pbf_writer& packet) const {
  bool all_known = sequence.categories.contains(h.category) && sequence.names.contains(h.name);
  for (uint32_t i = 0; i < h.arg_count; ++i)
    all_known = all_known && sequence.keys.contains(h.args[i].key);
  if (all_known) return;
  protozero::pbf_writer interned(packet, 12);
  intern_one(sequence.categories, h.category, 1, interned);
  intern_one(sequence.names, h.name, 2, interned);
  for (uint32_t i = 0; i < h.arg_count; ++i) intern_one(sequence.keys, h.args[i].key, 3, interned);
}

void TrackEventWriter::write(const WorkloadEvent& h, std::string& out) {
  if (h.what == What::Switch || h.what == What::Waking) return;
  Sequence& sequence = sequences_[h.thread];
  uint32_t id = kFirstSequence + 1 + h.thread;
  if (sequence.last_ts < 0 || (clear_ns_ > 0 && h.ts >= sequence.clear_at)) {
    sequence = {.clear_at = h.ts + clear_ns_};
    open(h, sequence, id, out);
    if (clear_ns_ > 0) {
      describe_thread(h.thread, {out, id, 0});
      describe_process(workload_.threads()[h.thread].process, {out, id, 0});
    }
  }

  Packet packet(out, id);
  packet->add_uint32(13, kNeedsState);
  packet->add_uint64(8, static_cast<uint64_t>(h.ts - sequence.last_ts));
  sequence.last_ts = h.ts;
  if (h.what == What::Begin || h.what == What::Instant) intern(h, sequence, packet);

  protozero::pbf_writer event(packet, 11);
  switch (h.what) {
    case What::Counter: {
      auto counters = workload_.words().counters;
      auto at = std::find(counters.begin(), counters.end(), h.name);
      event.add_enum(9, kCounterValue);
      event.add_uint64(11, counter_track(h.process, static_cast<size_t>(at - counters.begin())));
      event.add_int64(30, h.value);
      return;
    }
    case What::End:
      return event.add_enum(9, kSliceEnd);
    default:
      break;
  }
  event.add_enum(9, h.what == What::Begin ? kSliceBegin : kInstant);
  event.add_uint64(3, sequence.categories[h.category]);
  event.add_uint64(10, sequence.names[h.name]);
  for (uint32_t i = 0; i < h.arg_count; ++i)
    add_annotation(h.args[i], sequence.keys[h.args[i].key], event);
  add_flows(h, event);
}

}  // namespace tracebraid::generate
