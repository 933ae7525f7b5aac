// Any events in any order give consistent tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "assemble/test_trace.h"
#include "event/batch_check.h"

namespace tracebraid {
namespace {

// The number of kinds; kinds are numbered without gaps.
constexpr uint32_t count_kinds() {
  uint32_t count = 0;
  while (!traits_of(static_cast<EventKind>(count)).name.empty()) ++count;
  return count;
}

class RandomTrace {
 public:
  RandomTrace(TestTrace& trace, uint32_t seed) : trace_(trace), random_(seed) {
    for (int64_t tid = 0; tid < 6; ++tid) {
      for (const int64_t pid : {int64_t{0}, int64_t{3}, kNoId}) {
        trace.thread(pid, tid);
        trace.thread(pid, tid, below(3));
        trace.process(tid, below(2));
      }
    }
    for (int i = 0; i < 20; ++i) add_track();
    for (int i = 0; i < 10; ++i) add_args();
    for (int i = 0; i < 8; ++i) add_extras();
  }

  void add_events(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      Event event{};
      event.kind = below(count_kinds()) & 0xFF;
      event.ts = time();
      event.value = value(event.what());
      event.track = track(event.what());
      // Readers name all events with an id.
      event.name = has_json_id(event.what()) ? text() : name();
      event.category = has_json_id(event.what()) ? text() : name();
      event.args = pick(sets_);
      event.extra = extra(event.what());
      if (event.what() == EventKind::Row) {
        event.name = trace_.sink.string("gpu_context");
        event.args = kNone;
      }
      // Events without a time name processes and threads.
      if (event.what() == EventKind::ProcessName || event.what() == EventKind::ThreadName)
        trace_.sink.untimed(event);
      else
        trace_.sink.event(event, below(3));
    }
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  uint32_t pick(const std::vector<uint32_t>& list) {
    return below(4) == 0 ? kNone : list[below(static_cast<uint32_t>(list.size()))];
  }
  StringId text() { return trace_.sink.string(std::string(1, char('a' + below(4)))); }
  StringId name() { return below(3) == 0 ? StringId{} : text(); }
  static bool has_json_id(EventKind kind) {
    const ExtraField field = traits_of(kind).extra;
    return field == ExtraField::JsonObject || field == ExtraField::JsonId ||
           field == ExtraField::JsonLink;
  }
  int64_t time() {
    switch (below(20)) {
      case 0:
        return std::numeric_limits<int64_t>::min();
      case 1:
        return std::numeric_limits<int64_t>::max();
      default:
        return int64_t{below(200)} - 20;
    }
  }
  int64_t value(EventKind kind) {
    if (kind == EventKind::ProcessParent) return below(size(trace_.batch.processes));
    if (kind == EventKind::Slice && below(10) == 0) return std::numeric_limits<int64_t>::max();
    return int64_t{below(12)} - 1;
  }
  template <class T>
  static uint32_t size(const std::vector<T>& list) {
    return static_cast<uint32_t>(list.size());
  }
  uint32_t track(EventKind kind) {
    const TrackField field = traits_of(kind).track;
    if (field == TrackField::Cpu) return below(3) == 0 ? below(10'000) : below(4);
    const std::optional<size_t> size = size_of(trace_.batch, field);
    return size ? below(static_cast<uint32_t>(*size)) : kNone;
  }
  uint32_t extra(EventKind kind) {
    const ExtraField field = traits_of(kind).extra;
    if (field == ExtraField::Number) return below(8);
    const std::optional<size_t> size = size_of(trace_.batch, field);
    if (!size || *size == 0 || (is_optional(field) && below(2) == 0)) return kNone;
    return below(static_cast<uint32_t>(*size));
  }
  void add_track() {
    TrackName name;
    name.scope = static_cast<TrackScope>(below(4));
    name.events = static_cast<TrackEvents>(below(3));
    name.lanes = static_cast<Lanes>(below(2));
    name.overlap = static_cast<Overlap>(below(2));
    name.named_by_first_event = below(2) == 0;
    name.root = below(3) == 0;
    if (name.scope == TrackScope::Process) name.owner = below(size(trace_.batch.processes));
    if (name.scope == TrackScope::Thread) name.owner = below(size(trace_.batch.threads));
    if (below(3) == 0) name.gpu = below(3);
    if (name.scope == TrackScope::Cpu) name.owner = below(6000);
    name.type = trace_.sink.string(std::string(1, char('t' + below(3))));
    name.cookie = below(4);
    // A parent comes before its children, so that there are no loops.
    if (const uint32_t tracks = size(trace_.batch.tracks); tracks > 0 && below(2) == 0)
      name.parent = below(tracks);
    trace_.sink.track(name);
  }
  void add_args() {
    EventSink& sink = trace_.sink;
    sink.open_args();
    for (uint32_t i = below(4); i < 5; ++i) {
      const uint32_t key = sink.arg_key(
          {sink.string("args.k"), sink.string("args.k[" + std::to_string(below(3)) + "]")});
      const uint32_t plain = sink.arg_key({sink.string("args.p"), sink.string("args.p")});
      sink.arg(below(2) == 0 ? key : plain, ArgType::Int, below(5));
      sink.arg(plain, ArgType::Thread, below(size(trace_.batch.threads)));
    }
    sets_.push_back(sink.close_args());
  }
  void add_extras() {
    EventBatch& batch = trace_.batch;
    batch.flows.push_back({below(3), static_cast<FlowStepKind>(below(6)), below(2) == 0});
    batch.slice_extras.push_back({.thread_ts = time(),
                                  .thread_dur = time(),
                                  .instruction_count = time(),
                                  .instruction_delta = kUnset,
                                  .flows = below(size(batch.flows)),
                                  .stack = below(8)});
    batch.flow_extras.push_back({name(), below(12)});
    add_stacks();
    SwitchExtra change{.prev_tid = below(6), .next_tid = below(6), .prev_state = time()};
    change.next_comm = name();
    batch.switches.push_back(change);
    batch.wakings.push_back({.waker_tid = below(6)});
    batch.blocked.push_back({.function = name(), .io_wait = 1});
    batch.json.ids.push_back({.scope = text(), .spelling = text(), .canonical = text()});
    batch.json.objects.push_back({.id = below(size(batch.json.ids))});
    batch.json.links.push_back({below(size(batch.json.ids)), below(size(batch.json.ids))});
    batch.memory.dumps.push_back({.id = below(size(batch.json.ids))});
    batch.stacks.heap_graphs.emplace_back();
  }

  // Some callsites are out of range.
  void add_stacks() {
    EventSink& sink = trace_.sink;
    StackTables& stacks = trace_.batch.stacks;
    const uint32_t mapping = sink.mapping({.name = name(), .build_id = name(), .start = time()});
    const uint32_t frame = sink.frame({.name = name(),
                                       .mapping = below(3) == 0 ? kNone : mapping,
                                       .rel_pc = time(),
                                       .has_symbol = below(2) == 0,
                                       .args = pick(sets_)});
    sink.callsite(stacks.callsites.empty() ? kNone : below(size(stacks.callsites)), frame);
    sink.async_context({.name = name(), .parent = below(9)});
    stacks.slice_stacks.push_back({below(12), below(12)});
    stacks.sample_counters.push_back({below(size(trace_.batch.tracks)), below(2) == 0, 1.5});
    SampleExtra sample;
    sample.callsite = below(12);
    sample.async_context = below(9);
    sample.counters = below(3) == 0 ? kNone : below(size(stacks.sample_counters));
    sample.rows = static_cast<SampleRows>(below(3));
    sample.cpu = int64_t{below(6000)} - 1;
    stacks.samples.push_back(sample);
    stacks.heap_samples.push_back({below(12), below(2) == 0, uint64_t{below(9)}, time(),
                                   int64_t{below(9)}, int64_t{below(9)}});
  }

  TestTrace& trace_;
  std::mt19937 random_;
  std::vector<uint32_t> sets_;
};

void expect_consistent(const Store& store) {
  const size_t tracks = store.tracks.rows();
  const size_t threads = store.threads.rows();
  const SliceTable& slices = store.slices;
  EXPECT_TRUE(std::ranges::is_sorted(slices.ts.values()));
  EXPECT_TRUE(std::ranges::is_sorted(store.counters.ts.values()));
  for (size_t i = 0; i < store.stack_callsites.rows(); ++i) {
    const uint32_t parent = store.stack_callsites.parent_id[i].row;
    EXPECT_EQ(store.stack_callsites.depth[i],
              parent == OptRow::kNull ? 0 : store.stack_callsites.depth[parent] + 1);
    EXPECT_LT(store.stack_callsites.frame_id[i], store.stack_frames.rows());
  }
  for (const uint32_t mapping : store.stack_frames.mapping.values())
    EXPECT_LT(mapping, store.stack_mappings.rows());
  EXPECT_TRUE(std::ranges::is_sorted(store.profiler_samples.ts.values()));
  EXPECT_TRUE(std::ranges::is_sorted(store.states.ts.values()));
  EXPECT_TRUE(std::ranges::is_sorted(store.sched.ts.values()));
  EXPECT_TRUE(std::ranges::is_sorted(store.thread_states.ts.values()));
  EXPECT_TRUE(std::ranges::is_sorted(store.ftrace_events.ts.values()));
  for (size_t i = 0; i < slices.rows(); ++i) {
    EXPECT_LT(slices.track_id[i], tracks);
    EXPECT_GE(slices.dur[i], -1);
    const uint32_t parent = slices.parent_id[i].row;
    if (parent != OptRow::kNull) {
      EXPECT_LT(parent, slices.rows());
      EXPECT_EQ(slices.depth[parent] + 1, slices.depth[i]);
    }
    const uint32_t args = slices.arg_set_id[i].row;
    if (args != OptRow::kNull) {
      EXPECT_FALSE(store.args.set(args).empty() && store.args.leaves_of_set(args).second == 0);
    }
  }
  for (size_t i = 0; i < store.flows.rows(); ++i) {
    EXPECT_LT(store.flows.slice_out[i], slices.rows());
    EXPECT_LT(store.flows.slice_in[i], slices.rows());
  }
  for (size_t i = 0; i < tracks; ++i) {
    const uint32_t parent = store.tracks.parent_id[i].row;
    if (parent != OptRow::kNull) {
      EXPECT_LT(parent, tracks);
    }
    const uint32_t utid = store.tracks.utid[i].row;
    if (utid != OptRow::kNull) {
      EXPECT_LT(utid, threads);
    }
  }
  for (size_t i = 0; i < threads; ++i) {
    const uint32_t upid = store.threads.upid[i].row;
    if (upid != OptRow::kNull) {
      EXPECT_LT(upid, store.processes.rows());
    }
  }
  for (const uint32_t utid : store.sched.utid.values()) EXPECT_LT(utid, threads);
  EXPECT_EQ(store.thread_states.rows(), store.thread_states.ucpu.size());
}

TEST(Robustness, AnyEventsInAnyOrder) {
  for (uint32_t seed = 0; seed < 120; ++seed) {
    TestTrace trace(seed % 2 == 0 ? TieRule::FileOrder : TieRule::TraceEventFormat);
    RandomTrace events(trace, seed);
    events.add_events(seed * 5);
    trace.build();
    expect_consistent(trace.store);
  }
}

// Equal events give equal tables.
TEST(Robustness, TheOutcomeIsFixed) {
  const auto build = [] {
    TestTrace trace(TieRule::TraceEventFormat);
    RandomTrace events(trace, 99);
    events.add_events(500);
    trace.build();
    std::string text = trace.slices();
    for (const AssembleStat& stat : trace.report.stats)
      text += fmt::format(" {}={}", static_cast<unsigned>(stat.stat), stat.value);
    return text;
  };
  EXPECT_EQ(build(), build());
}

}  // namespace
}  // namespace tracebraid
