#include "assemble/flows/flows.h"

#include <gtest/gtest.h>

#include "assemble/stats.h"
#include "assemble/test_trace.h"
#include "event/event_kind.h"

namespace tracebraid {
namespace {

// Returns "out->in id;" for each row of flow.
std::string flows(const TestTrace& trace) {
  const FlowTable& table = trace.store.flows;
  const SliceTable& slices = trace.store.slices;
  std::string text;
  for (size_t i = 0; i < table.rows(); ++i)
    text += trace.name_of(slices.name[table.slice_out[i]]) + "->" +
            trace.name_of(slices.name[table.slice_in[i]]) + ' ' +
            std::to_string(table.trace_id[i].value) + "; ";
  return text;
}

void instant_with(TestTrace& trace, int64_t ts, uint32_t track, std::string_view name,
                  std::initializer_list<FlowStep> steps) {
  Event event = trace.event(EventKind::Instant, ts, track, name);
  event.extra = static_cast<uint32_t>(trace.batch.slice_extras.size());
  trace.batch.slice_extras.push_back({.flows = static_cast<uint32_t>(trace.batch.flows.size())});
  trace.batch.flows.insert(trace.batch.flows.end(), steps);
  trace.batch.flows.back().last = true;
  trace.sink.event(event);
}

void flow(TestTrace& trace, EventKind kind, int64_t ts, uint32_t track, std::string_view name,
          int64_t id) {
  Event event = trace.event(kind, ts, track, name, id);
  event.category = trace.sink.string("k");
  trace.sink.event(event);
}

TEST(Flows, TrackEventIdsGoOnUntilTerminated) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  instant_with(trace, 10, t, "a", {{7, FlowStepKind::Flow, false}});
  instant_with(trace, 20, t, "b", {{7, FlowStepKind::Flow, false}, {8, FlowStepKind::Flow, false}});
  instant_with(trace, 30, t, "c", {{7, FlowStepKind::Terminating, false}});
  instant_with(trace, 40, t, "d", {{7, FlowStepKind::Terminating, false}});
  instant_with(trace, 50, t, "e", {{8, FlowStepKind::Flow, false}});
  trace.build();
  EXPECT_EQ(flows(trace), "a->b 7; b->c 7; b->e 8; ");
}

TEST(Flows, EndEventsAttachToTheSliceTheyClose) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  instant_with(trace, 5, t, "x", {{7, FlowStepKind::Flow, false}});
  trace.begin(10, t, "a");
  Event end = trace.event(EventKind::SliceEnd, 20, t);
  end.extra = static_cast<uint32_t>(trace.batch.slice_extras.size());
  trace.batch.slice_extras.push_back({.flows = static_cast<uint32_t>(trace.batch.flows.size())});
  trace.batch.flows.push_back({7, FlowStepKind::Flow, true});
  trace.sink.event(end);
  trace.build();
  EXPECT_EQ(flows(trace), "x->a 7; ");
}

TEST(Flows, TheEarlierSliceIsOut) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  const uint32_t u = trace.thread_track(1, 3);
  trace.begin(10, t, "early");
  instant_with(trace, 20, u, "late", {{7, FlowStepKind::Flow, false}});
  Event end = trace.event(EventKind::SliceEnd, 30, t);
  end.extra = static_cast<uint32_t>(trace.batch.slice_extras.size());
  trace.batch.slice_extras.push_back({.flows = static_cast<uint32_t>(trace.batch.flows.size())});
  trace.batch.flows.push_back({7, FlowStepKind::Flow, true});
  trace.sink.event(end);
  trace.build();
  EXPECT_EQ(flows(trace), "early->late 7; ");
}

TEST(Flows, RenderStagesAreLinkedWithAllSlicesThatReferToThem) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  instant_with(trace, 10, t, "wait", {{7, FlowStepKind::FromGpuStages, false}});
  instant_with(trace, 20, t, "s1", {{7, FlowStepKind::GpuStage, false}});
  instant_with(trace, 30, t, "s2",
               {{7, FlowStepKind::GpuStage, false}, {8, FlowStepKind::FromGpuStages, false}});
  instant_with(trace, 40, t, "submit", {{7, FlowStepKind::ToGpuStages, false}});
  trace.build();
  const FlowTable& table = trace.store.flows;
  std::string pairs;
  for (size_t i = 0; i < table.rows(); ++i) {
    EXPECT_EQ(table.trace_id[i].value, OptInt::kNull);
    pairs += trace.name_of(trace.store.slices.name[table.slice_out[i]]) + "->" +
             trace.name_of(trace.store.slices.name[table.slice_in[i]]) + "; ";
  }
  EXPECT_EQ(pairs, "s1->wait; s2->wait; submit->s1; submit->s2; ");
}

