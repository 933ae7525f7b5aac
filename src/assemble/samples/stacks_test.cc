#include <gtest/gtest.h>

#include <bit>

#include "assemble/test_trace.h"
#include "event/event_kind.h"
#include "event/stats.h"

namespace tracebraid {
namespace {

struct SampledTrace : TestTrace {
  uint32_t frame(std::string_view name, int64_t rel_pc = 0) {
    const uint32_t mapping = sink.mapping({.name = sink.string("/lib.so"), .build_id = {}});
    return sink.frame({.name = sink.string(name), .mapping = mapping, .rel_pc = rel_pc});
  }
  uint32_t stack(std::initializer_list<std::string_view> root_first) {
    uint32_t callsite = kNone;
    for (const std::string_view name : root_first) callsite = sink.callsite(callsite, frame(name));
    return callsite;
  }
  void sample(int64_t ts, uint32_t callsite, SampleRows rows = SampleRows::Profiler) {
    sample_of(thread(1, 2), ts, callsite, rows);
  }
  void sample_of(uint32_t thread, int64_t ts, uint32_t callsite,
                 SampleRows rows = SampleRows::Profiler) {
    SampleExtra extra;
    extra.callsite = callsite;
    extra.rows = rows;
    batch.stacks.samples.push_back(extra);
    Event made = event(EventKind::Sample, ts, thread, "cycles", std::bit_cast<int64_t>(2.0));
    made.category = sink.string("test");
    made.extra = static_cast<uint32_t>(batch.stacks.samples.size() - 1);
    sink.event(made);
  }
  // Returns the frames, leaf first.
  std::string stack_of(uint32_t callsite) const {
    std::string text;
    for (; callsite != kNone; callsite = store.stack_callsites.parent_id[callsite].row)
      text += name_of(store.stack_frames.name[store.stack_callsites.frame_id[callsite]]) + ' ';
    return text;
  }
};

TEST(Stacks, RowsAreMadeWhenUsedAndOnce) {
  SampledTrace trace;
  trace.stack({"main", "unused"});
  const uint32_t work = trace.stack({"main", "work"});
  trace.sample(5, trace.stack({"main"}));
  trace.sample(7, work);
  trace.sample(6, work);
  trace.build();
  ASSERT_EQ(trace.store.profiler_samples.rows(), 3U);
  EXPECT_EQ(trace.store.stack_callsites.rows(), 2U);
  EXPECT_EQ(trace.store.stack_frames.rows(), 2U);
  EXPECT_EQ(trace.store.stack_mappings.rows(), 1U);
  EXPECT_EQ(trace.stack_of(trace.store.profiler_samples.callsite_id[0].row), "main ");
  EXPECT_EQ(trace.stack_of(trace.store.profiler_samples.callsite_id[2].row), "work main ");
  EXPECT_EQ(trace.store.profiler_task_contexts.rows(), 1U);
}

TEST(Stacks, SampleWithoutStackIsARowOfWhatAskedForIt) {
  SampledTrace trace;
  trace.sample(1, kNone, SampleRows::Json);
  trace.sample(2, kNone, SampleRows::JsonAndProfiler);
  trace.sample(3, kNone);
  trace.build();
  EXPECT_EQ(trace.store.json_samples.rows(), 2U);
  EXPECT_EQ(trace.store.json_samples.weight[0], 2.0);
  ASSERT_EQ(trace.store.profiler_samples.rows(), 2U);
  EXPECT_EQ(trace.store.profiler_samples.ts[0], 2);
  EXPECT_EQ(trace.store.profiler_samples.callsite_id[0].row, OptRow::kNull);
}

TEST(Stacks, SampleOfNobodyHasNoTaskContext) {
  SampledTrace trace;
  trace.sample(1, kNone);
  trace.sample_of(kNone, 2, kNone);
  trace.sample(3, kNone);
  trace.build();
  ASSERT_EQ(trace.store.profiler_samples.rows(), 3U);
  EXPECT_EQ(trace.store.profiler_samples.task_context_id[0].row, 0U);
  EXPECT_EQ(trace.store.profiler_samples.task_context_id[1].row, OptRow::kNull);
  EXPECT_EQ(trace.store.profiler_samples.task_context_id[2].row, 0U);
  EXPECT_EQ(trace.store.profiler_task_contexts.rows(), 1U);
}

TEST(Stacks, SymbolsOfAModuleGoToAllFramesAtTheirAddress) {
  SampledTrace trace;
  EventSink& sink = trace.sink;
  trace.sample(1, sink.callsite(kNone, trace.frame("a", 16)));
  trace.sample(2, sink.callsite(kNone, trace.frame("b", 16)));
  ModuleSymbols module;
  module.path = sink.string("/lib.so");
  module.lines = {{sink.string("inlined"), {}, 1, false}, {sink.string("outer"), {}, 2, true}};
  module.addresses = {{16, 0}, {99, 0}, {16, kNone}};
  trace.batch.stacks.module_symbols.push_back(module);
  module.path = sink.string("/other.so");
  trace.batch.stacks.module_symbols.push_back(module);
  trace.build();
  const StackFrameTable& frames = trace.store.stack_frames;
  ASSERT_EQ(frames.rows(), 2U);
  EXPECT_EQ(frames.symbol_set_id[0].row, frames.symbol_set_id[1].row);
  ASSERT_EQ(trace.store.stack_symbols.rows(), 2U);
  EXPECT_EQ(trace.name_of(trace.store.stack_symbols.name[0]), "inlined");
  EXPECT_EQ(trace.stat(stats::stackprofile_invalid_frame_id), 1);
  EXPECT_EQ(trace.stat(stats::stackprofile_invalid_mapping_id), 1);
}

TEST(Stacks, HeapRowsAreWhatCameSinceTheDumpBefore) {
  SampledTrace trace;
  const uint32_t callsite = trace.stack({"main"});
  trace.batch.stacks.heap_samples = {{callsite, true, 1, 100, 30, 2, 1},
                                     {callsite, true, 1, 150, 30, 3, 1}};
  for (uint32_t i = 0; i < 2; ++i) {
    Event dump = trace.event(EventKind::HeapDump, 10 * i, trace.process(1), "malloc", i);
    dump.extra = i;
    trace.sink.event(dump);
  }
  trace.build();
  const HeapProfileAllocationTable& rows = trace.store.heap_profile_allocations;
  ASSERT_EQ(rows.rows(), 3U);
  EXPECT_EQ(rows.size[0], 100);
  EXPECT_EQ(rows.size[1], -30);
  EXPECT_EQ(rows.count[1], -1);
  EXPECT_EQ(rows.size[2], 50);
  EXPECT_EQ(trace.store.heap_profiles.ts[1], 9);
}

TEST(Stacks, ASliceOfJsonHasOneRowForBothEnds) {
  for (const TieRule rule : {TieRule::TraceEventFormat, TieRule::FileOrder}) {
    SampledTrace trace;
    trace.batch.tie_rule = rule;
    const uint32_t track = trace.thread_track(1, 2);
    trace.batch.stacks.slice_stacks = {{trace.stack({"main"}), kNone},
                                       {kNone, trace.stack({"main", "work"})}};
    for (uint32_t i = 0; i < 2; ++i) {
      trace.batch.slice_extras.push_back({.stack = i});
      Event event =
          trace.event(i == 0 ? EventKind::SliceBegin : EventKind::SliceEnd, 10 * i, track, "a");
      event.extra = i;
      trace.sink.event(event);
    }
    trace.build();
    const TrackEventCallstacksTable& rows = trace.store.track_event_callstacks;
    const size_t last = rule == TieRule::TraceEventFormat ? 0 : 1;
    ASSERT_EQ(rows.rows(), last + 1);
    EXPECT_EQ(trace.stack_of(rows.callsite_id[0].row), "main ");
    EXPECT_EQ(trace.stack_of(rows.end_callsite_id[last].row), "work main ");
  }
}

}  // namespace
}  // namespace tracebraid
