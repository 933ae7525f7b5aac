// Traces for the timeline: so many slices on so many tracks, in bursts and gaps, with counters and
// flows.
#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/clock_domain.h"
#include "generate/generate.h"
#include "generate/proto_trace.h"
#include "generate/random.h"

namespace tracebraid::generate {
namespace {

constexpr uint32_t kFirstSequence = 10;
constexpr uint32_t kIncremental = domain::kFirstOfSequence;
constexpr uint32_t kStateCleared = 1, kNeedsState = 2;  // sequence_flags
constexpr int32_t kSliceBegin = 1, kSliceEnd = 2, kCounterValue = 4;
constexpr uint32_t kThreadsOfProcess = 16, kNames = 200;
constexpr uint64_t kProcessTracks = 1'000'000, kThreadTracks = 2'000'000,
                   kCounterTracks = 3'000'000;

// One thread, which begins and ends nested slices, in bursts with gaps between them.
struct BusyThread {
  int64_t ts = 0, last_ts = -1;
  uint32_t depth = 0;
  uint32_t left_in_burst = 0;
  std::vector<bool> has_name;  // names that the sequence has interned
};

class TimelineWriter {
 public:
  TimelineWriter(const Order& order, Output& out)
      : order_(order), out_(out), random_(order.seed), threads_(std::max(order.tracks, 1U)) {}

  void write() {
    describe();
    using Next = std::pair<int64_t, uint32_t>;
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
      threads_[thread].ts = 1'000'000 + random_.below(1'000'000);
      next.emplace(threads_[thread].ts, thread);
    }
    while (!next.empty()) {
      const uint32_t thread = next.top().second;
      next.pop();
      if (step(thread)) next.emplace(threads_[thread].ts, thread);
      out_.flush_if_full();
    }
  }

 private:
  static uint64_t process_of(uint32_t thread) { return thread / kThreadsOfProcess; }

  void describe() {
    for (uint32_t thread = 0; thread < threads_.size(); ++thread) {
      const uint64_t process = process_of(thread);
      const auto pid = static_cast<int32_t>(1000 + process);
      if (thread % kThreadsOfProcess == 0) {
        describe_process(process, pid);
        describe_counter(process);
      }
      Packet packet(out_.buffer(), kFirstSequence, 0);
      protozero::pbf_writer track(packet, 60);
      track.add_uint64(1, kThreadTracks + thread);
      track.add_uint64(5, kProcessTracks + process);
      protozero::pbf_writer about(track, 4);
      about.add_int32(1, pid);
      about.add_int32(2, static_cast<int32_t>(100'000 + thread));
      about.add_string(5, "worker " + std::to_string(thread));
    }
  }
  void describe_process(uint64_t process, int32_t pid) {
    Packet packet(out_.buffer(), kFirstSequence, 0);
    protozero::pbf_writer track(packet, 60);
    track.add_uint64(1, kProcessTracks + process);
    protozero::pbf_writer about(track, 3);
    about.add_int32(1, pid);
    about.add_string(6, "service " + std::to_string(process));
  }
  void describe_counter(uint64_t process) {
    Packet packet(out_.buffer(), kFirstSequence, 0);
    protozero::pbf_writer track(packet, 60);
    track.add_uint64(1, kCounterTracks + process);
    track.add_string(2, "queue");
    track.add_uint64(5, kProcessTracks + process);
    track.add_message(8, std::string());  // protozero would omit an empty message
  }

  // Sets the defaults and the clock of the sequence of a thread.
  void open(uint32_t thread) {
    Packet packet(out_.buffer(), kFirstSequence + 1 + thread);
    packet->add_uint32(13, kStateCleared | kNeedsState);
    {
      protozero::pbf_writer defaults(packet, 59);
      defaults.add_uint32(58, kIncremental);
      protozero::pbf_writer event_defaults(defaults, 11);
      event_defaults.add_uint64(11, kThreadTracks + thread);
    }
    BusyThread& of = threads_[thread];
    protozero::pbf_writer snapshot(packet, 6);
    for (const uint32_t clock : {domain::kBoottime, kIncremental}) {
      protozero::pbf_writer reading(snapshot, 1);
      reading.add_uint32(1, clock);
      reading.add_uint64(2, static_cast<uint64_t>(of.ts));
      if (clock == kIncremental) reading.add_bool(3, true);
    }
    of.last_ts = of.ts;
    of.has_name.assign(kNames, false);
  }

  // Writes the next event of a thread. Returns false after the last one.
  bool step(uint32_t thread) {
    BusyThread& of = threads_[thread];
    if (of.last_ts < 0) open(thread);
    const bool is_over =
        order_.slices > 0 ? written_ >= order_.slices : out_.bytes() >= order_.bytes;
    if (is_over && of.depth == 0) return false;
    const bool begins =
        !is_over && (of.depth == 0 || (of.depth < order_.depth && !random_.one_in(2)));
    Packet packet(out_.buffer(), kFirstSequence + 1 + thread);
    packet->add_uint32(13, kNeedsState);
    packet->add_uint64(8, static_cast<uint64_t>(of.ts - of.last_ts));
    of.last_ts = of.ts;
    if (begins)
      begin(of, packet);
    else
      end(of, thread, packet);
    return true;
  }
  void begin(BusyThread& of, protozero::pbf_writer& packet) {
    const uint32_t name = std::min(random_.below(kNames), random_.below(kNames));
    if (!of.has_name[name]) {
      of.has_name[name] = true;
      protozero::pbf_writer interned(packet, 12);
      protozero::pbf_writer entry(interned, 2);
      entry.add_uint64(1, name + 1);
      entry.add_string(2, "function " + std::to_string(name));
    }
    protozero::pbf_writer event(packet, 11);
    event.add_enum(9, kSliceBegin);
    event.add_uint64(10, name + 1);
    if (flow_ != 0) event.add_fixed64(48, std::exchange(flow_, 0));  // ends on another thread
    if (random_.one_in(kFlowEvery)) event.add_fixed64(47, flow_ = ++last_flow_);
    ++of.depth;
    ++written_;
    of.ts += random_.spread(400);
  }
  void end(BusyThread& of, uint32_t thread, protozero::pbf_writer& packet) {
    protozero::pbf_writer event(packet, 11);
    if (++ended_ % kCounterEvery == 0) {
      event.add_enum(9, kCounterValue);
      event.add_uint64(11, kCounterTracks + process_of(thread));
      event.add_int64(30, random_.below(1000));
      of.ts += 1;
      return;
    }
    event.add_enum(9, kSliceEnd);
    --of.depth;
    of.ts += random_.spread(200);
    if (of.depth > 0) return;
    if (of.left_in_burst == 0) {
      of.left_in_burst = 1 + random_.below(200);
      of.ts += random_.spread(2'000'000);  // a gap
    }
    --of.left_in_burst;
  }

  static constexpr uint32_t kFlowEvery = 1000, kCounterEvery = 50;
  const Order& order_;
  Output& out_;
  Random random_;
  std::vector<BusyThread> threads_;
  uint64_t written_ = 0, ended_ = 0, flow_ = 0, last_flow_ = 0;
};

}  // namespace

void write_timeline(const Order& order, Output& out) { TimelineWriter(order, out).write(); }

}  // namespace tracebraid::generate