TEST(Flows, RenderStagesOfOneIdHaveABoundedNumberOfFlows) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  for (int i = 0; i < 100; ++i)
    instant_with(trace, i, t, "stage", {{7, FlowStepKind::GpuStage, false}});
  for (int i = 0; i < 100; ++i)
    instant_with(trace, 100 + i, t, "wait", {{7, FlowStepKind::FromGpuStages, false}});
  trace.build();
  EXPECT_EQ(trace.store.flows.rows(), 3200U);
  EXPECT_EQ(trace.stat(stats::flow_step_dropped), 6800);
}

TEST(Flows, BindIdsOfProtoFiles) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  instant_with(trace, 10, t, "in0", {{7, FlowStepKind::In, false}});
  instant_with(trace, 11, t, "step0", {{7, FlowStepKind::Step, false}});
  instant_with(trace, 20, t, "out", {{7, FlowStepKind::Out, false}});
  instant_with(trace, 21, t, "out2", {{7, FlowStepKind::Out, false}});
  instant_with(trace, 30, t, "step", {{7, FlowStepKind::Step, false}});
  instant_with(trace, 40, t, "in", {{7, FlowStepKind::In, false}});
  instant_with(trace, 50, t, "in2", {{7, FlowStepKind::In, false}});
  instant_with(trace, 60, t, "none", {{7, FlowStepKind::None, false}});
  trace.build();
  EXPECT_EQ(flows(trace), "out->step 7; step->in 7; step->in2 7; ");
  EXPECT_EQ(trace.stat(stats::flow_end_without_start), 1);
  EXPECT_EQ(trace.stat(stats::flow_step_without_start), 1);
  EXPECT_EQ(trace.stat(stats::flow_duplicate_id), 1);
  EXPECT_EQ(trace.stat(stats::flow_without_direction), 1);
}

TEST(Flows, BindIdsOfJsonStartAgainAfterAConsumer) {
  TestTrace trace(TieRule::TraceEventFormat);
  const uint32_t t = trace.thread_track(1, 2);
  instant_with(trace, 10, t, "a", {{7, FlowStepKind::Step, false}});
  instant_with(trace, 20, t, "b", {{7, FlowStepKind::In, false}});
  instant_with(trace, 30, t, "c", {{7, FlowStepKind::Out, false}});
  instant_with(trace, 40, t, "d", {{7, FlowStepKind::Out, false}});
  instant_with(trace, 50, t, "e", {{7, FlowStepKind::In, false}});
  trace.build();
  EXPECT_EQ(flows(trace), "a->b 7; c->e 7; ");
  EXPECT_EQ(trace.stat(stats::flow_step_without_start), 1);
  EXPECT_EQ(trace.stat(stats::flow_duplicate_id), 1);
}

TEST(Flows, LegacyProtoFlowsWaitForTheNextSlice) {
  TestTrace trace;
  const uint32_t t = trace.thread_track(1, 2);
  const uint32_t u = trace.thread_track(1, 3);
  flow(trace, EventKind::FlowStart, 5, t, "f", 99);  // no slice around it
  trace.begin(10, t, "src");
  flow(trace, EventKind::FlowStart, 15, t, "f", 99);
  flow(trace, EventKind::FlowEnd, 20, u, "f", 99);
  trace.begin(30, u, "next");
  flow(trace, EventKind::FlowStep, 35, u, "g", 99);  // another name is another flow
  flow(trace, EventKind::FlowEndHere, 36, u, "f", 99);
  trace.build();
  EXPECT_EQ(flows(trace), "src->next 0; src->next 0; ");
  EXPECT_EQ(trace.args_of(trace.store.flows.arg_set_id[0].row), "name=f cat=k ");
  EXPECT_EQ(trace.stat(stats::flow_no_enclosing_slice), 1);
  EXPECT_EQ(trace.stat(stats::flow_step_without_start), 1);
}

// JSON flows bind by time.
class JsonFlowsTest : public testing::Test {
 protected:
  JsonFlowsTest() {
    trace_.slice(10, 20, one_, "src");
    trace_.slice(40, 20, two_, "mid");
    trace_.slice(70, 20, three_, "dst");
  }
  TestTrace trace_{TieRule::TraceEventFormat};
  uint32_t one_ = trace_.thread_track(1, 1);
  uint32_t two_ = trace_.thread_track(1, 2);
  uint32_t three_ = trace_.thread_track(1, 3);
};

TEST_F(JsonFlowsTest, ChainsThroughSteps) {
  flow(trace_, EventKind::FlowStart, 15, one_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 75, three_, "f", 1);
  flow(trace_, EventKind::FlowStep, 45, two_, "f", 1);
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->mid 1; mid->dst 1; ");
  EXPECT_EQ(trace_.args_of(trace_.store.flows.arg_set_id[1].row),
            "name=f cat=k start_ts=45 end_ts=75 ");
}

TEST_F(JsonFlowsTest, AnEndOfASliceIsInIt) {
  flow(trace_, EventKind::FlowStart, 30, one_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 90, three_, "f", 1);
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->dst 1; ");
}

TEST_F(JsonFlowsTest, AfterTheEndThereIsNoSlice) {
  flow(trace_, EventKind::FlowStart, 35, one_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 75, three_, "f", 1);
  trace_.build();
  EXPECT_EQ(flows(trace_), "");
  EXPECT_EQ(trace_.stat(stats::flow_no_enclosing_slice), 1);
  EXPECT_EQ(trace_.stat(stats::flow_end_without_start), 1);
}

TEST_F(JsonFlowsTest, AnEndGoesToTheNextSlice) {
  trace_.slice(80, 5, three_, "inner");
  flow(trace_, EventKind::FlowStart, 15, one_, "f", 1);
  flow(trace_, EventKind::FlowEnd, 75, three_, "f", 1);
  flow(trace_, EventKind::FlowEnd, 85, three_, "f", 1);  // no slice follows
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->inner 1; ");
  EXPECT_EQ(trace_.stat(stats::flow_no_enclosing_slice), 1);
}

TEST_F(JsonFlowsTest, TheNextSliceMayStartAtTheSameTime) {
  flow(trace_, EventKind::FlowStart, 15, one_, "f", 1);
  flow(trace_, EventKind::FlowEnd, 100, three_, "f", 1);
  trace_.slice(100, 10, three_, "same");
  trace_.slice(200, 10, three_, "later");
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->same 1; ");

  TestTrace behind(TieRule::TraceEventFormat);
  const uint32_t t = behind.thread_track(1, 1);
  behind.slice(10, 5, t, "src");
  behind.slice(100, 10, t, "same");
  flow(behind, EventKind::FlowStart, 12, t, "f", 1);
  flow(behind, EventKind::FlowEnd, 100, t, "f", 1);  // comes after it in the file
  behind.slice(200, 10, t, "later");
  behind.build();
  EXPECT_EQ(flows(behind), "src->later 1; ");
}

TEST_F(JsonFlowsTest, CategoriesOfInputBindToTheSliceAround) {
  flow(trace_, EventKind::FlowStart, 15, one_, "f", 1);
  Event end = trace_.event(EventKind::FlowEnd, 75, three_, "f", 1);
  end.category = trace_.sink.string("k");
  trace_.sink.event(end);
  Event start = trace_.event(EventKind::FlowStart, 15, one_, "g", 2);
  start.category = trace_.sink.string("x,input");
  trace_.sink.event(start);
  Event input = trace_.event(EventKind::FlowEnd, 75, three_, "g", 2);
  input.category = start.category;
  trace_.sink.event(input);
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->dst 2; ");
}

TEST_F(JsonFlowsTest, AStartAfterAnEndIsANewFlow) {
  flow(trace_, EventKind::FlowStart, 15, one_, "f", 1);
  flow(trace_, EventKind::FlowStart, 16, one_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 45, two_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 46, two_, "f", 1);
  flow(trace_, EventKind::FlowStart, 50, two_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 75, three_, "f", 1);
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->mid 1; src->mid 1; mid->dst 1; ");
  EXPECT_EQ(trace_.stat(stats::flow_duplicate_id), 1);
}

TEST_F(JsonFlowsTest, SpilledSlicesBelongToTheThread) {
  trace_.slice(80, 30, three_, "spilled");
  flow(trace_, EventKind::FlowStart, 15, one_, "f", 1);
  flow(trace_, EventKind::FlowEndHere, 100, three_, "f", 1);
  flow(trace_, EventKind::FlowEnd, 75, three_, "f", 1);
  trace_.build();
  EXPECT_EQ(flows(trace_), "src->spilled 1; src->spilled 1; ");
}

}  // namespace
}  // namespace tracebraid
